"""What the three forms of a report have in common: the words, and which rows a part shows in which order."""

from collections.abc import Mapping
from datetime import datetime
from typing import Literal, Protocol

from grader.reports.markup import Term, terminal_verdict
from grader.results import ExerciseResult, Explanation, Override, PartResult, Relation, Result, Status, Verdict
from grader.values import frozen

WORDS: Mapping[Verdict | None, str] = {
    None: "Received",
    Verdict.CORRECT: "Correct",
    Verdict.PARTIAL: "Partly correct",
    Verdict.INCORRECT: "Incorrect",
    Verdict.INVALID: "Could not be read",
    Verdict.MISSING: "No answer",
    Verdict.UNDECIDED: "To be reviewed",
}
SYMBOLS: Mapping[Verdict | None, str] = {
    None: "•",
    Verdict.CORRECT: "✓",
    Verdict.PARTIAL: "◐",
    Verdict.INCORRECT: "✗",
    Verdict.INVALID: "?",
    Verdict.MISSING: "○",
    Verdict.UNDECIDED: "…",
}
STATUS = {
    Status.GRADED: "Graded",
    Status.MISSING: "Nothing was handed in",
    Status.UNREADABLE: "The file could not be read",
    Status.DUPLICATE: "More than one file was handed in",
    Status.FAILED: "Grading failed",
}
NEXT = {
    Status.MISSING: "There is nothing to grade yet.",
    Status.UNREADABLE: "Mend the file and hand it in again.",
    Status.DUPLICATE: "Hand in one file only.",
    Status.FAILED: "This is a fault of the grader, not of your work. A person will look at it.",
}

Kind = Literal["response", "message", "reading", "text", "rich", "explanation", "solution", "plot"]


@frozen
class Row:
    """One row of a part: what it is called, what kind of thing it shows, and the thing where the part has several."""

    label: str
    kind: Kind
    text: str = ""
    explanation: Explanation | None = None


def rows(part: PartResult, followed: str) -> tuple[Row, ...]:
    """The rows of a part, in the order of all reports; what is empty, or was withheld, has no row.

    `followed` are the titles of the parts from which this one follows (see `followed`).
    """
    found: list[tuple[object, str, Kind, str]] = [
        (part.response.strip(), "You typed", "response", ""),
        (part.message, _message_label(part), "message", ""),
        (part.mathml or part.read_as, "Read as", "reading", ""),
        (_relation(part), "Note", "text", _relation(part)),
        (part.follow_through, "Follows from", "text", f"your answer to {followed}"),
        *((e, _why(part, e), "explanation", "") for e in part.explanations),
        (part.feedback and not part.explanations, "Feedback", "rich", part.feedback),
        (part.ratio, "Off by", "text", f"a factor of {part.ratio}"),
        (part.counterexample, "Try it", "text", part.counterexample),
        (part.off_by, "Off there by", "text", f"a factor of {part.off_by}"),
        *((remark, "Remark", "text", remark) for remark in (*part.slips, *part.remarks)),
        (part.override, "Points", "text", _given(part.override)),
        (part.solution_mathml or part.solution, "Solution", "solution", ""),
        (part.plot, "Plot", "plot", ""),
    ]
    return tuple(
        Row(label, kind, text, content if isinstance(content, Explanation) else None)
        for content, label, kind, text in found
        if content
    )


def _given(override: Override | None) -> str:
    """What a person gave for a part, and why."""
    if override is None:
        return ""
    replaced = "" if override.before is None else f" in place of {override.before}"
    why = f": {override.why}" if override.why else ""
    return f"{counted(override.points, 'point')} given by {override.by or 'a person'}{replaced}{why}"


def _message_label(part: PartResult) -> str:
    labels: Mapping[Verdict | None, str] = {Verdict.INVALID: "What to mend", Verdict.UNDECIDED: "Reason"}
    return labels.get(part.verdict, "Note")


def _why(part: PartResult, explanation: Explanation) -> str:
    if part.verdict is Verdict.CORRECT:
        return "Note"
    if not (explanation.title or explanation.feedback):
        return "Hint"
    return "Possible reason" if len(part.explanations) > 1 else "Why"


def _relation(part: PartResult) -> str:
    if part.verdict is not Verdict.CORRECT:
        return ""
    notes = {Relation.LEADING_ORDER: "right to leading order", Relation.TOLERANCE: "right within the tolerance"}
    return notes.get(part.relation, "") if part.relation else ""


def followed(part: PartResult, exercise: ExerciseResult) -> str:
    """The titles of the parts from which a part of an exercise follows; empty where it follows from none."""
    if not part.follow_through:
        return ""
    titles = {other.id: other.title or other.id for other in exercise.parts}
    names = [f"“{titles.get(name, name)}”" for name in part.follow_through or ()]
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def counted(number: int, noun: str) -> str:
    """`1 point`, `2 points`."""
    return f"{thousands(number)} {noun}{'' if number == 1 else 's'}"


def thousands(number: int) -> str:
    """`12,345`."""
    return f"{number:,}"


class Scored(Protocol):
    """What has points out of so many; None where they are hidden."""

    @property
    def points(self) -> int | None: ...

    @property
    def max_points(self) -> int: ...


def points(scored: Scored) -> str:
    """`2 of 3 points`, `1 of 1 point`."""
    return f"{share(scored)} point{'' if scored.max_points == 1 else 's'}"


def share(scored: Scored) -> str:
    """`2 of 3`, or `up to 3` where the points are hidden."""
    return f"up to {scored.max_points}" if scored.points is None else f"{scored.points} of {scored.max_points}"


def score(part: PartResult, colour: bool) -> Term:
    """Symbol, word and points of a part for a terminal."""
    word = terminal_verdict(part.verdict, f"{SYMBOLS[part.verdict]} {WORDS[part.verdict]}", colour)
    return Term(f"{word}, {points(part)}")


def bar(result: Result, width: int = 30) -> str:
    """The share of the points as a bar of text; empty where there are no points to get."""
    if result.max_points <= 0 or result.points is None:
        return ""
    filled = min(max(round(width * result.points / result.max_points), 0), width)
    return "█" * filled + "░" * (width - filled)


def facts(result: Result) -> tuple[str, ...]:
    """What a report says of a submission as a whole: when it came and what that cost, whether it counts, remarks."""
    found = (
        f"Handed in {when(result.submitted_at)}." if result.submitted_at else "",
        _lateness(result),
        "" if result.counts else "Another attempt counts in place of this one.",
        *result.remarks,
        *result.flags,
    )
    return tuple(filter(None, found))


def _lateness(result: Result) -> str:
    if result.late is None:
        return ""
    told = f"{counted(result.late.days, 'day')} late: it was due {when(result.late.due_at)}."
    if not result.late.penalty or result.points is None:
        return told
    earned = result.points + result.late.penalty
    return (
        f"{told} {counted(earned, 'point')} for the parts, less {result.late.penalty} for being late: {result.points}."
    )


def days_late(result: Result) -> str:
    """`2 days late, 4 points less`; empty where it was in time."""
    if result.late is None:
        return ""
    less = f", {counted(result.late.penalty, 'point')} less" if result.late.penalty else ""
    return f"{counted(result.late.days, 'day')} late{less}"


def when(moment: str) -> str:
    """A moment in ISO 8601 as people write it, in its own time zone: `2026-12-01 23:59 +01:00`."""
    try:
        read = datetime.fromisoformat(moment)
    except ValueError:
        return moment
    seconds = f":{read.second:02}" if read.second else ""
    offset = read.isoformat()[len(read.replace(tzinfo=None).isoformat()) :]
    return f"{read:%Y-%m-%d %H:%M}{seconds} {'UTC' if offset == '+00:00' else offset}".rstrip()


def called(result: Result) -> str:
    """The student's name, where it says more than the id."""
    return "" if result.name == result.student else result.name

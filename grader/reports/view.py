"""What the three forms of a report have in common: the words, and which rows a part shows in which order."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
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

Kind = Literal["response", "message", "reading", "text", "rich", "follows", "explanation", "solution", "plot", "line"]
Level = Literal["", "hint-1", "hint-2", "mistake"]

_CREDITS = {  # for what points are given, and why none are
    "leading": ("for the leading form, where the exact one is asked", "this is the leading form, not the exact one"),
    "unit": ("for the right value with another unit", "the right unit is asked, too"),
    "side": ("for the bound without its side", "the side of the bound is asked, too"),
    "follow_through": (
        "since it follows from your own earlier answer",
        "what follows from a wrong answer earns none here",
    ),
    "mistake": ("which the course gives in spite of this mistake", ""),
}
_STEPS = {"hint-1": "A hint", "hint-2": "A second hint", "mistake": "What went wrong"}
_DRAWN = ("plot", "line")
_NOTES = {Relation.LEADING_ORDER: "right to leading order", Relation.TOLERANCE: "right within the tolerance"}
_MESSAGES = {Verdict.INVALID: "What to mend", Verdict.UNDECIDED: "Reason"}
_NUMBER = re.compile(r"-?[\d./e+-]+")


@frozen
class Source:
    """An earlier part from which an answer follows: its title, and the id of its element in the page."""

    title: str
    anchor: str = ""


@frozen
class Row:
    """One row of a part: what it is called, what kind of thing it shows, and the thing where the part has several.

    `level` is that of the help that the row is: pages show it when asked for, the least first.
    """

    label: str
    kind: Kind
    text: str = ""
    explanation: Explanation | None = None
    level: Level = ""


@frozen
class Step:
    """What is shown together when asked for; one `after` another is offered once that was opened."""

    title: str
    rows: tuple[Row, ...]
    after: bool


_TYPED, _READ = Row("You typed", "response"), Row("Read as", "reading")
_SOLUTION, _PLOT, _LINE = Row("Solution", "solution"), Row("Plot", "plot"), Row("Number line", "line")


def rows(part: PartResult, sources: Sequence[Source] = ()) -> tuple[Row, ...]:
    """The rows of a part, in the order of all reports; what is empty, or was withheld, has no row.

    `sources` are the parts from which this one follows (see `followed`).
    """
    return (*_said(part, sources), *_help(part), *_shown(part))


def _said(part: PartResult, sources: Sequence[Source]) -> Iterator[Row]:
    """What was said, and what became of it."""
    if part.response.strip():
        yield _TYPED
    if part.message:
        yield Row(_message_label(part), "message")
    if part.mathml or part.read_as:
        yield _READ
    if relation := _relation(part):
        yield Row("Note", "text", relation)
    if part.follow_through:
        yield Row("Follows from", "follows", f"your answer to {_titles(sources)}")
    if earned := _earned(part):
        yield Row("Points", "text", earned)
    if part.counterexample:
        yield Row("Try it", "text", part.counterexample)


def _shown(part: PartResult) -> Iterator[Row]:
    """What stands below: remarks, the solution, drawings."""
    for remark in part.remarks:
        if remark:
            yield Row("Remark", "text", remark)
    if part.solution_mathml or part.solution:
        yield _SOLUTION
    if part.plot:
        yield _PLOT
    if part.number_line:
        yield _LINE


def _help(part: PartResult) -> Iterator[Row]:
    """The hints, then what the number shows, then what went wrong; where there is no hint, that is shown at once."""
    wrong = part.verdict != Verdict.CORRECT
    hints = tuple(dict.fromkeys(e.hint for e in part.explanations if e.hint))
    for hint in hints:
        yield Row("Hint", "rich", hint, level="hint-1" if wrong else "")
    measured = (("Off by", _factor(part.ratio)), ("Off there by", _factor(_other_ratio(part))))
    told = [(label, text) for label, text in (*measured, *(("Remark", slip) for slip in part.slips)) if text]
    for label, text in told:
        yield Row(label, "text", text, level="hint-2" if wrong else "")
    last: Level = "mistake" if wrong and (hints or told) else ""
    for explanation in part.explanations:
        if explanation.title or explanation.feedback:
            yield Row(_why(part), "explanation", explanation=explanation, level=last)
    if part.feedback and not part.explanations:
        yield Row("Feedback", "rich", part.feedback, level=last)


def listed(shown: Sequence[Row]) -> tuple[tuple[str, Row, tuple[Step, ...]], ...]:
    """The rows of a part's list in a page, each with its label, "" if that is the one before.

    The first row of help has the steps of all of it. Drawings stand below the list.
    """
    found: list[tuple[str, Row, tuple[Step, ...]]] = []
    before, helped = "", False
    for row in shown:
        if row.kind in _DRAWN:
            continue
        if not row.level:
            found.append(("" if row.label == before else row.label, row, ()))
            before = row.label
        elif not helped:
            helped = True
            found.append(("Help", row, _steps(shown)))
    return tuple(found)


def _steps(shown: Sequence[Row]) -> tuple[Step, ...]:
    """The rows of help as they are shown one after the other, when asked for."""
    found: list[Step] = []
    for level, title in _STEPS.items():
        some = tuple(row for row in shown if row.level == level)
        if some:
            several = level == "mistake" and len(some) > 1
            named = "What may have gone wrong" if several else "A hint" if level == "hint-2" and not found else title
            found.append(Step(named, some, level == "hint-2" and bool(found)))
    return tuple(found)


def _factor(ratio: str | None) -> str:
    return f"a factor of {ratio}" if ratio else ""


def _other_ratio(part: PartResult) -> str:
    """The factor at the sizes of the counterexample, where the ratio isn't the same everywhere."""
    return "" if part.ratio and _NUMBER.fullmatch(part.ratio) else part.off_by


def _earned(part: PartResult) -> str:
    """Why the points are what they are, where the verdict alone doesn't tell."""
    if part.override:
        return _given(part.override)
    if part.credit not in _CREDITS or part.points is None:
        return ""
    why, why_none = _CREDITS[part.credit]
    return f"{share(part)}, {why}" if part.points else f"none: {why_none}"


def _given(override: Override) -> str:
    """What a person gave for a part, and why."""
    replaced = "" if override.before is None else f" in place of {override.before}"
    why = f": {override.why}" if override.why else ""
    return f"{counted(override.points, 'point')} given by {override.by or 'a person'}{replaced}{why}"


def _message_label(part: PartResult) -> str:
    return _MESSAGES.get(part.verdict, "Note") if part.verdict else "Note"


def _why(part: PartResult) -> str:
    if part.verdict is Verdict.CORRECT:
        return "Note"
    return "Possible reason" if len(part.explanations) > 1 else "Why"


def _relation(part: PartResult) -> str:
    if part.relation is None or part.verdict is not Verdict.CORRECT:
        return ""
    return _NOTES.get(part.relation, "")


def followed(
    part: PartResult, exercise: ExerciseResult, name: str = "", exercises: Sequence[ExerciseResult] = ()
) -> tuple[Source, ...]:
    """The parts from which a part of an exercise follows, as results name them.

    `name` is what the ids of the part's elements begin with: the numbers of the exercise, among all `exercises`, and
    of the part.
    """
    if not part.follow_through:
        return ()
    number = name.partition("-")[0]
    places = {
        one.id: _source(one, f"{number}-{index}" if number else "") for index, one in enumerate(exercise.parts, 1)
    }
    if not places.keys() >= set(part.follow_through):
        for index, other in enumerate(exercises, 1):
            for at, one in enumerate(other.parts, 1):
                source = _source(one, f"{index}-{at}" if number else "")
                places[f"{other.id}.{one.id}"] = replace(source, title=f"{source.title}, {other.title or other.id}")
    return tuple(places.get(source, Source(source)) for source in part.follow_through)


def _source(part: PartResult, name: str) -> Source:
    return Source(part.title or part.id, f"part-{name}" if name else "")


def _titles(sources: Sequence[Source]) -> str:
    names = [f"“{source.title}”" for source in sources]
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

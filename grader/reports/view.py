"""What the three forms of a report have in common: the words, and which rows a part shows in which order."""

from collections.abc import Mapping
from typing import Literal

from grader.reports.markup import Term, terminal_verdict
from grader.results import ExerciseResult, Explanation, PartResult, Relation, Result, Status, Verdict
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


def rows(part: PartResult, exercise: ExerciseResult) -> tuple[Row, ...]:
    """The rows of a part of an exercise, in the order of all reports; what is empty, or was withheld, has no row."""
    found = [
        (part.response.strip(), Row("You typed", "response")),
        (part.message, Row(_message_label(part), "message")),
        (part.mathml or part.read_as, Row("Read as", "reading")),
        (_relation(part), Row("Note", "text", _relation(part))),
        (part.follow_through, Row("Follows from", "text", "your answer to " + _follows(part, exercise))),
        *((True, Row(_why(part, e), "explanation", explanation=e)) for e in part.explanations),
        (part.feedback and not part.explanations, Row("Feedback", "rich", part.feedback)),
        (part.ratio, Row("Off by", "text", f"a factor of {part.ratio}")),
        (part.counterexample, Row("Try it", "text", part.counterexample)),
        (part.off_by, Row("Off there by", "text", f"a factor of {part.off_by}")),
        *((remark, Row("Remark", "text", remark)) for remark in (*part.slips, *part.remarks)),
        (part.solution_mathml or part.solution, Row("Solution", "solution")),
        (part.plot, Row("Plot", "plot")),
    ]
    return tuple(row for content, row in found if content)


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


def _follows(part: PartResult, exercise: ExerciseResult) -> str:
    titles = {other.id: other.title or other.id for other in exercise.parts}
    names = [f"“{titles.get(name, name)}”" for name in part.follow_through or ()]
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def points(scored: PartResult | ExerciseResult | Result) -> str:
    """`2 of 3 points`, `1 of 1 point`."""
    return f"{share(scored)} point{'' if scored.max_points == 1 else 's'}"


def share(scored: PartResult | ExerciseResult | Result) -> str:
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


def notes(result: Result) -> tuple[str, ...]:
    """What whoever reads the summary should know of a submission."""
    verdicts = [part.verdict for exercise in result.exercises for part in exercise.parts]
    counted = {Verdict.UNDECIDED: "to be reviewed", Verdict.INVALID: "could not be read"}
    counts = [f"{verdicts.count(v)} {word}" for v, word in counted.items() if v in verdicts]
    return (*counts, *result.remarks, *((result.message,) if result.message else ()))

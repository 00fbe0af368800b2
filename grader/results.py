"""What grading gives: frozen values, the words for verdicts, and their JSON form (`"schema": 1`).

The full record is the staff's; `grader.reveal.student_view` leaves out what the reveal level hides.
"""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import StrEnum
from typing import Any

from grader.values import frozen

SCHEMA = 1


class Verdict(StrEnum):
    """What is said of one answer; points are a separate matter."""

    CORRECT = "correct"
    PARTIAL = "partial"
    INCORRECT = "incorrect"
    INVALID = "invalid"  # could not be read; says what to mend
    MISSING = "missing"  # blank, or still the template
    UNDECIDED = "undecided"  # could not be decided; a person must look


class Relation(StrEnum):
    """In which sense an answer equals the solution."""

    EXACT = "exact"
    TOLERANCE = "tolerance"
    LEADING_ORDER = "leading_order"


class Status(StrEnum):
    """What became of a submission as a whole."""

    GRADED = "graded"
    MISSING = "missing"
    UNREADABLE = "unreadable"
    DUPLICATE = "duplicate"
    FAILED = "failed"


class Reveal(StrEnum):
    """How much feedback a student sees; each level includes the ones before it."""

    NONE = "none"
    VERDICT = "verdict"
    HINT_1 = "hint-1"
    HINT_2 = "hint-2"
    MISTAKE = "mistake"
    FULL = "full"

    def includes(self, other: "Reveal") -> bool:
        """Whether this level shows at least what `other` shows."""
        order = list(Reveal)
        return order.index(self) >= order.index(other)


@frozen(kw_only=True)
class Explanation:
    """One explanation of a wrong answer: the mistakes that together give it, in words (Markdown subset)."""

    mistakes: tuple[str, ...]
    title: str
    feedback: str = ""
    hint: str = ""


@frozen(kw_only=True)
class Series:
    """One curve of a plot: `points` are (x, y) in the units of the plot's axes."""

    label: str
    kind: str  # "student" or "reference"
    points: tuple[tuple[float, float], ...]


@frozen(kw_only=True)
class Plot:
    """A log-log plot: the student's curves, and the reference's where the reveal level allows it."""

    x_label: str
    y_label: str
    series: tuple[Series, ...]


@frozen(kw_only=True)
class NumberLine:
    """What an answer says of one name, in numbers: `said` are the stretches where it holds (None: without end).

    `accepted` are the ranges in which the bound may lie, where the reveal level allows them.
    """

    symbol: str
    said: tuple[tuple[float | None, float | None], ...]
    accepted: tuple[tuple[float, float], ...] = ()


@frozen(kw_only=True)
class Override:
    """Points that a person gave in place of the grader's, which were `before`."""

    points: int
    before: int | None
    why: str = ""
    by: str = ""


@frozen(kw_only=True)
class Lateness:
    """How late a submission came, by which clock ("release", "lms" or "commit"), and what that costs.

    `submitted_at` and `due_at` (extension included) are in ISO 8601. `days` are days begun after `due_at`.
    """

    submitted_at: str
    due_at: str
    clock: str
    days: int
    penalty: int


@frozen(kw_only=True)
class PartResult:
    """The result of one part. `response` is the text as typed; `line` its line in the student's file."""

    id: str
    verdict: Verdict | None  # None, like points, where the reveal level hides it
    points: int | None
    max_points: int
    response: str = ""
    read_as: str | None = None
    relation: Relation | None = None
    ratio: str | None = None
    mistakes: tuple[str, ...] = ()
    alternatives: tuple[tuple[str, ...], ...] = ()
    follow_through: tuple[str, ...] | None = None
    remarks: tuple[str, ...] = ()
    feedback: str = ""
    line: int | None = None
    # what the pages need beyond the fields that other programs rely on
    prompt: str = ""
    title: str = ""
    mathml: str | None = None
    message: str = ""  # why the answer is invalid or undecided, and the mend
    position: int | None = None  # 0-based offset into `response` of the fault
    explanations: tuple[Explanation, ...] = ()
    slips: tuple[str, ...] = ()  # what the number or the unit shows; hidden below the level `hint-2`
    counterexample: str = ""  # sizes at which the formula fails, and what it gives there
    off_by: str = ""  # by what factor it is off there; hidden below the level `hint-2`
    cluster: str | None = None  # shared by equal answers that nothing explains; for the staff
    ratio_cluster: str | None = None  # shared by those with the same ratio to the solution; for the staff
    plot: Plot | None = None
    number_line: NumberLine | None = None  # of a threshold that is a number
    credit: str = ""  # for what other than being right the points are: leading, unit, side, follow_through or mistake
    solution: str | None = None  # set only where the reveal level is `full`
    solution_mathml: str | None = None
    override: Override | None = None  # `points` are then the person's


@frozen(kw_only=True)
class ExerciseResult:
    """The results of one exercise's parts, in the exercise's order."""

    id: str
    title: str
    points: int | None
    max_points: int
    parts: tuple[PartResult, ...]
    prompt: str = ""


@frozen(kw_only=True)
class Result:
    """The result of one submission. `points` are the total: those of the exercises, less what being late costs."""

    student: str
    source: str
    status: Status
    points: int | None = 0
    max_points: int = 0
    exercises: tuple[ExerciseResult, ...] = ()
    remarks: tuple[str, ...] = ()
    message: str = ""  # why the submission was not graded
    name: str = ""  # the student's, where the source or the roster tells it
    submitted_at: str = ""  # ISO 8601, by the clock that the course goes by
    late: Lateness | None = None
    counts: bool = True  # false where another attempt of the same student counts
    flags: tuple[str, ...] = ()  # what a person should know of how the course's rules were applied; for the staff


@frozen(kw_only=True)
class Gradebook:
    """All results of one run."""

    course: str
    grader: str
    results: tuple[Result, ...]
    schema: int = SCHEMA
    title: str = ""


def to_json(value: Any) -> Any:
    """The value as plain JSON data: dataclasses become mappings, tuples become lists."""
    if is_dataclass(value) and not isinstance(value, type):
        return {f.name: to_json(getattr(value, f.name)) for f in fields(value)}
    if isinstance(value, tuple | list):
        return [to_json(item) for item in value]
    if isinstance(value, Mapping):
        return {str(name): to_json(item) for name, item in value.items()}
    return str(value) if isinstance(value, StrEnum) else value

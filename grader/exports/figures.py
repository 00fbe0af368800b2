"""The figures of a gradebook: what each table shows of a student, in one place, so that all of them show the same.

The total is the result's own; that parts less penalty give it is checked for every student.
"""

from collections.abc import Iterator

from grader.errors import SolutionError
from grader.exports.cells import Cell
from grader.gradebook import Column, Outline, Row
from grader.results import PartResult, Status

LONG = (
    "student", "name", "email", "section", "status", "exercise", "part", "title", "verdict", "points", "max_points",
    "response", "read_as", "mistakes", "alternatives", "follow_through", "override", "points_before",
    "late_days", "penalty", "total", "max_total",
)  # fmt: skip


def parts(row: Row, outline: Outline) -> tuple[PartResult | None, ...]:
    """The student's parts in the order of the outline's columns; None where nothing was graded.

    SolutionError if they don't add up to the total: a gradebook that contradicts itself must not leave.
    """
    found = {(exercise.id, part.id): part for exercise in row.result.exercises for part in exercise.parts}
    ordered = tuple(found.pop((column.exercise, column.part), None) for column in outline.columns)
    points = [part.points for part in ordered if part is not None]
    if row.result.points is None or None in points:
        raise SolutionError(f"{row.student.id}: the points are hidden; an export needs the full record")
    earned = sum(p for p in points if p is not None)
    if found or earned - penalty(row) != row.result.points:
        outside = "".join(f", {exercise}/{part} besides" for exercise, part in sorted(found))
        raise SolutionError(
            f"{row.student.id}: the points don't add up: {earned} for the parts{outside}, "
            f"less {penalty(row)} for being late, but the total is {row.result.points}"
        )
    return ordered


def total(row: Row) -> int:
    """The student's points, after everything."""
    return row.result.points or 0


def penalty(row: Row) -> int:
    """What being late cost."""
    return row.result.late.penalty if row.result.late else 0


def late_days(row: Row) -> int:
    """Days begun after the due date."""
    return row.result.late.days if row.result.late else 0


def settled(row: Row) -> bool:
    """Whether there are points to enter: the submission was graded, or a person gave points."""
    given = any(part.override for exercise in row.result.exercises for part in exercise.parts)
    return row.result.status == Status.GRADED or given


def _exercises(outline: Outline) -> tuple[str, ...]:
    return tuple(dict.fromkeys(column.exercise for column in outline.columns))


def wide_header(outline: Outline) -> list[str]:
    """The names of the columns of the table with one line a student."""
    return [
        "student", "name", "email", "section", "status",
        *(f"{column.exercise}/{column.part}" for column in outline.columns), *_exercises(outline),
        "late_days", "penalty", "total", "max",
    ]  # fmt: skip


def wide(row: Row, outline: Outline) -> list[Cell]:
    """One student's line in that table. Without anything graded, parts and exercises are empty and the total is 0."""
    points = [part.points if part else None for part in parts(row, outline)]
    sums: dict[str, int | None] = dict.fromkeys(_exercises(outline))
    for column, earned in zip(outline.columns, points, strict=True):
        if earned is not None:
            sums[column.exercise] = (sums[column.exercise] or 0) + earned
    who = row.student
    return [
        who.id, who.name, who.email, who.section, str(row.result.status), *points, *sums.values(),
        late_days(row), penalty(row), total(row), outline.max_points,
    ]  # fmt: skip


def long(row: Row, outline: Outline) -> Iterator[tuple[Cell, ...]]:
    """One student's lines in the table with one line a part, in the order of `LONG`."""
    who = row.student
    head = (who.id, who.name, who.email, who.section, str(row.result.status))
    tail = (late_days(row), penalty(row), total(row), outline.max_points)
    for column, part in zip(outline.columns, parts(row, outline), strict=True):
        yield (*head, column.exercise, column.part, column.title, *_answer(column, part), *tail)


def _answer(column: Column, part: PartResult | None) -> tuple[Cell, ...]:
    if part is None:
        return (None, None, column.max_points, "", None, (), (), None, False, None)
    return (
        str(part.verdict) if part.verdict else None, part.points, part.max_points, part.response, part.read_as,
        part.mistakes, part.alternatives, part.follow_through, part.override is not None,
        part.override.before if part.override else None,
    )  # fmt: skip

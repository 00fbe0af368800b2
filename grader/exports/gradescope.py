"""Gradescope's results.json: one for a single row, unless a zip was asked for; for several a zip with one in a folder
for each submission.

`score` is the total, whatever the tests add up to before a penalty. Each part is a test with the number `1.2`, its
points, the feedback in Markdown and the ids of the mistakes as tags, so that Gradescope can count them. What must be
mended comes first, then what awaits a person, then the rest in the course's order. What a person must decide has no
score, and every part has its `max_score`, so that they add up to what the assignment is worth. What was not graded has
a failed test in front that says why. There is no leaderboard.

The texts are those that `options.view` leaves. One hidden test hides the total from students. So where the view hides
the points, each part is there twice: a visible test without a score, which tells how the answer was read, and the one
with the points, which `Later` says when to show.

A folder in the zip is the submission's own (`submission_900001`) where the source names one, else a number and the
student's id.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from grader.exports.figures import late_days, parts, penalty, total
from grader.exports.options import Options
from grader.exports.output import one_or_zip, strict_json, student_folder
from grader.exports.words import STATUS, code, explained
from grader.gradebook import Column, Outline, Row, Student
from grader.results import PartResult, Result, Status, Verdict
from grader.values import frozen

ending = ".zip"
needs_template = False

_OURS = (Status.FAILED, Status.DUPLICATE)  # where a person must look, and nobody has earned 0 points
_FIRST = (Verdict.INVALID, Verdict.UNDECIDED)
Test = dict[str, Any]


@frozen
class Later:
    """When points that a student may not see yet are shown ("hidden": never, "after_due_date", "after_published"), and
    what may be seen of the result then; without a view no more than now."""

    visibility: str = "hidden"
    view: Callable[[Result], Result] | None = None


def export(rows: Iterable[Row], outline: Outline, options: Options) -> Iterator[bytes]:
    """The JSON of a single row, or the zip, a submission at a time."""
    return one_or_zip(
        rows,
        lambda row: strict_json(results(row, outline, options), indent=1) + b"\n",
        lambda row, number: f"{_folder(row, number)}/results.json",
        archive=options.archive,
    )


def results(row: Row, outline: Outline, options: Options, later: Later = Later()) -> dict[str, Any]:  # noqa: B008
    """What results.json says of one submission."""
    true = parts(row, outline)  # refuses points that don't add up
    seen = options.seen(row.result)
    now = _parts(seen, outline)
    scored = partial(_scored, outline, true, row.result.status in _OURS)
    if seen.points is not None:
        tests = _sorted(scored(now, "visible"), now)
    else:
        view = later.view or options.seen
        received = _sorted(_received(outline, now), now) if seen.exercises else []
        tests = received + _sorted(scored(_parts(view(row.result), outline), later.visibility), true)
    return {
        "score": total(row),
        "output": _output(seen),
        "output_format": "md",
        "test_output_format": "md",
        "test_name_format": "text",
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "extra_data": {"student": row.student.id, "status": str(row.result.status), **outline.run},
        "tests": _notices(row, "visible" if seen.points is not None else later.visibility) + tests,
    }


def failed(outline: Outline, message: str) -> dict[str, Any]:
    """What results.json says where we failed: no part has a score."""
    result = Result(student="", source="", status=Status.FAILED, max_points=outline.max_points, message=message)
    return results(Row(student=Student(id=""), result=result), outline, Options())


def _parts(result: Result, outline: Outline) -> list[PartResult | None]:
    """The parts in the order of the outline's columns; None where nothing was graded."""
    found = {(exercise.id, part.id): part for exercise in result.exercises for part in exercise.parts}
    return [found.get((column.exercise, column.part)) for column in outline.columns]


def _sorted(tests: Sequence[Test], told: Sequence[PartResult | None]) -> list[Test]:
    """The tests with those in front that say what to mend, then those that await a person, by what is told of them."""
    places = [_FIRST.index(part.verdict) if part and part.verdict in _FIRST else len(_FIRST) for part in told]
    return [test for _, test in sorted(zip(places, tests, strict=True), key=lambda pair: pair[0])]


def _output(seen: Result) -> str:
    """What is said of the submission as a whole."""
    verdicts = [part.verdict for exercise in seen.exercises for part in exercise.parts]
    unread, undecided = (verdicts.count(verdict) for verdict in _FIRST)
    lines = [] if seen.status == Status.GRADED else [STATUS[seen.status]]
    lines += [f"Answers that could not be read: {unread}. They stand first."] if unread else []
    lines += [f"Answers that await a person: {undecided}."] if undecided else []
    return "\n\n".join([*lines, *filter(None, map(code, seen.remarks))])


def _notices(row: Row, visibility: str) -> list[Test]:
    """What is said before the parts: why nothing was graded, and what being late cost. Neither has a score."""
    found: list[Test] = []
    if row.result.status != Status.GRADED:
        why = code(row.result.message) or STATUS[row.result.status]
        found.append({"name": "Answers could be graded", "status": "failed", "output": why, "visibility": "visible"})
    if penalty(row):
        days = late_days(row)
        cost = f"-{penalty(row)} points for being {days} {'day' if days == 1 else 'days'} late; the total has it"
        found.append({"name": "Late", "output": cost, "visibility": visibility})
    return found


def _received(outline: Outline, seen: Sequence[PartResult | None]) -> list[Test]:
    """A test without points for each part: how the answer was read."""
    return [
        {**naming, "output": explained(part) if part else "", "output_format": "md", "visibility": "visible"}
        for naming, part in zip(_namings(outline), seen, strict=True)
    ]


def _scored(
    outline: Outline,
    true: Sequence[PartResult | None],
    ours: bool,
    seen: Sequence[PartResult | None],
    visibility: str,
) -> list[Test]:
    """The test with the points of each part; `ours` says that nothing was graded and a person must look."""
    return [
        {
            **naming,
            **(_blank(column, ours) if part is None or told is None else _test(part, told)),
            "visibility": visibility,
        }
        for column, naming, part, told in zip(outline.columns, _namings(outline), true, seen, strict=True)
    ]


def _blank(column: Column, ours: bool) -> Test:
    """A part of what was not graded."""
    earned = {} if ours else {"score": 0, "status": "failed"}
    return {**earned, "max_score": column.max_points, "output": "", "tags": []}


def _test(true: PartResult, seen: PartResult) -> Test:
    test: Test = {
        "max_score": true.max_points,
        "output": explained(seen),
        "output_format": "md",
        "tags": list(seen.mistakes),
        "extra_data": {"verdict": str(seen.verdict) if seen.verdict else None},
    }
    if (true.verdict is not None and true.verdict is not Verdict.UNDECIDED) or true.override or true.points:
        test |= {"score": true.points, "status": "passed" if true.points == true.max_points else "failed"}
    return test


def _namings(outline: Outline) -> Iterator[Mapping[str, str]]:
    exercises = list(dict.fromkeys(column.exercise for column in outline.columns))
    counts = dict.fromkeys(exercises, 0)
    for column in outline.columns:
        counts[column.exercise] += 1
        number = f"{exercises.index(column.exercise) + 1}.{counts[column.exercise]}"
        yield {"number": number, "name": column.title or f"{column.exercise} {column.part}"}


def _folder(row: Row, number: int) -> str:
    own = re.search(r"(?:^|[/\\])(submission_\d+)(?=[/\\]|$)", row.result.source)
    return own[1] if own else student_folder(row, number)

"""The result of GitHub Classroom's graders, which its reporter and its successors read: one JSON object.

The reporter shows two scores, one from how many tests passed and one from their points. They agree where each test is
worth one point, so a part of four points is four tests, of which as many pass as the answer earned. Points are the
total: what being late costs is taken from the last tests that passed. Where the points are hidden, `max_score` is 0,
which the reporter leaves out. What was not graded has one test that says why, `error` only for a failure of ours.

One file for a single row; for several a zip with one in a folder for each student.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any

from grader.exports.figures import parts, total
from grader.exports.options import Options
from grader.exports.output import one_or_zip, strict_json, student_folder
from grader.exports.words import STATUS, reason
from grader.gradebook import Column, Outline, Row
from grader.reports.markup import terminal
from grader.results import PartResult, Status, Verdict

ending = ".zip"
needs_template = False

VERSION = 1
_LONGEST = 200  # characters of a name or a message, which the reporter prints on one line

Test = dict[str, Any]


def export(rows: Iterable[Row], outline: Outline, options: Options) -> Iterator[bytes]:
    """The JSON of a single row, or the zip, a submission at a time."""
    return one_or_zip(
        rows,
        lambda row: strict_json(results(row, outline, options), indent=1) + b"\n",
        lambda row, number: f"{student_folder(row, number)}/result.json",
        archive=options.archive,
    )


def results(row: Row, outline: Outline, options: Options, status: str = "") -> dict[str, Any]:
    """What the result says of one submission; `status` pass, fail or error is all points or not unless it is given."""
    seen = options.seen(row.result)
    if row.result.status != Status.GRADED:
        ours = row.result.status == Status.FAILED
        why = seen.message or STATUS[row.result.status]
        tests = [_test("Answers could be graded", "error" if ours else "fail", message=why)]
        most = 0 if seen.points is None else outline.max_points
        return _whole(status or ("error" if ours else "fail"), most, tests, row)
    shown = {(exercise.id, part.id): part for exercise in seen.exercises for part in exercise.parts}
    if seen.points is None:
        tests = [_received(shown[c.exercise, c.part], c) for c in outline.columns if (c.exercise, c.part) in shown]
        found = "fail" if any(test["status"] == "fail" for test in tests) else "pass"
        return _whole(status or found, 0, tests, row)
    tests = []
    for column, true in zip(outline.columns, parts(row, outline), strict=True):
        if true is not None:
            tests += _units(true, shown[column.exercise, column.part], column)
    _settle(tests, total(row))
    found = "pass" if total(row) >= len(tests) else "fail"
    return _whole(status or found, len(tests), tests, row)


def _whole(status: str, most: int, tests: list[Test], row: Row) -> dict[str, Any]:
    """The object; there is always a test, since the reporter divides by how many there are."""
    if not tests:
        tests = [_test("Nothing is asked", status)]
    file = _line(re.split(r"[/\\]", row.result.source)[-1])
    return {
        "version": VERSION,
        "status": status,
        "max_score": most,
        "tests": [{**test, "test_code": "", "filename": file, "line_no": 0} for test in tests],
    }


def _units(true: PartResult, seen: PartResult, column: Column) -> Iterator[Test]:
    """A test for each point of a part; the first that fails says why."""
    earned = min(max(true.points or 0, 0), column.max_points)
    why = "a person must look" if true.verdict is Verdict.UNDECIDED else reason(seen)
    for point in range(1, column.max_points + 1):
        name = _name(column) + (f" ({point}/{column.max_points})" if column.max_points > 1 else "")
        if point <= earned:
            yield _test(name, "pass", score=1)
        else:
            yield _test(name, "fail", message=why if point == earned + 1 else "")


def _settle(tests: list[Test], points: int) -> None:
    """Take what being late cost from the last tests that passed."""
    passed = [test for test in tests if test["score"]]
    for test in passed[max(points, 0) :]:
        test.update(status="fail", score=0, message="taken off for being late")


def _received(part: PartResult, column: Column) -> Test:
    """A part of which no verdict is told: it passes unless it could not be read."""
    if part.verdict is Verdict.INVALID:
        return _test(_name(column), "fail", message=part.message)
    return _test(_name(column), "pass", message="no answer yet" if part.verdict is Verdict.MISSING else "")


def _test(name: str, status: str, *, score: int = 0, message: str = "") -> Test:
    return {"name": name, "status": status, "score": score, "message": _line(message) or None}


def _name(column: Column) -> str:
    return _line(f"{column.exercise} {column.title or column.part}")


def _line(text: str) -> str:
    """A text that may be printed into a log: one line, not long, and no command."""
    return terminal(text[:_LONGEST])

"""Classroom 50's result.json (`classroom50/result/v1`): a test for each part, integer points.

It names the submission that it is of, which only the job that grades it knows: `grader ci` writes it, and a store
can't be exported to it. `score` is the sum of the parts: Classroom 50 tells lateness itself. Where the points are
hidden, all of them are 0 of 0. The extra keys `verdict`, `message` and `mistake` of a test say what its student may
see.
"""

from typing import Any

from grader.exports.figures import parts
from grader.exports.options import Options
from grader.exports.words import STATUS, reason
from grader.gradebook import Column, Outline, Row
from grader.reports.markup import terminal
from grader.results import PartResult, Status, Verdict
from grader.values import frozen

SCHEMA = "classroom50/result/v1"
_LONGEST_NAME = 100
_LONGEST_MESSAGE = 1000

Test = dict[str, Any]


@frozen(kw_only=True)
class Handed:
    """Which submission it is: the tag, the addresses of the commit, the release and the review, and the committer's
    date and when it was graded, in UTC to the second (`2026-10-02T09:14:41Z`)."""

    classroom: str
    assignment: str
    assignment_type: str
    owner: str
    submission: str
    commit: str
    release: str
    review: str
    datetime: str
    graded_at: str


def results(row: Row, outline: Outline, options: Options, handed: Handed) -> dict[str, Any]:
    """What result.json says of one submission."""
    tests = _tests(row, outline, options)
    return {
        "schema": SCHEMA,
        "classroom": handed.classroom,
        "assignment": handed.assignment,
        "assignment_type": handed.assignment_type,
        "owner": handed.owner,
        "submission": handed.submission,
        "commit": handed.commit,
        "release": handed.release,
        "review": handed.review,
        "datetime": handed.datetime,
        "graded_at": handed.graded_at,
        "score": sum(test["score"] for test in tests),
        "max-score": sum(test["max-score"] for test in tests),
        "tests": tests,
    }


def _tests(row: Row, outline: Outline, options: Options) -> list[Test]:
    seen = options.seen(row.result)
    if row.result.status != Status.GRADED:
        why = seen.message or STATUS[row.result.status]
        verdict = str(row.result.status)
        most = 0 if seen.points is None else outline.max_points
        return [_test("Answers could be graded", False, (0, most), {"verdict": verdict, "message": why})]
    shown = {(exercise.id, part.id): part for exercise in seen.exercises for part in exercise.parts}
    if seen.points is None:
        hidden = [(c, shown[c.exercise, c.part]) for c in outline.columns if (c.exercise, c.part) in shown]
        return [_test(_name(c), p.verdict is not Verdict.INVALID, (0, 0), _said(p)) for c, p in hidden]
    found = zip(outline.columns, parts(row, outline), strict=True)
    return [_scored(column, part, shown[column.exercise, column.part]) for column, part in found if part is not None]


def _scored(column: Column, part: PartResult, seen: PartResult) -> Test:
    return _test(_name(column), _full(part), (part.points or 0, column.max_points), _said(seen))


def _full(part: PartResult) -> bool:
    """Whether a part has all its points; one without points to get, whether it is right."""
    return part.points == part.max_points if part.max_points else part.verdict is Verdict.CORRECT


def _said(part: PartResult) -> dict[str, str]:
    mistakes = "+".join(part.mistakes)
    return {
        "verdict": str(part.verdict or "received"),
        "message": reason(part),
        **({"mistake": mistakes} if mistakes else {}),
    }


def _test(name: str, passed: bool, points: tuple[int, int], said: dict[str, str]) -> Test:
    shown = {key: str(terminal(text[:_LONGEST_MESSAGE])) for key, text in said.items() if text}
    return {"test-name": name, "passed": passed, "score": points[0], "max-score": points[1], **shown}


def _name(column: Column) -> str:
    return terminal(f"{column.exercise} {column.title or column.part}"[:_LONGEST_NAME])

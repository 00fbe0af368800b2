"""Gradescope's results.json: one for a single row, unless a zip was asked for; for several a zip with one in a folder
for each submission.

`score` is the total, whatever the tests add up to before a penalty. Each part is a test with the number `1.2`, its
points, the feedback in Markdown and the ids of the mistakes as tags, so that Gradescope can count them. A part that
nobody has decided yet is shown without a score. The texts are those that `options.view` leaves; where it hides the
points, everything is hidden from the student. What was not graded has one failed test that says why.

A folder in the zip is the submission's own (`submission_900001`) where the source names one, else a number and the
student's id.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any
from zipfile import ZipFile

from grader.exports.figures import late_days, parts, penalty, total
from grader.exports.options import Options
from grader.exports.output import Pieces, member, strict_json
from grader.exports.words import STATUS, code, explained
from grader.gradebook import Outline, Row
from grader.results import PartResult, Status, Verdict

ending = ".zip"
needs_template = False


def export(rows: Iterable[Row], outline: Outline, options: Options) -> Iterator[bytes]:
    """The JSON of a single row, or the zip, a submission at a time."""
    rest = iter(rows)
    first, second = next(rest, None), next(rest, None)
    if first is not None and second is None and not options.archive:
        yield strict_json(results(first, outline, options), indent=1) + b"\n"
        return
    pieces = Pieces()
    with ZipFile(pieces, "w") as archive:
        begun = (row for row in (first, second) if row is not None)
        for number, row in enumerate(chain(begun, rest), 1):
            content = strict_json(results(row, outline, options), indent=1) + b"\n"
            archive.writestr(member(f"{_folder(row, number)}/results.json"), content)
            yield pieces.take()
    yield pieces.take()


def results(row: Row, outline: Outline, options: Options) -> dict[str, Any]:
    """What results.json says of one submission."""
    parts(row, outline)  # refuses points that don't add up
    seen = options.seen(row.result)
    visibility = "hidden" if seen.points is None else "visible"
    shown = {(exercise.id, part.id): part for exercise in seen.exercises for part in exercise.parts}
    tests = _notices(row, visibility) + [
        {**_test(true, shown[column.exercise, column.part]), **naming, "visibility": visibility}
        for column, naming, true in zip(outline.columns, _namings(outline), parts(row, outline), strict=True)
        if true is not None
    ]
    return {
        "score": total(row),
        "output": "" if row.result.status == Status.GRADED else STATUS[row.result.status],
        "output_format": "text",
        "test_output_format": "md",
        "test_name_format": "text",
        "visibility": visibility,
        "stdout_visibility": "hidden",
        "extra_data": {"student": row.student.id, "status": str(row.result.status), **outline.run},
        "tests": tests,
    }


def _notices(row: Row, visibility: str) -> list[dict[str, Any]]:
    """What is said before the parts: why nothing was graded, and what being late cost. Neither has a score."""
    found: list[dict[str, Any]] = []
    if row.result.status != Status.GRADED:
        why = code(row.result.message) if row.result.message else STATUS[row.result.status]
        found.append({"name": "Answers could be graded", "status": "failed", "output": why, "visibility": visibility})
    if penalty(row):
        days = late_days(row)
        cost = f"-{penalty(row)} points for being {days} {'day' if days == 1 else 'days'} late; the total has it"
        found.append({"name": "Late", "output": cost, "visibility": visibility})
    return found


def _test(true: PartResult, seen: PartResult) -> dict[str, Any]:
    test: dict[str, Any] = {
        "output": explained(seen),
        "output_format": "md",
        "tags": list(seen.mistakes),
        "extra_data": {"verdict": str(seen.verdict) if seen.verdict else None},
    }
    if (true.verdict is not None and true.verdict is not Verdict.UNDECIDED) or true.override or true.points:
        full = true.points == true.max_points
        test |= {"score": true.points, "max_score": true.max_points, "status": "passed" if full else "failed"}
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
    plain = re.sub(r"[^A-Za-z0-9-]+", "-", row.student.id)[:40].strip("-")
    return own[1] if own else f"{number:06d}-{plain}".rstrip("-")

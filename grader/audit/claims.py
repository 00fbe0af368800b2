"""Results that a repository, or what collects from it, claims: of Classroom 50, GitHub Classroom, or one CI step.

Whoever can push can write any of them, so they are read as texts that may hold anything.
"""

import base64
import binascii
import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

from grader.errors import GraderError, SubmissionError
from grader.files import read_text, shown
from grader.values import frozen

RESULT = "result.json"  # of Classroom 50, in a clone
_LIMIT = 16 << 20
_COMMIT = re.compile(r"https?://[^/\s]+/([^/\s]+/[^/\s]+)/commit/([0-9a-f]{7,64})", re.ASCII)
_LONGEST = 200

Data = Mapping[str, Any]


@frozen(kw_only=True)
class Claim:
    """A result that somebody claims for a student: where it stands, points of how many.

    `tests` are points and most points of each test. `repository`, `commit` and `tag` are what the result itself says
    that it is of; empty where it doesn't.
    """

    student: str
    source: str
    points: Fraction
    max_points: Fraction
    tests: tuple[tuple[Fraction, Fraction], ...] = ()
    owner: str = ""
    repository: str = ""
    commit: str = ""
    tag: str = ""
    when: str = ""


def in_clone(folder: Path, student: str) -> Claim | None:
    """The result.json of a clone; None without one. SubmissionError if it is no result."""
    path = folder / RESULT
    if not path.is_symlink() and not path.exists():
        return None
    claim = _result(_json(path, f"{shown(folder.name)}/{RESULT}"), RESULT, student)
    if claim is None:
        raise SubmissionError(RESULT, "this is no result of Classroom 50")
    return claim


def in_file(path: Path, assignment: str = "") -> list[Claim]:
    """The claims of a scores.csv, scores.json, grades.csv, or a result of one student (named by the file).

    The latest counts of several for one student. GraderError if it is none of these, or holds several assignments of
    which none is named.
    """
    name = shown(str(path))
    if path.suffix.lower() == ".csv":
        found = list(_rows(read_text(path, name, _LIMIT), name))
    else:
        data = _decoded(read_text(path, name, _LIMIT), name)
        student = path.stem if path.stem.lower() not in ("result", "results") else path.resolve().parent.name
        found = list(_scores(data, name, assignment)) if "assignments" in data else [_single(data, name, student)]
    if not found:
        raise GraderError(f"{name}: no result is in this file")
    latest: dict[str, Claim] = {}
    for claim in sorted(found, key=lambda claim: claim.when):
        latest[claim.student] = claim
    return list(latest.values())


def _single(data: Data, name: str, student: str) -> Claim:
    claim = _result(data, name, student) or _step(data, name, student)
    if claim is None:
        raise GraderError(f"{name}: neither scores.csv, scores.json, grades.csv nor a result")
    return claim


def _result(data: Data, source: str, student: str) -> Claim | None:
    """A `classroom50/result/v1`."""
    points, most = _number(data.get("score")), _number(data.get("max-score"))
    if points is None or most is None:
        return None
    where = _COMMIT.fullmatch(str(data.get("commit", "")))
    return Claim(
        student=student or str(data.get("owner", "")),
        source=source,
        points=points,
        max_points=most,
        tests=tuple(_tests(data.get("tests"))),
        owner=str(data.get("owner", ""))[:_LONGEST],
        repository=where[1] if where else "",
        commit=where[2] if where else "",
        tag=str(data.get("submission", ""))[:_LONGEST],
        when=str(data.get("datetime", "")),
    )


def _tests(tests: Any) -> Iterator[tuple[Fraction, Fraction]]:
    for test in tests if isinstance(tests, list) else ():
        if isinstance(test, Mapping):
            points, most = _number(test.get("score")), _number(test.get("max-score"))
            if points is not None and most is not None:
                yield points, most


def _step(data: Data, source: str, student: str) -> Claim | None:
    """The `result` of a step of GitHub Classroom: its tests' scores, of `max_score`."""
    most, tests = _number(data.get("max_score")), data.get("tests")
    if most is None or not isinstance(tests, list):
        return None
    scores = [_number(test.get("score")) for test in tests if isinstance(test, Mapping)]
    points = sum((score for score in scores if score is not None), Fraction(0))
    return Claim(student=student, source=source, points=points, max_points=most)


def _scores(data: Data, name: str, assignment: str) -> Iterator[Claim]:
    """The results in the scores.json of a classroom."""
    found = data["assignments"] if isinstance(data["assignments"], Mapping) else {}
    if not assignment and len(found) > 1:
        raise GraderError(f"{name}: which of its assignments? --assignment {' or '.join(map(shown, found))}")
    if assignment and assignment not in found:
        raise GraderError(f"{name}: there is no assignment {assignment}")
    for entry in _list(found[assignment or next(iter(found))], "entries") if found else ():
        for submission in _list(entry, "submissions"):
            claim = _result(submission, name, str(entry.get("owner", "")))
            if claim is not None:
                yield claim


def _list(data: Any, name: str) -> Iterable[Data]:
    items = data.get(name) if isinstance(data, Mapping) else None
    return [item for item in items if isinstance(item, Mapping)] if isinstance(items, list) else []


def _rows(text: str, name: str) -> Iterator[Claim]:
    """The rows of Classroom 50's scores.csv or GitHub Classroom's grades.csv that have points."""
    columns = (("username", "score", "max_score", "datetime"),
               ("github_username", "points_awarded", "points_available", "submission_timestamp"))  # fmt: skip
    try:
        for row in csv.DictReader(io.StringIO(text, newline="")):  # a name may hold what Unicode takes for a line's end
            for student, points, most, when in columns:
                have, whole = _number(row.get(points)), _number(row.get(most))
                if row.get(student) and have is not None and whole is not None:
                    yield Claim(
                        student=row[student].lstrip("'"),
                        source=name,
                        points=have,
                        max_points=whole,
                        tag=row.get("submission_tag") or "",
                        when=row.get(when) or "",
                    )
    except csv.Error:
        raise GraderError(f"{name}: this table can't be read") from None


def _number(value: Any) -> Fraction | None:
    """A number in JSON or in a cell; nothing that would take long to write down."""
    text = str(value).strip()
    if isinstance(value, bool) or not re.fullmatch(r"\d{1,9}(\.\d{1,20})?", text, re.ASCII):
        return None
    return Fraction(text)


def _json(path: Path, name: str) -> Data:
    return _decoded(read_text(path, name, _LIMIT), name)


def _decoded(text: str, name: str) -> Data:
    """An object in JSON, or in JSON in base64, as steps hand it on."""
    text = text.strip()
    try:
        if not text.startswith("{"):
            text = base64.b64decode("".join(text.split()), validate=True).decode()
        data = json.loads(text)
    except (ValueError, binascii.Error, RecursionError):
        data = None
    if not isinstance(data, Mapping):
        raise SubmissionError(name, "this is no result: JSON, or JSON in base64, is expected")
    return data

"""What runs in the autograder: one submission is graded and results.json written, whatever happens.

Everything follows from what lies under the root: the submission, Gradescope's metadata, the compiled course. Nothing in
the student's folder is run or imported, and the clock is not asked.
"""

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import Any

import grader
from grader.batch import grade_found
from grader.course import LoadedCourse, digests, outline, unpack
from grader.exports.gradescope import failed, results
from grader.exports.options import Options
from grader.exports.output import strict_json
from grader.gradebook import Outline, Row, Student
from grader.gradescope.handed_in import extended, handed_in
from grader.gradescope.metadata import METADATA, Metadata, read_metadata
from grader.gradescope.visibility import shown
from grader.reports.files import write_bytes
from grader.results import Result, Status
from grader.reveal import student_view
from grader.sources.candidate import Candidate

COURSE = "course.json"
SECRET = "secret"  # noqa: S105 - the name of the file that holds it
FAILED = (
    "The autograder could not finish. This is no mistake of yours, and what you handed in is kept: your instructor can "
    "run it again."
)
_NO_COURSE = Outline(course="", title="", columns=())


def run(root: Path) -> tuple[str, ...]:
    """Grade what is in `root`/submission and write `root`/results/results.json; gives what the instructor is told.

    It is written as an error first, so that it is there whatever becomes of this process. OSError only where not even
    that can be written.
    """
    started = perf_counter()
    place = root / "results" / "results.json"
    place.parent.mkdir(parents=True, exist_ok=True)
    _write(place, failed(_NO_COURSE, FAILED))
    try:
        loaded = _course(root / "source")
        _write(place, failed(outline(loaded.course), FAILED))  # with all parts, which add up to what it is worth
        data, told = _graded(root, loaded)
        _write(place, {**data, "execution_time": round(perf_counter() - started, 3)})
    except Exception as error:
        if os.environ.get("GRADER_DEBUG"):
            raise
        return (f"not graded: {type(error).__name__}: {error}",)
    return told


def error_json(loaded: LoadedCourse) -> bytes:
    """The results.json that stands where nothing better comes."""
    return _json(failed(outline(loaded.course), FAILED))


def _write(place: Path, data: Mapping[str, Any]) -> None:
    write_bytes(place, (_json(data),))


def _json(data: Mapping[str, Any]) -> bytes:
    return strict_json(data, indent=1) + b"\n"


def _course(source: Path) -> LoadedCourse:
    secret = source / SECRET
    data = json.loads((source / COURSE).read_bytes())
    return unpack(data, secret.read_bytes() if secret.exists() else b"", source)


def _graded(root: Path, loaded: LoadedCourse) -> tuple[dict[str, Any], tuple[str, ...]]:
    metadata = read_metadata(root / METADATA)
    candidate = handed_in(root, metadata)
    level = shown(loaded.course, metadata.created, metadata.due)
    policy = extended(loaded.course.policy, candidate.key, metadata.people)
    ruled = replace(loaded, course=replace(loaded.course, policy=policy))
    (result,) = grade_found([candidate], ruled, reveal=level.most).results
    notes = tuple(_notes(result, loaded, metadata))
    data = results(
        Row(student=Student(id=result.student, name=result.name), result=result),
        replace(outline(loaded.course), run=_known(loaded, candidate)),
        Options(view=lambda result: student_view(result, level.now)),
        level.later,
    )
    extra = {**data["extra_data"], "submitted_at": metadata.created, "notes": notes}
    return {**data, "extra_data": extra}, (_summary(result), *(f"note: {note}" for note in notes))


def _known(loaded: LoadedCourse, candidate: Candidate) -> dict[str, str]:
    """By what a result can be made again: version and digests."""
    spec, key = digests(loaded)
    return {
        "course": loaded.course.id,
        "grader_version": grader.__version__,
        "spec_sha256": spec,
        "key_sha256": key,
        "answers_sha256": candidate.bundle().digest,
    }


def _notes(result: Result, loaded: LoadedCourse, metadata: Metadata) -> Iterator[str]:
    yield from metadata.notes
    yield from result.flags
    most = outline(loaded.course).max_points
    if metadata.points is not None and metadata.points != most:
        yield f"the assignment is worth {metadata.points} points on Gradescope, the course {most}: set it to {most}"


def _summary(result: Result) -> str:
    if result.status != Status.GRADED:
        return f"{result.student}: {result.status}: {result.message}"
    return f"{result.student}: {result.points} of {result.max_points} points"

"""Grading many submissions: one result each, whatever happens to the others."""

from collections.abc import Callable, Iterable
from pathlib import Path

import grader
from grader.course import LoadedCourse, load_course, require_secret
from grader.errors import GraderError, SubmissionError
from grader.grading import Grader
from grader.reports.markup import terminal
from grader.results import Gradebook, PartResult, Result, Reveal, Status, Verdict
from grader.sources.folder import find, load, mark_duplicates
from grader.submission import Submission
from grader.values import frozen


def grade(
    paths: Iterable[str | Path],
    course: LoadedCourse | str | Path | None = None,
    *,
    reveal: Reveal = Reveal.MISTAKE,
    progress: Callable[[int, int], None] | None = None,
) -> Gradebook:
    """The results of all submissions found under `paths` (files or folders), sorted by student.

    `course` is a loaded course or the folder of its course.yaml; the packaged course without one. Only with `reveal`
    full do the results carry the solutions. `progress` is told how many of how many are done. SpecError if the course
    is wrong; one bad submission never stops the others.
    """
    loaded = course if isinstance(course, LoadedCourse) else load_course(course)
    require_secret(loaded.course)
    grading = Grader(loaded.keyring, reveal)
    submissions = mark_duplicates([load(candidate) for candidate in find([Path(path) for path in paths])])
    results = []
    for number, submission in enumerate(submissions, 1):
        results.append(_graded(grading, submission))
        if progress is not None:
            progress(number, len(submissions))
    return Gradebook(
        course=loaded.course.id, title=loaded.course.title, grader=grader.__version__, results=tuple(results)
    )


def _graded(grading: Grader, submission: Submission) -> Result:
    try:
        return grading.grade(submission)
    except (Exception, RecursionError, MemoryError) as error:
        return Result(
            student=submission.student,
            source=submission.source,
            status=Status.FAILED,
            message=f"the grader failed on this submission ({type(error).__name__}); a person must look",
        )


@frozen
class ReadBack:
    """How the answers of a file are read: lines to print, and whether all of them could be read."""

    lines: tuple[str, ...]
    readable: bool


def read_back(path: Path, course: str | Path | None = None) -> ReadBack:
    """How each answer of a file is read, with every problem of form, unit or symbol; no verdict."""
    loaded = load_course(course)
    require_secret(loaded.course)
    grading = Grader(loaded.keyring)
    candidates = find([path])
    if len(candidates) != 1:
        raise SubmissionError(str(path), "name one answer file, or the folder of one submission")
    submission = load(candidates[0])
    if submission.status != Status.GRADED:
        source, name = submission.source, Path(submission.source).name
        rest = submission.message.removeprefix(name)  # most messages begin with the file's name and the line
        raise GraderError(source + rest if rest != submission.message else f"{source}: {submission.message}")
    responses, remarks = grading.matched(submission)
    lines: list[str] = []
    readable = not remarks
    for exercise in loaded.course.exercises:
        for marker in grading.markers(exercise, submission.student):
            response = responses.get((exercise.id, marker.part.id))
            if response is not None:
                part = marker.read(response, submission.attachments)
                readable = readable and part.verdict != Verdict.INVALID
                lines += _shown(exercise.id, part)
    return ReadBack((*lines, *map(terminal, (*submission.remarks, *remarks))), readable)


def _shown(exercise: str, part: PartResult) -> list[str]:
    """The lines on one answer."""
    place = f"{exercise} {part.id}" + (f" (line {part.line})" if part.line else "")
    if part.verdict == Verdict.MISSING:
        return [f"{place}: no answer yet"]
    if part.verdict == Verdict.INVALID:
        caret = [f"    {terminal(part.response)}"]
        if part.position is not None:
            caret.append("    " + " " * len(terminal(part.response[: part.position])) + "^")
        return [f"{place}: can't be read: {terminal(part.message)}", *caret]
    return [f"{place}: {part.read_as}", *(f"    note: {remark}" for remark in map(terminal, part.remarks))]

"""Grading many submissions: one result each, whatever happens to the others. Here in this process, a few at a time."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path

import grader
from grader.course import LoadedCourse, chosen, load_course, outline, require_keys, require_secret
from grader.errors import GraderError, SubmissionError
from grader.grading import Grader, fault, without_others
from grader.policy import Attempt, settle
from grader.reports.markup import terminal
from grader.results import Gradebook, PartResult, Result, Reveal, Status, Verdict
from grader.sources.candidate import Candidate
from grader.sources.finding import find
from grader.submission import Submission, read_bundle
from grader.values import frozen


def grade(
    paths: Iterable[str | Path],
    course: LoadedCourse | str | Path | None = None,
    *,
    reveal: Reveal = Reveal.MISTAKE,
    progress: Callable[[int, int], None] | None = None,
) -> Gradebook:
    """The results of all submissions found under `paths` (files, folders, archives), sorted by student.

    `course` is a loaded course or the folder of its course.yaml; the packaged course without one. Only with `reveal`
    full do the results carry the solutions. `progress` is told how many of how many are done. SpecError if the course
    is wrong; one bad submission never stops the others.
    """
    loaded = course if isinstance(course, LoadedCourse) else load_course(course)
    require_secret(loaded.course)
    return grade_found(list(find(paths)), loaded, reveal=reveal, progress=progress)


def grade_found(
    candidates: Sequence[Candidate],
    loaded: LoadedCourse,
    *,
    reveal: Reveal = Reveal.MISTAKE,
    progress: Callable[[int, int], None] | None = None,
) -> Gradebook:
    """The same for candidates that were found already, against a course whose secret is there."""
    require_keys(loaded)
    grading = Grader(loaded.keyring, reveal)
    attempts = []
    for number, candidate in enumerate(candidates, 1):
        submission = read_bundle(candidate.bundle())
        attempts.append(_attempt(_graded(grading, submission), submission))
        if progress is not None:
            progress(number, len(candidates))
    return Gradebook(
        course=loaded.course.id,
        title=loaded.course.title,
        grader=grader.__version__,
        results=tuple(_settled(attempts, loaded)),
    )


def _graded(grading: Grader, submission: Submission) -> Result:
    try:
        return grading.grade(submission)
    except (Exception, RecursionError, MemoryError) as error:
        grading.forget()
        return Result(
            student=submission.student, source=submission.source, status=Status.FAILED, name=submission.name,
            max_points=grading.max_points, message=fault(type(error).__name__),
        )  # fmt: skip


def _attempt(result: Result, submission: Submission) -> Attempt:
    return Attempt(
        result=result,
        times=submission.times,
        number=submission.attempt,
        flagged_late=submission.late,
        digest=submission.digest,
    )


def _settled(attempts: Iterable[Attempt], loaded: LoadedCourse) -> Iterator[Result]:
    """The results after the course's rules, sorted by student and source."""
    ordered = sorted(attempts, key=lambda attempt: (attempt.result.student, attempt.result.source))
    for _, same in groupby(ordered, key=lambda attempt: attempt.result.student):
        yield from settle(list(same), loaded.course.policy, {}, outline=outline(loaded.course))


@frozen
class ReadBack:
    """How the answers of a file are read: lines to print, and whether all of them could be read."""

    lines: tuple[str, ...]
    readable: bool


def read_back(path: Path, course: LoadedCourse | str | Path | None = None, exercises: Iterable[str] = ()) -> ReadBack:
    """How each answer of a file is read, with every problem of form, unit or symbol; no verdict.

    The course may be a student edition. `exercises` names those to read; all of them without a name.
    """
    whole = course if isinstance(course, LoadedCourse) else load_course(course)
    loaded = chosen(whole, exercises)
    require_secret(loaded.course)
    grading = Grader(loaded.keyring)
    candidates = list(find([path]))
    if len(candidates) != 1:
        raise SubmissionError(str(path), "name one answer file, or the folder of one submission")
    submission = read_bundle(candidates[0].bundle())
    if submission.status != Status.GRADED:
        source, name = submission.source, Path(submission.source).name
        rest = submission.message.removeprefix(name)  # most messages begin with the file's name and the line
        raise GraderError(source + rest if rest != submission.message else f"{source}: {submission.message}")
    responses, remarks = grading.matched(without_others(submission, whole.course, loaded.course))
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
    if part.read_as is None:  # a failure of ours, of which the message tells
        return [f"{place}: {terminal(part.message)}"]
    return [f"{place}: {part.read_as}", *(f"    note: {remark}" for remark in map(terminal, part.remarks))]

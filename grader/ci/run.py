"""A job from its answers to what its platform is told, whatever happens in between."""

import os
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from grader.ci.finding import candidate
from grader.ci.handing import Job, hand_over, prepare, show
from grader.ci.outcome import Mark, Outcome, failed, graded
from grader.ci.platforms import Platform
from grader.errors import GraderError
from grader.files import shown
from grader.gradebook import Outline
from grader.results import Reveal
from grader.values import frozen

if TYPE_CHECKING:
    from grader.course import LoadedCourse
    from grader.submission import Submission

_NOT_GRADED = "grading did not run to its end, which is no fault of yours; a person must look"
_NOTHING = Outline(course="", title="", columns=())


@frozen(kw_only=True)
class Asked:
    """What to grade against what: the answer file or its folder, the folder of the course (the packaged one without),
    which of its exercises, how much to show (what the course says without), and which points are enough."""

    answers: Path
    course: str | None
    exercises: tuple[str, ...]
    reveal: Reveal | None
    reaches: Mark


def run(asked: Asked, job: Job) -> Outcome:
    """Grade, and tell the platform. Whatever stops that is told, too, as a failure of ours, and raised."""
    outcome = failed(_NOT_GRADED, _NOTHING)
    try:
        prepare(job, outcome)
        from grader.course import chosen, load_course, outline, require_secret

        whole = load_course(asked.course)
        require_secret(whole.course)
        loaded = chosen(whole, asked.exercises)
        job = replace(job, title=loaded.course.title)
        outcome = failed(_NOT_GRADED, outline(loaded.course))
        outcome = _graded(asked, job, whole, loaded)
        show(job, outcome)
    except BaseException as error:
        outcome = failed(_NOT_GRADED, outcome.outline)
        with suppress(Exception):  # the first failure is the one to tell
            show(job, outcome)
        if isinstance(error, Exception) and not isinstance(error, GraderError | OSError) and not _debugging(job):
            # its text may quote what a student must not see
            raise GraderError(f"internal error, please report it ({type(error).__name__})") from None
        raise
    finally:
        hand_over(job, outcome)
    return outcome


def refused(job: Job) -> None:
    """Tell the platform of a job whose command can't be run, as of any other failure of ours."""
    outcome = failed(_NOT_GRADED, _NOTHING)
    for tell in (prepare, show):
        with suppress(Exception):  # what is wrong with the command is the thing to tell
            tell(job, outcome)


def _debugging(job: Job) -> bool:
    return bool(job.variable("GRADER_DEBUG"))


def _graded(asked: Asked, job: Job, whole: "LoadedCourse", loaded: "LoadedCourse") -> Outcome:
    """What came of the answers; a failure on them alone is one of ours, and the job goes on."""
    from grader.course import outline, reveal_level
    from grader.grading import Grader, fault

    submission = _of_chosen(_handed_in(asked.answers, job), whole, loaded)
    if loaded.edition:
        from grader.ci.reading import read_only

        return read_only(submission, loaded)
    level = asked.reveal or reveal_level(loaded.course)
    try:
        result = Grader(loaded.keyring, level).grade(submission)
    except (Exception, RecursionError, MemoryError) as error:
        if _debugging(job):
            raise
        return failed(fault(type(error).__name__), outline(loaded.course))
    return graded(result, outline(loaded.course), level, asked.reaches)


def _handed_in(answers: Path, job: Job) -> "Submission":
    from grader.submission import read_bundle

    submission = read_bundle(candidate(answers, _student(job)).bundle())
    if os.path.lexists(answers):
        return submission
    return replace(submission, message=f"there is no file {shown(answers.name)}")


def _student(job: Job) -> str:
    """Who handed in, where the platform knows it."""
    if job.platform != Platform.CLASSROOM50:
        return ""
    from grader.ci.classroom50 import owner

    return owner(job.environment)


def _of_chosen(submission: "Submission", whole: "LoadedCourse", loaded: "LoadedCourse") -> "Submission":
    """The submission without the answers to exercises that were not asked for: they are not unknown."""
    if loaded is whole:
        return submission
    from grader.grading import find_exercise

    asked = {exercise.id for exercise in loaded.course.exercises}
    kept = []
    for response in submission.responses:
        exercise = find_exercise(whole.course, response.exercise)
        if exercise is None or exercise.id in asked:
            kept.append(response)
    return replace(submission, responses=tuple(kept))

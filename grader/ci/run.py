"""A job from its answers to what its platform is told, whatever happens in between."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
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
    with _without_its_text(job):
        try:
            prepare(job, outcome)
            from grader.course import chosen, load_course, outline, require_secret

            whole = load_course(asked.course)
            loaded = chosen(whole, asked.exercises)
            job = replace(job, title=loaded.course.title)
            outcome = failed(_NOT_GRADED, outline(loaded.course))
            require_secret(loaded.course)
            outcome = _graded(asked, job, whole, loaded)
            show(job, outcome)
        except BaseException:
            outcome = failed(_NOT_GRADED, outcome.outline)
            with suppress(Exception):  # the first failure is the one to tell
                show(job, outcome)
            raise
        finally:
            hand_over(job, outcome)
    return outcome


@contextmanager
def _without_its_text(job: Job) -> Iterator[None]:
    """Raise what is no fault of the command's without its text, which may quote what a student must not see."""
    try:
        yield
    except (GraderError, OSError):
        raise
    except Exception as error:
        if _debugging(job):
            raise
        raise GraderError(f"internal error, please report it ({type(error).__name__})") from None


def refused(job: Job) -> None:
    """Tell the platform of a job whose command can't be run, as of any other failure of ours."""
    outcome = failed(_NOT_GRADED, _NOTHING)
    for tell in (prepare, show, hand_over):
        with suppress(Exception):  # what is wrong with the command is the thing to tell
            tell(job, outcome)


def _debugging(job: Job) -> bool:
    return bool(job.variable("GRADER_DEBUG"))


def _graded(asked: Asked, job: Job, whole: "LoadedCourse", loaded: "LoadedCourse") -> Outcome:
    """What came of the answers; a failure on them alone is one of ours, and the job goes on."""
    from grader.course import outline, reveal_level
    from grader.grading import Grader, fault, without_others

    submission = without_others(_handed_in(asked.answers, job), whole.course, loaded.course)
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

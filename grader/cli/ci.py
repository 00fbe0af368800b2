"""The verb for CI jobs: grade one student's answers, and tell the platform in its own ways."""

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from grader.ci.platforms import Platform, platform
from grader.cli.common import course_option, example, exercises_option, reveal_option, say
from grader.cli.grading import exit_code, reaching
from grader.results import Reveal, Status

if TYPE_CHECKING:
    from grader.ci.outcome import Mark, Outcome

_JUNIT = "grader-junit.xml"


class _Told(click.Command):
    """A command of which the platform is told also where it is typed wrongly and never runs."""

    def make_context(self, *arguments: Any, **options: Any) -> click.Context:
        try:
            return super().make_context(*arguments, **options)
        except click.UsageError:
            found = platform(os.environ)
            if found != Platform.TERMINAL:  # where people see what they typed
                _tell_refused(found)
            raise


def _tell_refused(found: Platform) -> None:
    from grader.ci.handing import Job
    from grader.ci.run import refused

    junit = Path(_JUNIT) if found == Platform.GITLAB else None
    refused(Job(platform=found, environment=os.environ, say=_listened(), junit=junit))


def _listened() -> Callable[[str], None]:
    """Printing that goes on in silence where the reader of our output went away: others are told all the same."""
    gone = False

    def tell(text: str) -> None:
        nonlocal gone
        if not gone:
            try:
                say(text)
            except BrokenPipeError:
                gone = True

    return tell


@click.command(
    short_help="Grade one student's answers in a CI job.",
    cls=_Told,
    epilog=example(
        "grader ci\n  grader ci answers.yaml --exercises q1,q2 --pass-mark 60%\n"
        "  grader ci --course student-edition\n  grader ci --platform actions --junit report.xml"
    ),
)
@click.argument("answers", default=".", type=click.Path(path_type=Path))
@exercises_option
@reveal_option
@click.option(
    "--pass-mark",
    "reaches",
    metavar="N",
    callback=lambda _, __, text: None if text is None else reaching(text),
    help="Exit with 1 if there are fewer points (or per cent: 60%).",
)
@click.option(
    "--platform",
    "where",
    type=click.Choice([str(each) for each in Platform]),
    help="What runs the job (default: told by its environment).",
)
@click.option(
    "--junit",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help=f"JUnit XML to write (default: {_JUNIT} on GitLab and terminals, none on GitHub).",
)
@course_option
def ci(answers: Path, reveal: str | None, reaches: "Mark | None", where: str | None, **given: Any) -> None:
    """Grade ANSWERS (a file, or a folder with one called answers; default: this folder) in a CI job.

    On GitHub: a summary, annotations at the lines of the file, and outputs. On Classroom 50 also its result.json. On
    GitLab and elsewhere: the report, and JUnit XML. With a student edition as course, answers are read and not graded.
    """
    from grader.ci.handing import Job
    from grader.ci.outcome import all_points
    from grader.ci.run import Asked, run

    found = Platform(where) if where else platform(os.environ)
    junit = given["junit"] or (Path(_JUNIT) if found in (Platform.GITLAB, Platform.TERMINAL) else None)
    asked = Asked(
        answers=answers,
        course=given["course_path"],
        exercises=given["exercises"],
        reveal=Reveal(reveal) if reveal else None,
        reaches=reaches or all_points,
    )
    outcome = run(asked, Job(platform=found, environment=os.environ, say=_listened(), junit=junit))
    sys.exit(_code(outcome, found, reaches))


def _code(outcome: "Outcome", found: Platform, reaches: "Mark | None") -> int:
    """The exit code. Classroom 50 takes any but 0 for a failure of the infrastructure, so there it means one of ours;
    a student edition gives no points, so there no mark is missed."""
    status = outcome.result.status
    if found == Platform.CLASSROOM50 and status != Status.FAILED:
        return 0
    mark = None if outcome.reading else reaches
    return exit_code([(status, outcome.result.points or 0, outcome.outline.max_points)], mark or reaching(None))

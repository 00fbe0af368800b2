"""The verbs for Gradescope: the autograder's zip, and what runs in it."""

import os
from pathlib import Path

import click

from grader.cli.common import LazyGroup, course_option, example, exercises_option, reveal_option, say
from grader.results import Reveal


@click.group(
    cls=LazyGroup, verbs={"build": "gradescope", "run": "gradescope"}, short_help="Make an autograder for Gradescope."
)
def gradescope() -> None:
    """Grade on Gradescope: make the autograder's zip."""


@click.command(
    short_help="Make the zip to upload.",
    epilog=example(
        "grader gradescope build\n  grader gradescope build --exercises q1,q2 -o week1.zip\n"
        "  grader gradescope build --course mycourse --reveal full"
    ),
)
@click.option(
    "-o", "--output", type=click.Path(dir_okay=False), default="autograder.zip", help="The zip (autograder.zip)."
)
@course_option
@exercises_option
@reveal_option
@click.option(
    "--wheels/--no-wheels", default=True, help="Take along what the grader needs, or install it on Gradescope."
)
def build(output: str, course_path: str | None, exercises: tuple[str, ...], reveal: str | None, wheels: bool) -> None:
    """Make the zip to upload under Configure Autograder.

    It holds the course with its solutions, and its secret if it has one: keep it where no student can read it.
    """
    from grader.course import chosen, load_course, require_keys, require_secret
    from grader.gradescope.build import build as write
    from grader.gradescope.build import points, revealing

    whole = load_course(course_path)
    require_keys(whole)
    loaded = revealing(chosen(whole, exercises), Reveal(reveal) if reveal else None)
    require_secret(loaded.course)
    name = loaded.course.secret_env
    secret = os.environ.get(name, "").encode() if name else b""
    entries = write(Path(output), loaded, secret, wheels=wheels, tell=lambda text: click.echo(text, err=True))
    size = Path(output).stat().st_size / 1e6
    say(f"{output}: {size:.1f} MB, {len(entries)} files")
    say(f"Set the assignment's points to {points(loaded)}.")
    say("The zip holds the solutions" + (" and the course's secret" if secret else "") + ": keep it from students.")


@click.command(
    short_help="Grade one submission, inside the autograder.",
    epilog=example("grader gradescope run --root /autograder"),
)
@click.option("--root", type=click.Path(file_okay=False), default="/autograder", help="The autograder's folder.")
def run(root: str) -> None:
    """Grade one submission inside the autograder: this is what its run_autograder calls.

    Reads ROOT/submission, writes ROOT/results/results.json, and tells the instructor what to know. Exits with 0
    whenever results.json is written.
    """
    from grader.gradescope.run import run as grade_one
    from grader.reports.markup import terminal

    for line in grade_one(Path(root)):
        say(terminal(line))

"""The verbs of a class whose students have a repository each."""

from pathlib import Path
from typing import Any

import click

from grader.cli.common import LazyGroup, course_option, example, exercises_option, say


@click.group(
    short_help="Make, collect and answer a repository for each student.",
    cls=LazyGroup,
    verbs={"init": "classroom", "collect": "staff", "post": "staff"},
)
def classroom() -> None:
    """Repositories for a class: make templates, collect what students pushed, and tell them what became of it."""


@click.command(
    short_help="Make a template for students, or the staff's repository.",
    epilog=example(
        "grader classroom init rooflines --exercises q1,q2 --action my-org/roofline-grader@v1\n"
        "  grader classroom init rooflines --exercises q1,q2 --check-only --course private\n"
        "  grader classroom init rooflines-1 --exercises q1,q2 --for classroom50\n"
        "  grader classroom init grading --staff --org my-org --prefix rooflines-1 --course private"
    ),
)
@click.argument("folder", metavar="DIR", type=click.Path())
@exercises_option
@course_option
@click.option(
    "--for",
    "platform",
    type=click.Choice(["actions", "classroom", "classroom50"]),
    help="What runs it: GitHub Actions alone (the default), with the reporter of GitHub Classroom, or Classroom 50.",
)
@click.option("--check-only", is_flag=True, help="Nothing of what is right is in it: answers are read, not graded.")
@click.option("--action", metavar="OWNER/REPO@REF", help="The repository, at a tag or commit, with this grader.")
@click.option("--title", default="", help="The heading of the README; without it, the title of the course.")
@click.option("--staff", is_flag=True, help="The staff's private repository, which grades those of the students.")
@click.option("--org", help="With --staff: the organisation that has the student repositories.")
@click.option("--prefix", help="With --staff: what their names begin with, such as rooflines-1.")
def init(folder: str, **options: Any) -> None:
    """Make a repository for students in DIR, to push and to mark as a template; or, with --staff, the staff's."""
    from grader.classroom.files import rendered, require_new, write_new

    _consistent(options)
    require_new(Path(folder))
    make = _staff if options["staff"] else _students
    files, notes = make(Path(folder), options)
    write_new(Path(folder), files)
    for path in sorted(files):
        say(f"Written: {Path(folder) / path}")
    for note in notes:
        say(note)
    values = {"staff": options["staff"], "platform": options["platform"], "folder": folder}
    say(rendered("next.txt", **values, slug=Path(folder).resolve().name).decode(), end="")


def _consistent(options: dict[str, Any]) -> None:
    """UsageError if options are given that don't go together."""
    staffs = {"--org": options["org"], "--prefix": options["prefix"]}
    students = {"--for": options["platform"], "--check-only": options["check_only"]}
    if not options["staff"]:
        if any(staffs.values()):
            raise click.UsageError("--org and --prefix go with --staff")
        return
    if not all(staffs.values()):
        raise click.UsageError("--staff needs --org and --prefix")
    if any(students.values()):
        raise click.UsageError("--for and --check-only are for students' repositories; leave them out with --staff")


def _students(folder: Path, options: dict[str, Any]) -> tuple[Any, tuple[str, ...]]:
    from grader.classroom.template import Wanted, template
    from grader.course import chosen, load_course

    action, notes = _action(options["action"])
    made = template(
        Wanted(
            loaded=chosen(load_course(options["course_path"]), options["exercises"]),
            platform=options["platform"] or "actions",
            action=action,
            check_only=options["check_only"],
            own=options["course_path"] is not None,
            title=options["title"],
        ),
        folder,
    )
    return made.files, (*made.notes, *notes)


def _staff(_: Path, options: dict[str, Any]) -> tuple[Any, tuple[str, ...]]:
    from grader.classroom.names import organisation, prefix
    from grader.classroom.staff_template import Class, staff_template
    from grader.course import chosen, load_course

    repositories = Class(org=organisation(options["org"]), prefix=prefix(options["prefix"]))
    action, notes = _action(options["action"])
    loaded = chosen(load_course(options["course_path"]), options["exercises"])
    return staff_template(loaded, repositories, action, options["title"]), notes


def _action(text: str | None) -> tuple[Any, tuple[str, ...]]:
    """Where the grader comes from, and what is still to be said of it."""
    from grader import __version__
    from grader.classroom.names import action

    if text is not None:
        return action(text), ()
    assumed = action(f"your-organisation/roofline-grader@v{__version__}")
    return assumed, (f"Put your own copy of the grader in the place of {assumed} in these files, or use --action.",)

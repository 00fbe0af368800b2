"""The verb that hands a course out: its student edition."""

from pathlib import Path

import click

from grader.cli.common import course_option, example, exercises_option, say


@click.command(
    short_help="Write the student edition of a course.",
    epilog=example(
        "grader release handout\n  grader release handout --course mine --exercises q1,q4\n"
        "  grader check answers.yaml --course handout"
    ),
)
@click.argument("folder", metavar="DIR", type=click.Path(file_okay=False))
@exercises_option
@course_option
def release(folder: str, exercises: tuple[str, ...], course_path: str | None) -> None:
    """Write the student edition of a course into DIR: the questions and what `check` needs, nothing of what is right.

    DIR is new, empty, or holds an earlier edition, which is brought up to date. An answer file that is there stays.
    """
    from grader.course import chosen, load_course
    from grader.release import IN_IT, LEFT_OUT
    from grader.release import release as write
    from grader.reports.view import counted

    loaded = chosen(load_course(course_path), exercises)
    place = Path(folder)
    done = write(loaded, place)
    for name in done.written:
        say(f"Written: {place / name}")
    for name in done.kept:
        say(f"Kept, since it is there already: {place / name}")
    parts = sum(len(exercise.parts) for exercise in loaded.course.exercises)
    say(f"{counted(len(loaded.course.exercises), 'exercise')}, {counted(parts, 'part')}: {IN_IT}")
    say(f"Left out: {LEFT_OUT}")
    say(f"To check answers against it: grader check answers.yaml --course {place}")

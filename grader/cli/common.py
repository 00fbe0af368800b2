"""What the verbs have in common: options, and printing what the terminal can show."""

import sys
from collections.abc import Mapping
from importlib import import_module
from typing import Any

import click

from grader.results import Reveal

course_option = click.option(
    "--course", "course_path", metavar="DIR", type=click.Path(), help="Folder with the course.yaml to grade against."
)


def _names(_: click.Context, __: click.Parameter, text: str) -> tuple[str, ...]:
    names = tuple(name.strip() for name in text.split(",") if name.strip())
    if text and not names:
        raise click.BadParameter("ids of exercises are expected, such as q1,q2")
    return names


exercises_option = click.option(
    "--exercises",
    metavar="IDS",
    default="",
    callback=_names,
    help="Only these exercises of the course, such as q1,q2.",
)
reveal_option = click.option(
    "--reveal",
    type=click.Choice([str(level) for level in Reveal]),
    help="How much feedback to show, in place of the course's.",
)
jobs_option = click.option(
    "--jobs", type=click.IntRange(1, 256), help="Worker processes (default: one for each processor)."
)


class LazyGroup(click.Group):
    """Verbs by the module of grader.cli that has them, each imported when it is asked for: grading one answer file
    should not wait for all others."""

    def __init__(self, *arguments: Any, verbs: Mapping[str, str], **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._verbs = verbs

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Without a verb the help is shown as it is, and the exit code says that nothing was done."""
        if not args:
            click.echo(ctx.get_help(), err=True)
            ctx.exit(2)
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(self._verbs)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in self._verbs:
            return None
        found: click.Command = getattr(import_module(f"grader.cli.{self._verbs[cmd_name]}"), cmd_name)
        return found


def example(text: str) -> str:
    """The end of a verb's help."""
    return f"\b\nExamples:\n  {text}"


def say(text: str, *, end: str = "\n") -> None:
    """Print a text, its characters replaced by ASCII stand-ins where the terminal can't show them."""
    click.echo(encodable(text) + end, nl=False)


def encodable(text: str) -> str:
    """The text in what the terminal can show: ASCII stand-ins where it knows no more."""
    encoding = getattr(sys.stdout, "encoding", None) or "ascii"
    try:
        text.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        from grader.reports.markup import ascii_only

        return ascii_only(text)
    return text

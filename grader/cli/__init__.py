"""The command line. Exit codes: 0 graded, 1 below --pass-mark, 2 could not run, 3 some could not be graded."""

import gc
import os
import signal
import sys
from contextlib import suppress
from types import FrameType

import click

from grader import __version__
from grader.cli.common import LazyGroup, encodable
from grader.errors import GraderError

_VERBS = {
    "grade": "grading",
    "check": "grading",
    "ci": "ci",
    "regrade": "stored",
    "override": "stored",
    "export": "stored",
    "flags": "stored",
    "report": "report",
    "stats": "report",
    "new": "authoring",
    "release": "release",
    "classroom": "classroom",
    "audit": "audit",
    "gradescope": "gradescope",
    "compare": "authoring",
    "lint": "authoring",
    "schema": "authoring",
}


@click.group(
    cls=LazyGroup,
    verbs=_VERBS,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="grader")
def commands() -> None:
    """Grade quantitative exercises: answers are read as people type them and never executed."""


def main() -> None:
    """Run the command line; errors are told in words, one line a fault."""
    gc.set_threshold(100_000)  # values make no cycles, and looking for some after every 700 slows the start
    signal.signal(signal.SIGTERM, _end)
    try:
        code = commands(standalone_mode=False)
    except click.exceptions.Exit as done:
        code = done.exit_code
    except SystemExit as done:
        # click puts this wrapper in place when the reader of our output went away, which is no fault of ours
        code = 0 if "PacifyFlush" in type(sys.stdout).__name__ else done.code
    except click.ClickException as error:
        with suppress(OSError):
            _show(error)
        code = 2
    except (click.Abort, KeyboardInterrupt):
        code = 130
    except GraderError as error:
        code = _complain(str(error), error.exit_code)
    except BrokenPipeError:
        code = 0
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        code = _complain(f"{where}{error.strerror or error}", 2)
    except Exception as error:
        if os.environ.get("GRADER_DEBUG"):
            raise
        code = _complain(f"internal error, please report it ({type(error).__name__}: {error})", 2)
    _leave(code if isinstance(code, int) else 0)


def _end(number: int, _: FrameType | None) -> None:
    """End on a signal as if asked to: what is finished is stored, workers are ended. A second one ends at once."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    sys.exit(128 + number)


def _show(error: click.ClickException) -> None:
    """Tell what is wrong with a command, which may quote the name of a file that somebody else chose."""
    from grader.reports.markup import terminal

    context = error.ctx if isinstance(error, click.UsageError) else None
    if context is not None:
        click.echo(f"{context.get_usage()}\nTry '{context.command_path} --help' for help.\n", err=True)
    lines = (terminal(" ".join(line.split())) for line in error.format_message().split("\n"))
    click.echo(encodable(f"Error: {' '.join(filter(None, lines))}"), err=True)


def _complain(text: str, code: int) -> int:
    from grader.reports.markup import terminal

    try:
        for line in text.splitlines() or [""]:
            click.echo(encodable(f"grader: {terminal(line)}"), err=True)
    except OSError:  # nobody can be told, and the code says it still
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    return code


def _leave(code: int) -> None:
    """Exit without the interpreter complaining of a reader that went away."""
    try:
        if sys.stdout is not None:  # which it is if it was closed before we started
            sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:
        code = _complain(f"can't write the output: {error.strerror}", 2)
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    gc.freeze()  # or the interpreter looks through everything once more on its way out
    sys.exit(code)

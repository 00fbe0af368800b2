"""The command line. Exit codes: 0 graded, 1 below --pass-mark, 2 could not run, 3 some could not be graded."""

import gc
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from grader import __version__
from grader.errors import GraderError, SubmissionError
from grader.results import Gradebook, Result, Reveal, Status, Verdict, to_json

FORMATS = ("txt", "md", "html", "json")
_UNGRADED = (Status.UNREADABLE, Status.DUPLICATE, Status.FAILED)

_course_option = click.option(
    "--course", "course_path", metavar="DIR", type=click.Path(), help="Folder with the course.yaml to grade against."
)


def _example(text: str) -> str:
    return f"\b\nExamples:\n  {text}"


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="grader")
def commands() -> None:
    """Grade quantitative exercises: answers are read as people type them and never executed."""


@commands.command(epilog=_example("grader grade submissions_example -o reports\n  grader grade answers.yaml"))
@click.argument("paths", nargs=-1, required=True, type=click.Path())
@click.option("-o", "--output", type=click.Path(file_okay=False), help="Folder for the reports and results.json.")
@click.option("--format", "form", type=click.Choice(FORMATS), help="Form of the reports (default: txt; html with -o).")
@click.option(
    "--reveal",
    type=click.Choice([str(level) for level in Reveal]),
    help="How much feedback to show, in place of the course's.",
)
@click.option("--pass-mark", metavar="N", help="Exit with 1 if a submission has fewer points (or per cent: 60%).")
@_course_option
def grade(
    paths: tuple[str, ...],
    output: str | None,
    form: str | None,
    reveal: str | None,
    pass_mark: str | None,
    course_path: str | None,
) -> None:
    """Grade answer files, or folders with one submission each, and report."""
    from grader.batch import grade as grade_all
    from grader.course import load_course, reveal_level

    mark = _pass_mark(pass_mark)
    course = load_course(course_path)
    level = Reveal(reveal) if reveal else reveal_level(course.course)
    book = grade_all(paths, course, progress=_progress(), reveal=level)
    if output is not None:
        _write(book, output, form, level)
    if form == "json":
        click.echo(json.dumps(to_json(book), indent=1))
    elif output is None:
        click.echo(_encodable(_rendered(book, form or "txt", level)), nl=False)
    sys.exit(_exit_code(book, mark))


def _rendered(book: Gradebook, form: str, level: Reveal) -> str:
    from grader.reports.render import render, render_summary
    from grader.reveal import student_view

    reports = [render(student_view(result, level), form, course_title=book.title) for result in book.results]
    if len(reports) > 1:
        reports.append(render_summary(book, form))
    return "\n".join(reports)


def _write(book: Gradebook, output: str, form: str | None, level: Reveal) -> None:
    from dataclasses import replace

    from grader.reports.render import render_summary, write_reports
    from grader.reveal import student_view

    forms = (form,) if form else ("html", "md")
    shown = replace(book, results=tuple(student_view(result, level) for result in book.results))
    write_reports(shown, Path(output), formats=tuple(f for f in forms if f != "json"), record=book)
    if form != "json":  # which is printed itself
        click.echo(_encodable(render_summary(book, "txt")), nl=False)
        click.echo(f"Reports: {Path(output) / f'index.{forms[0]}'}")


def _progress() -> Callable[[int, int], None] | None:
    """A counter on the terminal for long runs; quiet when nobody looks."""
    if not sys.stderr.isatty():
        return None

    def show(done: int, total: int) -> None:
        if total >= 20 and (done % 10 == 0 or done == total):
            click.echo(f"\r{done}/{total} graded", err=True, nl=done == total)

    return show


def _pass_mark(text: str | None) -> Callable[[Result], bool]:
    """Whether a result reaches the mark."""
    if text is None:
        return lambda _: True
    number = text.removesuffix("%")
    if not number.isascii() or not number.isdigit():
        raise click.UsageError(f"--pass-mark takes points or per cent, such as 30 or 60%, not {text!r}")
    if text.endswith("%"):
        return lambda result: 100 * (result.points or 0) >= int(number) * result.max_points
    return lambda result: (result.points or 0) >= int(number)


def _exit_code(book: Gradebook, reaches: Callable[[Result], bool]) -> int:
    if any(result.status in _UNGRADED for result in book.results):
        return 3
    return 0 if all(map(reaches, book.results)) else 1


@commands.command(epilog=_example("grader check answers.yaml"))
@click.argument("file", type=click.Path())
@_course_option
def check(file: str, course_path: str | None) -> None:
    """Show how each answer of FILE is read, and what is wrong with its form; no verdict."""
    from grader.batch import read_back

    report = read_back(Path(file), course_path)
    for line in report.lines:
        click.echo(_encodable(line))
    sys.exit(0 if report.readable else 1)


@commands.command(epilog=_example("grader new q1 > answers.yaml\n  grader new q1 q2 --student s1024 -o answers.yaml"))
@click.argument("exercises", nargs=-1)
@click.option("--student", help="Write this student's own sheet (parameters may be drawn per student).")
@click.option("-o", "--output", type=click.Path(dir_okay=False), help="File to write; never overwritten.")
@_course_option
def new(exercises: tuple[str, ...], student: str | None, output: str | None, course_path: str | None) -> None:
    """Write an answer file to fill in, with the questions as comments (all exercises if none is named)."""
    from grader.course import load_course, sheet_text

    text = sheet_text(load_course(course_path), exercises, student)
    if output is None:
        click.echo(_encodable(text), nl=False)
        return
    try:
        with Path(output).open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except FileExistsError:
        raise SubmissionError(output, "exists already; move it away or name another file") from None
    click.echo(f"Written: {output}")


@commands.command(epilog=_example('grader compare "2BDF/(BD+DF+BF)" "2B" --symbols B,D,F --regime "B << D, F"'))
@click.argument("response")
@click.argument("solution")
@click.option("--symbols", default="", help="Names that may be used, separated by commas.")
@click.option("--type", "kind", default="expression", help="expression, quantity, threshold, equation, interval, set.")
@click.option("--regime", help='Which symbols are small or large, such as "B << D, F".')
@click.option("--unit", help="The unit asked for; a bare number is read in it.")
@click.option("--rel", help="Relative tolerance, such as 0.01 or 1%.")
@click.option("--abs", "absolute", help="Absolute tolerance, in the solution's unit.")
@click.option("--assume", type=click.Choice(["positive", "real"]), default="positive", help="What the symbols are.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def compare(response: str, solution: str, as_json: bool, **options: Any) -> None:
    """Compare one RESPONSE with a SOLUTION, both in the answer language."""
    from grader.comparison import compare as compare_texts

    tolerance = {"rel": options["rel"], "abs": options["absolute"]}
    tolerance = {name: value for name, value in tolerance.items() if value is not None}
    found = compare_texts(
        response,
        solution,
        type=options["kind"],
        symbols=options["symbols"],
        regime=options["regime"],
        unit=options["unit"],
        assume=options["assume"],
        tolerance=tolerance or None,
    )
    shown = {
        "verdict": str(found.verdict),
        "relation": found.relation and str(found.relation),
        "read_as": found.read_as,
        "latex": found.latex,
        "ratio": found.ratio if found.verdict == Verdict.INCORRECT else None,
        "remarks": list(found.remarks),
        "message": found.message,
        "position": found.position,
    }
    if as_json:
        click.echo(json.dumps(shown, indent=1))
        return
    for name, value in {**shown, "position": None, "remarks": "; ".join(found.remarks)}.items():
        if value not in (None, ""):
            click.echo(_encodable(f"{name.replace('_', ' ')}: {value}"))
    if found.position is not None:
        from grader.reports.markup import terminal

        click.echo(_encodable(f"  {terminal(response)}\n  {' ' * found.position}^"))


@commands.command(epilog=_example("grader lint\n  grader lint exercises/q4_batched_matmul.yaml"))
@click.argument("files", nargs=-1, type=click.Path())
@click.option("--update", is_flag=True, help="Accept which mistakes share a value as it is now (coincidences.json).")
@_course_option
def lint(files: tuple[str, ...], update: bool, course_path: str | None) -> None:
    """Prove that exercises are sound: keys, examples, mistakes and mutations (the whole course if no FILE is named)."""
    from grader.lint import lint as lint_course

    report = lint_course(course_path, [Path(file) for file in files], update=update)
    for line in report.lines:
        click.echo(_encodable(line))
    sys.exit(1 if report.faults else 0)


@commands.command(epilog=_example("grader schema exercise > exercise.schema.json"))
@click.argument("what", type=click.Choice(["exercise", "course", "mistakes", "submission", "result"]))
def schema(what: str) -> None:
    """Print a JSON Schema, with which editors complete and check the files."""
    from grader.schema import json_schema

    click.echo(json.dumps(json_schema(what), indent=1))


def _encodable(text: str) -> str:
    """The text in what the terminal can show: ASCII stand-ins where it knows no more."""
    encoding = getattr(sys.stdout, "encoding", None) or "ascii"
    try:
        text.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        from grader.reports.markup import ascii_only

        return ascii_only(text)
    return text


def main() -> None:
    """Run the command line; errors are told in words, one line a fault."""
    gc.set_threshold(100_000)  # values make no cycles, and looking for some after every 700 slows the start
    try:
        code = commands(standalone_mode=False)
    except click.exceptions.Exit as done:
        code = done.exit_code
    except SystemExit as done:
        # click puts this wrapper in place when the reader of our output went away, which is no fault of ours
        code = 0 if "PacifyFlush" in type(sys.stdout).__name__ else done.code
    except click.ClickException as error:
        error.show()
        code = 2
    except click.Abort:
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


def _complain(text: str, code: int) -> int:
    from grader.reports.markup import terminal

    for line in text.splitlines() or [""]:
        click.echo(_encodable(f"grader: {terminal(line)}"), err=True)
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

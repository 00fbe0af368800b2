"""The verbs that show what was graded: a student's page again, the page of the class, its figures in the terminal."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from grader.cli.common import example, say
from grader.errors import GraderError
from grader.results import Gradebook, Result, Reveal

if TYPE_CHECKING:
    from grader.analysis.parts import PartFigures
    from grader.reports.class_page import Class
    from grader.store import Store

_FORMS = ("html", "md", "txt")
_WIDEST, _NAME = 110, 16  # columns of a table, and of the names in it
_FIGURES = ("Facility", "Discrim.", "Correct", "Partly", "Incorrect", "Unread", "Blank", "Review")

_graded = click.argument("graded", metavar="STORE_OR_RESULTS", type=click.Path(path_type=Path))


@contextmanager
def _opened(path: Path) -> "Iterator[Store | Gradebook]":
    """The store in a folder, or the results in a file or in a folder without a store."""
    from grader.store import open_store
    from grader.store.reader import place_of

    results = path if path.suffix == ".json" else path / "results.json"
    if results.is_file() and (results == path or not place_of(path).is_file()):
        from grader.results_file import read_results

        yield read_results(results)
        return
    if path.suffix == ".json" and not path.exists():
        raise GraderError(f"{path}: there is no such file")
    with open_store(path) as store:
        yield store


@click.command(
    short_help="Show a student's report, or the class page.",
    epilog=example(
        "grader report reports --open\n  grader report reports --student s1024\n"
        "  grader report reports --student s1024 --reveal full -o s1024.html\n"
        "  grader report results.json --class -o class.html"
    ),
)
@_graded
@click.option("--student", metavar="ID", help="The report of one student.")
@click.option("--class", "whole", is_flag=True, help="The report of the class, for the staff (without --student, too).")
@click.option("--format", "form", type=click.Choice(_FORMS), help="Form (default: by the file's ending, else text).")
@click.option("--reveal", type=click.Choice([str(level) for level in Reveal]), help="Show it as at this level.")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="File or folder to write (else stdout).")
@click.option("--open", "look", is_flag=True, help="Show it in the browser.")
def report(
    graded: Path, student: str | None, whole: bool, output: Path | None, look: bool, **given: str | None
) -> None:
    """Show the report of a student, as the student sees it, or of the class, from what was graded before."""
    reveal = given["reveal"]
    if student is not None and (whole or not student.strip()):
        raise click.UsageError("give --student ID, or --class")
    if reveal and not student:
        raise click.UsageError("--reveal is for the report of a --student; that of the class shows no solution")
    form = given["form"] or _form(output, look)
    with _opened(graded) as source:
        pages = _student(source, student, form, reveal) if student else _class(source, graded, form, output)
        if student and output is not None and not isinstance(source, Gradebook):
            _refuse_own_files(source, output / next(iter(pages)) if _is_folder(output) else output)
    if output is None and not look:
        say(next(iter(pages.values())), end="")
        return
    first = _written(pages, output)
    say(f"Written: {first}")
    if look:
        click.launch(str(first))


def _refuse_own_files(store: "Store", output: Path) -> None:
    """What students are given is as the course reveals it, and no other report takes its place."""
    from grader.cli.stored import refuse_own_files

    refuse_own_files(store, output)


def _form(output: Path | None, look: bool) -> str:
    ending = output.suffix[1:] if output else ""
    return ending if ending in _FORMS else "html" if look or output else "txt"


def _written(pages: dict[str, str], output: Path | None) -> Path:
    """Write the pages into a folder, or to a file with the further ones beside it; the first one's path."""
    from tempfile import mkdtemp

    from grader.reports.files import write_atomically

    folder = Path(mkdtemp(prefix="grader-")) if output is None else output if _is_folder(output) else output.parent
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise GraderError(f"{folder}: this is no folder; name one, or a file that ends in .html, .md or .txt") from None
    names = list(pages)
    paths = [folder / name for name in names]
    if output is not None and not _is_folder(output):
        paths[0] = output
    for path, text in zip(paths, pages.values(), strict=True):
        write_atomically(path, text, lasting=False)
    return paths[0]


def _is_folder(output: Path) -> bool:
    return output.is_dir() or output.suffix[1:] not in _FORMS


def _student(source: "Store | Gradebook", student: str, form: str, reveal: str | None) -> dict[str, str]:
    """One student's report, at the level that the course reveals or another."""
    from grader.reports.names import file_stem
    from grader.reports.overrides import PLAIN, of_course
    from grader.reports.render import page
    from grader.reveal import student_view

    if isinstance(source, Gradebook):
        result, title, level = _of_book(source, student), source.title or source.course, Reveal.MISTAKE
        overrides = PLAIN
    else:
        run = source.run()
        result, title, level = _of_store(source, student), run.title or run.course, Reveal(run.reveal)
        overrides = of_course(Path(run.folder), run.outline.templates)
    shown = student_view(result, Reveal(reveal) if reveal else level)
    return {f"{file_stem(result.student or result.source)}.{form}": page(shown, form, title, overrides)}


def _of_store(store: "Store", student: str) -> Result:
    from grader.cli.stored import known_student

    (result,) = store.of_students([known_student(store, student)])
    return result


def _of_book(book: Gradebook, student: str) -> Result:
    from grader.errors import did_you_mean

    found = [result for result in book.results if student == (result.student or result.source)]
    if not found:
        close = did_you_mean(student, [result.student or result.source for result in book.results])
        raise GraderError(f"no student {student!r} in these results" + (f"; did you mean {close}?" if close else ""))
    return next((result for result in found if result.counts), found[0])


def _class(source: "Store | Gradebook", graded: Path, form: str, output: Path | None) -> dict[str, str]:
    """The pages of the class; those of students are linked where they stand beside them."""
    shown = _shown(source, graded, output)
    if form == "txt":
        return {"class.txt": "".join(f"{line}\n" for line in _lines(shown, by_part=True))}
    from grader.reports.class_page import class_pages

    stem = output.stem if output is not None and not _is_folder(output) else "class"
    return class_pages(shown, form, stem=stem)


def _shown(source: "Store | Gradebook", graded: Path, output: Path | None = None) -> "Class":
    from grader.class_report import of_gradebook, of_store

    if isinstance(source, Gradebook):
        return of_gradebook(source)
    folder = (source.path or graded).resolve().parent
    target = None if output is None else (output if _is_folder(output) else output.parent).resolve()
    same = target == folder and (folder / "index.html").is_file()
    return of_store(source, name="." if same else str(graded), pages=same, beside=same)


@click.command(
    short_help="Show the class in figures.",
    epilog=example(
        "grader stats reports\n  grader stats reports --by-part\n"
        "  grader stats reports --by-part --format csv > parts.csv"
    ),
)
@_graded
@click.option("--by-part", is_flag=True, help="A row for each part in place of each exercise.")
@click.option("--format", "form", type=click.Choice(["txt", "json", "csv"]), default="txt", help="Form of the figures.")
def stats(graded: Path, by_part: bool, form: str) -> None:
    """Show the figures of the class: scores, and how hard each exercise or part was."""
    with _opened(graded) as source:
        shown = _shown(source, graded)
    if form == "txt":
        for line in _lines(shown, by_part=by_part):
            say(line)
        return
    figures = shown.analysis.figures
    rows = [_row(one) for one in (figures.parts if by_part else figures.exercises)]
    if form == "json":
        from json import dumps

        from grader.results import to_json

        found = {"graded": shown.analysis.graded, "handed_in": shown.analysis.handed_in, "alpha": figures.alpha,
                 "scores": to_json(shown.analysis.scores), "rows": rows}  # fmt: skip
        click.echo(dumps(found, indent=1))
        return
    _csv(rows)


def _row(one: "PartFigures") -> dict[str, Any]:
    place = {"exercise": one.place[0], "part": one.place[1], "max_points": one.column.max_points}
    counts = {str(verdict): number for verdict, number in one.verdicts.items()}
    return {**place, "facility": one.facility, "discrimination": one.discrimination, **counts}


def _csv(rows: list[dict[str, Any]]) -> None:
    import csv

    writer = csv.writer(sys.stdout, lineterminator="\n")
    for number, row in enumerate(rows):
        if number == 0:
            writer.writerow(row)
        writer.writerow([_cell(value) for value in row.values()])


def _cell(value: str | float | None) -> str | int:
    """A figure to four places, nothing for None, and no text that a spreadsheet takes for a formula."""
    from grader.exports.cells import neutral

    if isinstance(value, str):
        return neutral(value)
    return "" if value is None else f"{value:.4f}" if isinstance(value, float) else value


def _lines(shown: "Class", *, by_part: bool) -> Iterator[str]:
    """The figures of the class in lines for a terminal: no control characters, and no wider than it is."""
    from grader.reports.class_view import ClassView
    from grader.reports.markup import terminal

    view = ClassView(shown.analysis, {}, (), "")
    yield terminal(f"Class: {shown.title}")
    for label, value in view.facts():
        yield f"  {label:<20} {value}"
    for alarm in view.alarms():
        yield terminal(f"The key may be wrong: {alarm.where}: {alarm.what}. {alarm.note}")
    yield from _table(view, by_part).rstrip("\n").split("\n")
    yield "Facility: mean share of the points. Discrimination: correlation with the rest of the score."


def _fitting(width: int) -> tuple[str, ...]:
    """The columns of figures for which there is room beside a name: one that is cut would tell another number."""
    room = width - _NAME - 2
    return tuple(name for place, name in enumerate(_FIGURES) if sum(len(n) + 2 for n in _FIGURES[: place + 1]) <= room)


def _table(view: Any, by_part: bool) -> str:
    from io import StringIO
    from shutil import get_terminal_size

    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from grader.reports.markup import terminal

    table = Table(box=SIMPLE_HEAD, padding=(0, 1), pad_edge=False)
    width = min(get_terminal_size((_WIDEST, 0)).columns, _WIDEST)
    names = _fitting(width)
    table.add_column("Part" if by_part else "Exercise", overflow="fold", min_width=_NAME)
    for name in names:
        table.add_column(name, justify="right", no_wrap=True)
    for exercise, parts in view.exercises():
        for row in (exercise, *parts) if by_part else (exercise,):
            name = ("  " if row is not exercise else "") + terminal(row.name)
            figures = (row.facility, row.discrimination, *(f"{number:,}" for _, number in row.counts))
            table.add_row(Text(name), *figures[: len(names)])
    out = StringIO()
    console = Console(file=out, width=width, color_system=None, emoji=False)
    console.print(table)
    lines = [line.rstrip() for line in out.getvalue().rstrip().split("\n")]
    left = ", ".join(_FIGURES[len(names) :])
    return "\n".join([*lines, *([f"Not shown here, for want of room: {left}."] if left else [])]) + "\n"

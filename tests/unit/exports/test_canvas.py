"""The gradebook exported from Canvas, filled in place."""

from pathlib import Path
from typing import Any

import pytest

from grader.exports.options import ExportError
from grader.gradebook import anonymous
from grader.results import Status, Verdict
from tests.unit.exports.made import exporter, filled, named, of, part, row, ungraded

BOOK = """\
Student,ID,SIS User ID,SIS Login ID,Section,Warm-up (111),Rooflines 1 (98765),Current Score
    Points Possible,,,,,5,10,(read only)
"Example, Ada",31001,0429,adaex,01,5,7,
"Sample, Bo",31002,1002,bosam,01,,,12.5
"Excused, Eve",31003,1003,eveex,01,1,EX,
"Nowhere, Nat",31004,1004,natno,01,1,N/A,
"Other, Ola",31005,1005,olaot,02,2,9,
"""


def people(*more: Any) -> list[Any]:
    ada = named(row("0429", 3, 3, 4), "Ada Example")
    bo = named(row("bosam", 1, 2, 0), "Bo Sample", aliases=("31002",))
    return [ada, bo, *more]


def fill(folder: Path, rows: Any, book: str | bytes = BOOK, **options: Any) -> str:
    content = book.encode() if isinstance(book, str) else book
    return filled("canvas", folder, content, rows, **options).decode()


def test_only_the_assignment_s_column_is_filled(tmp_path: Path) -> None:
    assert fill(tmp_path, people()) == BOOK.replace("01,5,7,", "01,5,10,").replace("01,,,12.5", "01,,3,12.5")


@pytest.mark.parametrize("column", ["Rooflines 1 (98765)", "Rooflines 1", "98765"])
def test_the_column_is_named_by_header_title_or_id(column: str, tmp_path: Path) -> None:
    assert fill(tmp_path, people(), column=column) == fill(tmp_path, people())


@pytest.mark.parametrize(
    "change", [lambda t: "\ufeff" + t, lambda t: t.replace("\n", "\r\n"), lambda t: t.rstrip("\n")]
)
def test_marks_and_line_ends_stay(change: Any, tmp_path: Path) -> None:
    assert fill(tmp_path, people(), change(BOOK)) == change(fill(tmp_path, people()))


def test_semicolons_and_quotes_stay(tmp_path: Path) -> None:
    book = '"Student";"ID";"Section";"R (1)"\r\n"    Points Possible";"";"";"10"\r\n"A";"0429";"";""\r\n'
    assert fill(tmp_path, people()[:1], book) == book.replace('"0429";"";""', '"0429";"";"10"')


def test_a_book_with_first_and_last_names_and_a_row_of_marks_is_filled(tmp_path: Path) -> None:
    book = "LastName,FirstName,ID,SIS Login ID,R (1)\n,,,,Manual Posting\n    Points Possible,,,,10\nE,Ada,1,0429,7\n"
    assert fill(tmp_path, people()[:1], book) == book.replace("0429,7", "0429,10")


def test_excused_students_are_left_alone_and_told(tmp_path: Path) -> None:
    told: list[str] = []
    rows = people(row("31003", 3, 3, 4), row("1004", 3, 3, 4))
    assert fill(tmp_path, rows, note=told.append) == fill(tmp_path, people())
    assert told == ["excused in Canvas, left alone:\n  31003\n  1004"]


@pytest.mark.parametrize("status", [s for s in Status if s != Status.GRADED])
def test_where_nothing_was_graded_the_cell_stays_and_that_is_told(status: Status, tmp_path: Path) -> None:
    told: list[str] = []
    assert fill(tmp_path, people(ungraded("31005", status), ungraded("gone", status)), note=told.append) == fill(
        tmp_path, people()
    )
    assert told == [f"nothing was graded, left alone:\n  31005: {status}\n  gone: {status}"]


def test_points_with_parts_to_look_at_are_entered_and_told(tmp_path: Path) -> None:
    told: list[str] = []
    open_ = of("31005", part("flops", 3, 3), part("bytes", 0, 3, Verdict.UNDECIDED), part("ridge", 0, 4))
    assert ",02,2,3,\n" in fill(tmp_path, [open_], note=told.append)
    assert told == ["entered, but a person must look at some parts:\n  31005"]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([row("429", 3, 3, 4)], r"429: no line is exactly theirs, but near: '0429' in line 3"),
        ([row("ADAEX", 3, 3, 4)], r"ADAEX: no line is exactly theirs, but near: 'adaex' in line 3"),
        ([named(row("x", 3, 3, 4), "Ada Example")], r"x \(Ada Example\): no line has an id"),
        ([named(row("0429", 3, 3, 4), aliases=("31002",))], r"0429: matches several lines: 3, 4"),
        ([row("0429", 3, 3, 4), row("adaex", 0, 0, 0)], r"downloaded.csv:3: 0429, adaex"),
        ([row("0429", 3, 3, 4), ungraded("adaex", Status.MISSING)], r"downloaded.csv:3: 0429, adaex"),
    ],
)
def test_who_can_not_be_placed_for_certain_is_refused(rows: Any, message: str, tmp_path: Path) -> None:
    with pytest.raises(ExportError, match=message) as caught:
        fill(tmp_path, rows)
    assert len(caught.value.students) == 1


def test_everyone_who_can_not_be_placed_is_listed(tmp_path: Path) -> None:
    with pytest.raises(ExportError) as caught:
        fill(tmp_path, [row(name, 3, 3, 4) for name in ("a", "b", "429")])
    assert [text.partition(":")[0] for text in caught.value.students] == ["a", "b", "429"]


@pytest.mark.parametrize(
    ("change", "column", "message"),
    [
        (("5,10,(read", "5,11,(read"), "", "no assignments have 10 points possible"),
        (("5,10,(read", "10,10,(read"), "", "2 assignments have 10 points possible"),
        (("", ""), "Roofline", "no columns to fill in are called 'Roofline'"),
        (("", ""), "Current Score", "no columns to fill in are called 'Current Score'"),
        (("Warm-up (111)", "Rooflines 1 (111)"), "Rooflines 1", "2 columns to fill in"),
        (("", ""), "SIS Login ID", "no columns to fill in"),
    ],
)
def test_a_column_that_is_not_certain_is_refused_with_a_list(
    change: tuple[str, str], column: str, message: str, tmp_path: Path
) -> None:
    book = BOOK.replace(*change) if change[0] else BOOK
    with pytest.raises(ExportError, match=message) as caught:
        fill(tmp_path, people(), book, column=column)
    assert len(caught.value.students) == 2


def test_a_named_column_with_other_points_is_filled_and_told(tmp_path: Path) -> None:
    told: list[str] = []
    assert ",10,7,\n" in fill(tmp_path, people(), column="Warm-up", note=told.append)
    assert told[0].startswith("Warm-up (111) has 5 points possible in Canvas")


def test_another_table_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ExportError, match="no gradebook exported from Canvas"):
        fill(tmp_path, people(), "username,grade\na,1\n")


def test_anonymous_results_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ExportError, match="anonymous"):
        fill(tmp_path, [anonymous(people()[0], b"key")])


def test_it_fills_in_a_file_of_the_instructor_s() -> None:
    assert exporter("canvas").needs_template
    assert exporter("canvas").ending == ".csv"

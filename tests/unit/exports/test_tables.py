"""The tables of our own: csv, long_csv, xlsx, jsonl, parquet."""

import csv
import gc
import io
import json
import re
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.errors import GraderError, SolutionError
from grader.exports import output, xlsx
from grader.exports.cells import encodable, line, neutral
from grader.exports.figures import LONG
from grader.exports.options import Options
from grader.gradebook import Column, Outline
from grader.plugins import tags
from grader.results import Override, Plot, Series, Status, Verdict, to_json
from tests.unit.exports.made import (
    CLASS,
    HOSTILE,
    OUTLINE,
    answered,
    exporter,
    many,
    of,
    part,
    row,
    ungraded,
    written,
)

pytest.importorskip("pyarrow")
pytest.importorskip("xlsxwriter")
openpyxl = pytest.importorskip("openpyxl")

_UNDO = re.compile(r"^'(?='*[=+\-@\t\r\n＝＋－＠])")  # as the manual gives it


def lines(tag: str, rows: Any) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(written(tag, rows).decode("utf-8"), newline="")))


def sheets(rows: Any) -> dict[str, list[list[Any]]]:
    book = openpyxl.load_workbook(io.BytesIO(written("xlsx", rows)))
    return {sheet.title: [[cell.value for cell in line] for line in sheet.iter_rows()] for sheet in book}


def arrow(rows: Any) -> list[dict[str, Any]]:
    import pyarrow.parquet

    table: list[dict[str, Any]] = pyarrow.parquet.read_table(io.BytesIO(written("parquet", rows))).to_pylist()
    return table


def test_a_student_has_one_line_with_every_part_and_the_total() -> None:
    first, late, missing, unreadable = lines("csv", CLASS)
    assert list(first.values()) == [
        "0429", "Ada Example", "ada@example.edu", "01", "graded", "3", "0", "4", "3", "4", "0", "0", "7", "10",
    ]  # fmt: skip
    assert (late["q1"], late["q2"], late["late_days"], late["penalty"], late["total"]) == ("5", "0", "1", "2", "3")
    assert (missing["status"], missing["q1/flops"], missing["q1"], missing["total"]) == ("missing", "", "", "0")
    assert (unreadable["status"], unreadable["total"]) == ("unreadable", "0")


def test_a_student_has_a_line_for_each_part_with_the_answer() -> None:
    told = part(
        "bytes", 0, 3, response="2*B\n+1", read_as="2*B + 1", mistakes=("a", "b"), alternatives=(("c",), ("d", "e")),
        follow_through=("flops",), override=Override(points=0, before=2),
    )  # fmt: skip
    one = of("s1", part("flops", 3, 3), told, part("ridge", 4, 4))
    second = lines("long_csv", [one])[1]
    assert {name: second[name] for name in LONG[5:18]} == {
        "exercise": "q1", "part": "bytes", "title": "Bytes moved", "verdict": "incorrect", "points": "0",
        "max_points": "3", "response": "2*B\n+1", "read_as": "2*B + 1", "mistakes": "a b",
        "alternatives": "c | d e", "follow_through": "flops", "override": "yes", "points_before": "2",
    }  # fmt: skip


def test_a_line_of_json_is_the_whole_result_under_the_name_of_the_gradebook() -> None:
    records = [json.loads(text) for text in written("jsonl", CLASS).splitlines()]
    assert records[0] == {**to_json(CLASS[0].result), "name": "Ada Example"}
    assert [record["status"] for record in records] == ["graded", "graded", "missing", "unreadable"]


def test_json_has_null_for_what_is_no_number_and_keeps_every_text() -> None:
    curve = Series(label="a", kind="student", points=((1.0, float("inf")),))
    plotted = part("flops", 3, 3, plot=Plot(x_label="B", y_label="\ud800", series=(curve,)))
    one = of("s1", plotted, part("bytes", 3, 3), part("ridge", 4, 4))
    (text,) = written("jsonl", [one]).splitlines()
    drawn = json.loads(text, parse_constant=pytest.fail)["exercises"][0]["parts"][0]["plot"]
    assert drawn["y_label"] == "\ud800"
    assert drawn["series"][0]["points"] == [[1.0, None]]


def test_parquet_has_the_long_table_with_its_types() -> None:
    (first, *_), table = arrow([CLASS[0]]), arrow(CLASS)
    assert tuple(first) == LONG
    assert first["student"] == "0429"
    assert (first["points"], first["override"], first["mistakes"], first["follow_through"]) == (3, False, [], None)
    assert [r["total"] for r in table] == [7] * 3 + [3] * 3 + [0] * 6
    assert table[-1]["verdict"] is None
    assert table[-1]["points"] is None


def test_parquet_reads_back_as_the_long_table() -> None:
    def plain(value: Any) -> str:
        if isinstance(value, list):
            return (" | " if value and isinstance(value[0], list) else " ").join(map(plain, value))
        return {"None": "", "True": "yes", "False": "no"}.get(str(value), str(value))

    rows = [*CLASS, answered("s9", "2*B")]
    assert [{name: plain(value) for name, value in r.items()} for r in arrow(rows)] == lines("long_csv", rows)


def test_parquet_of_nobody_is_an_empty_table() -> None:
    assert arrow([]) == []


def test_the_workbook_holds_texts_and_whole_numbers_only() -> None:
    book = sheets([*CLASS, *(answered(f"s{n}", text) for n, text in enumerate(HOSTILE))])
    assert list(book) == ["Grades", "Parts"]
    cells = [cell for table in book.values() for line_ in table for cell in line_]
    assert {type(cell) for cell in cells} == {str, int, type(None)}
    assert book["Grades"][1][:1] == ["0429"]
    assert book["Grades"][1][5:] == [3, 0, 4, 3, 4, 0, 0, 7, 10]


@pytest.mark.parametrize("text", HOSTILE)
def test_the_workbook_calculates_nothing(text: str) -> None:
    book = openpyxl.load_workbook(io.BytesIO(written("xlsx", [answered("s1", text)])))
    assert {cell.data_type for sheet in book for line_ in sheet.iter_rows() for cell in line_} <= {
        "s",
        "n",
        "inlineStr",
    }
    assert [sheet.max_row for sheet in book] == [2, 4]


@pytest.mark.parametrize("text", ["=1+1", "007", "1E5", "<r><t>rich</t></r>", "é", "a\nb"])
def test_the_workbook_keeps_texts(text: str) -> None:
    assert str(sheets([answered("s1", text)])["Parts"][1][11]).rstrip(" ") == text


def test_the_header_of_a_sheet_stays_in_sight() -> None:
    book = openpyxl.load_workbook(io.BytesIO(written("xlsx", CLASS)))
    assert {sheet.freeze_panes for sheet in book} == {"B2"}


def test_more_parts_than_a_sheet_holds_go_on_in_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(xlsx, "_MOST_ROWS", 5)
    book = sheets(many(3))
    assert {name: len(table) for name, table in book.items()} == {"Grades": 4, "Parts": 5, "Parts 2": 5, "Parts 3": 2}
    assert [table[0][0] for table in book.values()] == ["student"] * 4


@pytest.mark.parametrize("tag", ["csv", "long_csv"])
@pytest.mark.parametrize("text", HOSTILE)
def test_a_hostile_text_changes_no_line_and_no_column(tag: str, text: str) -> None:
    table = list(csv.reader(io.StringIO(written(tag, [answered("s1", text)]).decode("utf-8"), newline="")))
    assert len(table) == (2 if tag == "csv" else 4)
    assert {len(cells) for cells in table} == {len(table[0])}
    name = table[1][table[0].index("name")]
    assert not re.match("[=+\\-@\t\r\n＝＋－＠]", name)
    assert _UNDO.sub("", name) == encodable(text)


@given(st.text(alphabet=st.characters(exclude_categories=()), max_size=30))
def test_every_text_comes_back_after_dropping_the_quote(text: str) -> None:
    (cells,) = csv.reader(io.StringIO(line([text, 1]).decode("utf-8"), newline=""))
    assert [_UNDO.sub("", cells[0]), cells[1]] == [encodable(text), "1"]


@pytest.mark.parametrize("text", ["=1", "+1", "-1", "@x", "\tx", "\rx", "\nx", "＝1", "＋1", "－1", "＠x", "'=1"])
def test_what_a_spreadsheet_would_calculate_has_a_quote_in_front(text: str) -> None:
    assert neutral(text) == f"'{text}"


@pytest.mark.parametrize("text", ["007", "1E5", "x=1", "'x", " =1", ""])
def test_other_texts_stay_as_they_are(text: str) -> None:
    assert neutral(text) == text


def test_numbers_are_written_as_numbers() -> None:
    assert line([-3, None, True, ("a", "b"), ()]) == b"-3,,yes,a b,\n"


POINTS = st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 4))


@settings(max_examples=12)
@given(st.lists(st.tuples(POINTS, st.integers(0, 5)), max_size=6))
def test_in_every_table_the_parts_less_the_penalty_are_the_total(drawn: list[tuple[tuple[int, int, int], int]]) -> None:
    rows = [row(f"s{n}", *p, late=min(late, sum(p)), days=min(late, 1)) for n, (p, late) in enumerate(drawn)]
    totals = {r.student.id: r.result.points for r in rows}

    def number(cell: Any) -> int:
        return int(cell or 0)

    wide = lines("csv", rows)
    book = sheets(rows)["Grades"]
    for table in (wide, [dict(zip(book[0], cells, strict=True)) for cells in book[1:]]):
        assert {r["student"]: number(r["total"]) for r in table} == totals
        for r in table:
            assert sum(number(r[f"{c.exercise}/{c.part}"]) for c in OUTLINE.columns) == number(r["q1"]) + number(
                r["q2"]
            )
            assert number(r["q1"]) + number(r["q2"]) - number(r["penalty"]) == number(r["total"])
    parts_sheet = sheets(rows)["Parts"]
    in_sheet = [dict(zip(parts_sheet[0], cells, strict=True)) for cells in parts_sheet[1:]]
    for table in (lines("long_csv", rows), in_sheet, arrow(rows)):
        for student, points in totals.items():
            own = [r for r in table if r["student"] == student]
            assert sum(number(r["points"]) for r in own) - number(own[0]["penalty"]) == points
            assert {number(r["total"]) for r in own} == {points}
    for record in map(json.loads, written("jsonl", rows).splitlines()):
        earned = sum(p["points"] for e in record["exercises"] for p in e["parts"])
        assert earned - (record["late"] or {"penalty": 0})["penalty"] == record["points"] == totals[record["student"]]


@pytest.mark.parametrize("tag", ["csv", "long_csv", "jsonl", "xlsx", "parquet", "gradescope", "junit"])
@pytest.mark.parametrize(
    "wrong",
    [
        row("s1", 3, 3, 4, late=0, days=1, points=9),
        row("s1", 3, 3, 4, points=None),
        row("s1", 3, 3, 4, exercises=()),
    ],
    ids=["another total", "hidden", "no parts"],
)
def test_points_that_do_not_add_up_never_leave(tag: str, wrong: Any) -> None:
    with pytest.raises(SolutionError, match="s1: the points"):
        written(tag, [wrong])


def test_a_part_that_the_outline_lacks_is_told() -> None:
    outline = Outline(course="c", title="", columns=OUTLINE.columns[:2])
    with pytest.raises(SolutionError, match="q2/ridge besides"):
        list(exporter("csv").export([row("s1", 3, 3, 0)], outline, Options()))


def test_points_that_a_person_gave_where_nothing_was_handed_in_count() -> None:
    blank = [part(n, 0, of, Verdict.MISSING) for n, of in (("flops", 3), ("bytes", 3))]
    given = part("ridge", 2, 4, Verdict.MISSING, override=Override(points=2, before=None))
    one = of("s1", *blank, given, status=Status.MISSING)
    (cells,) = lines("csv", [one])
    assert (cells["status"], cells["q2/ridge"], cells["total"]) == ("missing", "2", "2")


@pytest.mark.parametrize(
    ("tag", "students", "last", "most"),
    [
        ("csv", 2_500, 600, 300_000),
        ("long_csv", 2_500, 600, 300_000),
        ("parquet", 20_000, 2_000, 4_500_000),  # one row group
        ("jsonl", 1_000, 600, 300_000),
        ("junit", 1_000, 600, 300_000),
    ],
)
def test_of_thousands_of_students_none_is_kept(tag: str, students: int, last: int, most: int) -> None:
    gc.collect()

    def rows() -> Iterator[Any]:
        for number, one in enumerate(many(students)):
            if number == students - last:
                tracemalloc.start()  # slows everything down, and what is kept of the rest shows as well
            yield one

    try:
        for _ in exporter(tag).export(rows(), OUTLINE, Options()):
            pass
        assert tracemalloc.get_traced_memory()[1] < most
    finally:
        tracemalloc.stop()


def test_formats_without_a_template_can_be_written_twice_alike() -> None:
    for tag in ("csv", "long_csv", "jsonl", "junit", "gradescope", "parquet", "xlsx"):
        assert written(tag, CLASS) == written(tag, CLASS), tag


@pytest.mark.parametrize(("tag", "extra"), [("xlsx", "xlsx"), ("parquet", "parquet")])
def test_a_library_that_is_not_there_is_named(tag: str, extra: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(name: str) -> Any:
        raise ImportError(name)

    monkeypatch.setattr(output, "import_module", absent)
    with pytest.raises(GraderError, match=re.escape(f"pip install 'roofline-grader[{extra}]'")):
        written(tag, CLASS)


def test_nothing_graded_is_a_line_in_every_table(tmp_path: Path) -> None:
    rows = [ungraded(f"s{n}", status) for n, status in enumerate(Status) if status != Status.GRADED]
    assert [r["status"] for r in lines("csv", rows)] == ["missing", "unreadable", "duplicate", "failed"]
    assert len(arrow(rows)) == 4 * 3


def test_every_column_of_the_outline_has_its_own_name() -> None:
    outline = Outline(course="c", title="", columns=(Column(exercise="a", part="x", title="", max_points=1),))
    header = next(iter(exporter("csv").export([], outline, Options()))).decode().strip().split(",")
    assert header[5:7] == ["a/x", "a"]
    assert header[-1] == "max"


def test_each_format_is_found_and_nothing_else() -> None:
    assert tags("exports") == (
        "canvas", "classroom", "csv", "gradescope", "jsonl", "junit", "long_csv", "moodle", "moodle_feedback_zip",
        "parquet", "xlsx",
    )  # fmt: skip
    for tag in tags("exports"):
        assert exporter(tag).ending.startswith(".")
        assert exporter(tag).needs_template == (tag in ("canvas", "moodle"))

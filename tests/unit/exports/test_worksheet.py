"""An instructor's own file: what is filled, and that nothing else changes."""

import csv
import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.exports.options import ExportError
from grader.exports.worksheet import Worksheet

PLAIN = 'Student,ID,Points\n"Example, Ada",1,7\n"Say ""hi""",2,\n'


def sheet(folder: Path, content: bytes) -> Worksheet:
    file = folder / "sheet.csv"
    file.write_bytes(content)
    return Worksheet(file, "ID")


def forms() -> dict[str, bytes]:
    crlf = PLAIN.replace("\n", "\r\n")
    return {
        "plain": PLAIN.encode(),
        "mark": b"\xef\xbb\xbf" + PLAIN.encode(),
        "crlf": crlf.encode(),
        "cr": PLAIN.replace("\n", "\r").encode(),
        "no end": PLAIN.rstrip("\n").encode(),
        "semicolons": PLAIN.replace(",", ";").encode(),
        "tabs": PLAIN.replace(",", "\t").encode(),
        "utf-16 little": b"\xff\xfe" + crlf.encode("utf-16-le"),
        "utf-16 big": b"\xfe\xff" + crlf.encode("utf-16-be"),
        "latin-1": PLAIN.replace("Ada", "Adá").encode("latin-1"),
        "blank lines": PLAIN.replace("\n", "\n\n").encode(),
        "all quoted": b'"Student","ID","Points"\r\n"Example, Ada","1","7"\r\n"Say ""hi""","2",""\r\n',
        "blanks": PLAIN.replace(",1,", ", 1 ,").encode(),
    }


@pytest.mark.parametrize("content", forms().values(), ids=forms())
def test_nothing_changes_where_nothing_is_filled(content: bytes, tmp_path: Path) -> None:
    read = sheet(tmp_path, content)
    assert read.written({}) == content
    assert [name.lstrip("\ufeff") for name in read.header()] == ["Student", "ID", "Points"]


@pytest.mark.parametrize("content", forms().values(), ids=forms())
def test_only_the_cell_that_is_filled_changes(content: bytes, tmp_path: Path) -> None:
    read = sheet(tmp_path, content)
    (row,) = [n for n in range(len(read)) if read.text(n, 1) == "1"]
    wide = "utf-16-le" if content[:2] == b"\xff\xfe" else "utf-16-be" if content[:2] == b"\xfe\xff" else "latin-1"
    (place,) = [p for p in (content.rfind(t.encode(wide)) for t in ("7",)) if p >= 0]
    assert (
        read.written({(row, 2): "10"}) == content[:place] + "10".encode(wide) + content[place + len("7".encode(wide)) :]
    )


def test_a_cell_is_quoted_where_it_was_or_where_it_must_be(tmp_path: Path) -> None:
    read = sheet(tmp_path, b'Student,ID,"Points"\na,1,""\nb,2,\n')
    assert read.written({(1, 2): "5", (2, 2): 'x,"y"'}) == b'Student,ID,"Points"\na,1,"5"\nb,2,"x,""y"""\n'


def test_a_character_that_the_encoding_lacks_is_written_for_html(tmp_path: Path) -> None:
    assert sheet(tmp_path, b"ID,x\n\xe9,\n").written({(1, 1): "≥"}) == b"ID,x\n\xe9,&#8805;\n"


def test_lines_are_told_as_an_editor_counts_them(tmp_path: Path) -> None:
    read = sheet(tmp_path, b'ID,x\r\n"a\r\nb",1\r\nc,2\r\n')
    assert [read.line(row) for row in range(3)] == [1, 2, 4]


@pytest.mark.parametrize(
    ("content", "message"),
    [(b'ID,x\n1,"never closed\n', "never closed"), (b"ID,x\n1\n", "fewer cells")],
)
def test_a_broken_file_is_refused(content: bytes, message: str, tmp_path: Path) -> None:
    with pytest.raises(ExportError, match=message):
        sheet(tmp_path, content).written({(1, 1): "5"})


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(ExportError, match="No such file"):
        Worksheet(tmp_path / "gone.csv")


def test_a_file_must_be_named() -> None:
    with pytest.raises(ExportError, match="name the file that was downloaded"):
        Worksheet(None)


def test_an_empty_file_has_no_header(tmp_path: Path) -> None:
    assert sheet(tmp_path, b"").header() == []


TEXT = st.text(alphabet=st.characters(codec="utf-8", exclude_characters="\x00\ufeff"), max_size=8)


@given(
    cells=st.lists(st.lists(TEXT, min_size=2, max_size=2), min_size=1, max_size=5),
    quoting=st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]),
    end=st.sampled_from(["\n", "\r\n"]),
    text=TEXT,
)
def test_the_cells_are_those_of_any_csv_reader(
    cells: list[list[str]], quoting: int, end: str, text: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    held = io.StringIO(newline="")
    csv.writer(held, quoting=quoting, lineterminator=end).writerows([["ID", "x"], *cells])  # type: ignore[arg-type]
    content = held.getvalue()
    read = sheet(tmp_path_factory.mktemp("sheet"), content.encode())
    assert read.written({}) == content.encode()
    before = list(csv.reader(io.StringIO(content, newline="")))
    if [len(line) for line in before] != [2] * len(before):
        return  # the writer left a carriage return unquoted
    assert [[read.text(n, c) for c in range(2)] for n in range(len(read))] == [[c.strip() for c in b] for b in before]
    after = list(csv.reader(io.StringIO(read.written({(1, 1): text}).decode(), newline="")))
    before[1][1] = text
    assert after == before

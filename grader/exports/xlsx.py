"""A workbook with the sheets Grades (the table of `csv`) and Parts (that of `long_csv`).

Every text is written as text: nothing is calculated, `007` and `1E5` stay as they are, and no `'` is needed. Points
are numbers. The header stays in sight. Needs XlsxWriter (the extra `xlsx`). Where the parts are more than a sheet
can hold, further sheets follow; a text longer than a cell can hold is cut off at 16,000 characters, with `…` at the
end.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from tempfile import TemporaryFile
from typing import Any

from grader.exports.cells import Cell, encodable, flat
from grader.exports.figures import LONG, long, wide, wide_header
from grader.exports.options import Options
from grader.exports.output import library
from grader.gradebook import Outline, Row

ending = ".xlsx"
needs_template = False

_MOST_ROWS = 1_048_576
_LONGEST = 16_000  # a cell holds 32,767 units of UTF-16, of which a character takes at most two
_PIECE = 1 << 16


def export(rows: Iterable[Row], outline: Outline, options: Options) -> Iterator[bytes]:  # noqa: ARG001
    """The file; rows go to disk as they come."""
    writer = library("xlsxwriter", "xlsx")
    with TemporaryFile() as file:
        with writer.Workbook(file, {"constant_memory": True}) as book:
            book.set_properties({"created": datetime(1980, 1, 1)})
            grades, parts = _Sheets(book, "Grades", wide_header(outline)), _Sheets(book, "Parts", LONG)
            for row in rows:
                grades.add(wide(row, outline))
                for cells in long(row, outline):
                    parts.add(cells)
        file.seek(0)
        while piece := file.read(_PIECE):
            yield piece


class _Sheets:
    """A table in as many sheets as it takes."""

    def __init__(self, book: Any, name: str, header: Sequence[str]) -> None:
        self._book, self._name, self._header = book, name, header
        self._count = 0
        self._start()

    def _start(self) -> None:
        self._count += 1
        self._sheet = self._book.add_worksheet(self._name if self._count == 1 else f"{self._name} {self._count}")
        self._sheet.freeze_panes(1, 1)
        self._sheet.set_column(0, 3, 20)
        self._next = 0
        self.add(self._header)

    def add(self, cells: Sequence[Cell]) -> None:
        """Write one line below the others."""
        if self._next == _MOST_ROWS:
            self._start()
        for place, cell in enumerate(map(flat, cells)):
            if isinstance(cell, str):
                self._sheet.write_string(self._next, place, _text(cell))
            elif cell is not None:
                self._sheet.write_number(self._next, place, cell)
        self._next += 1


def _text(text: str) -> str:
    text = encodable(text)
    if len(text) > _LONGEST:
        text = text[: _LONGEST - 1] + "…"
    # the library takes a text of this form for its own XML and writes it as it is
    return text + " " if text.startswith("<r>") and text.endswith("</r>") else text

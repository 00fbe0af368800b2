"""An instructor's own CSV file, in which single cells are filled and every other byte stays as it is."""

import re
from bisect import bisect_right
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Mapping
from itertools import accumulate
from pathlib import Path

from grader.exports.cells import encodable, quoted
from grader.exports.options import ExportError

_DELIMITERS = (",", ";", "\t")
# a cell, quoted or not, and what ends it; characters behind a closing quote belong to the cell
_CELL = r'("(?:[^"]++|"")*+"[^{0}\r\n]*+|(?!")[^{0}\r\n]*+)({0}|\r\n|\r|\n|\Z)'

Span = tuple[int, int]


class Worksheet:
    """The cells of a CSV file by line and column, both from 0; the file's encoding, delimiter and quotes are kept."""

    def __init__(self, path: Path | None, header: str = "") -> None:
        """Read the file; `header` names a column that its first line should have. ExportError if it can't be read."""
        if path is None:
            raise ExportError("this format fills in a file of your own: name the file that was downloaded")
        try:
            content = path.read_bytes()
        except OSError as error:
            raise ExportError(f"{path}: {error.strerror}") from None
        self.name = path.name
        self.encoding = _encoding(content)
        self._text = content.decode(self.encoding)
        self._delimiter = self._find_delimiter(header)
        self._rows = self._split(self._delimiter)
        self._lines: list[int] = []

    def __len__(self) -> int:
        return len(self._rows)

    def width(self, row: int) -> int:
        """How many cells a line has."""
        return len(self._rows[row])

    def text(self, row: int, column: int | None) -> str:
        """What a cell says, without blanks around; empty where the line has no such cell."""
        if column is None or column >= len(self._rows[row]):
            return ""
        start, end = self._rows[row][column]
        raw = self._text[start:end]
        if raw.startswith('"'):
            inside, _, behind = raw[1:].rpartition('"')
            raw = inside.replace('""', '"') + behind
        return raw.strip()

    def header(self) -> list[str]:
        """The first line."""
        return [self.text(0, column) for column in range(self.width(0))] if self._rows else []

    def line(self, row: int) -> int:
        """The line of the file, from 1, on which a row begins: quoted cells may run over several."""
        if not self._lines:
            self._lines = list(accumulate(len(m[0]) for m in re.finditer(r"[^\r\n]*(?:\r\n|\r|\n)", self._text)))
        return bisect_right(self._lines, self._rows[row][0][0]) + 1

    def written(self, changes: Mapping[tuple[int, int], str]) -> bytes:
        """The file with these cells changed; ExportError if a line is too short for one."""
        pieces: list[str] = []
        done = 0
        for (row, column), text in sorted(changes.items()):
            if column >= self.width(row):
                raise ExportError(f"{self.name}:{self.line(row)}: the line has fewer cells than the header")
            start, end = self._rows[row][column]
            pieces += (self._text[done:start], self._cell(encodable(text), self._text[start:end]))
            done = end
        pieces.append(self._text[done:])
        # where the encoding lacks a character, the feedback shows it all the same: it is HTML
        return "".join(pieces).encode(self.encoding, "xmlcharrefreplace")

    def _cell(self, text: str, before: str) -> str:
        needed = before.startswith('"') or any(char in text for char in (self._delimiter, '"', "\r", "\n"))
        return quoted(text) if needed else text

    def _find_delimiter(self, header: str) -> str:
        """The one that gives the header this column, else the one that gives the first line most cells."""
        for delimiter in _DELIMITERS:
            first = self._split(delimiter, lines=1)
            self._rows = first
            if header and header in self.header():
                return delimiter
        return max(_DELIMITERS, key=lambda d: len(next(iter(self._split(d, lines=1)), ())))

    def _split(self, delimiter: str, lines: int | None = None) -> list[list[Span]]:
        cell = re.compile(_CELL.format(delimiter))
        rows: list[list[Span]] = []
        row: list[Span] = []
        place = 1 if self._text.startswith("\ufeff") else 0
        while place < len(self._text) or row:
            found = cell.match(self._text, place)
            if found is None:
                raise ExportError(f"{self.name}: a quotation mark is never closed")
            row.append(found.span(1))
            place = found.end()
            if found[2] != delimiter:
                rows.append(row)
                row = []
                if len(rows) == lines:
                    break
        return rows


def _encoding(content: bytes) -> str:
    """One that gives the same bytes back; the mark at the beginning stays part of the text."""
    if content.startswith(BOM_UTF16_LE):
        return "utf-16-le"
    if content.startswith(BOM_UTF16_BE):
        return "utf-16-be"
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        return "latin-1"
    return "utf-8"

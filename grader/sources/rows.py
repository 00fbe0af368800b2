"""Files of many submissions, read row by row: bounded lines, and rows as JSON documents."""

import csv
import io
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import BinaryIO

from grader.errors import SubmissionError
from grader.files import LIMIT
from grader.sources.tree import File

TOO_LONG = f"the row is longer than {LIMIT // 1024} KiB"

_MARKS = (b"\xff\xfe", b"\xfe\xff")
_DELIMITERS = (",", ";", "\t")
_ESCAPED = re.compile('[\x00-\x1f"\\\\\x7f\ud800-\udfff]')


@dataclass(frozen=True, slots=True)  # made for every row: its own functions run faster
class Row:
    """A row of a table. `line` is where it begins; with a `fault` its cells can't be told."""

    line: int
    cells: tuple[str, ...] = ()
    fault: str = ""


def lines(stream: BinaryIO) -> Iterator[tuple[int, bytes | None]]:
    """The lines of a stream that aren't blank, with their numbers; None for one that is too long."""
    number = 0
    while piece := stream.readline(LIMIT + 2):
        number += 1
        if len(piece) > LIMIT and not piece.endswith(b"\n"):
            while piece and not piece.endswith(b"\n"):
                piece = stream.readline(LIMIT)
            yield number, None
            continue
        line = piece.removeprefix(b"\xef\xbb\xbf").strip() if number == 1 else piece.strip()
        if line:
            yield number, line if len(line) <= LIMIT else None


def table(file: File) -> Iterator[Row]:
    """The rows of a table in a CSV file, the header first; commas, semicolons or tabs between the cells."""
    with file.opened() as stream:
        head = stream.read(2)
    with file.opened() as stream:
        encoding = "utf-16" if head in _MARKS else "utf-8-sig"
        with io.TextIOWrapper(stream, encoding, errors="surrogateescape", newline="") as text:
            yield from _rows(text, file)


def object_of(pairs: Iterable[tuple[str, str]]) -> str:
    """A JSON object of members that are JSON already; a name may come twice."""
    return "{" + ", ".join(f"{string_of(name)}: {value}" for name, value in pairs) + "}"


def string_of(text: str) -> str:
    """A JSON string in which no escape can be taken for a command of LaTeX."""
    return f'"{text}"' if _ESCAPED.search(text) is None else f'"{_ESCAPED.sub(_escape, text)}"'


def _escape(match: re.Match[str]) -> str:
    return f"\\u{ord(match[0]):04x}"


def document(student: str, answers: Iterable[tuple[str, str, str]]) -> str:
    """A file of answers in JSON: exercise ("" for none), part and response of each."""
    exercises: dict[str, list[tuple[str, str]]] = {}
    for exercise, part, response in answers:
        exercises.setdefault(exercise, []).append((part, string_of(response)))
    loose = exercises.pop("", [])
    members = [*loose, *((exercise, object_of(parts)) for exercise, parts in exercises.items())]
    return object_of([("student", string_of(student)), ("answers", object_of(members))])


class _Lines:
    """The lines of a text, each bounded; one that is too long is told once it is asked for, and skipped."""

    def __init__(self, text: io.TextIOWrapper) -> None:
        self._text = text
        self._next = ""
        self.number = 0
        self.too_long = False
        self.begun = 0  # lines of the row that is being read
        self.unclosed = False  # whether a quotation mark was closed for it
        self.delimiter, self.width = ",", 0

    def __iter__(self) -> "_Lines":
        return self

    def __next__(self) -> str:
        piece = self._next or self._text.readline(LIMIT + 2)
        self._next = ""
        if not piece:
            raise StopIteration
        if self.begun and self._is_row(piece):  # somebody forgot to close a quotation mark above
            self._next, self.unclosed, self.begun = piece, True, 0
            return '"\n'
        self.begun += 1
        self.number += 1
        if len(piece) > LIMIT and not piece.endswith(("\n", "\r")):
            while piece and not piece.endswith(("\n", "\r")):
                piece = self._text.readline(LIMIT)
            self.too_long = True
            return "\n"
        return piece

    def _is_row(self, line: str) -> bool:
        """Whether a line inside a quoted cell is a row of the table by itself."""
        whole = self.width > 1 and line.count('"') % 2 == 0 and line.count(self.delimiter) >= self.width - 1
        return whole and len(next(csv.reader([line], delimiter=self.delimiter), [])) == self.width


def _rows(text: io.TextIOWrapper, file: File) -> Iterator[Row]:
    source = _Lines(text)
    first = next(source, None)
    if first is None or source.too_long:
        raise SubmissionError(file.source, "a header with the names of the columns is expected", 1)
    delimiter = max(_DELIMITERS, key=first.count)
    header = next(csv.reader([first], delimiter=delimiter), [])
    yield Row(1, tuple(cell.strip() for cell in header))
    source.delimiter, source.width = delimiter, len(header)
    reader = csv.reader(source, delimiter=delimiter)
    while True:
        line = source.number + 1
        source.too_long = source.unclosed = False
        source.begun = 0
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error:
            yield Row(line, (), "a quotation mark is not closed, or a cell is too long")
            continue
        except UnicodeError:
            raise SubmissionError(file.source, "damaged UTF-16; save the file as UTF-8", line) from None
        if source.unclosed:
            yield Row(line, (), "a quotation mark is not closed")
        elif source.too_long or any(cell.strip() for cell in cells):
            yield _row(line, cells, source)


def _row(line: int, cells: list[str], source: _Lines) -> Row:
    if source.too_long or sum(map(len, cells)) > LIMIT:
        return Row(line, (), TOO_LONG)
    text = "".join(cells)
    if "\0" in text:
        return Row(line, (), "NUL byte in this row")
    if not text.isascii() and re.search("[\ud800-\udfff]", text):
        return Row(line, (), "not UTF-8; save the file as UTF-8")
    return Row(line, tuple(cells))

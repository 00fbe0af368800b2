"""Answers in CSV: columns exercise, part and response, one answer a row; or one row with a column for each answer."""

import csv
import re

from grader.errors import SubmissionError
from grader.formats.document import MOST_UNREAD, Document, Remark, chain
from grader.values import frozen
from grader.yamltree import MOST_EVENTS, Entry, Mapping, Text

MOST_LINES_OF_A_CELL = 20
MOST_COMMAS = 20  # of formulas in a row, outside of quotation marks

_COLUMNS = {
    "student": "student",
    "exercise": "exercise",
    "question": "exercise",
    "part": "part",
    "response": "response",
    "answer": "response",
    "value": "response",
}
_LONG = ["exercise", "part", "response"]
_ID = re.compile(r"[A-Za-z0-9][\w-]*")
_PLACE = re.compile(r"([A-Za-z0-9][\w-]*)[./]([\w-]+)")  # q4.flops, q4-batched-matmul/flops
_FORMULA = re.compile(r"'(?=[-=+@])")  # what spreadsheets put before a text that isn't to be calculated
_UNCLOSED = "the closing quotation mark is missing"


@frozen
class Row:
    """One row: its first line in the file, its cells, and what is wrong with it."""

    line: int
    cells: tuple[str, ...]
    fault: str = ""


def read(text: str, name: str) -> Document:
    """The answers in a CSV file; SubmissionError where no answer can be told, and for those of several students."""
    rows, delimiter = read_rows(text, name)
    if not rows:
        return Document(None)
    header = [_COLUMNS.get(cell.casefold(), cell) for cell in rows[0].cells]
    remarks: list[Remark] = []
    if {"part", "response"} <= set(header):
        entries = _Answers(header, delimiter, remarks).read(rows[1:])
    elif any(map(_PLACE.fullmatch, header)):
        entries = _wide(header, rows[1:], delimiter)
    elif len(header) == 3 and all(map(_ID.fullmatch, header[:2])):
        entries = _Answers(_LONG, delimiter, remarks).read(rows)
    else:
        raise SubmissionError(name, "the columns exercise, part and response are expected", rows[0].line)
    students = {e.value.value: None for e in entries if e.key == "student" and isinstance(e.value, Text)}
    if len(students) > 1:
        named = " and ".join(list(students)[:2])
        raise SubmissionError(name, f"several students ({named}): grade it as a table of many submissions")
    return Document(Mapping(tuple(entries)), tuple(remarks[:MOST_UNREAD]), text)


def read_rows(text: str, name: str) -> tuple[list[Row], str]:
    """The rows that hold anything, and the sign between their cells; SubmissionError if there are too many."""
    lines = text.split("\n")
    first = next((line for line in lines if line.strip(" ,;\t")), "")
    stated = re.fullmatch(r"sep=([,;\t])", first.strip("\ufeff "))
    delimiter = stated[1] if stated else max(",;\t", key=first.count)
    if stated:
        lines[lines.index(first)] = ""
    rows: list[Row] = []
    at = 0
    while at < len(lines):
        row, after = _row(lines, at, delimiter, len(rows[0].cells) if rows else 2)
        at = after
        if any(row.cells) and not row.cells[0].startswith("#"):
            rows.append(row)
        if len(rows) > MOST_EVENTS:
            raise SubmissionError(name, "there are too many rows in this file", row.line)
    return rows, delimiter


def _row(lines: list[str], at: int, delimiter: str, width: int) -> tuple[Row, int]:
    """The row that begins in a line, and the number of the line after it.

    A cell in quotes may go over lines; but a line that is a row by itself isn't swallowed by a mark left open.
    """
    cells = _cells(lines[at], delimiter)
    source, after = lines[at], at + 1
    while cells is None and source.count('"') % 2 and after < min(len(lines), at + MOST_LINES_OF_A_CELL):
        if lines[after].count(delimiter) >= width - 1:
            break
        source += "\n" + lines[after]
        after += 1
        cells = _cells(source, delimiter)
    if cells is not None:
        return Row(at + 1, cells), after
    plain = tuple(map(_unquoted, lines[at].split(delimiter)))
    broken = any(cell.startswith('"') and cell.count('"') % 2 for cell in plain)
    return Row(at + 1, plain, _UNCLOSED if broken else ""), at + 1


def _cells(source: str, delimiter: str) -> tuple[str, ...] | None:
    """The cells of one row; None where its quotation marks don't fit."""
    if '"' not in source:
        return tuple(cell.strip() for cell in source.split(delimiter))
    try:
        rows = list(csv.reader([source], delimiter=delimiter, strict=True, skipinitialspace=True))
    except csv.Error:
        return None
    return tuple(cell.strip() for cell in rows[0]) if len(rows) == 1 else None


def _unquoted(cell: str) -> str:
    cell = cell.strip()
    return cell[1:-1] if len(cell) > 1 and cell[0] == cell[-1] == '"' and '"' not in cell[1:-1] else cell


class _Answers:
    """The answers of a table with one in each row. A blank exercise is the one above, as spreadsheets leave it."""

    def __init__(self, header: list[str], delimiter: str, remarks: list[Remark]) -> None:
        self._header, self._delimiter, self._remarks = header, delimiter, remarks
        self._exercise = ""

    def read(self, rows: list[Row]) -> list[Entry]:
        """An entry for each row that can be told to be an answer's, and those of the students."""
        return [entry for row in rows for entry in self._row(row)]

    def _row(self, row: Row) -> list[Entry]:
        row = fitted(row, len(self._header), self._delimiter)
        record = dict(zip(self._header, row.cells, strict=False))
        exercise, part = record.get("exercise", "") or self._exercise, record.get("part", "")
        if "exercise" not in self._header and (place := _PLACE.fullmatch(part)):
            exercise, part = place[1], place[2]
        if not part:
            what = self._delimiter.join(row.cells)[:60]
            self._remarks.append((row.line, f"not read: {what}"))
            return []
        self._exercise = exercise
        fault = row.fault
        if not fault and "response" not in record:
            fault = "there are too few cells in this row"
        value = _answer(record.get("response", ""), row.line, fault)
        path = ("answers", exercise, part) if exercise else ("answers", part)
        return [*_student(record.get("student", ""), row.line), chain(path, value, row.line)]


def _wide(header: list[str], rows: list[Row], delimiter: str) -> list[Entry]:
    """The answers of a table with a column for each; one row is one student's, and more are as many students'."""
    entries: list[Entry] = []
    for number, row in enumerate((fitted(row, len(header), delimiter) for row in rows), 1):
        record = dict(zip(header, row.cells, strict=False))
        named = record.get("student", "") or (f"row {number}" if len(rows) > 1 else "")
        entries += _student(named, row.line)
        for column, cell in zip(header, (*row.cells, *[""] * len(header)), strict=False):
            if place := _PLACE.fullmatch(column):
                value = _answer(cell, row.line, row.fault)
                entries.append(chain(("answers", place[1], place[2]), value, row.line))
    return entries


def fitted(row: Row, width: int, delimiter: str) -> Row:
    """The row without blank cells too many; a formula that was cut at its commas is one again."""
    cells = list(row.cells)
    while len(cells) > width and not cells[-1]:
        cells.pop()
    while width < len(cells) <= width + MOST_COMMAS and (cut := _cut(cells)) is not None:
        cells[cut : cut + 2] = [f"{cells[cut]}{delimiter} {cells[cut + 1]}"]
    fault = row.fault
    if len(cells) > width and not fault:
        fault = f"there are too many cells in this row: put an answer with {_named(delimiter)} in quotes"
    return Row(row.line, tuple(cells), fault)


def _cut(cells: list[str]) -> int | None:
    """The cell in which a bracket is open that a later one closes."""
    for place, cell in enumerate(cells[:-1]):
        if sum(map(cell.count, "([{")) > sum(map(cell.count, ")]}")):
            return place
    return None


def _named(delimiter: str) -> str:
    return {",": "a comma", ";": "a semicolon"}.get(delimiter, "a tab")


def _answer(cell: str, line: int, fault: str) -> Text:
    return Text(cell[1:] if _FORMULA.match(cell) else cell, line, '"', fault=fault)


def _student(name: str, line: int) -> list[Entry]:
    return [Entry("student", Text(name, line, '"'), line)] if name else []

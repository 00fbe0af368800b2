"""Who is in the class: a roster, a gradebook export or a grading worksheet, in CSV.

Recognised by their columns, whatever their order, case and language where it is named:
- Classroom 50's roster: username, first_name, last_name, email, section, github_id, role (only students are taken);
- Canvas's gradebook: Student (or LastName, FirstName), ID, SIS User ID, SIS Login ID, Section;
- Moodle's grading worksheet in English, German, French or Spanish: Identifier (`Participant 70001`, by which also the
  bare number is known), Full name, ID number, Email address;
- the grades.csv of GitHub Classroom: github_username, roster_identifier, submission_timestamp;
- any other: student (or student_id, id), name, email, section, login (or username, github ...), submitted_at.

A student's id is the first of these that the row has: student, student_id or id (not Canvas's ID, which is a number of
its own, nor Moodle's Identifier); the username or SIS Login ID; the ID number, SIS User ID or roster identifier; the
number of the Identifier or Canvas's ID; the e-mail address; the name. Every other one of them is an alias.
"""

import csv
import io
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from dataclasses import field
from datetime import datetime
from decimal import Decimal, InvalidOperation
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path

from grader.errors import SubmissionError
from grader.files import read_text, shown
from grader.gradebook import Student
from grader.moments import moment
from grader.roster_columns import Columns, columns, delimiter
from grader.values import frozen

LIMIT = 64 << 20

_CLOSE = 0.85
_MOST_COMPARED = 20_000  # aliases to which an unknown name is compared
_GUARDED = ("'=", "'+", "'-", "'@", "'\t", "'\r")


@frozen(kw_only=True, slots=False)
class Roster:
    """The students of a class, and what was odd about the file. `times` are moments by student's id and clock."""

    students: tuple[Student, ...]
    times: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()

    def find(self, *texts: str) -> Student | None:
        """The student whom the first of the texts that is known names; None if none does.

        A text is known if it is the id or another alias of one student only. It is taken as it stands (0429 is not
        429), then without regard to case, to the Unicode form and to how many blanks there are.
        """
        for text in texts:
            found = self._exact.get(text.strip()) if text else None
            found = found or (self._folded.get(folded(text)) if text else None)
            if found is not None and len(found) == 1:
                return found[0]
        return None

    def near(self, text: str) -> Student | None:
        """The student who may be meant by a text that is not known: 0429 for 429, 100000 for 1e5, or a near spelling.

        None if there is none, or more than one.
        """
        number = _number(text)
        found = self._numbers.get(number, ()) if number is not None else ()
        if found or number is not None:
            return found[0] if len(found) == 1 else None
        names = list(self._folded)[:_MOST_COMPARED]
        close = get_close_matches(folded(text[:200]), names, n=2, cutoff=_CLOSE)
        near = list(dict.fromkeys(student for name in close for student in self._folded[name]))
        return near[0] if len(near) == 1 else None

    @cached_property
    def _exact(self) -> dict[str, tuple[Student, ...]]:
        return _index(self.students, str)

    @cached_property
    def _folded(self) -> dict[str, tuple[Student, ...]]:
        return _index(self.students, folded)

    @cached_property
    def _numbers(self) -> dict[Decimal, tuple[Student, ...]]:
        found: dict[Decimal, dict[Student, None]] = {}
        for student in self.students:
            for text in student.aliases:
                number = _number(text)
                if number is not None:
                    found.setdefault(number, {})[student] = None
        return {number: tuple(students) for number, students in found.items()}


def read_roster(path: Path, *, empty: bool = False) -> Roster:
    """The students in a CSV file (comma, semicolon or tab; UTF-8, or UTF-16 with a mark; up to 64 MiB).

    SubmissionError (file, line, what) if it can't be read, or names no students and may not be `empty`. What is odd
    but can be lived with, such as an alias that two students share, is among the roster's `remarks`.
    """
    text = read_text(path, shown(str(path)), LIMIT)
    reading = _Reading(shown(str(path)))
    for line, cells in _rows(text, reading):
        reading.row(line, cells)
    return reading.roster(empty=empty)


def folded(text: str) -> str:
    """A name or an address without regard to case, to the Unicode form, and to how many blanks there are."""
    return " ".join(unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold()).split())


class _Reading:
    """The students so far."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.columns: Columns | None = None
        self._students: dict[str, Student] = {}
        self._lines: dict[str, int] = {}
        self._times: dict[str, dict[str, str]] = {}
        self._remarks: list[str] = []

    def row(self, line: int, cells: list[str]) -> None:
        """Take one row, the header first."""
        cells = [cell.strip() for cell in cells]
        if self.columns is None:
            self.columns = columns(cells)
            if not self.columns.identities:
                what = "no column names the students: student, username, email, ID number or Identifier is expected"
                raise SubmissionError(self.name, what, line)
            return
        cells = [cell[1:] if cell.startswith(_GUARDED) else cell for cell in cells]
        if not any(cells) or self.columns.skips(cells):
            return
        student = self.columns.student(cells)
        if student is None:
            self._remarks.append(f"{self.name}:{line}: this row names no student")
        else:
            self._add(line, student)
            self._time(line, student.id, cells)

    def roster(self, *, empty: bool) -> Roster:
        """All students, in the order of the file."""
        if not (self._students or empty):
            raise SubmissionError(self.name, "there are no students in this file")
        students = tuple(self._students.values())
        return Roster(students=students, times=self._times, remarks=(*self._remarks, *_shared(students)))

    def _add(self, line: int, student: Student) -> None:
        known = self._students.get(student.id)
        if known is None:
            self._students[student.id], self._lines[student.id] = student, line
        elif known != student:
            first = self._lines[student.id]
            self._remarks.append(f"{self.name}:{line}: {shown(student.id)} is in line {first} too, with other data")

    def _time(self, line: int, student: str, cells: list[str]) -> None:
        assert self.columns is not None
        clock, text = self.columns.time(cells)
        if not text:
            return
        time = moment(text)
        if time is None:
            self._remarks.append(f"{self.name}:{line}: {shown(text[:60])} is no time such as 2026-10-02T09:14:41Z")
            return
        known = self._times.setdefault(student, {})
        if clock not in known or datetime.fromisoformat(time) > datetime.fromisoformat(known[clock]):
            known[clock] = time


def _rows(text: str, reading: _Reading) -> Iterator[tuple[int, list[str]]]:
    """The rows that aren't blank, with the lines on which they end."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter(text.split("\n", 1)[0]), strict=True)
    try:
        for cells in reader:
            if cells:
                yield reader.line_num, cells
    except csv.Error as error:
        what = "a cell is too long" if "limit" in str(error) else "quotation marks are not in order"
        raise SubmissionError(reading.name, what, reader.line_num) from None


def _index(students: tuple[Student, ...], key: Callable[[str], str]) -> dict[str, tuple[Student, ...]]:
    """The students by each of their texts."""
    found: dict[str, dict[Student, None]] = {}
    for student in students:
        for text in student.aliases:
            found.setdefault(key(text), {})[student] = None
    return {text: tuple(same) for text, same in found.items()}


def _shared(students: tuple[Student, ...]) -> list[str]:
    """What to say of aliases that name more than one student."""
    exact = _index(students, str)
    remarks = []
    for text, owners in _index(students, folded).items():
        if len(owners) > 1:
            ids = " and ".join(shown(student.id) for student in owners[:5]) + (" and others" if len(owners) > 5 else "")
            spelled = [alias for owner in owners for alias in owner.aliases if folded(alias) == text]
            apart = all(len(exact[alias]) == 1 for alias in spelled)
            rest = "names nobody unless it is spelled as here" if apart else "names nobody"
            remarks.append(f"{shown(text)} stands for {ids}: it {rest}")
    return remarks


def _number(text: str) -> Decimal | None:
    """The number as which a spreadsheet takes a text, None for what it leaves alone."""
    text = text.strip()
    if not text.isascii() or len(text) > 40 or not any(sign.isdigit() for sign in text):
        return None
    try:
        number = Decimal(text)
    except InvalidOperation:
        return None
    return number if number.is_finite() and abs(number.adjusted()) < 400 else None

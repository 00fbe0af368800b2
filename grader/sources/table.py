"""Tables in CSV: one submission a row, or one answer a row.

With the columns `student`, `part` and `response` (`exercise` too, as a rule) each row is one answer, and the rows of a
student are one submission wherever they stand. Otherwise each row is one submission, and each column that says nothing
of the student is a part: `flops`, or `q4-batched-matmul.flops` with its exercise (`/` and `:` will do). A blank cell
is no answer. `name`, `submitted_at` and `attempt` are taken as such.

Rows are read one after the other, so the file may be of any length: of a table with one answer a row only the students
are held in memory, and the rows of those that are not complete. A table that names a single student is that student's
own file of answers.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import ClassVar

from grader.files import LIMIT
from grader.moments import moment
from grader.sources.candidate import Candidate
from grader.sources.choosing import header
from grader.sources.names import rank, stem
from grader.sources.place import Claim, Place
from grader.sources.rows import TOO_LONG, Row, document, table
from grader.sources.tree import File
from grader.values import frozen

STUDENT = (
    "student", "student id", "studentid", "id", "sid", "key", "username", "user", "login", "github username", "email",
)  # fmt: skip
_RESPONSE = ("response", "answer")
_ABOUT = {  # columns of rosters and gradebooks, which are no parts
    *STUDENT, "name", "full name", "first name", "last name", "section", "role", "github id", "email address", "late",
    "attempt", "submitted at", "timestamp", "score", "max score", "points", "grade", "datetime", "comment", "comments",
    "submission tag", "submitted by", "review url", "override", "sis user id", "sis login id", "id number",
    "identifier", "status", "group",
}  # fmt: skip
_LISTS = ("roster", "scores", "grades", "gradebook")


@frozen
class _Columns:
    """Where in a row what stands; -1 where there is no such column."""

    names: tuple[str, ...]
    student: int
    exercise: int
    part: int
    response: int

    @property
    def long(self) -> bool:
        """Whether each row is one answer."""
        return self.student >= 0 and self.part >= 0 and self.response >= 0

    @property
    def parts(self) -> tuple[int, ...]:
        """The columns that are parts, where each row is one submission."""
        return tuple(place for place, name in enumerate(self.names) if name and _word(name) not in _ABOUT)

    def cell(self, row: Row, word: str) -> str:
        """The cell in the column called `word`, "" if there is none."""
        place = _place(self.names, (word,))
        return row.cells[place].strip() if 0 <= place < len(row.cells) else ""


class Table:
    """Tables of submissions in CSV."""

    order: ClassVar[int] = 80

    def claim(self, place: Place) -> Claim | None:
        """The submissions of all tables that name their students."""
        if place.level or any(rank(file.name) in (0, 1) for file in place.contents.files if not place.alone):
            return None
        files = [file for file in place.contents.files if _is_table(file, place.alone)]
        if not files:
            return None
        return Claim(_candidates(files), place.contents.without(files))


def columns(names: tuple[str, ...]) -> _Columns:
    """What the columns of a table are, by its header."""
    return _Columns(
        names,
        _place(names, STUDENT),
        _place(names, ("exercise", "question")),
        _place(names, ("part",)),
        _place(names, _RESPONSE),
    )


def _word(name: str) -> str:
    return " ".join(name.replace("_", " ").replace("-", " ").casefold().split())


def _place(names: tuple[str, ...], words: tuple[str, ...]) -> int:
    found = [_word(name) for name in names]
    return next((found.index(word) for word in words if word in found), -1)


def _is_table(file: File, alone: bool) -> bool:
    """Whether a file holds the answers of several students; one row a submission only where the file was given."""
    if not file.name.lower().endswith((".csv", ".tsv")) or stem(file.name).lower() in _LISTS or file.fault:
        return False
    head = header(file)
    if not any(word in _word(head) for word in STUDENT):
        return False
    rows = table(file)
    found = columns(next(rows).cells)
    if not found.long:
        return alone and found.student >= 0 and found.part < 0 and bool(found.parts)
    first = ""
    for row in rows:
        student = _student(found, row)
        if student and first and student != first:
            return True
        first = first or student
    return False


def _student(found: _Columns, row: Row) -> str:
    return row.cells[found.student].strip() if len(row.cells) > found.student else ""


def _candidates(files: list[File]) -> Iterator[Candidate]:
    for file in files:
        rows = table(file)
        found = columns(next(rows).cells)
        for row, candidate in _long(file, found) if found.long else _wide(found, rows):
            yield replace(
                candidate,
                source=f"{file.source}:{row.line}",
                platform="table",
                key=candidate.key or f"{file.name}:{row.line}",
                named=bool(candidate.key),
                row=row.line,
            )


_BLANK = Candidate(source="")


def _wide(found: _Columns, rows: Iterator[Row]) -> Iterator[tuple[Row, Candidate]]:
    """A candidate for each row."""
    parts = [(place, *_split(found.names[place])) for place in found.parts]
    for row in rows:
        if row.fault:
            yield row, replace(_BLANK, message=row.fault)
            continue
        student = _student(found, row)
        candidate = _about(found, row, student)
        if any(cell.strip() for cell in row.cells[len(found.names) :]):
            candidate = replace(candidate, message="more cells than columns: put a formula with a comma in quotes")
        cells = [(exercise, part, "".join(row.cells[i : i + 1])) for i, exercise, part in parts]
        yield row, _with(candidate, document(student, (cell for cell in cells if cell[2].strip())))


def _about(found: _Columns, row: Row, student: str) -> Candidate:
    time, attempt = moment(found.cell(row, "submitted at")), found.cell(row, "attempt")
    return replace(
        _BLANK,
        key=student,
        name=found.cell(row, "name") or found.cell(row, "full name"),
        times={"lms": time} if time else {},
        attempt=int(attempt) if attempt.isascii() and attempt.isdigit() and len(attempt) < 6 else None,
        late=found.cell(row, "late").casefold() in ("1", "yes", "true", "late"),
    )


def _with(candidate: Candidate, text: str) -> Candidate:
    content = text.encode("utf-8")
    return replace(candidate, content=content) if len(content) <= LIMIT else replace(candidate, message=TOO_LONG)


def _split(name: str) -> tuple[str, str]:
    """The exercise ("" for none) and the part that a column's name gives."""
    for sign in "/:.":
        exercise, found, part = name.partition(sign)
        if found and exercise.strip() and part.strip():
            return exercise.strip(), part.strip()
    return "", name.strip()


@frozen
class _Open:
    """A student's rows so far."""

    first: Row
    about: Candidate
    answers: list[tuple[str, str, str]]
    faults: list[str]


def _long(file: File, found: _Columns) -> Iterator[tuple[Row, Candidate]]:
    """A candidate for each student, as soon as the last of the student's rows is read."""
    left = _counted(file, found)
    begun: dict[str, _Open] = {}
    rows = table(file)
    next(rows)
    for row in rows:
        student = _student(found, row)
        if row.fault or not student:
            yield row, replace(_BLANK, message=row.fault or "this row names no student")
            continue
        own = begun.get(student)
        if own is None:
            own = begun[student] = _Open(row, _about(found, row, student), [], [])
        _add(own, found, row)
        left[student] -= 1
        if left[student] <= 0:
            yield own.first, _closed(begun.pop(student), student)


def _counted(file: File, found: _Columns) -> dict[str, int]:
    """How many rows each student has."""
    left: dict[str, int] = {}
    rows = table(file)
    next(rows)
    for row in rows:
        if not row.fault and (student := _student(found, row)):
            left[student] = left.get(student, 0) + 1
    return left


def _add(own: _Open, found: _Columns, row: Row) -> None:
    cells = list(row.cells) + [""] * (len(found.names) - len(row.cells))
    if len(cells) > len(found.names) and found.response == len(found.names) - 1:  # a formula with a comma, unquoted
        cells[found.response :] = [",".join(cells[found.response :])]
    size = sum(len(part) + len(response) for _, part, response in own.answers)
    if size + sum(map(len, cells)) > LIMIT:
        own.faults.append(f"the student's rows are longer than {LIMIT // 1024} KiB together")
        own.answers.clear()
    elif not own.faults:
        exercise = cells[found.exercise].strip() if found.exercise >= 0 else ""
        own.answers.append((exercise, cells[found.part].strip(), cells[found.response]))


def _closed(own: _Open, student: str) -> Candidate:
    if own.faults:
        return replace(own.about, message=own.faults[0])
    return _with(own.about, document(student, own.answers))

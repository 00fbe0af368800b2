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
_GUARDED = ("'=", "'+", "'-", "'@")
_MORE = "more cells than columns: put a formula with a comma in quotes"


@frozen
class Columns:
    """Where in a row what stands; -1 where there is no such column."""

    names: tuple[str, ...]
    student: int
    exercise: int
    part: int
    response: int
    name: int
    submitted: int
    attempt: int
    late: int
    parts: tuple[tuple[int, str, str], ...]  # with exercise and part, where each row is one submission

    @property
    def long(self) -> bool:
        """Whether each row is one answer."""
        return self.student >= 0 and self.part >= 0 and self.response >= 0


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


def columns(names: tuple[str, ...]) -> Columns:
    """What the columns of a table are, by its header."""
    words = [_word(name) for name in names]

    def place(*wanted: str) -> int:
        return next((words.index(word) for word in wanted if word in words), -1)

    return Columns(
        names,
        place(*STUDENT),
        place("exercise", "question"),
        place("part"),
        place(*_RESPONSE),
        place("name", "full name"),
        place("submitted at"),
        place("attempt"),
        place("late"),
        tuple((i, *_split(names[i])) for i, word in enumerate(words) if word and word not in _ABOUT),
    )


def _word(name: str) -> str:
    return " ".join(name.replace("_", " ").replace("-", " ").casefold().split())


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


def _student(found: Columns, row: Row) -> str:
    text = row.cells[found.student].strip() if len(row.cells) > found.student else ""
    return text[1:] if text[:2] in _GUARDED else text  # a sign that keeps spreadsheets from computing


def _cell(row: Row, place: int) -> str:
    return row.cells[place].strip() if 0 <= place < len(row.cells) else ""


def _candidates(files: list[File]) -> Iterator[Candidate]:
    for file in files:
        rows = table(file)
        found = columns(next(rows).cells)
        yield from _long(file, found) if found.long else _wide(file, found, rows)


def _candidate(file: File, found: Columns, row: Row, text: str, message: str) -> Candidate:
    """The candidate that begins in a row, with its answers as a JSON document."""
    student = "" if row.fault else _student(found, row)
    time = moment(_cell(row, found.submitted)) if found.submitted >= 0 else None
    attempt = _cell(row, found.attempt)
    content = text.encode("utf-8")
    return Candidate(
        source=f"{file.source}:{row.line}",
        platform="table",
        key=student or f"{file.name}:{row.line}",
        named=bool(student),
        name=_cell(row, found.name),
        times={"lms": time} if time else {},
        attempt=int(attempt) if attempt.isascii() and attempt.isdigit() and len(attempt) < 6 else None,
        late=_cell(row, found.late).casefold() in ("1", "yes", "true", "late"),
        row=row.line,
        content=content,
        message=message or (TOO_LONG if len(content) > LIMIT else ""),
    )


def _wide(file: File, found: Columns, rows: Iterator[Row]) -> Iterator[Candidate]:
    """A candidate for each row."""
    for row in rows:
        if row.fault:
            yield _candidate(file, found, row, "", row.fault)
            continue
        message = "" if len(row.cells) <= len(found.names) or not "".join(row.cells[len(found.names) :]) else _MORE
        answers = [(exercise, part, text) for i, exercise, part in found.parts if (text := _cell(row, i))]
        yield _candidate(file, found, row, document(_student(found, row), answers), message)


def _split(name: str) -> tuple[str, str]:
    """The exercise ("" for none) and the part that a column's name gives."""
    for sign in "/:.":
        exercise, found, part = name.partition(sign)
        if found and exercise.strip() and part.strip():
            return exercise.strip(), part.strip()
    return "", name.strip()


@frozen
class _Open:
    """A student's rows so far: the first of them, their answers, and what is wrong."""

    first: Row
    answers: list[tuple[str, str, str]]
    faults: list[str]


def _long(file: File, found: Columns) -> Iterator[Candidate]:
    """A candidate for each student, as soon as the last of the student's rows is read."""
    left = _counted(file, found)
    begun: dict[str, _Open] = {}
    rows = table(file)
    next(rows)
    for row in rows:
        student = "" if row.fault else _student(found, row)
        if not student:
            yield _candidate(file, found, row, "", row.fault or "this row names no student")
            continue
        own = begun.get(student)
        if own is None:
            own = begun[student] = _Open(row, [], [])
        _add(own, found, row)
        left[student] -= 1
        if left[student] <= 0:
            del begun[student]
            yield _candidate(file, found, own.first, document(student, own.answers), "".join(own.faults[:1]))


def _counted(file: File, found: Columns) -> dict[str, int]:
    """How many rows each student has."""
    left: dict[str, int] = {}
    rows = table(file)
    next(rows)
    for row in rows:
        if not row.fault and (student := _student(found, row)):
            left[student] = left.get(student, 0) + 1
    return left


def _add(own: _Open, found: Columns, row: Row) -> None:
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

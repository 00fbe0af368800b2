"""Reading a store: runs, results by student, and the gradebook."""

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import fields
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from typing import Any, Self

from grader.compiled import Policy
from grader.errors import GraderError
from grader.gradebook import Column, Outline, Row, Student, anonymous, pseudonym
from grader.policy import Attempt, settle
from grader.records import full_text, indented, part_result
from grader.results import ExerciseResult, Override, PartResult, Result, Status, Verdict, to_json
from grader.store.runs import Run
from grader.store.tables import APPLICATION, FILE, VERSION
from grader.values import changed

CUT_SHORT = "cut short"  # in place of the moment when a run came to its end
_AT_ONCE = 200  # students of whom all is in memory
_MOST_RECORDS = 20_000  # kept as values
_SUBMISSION = (
    "s.id, s.source, s.student, s.name, s.attempt, s.times, s.late, s.digest, r.id, r.status, r.message, r.remarks, "
    "r.points, r.invalid, r.undecided"
)


class StoreError(GraderError):
    """A store can't be read or written; what to do about it is said."""


@contextmanager
def told(path: Path | None) -> Iterator[None]:
    """Turn what SQLite says into an error that names the file."""
    try:
        yield
    except sqlite3.Error as error:
        raise _in_words(error, path) from None


def _in_words(error: sqlite3.Error, path: Path | None) -> StoreError:
    damaged = getattr(error, "sqlite_errorname", "").startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB"))
    then = "this is no store, or it is damaged; name another folder" if damaged else "what was stored before is intact"
    return StoreError(f"{path or 'store'}: {error}; {then}")


def place_of(path: Path) -> Path:
    """The file of a store that is named by its folder or its file."""
    return path if path.is_file() or path.suffix == Path(FILE).suffix else path / FILE


def open_store(path: Path) -> "Store":
    """A store to read; StoreError if there is none."""
    place = place_of(path)
    if not place.is_file():
        raise StoreError(f"{place}: there is no store; make one with grader grade PATH... -o {place.parent}")
    with told(place):
        address = place.resolve().as_uri()
        connection = sqlite3.connect(f"{address}?mode=ro", uri=True, isolation_level=None)
        try:
            connection.execute("select count(*) from sqlite_master").fetchone()
        except sqlite3.OperationalError:  # on a medium that can't be written, where nobody else writes either
            connection.close()
            connection = sqlite3.connect(f"{address}?mode=ro&immutable=1", uri=True, isolation_level=None)
        checked(connection, place)
    return Store(connection, place)


def checked(connection: sqlite3.Connection, place: Path) -> None:
    """StoreError unless the database is a store of this version."""
    (application,), (version,) = (
        connection.execute(f"pragma {name}").fetchone() for name in ("application_id", "user_version")
    )
    if application != APPLICATION:
        raise StoreError(f"{place}: this database is not a store of the grader; name another folder")
    if version > VERSION:
        raise StoreError(f"{place}: made by a newer version of the grader; update the grader")


class Store:
    """A store that is read. Results come settled: the course's rules of the last run and the overrides applied."""

    def __init__(self, connection: sqlite3.Connection, path: Path | None) -> None:
        self.db, self.path = connection, path
        self._record = lru_cache(_MOST_RECORDS)(self._part)
        self._record_text = lru_cache(_MOST_RECORDS)(self._part_text)
        self._last: Run | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        with suppress(sqlite3.Error):
            self.db.close()
        if isinstance(error, sqlite3.Error):
            raise _in_words(error, self.path) from None

    def run(self) -> Run:
        """The last run that took effect, which one that grades again does at its end; StoreError if there is none."""
        self._last = self._last or self._runs(f"where kind = 'grade' or finished_at != '{CUT_SHORT}'")
        if self._last is None:
            raise StoreError(f"{self.path or 'store'}: nothing has been graded here yet")
        return self._last

    def unfinished(self) -> Run | None:
        """The run that goes on now, or was cut short."""
        return self._runs("where finished_at is null")

    def _runs(self, where: str) -> Run | None:
        names = [f.name for f in fields(Run)]
        with told(self.path):
            row = self.db.execute(f"select {', '.join(names)} from run {where} order by id desc").fetchone()
        if row is None:
            return None
        values = dict(zip(names, row, strict=True))
        outline, policy = json.loads(values["outline"]), json.loads(values["policy"])
        columns = tuple(Column(**column) for column in outline["columns"])
        titles = {name: (title, prompt) for name, (title, prompt) in outline["exercises"].items()}
        made = Outline(**{**outline, "columns": columns, "exercises": titles})
        return Run(**{**values, "outline": made, "policy": Policy(**policy)})

    # --- the gradebook

    def rows(self, students: Sequence[str] = ()) -> Iterator[Row]:
        """The gradebook, sorted by student: what counts for each, or for each of some, in full."""
        for _, attempts, settled in self._students(light=False, only=students):
            counting = next(result for result in settled if result.counts)
            yield Row(student=self._student(counting), result=counting, attempts=len(attempts))

    def results(self, *, light: bool = False) -> Iterator[Result]:
        """The settled results of all submissions, sorted by student and source; `light` ones lack their parts."""
        for _, _, settled in self._students(light=light):
            yield from settled

    def shuffled(self, key: bytes) -> Iterator[Row]:
        """The gradebook under pseudonyms, sorted by these: the order of students would tell who they are."""
        with told(self.path):
            found = self.db.execute("select distinct student from submission where current").fetchall()
        students = sorted((student for (student,) in found), key=lambda student: pseudonym(student, key))
        for start in range(0, len(students), _AT_ONCE):
            some = (anonymous(row, key) for row in self.rows(students[start : start + _AT_ONCE]))
            yield from sorted(some, key=lambda row: row.student.id)

    def of_students(self, students: Sequence[str]) -> Iterator[Result]:
        """What counts for each of some students, as it is in the gradebook."""
        for _, _, settled in self._students(light=False, only=students):
            yield next(result for result in settled if result.counts)

    def marks(self) -> Iterator[tuple[Status, int, int]]:
        """The status, points and most points of each student, as they were when the last run came to its end."""
        with told(self.path):
            for status, points, most in self.db.execute("select status, points, max_points from grade"):
                yield Status(status), points, most

    def totals(self) -> Iterator[tuple[int, Result, int]]:
        """For each student the submission that counts, its result without parts, and how many were handed in."""
        for submissions, attempts, settled in self._students(light=True):
            place = next(i for i, result in enumerate(settled) if result.counts)
            yield submissions[place][0], settled[place], len(attempts)

    def texts(self) -> Iterator[str]:
        """The settled results of all submissions as JSON, sorted by student and source; each an object on its own."""
        for submissions, _, settled in self._students(light=True):
            for (_, result), one in zip(submissions, settled, strict=True):
                light = bool(one.exercises) and not one.exercises[0].id
                yield self._text(one, result) if light else indented(to_json(one))

    def _text(self, light: Result, result: int) -> str:
        """The JSON of a result of which only the parts are missing; most of them are those of others, too."""
        parts: dict[str, list[tuple[str, int, int]]] = {}
        for record, line in self._lines(result):
            exercise, points, most, before, after = self._record_text(record)
            parts.setdefault(exercise, []).append((f"{before}{'null' if line is None else line}{after}", points, most))
        exercises = [
            _with(
                self._exercise(exercise, [points for _, points, _ in found], [most for _, _, most in found]),
                "parts",
                [text for text, _, _ in found],
            )
            for exercise, found in parts.items()
        ]
        return _with(changed(light, exercises=()), "exercises", exercises)

    def _part_text(self, record: int) -> tuple[str, int, int, str, str]:
        """A part's exercise, points and most points, and the JSON around its line."""
        exercise, points, most, data = self.db.execute(
            "select exercise, points, max_points, data from record where id = ?", (record,)
        ).fetchone()
        before, after = full_text(data).split('\n "line": null', 1)
        return exercise, points, most, f'{before}\n "line": ', after

    def _students(
        self, *, light: bool, only: Sequence[str] = ()
    ) -> Iterator[tuple[list[tuple[int, int]], list[Attempt], tuple[Result, ...]]]:
        """For each student the ids of submissions and results, the attempts, and what they come to.

        In `light` ones all parts stand as one, unless a person gave points for some.
        """
        run = self.run()
        given = self._overrides()
        where = "s.current" + (f" and s.student in ({', '.join('?' * len(only))})" if only else "")
        with told(self.path):
            found = self.db.execute(
                f"select {_SUBMISSION} from submission s join result r on r.id = s.result "
                f"where {where} order by s.student, s.source",
                tuple(only),
            )
            for student, rows in groupby(found, key=lambda row: row[2]):
                own = given.get(student, {})
                same = list(rows)
                attempts = [self._attempt(row, run, light=light and not own) for row in same]
                yield (
                    [(row[0], row[8]) for row in same],
                    attempts,
                    _settled(attempts, run, own),
                )

    def _attempt(self, row: tuple[Any, ...], run: Run, *, light: bool) -> Attempt:
        _, source, student, name, number, times, late, digest, result, status, message, remarks, *marks = row
        exercises = (_together(*marks),) if light else tuple(self._exercises(result))
        return Attempt(
            result=Result(
                student=student,
                source=source,
                status=Status(status),
                points=marks[0],
                max_points=run.outline.max_points,
                exercises=exercises if status == Status.GRADED else (),
                remarks=tuple(json.loads(remarks)),
                message=message,
                name=name,
            ),
            times=json.loads(times),
            number=number,
            flagged_late=bool(late),
            digest=digest,
        )

    def _exercises(self, result: int) -> Iterator[ExerciseResult]:
        parts: dict[str, list[PartResult]] = {}
        for record, line in self._lines(result):
            exercise, part = self._record(record)
            parts.setdefault(exercise, []).append(part if line is None else changed(part, line=line))
        for exercise, found in parts.items():
            points, most = [part.points or 0 for part in found], [part.max_points for part in found]
            yield changed(self._exercise(exercise, points, most), parts=tuple(found))

    def _exercise(self, exercise: str, points: list[int], most: list[int]) -> ExerciseResult:
        title, prompt = self.run().outline.exercises.get(exercise, ("", ""))
        return ExerciseResult(
            id=exercise, title=title, prompt=prompt, points=sum(points), max_points=sum(most), parts=()
        )

    def _lines(self, result: int) -> list[tuple[int, int | None]]:
        """The records of a result's parts, and the lines of the answers."""
        return self.db.execute("select record, line from part where result = ? order by place", (result,)).fetchall()

    def _part(self, record: int) -> tuple[str, PartResult]:
        exercise, data = self.db.execute("select exercise, data from record where id = ?", (record,)).fetchone()
        return exercise, part_result(data)

    def _overrides(self) -> Mapping[str, Mapping[tuple[str, str], Override]]:
        found: dict[str, dict[tuple[str, str], Override]] = {}
        with told(self.path):
            rows = self.db.execute("select student, exercise, part, points, why, by from override").fetchall()
        for student, exercise, part, points, why, by in rows:
            found.setdefault(student, {})[exercise, part] = Override(points=points, before=None, why=why, by=by)
        return found

    def _student(self, result: Result) -> Student:
        row = self.db.execute(
            "select name, email, section, aliases from student where id = ?", (result.student,)
        ).fetchone()
        keys = {row[0] for row in self.db.execute("select key from submission where student = ?", (result.student,))}
        name, email, section, aliases = row or (result.name, "", "", "[]")
        known = tuple(dict.fromkeys([result.student, *json.loads(aliases), *sorted(keys - {""})]))
        return Student(id=result.student, name=name or result.name, email=email, section=section, aliases=known)


def _settled(attempts: list[Attempt], run: Run, own: Mapping[tuple[str, str], Override]) -> tuple[Result, ...]:
    """What one student's attempts come to; most have one attempt, to which no rule applies."""
    if len(attempts) == 1 and not (own or attempts[0].times or attempts[0].flagged_late or run.policy.due_at):
        return (attempts[0].result,)
    return settle(attempts, run.policy, own, outline=run.outline)


def _together(points: int, invalid: int, undecided: int) -> ExerciseResult:
    """All parts of a submission as one exercise without an id: the points, and the parts that a person should see."""
    parts = (_PARTS[Verdict.INVALID],) * invalid + (_PARTS[Verdict.UNDECIDED],) * undecided
    return ExerciseResult(id="", title="", points=points, max_points=0, parts=parts)


_PARTS = {v: PartResult(id="", verdict=v, points=0, max_points=0) for v in (Verdict.INVALID, Verdict.UNDECIDED)}


def _with(value: Result | ExerciseResult, field: str, items: list[str]) -> str:
    """The JSON of a value whose last level, an empty list, is filled with texts."""
    text = indented(to_json(value))
    if not items:
        return text
    inner = ",".join("\n  " + item.replace("\n", "\n  ") for item in items)  # no text in JSON has a line break
    return text.replace(f'\n "{field}": []', f'\n "{field}": [{inner}\n ]', 1)

"""Writing a store. One process at a time; what was committed survives a kill at any moment."""

import json
import os
import sqlite3
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from grader.gradebook import Student
from grader.results import Override, Result, Status, to_json
from grader.store.reader import CUT_SHORT, Store, StoreError, checked, open_store, place_of, told
from grader.store.runs import Task
from grader.store.tables import APPLICATION, TABLES, VERSION

Json = Mapping[str, Any]


@contextmanager
def open_journal(path: Path | None) -> Iterator["Journal"]:
    """A store to write, made if there is none (in memory without a path); StoreError if another process writes it."""
    if path is None:
        yield Journal(_connected(":memory:", None), None)
        return
    from filelock import FileLock, Timeout

    place = place_of(path)
    place.parent.mkdir(parents=True, exist_ok=True)
    lock = FileLock(place.with_suffix(".lock"), blocking=False)
    try:
        lock.acquire()
    except Timeout:
        raise StoreError(f"{place}: {_who(place)} is writing here; wait for it to end, or end it") from None
    try:
        with told(place), Journal(_connected(str(place), place), place) as journal:
            yield journal
    finally:
        lock.release()


def _who(place: Path) -> str:
    try:
        with open_store(place) as store:
            run = store.unfinished() or store.run()
    except StoreError:
        run = None
    return f"another run (process {run.pid})" if run else "another process"


def _connected(address: str, place: Path | None) -> sqlite3.Connection:
    with told(place):
        connection = sqlite3.connect(address, isolation_level=None)
        if place is not None:
            connection.execute("pragma journal_mode = wal")
        connection.execute("pragma synchronous = normal")  # the file stays whole; a power cut may take the last moment
        connection.execute("pragma cache_size = -16000")
        if connection.execute("select count(*) from sqlite_master").fetchone() == (0,):
            connection.executescript(
                f"begin; pragma application_id = {APPLICATION}; pragma user_version = {VERSION}; {TABLES} commit;"
            )
        checked(connection, place or Path("store"))
    return connection


class Journal(Store):
    """A store that is written. Nothing is lost that was committed; nothing is half there."""

    def __init__(self, connection: sqlite3.Connection, path: Path | None) -> None:
        super().__init__(connection, path)
        self._open = False
        self._run = 0
        self._judged = ""
        self._seen: set[str] = set()
        self.up_to_date = False  # whether the run before came to its end, by the same rules
        self._numbers: dict[object, array[int]] = {}

    # --- transactions

    def _begin(self) -> None:
        if not self._open:
            self.db.execute("begin immediate")
            self._open = True

    def commit(self) -> None:
        """Make everything so far last."""
        if self._open:
            with told(self.path):
                self.db.execute("commit")
            self._open = False

    @contextmanager
    def change(self) -> Iterator[None]:
        """All that is written inside, or nothing."""
        self.commit()
        with told(self.path):
            self._begin()
            try:
                yield
            except BaseException:
                self._rollback()
                raise
        self.commit()

    @contextmanager
    def rehearsal(self) -> Iterator[None]:
        """All that is written inside can be seen inside, and is taken back then."""
        self.commit()
        with told(self.path):
            self._begin()
            try:
                yield
            finally:
                self._rollback()

    def _rollback(self) -> None:
        self.db.execute("rollback")
        self._open, self._last = False, None

    # --- runs

    def begin(self, task: Task) -> int:
        """Start a run, or go on with the one of the same kind against the same course that was cut short."""
        if not task.explained and self.db.execute("select 1 from run where explained").fetchone():
            raise StoreError(
                f"{self.path or 'store'}: there are results in full here; name another folder for verdicts"
            )
        with self.change():
            same = self.db.execute(
                "select id from run where kind = ? and judged = ? and finished_at is null order by id desc",
                (task.kind, task.judged),
            ).fetchone()
            before = self.db.execute("select judged, policy, finished_at from run order by id desc").fetchone()
            self.db.execute("update run set finished_at = ? where finished_at is null", (CUT_SHORT,))
            outline, policy = json.dumps(to_json(task.outline)), json.dumps(to_json(task.policy))
            values = (
                task.kind, _now(), None, os.getpid(), task.grader, task.outline.course, task.outline.title, task.spec,
                task.key, task.judged, task.reveal, task.folder, int(task.explained), outline, policy,
            )  # fmt: skip
            if same:
                self.db.execute(
                    "update run set finished_at = null, pid = ?, outline = ?, policy = ?, reveal = ? where id = ?",
                    (os.getpid(), outline, policy, task.reveal, same[0]),
                )
            else:
                self.db.execute(f"insert into run values (null, {', '.join('?' * len(values))})", values)
            self._run = same[0] if same else self._last_id()
            self._last = None
            self._judged = task.judged
            self.up_to_date = (
                before is not None and before[:2] == (task.judged, policy) and before[2] not in (None, CUT_SHORT)
            )
        return self._run

    def finish(self, *, changed: bool = True) -> None:
        """End the run; where anything changed the totals by student are made anew."""
        with self.change():
            self.end(changed=changed)

    def end(self, *, changed: bool = True) -> None:
        """End the run inside a change."""
        self.db.execute("update run set finished_at = ? where id = ?", (_now(), self._run))
        self._last = None  # the run may take effect by this
        if changed or not self.up_to_date:
            self._total()

    def _total(self) -> None:
        self.db.execute("delete from grade")
        self.db.executemany(
            f"insert into grade values ({', '.join('?' * 12)})",
            (_total_row(submission, result, attempts) for submission, result, attempts in self.totals()),
        )

    @property
    def judged(self) -> str:
        """What the results of this run depend on beside the answers."""
        return self._judged

    def _last_id(self) -> int:
        return int(self.db.execute("select last_insert_rowid()").fetchone()[0])

    def enrol(self, students: Iterable[Student]) -> None:
        """Keep the roster, in place of the one before."""
        rows = ((s.id, s.name, s.email, s.section, json.dumps(s.aliases)) for s in students)
        with self.change():
            self.db.execute("delete from student")
            self.db.executemany("insert or replace into student values (?, ?, ?, ?, ?)", rows)

    # --- results

    def see(self, source: str) -> None:
        """Note that a source is still there."""
        self._seen.add(source)

    def forget_unseen(self, roots: Iterable[str]) -> int:
        """Let what is stored from under the roots, and was not seen in this run, count no longer; how many that is."""
        whole = set(roots)
        inside = tuple(f"{root.rstrip('/')}/" for root in whole) + tuple(f"{root}:" for root in whole)
        rows = self.db.execute("select id, student, source from submission where current").fetchall() if whole else []
        gone = [r for r in rows if r[2] not in self._seen and (r[2] in whole or r[2].startswith(inside))]
        with told(self.path):
            self._begin()
            for submission, student, source in gone:
                self.db.execute("update submission set current = 0 where id = ?", (submission,))
                self._audit("gone", student, source)
        self.commit()
        return len(gone)

    def known(self, source: str, stamp: str) -> bool:
        """Whether this was graded already, against the same course and as it is now."""
        found = self.db.execute(
            "select 1 from submission where source = ? and stamp = ? and judged = ? and current and status != 'failed'",
            (source, stamp, self._judged),
        )
        return found.fetchone() is not None

    def put(self, stamp: str, graded: Sequence[Json], worker: object) -> None:
        """Keep what became of one source: the submissions of all who handed it in, as `grader.worker` tells them.

        Where grading failed, what was made of the same files before holds, and it is tried again the next time.
        """
        with told(self.path):
            self._begin()
            if all(one["status"] == Status.FAILED for one in graded) and self._holds(graded[0], worker):
                return
            self._leave(graded)
            for one in graded:
                self._put(stamp, {name: _storable(value) for name, value in one.items()}, worker)

    def _holds(self, failed: Json, worker: object) -> bool:
        """Whether the source's files were graded before; if so, the failure is noted."""
        held = self.db.execute(
            "select s.id, s.student from submission s join result r on r.id = s.result "
            "where s.source = ? and s.digest = ? and s.current and r.status = 'graded'",
            (failed["source"], failed["digest"]),
        ).fetchall()
        for submission, student in held:
            self._add(submission, failed, worker)
            self._update(submission, {"status": failed["status"]})
            self._audit("kept", student, failed["source"], new=failed["message"])
        return bool(held)

    def _leave(self, graded: Sequence[Json]) -> None:
        """The source's submissions count no more, unless they are put again; that of another student is noted."""
        source, students = graded[0]["source"], [one["student"] for one in graded]
        rows = self.db.execute("select student from submission where source = ? and current", (source,)).fetchall()
        for student in (student for (student,) in rows if student not in students):
            self._audit("student", student, source, old=student, new=", ".join(students))
        self.db.execute("update submission set current = 0 where source = ?", (source,))

    def _put(self, stamp: str, one: Json, worker: object) -> None:
        before = self.db.execute(
            "select id, digest from submission where source = ? and student = ?", (one["source"], one["student"])
        ).fetchone()
        fields = {
            **{name: one[name] for name in ("source", "student", "name", "platform", "key", "attempt", "digest")},
            "times": json.dumps(one["times"]), "late": int(one["late"]), "stamp": stamp, "status": one["status"],
            "message": one["message"], "remarks": json.dumps(one["remarks"]), "responses": one["responses"],
            "attachments": one["attachments"], "judged": self._judged, "current": 1,
        }  # fmt: skip
        if before is None:
            submission = self._insert("submission", fields)
        else:
            submission = before[0]
            self._update(submission, fields)
            if before[1] != one["digest"]:
                self._audit("answers", one["student"], one["source"], old=before[1], new=one["digest"])
        result = self._add(submission, one, worker)
        self.db.execute("update submission set result = ? where id = ?", (result, submission))

    def add_result(self, submission: int, one: Json, worker: object) -> None:
        """Keep a result of a submission beside the one that holds."""
        with told(self.path):
            self._begin()
            self._add(submission, one, worker)

    def _add(self, submission: int, one: Json, worker: object) -> int:
        remarks = json.dumps(list(dict.fromkeys([*one["remarks"], *one.get("notes", ())])))
        result = self._insert(
            "result",
            {
                "submission": submission, "run": self._run, "status": one["status"], "message": one["message"],
                "remarks": remarks, "points": one.get("points", 0),
                "invalid": one.get("invalid", 0), "undecided": one.get("undecided", 0),
            },
        )  # fmt: skip
        numbers = self._numbers.setdefault(worker, array("q"))
        for number, *row in one.get("new", ()):
            numbers.extend([0] * (number + 1 - len(numbers)))
            numbers[number] = self._stored(row)
        self.db.executemany(
            "insert into part values (?, ?, ?, ?)",
            [(result, place, numbers[number], line) for place, (number, line) in enumerate(one.get("parts", ()))],
        )
        return result

    def _stored(self, row: Sequence[Any]) -> int:
        digest, *rest, mistakes, data = row
        values = (digest, *rest, json.dumps(mistakes), data)
        made = self.db.execute(
            f"insert into record values (null, {', '.join('?' * len(values))}) on conflict do nothing returning id",
            values,
        ).fetchone()
        if made is None:
            made = self.db.execute("select id from record where digest = ?", (digest,)).fetchone()
        return int(made[0])

    def _insert(self, table: str, values: Json) -> int:
        marks = ", ".join("?" * len(values))
        self.db.execute(f"insert into {table} ({', '.join(values)}) values ({marks})", tuple(values.values()))
        return self._last_id()

    def _update(self, submission: int, values: Json) -> None:
        names = ", ".join(f"{name} = ?" for name in values)
        self.db.execute(f"update submission set {names} where id = ?", (*values.values(), submission))

    def _audit(self, what: str, student: str, source: str = "", **rest: Any) -> None:
        self._insert(
            "audit", {"at": _now(), "run": self._run, "what": what, "student": student, "source": source, **rest}
        )

    def note(self, student: str, source: str, exercise: str, part: str, told: tuple[str, str, str]) -> None:
        """Put a change of a part into the audit: its kind, what was, what is."""
        what, old, new = told
        self._audit(what, student, source, exercise=exercise, part=part, old=old, new=new)

    def keep_pages(self, pages: Iterable[tuple[str, str]]) -> None:
        """Remember what files show, by stamps, so that they are written again only when that changes."""
        with told(self.path):
            self._begin()
            self.db.executemany("insert or replace into page values (?, ?)", pages)

    def drop_pages(self, files: Iterable[str]) -> None:
        """Forget files that are there no more."""
        with told(self.path):
            self._begin()
            self.db.executemany("delete from page where file = ?", ((file,) for file in files))

    # --- by hand

    def override(self, student: str, exercise: str, part: str, given: Override | None) -> None:
        """Keep the points that a person gives for a part, or take them back; StoreError for what is not there."""
        place = (student, exercise, part)
        where = "student = ? and exercise = ? and part = ?"
        last = self.run()
        column = next((c for c in last.outline.columns if (c.exercise, c.part) == (exercise, part)), None)
        if column is None:
            raise StoreError(f"there is no part {part} in {exercise}")
        if given and not 0 <= given.points <= column.max_points:
            raise StoreError(f"{exercise} {part}: 0 to {column.max_points} points are possible, not {given.points}")
        self._run = last.id
        with self.change():
            before = self.db.execute(f"select points from override where {where}", place).fetchone()
            if before is None and given is None:
                raise StoreError(f"{student}: no points were given by hand for {exercise} {part}")
            self.db.execute(f"delete from override where {where}", place)
            if given:
                values = (*place, given.points, given.why, given.by, _now())
                self.db.execute("insert into override values (?, ?, ?, ?, ?, ?, ?)", values)
            old, new = (str(before[0]) if before else None), (str(given.points) if given else None)
            why = given.why if given else ""
            self._audit("override", student, exercise=exercise, part=part, old=old, new=new, why=why)
            self._total()


def _storable(value: Any) -> Any:
    """A text without halves of surrogate pairs, which no file can hold; anything else as it is."""
    if not isinstance(value, str) or value.isascii():
        return value
    return value.encode("utf-8", "backslashreplace").decode("utf-8")


def _total_row(submission: int, result: Result, attempts: int) -> tuple[Any, ...]:
    penalty = result.late.penalty if result.late else 0
    points = result.points or 0
    overridden = sum(part.override is not None for exercise in result.exercises for part in exercise.parts)
    return (
        result.student, result.name, submission, result.status, points, result.max_points, points + penalty, penalty,
        result.late.days if result.late else 0, result.submitted_at, attempts, overridden,
    )  # fmt: skip


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")

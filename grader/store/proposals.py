"""Grading again what a store holds: new results are proposed one by one and take effect together, or not at all."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from grader.store.writer import Journal
from grader.values import frozen

Json = Mapping[str, Any]
_FIELDS = (
    "student", "source", "name", "key", "platform", "attempt", "times", "late", "digest", "message", "remarks",
    "status", "responses", "attachments",
)  # fmt: skip


@frozen(kw_only=True)
class Change:
    """What grading again changes for one part of one submission; None where there was, or is, no such part.

    `kept` says that the old result stays, because the new one has fewer points or could not be made; `override` are
    the points that a person gave, which stay whatever the grader says.
    """

    student: str
    source: str
    exercise: str
    part: str
    response: str
    old_verdict: str | None
    new_verdict: str | None
    old_points: int | None
    new_points: int | None
    old_mistakes: tuple[str, ...] = ()
    new_mistakes: tuple[str, ...] = ()
    override: int | None = None
    kept: bool = False


@frozen
class _Part:
    verdict: str
    points: int
    mistakes: str
    response: str


class Proposals:
    """The results that one run proposes."""

    def __init__(self, journal: Journal, run: int) -> None:
        self._journal, self._run = journal, run
        (self._records,) = journal.db.execute("select coalesce(max(id), 0) from record").fetchone()

    def left(self) -> Iterator[tuple[int, Json]]:
        """The submissions that still have to be graded again, as `grader.worker` takes them.

        A result that holds and was made against the same course as now would come out the same.
        """
        names = ", ".join(f"s.{name}" for name in _FIELDS)
        found = self._journal.db.execute(
            f"select s.id, {names} from submission s join result r on r.id = s.result join run on run.id = r.run "
            "where s.current and (run.judged != ? or r.status = 'failed') and not exists "
            "(select 1 from result where submission = s.id and run = ?) order by s.id",
            (self._journal.judged, self._run),
        ).fetchall()  # what is written meanwhile must not come up
        for submission, *values in found:
            data = dict(zip(_FIELDS, values, strict=True))
            data.update(times=json.loads(data["times"]), remarks=_remarks(data["remarks"]), late=bool(data["late"]))
            yield submission, data

    def propose(self, submission: int, graded: Json, worker: object) -> None:
        """Keep a new result for a submission, without effect so far."""
        self._journal.add_result(submission, graded, worker)

    def changes(self, *, never_lower: bool = False) -> Iterator[Change]:
        """What would change, in the order of students."""
        journal = self._journal
        pairs = journal.db.execute(
            f"select s.student, s.source, old.id, new.id, {_kept(never_lower)} from submission s "
            "join result old on old.id = s.result join result new on new.submission = s.id and new.run = ? "
            "where s.current and old.id != new.id order by s.student, s.source",
            (self._run,),
        ).fetchall()
        overrides = {
            (student, exercise, part): points
            for student, exercise, part, points in journal.db.execute(
                "select student, exercise, part, points from override"
            )
        }
        for student, source, old, new, kept in pairs:
            before, after = self._parts(old), self._parts(new)
            for name in dict.fromkeys((*before, *after)):
                was, now = before.get(name), after.get(name)
                if was != now:
                    yield _change((student, source, *name), was, now, overrides.get((student, *name)), bool(kept))

    def _parts(self, result: int) -> dict[tuple[str, str], _Part]:
        rows = self._journal.db.execute(
            "select r.exercise, r.part, r.verdict, r.points, r.mistakes, r.response from part p "
            "join record r on r.id = p.record where p.result = ? order by p.place",
            (result,),
        )
        return {(exercise, part): _Part(*rest) for exercise, part, *rest in rows}

    def adopt(self, changes: Iterable[Change], *, never_lower: bool = False) -> None:
        """Inside a change, let the proposed results take effect, with the changes in the audit; the run ends.

        Where grading failed this time, the result that was there stays.
        """
        journal = self._journal
        for change in changes:
            journal.note(change.student, change.source, change.exercise, change.part, _told(change))
        journal.db.execute("update submission set judged = ? where current", (journal.judged,))
        journal.db.execute(
            "update submission set result = new.id, status = new.status, message = new.message "
            "from result new, result old where new.submission = submission.id and new.run = ? and submission.current "
            f"and old.id = submission.result and not {_kept(never_lower)}",
            (self._run,),
        )
        journal.end()

    def withdraw(self) -> None:
        """Drop what was proposed; everything stays as it was."""
        journal = self._journal
        with journal.change():
            journal.db.execute("delete from part where result in (select id from result where run = ?)", (self._run,))
            journal.db.execute("delete from result where run = ?", (self._run,))
            journal.db.execute("delete from record where id > ?", (self._records,))  # no part of another run has them
            journal.db.execute("delete from run where id = ?", (self._run,))


def _kept(never_lower: bool) -> str:
    """In SQL, whether an old result stays in spite of a new one."""
    failed = "(new.status = 'failed' and old.status != 'failed')"
    return f"({failed} or new.points < old.points)" if never_lower else failed


def _change(place: Sequence[str], was: _Part | None, now: _Part | None, override: int | None, kept: bool) -> Change:
    student, source, exercise, part = place
    return Change(
        student=student,
        source=source,
        exercise=exercise,
        part=part,
        response=(now or was or _Part("", 0, "[]", "")).response,
        old_verdict=was.verdict if was else None,
        new_verdict=now.verdict if now else None,
        old_points=was.points if was else None,
        new_points=now.points if now else None,
        old_mistakes=tuple(json.loads(was.mistakes)) if was else (),
        new_mistakes=tuple(json.loads(now.mistakes)) if now else (),
        override=override,
        kept=kept,
    )


def _told(change: Change) -> tuple[str, str, str]:
    """What the audit says: what kind of change, what was, what is."""
    old = f"{change.old_verdict} {change.old_points}" if change.old_verdict else ""
    new = f"{change.new_verdict} {change.new_points}" if change.new_verdict else ""
    return "kept" if change.kept else "part", old, new


def _remarks(text: str) -> tuple[str, ...]:
    return tuple(json.loads(text))

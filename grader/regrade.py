"""Grading again what a store holds, against a course that changed: who changes, and why, before it takes effect."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from grader.bulk import Watch
from grader.pool import Failed, Pool
from grader.store import Journal
from grader.store.proposals import Change, Proposals
from grader.store.runs import Task
from grader.values import frozen
from grader.worker import fail, of_stored


@frozen(kw_only=True)
class Total:
    """One student's total before and after."""

    student: str
    name: str
    old: int
    new: int


@frozen(kw_only=True)
class Diff:
    """What grading again changed: `changes` by part, `totals` of those whose total changed.

    `submissions` were graded again; `unchanged` had a result that was made against the same course.
    """

    submissions: int
    unchanged: int
    changes: tuple[Change, ...]
    totals: tuple[Total, ...]


def regrade(
    journal: Journal, work: Task, workers: "Pool[Any]", watch: Watch, *, never_lower: bool = False,
    dry_run: bool = False,
) -> Diff:  # fmt: skip
    """Grade all that is stored again; all of it takes effect at once, or nothing does.

    What was cut short goes on where it was. With `never_lower` a submission keeps its old result if the new one has
    fewer points. A dry run changes nothing.
    """
    before = _totals(journal)
    policy = replace(work.policy, extensions=_by_id(journal, work.policy.extensions))
    kind = "dry run" if dry_run else work.kind
    proposals = Proposals(journal, journal.begin(replace(work, kind=kind, policy=policy)))
    left = list(proposals.left())
    (stored,) = journal.db.execute("select count(*) from submission where current").fetchone()
    watch.begin("Graded again", len(left))
    for (submission, data), found in workers.run(_items(left), idle=journal.commit):
        graded = fail(data, found.reason) if isinstance(found, Failed) else found["graded"][0]
        proposals.propose(submission, graded, None if isinstance(found, Failed) else found["worker"])
        watch.step()
    journal.commit()
    changes = tuple(proposals.changes(never_lower=never_lower))
    with journal.rehearsal() if dry_run else journal.change():
        proposals.adopt(changes, never_lower=never_lower)
        after = _totals(journal)
    if dry_run:
        proposals.withdraw()
    totals = tuple(_moved(before, after))
    return Diff(submissions=len(left), unchanged=stored - len(left), changes=changes, totals=totals)


def _by_id(journal: Journal, extensions: Mapping[str, int]) -> Mapping[str, int]:
    """The extensions by students' ids, where the course names students otherwise and the roster was given."""
    enrolled = journal.db.execute("select id, aliases from student").fetchall()
    ids = {student for student, _ in enrolled}
    named = {alias: student for student, aliases in enrolled for alias in json.loads(aliases)}
    return {student if student in ids else named.get(student, student): s for student, s in extensions.items()}


def _items(
    left: list[tuple[int, Mapping[str, Any]]],
) -> Iterator[tuple[tuple[int, Mapping[str, Any]], Mapping[str, Any]]]:
    for submission, data in left:
        yield (submission, data), of_stored(data)


def _totals(journal: Journal) -> dict[str, tuple[str, int]]:
    return {result.student: (result.name, result.points or 0) for _, result, _ in journal.totals()}


def _moved(before: dict[str, tuple[str, int]], after: dict[str, tuple[str, int]]) -> Iterator[Total]:
    for student, (name, points) in sorted(after.items()):
        old = before.get(student, (name, 0))[1]
        if old != points:
            yield Total(student=student, name=name, old=old, new=points)

"""Grading again what a store holds, against a course that changed: who changes, and why, before it takes effect."""

from collections.abc import Iterator, Mapping
from typing import Any

from grader.bulk import Settings, Watch, pool, task
from grader.course import LoadedCourse
from grader.pool import Failed
from grader.store import Journal
from grader.store.proposals import Change, Proposals
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
    """What grading again changed: `changes` by part, `totals` of those whose total changed."""

    submissions: int
    changes: tuple[Change, ...]
    totals: tuple[Total, ...]


def regrade(
    journal: Journal, loaded: LoadedCourse, settings: Settings, watch: Watch, *, never_lower: bool = False,
    dry_run: bool = False,
) -> Diff:  # fmt: skip
    """Grade all that is stored again; all of it takes effect at once, or nothing does.

    What was cut short goes on where it was. With `never_lower` a submission keeps its old result if the new one has
    fewer points. A dry run changes nothing.
    """
    before = _totals(journal)
    proposals = Proposals(journal, journal.begin(task(loaded, "regrade", settings)))
    left = list(proposals.left())
    watch.begin("Graded again", len(left))
    with pool(loaded, settings) as workers:
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
    return Diff(submissions=len(left), changes=changes, totals=tuple(_moved(before, after)))


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

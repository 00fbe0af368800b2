"""Grading again: nothing takes effect before all is done, and what a person gave stays."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from grader.compiled import Policy
from grader.gradebook import Student
from grader.pool import Failed
from grader.regrade import Diff, regrade
from grader.results import Override, Status
from grader.store import Journal, open_journal, open_store
from tests.unit.store.made import OUTLINE, dump, graded, marked, part, points, rows, task, told

AGAIN = task("regrade", judged="v2")
GIVEN = Override(points=3, before=None, why="agreed")


class Watch:
    """Watches nothing."""

    def begin(self, what: str, total: int | None) -> None: ...

    def step(self) -> None: ...


class Workers:
    """Gives every submission the points that `marks` says, by student; raises or fails where it says so instead."""

    def __init__(self, **marks: Any) -> None:
        self.marks = marks
        self.asked: list[str] = []

    def run(
        self, items: Iterable[tuple[Any, Mapping[str, Any]]], *, idle: Callable[[], None] = lambda: None
    ) -> Iterator[tuple[Any, Any]]:
        for item, message in items:
            data = message["stored"]
            self.asked.append(data["student"])
            found = self.marks[data["student"]]
            if isinstance(found, BaseException):
                idle()  # what is finished is stored by then
                raise found
            if isinstance(found, str):
                yield item, Failed(found)
            else:
                parts = found if isinstance(found, list) else marked(*found)
                one = told(data["student"], parts, source=data["source"], digest=data["digest"])
                yield item, {"graded": [one], "worker": object()}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three students, graded against the first version of the course."""
    with open_journal(tmp_path) as journal:
        half = [part("flops", 0, 3, mistakes=("half",)), part("bytes", 3, 3), part("ridge", 0, 4)]
        graded(journal, told("s1", half), told("s2", marked(3, 3, 4)), told("s3", marked(3, 0, 0)))
    return tmp_path


def again(journal: Journal, workers: Workers, work: Any = AGAIN, **options: bool) -> Diff:
    return regrade(journal, work, workers, Watch(), **options)  # type: ignore[arg-type]


def test_a_diff_says_who_changes_and_why(folder: Path) -> None:
    with open_journal(folder) as journal:
        diff = again(journal, Workers(s1=(3, 3, 0), s2=(1, 3, 4), s3=(3, 0, 0)))
        assert points(journal) == {"s1": 6, "s2": 8, "s3": 3}
    assert [(t.student, t.old, t.new) for t in diff.totals] == [("s1", 3, 6), ("s2", 10, 8)]
    first, second = diff.changes
    assert (first.student, first.exercise, first.part, first.response) == ("s1", "q1", "flops", "2BDF")
    assert (first.old_verdict, first.new_verdict, first.old_points, first.new_points) == ("incorrect", "correct", 0, 3)
    assert (first.old_mistakes, first.new_mistakes) == (("half",), ())
    assert (second.student, second.old_points, second.new_points, second.kept) == ("s2", 3, 1, False)
    assert (diff.submissions, diff.unchanged) == (3, 0)
    assert rows(folder, "select what, student, exercise, part, old, new, run from audit") == [
        ("part", "s1", "q1", "flops", "incorrect 0", "correct 3", 2),
        ("part", "s2", "q1", "flops", "correct 3", "incorrect 1", 2),
    ]
    assert rows(folder, "select count(*) from result") == [(6,)], "the old results are still there"


def test_with_never_lower_a_result_with_fewer_points_does_not_replace_the_old_one(folder: Path) -> None:
    with open_journal(folder) as journal:
        diff = again(journal, Workers(s1=(3, 3, 0), s2=(1, 3, 4), s3=(0, 3, 0)), never_lower=True)
        assert points(journal) == {"s1": 6, "s2": 10, "s3": 3}
        assert [(c.student, c.part, c.kept) for c in diff.changes] == [
            ("s1", "flops", False), ("s2", "flops", True), ("s3", "flops", False), ("s3", "bytes", False)
        ]  # fmt: skip
        assert [t.student for t in diff.totals] == ["s1"]
        # and it is asked again the next time, since the course would give fewer
        workers = Workers(s2=(1, 3, 4))
        assert [t.new for t in again(journal, workers).totals] == [8]
        assert workers.asked == ["s2"]


def test_where_the_grader_fails_the_old_result_holds(folder: Path) -> None:
    with open_journal(folder) as journal:
        diff = again(journal, Workers(s1="it took too long", s2=(3, 3, 4), s3=(3, 3, 4)))
        assert points(journal) == {"s1": 3, "s2": 10, "s3": 10}
        assert {c.student: c.kept for c in diff.changes} == {"s1": True, "s3": False}
        assert [r.status for r in journal.results()] == [Status.GRADED] * 3
        workers = Workers(s1=(3, 3, 4))
        again(journal, workers)
        assert workers.asked == ["s1"], "it is tried again"
        assert points(journal)["s1"] == 10


def test_what_failed_before_is_graded_now(folder: Path) -> None:
    with open_journal(folder) as journal:
        graded(journal, told("s4", message="gave up", responses='[["q1", "flops", "2BDF", 1, ""]]'))
        diff = again(journal, Workers(s4=(3, 0, 0)), task("regrade"))
        assert points(journal)["s4"] == 3
        assert (diff.submissions, diff.unchanged) == (1, 3)


def test_points_given_by_hand_stay_and_are_told(folder: Path) -> None:
    with open_journal(folder) as journal:
        journal.override("s1", "q1", "flops", GIVEN)
        diff = again(journal, Workers(s1=(1, 3, 0), s2=(3, 3, 4), s3=(3, 0, 0)))
        assert points(journal)["s1"] == 6
    (change,) = diff.changes
    assert (change.new_points, change.override) == (1, 3)
    assert diff.totals == ()


@pytest.mark.parametrize("never_lower", [False, True])
def test_a_dry_run_tells_the_same_and_leaves_the_store_as_it_was(folder: Path, never_lower: bool) -> None:
    before = dump(folder)
    marks = {"s1": (3, 3, 0), "s2": (1, 3, 4), "s3": "it took too long"}
    work = task("regrade", judged="v2", outline=replace(OUTLINE, title="Another"), policy=Policy(due_at="2026-01-01"))
    with open_journal(folder) as journal:
        told_ = again(journal, Workers(**marks), work, never_lower=never_lower, dry_run=True)
        assert journal.run().outline.title == "Rooflines"
        assert points(journal) == {"s1": 3, "s2": 10, "s3": 3}
    assert dump(folder) == before
    with open_journal(folder) as journal:
        assert again(journal, Workers(**marks), work, never_lower=never_lower) == told_


def test_what_was_graded_against_this_course_is_not_graded_again(folder: Path) -> None:
    with open_journal(folder) as journal:
        workers = Workers()
        diff = again(journal, workers, task("regrade"))
    assert (diff.submissions, diff.unchanged, diff.changes, diff.totals) == (0, 3, (), ())


def test_new_rules_change_totals_and_no_result(folder: Path) -> None:
    late = told("s4", marked(3, 3, 4), times={"lms": "2026-10-02T09:00:00+02:00"})
    due = Policy(due_at="2026-10-01T09:00:00+02:00", late_points=2)
    with open_journal(folder) as journal:
        journal.enrol([Student(id="s4", aliases=("s4", "ada@example.edu"))])
        graded(journal, late)
        diff = again(journal, Workers(), task("regrade", policy=due))
        assert [(t.student, t.old, t.new) for t in diff.totals] == [("s4", 10, 8)]
        for name in ("s4", "ada@example.edu"):
            longer = replace(due, extensions={name: 86400})
            diff = again(journal, Workers(), task("regrade", policy=longer))
            assert [(t.student, t.new) for t in diff.totals] == [("s4", 10)], "also by a name that the roster has"
            again(journal, Workers(), task("regrade", policy=due))
    assert rows(folder, "select count(*) from result") == [(4,)]
    assert rows(folder, "select count(*) from audit") == [(0,)]


def test_a_run_that_is_interrupted_changes_nothing_and_goes_on(folder: Path) -> None:
    stop = KeyboardInterrupt()
    work = task("regrade", judged="v2", outline=replace(OUTLINE, title="Another"), policy=Policy(attempts="best"))
    with pytest.raises(KeyboardInterrupt), open_journal(folder) as journal:
        again(journal, Workers(s1=(3, 3, 0), s2=(1, 3, 4), s3=stop), work)
    with open_store(folder) as store:
        assert store.unfinished() is not None
        assert {row.student.id: row.result.points for row in store.rows()} == {"s1": 3, "s2": 10, "s3": 3}
        assert (store.run().outline.title, store.run().policy.attempts) == ("Rooflines", "latest")
    with open_journal(folder) as journal:
        workers = Workers(s3=(3, 3, 4))
        diff = again(journal, workers, work)
        assert workers.asked == ["s3"], "the others were graded already"
        assert points(journal) == {"s1": 6, "s2": 8, "s3": 10}
        assert journal.run().outline.title == "Another"
    assert [t.student for t in diff.totals] == ["s1", "s2", "s3"]


def test_an_interrupted_run_is_dropped_where_the_course_changes_again(folder: Path) -> None:
    with pytest.raises(KeyboardInterrupt), open_journal(folder) as journal:
        again(journal, Workers(s1=(3, 3, 0), s2=KeyboardInterrupt(), s3=()))
    with open_journal(folder) as journal:
        again(journal, Workers(s1=(1, 1, 1), s2=(1, 1, 1), s3=(1, 1, 1)), task("regrade", judged="v3"))
        assert points(journal) == {"s1": 3, "s2": 3, "s3": 3}


def test_a_part_that_is_new_or_gone_is_told_as_such(folder: Path) -> None:
    with open_journal(folder) as journal:
        diff = again(
            journal,
            Workers(s1=[part("bytes", 3, 3)], s2=marked(3, 3, 4), s3=marked(3, 0, 0)),
            task("regrade", judged="v2", outline=replace(OUTLINE, columns=OUTLINE.columns[1:2])),
        )
    assert [(c.part, c.old_verdict, c.new_verdict, c.new_points) for c in diff.changes] == [
        ("flops", "incorrect", None, None), ("ridge", "incorrect", None, None)
    ]  # fmt: skip

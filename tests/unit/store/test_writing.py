"""What is put into a store is there, counts once, and is never lowered by a failure of ours."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from grader.compiled import Policy
from grader.gradebook import Student
from grader.results import Override, Status
from grader.store import Journal, StoreError, open_journal, open_store
from tests.unit.store.made import OUTLINE, graded, marked, part, points, put, rows, task, told

GIVEN = Override(points=2, before=None, why="agreed", by="Prof")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "out"


def test_a_store_is_made_where_there_is_none_and_tells_what_was_graded(folder: Path) -> None:
    with open_journal(folder) as journal:
        graded(journal, told("s2", marked(3, 1, 0)), told("s1", marked(3, 3, 4)))
    with open_store(folder) as store:
        assert [(row.student.id, row.result.points, row.attempts) for row in store.rows()] == [
            ("s1", 10, 1),
            ("s2", 4, 1),
        ]
        (first, second) = store.results()
        assert [part.points for exercise in second.exercises for part in exercise.parts] == [3, 1, 0]
        assert [part.line for exercise in second.exercises for part in exercise.parts] == [1, 2, 3]
        assert [(e.id, e.title, e.prompt, e.points, e.max_points) for e in first.exercises] == [
            ("q1", "One", "A product.", 6, 6), ("q2", "Two", "", 4, 4)
        ]  # fmt: skip
        assert [result.student for result in store.of_students(["s2"])] == ["s2"]
        assert [(result.points, n) for _, result, n in store.totals()] == [(10, 1), (4, 1)]
        assert [json.loads(text)["student"] for text in store.texts()] == ["s1", "s2"]


def test_results_come_as_text_just_as_they_come_as_values(folder: Path) -> None:
    from grader.results import to_json

    with open_journal(folder) as journal:
        graded(
            journal,
            told("s1", marked(3, 0, 0), remarks=['a "remark" of\nlines'], name="Ada"),
            told("s2", marked(3, 3, 4)),
            told("s3", message="why"),
            told("\u00e9\x00", marked(0, 0, 0)),
        )
        journal.override("s2", "q1", "flops", GIVEN)
        assert [json.loads(text) for text in journal.texts()] == [
            json.loads(json.dumps(to_json(r))) for r in journal.results()
        ]


def test_without_a_path_it_lives_in_memory() -> None:
    with open_journal(None) as journal:
        graded(journal, told("s1", marked(1, 1, 1)))
        assert points(journal) == {"s1": 3}
        assert journal.path is None


# --- what is there already --------------------------------------------------------------------------------------------


def test_what_was_graded_as_it_is_now_is_known(folder: Path) -> None:
    with open_journal(folder) as journal:
        graded(journal, told("s1", marked(1, 1, 1)), told("s2"))
    with open_journal(folder) as journal:
        journal.begin(task())
        assert journal.known("s1/answers.yaml", "stamp of digest of s1")
        assert not journal.known("s1/answers.yaml", "stamp of something else")
        assert not journal.known("s9/answers.yaml", "stamp of digest of s1")
        assert not journal.known("s2/answers.yaml", "stamp of digest of s2"), "what failed is tried again"
        journal.begin(task(judged="v2"))
        assert not journal.known("s1/answers.yaml", "stamp of digest of s1"), "the course is another"


def test_a_part_that_many_answer_alike_is_stored_once(folder: Path) -> None:
    with open_journal(folder) as journal:
        graded(journal, *(told(f"s{n}", marked(3, 1, 0)) for n in range(10)))
    assert rows(folder, "select count(*) from record") == [(3,)]
    assert rows(folder, "select count(*) from part") == [(30,)]


def test_a_worker_sends_a_record_once_and_its_number_afterwards(folder: Path) -> None:
    first = told("s1", marked(3, 1, 0))
    second = {**told("s2", marked(3, 1, 0)), "parts": [(0, 7), (1, None), (2, 9)], "new": []}
    with open_journal(folder) as journal:
        journal.begin(task())
        journal.put("a", [first], "worker")
        journal.put("b", [second], "worker")
        journal.finish()
        assert points(journal) == {"s1": 4, "s2": 4}
        assert [part.line for e in next(journal.of_students(["s2"])).exercises for part in e.parts] == [7, None, 9]


# --- what changes -----------------------------------------------------------------------------------------------------


def test_new_answers_replace_the_old_ones_and_are_in_the_audit(folder: Path) -> None:
    with open_journal(folder) as journal:
        graded(journal, told("s1", marked(1, 1, 1)))
        graded(journal, told("s1", marked(3, 3, 1), digest="another"))
        assert points(journal) == {"s1": 7}
    assert rows(folder, "select what, student, source, old, new from audit") == [
        ("answers", "s1", "s1/answers.yaml", "digest of s1", "another")
    ]
    assert rows(folder, "select points from result order by id") == [(3,), (7,)], "no result is ever lost"


def test_a_source_whose_student_changes_counts_for_the_new_one_alone(folder: Path) -> None:
    with open_journal(folder) as journal:
        graded(journal, told("0429", marked(3, 3, 4), source="a/answers.yaml"))
        graded(journal, told("s1", marked(3, 3, 4), source="a/answers.yaml"))
        assert points(journal) == {"s1": 10}
        assert [result.student for result in journal.results()] == ["s1"]
        graded(journal, told("0429", marked(3, 3, 4), source="a/answers.yaml"))
        assert points(journal) == {"0429": 10}
    assert rows(folder, "select what, student, source, old, new from audit order by id") == [
        ("student", "0429", "a/answers.yaml", "0429", "s1"), ("student", "s1", "a/answers.yaml", "s1", "0429")
    ]  # fmt: skip
    assert rows(folder, "select count(*) from submission") == [(2,)]


def test_a_team_s_file_counts_for_each_member(folder: Path) -> None:
    with open_journal(folder) as journal:
        journal.begin(task())
        one = told("s1", marked(3, 1, 0), source="team.yaml")
        journal.put("a", [one, {**one, "student": "s2", "new": []}], "worker")
        journal.finish()
        assert points(journal) == {"s1": 4, "s2": 4}
        journal.begin(task())
        journal.put("b", [{**one, "new": []}], "worker")
        journal.finish()
        assert points(journal) == {"s1": 4}


def test_two_submissions_of_one_student_go_by_the_course_s_rules(folder: Path) -> None:
    first = told("s1", marked(3, 3, 4), source="a.yaml", digest="a", times={"lms": "2026-10-01T09:00:00+02:00"})
    second = told("s1", marked(1, 0, 0), source="b.yaml", digest="b", times={"lms": "2026-10-02T09:00:00+02:00"})
    with open_journal(folder) as journal:
        graded(journal, first, second)
        assert points(journal) == {"s1": 1}
        assert [(r.source, r.counts) for r in journal.results()] == [("a.yaml", False), ("b.yaml", True)]
        graded(journal, policy=Policy(attempts="best"))
        assert points(journal) == {"s1": 10}
    assert rows(folder, "select attempts, submission, submitted_at from grade") == [(2, 1, "2026-10-01T09:00:00+02:00")]


@pytest.mark.parametrize("whose", ["s1", "a name that the grader could not find out"])
def test_a_failure_of_ours_never_lowers_a_score(folder: Path, whose: str) -> None:
    good = told("s1", marked(3, 3, 1), source="x.yaml", digest="same")
    bad = told(whose, source="x.yaml", digest="same", message="it took too long")
    with open_journal(folder) as journal:
        graded(journal, good)
        graded(journal, bad, judged="v2")
        assert points(journal) == {"s1": 7}
        (result,) = journal.results()
        assert (result.status, result.points) == (Status.GRADED, 7)
        journal.begin(task(judged="v2"))
        assert not journal.known("x.yaml", "stamp of same"), "it is tried again"
        put(journal, {**good, "points": 7})
        journal.finish()
        assert journal.known("x.yaml", "stamp of same")
    assert rows(folder, "select what, student, new from audit") == [("kept", "s1", "it took too long")]
    assert rows(folder, "select responses != '' from submission") == [(1,)], "the answers are still there"


def test_new_answers_on_which_the_grader_fails_are_not_graded_as_the_old_ones(folder: Path) -> None:
    with open_journal(folder) as journal:
        graded(journal, told("s1", marked(3, 3, 1)))
        graded(journal, told("s1", digest="other answers", message="it took too long"))
        (result,) = journal.results()
        assert (result.status, result.message, points(journal)) == (Status.FAILED, "it took too long", {"s1": 0})


# --- runs -------------------------------------------------------------------------------------------------------------


def test_a_run_that_was_cut_short_goes_on(folder: Path) -> None:
    with open_journal(folder) as journal:
        number = journal.begin(task())
        put(journal, told("s1", marked(1, 1, 1)))
        journal.commit()
        put(journal, told("s2", marked(1, 1, 1)))  # never committed
    with open_journal(folder) as journal:
        assert journal.begin(task()) == number
        assert journal.known("s1/answers.yaml", "stamp of digest of s1")
        assert not journal.known("s2/answers.yaml", "stamp of digest of s2")
        journal.finish(changed=False)
        assert points(journal) == {"s1": 3}, "the totals are made, although nothing came in addition"
        assert journal.begin(task()) != number


def test_a_run_cut_short_is_closed_by_one_against_another_course(folder: Path) -> None:
    with open_journal(folder) as journal:
        journal.begin(task())
        other = journal.begin(task(judged="v2"))
        assert other == 2
        journal.finish()
        assert journal.unfinished() is None
    assert rows(folder, "select finished_at from run where id = 1") == [("cut short",)]


def test_a_run_that_goes_on_is_told_to_whoever_comes_second(folder: Path) -> None:
    with open_journal(folder) as journal:
        journal.begin(task())
        assert journal.unfinished() is not None
        with pytest.raises(StoreError, match=r"another run \(process \d+\) is writing here"), open_journal(folder):
            pass
    with open_journal(folder):
        pass  # the lock is gone with its holder


def test_totals_are_made_anew_where_only_the_rules_changed(folder: Path) -> None:
    late = told("s1", marked(3, 3, 4), times={"lms": "2026-10-02T09:00:00+02:00"})
    due = Policy(due_at="2026-10-01T09:00:00+02:00", late_points=2)
    with open_journal(folder) as journal:
        graded(journal, late)
        journal.begin(task(policy=due))
        assert not journal.up_to_date
        journal.finish(changed=False)
        assert points(journal) == {"s1": 8}
        journal.begin(task(policy=due))
        assert journal.up_to_date
        journal.finish(changed=False)
        journal.begin(task(policy=replace(due, extensions={"s1": 86400})))
        journal.finish(changed=False)
        assert points(journal) == {"s1": 10}
    assert rows(folder, "select earned, penalty, days_late from grade") == [(10, 0, 0)]


def half(journal: Journal) -> None:
    journal.db.execute("delete from grade")
    raise ZeroDivisionError


def test_a_change_takes_effect_as_a_whole_or_not_at_all(folder: Path) -> None:
    with open_journal(folder) as journal:
        graded(journal, told("s1", marked(1, 1, 1)))
        with pytest.raises(ZeroDivisionError), journal.change():
            half(journal)
        assert points(journal) == {"s1": 3}
        with journal.rehearsal():
            journal.db.execute("delete from grade")
            assert points(journal) == {}
        assert points(journal) == {"s1": 3}


def test_the_roster_is_the_one_that_was_given_last(folder: Path) -> None:
    ada = Student(id="s1", name="Ada", email="a@example.edu", section="1", aliases=("s1", "0429"))
    with open_journal(folder) as journal:
        journal.enrol([ada, Student(id="s2")])
        journal.enrol([ada])
        graded(journal, told("s1", marked(1, 1, 1), key="70001"))
        (row,) = journal.rows()
    assert (row.student.name, row.student.email, row.student.section) == ("Ada", "a@example.edu", "1")
    assert row.student.aliases == ("s1", "0429", "70001"), "also by the name that the source gave"
    assert rows(folder, "select id from student") == [("s1",)]


# --- by hand ----------------------------------------------------------------------------------------------------------


def test_points_given_by_hand_replace_the_grader_s_and_are_in_the_audit(folder: Path) -> None:
    with open_journal(folder) as journal:
        graded(journal, told("s1", marked(3, 0, 0)))
        journal.override("s1", "q1", "bytes", GIVEN)
        assert points(journal) == {"s1": 5}
        journal.override("s1", "q1", "bytes", replace(GIVEN, points=1))
        assert points(journal) == {"s1": 4}
        (row,) = journal.rows()
        (bytes_,) = (p for e in row.result.exercises for p in e.parts if p.id == "bytes")
        assert bytes_.override == Override(points=1, before=0, why="agreed", by="Prof")
        graded(journal, told("s1", marked(3, 3, 4), digest="new answers"))
        assert points(journal) == {"s1": 8}, "they stay whatever is handed in"
        journal.override("s1", "q1", "bytes", None)
        assert points(journal) == {"s1": 10}
    assert rows(folder, "select old, new, why from audit where what = 'override' order by id") == [
        (None, "2", "agreed"), ("2", "1", "agreed"), ("1", None, "")
    ]  # fmt: skip
    assert rows(folder, "select overridden from grade") == [(0,)]


@pytest.mark.parametrize(
    ("exercise", "part", "given", "what"),
    [
        ("q1", "bytes", replace(GIVEN, points=4), "0 to 3 points are possible, not 4"),
        ("q1", "bytes", replace(GIVEN, points=-1), "0 to 3 points are possible, not -1"),
        ("q1", "bites", GIVEN, "there is no part bites in q1"),
        ("q2", "bytes", GIVEN, "there is no part bytes in q2"),
        ("q1", "bytes", None, "s1: no points were given by hand for q1 bytes"),
    ],
)
def test_points_that_make_no_sense_are_refused(
    folder: Path, exercise: str, part: str, given: Override | None, what: str
) -> None:
    with open_journal(folder) as journal:
        graded(journal, told("s1", marked(3, 0, 0)))
        with pytest.raises(StoreError, match=what):
            journal.override("s1", exercise, part, given)
        assert journal.db.execute("select count(*) from audit").fetchone() == (0,)
        assert points(journal) == {"s1": 3}


def test_stamps_of_pages_are_kept(folder: Path) -> None:
    with open_journal(folder) as journal:
        journal.keep_pages([("s1.html", "a")])
        journal.keep_pages([("s1.html", "b"), ("s2.html", "c")])
        journal.commit()
    assert rows(folder, "select file, stamp from page order by file") == [("s1.html", "b"), ("s2.html", "c")]


def test_invalid_and_undecided_parts_are_seen_without_their_parts(folder: Path) -> None:
    from grader.results import Verdict

    parts = [
        part("flops", 3, 3),
        part("bytes", 0, 3, verdict=Verdict.INVALID),
        part("ridge", 0, 4, verdict=Verdict.UNDECIDED),
    ]
    with open_journal(folder) as journal:
        graded(journal, {**told("s1", parts), "invalid": 1, "undecided": 1})
        ((_, light, _),) = journal.totals()
    assert sorted(p.verdict or "" for e in light.exercises for p in e.parts) == [Verdict.INVALID, Verdict.UNDECIDED]
    assert light.points == 3


def test_the_outline_and_the_rules_come_back_as_they_were(folder: Path) -> None:
    policy = Policy(due_at="2026-10-01T09:00:00+02:00", grace=60, late_cap=3, extensions={"s1": 5})
    with open_journal(folder) as journal:
        graded(journal, policy=policy)
        assert isinstance(journal, Journal)
    with open_store(folder) as store:
        run = store.run()
    assert (run.outline, run.policy, run.kind, run.reveal) == (OUTLINE, policy, "grade", "mistake")

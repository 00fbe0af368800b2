"""The course's rules: lateness, attempts and points that a person gave."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import permutations

import pytest

from grader.compiled import Policy
from grader.gradebook import Column, Outline
from grader.policy import Attempt, settle
from grader.results import ExerciseResult, Override, PartResult, Result, Status, Verdict

DUE = "2026-12-01T23:59:00+01:00"
POLICY = Policy(due_at=DUE, clock="lms", grace=600, late_points=2, late_cap=10)
OUTLINE = Outline(
    course="c",
    title="C",
    columns=(
        Column(exercise="q1", part="a", title="A", max_points=20),
        Column(exercise="q1", part="b", title="B", max_points=20),
        Column(exercise="q2", part="a", title="", max_points=10),
    ),
    exercises={"q1": ("The first", "Answer.")},
)
SOURCES = ("a.yaml", "b.yaml")


def graded(*points: int, source: str = "a.yaml", student: str = "s1") -> Result:
    parts = tuple(
        PartResult(id=name, verdict=Verdict.INCORRECT, points=earned, max_points=20)
        for name, earned in zip("abcdefgh", points, strict=False)
    )
    exercise = ExerciseResult(id="q1", title="Q", points=sum(points), max_points=20 * len(parts), parts=parts)
    return Result(
        student=student, source=source, status=Status.GRADED, points=sum(points), max_points=20 * len(parts),
        exercises=(exercise,),
    )  # fmt: skip


def ungraded(status: Status = Status.UNREADABLE, source: str = "b.yaml") -> Result:
    return Result(student="s1", source=source, status=status, max_points=50, message="why")


def at(time: str, result: Result | None = None, clock: str = "lms") -> Attempt:
    return Attempt(result=result or graded(20, 20), times={clock: time})


def alone(attempt: Attempt, policy: Policy = POLICY) -> Result:
    (result,) = settle([attempt], policy, {})
    return result


def counting(results: Sequence[Result]) -> Result:
    (result,) = (result for result in results if result.counts)
    return result


# --- lateness ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("time", "days", "points"),
    [
        ("2026-12-01T23:59:00+01:00", 0, 40),
        ("2026-12-02T00:09:00+01:00", 0, 40),  # the grace to the second
        ("2026-12-02T00:09:00.000001+01:00", 1, 38),
        ("2026-12-02T23:59:00+01:00", 1, 38),  # a day to the second
        ("2026-12-02T23:59:01+01:00", 2, 36),
        ("2026-12-06T12:00:00+01:00", 5, 30),
        ("2026-12-09T12:00:00+01:00", 8, 30),  # the cap
        ("9999-12-31T23:59:59+00:00", 2912109, 30),
    ],
)
def test_each_day_begun_after_the_grace_costs_points_up_to_the_cap(time: str, days: int, points: int) -> None:
    result = alone(at(time))
    assert (result.late.days if result.late else 0, result.points) == (days, points)
    assert result.submitted_at == time


def test_instants_are_compared_whatever_their_offsets() -> None:
    assert alone(at("2026-12-01T22:59:00Z")).late is None
    assert alone(at("2026-12-02T09:39:00+10:30")).late is None
    assert alone(at("2026-12-01T23:20:00Z")).late is not None


def test_a_day_has_twenty_four_hours_also_where_clocks_are_put_back() -> None:
    policy = replace(POLICY, due_at="2026-10-24T23:59:00+02:00", grace=0)
    assert alone(at("2026-10-25T22:59:00+01:00"), policy).late.days == 1  # type: ignore[union-attr]
    assert alone(at("2026-10-25T23:00:00+01:00"), policy).late.days == 2  # type: ignore[union-attr]


def test_an_extension_moves_what_is_due_for_its_student_alone() -> None:
    policy = replace(POLICY, extensions={"s1": 3 * 86400})
    late = at("2026-12-05T12:00:00+01:00")
    result = alone(late, policy)
    assert result.late is not None
    assert (result.late.due_at, result.late.days, result.points) == ("2026-12-04T23:59:00+01:00", 1, 38)
    assert alone(at("2026-12-05T12:00:00+01:00", graded(20, 20, student="s2")), policy).points == 32


def test_no_more_is_taken_than_there_is() -> None:
    result = alone(at("2026-12-09T12:00:00+01:00", graded(3, 0)))
    assert (result.points, result.late.penalty) == (0, 3)  # type: ignore[union-attr]


def test_late_work_is_told_also_where_it_costs_nothing() -> None:
    result = alone(at("2026-12-03T12:00:00+01:00"), replace(POLICY, late_points=0))
    assert result.late is not None
    assert (result.late.days, result.late.penalty, result.points) == (2, 0, 40)


def test_without_a_time_by_the_course_s_clock_lateness_is_not_judged_and_the_staff_is_told() -> None:
    result = alone(Attempt(result=graded(20), times={"commit": "2027-01-01T00:00:00+01:00"}))
    assert (result.points, result.late, result.submitted_at, result.remarks) == (20, None, "", ())
    assert result.flags == (
        "when this was handed in is not known by the clock the course goes by (lms); lateness not judged; "
        "known by commit (2027-01-01T00:00:00+01:00)",
    )


def test_the_platform_s_own_mark_takes_nothing_without_a_time() -> None:
    result = alone(Attempt(result=graded(20), flagged_late=True))
    assert (result.points, result.late) == (20, None)
    assert result.flags == ("marked late by the platform; no time stamp, so no penalty is taken",)


@pytest.mark.parametrize("time", ["2027-01-01T00:00:00", "2027-01-01", "yesterday", ""])
def test_a_time_without_its_offset_is_not_known(time: str) -> None:
    result = alone(at(time))
    assert (result.points, result.late, result.submitted_at) == (40, None, "")
    assert f"{time!r} is no time with its offset from UTC" in result.flags[0]
    assert "lateness not judged" in result.flags[1]


def test_without_a_due_date_nothing_is_late_and_any_time_is_shown() -> None:
    result = alone(at("2027-01-01T00:00:00Z", clock="commit"), Policy())
    assert (result.points, result.late, result.flags) == (40, None, ())
    assert result.submitted_at == "2027-01-01T00:00:00+00:00"


def test_who_handed_in_nothing_is_not_late() -> None:
    result = alone(Attempt(result=ungraded(Status.MISSING)))
    assert (result.status, result.flags, result.points) == (Status.MISSING, (), 0)


# --- points that a person gave ----------------------------------------------------------------------------------------


def test_points_that_a_person_gave_replace_the_grader_s_before_the_penalty() -> None:
    given = {("q1", "a"): Override(points=7, before=None, why="units were not asked for", by="ada")}
    (result,) = settle([at("2026-12-02T12:00:00+01:00", graded(1, 20))], POLICY, given)
    part = result.exercises[0].parts[0]
    assert part.verdict == Verdict.INCORRECT
    assert (part.points, part.override) == (7, replace(given["q1", "a"], before=1))
    assert (result.exercises[0].points, result.points) == (27, 25)


def test_they_go_to_the_attempt_that_counts() -> None:
    given = {("q1", "a"): Override(points=7, before=None)}
    first, second = settle(
        [at("2026-11-01T00:00Z", graded(1)), at("2026-11-02T00:00Z", graded(2, source="b.yaml"))], POLICY, given
    )
    assert (first.points, first.counts, first.exercises[0].parts[0].override) == (1, False, None)
    assert (second.points, second.counts) == (7, True)


def test_the_best_attempt_is_the_best_with_them() -> None:
    given = {("q1", "a"): Override(points=10, before=None)}
    results = settle([Attempt(result=graded(9, 1)), Attempt(result=graded(0, 5, source="b.yaml"))], BEST, given)
    assert [(result.points, result.counts) for result in results] == [(10, False), (15, True)]


@pytest.mark.parametrize("status", [Status.MISSING, Status.UNREADABLE, Status.FAILED, Status.DUPLICATE])
def test_they_count_also_where_nothing_was_graded(status: Status) -> None:
    given = {("q1", "b"): Override(points=9, before=None, why="on paper")}
    attempt = Attempt(result=ungraded(status), times={"lms": "2026-12-02T12:00:00+01:00"})
    (result,) = settle([attempt], POLICY, given, outline=OUTLINE)
    assert (result.status, result.message) == (status, "why")
    assert [(e.id, [(p.id, p.points) for p in e.parts]) for e in result.exercises] == [
        ("q1", [("a", 0), ("b", 9)]),
        ("q2", [("a", 0)]),
    ]
    assert [(e.title, e.prompt) for e in result.exercises] == [("The first", "Answer."), ("", "")]
    assert result.exercises[0].parts[1].override == Override(points=9, before=None, why="on paper")
    assert (result.points, result.max_points) == (7, 50)


def test_those_for_a_part_that_is_not_there_are_told_to_the_staff() -> None:
    given = {("q1", "a"): Override(points=7, before=None), ("q9", "a"): Override(points=7, before=None)}
    (result,) = settle([Attempt(result=graded(1))], Policy(), given)
    assert result.points == 7
    assert result.flags == ("points were given for q9/a, which is not among the parts of this result",)
    (result,) = settle([Attempt(result=ungraded())], Policy(), given)
    assert (result.points, result.exercises, len(result.flags)) == (0, (), 2)


# --- attempts ---------------------------------------------------------------------------------------------------------

BEST = Policy(attempts="best")
EARLY, LATER = "2026-11-01T00:00:00Z", "2026-11-02T00:00:00Z"


def two(first: Mapping[str, object], second: Mapping[str, object], policy: Policy = POLICY) -> list[bool]:
    """Which of two attempts with 1 and 2 points counts; the same whichever is given first."""
    made = [
        Attempt(result=graded(2 - number, source=source), **rest)  # type: ignore[arg-type]
        for number, source, rest in zip((0, 1), SOURCES, (first, second), strict=True)
    ]
    results, turned = settle(made, policy, {}), settle(made[::-1], policy, {})
    assert results == turned[::-1]
    assert sum(result.counts for result in results) == 1
    return [result.counts and result.status == Status.GRADED for result in results]


def times(**moments: str) -> dict[str, object]:
    return {"times": moments}


def test_the_latest_is_told_by_the_course_s_clock() -> None:
    assert two(times(lms=EARLY, commit=LATER), times(lms=LATER, commit=EARLY)) == [False, True]
    assert two({**times(lms=LATER), "number": 1}, {**times(lms=EARLY), "number": 2}) == [True, False]


def test_else_by_a_clock_that_all_have_else_by_number() -> None:
    assert two(times(lms=LATER, commit=EARLY), times(commit=LATER)) == [False, True]
    assert two({**times(lms=EARLY), "number": 2}, {**times(commit=LATER), "number": 1}) == [True, False]
    assert two({**times(lms=EARLY), "number": 1}, {**times(lms=EARLY), "number": 2}) == [False, True]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({}, {}),
        (times(lms=EARLY), {}),
        (times(lms=EARLY), times(commit=LATER)),
        (times(lms=EARLY), times(lms="2026-11-01T01:00:00+01:00")),
        ({"number": 1}, {"number": 1}),
        ({"number": 1}, {}),
    ],
)
def test_where_the_latest_can_t_be_told_none_is_graded_and_all_are_listed(
    first: Mapping[str, object], second: Mapping[str, object]
) -> None:
    assert two(first, second) == [False, False]
    made = [Attempt(result=graded(n, source=s)) for n, s in enumerate(SOURCES)]
    results = settle(made, Policy(), {})
    assert {result.status for result in results} == {Status.DUPLICATE}
    assert {result.message for result in results} == {"s1 handed in 2 times: a.yaml and b.yaml"}
    assert {result.remarks for result in results} == {("s1 handed in 2 times: a.yaml and b.yaml",)}
    assert {(result.points, result.exercises) for result in results} == {(0, ())}
    assert [result.counts for result in results] == [True, False]


def test_only_the_latest_must_stand_out() -> None:
    made = [at(time, graded(n, source=f"{n}.yaml")) for n, time in enumerate((EARLY, EARLY, LATER))]
    assert [result.counts for result in settle(made, POLICY, {})] == [False, False, True]


def test_the_same_content_handed_in_twice_is_not_ambiguous() -> None:
    assert two({"digest": "d"}, {"digest": "d"}) == [True, False]
    assert two({"digest": ""}, {"digest": ""}) == [False, False]


def test_handing_in_the_same_again_costs_nothing_unless_something_else_came_between() -> None:
    late = "2026-12-03T00:00:00Z"
    assert two({**times(lms=EARLY), "digest": "d"}, {**times(lms=late), "digest": "d"}) == [True, False]
    between = [
        Attempt(result=graded(9, source=source), times={"lms": time}, digest=digest)
        for source, time, digest in (("a", EARLY, "d"), ("b", LATER, "e"), ("c", late, "d"))
    ]
    for given in permutations(between):
        assert counting(settle(given, POLICY, {})).source == "c"


def test_the_best_is_the_highest_total_after_the_rules() -> None:
    policy = replace(POLICY, attempts="best")
    results = settle([at("2026-12-05T00:00:00Z", graded(11)), at(EARLY, graded(10, source="b.yaml"))], policy, {})
    assert [(result.points, result.counts) for result in results] == [(3, False), (10, True)]


def test_of_several_best_the_latest_counts_else_the_first_by_source() -> None:
    same = graded(5)
    assert counting(settle([at(EARLY, same), at(LATER, replace(same, source="b"))], BEST, {})).source == "b"
    assert counting(settle([Attempt(result=replace(same, source="b")), Attempt(result=same)], BEST, {})).source < "b"


@pytest.mark.parametrize("attempts", ["latest", "best"])
@pytest.mark.parametrize(
    ("status", "time", "remark"),
    [
        (Status.UNREADABLE, LATER, "a later attempt (b.yaml) could not be read and does not count"),
        (Status.FAILED, LATER, "a later attempt (b.yaml) could not be graded and does not count"),
        (Status.UNREADABLE, "", "another attempt (b.yaml) could not be read and does not count"),
        (Status.UNREADABLE, "2026-10-01T00:00:00Z", ""),
        (Status.MISSING, LATER, ""),
    ],
)
def test_an_attempt_that_was_not_graded_displaces_none_that_was(
    attempts: str, status: Status, time: str, remark: str
) -> None:
    other = Attempt(result=ungraded(status), times={"lms": time} if time else {})
    results = settle([at(EARLY, graded(0)), other], replace(POLICY, attempts=attempts), {})
    assert [result.counts for result in results] == [True, False]
    assert results[0].remarks == ((remark,) if remark else ())
    assert results[1].status == status


def test_of_attempts_that_were_not_graded_the_one_counts_that_says_most() -> None:
    made = [Attempt(result=ungraded(status, status)) for status in (Status.MISSING, Status.FAILED, Status.UNREADABLE)]
    for given in permutations(made):
        assert counting(settle(given, Policy(), {})).status == Status.FAILED


def test_no_attempts_give_no_results() -> None:
    assert settle([], Policy(), {}) == ()

"""What holds for the course's rules whatever the attempts are."""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from grader.compiled import Policy
from grader.gradebook import Overrides
from grader.policy import Attempt, settle
from grader.results import ExerciseResult, Override, PartResult, Result, Status, Verdict

DUE = datetime(2026, 3, 29, 1, 30, tzinfo=UTC)  # the hour at which clocks are put forward in Europe
PLACES = [(exercise, part) for exercise in ("q1", "q2") for part in ("a", "b", "c")]
seconds = st.integers(-10 * 86400, 20 * 86400) | st.sampled_from([0, 600, 601, 86400, 86401])
offsets = st.integers(-14 * 60, 14 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))


@st.composite
def moments(draw: st.DrawFn) -> str:
    return (DUE + timedelta(seconds=draw(seconds))).astimezone(draw(offsets)).isoformat()


@st.composite
def results(draw: st.DrawFn) -> Result:
    source = draw(st.sampled_from("abcdef"))
    status = draw(st.sampled_from([Status.GRADED] * 4 + list(Status)))
    if status != Status.GRADED:
        return Result(student="s1", source=source, status=status)
    exercises = []
    for name in ("q1", "q2"):
        points = draw(st.tuples(*[st.integers(0, 4)] * 3))
        parts = tuple(
            PartResult(id=part, verdict=Verdict.PARTIAL, points=earned, max_points=4)
            for part, earned in zip("abc", points, strict=True)
        )
        exercises.append(ExerciseResult(id=name, title="", points=sum(points), max_points=12, parts=parts))
    total = sum(exercise.points or 0 for exercise in exercises)
    return Result(student="s1", source=source, status=status, points=total, max_points=24, exercises=tuple(exercises))


attempts = st.builds(
    Attempt,
    result=results(),
    times=st.dictionaries(st.sampled_from(["release", "lms", "commit"]), moments() | st.just("2026-03-29"), max_size=2),
    number=st.none() | st.integers(1, 3),
    flagged_late=st.booleans(),
    digest=st.sampled_from(["", "", "d", "e"]),
)
several = st.lists(attempts, min_size=1, max_size=5, unique_by=lambda attempt: attempt.result.source)
policies = st.builds(
    Policy,
    due_at=st.just("") | moments(),
    clock=st.sampled_from(["release", "lms", "commit"]),
    grace=st.sampled_from([0, 600, 200_000]),
    late_points=st.integers(0, 5),
    late_cap=st.none() | st.integers(0, 12),
    attempts=st.sampled_from(["latest", "best"]),
    extensions=st.just({}) | st.fixed_dictionaries({"s1": st.integers(0, 900_000)}),
)
overrides = st.dictionaries(
    st.sampled_from([*PLACES, ("q9", "z")]), st.builds(Override, points=st.integers(0, 4), before=st.none()), max_size=3
)


@given(several, policies, overrides)
def test_the_parts_less_the_penalty_are_the_total_and_one_attempt_counts(
    made: list[Attempt], policy: Policy, given_points: Overrides
) -> None:
    settled = settle(made, policy, given_points)
    assert [result.source for result in settled] == [attempt.result.source for attempt in made]
    assert sum(result.counts for result in settled) == 1
    for result in settled:
        parts = [part.points for exercise in result.exercises for part in exercise.parts]
        assert result.points == sum(filter(None, parts)) - (result.late.penalty if result.late else 0)
        assert result.points >= 0
        assert [e.points for e in result.exercises] == [sum(p.points or 0 for p in e.parts) for e in result.exercises]


@given(several, st.randoms(use_true_random=False), policies, overrides)
def test_the_order_in_which_attempts_are_given_does_not_matter(
    made: list[Attempt], order: Random, policy: Policy, given_points: Overrides
) -> None:
    turned = order.sample(made, len(made))
    settled = dict(zip(map(id, made), settle(made, policy, given_points), strict=True))
    assert tuple(settled[id(attempt)] for attempt in turned) == settle(turned, policy, given_points)


@given(results(), seconds, st.integers(0, 10**6), policies, overrides)
def test_coming_later_never_costs_less(
    result: Result, first: int, wait: int, policy: Policy, given_points: Overrides
) -> None:
    def points(after: int) -> int:
        times = {policy.clock: (DUE + timedelta(seconds=after)).isoformat()}
        (settled,) = settle([Attempt(result=result, times=times)], policy, given_points)
        return settled.points or 0

    assert points(first) >= points(first + wait)


@given(several, policies, st.integers(0, 10**6), overrides)
def test_an_extension_never_costs_points(
    made: list[Attempt], policy: Policy, more: int, given_points: Overrides
) -> None:
    longer = replace(policy, extensions={"s1": policy.extensions.get("s1", 0) + more})

    def points(rules: Policy) -> int:
        return next(result.points or 0 for result in settle(made, rules, given_points) if result.counts)

    assert points(policy) <= points(longer)


@contextmanager
def clock_of(zone: str) -> Iterator[None]:
    before = os.environ.get("TZ")
    os.environ["TZ"] = zone
    time.tzset()
    try:
        yield
    finally:
        os.environ.pop("TZ") if before is None else os.environ.update(TZ=before)
        time.tzset()


if hasattr(time, "tzset"):  # Windows has no way to change it for one process

    @given(several, policies)
    def test_the_machine_s_time_zone_does_not_matter(made: list[Attempt], policy: Policy) -> None:
        with clock_of("Pacific/Auckland"):
            there = settle(made, policy, {})
        with clock_of("America/St_Johns"):
            assert settle(made, policy, {}) == there

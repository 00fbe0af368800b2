"""The course's rules at the gradebook: which attempt counts, what a person gave instead, what being late costs.

Nothing here changes what is said of an answer, and all of it follows from the values handed in: grading again on
another day or in another time zone gives the same. The results that come in are as graded, before any rule.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from datetime import datetime, timedelta
from itertools import groupby
from typing import Any

from grader.compiled import Policy
from grader.gradebook import Outline, Overrides
from grader.results import ExerciseResult, Lateness, Override, PartResult, Result, Status, Verdict
from grader.values import frozen

_DAY = timedelta(days=1)
_CLOCKS = ("release", "lms", "commit")
_UNGRADED = (Status.MISSING, Status.UNREADABLE, Status.FAILED, Status.DUPLICATE)  # what says more comes later


@frozen(kw_only=True)
class Attempt:
    """One submission as graded, and what its source tells of when it came (see `grader.bundle.Bundle`). The sources of
    one student's attempts differ.

    `flagged_late` is the platform's own mark. Attempts with the same `digest` are the same content handed in again.
    """

    result: Result
    times: Mapping[str, str] = field(default_factory=dict)
    number: int | None = None
    flagged_late: bool = False
    digest: str = ""


def settle(
    attempts: Sequence[Attempt], policy: Policy, overrides: Overrides, *, outline: Outline | None = None
) -> tuple[Result, ...]:
    """The results of one student's attempts after the course's rules, in the same order; exactly one has `counts`.

    Points that a person gave replace the grader's in the attempt that counts, before the late penalty. Where nothing
    was graded they need the `outline`, from which the parts are taken; the status stays. Those for a part that isn't
    there are told in `flags`.

    Attempts that could not be graded don't displace one that could, which then has a remark. `latest` goes by the
    clock of the course, else by one that all attempts have, then by number; handing in the same content again changes
    nothing. If that leaves several, none is graded: all are duplicates, and the first by source stands for them.
    `best` is the highest total after the rules, the latest of several.
    """
    given = [_case(attempt, policy, overrides, outline) for attempt in attempts]
    cases = sorted(given, key=_place)
    if not cases:
        return ()
    graded = [case for case in cases if case.attempt.result.status == Status.GRADED]
    if not graded:
        chosen = _telling(cases, policy)
    elif policy.attempts == "best":
        chosen = _best(graded, policy)
    else:
        latest = _latest(graded, policy)
        if latest is None:
            return settle(_duplicates(attempts), policy, overrides, outline=outline)
        chosen = latest
    passed = tuple(filter(None, (_passed_over(case, chosen, policy) for case in cases)))
    final = replace(chosen.final, remarks=(*chosen.final.remarks, *passed)) if passed else chosen.final
    return tuple(final if case is chosen else replace(case.own, counts=False) for case in given)


@frozen
class _Case:
    """One attempt with its moments by clock; its result by the rules, and the same with what a person gave."""

    attempt: Attempt
    moments: Mapping[str, datetime]
    own: Result
    final: Result


def _case(attempt: Attempt, policy: Policy, overrides: Overrides, outline: Outline | None) -> _Case:
    moments = {clock: moment for clock, text in attempt.times.items() if (moment := _moment(text)) is not None}
    result, due = attempt.result, bool(policy.due_at)
    moment = moments.get(policy.clock)
    # a course without a due date goes by no clock
    shown = moment if due else next((moments[c] for c in (policy.clock, *_CLOCKS) if c in moments), None)
    result = replace(
        result,
        submitted_at=shown.isoformat() if shown else "",
        flags=(*result.flags, *_time_flags(attempt, moments, policy)),
    )
    late = _lateness(result.student, moment, policy) if due and moment else None
    own = _ruled(result, late)
    final = _ruled(_given(result, overrides, outline), late) if overrides else own
    return _Case(attempt, moments, own, final)


def _place(case: _Case) -> tuple[Any, ...]:
    """Where an attempt stands among others when nothing else tells: whatever order they come in."""
    attempt = case.attempt
    return attempt.result.source, attempt.digest, attempt.number or 0, sorted(attempt.times.items())


# --- when it came -----------------------------------------------------------------------------------------------------


def _moment(text: str) -> datetime | None:
    """The instant; None for what is no time, or one that differs from place to place for want of an offset."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return None if moment.utcoffset() is None else moment


def _time_flags(attempt: Attempt, moments: Mapping[str, datetime], policy: Policy) -> list[str]:
    flags = [
        f"the time by the clock {clock} is not used: {text[:40]!r} is no time with its offset from UTC"
        for clock, text in sorted(attempt.times.items())
        if clock not in moments
    ]
    if policy.due_at and policy.clock not in moments and attempt.result.status != Status.MISSING:
        others = ", ".join(f"{clock} ({moments[clock].isoformat()})" for clock in sorted(moments))
        flags.append(
            (
                "marked late by the platform; no time stamp, so no penalty is taken"
                if attempt.flagged_late
                else "when this was handed in is not known by the clock the course goes by "
                f"({policy.clock}); lateness not judged"
            )
            + (f"; known by {others}" if others else "")
        )
    return flags


def _lateness(student: str, moment: datetime, policy: Policy) -> Lateness | None:
    """How late that is and what the rule asks for it, whatever there is to take it from; None if it is in time."""
    extension = timedelta(seconds=policy.extensions.get(student, 0))
    due = datetime.fromisoformat(policy.due_at)
    over = moment - due - extension
    if over <= timedelta(seconds=policy.grace):
        return None
    days = -(-over // _DAY)
    asked = policy.late_points * days
    return Lateness(
        submitted_at=moment.isoformat(),
        due_at=(due + extension).isoformat(),
        clock=policy.clock,
        days=days,
        penalty=asked if policy.late_cap is None else min(asked, policy.late_cap),
    )


# --- points -----------------------------------------------------------------------------------------------------------


def _ruled(result: Result, late: Lateness | None) -> Result:
    """The result with its total: the parts' points less the penalty, of which no more is taken than there is."""
    earned = sum(exercise.points or 0 for exercise in result.exercises)
    if late is None:
        return result if result.points == earned else replace(result, points=earned)
    taken = min(late.penalty, earned)
    return replace(result, points=earned - taken, late=replace(late, penalty=taken))


def _given(result: Result, overrides: Overrides, outline: Outline | None) -> Result:
    """The result with what a person gave in place of the grader's points."""
    exercises = result.exercises or (_blank(outline) if outline else ())
    known = {(exercise.id, part.id) for exercise in exercises for part in exercise.parts}
    unknown = [f"{exercise}/{part}" for exercise, part in sorted(overrides.keys() - known)]
    flags = tuple(f"points were given for {name}, which is not among the parts of this result" for name in unknown)
    result = replace(result, flags=(*result.flags, *flags))
    if len(unknown) == len(overrides):
        return result
    graded = bool(result.exercises)
    exercises = tuple(_exercise(exercise, overrides, graded) for exercise in exercises)
    return replace(result, exercises=exercises, max_points=sum(exercise.max_points for exercise in exercises))


def _exercise(exercise: ExerciseResult, overrides: Overrides, graded: bool) -> ExerciseResult:
    parts = tuple(_part(part, overrides.get((exercise.id, part.id)), graded) for part in exercise.parts)
    return replace(exercise, parts=parts, points=sum(part.points or 0 for part in parts))


def _part(part: PartResult, given: Override | None, graded: bool) -> PartResult:
    if given is None:
        return part
    return replace(part, points=given.points, override=replace(given, before=part.points if graded else None))


def _blank(outline: Outline) -> tuple[ExerciseResult, ...]:
    """The course's parts as one who answered nothing has them."""
    found = []
    for exercise, columns in groupby(outline.columns, key=lambda column: column.exercise):
        parts = tuple(
            PartResult(id=c.part, title=c.title, verdict=Verdict.MISSING, points=0, max_points=c.max_points)
            for c in columns
        )
        title, prompt = outline.exercises.get(exercise, ("", ""))
        most = sum(part.max_points for part in parts)
        found.append(ExerciseResult(id=exercise, title=title, prompt=prompt, points=0, max_points=most, parts=parts))
    return tuple(found)


# --- which attempt counts ---------------------------------------------------------------------------------------------


def _order(cases: Sequence[_Case], policy: Policy) -> Callable[[_Case], tuple[Any, ...]] | None:
    """By what the cases are in order of time: one clock for all of them, and their numbers; None if neither tells."""
    shared = set.intersection(*(set(case.moments) for case in cases))
    clock = next((name for name in (policy.clock, *_CLOCKS, *sorted(shared)) if name in shared), None)
    numbered = all(case.attempt.number is not None for case in cases)
    if clock is None and not numbered:
        return None

    def key(case: _Case) -> tuple[Any, ...]:
        moment = (case.moments[clock],) if clock is not None else ()
        return (*moment, case.attempt.number) if numbered else moment

    return key


def _latest(graded: Sequence[_Case], policy: Policy) -> _Case | None:
    """The latest of the graded; None if that can't be told. Of the same content in a row, the one that costs least."""
    key = _order(graded, policy) or (lambda _: ())
    last = max(map(key, graded))
    top = next(case for case in graded if key(case) == last)
    others = [key(case) for case in graded if not _same(case, top)]
    if last in others:
        return None
    row = [case for case in graded if _same(case, top) and all(other < key(case) for other in others)]
    return max(sorted(row, key=key), key=lambda case: case.final.points or 0)


def _best(graded: Sequence[_Case], policy: Policy) -> _Case:
    key = _order(graded, policy) or (lambda _: ())
    return max(graded, key=lambda case: (case.final.points or 0, key(case)))


def _telling(cases: Sequence[_Case], policy: Policy) -> _Case:
    """Of attempts that were not graded, the one that says most, the latest of several."""
    key = _order(cases, policy) or (lambda _: ())
    return max(cases, key=lambda case: (_UNGRADED.index(case.attempt.result.status), key(case)))


def _same(one: _Case, other: _Case) -> bool:
    return one is other or (one.attempt.digest != "" and one.attempt.digest == other.attempt.digest)


def _duplicates(attempts: Sequence[Attempt]) -> list[Attempt]:
    """The attempts, those that were graded now not graded, with a message that lists the sources."""
    sources = sorted(attempt.result.source for attempt in attempts)
    message = f"{attempts[0].result.student} handed in {len(attempts)} times: {' and '.join(sources)}"
    found = []
    for attempt in attempts:
        result = replace(attempt.result, remarks=(*attempt.result.remarks, message))
        if result.status == Status.GRADED:
            result = replace(result, status=Status.DUPLICATE, message=message, exercises=(), points=0)
        found.append(replace(attempt, result=result))
    return found


def _passed_over(case: _Case, chosen: _Case, policy: Policy) -> str:
    """What to say where an attempt that could not be graded may have been meant in place of the one that counts."""
    status = case.attempt.result.status
    if case is chosen or status in (Status.GRADED, Status.MISSING) or chosen.own.status != Status.GRADED:
        return ""
    key = _order((case, chosen), policy)
    if key is not None and key(case) < key(chosen):
        return ""
    which = "a later attempt" if key is not None and key(case) > key(chosen) else "another attempt"
    what = "read" if status == Status.UNREADABLE else "graded"
    return f"{which} ({case.attempt.result.source}) could not be {what} and does not count"

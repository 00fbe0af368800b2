"""Where the key may be wrong: those who do well in all other parts agree on another answer."""

from collections.abc import Sequence

from grader.analysis.sitting import Answer, Place, Sitting
from grader.gradebook import Column
from grader.results import Verdict
from grader.values import frozen

STRONG = 3  # the best one in so many, by the rest of the score
FEWEST = 3  # students who agree
SHARE = 3  # at least one in so many of the strong ones agrees
_NEAR = 0.01  # numbers this close are one answer, as roundings differ

_ANSWERED = (Verdict.CORRECT, Verdict.PARTIAL, Verdict.INCORRECT)
_Given = list[tuple[str, Answer, int]]  # the student, the answer to this part, the points in all others


@frozen(kw_only=True)
class Alarm:
    """One part whose key may be wrong: of `strong` students `agree` gave `answer`, and `right` what the key has."""

    place: Place
    answer: str
    agree: int
    right: int
    strong: int
    students: tuple[str, ...]


def alarms(sittings: Sequence[Sitting], columns: Sequence[Column]) -> tuple[Alarm, ...]:
    """The parts at which the strong students, who are the best third by their points in all other parts, agree on one
    wrong answer: at least three of them, at least a third of them, and more than are right.

    Only answers that were read and decided count. One that follows from the student's own earlier answers is no sign.
    """
    given: dict[Place, _Given] = {(column.exercise, column.part): [] for column in columns}
    for one in sittings:
        earned = sum(answer.points for answer in one.answers)
        for answer in one.answers if one.sat else ():
            if answer.verdict in _ANSWERED and answer.place in given:
                given[answer.place].append((one.student, answer, earned - answer.points))
    found = (_alarm(place, answered) for place, answered in given.items())
    return tuple(alarm for alarm in found if alarm is not None)


def _alarm(place: Place, answered: _Given) -> Alarm | None:
    strong = _strong(answered)
    right = sum(answer.verdict == Verdict.CORRECT for _, answer, _ in strong)
    agree = _largest([one for one in strong if one[1].verdict == Verdict.INCORRECT and not one[1].followed])
    if len(agree) < FEWEST or len(agree) * SHARE < len(strong) or len(agree) <= right:
        return None
    first = agree[0][1]
    return Alarm(
        place=place,
        answer=first.read_as or first.response,
        agree=len(agree),
        right=right,
        strong=len(strong),
        students=tuple(student for student, _, _ in agree),
    )


def _strong(answered: _Given) -> _Given:
    """The best third by the rest of the score; whoever has the same as the last of them is one, too."""
    if not answered:
        return []
    best = sorted((rest for _, _, rest in answered), reverse=True)
    least = best[(len(best) - 1) // STRONG]
    return [one for one in answered if one[2] >= least]


def _largest(wrong: _Given) -> _Given:
    """The most answers that are the same: equal by what they are off by, or numbers close to each other."""
    groups: dict[str, list[int]] = {}
    for number, (_, answer, _) in enumerate(wrong):
        name = answer.ratio or answer.cluster or answer.read_as or answer.response
        groups.setdefault(name, []).append(number)
    numbers = [(value, name) for name in groups if (value := _number(name)) is not None]
    near = [[name for other, name in numbers if value <= other <= value * (1 + _NEAR)] for value, _ in numbers]
    merged = ([number for name in names for number in groups[name]] for names in near)
    best = max((*groups.values(), *merged), key=len, default=[])
    return [wrong[number] for number in sorted(best)]


def _number(text: str) -> float | None:
    """The value of a ratio that is a positive number."""
    over, _, under = text.partition("/")
    try:
        value = float(over) / float(under or 1)
    except (ValueError, ZeroDivisionError):
        return None
    return value if 0 < value < float("inf") else None

"""Answers that belong together: the same mistake, the same wrong value, the same ratio to the solution, the same text
that a person must look at."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field

from grader.analysis.drafts import draft_of_change, draft_of_value
from grader.analysis.sitting import Answer, Place, Sitting
from grader.gradebook import Column
from grader.results import Verdict
from grader.values import frozen

# a ratio that says something without giving the solution away: a number, a power of a symbol, a factor of the two
_FACTOR = re.compile(r"-?[\w.^*/]{1,20}")
_WRONG = (Verdict.INCORRECT, Verdict.PARTIAL)


@frozen(kw_only=True)
class MistakeGroup:
    """A named mistake with the students behind it, and in which parts. `ambiguous` of them may have made another."""

    id: str
    title: str
    students: tuple[str, ...]
    ambiguous: int
    places: tuple[tuple[Place, int], ...]


@frozen(kw_only=True)
class Cluster:
    """Equal wrong answers to one part, which nothing explains: one way to write them, and a draft of a mistake entry
    ("" where none can be made)."""

    place: Place
    answer: str
    ratio: str
    students: tuple[str, ...]
    draft: str = ""


@frozen(kw_only=True)
class RatioGroup:
    """Wrong answers of one exercise, which nothing explains, off by the same factor."""

    exercise: str
    ratio: str
    students: tuple[str, ...]
    places: tuple[tuple[Place, int], ...]
    draft: str = ""


@frozen(kw_only=True)
class Todo:
    """Equal texts that a person must look at: the grader could not decide them, or not read them."""

    place: Place
    verdict: Verdict
    response: str
    message: str
    max_points: int
    who: tuple[tuple[str, str, int | None], ...]  # student, file, line


@frozen
class _Told:
    """Students in the order of the class, and in how many of their answers which part occurs."""

    students: dict[str, Answer] = field(default_factory=dict)
    places: Counter[Place] = field(default_factory=Counter)
    unsure: set[str] = field(default_factory=set)

    def add(self, student: str, answer: Answer) -> None:
        """One more answer."""
        self.students.setdefault(student, answer)
        self.places[answer.place] += 1
        if answer.ambiguous:
            self.unsure.add(student)

    @property
    def first(self) -> Answer:
        """The answer of the first student."""
        return next(iter(self.students.values()))


def _given(sittings: Iterable[Sitting]) -> Iterator[tuple[str, Answer]]:
    return ((one.student, answer) for one in sittings for answer in one.answers)


def mistakes(sittings: Sequence[Sitting]) -> tuple[MistakeGroup, ...]:
    """The mistakes that answers were explained by, the most frequent first; of a pair each counts."""
    told: dict[str, _Told] = {}
    titles: dict[str, str] = {}
    for student, answer in _given(sittings):
        for name in answer.mistakes:
            told.setdefault(name, _Told()).add(student, answer)
        titles.update(answer.titles)
    groups = (
        MistakeGroup(
            id=name,
            title=titles.get(name, ""),
            students=tuple(one.students),
            ambiguous=len(one.unsure),
            places=tuple(one.places.most_common()),
        )
        for name, one in told.items()
    )
    return tuple(sorted(groups, key=lambda group: (-len(group.students), group.id)))


def clusters(sittings: Sequence[Sitting], columns: Sequence[Column]) -> tuple[Cluster, ...]:
    """Equal wrong answers that nothing explains, the most frequent first, each with a draft for the exercise's file."""
    told: dict[tuple[Place, str], _Told] = {}
    for student, answer in _given(sittings):
        if answer.cluster and answer.verdict in _WRONG:
            told.setdefault((answer.place, answer.cluster), _Told()).add(student, answer)
    quantities = {(column.exercise, column.part): column.quantity for column in columns}
    order = {place: number for number, place in enumerate(quantities)}
    ranked = sorted(told.items(), key=lambda item: (-len(item[1].students), order.get(item[0][0], 0), item[0]))
    return tuple(_cluster(mark, one, quantities) for (_, mark), one in ranked)


def _cluster(mark: str, told: _Told, quantities: Mapping[Place, str]) -> Cluster:
    first = told.first
    shown, ratio = first.read_as or first.response, factor(first.ratio)
    draft = draft_of_change(first.place[1], ratio, quantities.get(first.place, ""), mark)
    return Cluster(
        place=first.place,
        answer=shown,
        ratio=ratio,
        students=tuple(told.students),
        draft=draft or draft_of_value(first.place[1], shown, mark),
    )


def factor(ratio: str | None) -> str:
    """The ratio, if it is one factor such as `1/2`, `B` or `B/2`; "" otherwise, which would show the solution."""
    return ratio if ratio and _FACTOR.fullmatch(ratio) else ""


def ratio_groups(sittings: Sequence[Sitting], columns: Sequence[Column]) -> tuple[RatioGroup, ...]:
    """Several students who are off by the same factor in one exercise, in whichever parts; the most first."""
    told: dict[tuple[str, str], _Told] = {}
    for student, answer in _given(sittings):
        if answer.ratio_cluster and factor(answer.ratio):
            told.setdefault((answer.place[0], answer.ratio_cluster), _Told()).add(student, answer)
    quantities = {(column.exercise, column.part): column.quantity for column in columns}
    groups = (
        RatioGroup(
            exercise=exercise,
            ratio=factor(one.first.ratio),
            students=tuple(one.students),
            places=tuple(one.places.most_common()),
            draft=draft_of_change(place[1], factor(one.first.ratio), quantities.get(place, ""), mark),
        )
        for (exercise, mark), one in told.items()
        if len(one.students) > 1
        for ((place, _),) in [one.places.most_common(1)]
    )
    return tuple(sorted(groups, key=lambda group: (-len(group.students), group.exercise, group.ratio)))


def todo(sittings: Sequence[Sitting]) -> tuple[Todo, ...]:
    """What a person must look at: undecided answers first, then unreadable ones; what many typed stands first."""
    told: dict[Answer, list[tuple[str, str, int | None]]] = {}
    for one in sittings:
        for answer, line in zip(one.answers, one.lines, strict=True):
            if answer.verdict in (Verdict.UNDECIDED, Verdict.INVALID) and not answer.given:
                told.setdefault(answer, []).append((one.student, one.source, line))
    found = (
        Todo(
            place=answer.place,
            verdict=Verdict(answer.verdict or ""),
            response=answer.response,
            message=answer.message,
            max_points=answer.max_points,
            who=tuple(who),
        )
        for answer, who in told.items()
    )
    return tuple(sorted(found, key=lambda one: (one.verdict != Verdict.UNDECIDED, -len(one.who))))

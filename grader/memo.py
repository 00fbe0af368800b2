"""What was examined before, for a class in which many give the same answer after earlier answers that say the same.

A result depends on the answer and on little of what came before: on the wrong answers that its part depends on, and,
where it is wrong itself, on which mistakes the others showed or speak against. So it is looked up by these alone.
"""

from collections.abc import Callable
from functools import lru_cache
from itertools import count
from typing import Generic, TypeVar

from grader.diagnosis.evidence import Earlier, Evidence
from grader.marking import Decided, Marker
from grader.results import PartResult, Verdict
from grader.submission import Response
from grader.values import frozen

K = TypeVar("K")
V = TypeVar("V")

Path = tuple[int, ...]  # a student's earlier answers by their numbers
Beside = tuple[tuple[str, str], ...]  # the files beside the answers
_Given = tuple[Marker, str, str, Beside]  # an answer as it was given to a part: text, fault, files beside it

_MOST_DECIDED = 3_000  # one takes some ten kilobytes
_MOST_RESULTS = 8_000  # one takes a few
_MOST_ANSWERS = 20_000


@frozen
class Examined:
    """The result of one part for whoever gives this answer after such earlier ones, its line left out.

    `number` tells it from all others that the same memo made; they count up from 0. `earlier` is the number of what it
    says to later parts, if it says anything.
    """

    part: PartResult
    earlier: int | None
    number: int


class Recent(Generic[K, V]):
    """A mapping of what was used lately: of more than `most` entries, those that nobody asked for again are dropped."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._young: dict[K, V] = {}
        self._old: dict[K, V] = {}

    def get(self, key: K) -> V | None:
        """What was put there; None if nothing was, or it was dropped."""
        found = self._young.get(key)
        if found is None:
            found = self._old.get(key)
            if found is not None:
                self.put(key, found)
        return found

    def put(self, key: K, value: V) -> None:
        """Keep a value."""
        if len(self._young) >= self._most:
            self._old, self._young = self._young, {}
        self._young[key] = value


class Memo:
    """Remembers what `examine` gives for a decided answer and earlier ones. Paths hold until `clear`."""

    def __init__(self, examine: Callable[[Decided, Evidence], tuple[PartResult, Earlier | None]]) -> None:
        self._examine = examine
        self._numbers = count()
        self.clear()

    def clear(self) -> None:
        """Forget everything; numbers of results go on counting."""
        self._decided: Recent[_Given, Decided] = Recent(_MOST_DECIDED)
        self._results: Recent[tuple[object, ...], Examined | bool] = Recent(_MOST_RESULTS)
        self._answers: list[Earlier] = []
        self._by_answer: dict[Earlier, int] = {}
        self._depends = lru_cache(None)(_depends)
        self._weight = lru_cache(_MOST_RESULTS)(self._weigh)

    @property
    def full(self) -> bool:
        """Whether it is time to clear: between submissions, since paths are lost."""
        return len(self._answers) > _MOST_ANSWERS

    def examined(self, marker: Marker, path: Path, text: str, fault: str, beside: Beside) -> Examined:
        """The result of an answer after those of the path."""
        given = (marker, text, fault, beside)
        key: tuple[object, ...] = given
        found = self._results.get(key)
        if found is True:  # it depends on the wrong answers before it
            key = (given, tuple(n for n in path if self._answers[n].carries and self._reaches(marker, n)))
            found = self._results.get(key)
        if found is True:  # and how it is explained depends on more
            key = (*key, *self._weight(marker, path))
            found = self._results.get(key)
        if isinstance(found, Examined):
            return found
        decided = self._decide(given)
        part, earlier = self._examine(decided, Evidence(tuple(self._answers[n] for n in path)))
        made = Examined(part, None if earlier is None else self._number(earlier), next(self._numbers))
        self._keep(given, path, made)
        return made

    def _keep(self, given: _Given, path: Path, made: Examined) -> None:
        """Keep a result under all that it depends on, and with less the note that it does."""
        marker, verdict = given[0], made.part.verdict
        key: tuple[object, ...] = given
        if verdict not in (Verdict.INVALID, Verdict.MISSING):
            self._results.put(key, True)
            key = (given, tuple(n for n in path if self._answers[n].carries and self._reaches(marker, n)))
            if verdict is not Verdict.CORRECT:
                self._results.put(key, True)
                key = (*key, *self._weight(marker, path))
        self._results.put(key, made)

    def _decide(self, given: _Given) -> Decided:
        found = self._decided.get(given)
        if found is None:
            marker, text, fault, beside = given
            response = Response(exercise=marker.exercise.id, part=marker.part.id, text=text, fault=fault)
            found = marker.decided(response, dict(beside))
            self._decided.put(given, found)
        return found

    def seen_from(self, exercise: str, path: Path) -> Path:
        """The path for an exercise that follows this one."""
        answers = Evidence(tuple(self._answers[n] for n in path)).seen_from(exercise).answers
        return tuple(map(self._number, answers))

    def _number(self, earlier: Earlier) -> int:
        number = self._by_answer.setdefault(earlier, len(self._answers))
        if number == len(self._answers):
            self._answers.append(earlier)
        return number

    def _reaches(self, marker: Marker, number: int) -> bool:
        return self._depends(marker, self._answers[number].quantity)

    def _weigh(self, marker: Marker, path: Path) -> tuple[object, ...]:
        """What of the earlier answers bears on how a wrong answer to this part is explained."""
        evidence = Evidence(tuple(self._answers[n] for n in path))
        names = _mistakes(marker)
        right = tuple(n for n in path if self._answers[n].settled and self._reaches(marker, n))
        return right, evidence.shown & names, evidence.contradicted & names


def _depends(marker: Marker, quantity: str) -> bool:
    return bool(quantity) and marker.solver().depends(marker.part, quantity)


@lru_cache(10_000)
def _mistakes(marker: Marker) -> frozenset[str]:
    """The mistakes that may explain a wrong answer to the part."""
    return marker.keys.wrong_mistakes.union(m.id for m, _ in marker.solver().reaching(marker.part))

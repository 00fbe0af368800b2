"""What was examined before, for a class in which many give the same answer after earlier answers that say the same.

A result depends on the answer and on little of what came before: on the wrong answers that its part depends on, and,
where it is wrong itself, on which mistakes the others showed or speak against. So it is looked up by these alone.
"""

from collections.abc import Callable
from functools import lru_cache
from itertools import count

from grader.diagnosis.evidence import Earlier, Evidence
from grader.marking import Decided, Marker
from grader.recent import Recent
from grader.results import PartResult, Verdict
from grader.submission import Response
from grader.values import changed, frozen

Path = tuple[int, ...]  # a student's earlier answers by their numbers
Beside = tuple[tuple[str, str], ...]  # the files beside the answers
_Given = tuple[Marker, str, str, Beside]  # an answer as it was given to a part: text, fault, files beside it

_MOST_DECIDED = 3_000  # one takes some ten kilobytes
_MOST_KEPT = 8_000  # results with their parts; one takes a few kilobytes
_MOST_RESULTS = 60_000  # without them; some 200 bytes
_MOST_ANSWERS = 20_000


@frozen
class Examined:
    """The result of one part for whoever gives this answer after such earlier ones, its line left out.

    `number` tells it from all others that the same memo made; they count up from 0. `earlier` is the number of what it
    says to later parts, if it says anything.
    """

    part: PartResult | None  # None where the memo keeps no parts and gave it before
    verdict: Verdict | None
    points: int
    answered: bool
    earlier: int | None
    number: int


class Memo:
    """Remembers what `examine` gives for a decided answer and earlier ones. Paths hold until `clear`.

    Without `keep` a part's result is given once, when it is made, and only its number, verdict and points after that:
    far more of them can be remembered then.
    """

    def __init__(self, examine: Callable[[Decided, Evidence], tuple[PartResult, Earlier | None]], keep: bool) -> None:
        self._examine, self._keeps = examine, keep
        self._most = _MOST_KEPT if keep else _MOST_RESULTS
        self._numbers = count()
        self.clear()

    def clear(self) -> None:
        """Forget everything; numbers of results go on counting."""
        self._decided: Recent[_Given, Decided] = Recent(_MOST_DECIDED)
        self._results: Recent[tuple[object, ...], Examined | bool] = Recent(self._most)
        self._answers: list[Earlier] = []
        self._by_answer: dict[tuple[int, Earlier], int] = {}
        self._weight = lru_cache(_MOST_KEPT)(self._weigh)

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
        said = None if earlier is None else self._number(earlier)
        made = Examined(part, part.verdict, part.points or 0, bool(part.response), said, next(self._numbers))
        self._keep(given, path, made if self._keeps else changed(made, part=None))
        return made

    def _keep(self, given: _Given, path: Path, made: Examined) -> None:
        """Keep a result under all that it depends on, and with less the note that it does."""
        marker, verdict = given[0], made.verdict
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
        # equal answers to two parts are not the same: each speaks against the mistakes of its own part
        number = self._by_answer.setdefault((id(earlier.keys), earlier), len(self._answers))
        if number == len(self._answers):
            self._answers.append(earlier)
        return number

    def _reaches(self, marker: Marker, number: int) -> bool:
        return marker.depends(self._answers[number].quantity)

    def _weigh(self, marker: Marker, path: Path) -> tuple[object, ...]:
        """What of the earlier answers bears on how a wrong answer to this part is explained."""
        evidence = Evidence(tuple(self._answers[n] for n in path))
        names = marker.offered
        right = tuple(n for n in path if self._answers[n].settled and self._reaches(marker, n))
        return right, evidence.shown & names, evidence.contradicted & names

"""Follow-through: whether an answer follows correctly from the student's own earlier wrong answers."""

from collections.abc import Iterator
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Generic, TypeVar

from grader.compiled import Part
from grader.diagnosis.answered import Answered
from grader.diagnosis.evidence import Earlier, Evidence
from grader.diagnosis.mistakes import leading_mark
from grader.maths.crossing import NEVER
from grader.maths.domain import Domain
from grader.maths.expression import Expr, Rational, symbols_of
from grader.maths.fingerprint import fingerprint
from grader.maths.graph import Layer, Layers
from grader.maths.terms import constant_value
from grader.solutions import Solver
from grader.values import frozen

T = TypeVar("T")

_MOST_OWN = 1_000  # sets of a student's own values of which it is remembered what follows

Own = tuple[tuple[str, Expr | str], ...]  # a student's own values by quantity


@frozen
class Followed:
    """The earlier answers that an answer follows from, and the mistake that came on top (if one did)."""

    sources: tuple[Earlier, ...]
    mistake: str | None = None

    @property
    def mistakes(self) -> tuple[str, ...]:
        """The mistakes of the earlier answers, then the one on top."""
        names = [name for source in self.sources for name in source.mistakes]
        return tuple(dict.fromkeys([*names, *([self.mistake] if self.mistake else [])]))


@frozen(slots=False)
class _Outcome:
    """What a part comes to under some layers. `mark` is the look-up key of the value where that is known without it."""

    follow: "FollowThrough"
    layers: Layers
    mark: str | None

    @cached_property
    def value(self) -> Expr | str | None:
        """The value; None where it can't be solved."""
        return self.follow.solver.tried_value(self.follow.part, self.layers)

    @cached_property
    def earns(self) -> bool:
        """Whether following to it earns points: it depends on all that the solution depends on."""
        return isinstance(self.value, str) or (self.value is not None and self.follow.needed <= symbols_of(self.value))

    @cached_property
    def _keys(self) -> tuple[Rational | None, str, str]:
        """The value's number if it is one, and its look-up keys."""
        if self.value is None or isinstance(self.value, str):
            return None, "", ""
        leading = leading_mark(self.value, self.follow.domain) if self.follow.part.check == "leading_order" else ""
        return constant_value(self.value), fingerprint(self.value, self.follow.domain), leading

    def fits(self, answer: Answered) -> bool:
        """Whether the answer is this, its direction included."""
        if not self._equals(answer):
            return False
        relation = self.follow.solver.direction(self.follow.part, self.layers) if answer.relation else ""
        return relation is not None and (not relation or relation == answer.relation)

    def _equals(self, answer: Answered) -> bool:
        """Whether the values are equal: numbers to half a per cent, leading terms where those are asked."""
        if self.mark is not None and answer.formula is not None and self.follow.part.check != "leading_order":
            return self.mark == answer.mark
        if self.value is None or isinstance(self.value, str) or isinstance(answer.value, str):
            return self.value == answer.value
        number, mark, leading = self._keys
        mine = constant_value(answer.value)
        if mine is not None and number is not None:
            return 200 * abs(Fraction(mine) - number) <= abs(Fraction(number))
        return mark == answer.mark or bool(leading and leading == answer.leading)


class _Once(Generic[T]):
    """What an iterator gives, kept as far as anybody asked for it."""

    def __init__(self, items: Iterator[T]) -> None:
        self._items, self._kept = items, list[T]()

    def __iter__(self) -> Iterator[T]:
        yield from self._kept
        for item in self._items:
            self._kept.append(item)
            yield item


class FollowThrough:
    """Follows students' own answers into one part. What follows from a set of own values is worked out once.

    `solution` is the right value: what follows must depend on all that it depends on.
    """

    def __init__(self, part: Part, solution: Expr | None, domain: Domain, solver: Solver) -> None:
        self.part, self.domain, self.solver = part, domain, solver
        self.needed = symbols_of(solution) if solution is not None else frozenset()
        self._outcomes = lru_cache(_MOST_OWN)(lambda own: _Once(self._following(own)))
        self._with_mistakes = lru_cache(_MOST_OWN)(lambda own: _Once(self._following_with_mistakes(own)))

    def followed(self, answer: Answered, evidence: Evidence) -> Followed | None:
        """The earlier wrong answers that the value follows from, as few as do; None if it does not follow."""
        wrong = self._sources(answer, evidence)
        for sources in (*((e,) for e in reversed(wrong)), *((wrong,) if len(wrong) > 1 else ())):
            if any(o.fits(answer) and o.earns for o in self._outcomes(_own(sources))):
                return Followed(sources)
        return None

    def followed_with_mistake(self, answer: Answered, evidence: Evidence) -> Iterator[Followed]:
        """The single mistakes that, on top of all earlier wrong answers, give the value."""
        wrong = self._sources(answer, evidence)
        for mistake, outcome in self._with_mistakes(_own(wrong)) if wrong else ():
            if outcome.fits(answer):
                yield Followed(wrong, mistake)

    def disagrees(self, answer: Answered, earlier: tuple[Earlier, ...]) -> Earlier | None:
        """The last of the earlier answers from which the value would come out differently; None if it agrees."""
        used = self._reaching(earlier)
        if not used or any(outcome.fits(answer) for outcome in self._outcomes(_own(used))):
            return None
        return used[-1]

    def _sources(self, answer: Answered, evidence: Evidence) -> tuple[Earlier, ...]:
        """The earlier wrong answers that count; none where following earns nothing: a trivial value, or a copy."""
        wrong = self._reaching(evidence.wrong)
        value = answer.value
        worthless = value == NEVER if isinstance(value, str) else constant_value(value) == 0
        return () if worthless or any(self._mark(e.value) == answer.mark for e in wrong) else wrong

    def _reaching(self, earlier: tuple[Earlier, ...]) -> tuple[Earlier, ...]:
        return tuple(e for e in earlier if self.solver.depends(self.part, e.quantity))

    def _mark(self, value: Expr | str) -> str:
        return value if isinstance(value, str) else fingerprint(value, self.domain)

    def _following(self, values: Own) -> Iterator[_Outcome]:
        """What follows from a student's own values, also by other conventions."""
        own = self.solver.own_layer(values)
        base = self.solver.base(self.part)
        yield self._outcome((*base, own))
        for _, layers in self.solver.conventions(self.part):
            if self._combine(own, layers):
                yield self._outcome((*base, *layers, own))

    def _following_with_mistakes(self, values: Own) -> Iterator[tuple[str, _Outcome]]:
        """What follows if a mistake is made on top of a student's own values, for each mistake that changes it."""
        own = self.solver.own_layer(values)
        base = self.solver.base(self.part)
        for mistake, face in self.solver.reaching(self.part):
            if mistake.kind in ("cause", "slip") and self._combine(own, (face,)):
                yield mistake.id, self._outcome((*base, own, face))

    def _combine(self, own: Layer, layers: Layers) -> bool:
        """Whether layers change other quantities than a student's own answers, and such as still matter beside them."""
        if any(layer.changes.keys() & own.changes.keys() for layer in layers):
            return False
        return self.solver.matter(self.part, layers, (*self.solver.base(self.part), own))

    def _outcome(self, layers: Layers) -> _Outcome:
        return _Outcome(self, layers, self.solver.tried_mark(self.part, layers))


def _own(sources: tuple[Earlier, ...]) -> Own:
    return tuple((e.quantity, e.value) for e in sources)

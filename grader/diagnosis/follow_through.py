"""Follow-through: whether an answer follows correctly from the student's own earlier wrong answers."""

from collections.abc import Callable, Iterator

from grader.compiled import Part
from grader.diagnosis.evidence import Earlier, Evidence
from grader.maths.crossing import NEVER
from grader.maths.expression import Expr, symbols_of
from grader.maths.terms import constant_value
from grader.solutions import Solver
from grader.values import frozen


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


@frozen
class Follower:
    """Follows a student's own answers into one part.

    `same` tells whether two formulas count as equal here, `copies` whether one repeats the other. `solution` is the
    right value: what follows must depend on all that it depends on. `relation` is the direction of a threshold, or
    empty.
    """

    part: Part
    value: Expr | str
    relation: str
    solution: Expr | None
    same: Callable[[Expr, Expr], bool]
    copies: Callable[[Expr | str, Expr | str], bool]
    solver: Solver

    def followed(self, evidence: Evidence) -> Followed | None:
        """The earlier wrong answers that the value follows from, as few as do; None if it does not follow."""
        wrong = self._sources(evidence)
        for sources in (*((e,) for e in reversed(wrong)), *((wrong,) if len(wrong) > 1 else ())):
            if self._follows_from(sources, self._earns):
                return Followed(sources)
        return None

    def followed_with_mistake(self, evidence: Evidence) -> Iterator[Followed]:
        """The single mistakes that, on top of all earlier wrong answers, give the value."""
        wrong = self._sources(evidence)
        if not wrong:
            return
        own = self.solver.own_layer(tuple((e.quantity, e.value) for e in wrong))
        for mistake, face in self.solver.reaching(self.part):
            if mistake.kind in ("cause", "slip") and not face.changes.keys() & own.changes.keys():
                solved = self.solver.tried(self.part, (*self.solver.base(self.part), own, face))
                if solved is not None and self._fits(*solved):
                    yield Followed(wrong, mistake.id)

    def disagrees(self, earlier: tuple[Earlier, ...]) -> Earlier | None:
        """The last of the earlier answers from which the value would come out differently; None if it agrees."""
        used = self._reaching(earlier)
        if not used or self._follows_from(used, self._fits):
            return None
        return used[-1]

    def _sources(self, evidence: Evidence) -> tuple[Earlier, ...]:
        """The earlier wrong answers that count; none where following earns nothing: a trivial value, or a copy."""
        wrong = self._reaching(evidence.wrong)
        worthless = self.value == NEVER if isinstance(self.value, str) else constant_value(self.value) == 0
        return () if worthless or any(self.copies(self.value, e.value) for e in wrong) else wrong

    def _reaching(self, earlier: tuple[Earlier, ...]) -> tuple[Earlier, ...]:
        return tuple(e for e in earlier if self.solver.depends(self.part, e.quantity))

    def _follows_from(self, sources: tuple[Earlier, ...], fits: Callable[[Expr | str, str], bool]) -> bool:
        own = self.solver.own_layer(tuple((e.quantity, e.value) for e in sources))
        conventions = (layers for _, layers in self.solver.conventions(self.part))
        for layers in ((), *conventions):
            if not any(layer.changes.keys() & own.changes.keys() for layer in layers):
                solved = self.solver.tried(self.part, (*self.solver.base(self.part), *layers, own))
                if solved is not None and fits(*solved):
                    return True
        return False

    def _fits(self, found: Expr | str, relation: str) -> bool:
        return not (self.relation and relation and relation != self.relation) and self._is(found)

    def _earns(self, found: Expr | str, relation: str) -> bool:
        """Whether following earns points: what was found depends on all that the solution depends on."""
        if not isinstance(found, str) and self.solution is not None:
            return symbols_of(self.solution) <= symbols_of(found) and self._fits(found, relation)
        return self._fits(found, relation)

    def _is(self, found: Expr | str) -> bool:
        if isinstance(found, str) or isinstance(self.value, str):
            return found == self.value
        return self.same(self.value, found)

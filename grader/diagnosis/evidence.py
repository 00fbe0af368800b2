"""What a student's earlier answers say: which of them were wrong, which mistakes they showed, which they rule out."""

from dataclasses import field, replace
from functools import lru_cache

from grader.compiled import PartKeys
from grader.errors import ResponseError
from grader.maths.expression import Expr, Number
from grader.maths.grammar import read_expression
from grader.maths.terms import constant_value
from grader.results import Relation, Verdict
from grader.values import frozen


@frozen(kw_only=True)
class Earlier:
    """An earlier answer; `quantity` is the quantity of the model whose value it gives, if it gives one.

    `part` is the part's id, with the exercise's in front where it is another exercise.
    """

    part: str
    title: str
    quantity: str
    value: Expr | str
    verdict: Verdict
    keys: PartKeys = field(compare=False)  # the part's own
    relation: Relation | None = None
    mistakes: tuple[str, ...] = ()

    @property
    def carries(self) -> bool:
        """Whether a later answer may follow from this one: wrong, and not trivial."""
        return self.verdict == Verdict.INCORRECT and bool(self.quantity) and not self._trivial

    @property
    def settled(self) -> bool:
        """Whether the answer is right in full."""
        return self.verdict == Verdict.CORRECT and self.relation != Relation.LEADING_ORDER

    @property
    def _trivial(self) -> bool:
        return isinstance(self.value, str) or constant_value(self.value) in (0, 1)


@frozen(slots=False)
class Evidence:
    """The earlier answers, in order."""

    answers: tuple[Earlier, ...] = ()

    def with_answer(self, earlier: Earlier | None) -> "Evidence":
        """The evidence with one answer more."""
        return self if earlier is None else Evidence((*self.answers, earlier))

    def seen_from(self, exercise: str) -> "Evidence":
        """The same evidence for an exercise that follows this one: the parts are named with their exercise."""
        return Evidence(tuple(replace(e, part=f"{exercise}.{e.part}") for e in self.answers))

    @property
    def wrong(self) -> tuple[Earlier, ...]:
        """The answers from which a later one may follow; of two for one quantity, the later."""
        return tuple({e.quantity: e for e in self.answers if e.carries}.values())

    @property
    def usable(self) -> tuple[Earlier, ...]:
        """The answers with which a later one should agree; of two for one quantity, the later."""
        return tuple({e.quantity: e for e in self.answers if e.carries or (e.settled and e.quantity)}.values())

    @property
    def shown(self) -> frozenset[str]:
        """The mistakes that earlier answers showed."""
        return frozenset(name for answer in self.answers for name in answer.mistakes)

    @property
    def contradicted(self) -> frozenset[str]:
        """The mistakes that would have changed an earlier answer which was right."""
        return frozenset(name for e in self.answers if e.settled for name in e.keys.wrong_mistakes) - self.shown


def as_in_key(value: Expr | str, mark: str, keys: PartKeys, names: tuple[str, ...]) -> Expr | str:
    """The value, whose look-up key is `mark`, as the part's key writes it, where it is right or a mistake's.

    Equal answers then say the same to later parts.
    """
    if isinstance(value, str):
        return value
    constant = constant_value(value)
    if constant is not None:
        return Number(constant)
    same = next((key for key in keys.right if key.fingerprint == mark), None)
    same = same or next(iter(keys.wrong_by_fingerprint.get(mark, ())), None)
    try:
        return _expression(same.value, names) if same else value
    except ResponseError:  # the key holds names that only the model knows
        return value


@lru_cache(1_000)
def _expression(text: str, names: tuple[str, ...]) -> Expr:
    return read_expression(text, names)

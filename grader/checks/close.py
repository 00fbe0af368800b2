"""Equality within a tolerance: of numbers, or of the coefficients of a formula; a formula is never judged pointwise."""

from dataclasses import InitVar, dataclass, field
from decimal import Decimal
from fractions import Fraction

from grader.answers.base import Match
from grader.errors import SpecError
from grader.maths.closeness import Band, close
from grader.maths.domain import Domain
from grader.maths.equality import equal
from grader.maths.expression import Expr, Rational
from grader.results import Relation

Amount = Rational | float | Decimal | str


@dataclass(frozen=True, slots=True)
class Close:
    """Within either band is right, edges included. `rel` is a share of the solution (0.01, "2%"), `abs` a number."""

    rel: InitVar[Amount] = 0
    abs: InitVar[Amount] = 0
    band: Band = field(init=False)

    def __post_init__(self, rel: Amount, abs: Amount) -> None:
        object.__setattr__(self, "band", Band(_amount("rel", rel), _amount("abs", abs)))

    def match(self, answer: Expr, solution: Expr, domain: Domain) -> Match:
        """How the answer meets the solution: exact, within the tolerance, or not."""
        same = equal(answer, solution, domain)
        if same:
            return Match(Relation.EXACT)
        near = close(answer, solution, self.band, domain)
        if near:
            return Match(Relation.TOLERANCE)
        if same is None or near is None:
            return Match(undecided=True, reason="it could not be decided whether the answer is within the tolerance")
        return Match()


def _amount(name: str, amount: Amount) -> Rational:
    """A tolerance as an exact number; a float is taken for the decimal that it shows."""
    text = str(amount).strip()
    share = text.endswith("%")
    try:
        value = Fraction(text.removesuffix("%").strip())
    except (ValueError, ZeroDivisionError):
        raise SpecError(f"tolerance {name}: {text!r} is no finite number; write 0.01 or 1%") from None
    if value < 0:
        raise SpecError(f"tolerance {name}: {text} is negative")
    return value / 100 if share else value

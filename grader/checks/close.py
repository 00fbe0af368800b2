"""Equality within a tolerance: of numbers, or of the coefficients of a formula; a formula is never judged pointwise."""

from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

from grader.errors import ResponseError, SpecError
from grader.maths.closeness import Band, close
from grader.maths.domain import Domain
from grader.maths.equality import equal
from grader.maths.expression import Expr, Number, Rational
from grader.maths.quantities import Quantity, base_unit, read_quantity
from grader.maths.sample import number
from grader.maths.unit_list import Unit
from grader.protocols import Match
from grader.results import Relation
from grader.values import frozen

Amount = Rational | float | Decimal | str


@frozen
class Close:
    """Within either band is right, edges included.

    `rel` is a share of the solution (0.01, "2%"); `abs` a number in the solution's unit, or a quantity ("0.05 TB/s").
    """

    band: Band
    absolute: Quantity

    def __init__(self, rel: Amount = 0, abs: Amount = 0) -> None:
        absolute = _absolute(abs)
        object.__setattr__(self, "absolute", absolute)
        object.__setattr__(self, "band", Band(_amount("rel", rel), _base_value(absolute)))

    def in_base_units(self, unit: Unit | None) -> "Close":
        """The same check for values in base units, where the solution was given in `unit`."""
        if self.absolute.unit is not None and unit is not None and self.absolute.dimension != unit.dimension:
            raise SpecError(f"tolerance abs: its unit {self.absolute.unit.text} does not fit {unit.text}")
        return Close(self.band.share, _base_value(replace(self.absolute, unit=self.absolute.unit or unit)))

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


def _absolute(amount: Amount) -> Quantity:
    text = str(amount).strip()
    try:
        return Quantity(Number(_amount("abs", amount)), None)
    except SpecError:
        if not text[-1:].isalpha():
            raise
    try:
        found = read_quantity(text)
    except ResponseError as error:
        raise SpecError(f"tolerance abs: {text!r} can't be read: {error}") from None
    return Quantity(Number(_amount("abs", _base_value(found))), base_unit(found.dimension))


def _base_value(amount: Quantity) -> Rational:
    value = number(amount.value)
    return value if isinstance(value, int | Fraction) else Fraction(value or 0)


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

"""Numbers within a tolerance, and formulas whose coefficients are.

A wrong formula can lie within a thousandth of the right one at all usual sizes, so formulas that are rational are
compared coefficient by coefficient: in lowest terms, both scaled alike, with the same monomials. Roots, logarithms
and the like count as symbols there; only where the two formulas do not share them, values are compared.
"""

from decimal import Decimal
from fractions import Fraction
from functools import lru_cache

from grader.maths.domain import Domain
from grader.maths.expression import Expr, Rational, symbols_of
from grader.maths.polynomial import RationalFunction, TooLargeError, with_atoms
from grader.maths.sample import FARTHEST, Place, number, precise
from grader.maths.sampling import MIN_POINTS, SPANS
from grader.values import frozen


@frozen
class Band:
    """A share of the reference value and an amount; within either is close, edges included."""

    share: Rational = 0
    amount: Rational = 0

    def holds(self, value: Rational, reference: Rational) -> bool:
        """Whether the value lies within the band around the reference."""
        distance = abs(Fraction(value) - reference)
        return distance <= self.share * abs(Fraction(reference)) or distance <= self.amount


def close(answer: Expr, solution: Expr, band: Band, domain: Domain) -> bool | None:
    """Whether the answer is within the tolerance of the solution; None if undecided."""
    if not symbols_of(answer) | symbols_of(solution):
        return _close_numbers(number(answer), number(solution), band)
    try:
        b, shared = _reference(solution)
        atoms = dict(shared)
        a = RationalFunction.from_expr(with_atoms(answer, atoms))
        alike = len(atoms) == len(shared) and (domain.assume == "positive" or not atoms)
        if a is not None and b is not None and alike:  # the same roots, logarithms, max ... in both
            return _close_fractions(a.cancel(), b, band)
    except ZeroDivisionError:
        return False
    except TooLargeError:
        return None
    return _close_values(answer, solution, band, domain)


@lru_cache(500)
def _reference(solution: Expr) -> tuple[RationalFunction | None, dict[Expr, str]]:
    """A solution in lowest terms, and the names under which roots, logarithms and the like stand in it."""
    atoms: dict[Expr, str] = {}
    fraction = RationalFunction.from_expr(with_atoms(solution, atoms))
    return (fraction.cancel() if fraction is not None else None), atoms


def _close_numbers(a: Rational | Decimal | None, b: Rational | Decimal | None, band: Band) -> bool:
    if a is None or b is None:
        return False
    return band.holds(Fraction(a), Fraction(b))


def _far(value: Decimal) -> bool:
    return bool(value) and abs(value.adjusted()) > FARTHEST


def _close_fractions(a: RationalFunction, b: RationalFunction, band: Band) -> bool:
    """Whether all coefficients are within the share once some monomial below the line has coefficient 1 in both."""
    names = tuple(sorted({*a.numerator.variables, *b.numerator.variables}))
    top, reference_top = a.numerator.over(names), b.numerator.over(names)
    bottom, reference_bottom = a.denominator.over(names), b.denominator.over(names)
    if top.keys() != reference_top.keys() or bottom.keys() != reference_bottom.keys():
        return False
    relative = Band(band.share)

    def within(unit: int) -> bool:
        factor = Fraction(reference_bottom[unit]) / bottom[unit]
        pairs = [(top[m], reference_top[m]) for m in top] + [(bottom[m], reference_bottom[m]) for m in bottom]
        return all(relative.holds(value * factor, reference) for value, reference in pairs)

    return any(map(within, bottom))


def _close_values(answer: Expr, solution: Expr, band: Band, domain: Domain) -> bool | None:
    """Functions that are not rational: within the share at points of many sizes."""
    signed, agreed = domain.assume == "real", 0
    for i, span in enumerate(SPANS):
        place = Place(domain.key, f"close {i}", span, signed=signed)
        a, b = precise(answer, place), precise(solution, place)
        if (a is None) != (b is None):
            return False
        if a is not None and b is not None and not (_far(a) or _far(b)):
            if not Band(band.share).holds(Fraction(a), Fraction(b)):
                return False
            agreed += 1
    return True if agreed >= MIN_POINTS else None

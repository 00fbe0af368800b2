"""The answer over the solution: a constant, a power of a symbol, or a short fraction. It is the diagnosis."""

from decimal import Context, Decimal
from fractions import Fraction
from typing import Literal

from grader.maths.ball import WIDE
from grader.maths.domain import Domain
from grader.maths.expression import Div, Expr, Number, Pow, Rational, Symbol, rational, symbols_of
from grader.maths.polynomial import RationalFunction, TooLargeError
from grader.maths.sample import FARTHEST, Place, number, precise
from grader.maths.show import text
from grader.values import frozen

LONGEST = 40  # characters of a fraction that still says something
_PLAIN = 100  # largest denominator shown as such
_DIGITS = 7  # of a numerator shown as such
_SPANS = ((0, 0), (0, 2), (-1, 1), (2, 4))
_FOUR = Context(prec=4)


@frozen
class Ratio:
    """`constant` is the value where the ratio is a number; `symbol`, `power` where it is a power of one symbol."""

    kind: Literal["constant", "power", "other"]
    text: str
    constant: Rational | None = None
    symbol: str | None = None
    power: int | None = None


def ratio_text(answer: Expr, solution: Expr, domain: Domain) -> str | None:
    """The ratio as short text such as "2", "1/2", "0.9976", "B", "1/D", "B/(B + 1)"; None if it says nothing."""
    found = ratio(answer, solution, domain)
    return None if found is None else found.text


def ratio(answer: Expr, solution: Expr, domain: Domain) -> Ratio | None:
    """The answer over the solution; None where it is undefined or too long to say anything."""
    quotient = Div(answer, solution)
    if not symbols_of(quotient):
        return _constant(number(quotient))
    try:
        fraction = RationalFunction.from_expr(quotient)
        if fraction is not None:
            return _of_fraction(fraction.cancel())
    except ZeroDivisionError:
        return None
    except TooLargeError:
        pass
    return _by_values(quotient, domain)


def _of_fraction(fraction: RationalFunction) -> Ratio | None:
    constant = fraction.constant
    if constant is not None:
        return _constant(constant)
    neat = fraction.to_expr()
    match neat:
        case Symbol(name):
            return Ratio("power", name, symbol=name, power=1)
        case Pow(Symbol(name), Number(int(n))):
            return Ratio("power", f"{name}^{n}", symbol=name, power=n)
        case Div(Number(1), Symbol(name)):
            return Ratio("power", f"1/{name}", symbol=name, power=-1)
        case Div(Number(1), Pow(Symbol(name), Number(int(n)))):
            return Ratio("power", f"1/{name}^{n}", symbol=name, power=-n)
    coefficients = [c for p in (fraction.numerator, fraction.denominator) for c in p.terms.values()]
    if len(coefficients) > LONGEST or any(abs(c) >= 10**LONGEST for c in coefficients):
        return None
    shown = text(neat)
    return Ratio("other", shown) if len(shown) <= LONGEST else None


def _constant(value: Rational | Decimal | None) -> Ratio | None:
    if value is None:
        return None
    if isinstance(value, Decimal):
        return Ratio("constant", _decimal(value), Fraction(value) if abs(value.adjusted()) <= FARTHEST else None)
    exact = Fraction(value)
    if exact.denominator <= _PLAIN and abs(exact.numerator) < 10**_DIGITS:
        return Ratio("constant", str(exact), rational(exact))
    rounded = _FOUR.divide(Decimal(exact.numerator), Decimal(exact.denominator))
    return Ratio("constant", _decimal(rounded), rational(exact))


def _decimal(value: Decimal) -> str:
    """Four digits: 0.9976, 1.024e+9."""
    return f"{float(_FOUR.plus(value)):.4g}" if abs(value.adjusted()) < 300 else str(_FOUR.plus(value))


def _by_values(quotient: Expr, domain: Domain) -> Ratio | None:
    """A ratio of other functions, where it has the same value everywhere."""
    signed = domain.assume == "real"
    values = [precise(quotient, Place(domain.key, f"ratio {i}", s, signed=signed)) for i, s in enumerate(_SPANS)]
    known = [value for value in values if value is not None]
    if len(known) < 2 or not all(_near(value, known[0]) for value in known):
        return None
    nearest = Fraction(known[0]).limit_denominator(10 * _PLAIN) if abs(known[0].adjusted()) < 12 else None
    if nearest is not None and abs(nearest - Fraction(known[0])) < abs(nearest) / 10**15:
        return _constant(rational(nearest))
    return _constant(known[0])


def _near(value: Decimal, other: Decimal) -> bool:
    distance = WIDE.subtract(value, other).copy_abs()
    return distance <= WIDE.scaleb(other.copy_abs(), -15)

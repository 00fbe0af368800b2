"""Physical dimensions, and the dimension of a formula from those of its symbols.

FLOP, byte (of information) and token are base dimensions beside kg, m, s and A, so that FLOP/byte is not a plain
number.
"""

from collections.abc import Mapping
from dataclasses import field
from fractions import Fraction

from grader.errors import GraderError
from grader.maths.expression import Add, Call, Constant, Div, Expr, Mul, Neg, Number, Pow, Rational, Symbol, rational
from grader.values import frozen

BASE = ("FLOP", "byte", "token", "kg", "m", "s", "A")

# what people call products that the base alone would spell out
_DERIVED: Mapping[tuple[tuple[str, Rational], ...], str] = {
    (("s", -1),): "1/s",
    (("kg", 1), ("m", 2), ("s", -2)): "J",
    (("kg", 1), ("m", 2), ("s", -3)): "W",
    (("kg", 1), ("m", 1), ("s", -2)): "N",
}


@frozen
class Dimension:
    """Exponents over BASE, in its order and without zeros; no exponents at all: a plain number."""

    exponents: tuple[tuple[str, Rational], ...] = ()

    @classmethod
    def of(cls, **exponents: Rational) -> "Dimension":
        """The dimension with these exponents, such as Dimension.of(byte=1, s=-1)."""
        return cls(tuple((name, rational(exponents[name])) for name in BASE if exponents.get(name)))

    def power(self, name: str) -> Rational:
        """The exponent of one base dimension."""
        return dict(self.exponents).get(name, 0)

    def __mul__(self, other: "Dimension") -> "Dimension":
        return Dimension.of(**{name: self.power(name) + other.power(name) for name in BASE})

    def __truediv__(self, other: "Dimension") -> "Dimension":
        return self * other**-1

    def __pow__(self, exponent: Rational) -> "Dimension":
        return Dimension.of(**{name: value * exponent for name, value in self.exponents})

    def __bool__(self) -> bool:
        return bool(self.exponents)

    def __str__(self) -> str:
        if self.exponents in _DERIVED:
            return _DERIVED[self.exponents]
        over = "*".join(_factor(name, value) for name, value in self.exponents if value > 0)
        under = [_factor(name, -value) for name, value in self.exponents if value < 0]
        return "/".join([over or "1", *under]) if self else "a plain number"


def _factor(name: str, exponent: Rational) -> str:
    return name if exponent == 1 else f"{name}^{exponent}"


PLAIN = Dimension()


class DimensionError(GraderError):
    """Two parts of a formula whose dimensions don't go together; the text says which."""


@frozen
class Dimensions:
    """What is known of the dimensions in a formula; a symbol that is missing, or None, is unknown.

    `constants` gives numbers that stand for a quantity (8.1e11 for the bandwidth). Every other number has the dimension
    `numbers`: plain in formulas over named quantities, None (unknown) in what people type, where the 2 of 2*B*D*F
    counts operations.
    """

    symbols: Mapping[str, Dimension | None]
    constants: Mapping[Rational, Dimension] = field(default_factory=dict)
    numbers: Dimension | None = PLAIN


def dimension(expression: Expr, known: Dimensions) -> Dimension | None:
    """The dimension of a formula, or None where it is unknown; DimensionError if it has none."""
    match expression:
        case Number(value):
            return None if value == 0 else known.constants.get(value, known.numbers)
        case Constant():
            return PLAIN
        case Symbol(name):
            return known.symbols.get(name)
        case Neg(operand):
            return dimension(operand, known)
        case Add(terms):
            return _alike("add", terms, known)
        case Mul(factors):
            return _product([dimension(factor, known) for factor in factors])
        case Div(above, below):
            parts = dimension(above, known), dimension(below, known)
            return None if parts[0] is None or parts[1] is None else parts[0] / parts[1]
        case Pow(base, exponent):
            return _power(base, exponent, known)
        case Call(function, arguments):
            return _call(function, arguments, known)


def _product(parts: list[Dimension | None]) -> Dimension | None:
    product = PLAIN
    for part in parts:
        if part is None:
            return None
        product = product * part
    return product


def _alike(verb: str, terms: tuple[Expr, ...], known: Dimensions) -> Dimension | None:
    """The one dimension that all terms have; unknown ones take the others'."""
    found = [part for part in (dimension(term, known) for term in terms) if part is not None]
    for other in found[1:]:
        if other != found[0]:
            raise DimensionError(f"can't {verb} {found[0]} and {other}")
    return found[0] if found else None


def _power(base: Expr, exponent: Expr, known: Dimensions) -> Dimension | None:
    above = dimension(exponent, known)
    if above:
        raise DimensionError(f"an exponent must be a plain number, not {above}")
    below = dimension(base, known)
    power = _number(exponent)
    if below is None or (below and power is None):
        return None
    return below**power if below and power is not None else PLAIN


def _number(expression: Expr) -> Rational | None:
    match expression:
        case Number(value):
            return value
        case Neg(operand):
            inner = _number(operand)
            return None if inner is None else -inner
        case Div(above, below):
            over, under = _number(above), _number(below)
            return Fraction(over) / under if over is not None and under else None
        case _:
            return None


_ROOTS = {"sqrt": Fraction(1, 2), "cbrt": Fraction(1, 3)}


def _call(function: str, arguments: tuple[Expr, ...], known: Dimensions) -> Dimension | None:
    if function in ("min", "max"):
        return _alike("compare", arguments, known)
    inner = dimension(arguments[0], known)
    if function in ("abs", "floor", "ceil"):
        return inner
    if function in _ROOTS:
        return None if inner is None else inner ** _ROOTS[function]
    if inner:
        raise DimensionError(f"{function} takes a plain number, not {inner}")
    return PLAIN

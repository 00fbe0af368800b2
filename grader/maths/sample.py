"""The value of an expression at a point: as a double for plots, exactly, or with many digits."""

import math
from collections.abc import Callable, Mapping
from decimal import Decimal
from fractions import Fraction

from grader.maths.ball import WIDE, UndefinedError, UnsureError, ball, is_zero
from grader.maths.expression import (
    Add,
    Call,
    Constant,
    Div,
    Expr,
    Mul,
    Neg,
    Number,
    Pow,
    Rational,
    Symbol,
    rational,
)  # fmt: skip
from grader.maths.residue import draw
from grader.maths.terms import MAX_BITS, Fuel, TooLargeError


class Place(dict[str, Decimal]):
    """A point: for each symbol a number of 17 digits, drawn from a key and the symbol's name when first asked for.

    Its size is between 10^low and 10^(high + 1); `signed` draws a sign, too.
    """

    def __init__(self, key: bytes, tag: str, span: tuple[int, int], *, signed: bool = False) -> None:
        super().__init__()
        self.key, self.tag, self.span, self.signed = key, tag, span, signed

    def __missing__(self, name: str) -> Decimal:
        bits = draw(self.key, f"{self.tag} {name}")
        low, high = self.span
        mantissa = 10**16 + (bits >> 64) % (9 * 10**16)
        drawn = WIDE.scaleb(Decimal(mantissa), low + (bits & 0xFFFF) % (high - low + 1) - 16)
        self[name] = drawn.copy_negate() if self.signed and bits >> 255 else drawn
        return self[name]


FARTHEST = 400  # powers of ten of a number
LADDER = (40, 160)  # digits tried one after the other

_DOUBLE: Mapping[str, Callable[..., float]] = {
    "sqrt": math.sqrt, "cbrt": math.cbrt, "exp": math.exp, "log": math.log, "log2": math.log2, "log10": math.log10,
    "min": lambda *a: min(a), "max": lambda *a: max(a),
    "abs": abs, "floor": math.floor, "ceil": math.ceil, "sin": math.sin, "cos": math.cos,
    "tan": math.tan, "asin": math.asin, "acos": math.acos, "atan": math.atan, "sinh": math.sinh, "cosh": math.cosh,
    "tanh": math.tanh,
}  # fmt: skip
_EXACT: Mapping[str, Callable[..., Rational]] = {
    "min": lambda *a: min(a), "max": lambda *a: max(a),
    "abs": abs, "floor": math.floor, "ceil": math.ceil,
}  # fmt: skip


def value(expression: Expr, point: Mapping[str, float]) -> float | None:
    """The value in double precision; None where there is no finite real value."""
    try:
        result = _double(expression, point)
    except (ArithmeticError, ValueError):
        return None
    return result if math.isfinite(result) else None


def _double(e: Expr, point: Mapping[str, float]) -> float:
    match e:
        case Symbol(name):
            return float(point[name])
        case Number(number):
            return float(number)
        case Constant(name):
            return math.e if name == "e" else math.pi
        case Add(terms):
            return math.fsum(_double(term, point) for term in terms)
        case Mul(factors):
            return math.prod(_double(factor, point) for factor in factors)
        case Div(a, b):
            return _double(a, point) / _double(b, point)
        case Neg(a):
            return -_double(a, point)
        case Pow(a, b):
            return math.pow(_double(a, point), _double(b, point))
        case Call(function, arguments):
            return float(_DOUBLE[function](*(_double(part, point) for part in arguments)))


def exact(expression: Expr, point: Mapping[str, Rational]) -> Rational | None:
    """The value as a rational number; None where the expression has a root, a logarithm, a constant such as pi.

    Raises ZeroDivisionError at a pole, TooLargeError beyond the bounds.
    """
    try:
        return rational(_exact(expression, point))
    except _IrrationalError:
        return None


class _IrrationalError(ArithmeticError):
    pass


def _exact(e: Expr, point: Mapping[str, Rational]) -> Rational:
    match e:
        case Symbol(name):
            return point[name]
        case Number(number):
            return number
        case Add(terms):
            return sum(_exact(term, point) for term in terms)
        case Mul(factors):
            return math.prod(_exact(factor, point) for factor in factors)
        case Div(a, b):
            return Fraction(_exact(a, point)) / _exact(b, point)
        case Neg(a):
            return -_exact(a, point)
        case Pow(a, b):
            return exact_power(_exact(a, point), _exact(b, point))
        case Call(function, arguments) if function in _EXACT:
            return _EXACT[function](*(_exact(part, point) for part in arguments))
    raise _IrrationalError


def exact_power(base: Rational, exponent: Rational) -> Rational:
    """A power with a whole exponent."""
    if exponent.denominator != 1:
        raise _IrrationalError
    n = exponent.numerator
    if (base.numerator.bit_length() + base.denominator.bit_length()) * abs(n) > MAX_BITS and abs(base) != 1:
        raise TooLargeError("power too large")
    return Fraction(base) ** n if n < 0 else base**n


def number(expression: Expr) -> Rational | Decimal | None:
    """The value of an expression without symbols: exact, or a decimal good to 30 digits.

    A value that the digits can't tell from 0 is 0. None where it has none, or one beyond 10^400 or 10^-400.
    """
    try:
        found = exact(expression, {})
        if found is not None:
            return found
    except ZeroDivisionError:
        return None
    except TooLargeError:
        pass
    value = precise(expression, {})
    return None if value is None or (value and abs(value.adjusted()) > FARTHEST) else value


def precise(expression: Expr, point: Mapping[str, Decimal], digits: int = 30) -> Decimal | None:
    """The value good to `digits` digits, 0 where nothing tells it from 0; None where it has none or can't be told."""
    found: Decimal | None = None
    fuel = Fuel()
    for tried in LADDER:
        try:
            found, radius = ball(expression, point, tried, final=tried == LADDER[-1], fuel=fuel)
        except (UndefinedError, TooLargeError):
            return None
        except UnsureError:
            continue
        if radius <= WIDE.scaleb(found.copy_abs(), -digits):
            return found
        found = Decimal(0) if is_zero(found, radius) else None
    return found

"""Bounds on the size of constants and powers, checked before anybody computes with them."""

import math
from collections.abc import Callable
from fractions import Fraction

from grader.errors import ResponseError
from grader.maths.expression import Add, Call, Constant, Div, Expr, Mul, Neg, Number, Pow

MAX_POWER = 10_000  # the greatest numeric exponent, and the greatest degree that nested powers may reach
MAX_LOG2 = 1024  # constants lie between 2^-1024 and 2^1024 in size
MAX_BITS = 2048  # of a numerator or a denominator that a power of numbers gives

Value = Fraction | float  # a whole number counts as a float to the type checker
Size = Value | None  # an exact constant, an approximate one, or None: symbols, or no value


def check(expression: Expr) -> None:
    """ResponseError if a constant in the expression is beyond the limits, or a power too high."""
    try:
        _size(expression)
    except OverflowError:  # just below the limit, yet no float
        raise _too_large(2) from None


def _absolute(value: Value) -> Value:
    return -value if value < 0 else value


def _size(node: Expr) -> Size:
    match node:
        case Number(value):
            return _bounded(value)
        case Constant(name):
            return math.e if name == "e" else math.pi
        case Neg(a):
            size = _size(a)
            return None if size is None else -size
        case Add(terms):
            return _fold([_size(term) for term in terms], _plus)
        case Mul(factors):
            return _fold([_size(factor) for factor in factors], _times)
        case Div(a, b):
            return _over(_size(a), _size(b))
        case Pow(base, exponent):
            return _power(base, _size(base), _size(exponent))
        case Call(function, arguments):
            return _called(function, [_size(argument) for argument in arguments])
    return None


def _bounded(value: Value) -> Value:
    if isinstance(value, float):
        if math.isnan(value) or (value != 0 and (math.isinf(value) or abs(math.log2(abs(value))) > MAX_LOG2)):
            raise _too_large(value)
        return value
    if value and abs(_log2(value)) > MAX_LOG2:
        raise _too_large(value)
    return value


def _too_large(value: Value) -> ResponseError:
    small = 0 < value < 1 or -1 < value < 0
    return ResponseError(
        f"a number too {'small' if small else 'large'}: constants lie between 2^-{MAX_LOG2} and 2^{MAX_LOG2}",
        mend="check the powers", code="too-small" if small else "too-large",
    )  # fmt: skip


def _log2(value: Fraction | int) -> float:
    """log2|value| of a nonzero rational of any size."""
    return _log2_int(abs(value.numerator)) - _log2_int(value.denominator)


def _log2_int(value: int) -> float:
    shift = max(0, value.bit_length() - 60)
    return math.log2(value >> shift) + shift


def _fold(sizes: list[Size], step: Callable[[Value, Value], Value]) -> Size:
    total: Size = sizes[0]
    for size in sizes[1:]:
        total = None if total is None or size is None else step(total, size)
    return total


def _plus(a: Value, b: Value) -> Value:
    return _bounded(a + b)


def _times(a: Value, b: Value) -> Value:
    product = a * b
    if product == 0 and a != 0 and b != 0:
        raise _too_large(0.5)
    return _bounded(product)


def _over(a: Size, b: Size) -> Size:
    if a is None or b is None or b == 0:
        return None
    if isinstance(a, float) or isinstance(b, float):
        return _times(float(a), 1 / float(b) if _absolute(b) > 1e-300 else math.inf)
    return _bounded(Fraction(a) / b)


def _power(base: Expr, size: Size, exponent: Size) -> Size:
    if exponent is None:
        return None
    if float(_absolute(exponent)) * max(1.0, _degree(base)) > MAX_POWER:
        raise ResponseError(f"a power above {MAX_POWER:,}", mend="check the exponent", code="power-too-large")
    if size is None:
        return None
    if size == 0:
        return 0 if exponent > 0 else 1 if exponent == 0 else None
    log2 = math.log2(abs(size)) if isinstance(size, float) else _log2(size)
    if abs(log2 * float(exponent)) > MAX_LOG2:
        raise _too_large(2 if log2 * exponent > 0 else 0.5)
    if isinstance(size, float) or exponent != int(exponent):
        return None if size < 0 else float(size) ** float(exponent)
    bits = max(abs(size.numerator).bit_length(), size.denominator.bit_length())
    if bits * _absolute(exponent) > MAX_BITS:
        return float(size) ** int(exponent) if bits * _absolute(exponent) <= 64 * MAX_BITS else _refuse_bits()
    return Fraction(size) ** int(exponent)


def _refuse_bits() -> Size:
    raise ResponseError("a power of a number with too many digits", mend="round the base", code="too-large")


def _degree(node: Expr) -> float:
    """How high powers of symbols go in the node, nested ones multiplied."""
    match node:
        case Pow(base, exponent):
            size = _size(exponent)
            return _degree(base) * (1.0 if size is None else max(1.0, float(_absolute(size))))
        case Add(parts) | Mul(parts) | Call(_, parts):
            return max(map(_degree, parts))
        case Div(a, b):
            return max(_degree(a), _degree(b))
        case Neg(a):
            return _degree(a)
    return 1.0


def _called(function: str, sizes: list[Size]) -> Size:
    """An estimate of a function's value at a constant, refused where it overflows; None where it has no value."""
    if any(size is None for size in sizes):
        return None
    values = [float(size) for size in sizes if size is not None]
    try:
        if function in ("max", "min"):
            return max(values) if function == "max" else min(values)
        value = _bounded(float(_ESTIMATES[function](values[0]))) if function in _ESTIMATES else None
    except OverflowError:
        raise _too_large(2) from None
    except ValueError:
        return None
    if function == "exp" and value == 0:
        raise _too_large(0.5)
    return value


_ESTIMATES: dict[str, Callable[[float], float]] = {
    "sqrt": math.sqrt, "cbrt": math.cbrt, "exp": math.exp, "log": math.log, "log2": math.log2, "log10": math.log10,
    "abs": abs, "floor": math.floor, "ceil": math.ceil, "sin": math.sin, "cos": math.cos, "tan": math.tan,
    "asin": math.asin, "acos": math.acos, "atan": math.atan, "sinh": math.sinh, "cosh": math.cosh, "tanh": math.tanh,
}  # fmt: skip

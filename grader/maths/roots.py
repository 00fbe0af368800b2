"""Real roots of polynomials in one variable, up to degree 4: exact where they are rational or quadratic."""

from fractions import Fraction
from math import isqrt, lcm

from grader.maths.expression import Add, Call, Expr, Neg, Number, rational
from grader.values import frozen

MAX_DEGREE = 4
_DIGITS = 10**40
_BITS = 136  # of a root: 40 digits
_MAX_EXPONENT = 2100  # no root of typed numbers is smaller than 2 to minus this, but 0

Coefficients = list[Fraction]  # from the constant term upwards


@frozen
class Root:
    """A root: its value to 40 digits (exact where it is rational) and the expression for it."""

    value: Fraction
    expression: Expr


def real_roots(coefficients: Coefficients) -> list[Root] | None:
    """The distinct real roots in ascending order; None above degree 4."""
    simple = _squarefree(_trimmed(coefficients))
    degree = len(simple) - 1
    if degree > MAX_DEGREE:
        return None
    if degree < 1:
        return []
    if degree == 1:
        return [_rational(-simple[0] / simple[1])]
    if degree == 2:
        return _quadratic(simple)
    return [_recognised(simple, low, high) for low, high in _isolating(simple)]


def _rational(value: Fraction) -> Root:
    return Root(value, Number(rational(value)))


def _trimmed(coefficients: Coefficients) -> Coefficients:
    found = list(coefficients)
    while found and found[-1] == 0:
        found.pop()
    return found


def _evaluated(coefficients: Coefficients, at: Fraction) -> Fraction:
    total = Fraction(0)
    for coefficient in reversed(coefficients):
        total = total * at + coefficient
    return total


def _derivative(coefficients: Coefficients) -> Coefficients:
    return [i * c for i, c in enumerate(coefficients)][1:]


def _divided(a: Coefficients, b: Coefficients) -> tuple[Coefficients, Coefficients]:
    rest, quotient = list(a), [Fraction(0)] * max(1, len(a) - len(b) + 1)
    while len(rest) >= len(b):
        factor, shift = rest[-1] / b[-1], len(rest) - len(b)
        quotient[shift] = factor
        for i, c in enumerate(b):
            rest[i + shift] -= factor * c
        rest.pop()
        rest = _trimmed(rest)
        if not rest:
            break
    return quotient, rest


def _squarefree(coefficients: Coefficients) -> Coefficients:
    """The polynomial with every root once."""
    if len(coefficients) < 3:
        return coefficients
    a, b = coefficients, _derivative(coefficients)
    while b:
        a, b = b, _divided(a, b)[1]
    return coefficients if len(a) == 1 else _trimmed(_divided(coefficients, a)[0])


def _quadratic(coefficients: Coefficients) -> list[Root]:
    c, b, a = coefficients
    middle, spread = -b / (2 * a), (b * b - 4 * a * c) / (4 * a * a)
    if spread < 0:
        return []
    root = _root(spread)
    if root * root == spread:
        return [_rational(middle - root), _rational(middle + root)]
    shown: Expr = Call("sqrt", (Number(rational(spread)),))
    start = Number(rational(middle))
    low: Expr = Neg(shown) if middle == 0 else Add((start, Neg(shown)))
    high: Expr = shown if middle == 0 else Add((start, shown))
    return [Root(middle - root, low), Root(middle + root, high)]


def _root(value: Fraction) -> Fraction:
    """The square root, exact where it is rational, else to 40 digits."""
    top, bottom = isqrt(value.numerator), isqrt(value.denominator)
    if top * top == value.numerator and bottom * bottom == value.denominator:
        return Fraction(top, bottom)
    return Fraction(isqrt(value.numerator * value.denominator * _DIGITS**2), value.denominator * _DIGITS)


def _isolating(coefficients: Coefficients) -> list[tuple[Fraction, Fraction]]:
    """Intervals with one root each, between the places where the slope is 0."""
    bound = 1 + max(abs(c / coefficients[-1]) for c in coefficients[:-1])
    slope = real_roots(_derivative(coefficients)) or []
    cuts = [-bound, *(root.value for root in slope), bound]
    signs = [_evaluated(coefficients, cut) for cut in cuts]
    return [(a, b) for a, b, fa, fb in zip(cuts, cuts[1:], signs, signs[1:], strict=False) if fa * fb < 0]


def _recognised(coefficients: Coefficients, low: Fraction, high: Fraction) -> Root:
    """The root between two places of opposite sign, to 40 digits; exact if a small fraction is the root."""
    if coefficients[0] == 0 and low < 0 < high:
        return _rational(Fraction(0))
    rising = _evaluated(coefficients, high) > 0
    low, high = _same_sign(coefficients, low, high, rising)
    scale = max(0, _BITS - max(_exponent(low), _exponent(high)))
    value = Fraction(_halved(coefficients, low, high, scale, rising), 1 << scale)
    near = value.limit_denominator(10**9)
    return _rational(near if _evaluated(coefficients, near) == 0 else value)


def _same_sign(coefficients: Coefficients, low: Fraction, high: Fraction, rising: bool) -> tuple[Fraction, Fraction]:
    """The part of the interval on the root's side of 0, narrowed to ends of about the same power of two."""
    if low < 0 < high:
        low, high = (low, Fraction(0)) if (coefficients[0] > 0) == rising else (Fraction(0), high)
    side = -1 if high <= 0 else 1
    lowest = -2 * _MAX_EXPONENT
    while True:
        near, far = (low, high) if side > 0 else (high, low)
        a, b = (_exponent(near) if near else lowest), _exponent(far)
        if b - a < 2:
            return low, high
        middle = side * Fraction(2) ** ((a + b) // 2)
        if (_evaluated(coefficients, middle) > 0) == rising:
            high = middle
        else:
            low = middle


def _exponent(value: Fraction) -> int:
    return abs(value.numerator).bit_length() - value.denominator.bit_length()


def _halved(coefficients: Coefficients, low: Fraction, high: Fraction, scale: int, rising: bool) -> int:
    """The root times 2^scale, rounded down: halving with whole numbers only, as fractions would grow."""
    common = lcm(*(c.denominator for c in coefficients))
    degree = len(coefficients) - 1
    whole = [int(c * common) << (scale * (degree - i)) for i, c in enumerate(coefficients)]
    below, above = (low.numerator << scale) // low.denominator, -((-high.numerator << scale) // high.denominator)
    while above - below > 1:
        middle, total = (below + above) // 2, 0
        for c in reversed(whole):
            total = total * middle + c
        if (total > 0) == rising:
            above = middle
        else:
            below = middle
    return above

"""Evaluation in decimal arithmetic with a bound of the error: a value is a ball (centre, radius).

The exponents are as wide as the machine allows, so exp(-10^6) is a number and not 0. Where rounding hides whether a
value is defined (a divisor that may be 0, a logarithm at 0) Unsure asks for more digits; in the last resort (`final`)
what can't be told from 0 is taken for 0.
"""

from collections.abc import Callable, Mapping
from decimal import MAX_EMAX, MIN_EMIN, ROUND_UP, Context, Decimal
from fractions import Fraction
from functools import cache

from grader.maths.expression import Add, Call, Constant, Div, Expr, Mul, Neg, Number, Pow, Rational, Symbol
from grader.maths.series import arctangent, cosine, pi, sine
from grader.maths.terms import Fuel

Ball = tuple[Decimal, Decimal]

ZERO, ONE, TWO, _FOUR, TEN = (Decimal(n) for n in (0, 1, 2, 4, 10))
_UNDERFLOW = Decimal("-2e18")  # the exponential of less is below the smallest number
_NEXT_TO_NOTHING = Decimal((0, (1,), MIN_EMIN + 10))
_LOWEST = MIN_EMIN // 2  # a radius below is left of an exponential, not of rounding
_THIRD = Decimal("0.333333")
MAX_REDUCTION = 100  # digits before the point of an angle


class UndefinedError(ArithmeticError):
    """There is no real value here."""


class UnsureError(ArithmeticError):
    """The digits do not tell; or the value is beyond all exponents."""


def ball(
    expression: Expr, at: Mapping[str, Decimal], digits: int, *, final: bool = False, fuel: Fuel | None = None
) -> Ball:
    """The value at a point, worked out with `digits` digits, and a bound of its error.

    Raises UndefinedError, UnsureError, or TooLargeError when out of fuel; one unit is an operation of about 5 us.
    """
    return _Work(at, digits, final, fuel or Fuel()).value(expression)


class _Work:
    """One evaluation."""

    def __init__(self, at: Mapping[str, Decimal], digits: int, final: bool, fuel: Fuel) -> None:
        self.at, self.digits, self.final, self.fuel = at, digits, final, fuel
        self.ctx = _context(digits)
        self.err = _ERRORS
        self.unit = Decimal((0, (1, 1), -digits))  # a power may be off by a unit in the last of its digits

    def heavy(self, times: int = 1) -> None:
        """Pay for an operation whose work grows with the digits."""
        self.fuel.spend(times * (5 + self.digits * self.digits // 900))

    def value(self, e: Expr) -> Ball:
        self.fuel.spend(1)
        result = self._value(e)
        if not result[0].is_finite() or not result[1].is_finite():
            raise UnsureError
        return result

    def _value(self, e: Expr) -> Ball:
        match e:
            case Symbol(name):
                return self.at[name], ZERO
            case Number(number):
                return self.number(number)
            case Add(terms):
                return self._sum(terms)
            case Mul(factors):
                result = self.value(factors[0])
                for factor in factors[1:]:
                    result = self.mul(result, self.value(factor))
                return result
            case Div(a, b):
                return self.div(self.value(a), self.value(b))
            case Neg(a):
                v, r = self.value(a)
                return v.copy_negate(), r
            case Pow(a, b):
                return self.power(self.value(a), self.value(b))
            case Constant(name):
                return self._rounded(pi(self.digits + 5) if name == "pi" else self.ctx.exp(ONE), ZERO)
            case Call(function, arguments):
                return _CALLS[function](self, *map(self.value, arguments))

    def number(self, value: Rational) -> Ball:
        top, bottom = Decimal(value.numerator), value.denominator
        v = self.ctx.plus(top) if bottom == 1 else self.ctx.divide(top, Decimal(bottom))
        return (v, ZERO) if bottom == 1 and v == top else self._rounded(v, ZERO)

    def _rounded(self, v: Decimal, radius: Decimal) -> Ball:
        return v, self.err.fma(v.copy_abs(), self.unit, radius)

    def _sum(self, terms: tuple[Expr, ...]) -> Ball:
        total, radius = self.value(terms[0])
        for term in terms[1:]:
            v, r = self.value(term)
            total, radius = self._rounded(self.ctx.add(total, v), self.err.add(radius, r))
        return total, radius

    def mul(self, a: Ball, b: Ball) -> Ball:
        (v, r), (w, s) = a, b
        radius = ZERO
        if r or s:
            radius = self.err.fma(v.copy_abs(), s, self.err.multiply(self.err.add(w.copy_abs(), s), r))
        return self._rounded(self.ctx.multiply(v, w), radius)

    def div(self, a: Ball, b: Ball) -> Ball:
        (v, r), (w, s) = a, b
        if w.copy_abs() <= s:
            self._hidden_zero(w, s)
            raise UndefinedError
        q = self.ctx.divide(v, w)
        radius = ZERO
        if r or s:
            top = self.err.fma(q.copy_abs(), s, r)
            radius = self.err.divide(top, _DOWN.subtract(w.copy_abs(), s))
        return self._rounded(q, radius)

    def _hidden_zero(self, v: Decimal, radius: Decimal) -> None:
        """Unless the value is 0 for certain, ask for more digits, in the last resort take it for 0."""
        underflow = radius and radius.adjusted() < _LOWEST
        if underflow or not (self.final or (v == 0 and radius == 0)):
            raise UnsureError

    def power(self, a: Ball, b: Ball) -> Ball:
        (v, r), (w, s) = a, b
        if v.copy_abs() <= r:
            return self._power_of_zero(a, b)
        whole = s == 0 and w == w.to_integral_value()
        if s == 0 and not whole and (doubled := self.ctx.multiply(w, TWO)) == doubled.to_integral_value():
            return self.power(self.sqrt(a), (doubled, ZERO))
        if v < 0 and not whole:
            self._not_whole(b)
        self.heavy(1 if whole else 4)
        result = self.ctx.power(v, w)
        if not result.is_finite():
            raise UnsureError
        return self._rounded(result, self._power_radius(a, b, result) if r or s else ZERO)

    def _power_of_zero(self, a: Ball, b: Ball) -> Ball:
        self._hidden_zero(*a)
        if b[0].copy_abs() <= b[1]:
            self._hidden_zero(*b)
            return ONE, ZERO
        if b[0] < 0:
            raise UndefinedError
        return ZERO, ZERO

    def _not_whole(self, exponent: Ball) -> None:
        """A negative base: there is a value only for whole exponents, which an inexact one never is for certain."""
        w, s = exponent
        if s == 0 or self.ctx.subtract(w, w.to_integral_value()).copy_abs() > s or self.final:
            raise UndefinedError
        raise UnsureError

    def _power_radius(self, a: Ball, b: Ball, result: Decimal) -> Decimal:
        (v, r), (w, s) = a, b
        size = v.copy_abs()
        slope = self.err.divide(self.err.multiply(w.copy_abs(), r), _DOWN.subtract(size, r))
        if s:
            slope = self.err.fma(self.err.ln(size).copy_abs(), s, slope)
        return self._grown(result, slope)

    def _grown(self, v: Decimal, exponent: Decimal) -> Decimal:
        """|v| (exp(exponent) - 1) from above."""
        if exponent > ONE:
            raise UnsureError
        return self.err.multiply(v.copy_abs(), self.err.multiply(TWO, exponent))

    def exp(self, a: Ball) -> Ball:
        v, r = a
        if v < _UNDERFLOW:
            return ZERO, _NEXT_TO_NOTHING
        self.heavy()
        result = self.ctx.exp(v)
        if not result.is_normal(self.ctx):
            raise UnsureError
        return self._rounded(result, self._grown(result, r))

    def log(self, a: Ball) -> Ball:
        v, r = a
        if v <= r:
            if v < r.copy_negate():
                raise UndefinedError
            self._hidden_zero(v, r)
            raise UndefinedError
        self.heavy(2)
        return self._rounded(self.ctx.ln(v), self.err.divide(r, _DOWN.subtract(v, r)))

    def log2(self, a: Ball) -> Ball:
        return self.div(self.log(a), self.log((TWO, ZERO)))

    def log10(self, a: Ball) -> Ball:
        return self.div(self.log(a), self.log((TEN, ZERO)))

    def sqrt(self, a: Ball) -> Ball:
        v, r = a
        if v < r.copy_negate():
            raise UndefinedError
        if v <= r:
            return ZERO, self.err.sqrt(self.err.add(v.copy_abs(), r))
        result = self.ctx.sqrt(v)
        return self._rounded(result, self.err.divide(r, _DOWN.sqrt(_DOWN.subtract(v, r))))

    def cbrt(self, a: Ball) -> Ball:
        v, r = a
        size = v.copy_abs()
        if size <= r:
            return ZERO, self.err.multiply(TWO, self.err.power(self.err.add(size, r), _THIRD)) if size or r else ZERO
        result, radius = self.power((size, r), self.number(Fraction(1, 3)))
        return result.copy_sign(v), radius

    def maximum(self, *balls: Ball) -> Ball:
        floor = max(self.ctx.subtract(v, r) for v, r in balls)
        able = [(v, r) for v, r in balls if self.ctx.add(v, r) >= floor]  # the others can't be the largest
        return max(v for v, _ in able), max(r for _, r in able)

    def minimum(self, *balls: Ball) -> Ball:
        v, r = self.maximum(*((v.copy_negate(), r) for v, r in balls))
        return v.copy_negate(), r

    def absolute(self, a: Ball) -> Ball:
        return a[0].copy_abs(), a[1]

    def floor(self, a: Ball) -> Ball:
        v, r = a
        if not r and v == v.to_integral_value():
            return a
        if v.adjusted() >= self.digits:
            raise UnsureError
        low, high = (self.ctx.subtract(v, r), self.ctx.add(v, r)) if r else (v, v)
        floors = [bound.to_integral_value("ROUND_FLOOR") for bound in (low, high)]
        if floors[0] == floors[1] or self.final:  # in the last resort a value that close to a whole number is it
            return floors[1], ZERO
        raise UnsureError

    def ceil(self, a: Ball) -> Ball:
        v, r = self.floor((a[0].copy_negate(), a[1]))
        return v.copy_negate(), r

    def sin(self, a: Ball) -> Ball:
        return self._angle(a, 0)

    def cos(self, a: Ball) -> Ball:
        return self._angle(a, 1)

    def tan(self, a: Ball) -> Ball:
        return self.div(self.sin(a), self.cos(a))

    def _angle(self, a: Ball, quarter: int) -> Ball:
        """sin(a + quarter*pi/2)."""
        v, r = a
        before = max(v.adjusted() + 1, 0) if v else 0
        if before > MAX_REDUCTION:
            raise UnsureError
        self.heavy(2 + before // 20)
        ctx = _context(self.digits + before + 8)
        half = ctx.divide(pi(self.digits + before + 8), TWO)
        turns = ctx.divide(v, half).to_integral_value()
        rest = ctx.fma(turns.copy_negate(), half, v)
        k = (int(turns) + quarter) % 4
        result = sine(ctx, rest) if k % 2 == 0 else cosine(ctx, rest)
        result = self.ctx.plus(result if k < 2 else result.copy_negate())
        return result, self.err.add(r, Decimal((0, (1,), 3 - self.digits)))

    def atan(self, a: Ball) -> Ball:
        self.heavy(2)
        v, r = a
        near = _DOWN.subtract(v.copy_abs(), r) if v.copy_abs() > r else ZERO
        radius = min(self.err.divide(r, _DOWN.fma(near, near, ONE)), _FOUR)
        return self._rounded(self.ctx.plus(arctangent(_context(self.digits + 10), v)), radius)

    def asin(self, a: Ball) -> Ball:
        if a[0].copy_abs() == ONE and not a[1]:
            return self._rounded(self.ctx.divide(pi(self.digits + 5), TWO).copy_sign(a[0]), ZERO)
        square = self.mul(a, a)
        rest = self._sum_of((ONE, ZERO), (square[0].copy_negate(), square[1]))
        if rest[0] < rest[1].copy_negate():
            raise UndefinedError
        if rest[0] <= rest[1]:
            self._hidden_zero(*rest)
            half = self.ctx.divide(pi(self.digits + 5), TWO)
            return self._rounded(half.copy_sign(a[0]), ZERO)
        return self.atan(self.div(a, self.sqrt(rest)))

    def acos(self, a: Ball) -> Ball:
        half = self._rounded(self.ctx.divide(pi(self.digits + 5), TWO), ZERO)
        v, r = self.asin(a)
        return self._sum_of(half, (v.copy_negate(), r))

    def _sum_of(self, a: Ball, b: Ball) -> Ball:
        return self._rounded(self.ctx.add(a[0], b[0]), self.err.add(a[1], b[1]))

    def _exponentials(self, a: Ball) -> tuple[Ball, Ball]:
        up = self.exp(a)
        return up, self.div((ONE, ZERO), up)

    def cosh(self, a: Ball) -> Ball:
        up, down = self._exponentials(a)
        return self.div(self._sum_of(up, down), (TWO, ZERO))

    def sinh(self, a: Ball) -> Ball:
        up, down = self._exponentials(a)
        return self.div(self._sum_of(up, (down[0].copy_negate(), down[1])), (TWO, ZERO))

    def tanh(self, a: Ball) -> Ball:
        """(1 - e)/(1 + e) with e = exp(-2|a|), which no argument is too large for."""
        v, r = a
        e, s = self.exp((self.ctx.multiply(v.copy_abs(), Decimal(-2)), self.err.multiply(TWO, r)))
        result, radius = self.div(self._sum_of((ONE, ZERO), (e.copy_negate(), s)), self._sum_of((ONE, ZERO), (e, s)))
        return result.copy_sign(v), radius


_CALLS: Mapping[str, Callable[..., Ball]] = {
    "sqrt": _Work.sqrt, "cbrt": _Work.cbrt, "exp": _Work.exp, "log": _Work.log, "log2": _Work.log2,
    "log10": _Work.log10, "min": _Work.minimum, "max": _Work.maximum, "abs": _Work.absolute, "floor": _Work.floor,
    "ceil": _Work.ceil, "sin": _Work.sin, "cos": _Work.cos, "tan": _Work.tan, "asin": _Work.asin, "acos": _Work.acos,
    "atan": _Work.atan, "sinh": _Work.sinh, "cosh": _Work.cosh, "tanh": _Work.tanh,
}  # fmt: skip


@cache
def _context(digits: int) -> Context:
    return Context(prec=digits, Emin=MIN_EMIN, Emax=MAX_EMAX, traps=[])


_ERRORS = Context(prec=6, Emin=MIN_EMIN, Emax=MAX_EMAX, rounding=ROUND_UP, traps=[])
_DOWN = Context(prec=6, Emin=MIN_EMIN, Emax=MAX_EMAX, rounding="ROUND_DOWN", traps=[])
WIDE = _context(200)  # for comparing values of any size
NOTHING = Decimal("1e-30")


def is_zero(value: Decimal, radius: Decimal) -> bool:
    """Whether nothing tells a value from 0, although its error is small."""
    return value.copy_abs() <= radius <= NOTHING

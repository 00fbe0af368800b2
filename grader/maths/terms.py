"""Sparse polynomials in their raw form, on which the fast functions work, and how an expression is read into them.

A monomial is one integer with a 32 bit field for each variable's exponent, so that monomials are multiplied by adding
and compared as integers; `Terms` maps it to its coefficient, which is not 0. All work is bounded by counted fuel.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import reduce
from math import gcd, lcm

from grader.maths.expression import Add, Div, Expr, Mul, Neg, Number, Pow, Rational, Symbol, rational, symbols_of

FIELD = 32  # bits of a monomial's field; the top bit stays free, so that divisibility is one subtraction
MASK = (1 << FIELD) - 1
MAX_DEGREE = 1 << 20  # of one power
MAX_BITS = 1 << 16  # of one coefficient
FUEL = 20_000  # term products: a few milliseconds

Terms = dict[int, Rational]
ONE: Terms = {0: 1}


class TooLargeError(ArithmeticError):
    """The work asked for is beyond its bound; decide by other means."""


class NotRationalError(ArithmeticError):
    """The expression is not a rational function of its symbols."""


class Fields(dict[str, int]):
    """Where each variable's field begins; a name gets the next one when it is first asked for."""

    def __missing__(self, name: str) -> int:
        self[name] = FIELD * len(self)
        return self[name]


class Fuel:
    """Work left, in term products. Counted, never timed: a verdict must not depend on the machine's speed."""

    __slots__ = ("left",)

    def __init__(self, left: int = FUEL) -> None:
        self.left = left

    def spend(self, amount: int) -> None:
        """Use up `amount`; TooLargeError when there is not that much left."""
        self.left -= amount
        if self.left < 0:
            raise TooLargeError("out of fuel")


def multiply(a: Terms, b: Terms, fuel: Fuel) -> Terms:
    """The product of two polynomials in the same variables."""
    if a is ONE:
        return b
    if b is ONE or not a:
        return a
    if len(a) == 1:
        ((m, c),) = a.items()
        fuel.spend(len(b))
        return {m + k: c * v for k, v in b.items()}
    if len(b) == 1:
        return multiply(b, a, fuel)
    fuel.spend(len(a) * len(b))
    product: Terms = {}
    for m, c in a.items():
        for k, v in b.items():
            key = m + k
            product[key] = product.get(key, 0) + c * v
    return {k: v for k, v in product.items() if v}


def add(a: Terms, b: Terms, sign: int = 1) -> Terms:
    """a + sign*b."""
    total = dict(a)
    add_to(total, b, sign)
    return total


def add_to(total: Terms, b: Terms, sign: int = 1) -> None:
    """Add sign*b to `total` in place."""
    for k, v in b.items():
        value = total.get(k, 0) + sign * v
        if value:
            total[k] = value
        else:
            total.pop(k, None)


def power(a: Terms, n: int, fuel: Fuel) -> Terms:
    """The n-th power, n >= 0."""
    if n == 0:
        return ONE
    if n == 1 or not a:
        return a
    bits = max(c.numerator.bit_length() + c.denominator.bit_length() for c in a.values())
    if bits * n > MAX_BITS or n * max(_fields(reduce(int.__or__, a)), default=0) > MAX_DEGREE:
        raise TooLargeError("power too large")
    if len(a) == 1:
        ((m, c),) = a.items()
        return {m * n: c**n}
    fuel.spend(n)
    half = power(a, n // 2, fuel)
    square = multiply(half, half, fuel)
    return multiply(square, a, fuel) if n % 2 else square


def _fields(monomial: int) -> Iterator[int]:
    while monomial:
        yield monomial & MASK
        monomial >>= FIELD


def read_fraction(expression: Expr, fields: Fields, fuel: Fuel) -> tuple[Terms, Terms]:
    """Numerator and denominator, coefficients whole, not cancelled; `fields` gives each symbol its place.

    Raises NotRationalError, TooLargeError, or ZeroDivisionError where the expression is undefined everywhere.
    """
    if isinstance(expression, Mul):
        return _read_product(expression.factors, fields, fuel)
    if isinstance(expression, Add):
        return _read_sum(expression.terms, fields, fuel)
    if isinstance(expression, Symbol):
        return {1 << fields[expression.name]: 1}, ONE
    if isinstance(expression, Number):
        value = expression.value
        return ({0: value.numerator} if value else {}), (ONE if value.denominator == 1 else {0: value.denominator})
    if isinstance(expression, Div):
        return _read_quotient(expression, fields, fuel)
    if isinstance(expression, Neg):
        a, b = read_fraction(expression.operand, fields, fuel)
        return {k: -v for k, v in a.items()}, b
    if isinstance(expression, Pow):
        return _read_power(expression, fields, fuel)
    raise NotRationalError


def _read_product(factors: Sequence[Expr], fields: Fields, fuel: Fuel) -> tuple[Terms, Terms]:
    """Symbols and whole numbers are gathered in one term first."""
    monomial, coefficient, rest = 0, 1, []
    for factor in factors:
        if isinstance(factor, Symbol):
            monomial += 1 << fields[factor.name]
        elif isinstance(factor, Number) and isinstance(factor.value, int):
            coefficient *= factor.value
        else:
            rest.append(factor)
    num: Terms = {monomial: coefficient} if coefficient else {}
    den = ONE
    for factor in rest:
        a, b = read_fraction(factor, fields, fuel)
        num, den = multiply(num, a, fuel), multiply(den, b, fuel)
    return num, den


def _read_sum(terms: Sequence[Expr], fields: Fields, fuel: Fuel) -> tuple[Terms, Terms]:
    num: Terms = {}
    den = ONE
    for term in terms:
        a, b = read_fraction(term, fields, fuel)
        if b is den or b == den:
            add_to(num, a)
        else:
            num = add(multiply(num, b, fuel), multiply(a, den, fuel))
            den = multiply(den, b, fuel)
        fuel.spend(len(num))
    return num, den


def _read_quotient(expression: Div, fields: Fields, fuel: Fuel) -> tuple[Terms, Terms]:
    a, b = read_fraction(expression.numerator, fields, fuel)
    c, d = read_fraction(expression.denominator, fields, fuel)
    if not c:
        raise ZeroDivisionError
    return multiply(a, d, fuel), multiply(b, c, fuel)


def _read_power(expression: Pow, fields: Fields, fuel: Fuel) -> tuple[Terms, Terms]:
    exponent = whole_number(expression.exponent)
    if exponent is None:
        raise NotRationalError
    a, b = read_fraction(expression.base, fields, fuel)
    if exponent < 0:
        if not a:
            raise ZeroDivisionError
        a, b = b, a
    return power(a, abs(exponent), fuel), power(b, abs(exponent), fuel)


def whole_number(expression: Expr) -> int | None:
    """The value of an exponent that is a whole number, or None."""
    if isinstance(expression, Number):
        return expression.value if isinstance(expression.value, int) else None
    value = constant_value(expression)
    return value if isinstance(value, int) else None


def constant_value(expression: Expr) -> Rational | None:
    """The value of an expression without symbols that is rational by its form, or None."""
    if isinstance(expression, Number):
        return expression.value
    if symbols_of(expression):
        return None
    try:
        num, den = read_fraction(expression, Fields(), Fuel())
    except ArithmeticError:
        return None
    return rational(Fraction(num.get(0, 0), den[0]))


def exponents(monomial: int, count: int) -> tuple[int, ...]:
    """The exponents of a monomial in `count` variables."""
    return tuple(monomial >> FIELD * i & MASK for i in range(count))


def content_of(terms: Terms) -> Rational:
    """The positive number that makes the coefficients whole and without a common divisor."""
    denominator = lcm(*(c.denominator for c in terms.values()))
    return rational(Fraction(gcd(*(c.numerator * (denominator // c.denominator) for c in terms.values())), denominator))


def common_monomial(terms: Terms, count: int) -> int:
    """The greatest monomial that divides every term."""
    rows = [exponents(m, count) for m in terms]
    return sum(min(column) << FIELD * i for i, column in enumerate(zip(*rows, strict=True)))

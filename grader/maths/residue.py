"""The exact value of a rational expression modulo a large prime, at points drawn from a key.

Two expressions that are equal as rational functions have equal residues whatever their notation; two that differ have
equal ones with a chance of about degree / 2^61.
"""

from functools import lru_cache
from hashlib import blake2b

from grader.maths.expression import Add, Div, Expr, Mul, Neg, Number, Pow, Rational, Symbol
from grader.maths.terms import NotRationalError, whole_number

PRIME = 2**61 - 1


class Points(dict[str, int]):
    """A residue for each symbol, drawn from a key and the symbol's name when it is first asked for."""

    def __init__(self, key: bytes, prime: int = PRIME) -> None:
        super().__init__()
        self.key, self.prime = key, prime

    def __missing__(self, name: str) -> int:
        self[name] = draw(self.key, name) % self.prime
        return self[name]


def draw(key: bytes, name: str) -> int:
    """A number of 256 bits that follows from a key of any length and a name."""
    return int.from_bytes(blake2b(name.encode(), key=blake2b(key).digest(), digest_size=32).digest())


@lru_cache(maxsize=64)
def points(key: bytes) -> Points:
    """The points of a key."""
    return Points(key)


def residue(expression: Expr, at: dict[str, int], prime: int = PRIME) -> int:
    """The value modulo the prime; NotRationalError, or ZeroDivisionError where it is undefined everywhere."""
    if isinstance(expression, Mul):
        result = 1
        for factor in expression.factors:
            result *= at[factor.name] if isinstance(factor, Symbol) else residue(factor, at, prime)
        return result % prime
    if isinstance(expression, Add):
        total = 0
        for term in expression.terms:
            total += residue(term, at, prime)
        return total % prime
    if isinstance(expression, Symbol):
        return at[expression.name]
    if isinstance(expression, Number):
        return _number(expression.value, prime)
    if isinstance(expression, Div):
        bottom = residue(expression.denominator, at, prime)
        return residue(expression.numerator, at, prime) * _inverse(bottom, prime) % prime
    if isinstance(expression, Neg):
        return -residue(expression.operand, at, prime) % prime
    if isinstance(expression, Pow):
        return _power(expression, at, prime)
    raise NotRationalError


def _number(value: Rational, prime: int) -> int:
    if type(value) is int:
        return value % prime
    return value.numerator * _inverse(value.denominator, prime) % prime


def _inverse(value: int, prime: int) -> int:
    if not value % prime:
        raise ZeroDivisionError
    return pow(value, -1, prime)


def _power(expression: Pow, at: dict[str, int], prime: int) -> int:
    exponent = whole_number(expression.exponent)
    if exponent is None:
        raise NotRationalError
    base = residue(expression.base, at, prime)
    if exponent < 0:
        base, exponent = _inverse(base, prime), -exponent
    return pow(base, exponent, prime)

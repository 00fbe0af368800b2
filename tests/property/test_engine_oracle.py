"""Equality of random rational formulas against the polynomials of python-flint, an independent oracle.

Half of the pairs are equal by construction, half are near misses. ORACLE_PAIRS sets their number (20,000).
"""

import itertools
import os
import random
from collections.abc import Callable
from fractions import Fraction

import flint
import pytest
import sympy

from grader.diagnosis.mutation import mutants
from grader.maths.domain import Domain
from grader.maths.equality import equal
from grader.maths.expression import Add, Div, Expr, Mul, Neg, Number, Pow, Symbol, children, rational, rebuild
from grader.maths.fingerprint import fingerprint
from grader.maths.symbolic import from_sympy, to_sympy

NAMES = ("B", "D", "F")
PAIRS = int(os.environ.get("ORACLE_PAIRS", "20000"))
CONTEXT = flint.fmpq_mpoly_ctx.get(NAMES, flint.Ordering.lex)
VARIABLES = dict(zip(NAMES, CONTEXT.gens(), strict=True))
ONE = CONTEXT.constant(1)

Quotient = tuple[flint.fmpq_mpoly, flint.fmpq_mpoly]


def oracle(e: Expr) -> Quotient:
    """Numerator and denominator by flint; ZeroDivisionError where the formula has no value anywhere."""
    match e:
        case Symbol(name):
            return VARIABLES[name], ONE
        case Number(value):
            return CONTEXT.constant(flint.fmpq(value.numerator, value.denominator)), ONE
        case Add(terms):
            top, bottom = oracle(terms[0])
            for term in terms[1:]:
                n, d = oracle(term)
                top, bottom = top * d + n * bottom, bottom * d
            return top, bottom
        case Mul(factors):
            top, bottom = ONE, ONE
            for factor in factors:
                n, d = oracle(factor)
                top, bottom = top * n, bottom * d
            return top, bottom
        case Neg(a):
            n, d = oracle(a)
            return -n, d
        case Div(a, b):
            return quotient(oracle(a), oracle(b))
        case Pow(a, Number(n)):
            top, bottom = oracle(a)
            return (top**n, bottom**n) if n >= 0 else quotient((ONE, ONE), (top**-n, bottom**-n))
        case Pow(a, Neg(Number(n))):
            return oracle(Pow(a, Number(-n)))
        case Pow(a, Add()):  # a mutant's exponent, n + 1
            n, d = oracle(e.exponent)
            return oracle(Pow(a, Number(int(n.to_dict().get((0, 0, 0), 0)))))
    raise AssertionError(e)


def quotient(a: Quotient, b: Quotient) -> Quotient:
    if b[0] == 0:
        raise ZeroDivisionError
    return a[0] * b[1], a[1] * b[0]


def same(a: Quotient, b: Quotient) -> bool:
    return bool(a[0] * b[1] == b[0] * a[1])


def number(draw: random.Random) -> Expr:
    kind = draw.randrange(5)
    if kind == 0:
        return Number(rational(Fraction(draw.randrange(1, 99), 10 ** draw.randrange(1, 13))))
    if kind == 1:
        return Number(draw.choice([394, 1979, 81, 459]) * 10 ** draw.randrange(8, 13))
    return Number(draw.randrange(1, 10))


def grown(draw: random.Random, depth: int) -> Expr:
    """A random formula."""
    kind = draw.randrange(7) if depth else 0
    if kind == 0:
        return Symbol(draw.choice(NAMES)) if draw.random() < 0.7 else number(draw)
    parts = tuple(grown(draw, depth - 1) for _ in range(draw.randrange(2, 4)))
    if kind < 3:
        return Mul(parts)
    if kind < 5:
        return Add(tuple(Neg(part) if draw.random() < 0.2 else part for part in parts))
    if kind == 5:
        return Div(parts[0], parts[1])
    return Pow(parts[0], Number(draw.choice([-2, -1, 2, 3])))


def shuffled(e: Expr, draw: random.Random) -> Expr:
    match e:
        case Add(parts):
            return Add(tuple(draw.sample(parts, len(parts))))
        case Mul(parts):
            return Mul(tuple(draw.sample(parts, len(parts))))
    return e


def distributed(e: Expr, draw: random.Random) -> Expr:
    match e:
        case Mul((a, Add(terms), *rest)):
            return (
                Mul((Add(tuple(Mul((a, term)) for term in terms)), *rest))
                if rest
                else Add(tuple(Mul((a, term)) for term in terms))
            )
        case Div(Add(terms), b):
            return Add(tuple(Div(term, b) for term in terms))
        case Pow(a, Number(2)):
            return Mul((a, a))
    return e


def turned_over(e: Expr, draw: random.Random) -> Expr:
    match e:
        case Div(a, b):
            return draw.choice([Pow(Div(b, a), Number(-1)), Mul((a, Div(Number(1), b))), Div(Number(1), Div(b, a))])
        case Neg(a):
            return Mul((Number(-1), a))
    return e


def padded(e: Expr, draw: random.Random) -> Expr:
    other = Symbol(draw.choice(NAMES))
    return draw.choice([
        Div(Mul((e, other)), other), Add((e, other, Neg(other))), Mul((Number(Fraction(1, 7)), e, Number(7))),
        Div(Mul((e, Add((other, Number(1))))), Add((Number(1), other))), e, e, e,
    ])  # fmt: skip


REWRITES: tuple[Callable[[Expr, random.Random], Expr], ...] = (shuffled, distributed, turned_over, padded)


def rewritten(e: Expr, draw: random.Random) -> Expr:
    """The same value written another way: every node has its turn."""
    inside = rebuild(e, lambda part: rewritten(part, draw))
    if isinstance(e, Pow):
        inside = Pow(rewritten(e.base, draw), e.exponent)
    return draw.choice(REWRITES)(inside, draw) if draw.random() < 0.5 else inside


def slipped(e: Expr, draw: random.Random) -> Expr:
    """A slip somewhere: in the whole formula, or in a part of it, which is made much sooner."""
    parts = (e.base,) if isinstance(e, Pow) else children(e)  # an exponent stays a whole number
    if not parts or draw.random() < 0.2:
        return draw.choice(list(mutants(e)))
    chosen = draw.randrange(len(parts))
    places = itertools.count()
    return rebuild(e, lambda part: slipped(part, draw) if next(places) == chosen else part)


def value(e: Expr) -> Quotient | None:
    """The quotient of a formula, if it has a value other than 0."""
    try:
        found = oracle(e)
    except ZeroDivisionError:
        return None
    return found if found[0] != 0 else None


def pairs(count: int, seed: int):
    """Pairs of formulas, equal ones and near misses by turns, and whether they are equal."""
    draw = random.Random(seed)
    while count:
        a = grown(draw, draw.choice([1, 2, 3, 3, 4]))
        if not (first := value(a)):
            continue
        b = rewritten(a, draw)
        if count % 2:
            b = slipped(b, draw)
        if second := value(b):
            count -= 1
            yield a, b, same(first, second)


@pytest.mark.parametrize("part", range(4))
def test_equality_of_rational_formulas_is_that_of_flint(part):
    domain, found = Domain(), {True: 0, False: 0}
    for a, b, right in pairs(PAIRS // 4, part):
        found[right] += 1
        assert equal(a, b, domain) is right, (a, b)
        assert (fingerprint(a, domain) == fingerprint(b, domain)) is right, (a, b)
    assert found[True] >= PAIRS // 8
    assert found[False] >= PAIRS // 10  # some slips change nothing


def test_equality_of_rational_formulas_is_that_of_sympy():
    for a, b, right in pairs(60, 99):
        assert (sympy.cancel(to_sympy(a) - to_sympy(b)) == 0) is right
        for change in (sympy.expand, sympy.factor, sympy.together):
            assert equal(from_sympy(change(to_sympy(a))), a, Domain()) is True

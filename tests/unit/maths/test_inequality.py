"""Where an inequality holds, and the roots that decide it."""

from fractions import Fraction

import pytest

from grader.maths.domain import Domain
from grader.maths.expression import Number, Symbol
from grader.maths.grammar import read_expression
from grader.maths.inequality import EVERYWHERE, Inequality, Interval, intersection, same, solve, union
from grader.maths.roots import real_roots
from grader.maths.show import text

NAMES = ("x", "a", "b")
POSITIVE, REAL = Domain(), Domain("real")


def inequality(left, relation, right):
    return Inequality(read_expression(left, NAMES), relation, read_expression(right, NAMES))


def shown(region):
    if region is None:
        return None
    pieces = []
    for i in region:
        low = "-" if i.lower is None else text(i.lower)
        high = "-" if i.upper is None else text(i.upper)
        pieces.append(f"{'[' if i.lower_closed else '('}{low}, {high}{']' if i.upper_closed else ')'}")
    return " ".join(pieces)


@pytest.mark.parametrize(
    ("left", "relation", "right", "domain", "region"),
    [
        ("x", ">", "3", POSITIVE, "(3, -)"),
        ("3", ">=", "x", POSITIVE, "(-, 3]"),
        ("2x", "<", "6", POSITIVE, "(-, 3)"),
        ("-2x", "<", "-6", POSITIVE, "(3, -)"),
        ("x", "=", "3", POSITIVE, "[3, 3]"),
        ("x", "!=", "3", POSITIVE, "(-, 3) (3, -)"),
        ("x", ">", "-3", POSITIVE, "(-, -)"),
        ("x", "<", "-3", POSITIVE, ""),
        ("x", ">", "-3", REAL, "(-3, -)"),
        ("a x", ">", "3", POSITIVE, "(3/a, -)"),
        ("a x", ">", "3", REAL, None),
        ("x/a", "<", "b", POSITIVE, "(-, a*b)"),
        ("a/x", "<", "b", POSITIVE, "(a/b, -)"),
        ("x^2", ">", "a", POSITIVE, "(a^(1/2), -)"),
        ("x^2", ">", "4", POSITIVE, "(2, -)"),
        ("x^2", ">", "4", REAL, "(-, -2) (2, -)"),
        ("x^2", ">=", "4", REAL, "(-, -2] [2, -)"),
        ("x^2", "<=", "4", REAL, "[-2, 2]"),
        ("x^2", "=", "4", REAL, "[-2, -2] [2, 2]"),
        ("x^2", "<", "2", REAL, "(-sqrt(2), sqrt(2))"),
        ("x^2 + 1", ">", "0", REAL, "(-, -)"),
        ("x^2 + 1", "<", "0", REAL, ""),
        ("(x-1)^2", ">", "0", REAL, "(-, 1) (1, -)"),
        ("(x-1)^2", "<=", "0", REAL, "[1, 1]"),
        ("(x-1)(x-2)(x-3)", ">", "0", REAL, "(1, 2) (3, -)"),
        ("(x^2-1)(x^2-4)", "<", "0", REAL, "(-2, -1) (1, 2)"),
        ("(x-1)/(x-2)", ">=", "0", REAL, "(-, 1] (2, -)"),
        ("1/x", "<", "5", REAL, "(-, 0) (0.2, -)"),
        ("1/x", "<", "5", POSITIVE, "(0.2, -)"),
        ("x^5 + x", ">", "1", POSITIVE, None),
        ("log(x)", ">", "1", POSITIVE, None),
        ("1", "<", "2", POSITIVE, "(-, -)"),
        ("a", ">", "b", POSITIVE, None),
        ("a", ">", "-b", POSITIVE, "(-, -)"),
        ("x", ">>", "3", POSITIVE, None),
    ],
)
def test_an_inequality_is_solved_for_a_name(left, relation, right, domain, region):
    assert shown(solve(inequality(left, relation, right), "x", domain)) == region


def polynomial(*coefficients):
    return [Fraction(c) for c in coefficients]


@pytest.mark.parametrize(
    ("coefficients", "roots"),
    [
        ((1,), []), ((-6, 2), [3]), ((4, 0, 1), []), ((-4, 0, 1), [-2, 2]), ((1, -2, 1), [1]),
        ((-6, 11, -6, 1), [1, 2, 3]), ((4, 0, -5, 0, 1), [-2, -1, 1, 2]), ((0, -1, 0, 1), [-1, 0, 1]),
        ((-1, 0, 0, 8), [Fraction(1, 2)]), ((1, -4, 6, -4, 1), [1]), ((0, 0, 0, 1), [0]),
    ],
)  # fmt: skip
def test_rational_roots_are_exact(coefficients, roots):
    found = real_roots(polynomial(*coefficients))
    assert [root.value for root in found] == roots
    assert all(root.expression == Number(root.value) for root in found)


def test_irrational_roots_are_good_to_thirty_digits():
    for coefficients in ((-2, 0, 0, 1), (-1, -1, 0, 0, 1), (-1, 3 * 10**200, 0, 1), (1, -5, 0, 0, 1)):
        found = real_roots(polynomial(*coefficients))
        assert found
        for root in found:
            low, high = (root.value * (1 + Fraction(sign, 10**30)) for sign in (-1, 1))
            values = [sum(c * x**i for i, c in enumerate(coefficients)) for x in (low, high)]
            assert values[0] * values[1] < 0


def test_roots_above_degree_four_are_left():
    assert real_roots(polynomial(1, 1, 0, 0, 0, 1)) is None
    assert [root.value for root in real_roots(polynomial(0, 0, 0, 0, 0, 1))] == [0]


def region(*ends):
    return tuple(Interval(None if a is None else Number(a), None if b is None else Number(b)) for a, b in ends)


def test_unions_are_sorted_and_merged():
    assert union([region((5, None)), region((1, 3)), region((2, 4))]) == region((1, 4), (5, None))
    assert union([region((None, 3)), region((3, None))]) == region((None, 3), (3, None))
    assert union([region((None, 3)), (Interval(Number(3), None, lower_closed=True),)]) == EVERYWHERE


def test_intersections_keep_the_tighter_ends():
    assert intersection(region((1, None)), region((None, 3))) == region((1, 3))
    assert intersection(region((1, None)), region((2, None))) == region((2, None))
    assert intersection(region((None, 1)), region((2, None))) == ()


def test_ends_with_names_can_not_be_ordered():
    a, b = (Interval(Symbol(name), None) for name in "ab")
    assert intersection((a,), (b,)) is None
    assert intersection((a,), (a,)) == (a,)


def test_the_same_inequality_up_to_a_factor_of_known_sign():
    first, second = inequality("x^2 + a x", ">", "b"), inequality("2b", "<", "2x^2 + 2a x")
    assert same(first, second, POSITIVE) is True
    assert same(first, inequality("x^2 + a x", "<", "b"), POSITIVE) is False
    assert same(first, inequality("a (x^2 + a x)", ">", "a b"), POSITIVE) is True
    assert same(first, inequality("a (x^2 + a x)", ">", "a b"), REAL) is None
    assert same(first, inequality("log(x)", ">", "1"), POSITIVE) is None

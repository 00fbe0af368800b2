"""Deciding, over formulas drawn at random; sympy and exact values are the independent oracles."""

from fractions import Fraction

import pytest
import sympy
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from grader.maths.domain import Domain
from grader.maths.equality import equal, undefined
from grader.maths.expression import Add, Call, Div, Expr, Mul, Neg, Number, Pow, Symbol, rational, rebuild, substitute
from grader.maths.fingerprint import UNDEFINED, fingerprint
from grader.maths.leading import leading_term, same_leading_order, validity
from grader.maths.polynomial import RationalFunction, simplified
from grader.maths.ratio import ratio_text
from grader.maths.regime import Regime
from grader.maths.sample import exact
from grader.maths.symbolic import to_sympy

NAMES = ("B", "D", "F")
POSITIVE = Domain()
BATCH = Domain(regime=Regime.read("B << D, F"))
RELAXED = settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])

leaves = st.one_of(
    st.sampled_from([Symbol(name) for name in NAMES]),
    st.integers(1, 9).map(Number),
    st.fractions(Fraction(1, 9), 9, max_denominator=9).map(lambda value: Number(rational(value))),
)


def grown(inner: st.SearchStrategy[Expr], *, functions: tuple[str, ...] = ()) -> st.SearchStrategy[Expr]:
    pairs = st.tuples(inner, inner)
    kinds = [
        pairs.map(Add),
        pairs.map(Mul),
        pairs.map(lambda pair: Div(*pair)),
        inner.map(Neg),
        st.tuples(inner, st.integers(-2, 3)).map(lambda pair: Pow(pair[0], Number(pair[1]))),
    ]
    if functions:
        kinds.append(st.tuples(st.sampled_from(functions), pairs).map(lambda drawn: called(*drawn)))
    return st.one_of(kinds)


def called(function: str, arguments: tuple[Expr, ...]) -> Expr:
    return Call(function, arguments if function in ("max", "min") else arguments[:1])


rationals = st.recursive(leaves, grown, max_leaves=8)
lattices = st.recursive(leaves, lambda inner: grown(inner, functions=("max", "min", "abs")), max_leaves=6)
anything = st.recursive(
    leaves,
    lambda inner: grown(inner, functions=("max", "abs", "sqrt", "exp", "log", "log2", "floor", "sin", "atan", "tanh")),
    max_leaves=6,
)


def is_defined(expression: Expr) -> bool:
    return not undefined(expression, POSITIVE)


def renamed(expression: Expr) -> Expr:
    return substitute(expression, {old: Symbol(new) for old, new in zip(NAMES, ("x_1", "lambda", "A"), strict=True)})


def turned(expression: Expr) -> Expr:
    """The same value with all sums and products written the other way round."""
    if isinstance(expression, Add):
        return Add(tuple(turned(part) for part in reversed(expression.terms)))
    if isinstance(expression, Mul):
        return Mul(tuple(turned(part) for part in reversed(expression.factors)))
    return rebuild(expression, turned)


@given(anything)
@RELAXED
def test_a_value_is_never_told_from_itself(a: Expr) -> None:
    assume(is_defined(a))
    assert equal(a, a, POSITIVE) is True
    assert equal(a, Add((a, Number(0))), POSITIVE) is not False
    assert equal(turned(a), a, POSITIVE) is not False


@given(anything, anything)
@RELAXED
def test_the_order_of_two_values_does_not_matter(a: Expr, b: Expr) -> None:
    assert equal(a, b, POSITIVE) is equal(b, a, POSITIVE)


@given(rationals, rationals)
@RELAXED
def test_rational_equality_is_that_of_sympy(a: Expr, b: Expr) -> None:
    assume(is_defined(a) and is_defined(b))
    assert equal(a, b, POSITIVE) is (sympy.cancel(to_sympy(a) - to_sympy(b)) == 0)


@given(rationals)
@RELAXED
def test_expanding_and_factoring_keep_the_value(a: Expr) -> None:
    assume(is_defined(a))
    fraction = RationalFunction.from_expr(a)
    assert fraction is not None
    for form in (fraction.to_expr(), fraction.cancel().to_expr(), simplified(a), turned(a)):
        assert equal(form, a, POSITIVE) is True
        assert fingerprint(form, POSITIVE) == fingerprint(a, POSITIVE)


@given(rationals, st.sampled_from([Number(2), Symbol("B"), Div(Number(999), Number(1000))]))
@RELAXED
def test_a_changed_formula_is_never_equal(a: Expr, factor: Expr) -> None:
    assume(is_defined(a) and equal(a, Number(0), POSITIVE) is False)
    for changed in (Mul((a, factor)), Add((a, factor)), Add((a, Div(factor, Number(10**12))))):
        assert equal(changed, a, POSITIVE) is False
        assert fingerprint(changed, POSITIVE) != fingerprint(a, POSITIVE)


@given(lattices, lattices)
@RELAXED
def test_max_and_min_are_decided_as_their_exact_values_say(a: Expr, b: Expr) -> None:
    assume(is_defined(a) and is_defined(b))
    verdict = equal(a, b, POSITIVE)
    points = [
        dict(zip(NAMES, row, strict=True)) for row in [(3, 5, 7), (100, 3, 11), (Fraction(1, 7), 90, 2), (2, 1, 800)]
    ]
    for point in points:
        try:
            same = exact(a, point) == exact(b, point)
        except ZeroDivisionError:
            continue
        assert same or verdict is False


@given(st.lists(st.sampled_from(NAMES), min_size=2, max_size=3, unique=True), rationals)
@RELAXED
def test_a_maximum_is_never_taken_for_a_branch_the_sum_or_the_minimum(names: list[str], scale: Expr) -> None:
    assume(is_defined(scale))
    positive = Add((Mul((scale, scale)), Number(Fraction(1, 10**9))))
    branches: tuple[Expr, ...] = tuple(Mul((positive, Symbol(name))) for name in names[:1])
    branches += tuple(Symbol(name) for name in names[1:])
    largest = Call("max", branches)
    for other in (*branches, Add(branches), Call("min", branches)):
        assert equal(other, largest, POSITIVE) is not True  # a branch may win in a small region that no point meets


@given(lattices, lattices)
@RELAXED
def test_renaming_the_symbols_keeps_the_verdicts(a: Expr, b: Expr) -> None:
    assert equal(renamed(a), renamed(b), POSITIVE) is equal(a, b, POSITIVE)
    same = fingerprint(a, POSITIVE) == fingerprint(b, POSITIVE)
    assert (fingerprint(renamed(a), POSITIVE) == fingerprint(renamed(b), POSITIVE)) is same


@given(lattices, lattices)
@RELAXED
def test_equal_fingerprints_and_equality_agree(a: Expr, b: Expr) -> None:
    same = fingerprint(a, POSITIVE) == fingerprint(b, POSITIVE)
    if same and fingerprint(a, POSITIVE) != UNDEFINED:
        assert equal(a, b, POSITIVE) is True


@given(rationals, rationals)
@RELAXED
def test_what_vanishes_on_every_path_is_small_on_some(a: Expr, b: Expr) -> None:
    assume(is_defined(a) and is_defined(b))
    if same_leading_order(a, b, BATCH):
        for d, f in ((10**40, 10**40), (10**60, 10**45), (10**45, 10**60)):
            point = {"B": 3, "D": d, "F": 7 * f}
            top, bottom = exact(a, point), exact(b, point)
            assert top is not None
            assert bottom is not None
            assert abs(Fraction(top) / bottom - 1) < Fraction(1, 10**9)


@given(rationals)
@RELAXED
def test_a_formula_has_its_own_leading_order(a: Expr) -> None:
    assume(is_defined(a) and equal(a, Number(0), POSITIVE) is False)
    assert same_leading_order(a, a, BATCH) is True
    assert same_leading_order(Mul((a, Number(2))), a, BATCH) is False
    assert same_leading_order(Mul((a, Symbol("B"))), a, BATCH) is False


@given(rationals)
@RELAXED
def test_a_leading_term_without_cancellation_has_the_same_leading_order(a: Expr) -> None:
    assume(is_defined(a) and equal(a, Number(0), POSITIVE) is False)
    fraction = RationalFunction.from_expr(a)
    assert fraction is not None
    lowest = fraction.cancel()
    signs = [{c > 0 for c in p.terms.values()} for p in (lowest.numerator, lowest.denominator)]
    assume(all(len(found) == 1 for found in signs))
    assert BATCH.regime is not None
    assert same_leading_order(a, leading_term(a, BATCH.regime), BATCH) is True


@given(anything, anything)
@RELAXED
def test_nothing_that_can_be_typed_raises(a: Expr, b: Expr) -> None:
    assert equal(a, b, BATCH) in (True, False, None)
    assert same_leading_order(a, b, BATCH) in (True, False, None)
    assert isinstance(fingerprint(a, BATCH), str)
    for said in (ratio_text(a, b, BATCH), validity(a, b, BATCH)):
        assert said is None or isinstance(said, str)


@pytest.mark.parametrize("key", [b"", b"k", bytes(100)])
def test_answers_aimed_at_the_sample_points_are_refuted(key: bytes) -> None:
    from grader.maths.residue import PRIME, points

    domain = Domain(key=key)
    root = points(key)["B"]  # known to anybody where the key is public
    target = Mul((Number(2), Symbol("B")))
    aimed = Add((target, Add((Symbol("B"), Neg(Number(root))))))
    assert fingerprint(aimed, domain) == fingerprint(target, domain)
    assert equal(aimed, target, domain) is False
    assert equal(Call("max", (target, aimed)), target, domain) is False
    assert root < PRIME

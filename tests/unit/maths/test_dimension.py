"""Dimensions of formulas, and the clash that is told where there is none."""

from fractions import Fraction

import pytest

from grader.maths.dimension import PLAIN, Dimension, DimensionError, Dimensions, dimension
from grader.maths.grammar import read_expression

BYTE, SECOND, OPERATION = Dimension.of(byte=1), Dimension.of(s=1), Dimension.of(FLOP=1)
SYMBOLS = {
    "flops": OPERATION, "bytes": BYTE, "peak": OPERATION / SECOND, "bandwidth": BYTE / SECOND,
    "t": SECOND, "B": PLAIN, "unknown": None,
}  # fmt: skip


def found(text, **options):
    return dimension(read_expression(text, SYMBOLS), Dimensions(SYMBOLS, **options))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("flops/bytes", "FLOP/byte"),
        ("flops/peak", "s"),
        ("flops/peak + bytes/bandwidth", "s"),
        ("max(flops/peak, bytes/bandwidth)", "s"),
        ("flops/max(flops/peak, t)", "FLOP/s"),
        ("2*B*flops", "FLOP"),
        ("-t", "s"),
        ("sqrt(t^2)", "s"),
        ("cbrt(bytes)^3", "byte"),
        ("peak/bandwidth", "FLOP/byte"),
        ("bytes^-1", "1/byte"),
        ("t^(3/2)", "s^3/2"),
        ("log(B)", "a plain number"),
        ("floor(t)", "s"),
        ("t + 0", "s"),
        ("B^B", "a plain number"),
        ("exp(bytes/bytes)", "a plain number"),
    ],
)
def test_a_formula_has_the_dimension_of_its_symbols(text, expected):
    assert str(found(text)) == expected


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("flops + bytes", "can't add FLOP and byte"),
        ("t + 1", "can't add s and a plain number"),
        ("min(peak, bandwidth)", "can't compare FLOP/s and byte/s"),
        ("log(t)", "log takes a plain number, not s"),
        ("2^t", "an exponent must be a plain number, not s"),
    ],
)
def test_a_clash_is_told_with_both_dimensions(text, says):
    with pytest.raises(DimensionError, match=says.replace("^", r"\^")):
        found(text)


@pytest.mark.parametrize("text", ["unknown", "unknown*t", "flops/unknown", "unknown^2", "t^B"])
def test_what_an_unknown_symbol_touches_is_unknown(text):
    assert found(text) is None


def test_an_unknown_term_takes_the_dimension_of_the_others():
    assert found("unknown + t") == SECOND


def test_a_typed_number_may_stand_for_a_constant_of_the_exercise():
    constants = {394 * 10**12: OPERATION / SECOND}
    assert found("flops/3.94e14", constants=constants, numbers=None) == SECOND
    assert found("flops/3.95e14", constants=constants, numbers=None) is None


def test_powers_of_dimensions_multiply():
    assert Dimension.of(byte=2, s=-2) == (BYTE / SECOND) ** 2
    assert (BYTE ** Fraction(1, 2)) ** 2 == BYTE
    assert not BYTE / BYTE

"""Values with units in arithmetic: to which number a unit belongs, and in which order things are done."""

import pytest

from grader.errors import ResponseError
from grader.maths.expression import Number
from grader.maths.quantities import read_quantity, scaled
from grader.maths.sample import number


@pytest.mark.parametrize(
    ("text", "value", "dimension"),
    [
        ("1/1000 kJ", 1, "J"),
        ("2 + 3 s", 5, "s"),
        ("4 byte / 1 s", 4, "byte/s"),
        ("4 byte / 2", 2, "byte"),
        ("4 byte / 2 * 3", 6, "byte"),
        ("4 byte / 2 / 2", 1, "byte"),
        ("4 byte * 6 / 3", 8, "byte"),
        ("4 byte / (2*2)", 1, "byte"),
        ("4 byte / 2*2*(1 s)", 4, "byte*s"),
        ("2 bytes * 1024 * 8192", 2**24, "byte"),
        ("1.5 GHz * 4 FLOP", 6 * 10**9, "FLOP/s"),
        ("2*(3 s)", 6, "s"),
        ("2 (3 s)", 6, "s"),
        ("6/(3 s)", 2, "1/s"),
        ("(6 byte)/s", 6, "byte/s"),
        ("(6 byte) * s", 6, "byte*s"),
        ("-(5 byte)", -5, "byte"),
        ("-5 byte", -5, "byte"),
        ("−5 byte", -5, "byte"),
        ("-(6 byte) / (2 s)", -3, "byte/s"),
        ("5 byte - 2 byte", 3, "byte"),
        ("5 byte + 2 * (3 byte)", 11, "byte"),
        ("((5 byte))", 5, "byte"),
        ("5EB", 5 * 10**18, "byte"),
        ("2e3B", 2000, "byte"),
        ("5 1/s", 5, "1/s"),
        ("10^6 1/s", 10**6, "1/s"),
        ("5 per second", 5, "1/s"),
        ("6 byte/s / 2 FLOP/s", 3, "byte/FLOP"),
        (r"\frac{6 \text{ byte}}{2 \text{ s}}", 3, "byte/s"),
        (r"\frac{6}{2}\,\text{byte}", 3, "byte"),
        (r"8.1 \times 10^{3}\ \text{bytes/s}", 8100, "byte/s"),
        ("8.1 × 10³ bytes/s", 8100, "byte/s"),
        ("8.1 x 10^3 (bytes/s)", 8100, "byte/s"),
        ("5 min", 300, "s"),
        ("min(5, 7) s", 5, "s"),
        ("50% s", 0.5, "s"),
        ("7", 7, "a plain number"),
    ],
)
def test_a_unit_belongs_to_the_whole_value_in_front_of_it(text, value, dimension):
    quantity = read_quantity(text)
    assert (float(number(quantity.value)), str(quantity.dimension)) == (value, dimension)


@pytest.mark.parametrize(
    ("text", "code", "position"),
    [
        ("1 s 500 ms", "one-number", 4),
        ("1 s, 2 s", "one-number", 3),
        ("1 s; 2", "one-number", 3),
        ("4 byte 3", "one-number", 7),
        ("4 byte / 2 + 1", "order", 9),
        ("2 + 3*(4 byte)", "order", 0),
        ("1/2 (4 byte)", "order", 0),
        ("4 byte + 3 s", "dimension", 0),
        ("4 byte + 3", "dimension", 0),
        ("s", "number-missing", 0),
        ("4 byte * / (3 s)", "number-missing", 9),
        ("4 byte /", "number-missing", 8),
        ("4 bananas", "unknown-unit", 2),
        ("4 byte / 3 bananas", "unknown-unit", 11),
        ("(4 bananas) / (3 s)", "unknown-unit", 3),
        ("4 m**m", "unit-power", 3),
        ("4..5 m", "", 2),
        ("4 byte / 2..5 * 3", "", 11),
    ],
)
def test_what_is_not_clear_is_refused_where_it_stands(text, code, position):
    with pytest.raises(ResponseError) as caught:
        read_quantity(text)
    assert caught.value.position == position
    assert not code or caught.value.code == code


def test_words_that_are_products_of_declared_names_are_no_units():
    assert read_quantity("2BD FLOP", ("B", "D")).unit.text == "FLOP"
    assert read_quantity("2 B", ("B",)).unit is None
    assert read_quantity("2 MB", ("M", "B")).unit is None
    assert read_quantity("2 MB", ("M",)).unit.text == "MB"
    assert read_quantity("2 D FLOP/B", ("B", "D")).unit.text == "FLOP/B"


def test_a_number_stays_one_number_in_another_unit():
    assert scaled(Number(3), 1000) == Number(3000)

"""Logarithms written out: what is shown to be equal is, and nothing else."""

import pytest

from grader.maths.domain import Domain
from grader.maths.equality import equal
from grader.maths.grammar import read_expression
from grader.maths.logarithms import same_with_logarithms
from grader.maths.sign import plainly_defined, strictly_positive

NAMES = ("B", "D", "F")


def read(text):
    return read_expression(text, NAMES)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("log(BD)", "log(B) + log(D)"),
        ("-D*log(1/B)/F", "D*ln(B)/F"),
        ("log(B^2)/2", "log(B)"),
        ("log(B^D)", "D*log(B)"),
        ("log2(B)", "log(B)/log(2)"),
        ("log(B, 2)", "log2(B)"),
        ("log(sqrt(B))", "log(B)/2"),
        ("log(e*B)", "1 + log(B)"),
        ("log(exp(B)) + log(D)", "B + log(D)"),
        ("log(B*(D+F)/D)", "log(D+F) + log(B) - log(D)"),
    ],
)
def test_logarithms_are_the_same_once_written_out(a, b):
    assert same_with_logarithms(read(a), read(b))
    assert equal(read(a), read(b), Domain()) is True


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("log(B)*log(D)", "log(BD)"),
        ("log(B+D)", "log(B)+log(D)"),
        ("log(B)", "log2(B)"),
        ("log(B^2)", "log(B)^2"),
        ("log(B-D)", "log(B)-log(D)"),
        ("B + log(B-5) - log(B-5)", "B + log(B) - log(B)"),
    ],
)
def test_other_logarithms_are_not(a, b):
    assert not same_with_logarithms(read(a), read(b))
    assert equal(read(a), read(b), Domain()) is not True


@pytest.mark.parametrize(
    "text", ["B/(D+F)", "log(B)", "sqrt(B)+B^-1", "max(B-D, 0)", "B^D", "exp(-B)", "(B-D)^2", "-B"]
)
def test_what_is_plainly_defined_has_a_value_everywhere(text):
    assert plainly_defined(read(text))


@pytest.mark.parametrize("text", ["1/(B-D)", "log(B-1)", "sqrt(B-D)", "(B-D)^-1", "B/0", "asin(B)", "log(0)", "1/(0B)"])
def test_what_may_have_no_value_is_not_plainly_defined(text):
    assert not plainly_defined(read(text))


def test_what_may_be_0_is_not_strictly_positive():
    assert not strictly_positive(read("abs(B-D)"))
    assert not strictly_positive(read("max(B-D, 0)"))
    assert strictly_positive(read("min(B, D/2) + sqrt(F)"))

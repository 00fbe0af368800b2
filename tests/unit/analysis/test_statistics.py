"""The statistics of a class against their definitions, worked out another way."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.statistics import alpha, correlation, discrimination, facility, spread

scores = st.lists(st.integers(0, 50), min_size=2, max_size=30)
tables = st.integers(2, 12).flatmap(
    lambda students: st.lists(st.lists(st.integers(0, 9), min_size=students, max_size=students), min_size=2, max_size=6)
)


def mean(values: list[int]) -> Fraction:
    return Fraction(sum(values), len(values))


def variance(values: list[int]) -> Fraction:
    middle = mean(values)
    return sum(((value - middle) ** 2 for value in values), Fraction()) / (len(values) - 1)


@given(scores)
def test_mean_and_deviation_are_those_of_exact_arithmetic(values: list[int]) -> None:
    found = spread(values)
    assert found is not None
    assert found.mean == pytest.approx(float(mean(values)))
    assert found.sd == pytest.approx(math.sqrt(variance(values)))
    assert found.least <= found.lower <= found.median <= found.upper <= found.most


def test_quartiles_interpolate_between_neighbours() -> None:
    found = spread([7, 1, 4, 2])  # sorted 1 2 4 7: at 0.75, 1.5 and 2.25 of the way
    assert found is not None
    assert (found.lower, found.median, found.upper) == (1.75, 3.0, 4.75)


def test_of_nobody_and_of_one_there_is_no_spread_to_speak_of() -> None:
    assert spread([]) is None
    one = spread([5])
    assert one is not None
    assert (one.mean, one.sd, one.lower, one.median, one.upper) == (5.0, None, 5.0, 5.0, 5.0)


def test_facility_is_the_mean_share_of_the_points() -> None:
    assert facility([0, 1, 3, 4], 4) == 0.5
    assert facility([], 4) is None
    assert facility([0], 0) is None


@given(tables)
def test_discrimination_is_the_correlation_with_the_rest(table: list[list[int]]) -> None:
    totals = [sum(row) for row in zip(*table, strict=True)]
    rest = [total - own for total, own in zip(totals, table[0], strict=True)]
    both = variance(table[0]) * variance(rest)
    found = discrimination(table[0], totals)
    if not both:
        assert found is None
        return
    pairs = zip(table[0], rest, strict=True)
    covariance = sum((a - mean(table[0])) * (b - mean(rest)) for a, b in pairs) / (len(rest) - 1)
    assert found == pytest.approx(float(covariance) / math.sqrt(both))


@given(tables)
def test_alpha_is_cronbach_s_formula(table: list[list[int]]) -> None:
    totals = [sum(row) for row in zip(*table, strict=True)]
    found = alpha(table)
    if not variance(totals):
        assert found is None
        return
    share = sum(map(variance, table), Fraction()) / variance(totals)
    assert found == pytest.approx(float(Fraction(len(table), len(table) - 1) * (1 - share)))


def test_parts_that_say_the_same_are_perfectly_consistent_and_a_single_one_is_nothing() -> None:
    assert alpha([[1, 2, 3], [1, 2, 3]]) == pytest.approx(1.0)
    assert alpha([[1, 2, 3]]) is None
    assert correlation([1, 2, 3], [3, 2, 1]) == -1.0
    assert correlation([1, 1, 1], [3, 2, 1]) is None

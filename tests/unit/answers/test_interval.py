"""Intervals: ends and brackets count, unions are joined, infinity in every spelling."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader import compare
from grader.errors import SpecError

RAY = "(280, oo)"


def verdict(response, solution=RAY, **options):
    return compare(response, solution, type="interval", symbols="N, D", **options).verdict


@pytest.mark.parametrize(
    "response",
    [
        "(280, oo)", "(280,oo)", "(280, inf)", "(280, infinity)", "(280, infty)", "(280, ∞)", r"(280, \infty)",
        r"\left(280, \infty\right)", "$(280, oo)$", "(560/2, +oo)", "N ∈ (280, oo)", r"N \in (280, oo)",
        "N = (280, oo)", "(280, 300] U (300, oo)", "(300, oo) ∪ (280, 301)", r"(280, 400) \cup [300, \infty)",
        "(2.8e2, oo)", "N in (280, oo)",
    ],
)  # fmt: skip
def test_the_same_interval_is_right_however_it_is_written(response):
    assert verdict(response) == "correct"


@pytest.mark.parametrize(
    "response",
    ["(281, oo)", "[280, oo)", "(-oo, 280)", "(280, 300)", "(280, 300) U (300, oo)", "(0, 280)"],
)
def test_another_interval_is_wrong(response):
    assert verdict(response) == "incorrect"


@pytest.mark.parametrize(
    "response",
    [
        "280", "(280)", "(280, oo", "280, oo", "]280, oo[", "(oo, 280)", "(300, 280)", "(280, 280)", "(280, oo) U", "",
        "N =", "(280; oo)", "{280, 300}", "(280, , oo)", "(57,500, oo)", "(1/0, oo)", "N > 280", "(280, X)",
        "(280, oo) or (1, 2)", "(280, oo) (1, 2)", "(280, nan)", "(280, 2oo)",
    ],
)  # fmt: skip
def test_what_is_no_interval_is_refused_at_a_position_in_the_response(response):
    comparison = compare(response, RAY, type="interval", symbols="N")
    assert comparison.verdict == "invalid"
    assert comparison.position is None or 0 <= comparison.position <= len(response)


def test_only_a_wrong_bracket_is_named():
    assert "end belongs" in compare("[1, 2]", "[1, 2)", type="interval").remarks[0]
    assert not compare("[1, 3]", "[1, 2)", type="interval").remarks


def test_a_comma_separates_ends_even_before_three_digits():
    assert verdict("(57,500)", "(57, 500)") == "correct"
    assert compare("(57,500)", "(57, 500)", type="interval").read_as == "(57, 500)"


def test_unions_are_compared_whatever_their_order():
    assert verdict("(3, 4] U [1, 2)", "[1, 2) U (3, 4]") == "correct"
    assert verdict("[1, 2) U (3, 4)", "[1, 2) U (3, 4]") == "incorrect"
    assert verdict("[1, 2)", "[1, 2) U (3, 4]") == "incorrect"


def test_ends_may_be_formulas_and_single_points_intervals():
    assert verdict("[N, N + N*D]", "[N, N*(1 + D)]") == "correct"
    assert verdict("[N, 2D]", "[N, D]") == "incorrect"
    assert verdict("[2, 2]", "[4/2, 2]") == "correct"


def test_a_tolerance_applies_to_the_ends():
    assert verdict("(278, oo)", tolerance={"rel": "1%"}) == "correct"
    assert verdict("(276, oo)", tolerance={"rel": "1%"}) == "incorrect"
    assert verdict("(276, oo)", tolerance={"abs": 5}) == "correct"


def test_a_solution_that_is_no_interval_is_the_authors_fault():
    with pytest.raises(SpecError, match="two ends"):
        compare(RAY, "(280)", type="interval")


ENDS = st.lists(st.integers(-50, 50), min_size=2, max_size=6, unique=True).filter(lambda ends: len(ends) % 2 == 0)


@settings(deadline=None)
@given(ENDS, st.lists(st.sampled_from(["()", "[)", "(]", "[]"]), min_size=3, max_size=3))
def test_any_union_is_itself_read_back_in_text_and_latex(ends, brackets):
    ends.sort()
    spans = [f"{b[0]}{low}, {high}{b[1]}" for low, high, b in zip(ends[::2], ends[1::2], brackets, strict=False)]
    solution = " U ".join(spans)
    comparison = compare(" ∪ ".join(reversed(spans)), solution, type="interval")
    assert comparison.relation == "exact"
    assert compare(comparison.read_as, solution, type="interval").relation == "exact"
    assert compare(comparison.latex, solution, type="interval").relation == "exact"

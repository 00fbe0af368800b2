"""Equations: the same solutions over the domain, tautologies, contradictions, and what is no equation."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader import compare
from grader.errors import SpecError

SAME = [
    ("C T = 2NKM", "T == 2*N*K*M/C"),
    ("T*C - 2*N*K*M = 0", "T = 2*N*K*M/C"),
    ("T/(N*K) = 2*M/C", "T = 2*N*K*M/C"),
    ("B**2/2 = 2", "B**2 = 4"),
    ("B = 2", "B**2 = 4"),
    ("B^3 = 8", "B = 2"),
    ("(B - 2)^2 = 0", "B = 2"),
    ("(B - 2)*(B^2 + 1) = 0", "B = 2"),
    ("(B - 2)*(B^2 - B + 1) = 0", "B = 2"),
    ("B^2 = D^2", "B = D"),
    ("1/B = 1/D", "B = D"),
    ("B*D = B*D^2", "D = 1"),
    ("B = sqrt(D)", "B = D^(1/2)"),
    ("2B = 2sqrt(D)", "B = sqrt(D)"),
    ("T/max(D, B) = N", "T = N*max(B, D)"),
    ("T = max(B, D)", "T = (B + D + abs(B - D))/2"),
    ("-T = -2B", "T = 2B"),
    ("$T = 2B$", "T = 2B"),
    ("T == 2B", "T = 2B"),
    (r"\frac{T}{2} = B", "T = 2B"),
]
DIFFERENT = [
    ("T = N*K*M/C", "T == 2*N*K*M/C"),
    ("T = N^2*K*M/C", "T = 2*N*K*M/C"),
    ("B**2 = 1", "B**2 = 4"),
    ("(B - 2)*(B - 3) = 0", "B = 2"),
    ("B = 2", "(B - 2)*(B - 3) = 0"),
    ("T = 2D", "T = 2B"),
    ("T = 2.0001B", "T = 2B"),
    ("T(B) - 2*B = 0", "T = 2B"),
    ("T = min(B, D)", "T = max(B, D)"),
    ("B^2 = D", "B = D"),
]
NAMES = "T B D N K M C"


@pytest.mark.parametrize(("response", "solution"), SAME)
def test_equations_with_the_same_solutions_are_equal(response, solution):
    assert compare(response, solution, type="equation", symbols=NAMES).verdict == "correct"
    assert compare(solution, response, type="equation", symbols=NAMES).verdict == "correct"


@pytest.mark.parametrize(("response", "solution"), DIFFERENT)
def test_equations_with_other_solutions_are_not(response, solution):
    assert compare(response, solution, type="equation", symbols=NAMES).verdict == "incorrect"


@pytest.mark.parametrize(
    ("response", "solution"), [("B = 2", "B^2 = 4"), ("B^2 = D^2", "B = D"), ("B*D = B*D^2", "D = 1")]
)
def test_over_all_reals_the_negative_solutions_and_zero_count(response, solution):
    assert compare(response, solution, type="equation", symbols=NAMES, assume="real").verdict == "incorrect"


@pytest.mark.parametrize("response", ["2*B = 2*B", "T = T", "1 = 1", "B/B = 1"])
def test_a_tautology_is_incorrect_and_said_to_be_one(response):
    comparison = compare(response, "T = 2B", type="equation", symbols=NAMES)
    assert comparison.verdict == "incorrect"
    assert "always" in comparison.remarks[0]


@pytest.mark.parametrize("response", ["T = T + 1", "B + D = 0", "1 = 2", "B*D = -1"])
def test_an_equation_without_solutions_is_incorrect_and_said_to_have_none(response):
    comparison = compare(response, "T = 2B", type="equation", symbols=NAMES)
    assert comparison.verdict == "incorrect"
    assert "never" in comparison.remarks[0]


@pytest.mark.parametrize(
    "response", ["2B", "B > 1", "B = D = 1", "T = 1/0", "T ≈ 2B", "", "T =", "= 2B", "T = X", "B = 2 or 3"]
)
def test_what_is_no_equation_is_refused(response):
    assert compare(response, "T = 2B", type="equation", symbols=NAMES).verdict == "invalid"


@pytest.mark.parametrize("solution", ["B = B", "B = B + 1", "2B", "B + D = 0"])
def test_a_solution_that_says_nothing_is_the_authors_fault(solution):
    with pytest.raises(SpecError):
        compare("B = 1", solution, type="equation", symbols=NAMES)


def test_where_both_say_what_one_name_is_the_check_decides():
    close = {"type": "equation", "symbols": "T B D F", "tolerance": {"rel": "1%"}}
    assert compare("T = 2.01B", "T = 2B", **close).relation == "tolerance"
    leading = {"type": "equation", "symbols": "T B D F", "regime": "B << D, F"}
    assert compare("T = 2BDF/(BD + DF + BF)", "T = 2B", **leading).relation == "leading_order"
    assert compare("T = 2BD/F", "T = 2B", **leading).verdict == "incorrect"


def test_the_ratio_of_what_a_name_is_said_to_be_is_told():
    assert compare("T = B", "T = 2B", type="equation", symbols="T B").ratio == "1/2"


def test_what_cannot_be_compared_is_left_to_a_person():
    assert compare("B + exp(B) = D + 3", "B*log(D) = 7", type="equation", symbols="B D").verdict == "undecided"


LEFT = st.sampled_from(["T*B - D", "B/(D + 1) - T", "sqrt(B) - T", "T"])
RIGHT = st.sampled_from(["2*B*D - T^2", "3 - 5*T", "B^2 + D - T^3", "7"])


@settings(deadline=None)
@given(LEFT, RIGHT, st.sampled_from(["3", "B", "D^2", "(B + D)"]))
def test_an_equation_stays_the_same_times_a_positive_factor_and_read_back(left, right, factor):
    solution = f"{left} = {right}"
    scaled = compare(f"({left})*{factor} = ({right})*{factor}", solution, type="equation", symbols="T B D")
    assert scaled.verdict == "correct"
    assert compare(scaled.read_as, solution, type="equation", symbols="T B D").verdict == "correct"

"""Sets: order and repeats are free, every element must meet one of the other set."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader import compare
from grader.errors import SpecError

KEY = "{2, 4, 8}"


def verdict(response, solution=KEY, **options):
    return compare(response, solution, type="set", symbols="B, D", **options).verdict


@pytest.mark.parametrize(
    "response",
    [
        "{8, 2, 4}", "{8,2,4,2}", "{2, 2, 2, 4, 8}", r"\{8, 2, 4\}", r"\left\{8,2,4\right\}", r"$\{2, 4, 8\}$",
        "{16/2, sqrt(4), 2^2}", "8, 2, 4", "{2B/B, 4, 8}", "S = {2, 4, 8}",
    ],
)  # fmt: skip
def test_the_same_set_is_right_however_it_is_written(response):
    assert verdict(response) == "correct"


@pytest.mark.parametrize(
    ("response", "remark"),
    [
        ("{8, 2}", "an element is missing"),
        ("{8, 2, 4, 16}", "an element does not belong to the set"),
        ("{}", "an element is missing"),
        (r"\emptyset", "an element is missing"),
        ("∅", "an element is missing"),
        ("2", "an element is missing"),
    ],
)
def test_another_set_is_wrong_and_the_remark_gives_no_element_away(response, remark):
    comparison = compare(response, KEY, type="set")
    assert comparison.verdict == "incorrect"
    assert comparison.remarks[-1] == remark


@pytest.mark.parametrize(
    "response",
    ["{8,2,", "{8,,2}", "{8 2 4}", "{8; 2; 4}", "(2, 4, 8)", "[2, 4, 8]", "{2, 4, 8} or {1}", "", "S =", "{1/0}", "{x}",
     "{2, 4} = {8}", "{{2}, 4}}", "{B}{D}"],
)  # fmt: skip
def test_what_is_no_set_is_refused_at_a_position_in_the_response(response):
    comparison = compare(response, KEY, type="set")
    assert comparison.verdict == "invalid"
    assert comparison.position is None or 0 <= comparison.position <= len(response)


def test_a_comma_separates_elements_even_before_three_digits():
    assert verdict("{128,256,512}", "{512, 256, 128}") == "correct"
    assert verdict("{1,000}", "{1000}") == "incorrect"


def test_elements_may_be_formulas():
    assert verdict("{B*D + B, D}", "{D, B*(1 + D)}") == "correct"
    assert verdict("{B*D, D}", "{D, B*(1 + D)}") == "incorrect"


def test_a_tolerance_applies_to_each_element():
    assert compare("{1.99, 4.01, 8}", KEY, type="set", tolerance={"rel": "1%"}).relation == "tolerance"
    assert compare("{8, 4, 2}", KEY, type="set", tolerance={"rel": "1%"}).relation == "exact"
    assert verdict("{1.9, 4, 8}", tolerance={"rel": "1%"}) == "incorrect"


def test_a_list_without_braces_is_read_with_a_remark():
    comparison = compare("2, 4, 8", KEY, type="set")
    assert "braces" in comparison.remarks[0]
    assert comparison.read_as == KEY


def test_a_solution_that_is_no_set_is_the_authors_fault():
    with pytest.raises(SpecError):
        compare(KEY, "{2, 4", type="set")


@settings(deadline=None)
@given(st.lists(st.fractions(-99, 99, max_denominator=9), min_size=1, max_size=6), st.randoms())
def test_any_set_is_itself_shuffled_and_read_back(elements, random):
    solution = "{" + ", ".join(map(str, elements)) + "}"
    shuffled = [*elements, elements[0]]
    random.shuffle(shuffled)
    comparison = compare("{" + ",".join(map(str, shuffled)) + "}", solution, type="set")
    assert comparison.relation == "exact"
    assert compare(comparison.read_as, solution, type="set").relation == "exact"
    assert compare(comparison.latex, solution, type="set").relation == "exact"

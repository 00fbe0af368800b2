"""Quantities: number and unit judged apart, slips named, chains, and what is read back."""

import re
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from grader import compare
from grader.answers.quantity import Quantity
from grader.checks.close import Close
from grader.checks.exact import Exact
from grader.errors import ResponseError, SpecError
from grader.maths.expression import Number
from grader.protocols import Question

CASES = Path(__file__).parents[2] / "cases"
ALL = [
    ({"solution": str(group["solution"]), "tolerance": group.get("tolerance"), "unit": group.get("unit")}, case)
    for group in yaml.safe_load((CASES / "units_quantities.yaml").read_text("utf-8"))
    for case in group["cases"]
]
READABLE = [(options, case) for options, case in ALL if case["verdict"] != "invalid"]


def decided(response, options):
    return compare(str(response), options["solution"], type="quantity", unit=options["unit"],
                   tolerance=options["tolerance"])  # fmt: skip


@pytest.mark.parametrize(("options", "case"), ALL, ids=[str(case["response"]) for _, case in ALL])
def test_a_quantity_gets_its_verdict_and_its_remark(options, case):
    comparison = decided(case["response"], options)
    assert comparison.verdict == case["verdict"]
    assert case.get("says", "") in " | ".join((*comparison.remarks, comparison.message))


@pytest.mark.parametrize(("options", "case"), READABLE, ids=[str(case["response"]) for _, case in READABLE])
def test_a_quantity_is_read_back_to_the_same_verdict(options, case):
    comparison = decided(case["response"], options)
    assert decided(comparison.read_as, options).verdict == comparison.verdict
    assert decided(comparison.latex, options).verdict == comparison.verdict


@pytest.mark.parametrize(("options", "case"), [(o, c) for o, c in ALL if "unit_only" in c])
def test_the_right_number_with_the_wrong_unit_is_told_apart(options, case):
    question = Question(unit=options["unit"])
    check = Close(**options["tolerance"]) if options["tolerance"] else Exact()
    answer, solution = (Quantity().read(str(text), question) for text in (case["response"], options["solution"]))
    assert Quantity().compare(answer, solution, question, check).unit_only is case["unit_only"]


def test_the_value_is_in_base_units():
    assert Quantity().read("3.35 TB/s", Question()).value == Number(3350 * 10**9)
    assert Quantity().read("20 us", Question(unit="s")).candidates == (Number(pytest.approx(2e-5)),)
    assert Quantity().read("2", Question(unit="MB")).value == Number(2 * 10**6)


def test_the_reading_is_shown_with_the_unit_as_typed():
    answer = Quantity().read("AI = 295.4 FLOPs per byte", Question())
    assert (answer.read_as, answer.latex) == ("295.4 FLOPs/byte", r"295.4\,\mathrm{FLOPs/byte}")
    assert answer.mathml.startswith("<math")
    assert re.sub("<[^>]*>", "", answer.mathml).endswith("FLOPs/byte")


def test_a_required_unit_that_is_missing_is_asked_for():
    question = Question(unit="byte", unit_required=True)
    with pytest.raises(ResponseError, match="add the unit"):
        Quantity().read("4000", question)
    assert Quantity().read("4 kB", question).value == Number(4000)


def test_a_rate_that_is_asked_for_is_read_from_the_count():
    answer = Quantity().read("1979 TFLOPs", Question(unit="FLOP/s"))
    assert (answer.read_as, str(answer.dimension)) == ("1979 TFLOPs/s", "FLOP/s")
    assert "read as the rate TFLOPs/s" in answer.remarks


def test_the_position_of_a_fault_is_that_in_the_whole_response():
    assert compare("AI = 240 FLOP/bite", "240 FLOP/byte", type="quantity").position == len("AI = 240 FLOP/")
    assert compare("T = 1..2 s", "1 s", type="quantity").position == len("T = 1.")


def test_a_formula_may_carry_its_unit_and_lower_and_upper_case_letters_stay_names():
    assert compare("2BD FLOP", "2*B*D FLOP", type="quantity", symbols="B, D").verdict == "correct"
    assert compare("2BD", "2*B*D FLOP", type="quantity", symbols="B, D").verdict == "correct"
    assert compare("2BD byte", "2*B*D FLOP", type="quantity", symbols="B, D").verdict == "incorrect"
    assert compare("2 B", "2*B", type="quantity", symbols="B").read_as == "2*B"


def test_a_tolerance_whose_unit_does_not_fit_is_the_authors_fault():
    with pytest.raises(SpecError, match="does not fit"):
        compare("5 s", "5 s", type="quantity", tolerance={"abs": "1 byte"})


def test_a_solution_that_cannot_be_read_is_the_authors_fault():
    with pytest.raises(SpecError, match="bananas"):
        compare("5 s", "5 bananas", type="quantity")


UNITS = st.sampled_from(["GB/s", "s", "FLOP/byte", "TiB", "µs", "kWh", "tokens/s", "byte*s^-1", "1/s", "TFLOPs"])
NUMBERS = st.one_of(
    st.integers(1, 10**12).map(str),
    st.decimals("0.001", "1e6", places=3).map(str),
    st.tuples(st.integers(1, 99), st.integers(-20, 20)).map(lambda pair: f"{pair[0]}e{pair[1]}"),
    st.tuples(st.integers(1, 99), st.integers(1, 99)).map(lambda pair: f"{pair[0]}/{pair[1]}"),
    st.tuples(st.integers(1, 99), st.integers(1, 99)).map(lambda pair: f"{pair[0]} - {pair[1]}*2^3"),
)


@settings(deadline=None)
@given(NUMBERS, UNITS)
def test_any_quantity_equals_itself_read_back(number, unit):
    text = f"{number} {unit}"
    comparison = compare(text, text, type="quantity")
    assert comparison.verdict == "correct"
    assert compare(comparison.read_as, text, type="quantity").relation == "exact"
    assert compare(comparison.latex, text, type="quantity").relation == "exact"


PIECES = st.sampled_from(
    ["5", "1/", "2e3", "GB", "TB/s", "s", "min", "(", ")", "\\frac{", "}{", "}", "\\text{", "^", "-1", "²", " ", "*",
     "/", " per ", "FLOPs", ",", ";", "=", "≈", "+", "-", "µs", '"', "$", "x", "pi", "%", ".", "for", "K", "QB"]
)  # fmt: skip


@settings(deadline=None)
@given(st.lists(PIECES, max_size=10).map("".join))
def test_no_response_does_more_than_be_refused(text):
    comparison = compare(text, "5 GB", type="quantity", symbols="x")
    assert comparison.position is None or 0 <= comparison.position <= len(text)
    if comparison.verdict != "invalid":
        assert compare(comparison.read_as, "5 GB", type="quantity", symbols="x").verdict == comparison.verdict

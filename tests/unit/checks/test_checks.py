import pytest

from grader.checks.close import Close
from grader.checks.exact import Exact
from grader.checks.leading_order import LeadingOrder
from grader.errors import SpecError
from grader.maths.domain import Domain
from grader.maths.expression import Expr
from grader.maths.grammar import read_expression
from grader.maths.regime import Regime
from grader.results import Relation

BATCH = Domain(regime=Regime.read("B << D, F"))
UNDECIDED = "undecided"


def read(text: str) -> Expr:
    return read_expression(text, ("B", "D", "F", "S", "T"))


def outcome(check: Close | Exact | LeadingOrder, answer: str, solution: str, domain: Domain = BATCH) -> str | None:
    match = check.match(read(answer), read(solution), domain)
    return UNDECIDED if match.undecided else match.relation


@pytest.mark.parametrize(
    ("answer", "solution", "relation"),
    [
        ("0.1+0.2", "0.3", Relation.EXACT),
        ("2^-10", "1/1024", Relation.EXACT),
        ("9.18e14", "918*10^12", Relation.EXACT),
        ("1048577", "1048576", None),
        ("1.41421356237309", "sqrt(2)", Relation.EXACT),
        ("1.414213562", "sqrt(2)", None),
        ("2B", "2BDF/(BD+DF+BF)", None),
        ("max(S, T, (S+T)/2)", "max(S, T)", UNDECIDED),
    ],
)
def test_exact_takes_the_same_value_only(answer: str, solution: str, relation: Relation | None) -> None:
    assert outcome(Exact(), answer, solution) == relation


@pytest.mark.parametrize(
    ("answer", "solution", "relation"),
    [
        ("2B", "2B", Relation.EXACT),
        ("2BDF/(BD+DF+BF)", "2B", Relation.LEADING_ORDER),
        ("2.01B", "2B", None),
        ("2B(1+1/log(2+log(2+D)))", "2B", UNDECIDED),
    ],
)
def test_leading_order_takes_the_exact_form_too(answer: str, solution: str, relation: Relation | None) -> None:
    assert outcome(LeadingOrder(), answer, solution) == relation


@pytest.mark.parametrize(
    ("answer", "relation"),
    [
        ("100", Relation.EXACT),
        ("99", Relation.TOLERANCE),
        ("101", Relation.TOLERANCE),
        ("98.9999", None),
        ("101.0001", None),
    ],
)
def test_the_edges_of_a_band_are_inside(answer: str, relation: Relation | None) -> None:
    assert outcome(Close(rel="1%"), answer, "100") == relation
    assert outcome(Close(rel=0.01), answer, "100") == relation
    assert outcome(Close(abs=1), answer, "100") == relation


def test_within_either_band_is_enough() -> None:
    assert outcome(Close(rel="1%", abs=5), "105", "100") == Relation.TOLERANCE
    assert outcome(Close(rel="10%", abs=5), "110", "100") == Relation.TOLERANCE
    assert outcome(Close(rel="1%", abs=5), "106", "100") is None


def test_a_share_of_nothing_is_nothing_and_tiny_numbers_are_told_apart() -> None:
    assert outcome(Close(rel="1%"), "1e-15", "0") is None
    assert outcome(Close(abs=1e-12), "1e-15", "0") == Relation.TOLERANCE
    assert outcome(Close(rel="1%"), "2e-9", "1e-9") is None
    assert outcome(Close(rel="1%"), "1/2^98", "1/2^99") is None
    assert outcome(Close(rel="1%"), "-100", "100") is None


def test_a_band_of_no_width_is_exact() -> None:
    assert outcome(Close(rel=0, abs=0), "0.30000000000000004", "0.3") is None
    assert outcome(Close(rel=0, abs=0), "0.3", "3/10") == Relation.EXACT


def test_roots_and_logarithms_are_compared_with_enough_digits() -> None:
    assert outcome(Close(rel="1%"), "1.41", "sqrt(2)") == Relation.TOLERANCE
    assert outcome(Close(rel="0.1%"), "1.41", "sqrt(2)") is None
    assert outcome(Close(rel="1%"), "sqrt(-2)", "sqrt(2)") is None


@pytest.mark.parametrize(
    ("answer", "solution", "relation"),
    [
        ("BDF/9.9e13", "2BDF/1.97e14", Relation.TOLERANCE),
        ("BDF/9.6e13", "2BDF/1.97e14", None),
        ("2.01BDF/(BD+DF+BF)", "2BDF/(BD+DF+BF)", Relation.TOLERANCE),
        ("2BDF/(BD+1.01DF+BF)", "2BDF/(BD+DF+BF)", Relation.TOLERANCE),
        ("4BDF/(2.01BD+1.99DF+2BF)", "2BDF/(BD+DF+BF)", Relation.TOLERANCE),
        ("2BDF/(1.1BD+DF+BF)", "2BDF/(BD+DF+BF)", None),
        ("2BDF/(BD+DF)", "2BDF/(BD+DF+BF)", None),
        ("2B(1+1e-9 D)", "2B", None),
        ("500B+300D+1e-6", "500B+300D", None),
        ("1.44 log(B)", "log2(B)", Relation.TOLERANCE),
        ("1.4 log(B)", "log2(B)", None),
        ("log2(B)+0.001", "log2(B)", None),
        ("max(1.01S, T)", "max(S, T)", Relation.TOLERANCE),
        ("S", "max(S, T)", None),
        ("1/(B-B)", "B", None),
    ],
)
def test_a_formula_is_close_if_each_of_its_coefficients_is(
    answer: str, solution: str, relation: Relation | None
) -> None:
    assert outcome(Close(rel="2%"), answer, solution) == relation


def test_a_formula_that_is_near_at_usual_sizes_alone_is_wrong() -> None:
    assert outcome(Close(rel="2%"), "2BDF/(BD+DF)", "2BDF/(BD+DF+B)") is None


@pytest.mark.parametrize("tolerance", [-0.01, "-1%", "nan", "inf", "two", float("nan"), float("inf"), "", "1/0"])
def test_a_tolerance_that_is_negative_or_no_number_is_a_fault_of_the_spec(tolerance: float | str) -> None:
    with pytest.raises(SpecError):
        Close(rel=tolerance)
    with pytest.raises(SpecError):
        Close(abs=tolerance)

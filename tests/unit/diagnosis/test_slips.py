"""Slips that need no declaration: seen in the ratio, or in how the formula was written."""

import pytest

from grader.diagnosis.slips import misread, slips
from grader.maths.domain import Domain
from grader.maths.expression import Expr
from grader.maths.grammar import read_expression


def read(formula: str) -> Expr:
    return read_expression(formula, "BDF")


def found(answer: str, solution: str) -> list[str]:
    return list(slips(read(answer), read(solution), Domain()))


@pytest.mark.parametrize(
    ("answer", "solution", "slip"),
    [
        ("4*B", "2*B", "slip-factor"),
        ("B/2", "2*B", "slip-factor"),
        ("16*B*D", "2*B*D", "slip-bits"),
        ("2000*B", "2*B", "slip-prefix"),
        ("B/500000", "2*B", "slip-prefix"),
        ("2*B*1.024", "2*B", "slip-binary-prefix"),
        ("20*B", "2*B", "slip-power-of-ten"),
        ("-2*B", "2*B", "slip-sign"),
        ("2*B*D", "2*B", "slip-symbol"),
        ("2*B^2", "2*B", "slip-symbol"),
        ("1/(2*B)", "2*B", "slip-reciprocal"),
        ("(D + F)/B", "B/(D + F)", "slip-reciprocal"),
        ("B*D + B*F", "B*D + D*F + B*F", "slip-missing-term"),
        ("B*D + D*F + B*F", "B*D + D*F", "slip-extra-term"),
        ("2*B*D/(B - D)", "2*B*D/(B + D)", "slip-sign"),
        ("B*D^3 + F", "B*D^2 + F", "slip-exponent"),
        ("3*B*D + F", "2*B*D + F", "slip-number"),
    ],
)
def test_a_slip_is_recognised(answer: str, solution: str, slip: str) -> None:
    assert slip in found(answer, solution)


@pytest.mark.parametrize(
    ("number", "slip"), [("199", "slip-factor"), ("99.8e3", "slip-prefix"), ("10", "slip-power-of-ten")]
)
def test_a_number_shows_a_slip_within_half_a_per_cent(number: str, slip: str) -> None:
    assert slip in found(number, "100")


@pytest.mark.parametrize(
    ("answer", "solution"), [("198", "100"), ("130", "100"), ("B^2 + D", "3*F"), ("7*B", "2*B"), ("2*B", "2*B")]
)
def test_what_is_no_known_slip_is_called_none(answer: str, solution: str) -> None:
    assert found(answer, solution) == []


def test_a_formula_shows_a_factor_exactly_or_not_at_all() -> None:
    assert "slip-factor" in found("2*B*D", "B*D")
    assert "slip-factor" not in found("2.001*B*D", "B*D")


@pytest.mark.parametrize("answer", ["2*B*D/B + D + F", "2*B*D/F + B + D", "B + F + 2*B*D/D"])
def test_missing_brackets_are_recognised_whichever_term_comes_first(answer: str) -> None:
    assert list(misread(read(answer), read("2*B*D/(B + D + F)"), Domain())) == ["slip-brackets"]


@pytest.mark.parametrize("answer", ["2*B*D/(B + D) + F", "2*B*D", "3", "2*B*D/(B + D + F)"])
def test_brackets_that_are_not_missing_are_not_missed(answer: str) -> None:
    assert list(misread(read(answer), read("2*B*D/(B + D + F)"), Domain())) == []

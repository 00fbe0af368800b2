from pathlib import Path

import pytest
import yaml

from grader.maths.domain import Domain
from grader.maths.equality import equal, undefined
from grader.maths.expression import Expr
from grader.maths.fingerprint import fingerprint
from grader.maths.grammar import read_expression
from grader.maths.leading import same_leading_order
from grader.maths.regime import Regime

CASES = Path(__file__).parents[2] / "cases"
VERDICT = {"yes": True, "no": False, "open": None}
NAMES = ("B", "D", "E", "F", "S", "T")
POSITIVE, REAL = Domain(), Domain("real")


def read(text: str) -> Expr:
    return read_expression(text, NAMES)


def rows(name: str) -> list[list[str]]:
    lines = yaml.safe_load((CASES / name).read_text())["cases"]
    # |x| is the only other use of the bar, and it has no blanks around it
    return [[cell.strip() for cell in line.split(" | ")] for line in lines]


@pytest.mark.parametrize(("answer", "solution", "verdict"), rows("deciding_equal.yaml"))
def test_equal_values_are_told_from_different_ones_both_ways_round(answer: str, solution: str, verdict: str) -> None:
    a, b = read(answer), read(solution)
    assert equal(a, b, POSITIVE) is VERDICT[verdict]
    assert equal(b, a, POSITIVE) is VERDICT[verdict]


@pytest.mark.parametrize(("answer", "solution", "verdict"), rows("deciding_equal.yaml"))
@pytest.mark.parametrize("key", [b"", b"a", b"another course", bytes(200)])
def test_the_verdict_does_not_depend_on_the_key(answer: str, solution: str, verdict: str, key: bytes) -> None:
    assert equal(read(answer), read(solution), Domain(key=key)) is VERDICT[verdict]


@pytest.mark.parametrize(("answer", "solution", "verdict"), rows("deciding_equal.yaml"))
def test_different_values_have_different_fingerprints(answer: str, solution: str, verdict: str) -> None:
    if verdict == "no" and "1.41421356" not in answer:
        assert fingerprint(read(answer), POSITIVE) != fingerprint(read(solution), POSITIVE)


@pytest.mark.parametrize(("answer", "solution", "regime", "verdict"), rows("deciding_leading.yaml"))
def test_leading_order_is_decided_on_every_path_of_the_regime(
    answer: str, solution: str, regime: str, verdict: str
) -> None:
    domain = Domain(regime=Regime.read(regime))
    assert same_leading_order(read(answer), read(solution), domain) is VERDICT[verdict]


@pytest.mark.parametrize(
    "text", ["1/0", "B/(B-B)", "sqrt(-2)", "log(-B)", "sqrt(-B)", "(-8)^(1/3)", "log(B-B)", "0^-1"]
)
def test_what_has_no_value_anywhere_is_undefined(text: str) -> None:
    assert undefined(read(text), POSITIVE)


@pytest.mark.parametrize(
    "text", ["1/(sqrt(B^2)-B)", "B/max(S-S, 0)", "asin(2+B)", "log(-exp(B))", "1/(log(BD)-log(B)-log(D))"]
)
def test_a_hidden_division_by_zero_is_undefined(text: str) -> None:
    assert undefined(read(text), POSITIVE)


@pytest.mark.parametrize(
    "text", ["1/(D-4096)", "sqrt(B-10)", "log(B)", "exp(10^200+B)", "0^0", "cbrt(-8)", "B(D-2)/(D-2)"]
)
def test_what_has_a_value_somewhere_is_not_undefined(text: str) -> None:
    assert not undefined(read(text), POSITIVE)


def test_an_undefined_value_equals_nothing_not_even_itself() -> None:
    assert equal(read("1/(B-B)"), read("1/(B-B)"), POSITIVE) is False


def test_for_real_symbols_a_root_of_a_square_is_the_absolute_value() -> None:
    assert equal(read("sqrt(B^2)"), read("B"), POSITIVE) is True
    assert equal(read("sqrt(B^2)"), read("B"), REAL) is False
    assert equal(read("sqrt(B^2)"), read("|B|"), REAL) is True


def test_for_real_symbols_a_positive_factor_may_not_leave_a_maximum() -> None:
    assert equal(read("max(BS, BT)"), read("B max(S, T)"), POSITIVE) is True
    assert equal(read("max(BS, BT)"), read("B max(S, T)"), REAL) is False
    assert equal(read("max(B^2 S, B^2 T)"), read("B^2 max(S, T)"), REAL) is True


def test_without_a_regime_nothing_counts_to_leading_order() -> None:
    assert same_leading_order(read("2B"), read("2B"), POSITIVE) is False

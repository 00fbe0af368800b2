import pytest

from grader.errors import SolutionError
from grader.maths.domain import Domain
from grader.maths.expression import Expr
from grader.maths.grammar import read_expression
from grader.maths.leading import leading_term, validity
from grader.maths.regime import Regime
from grader.maths.show import text

BATCH, LARGE = "B << D, F", "D, F >> 1"


def read(formula: str) -> Expr:
    return read_expression(formula, ("B", "D", "E", "F", "S", "T", "x"))


@pytest.mark.parametrize(
    ("formula", "regime", "leading"),
    [
        ("2BDF/(BD+DF+BF)", BATCH, "2*B"),
        ("2BDF/(BD+BDF+BF)", LARGE, "2"),
        ("2BDF/(BD+BDF+DF)", LARGE, "2*B/(B + 1)"),
        ("BD+DF+BF", BATCH, "D*F"),
        ("2BDF/(2BD+DF+2BF)", BATCH, "2*B"),
        ("B+D+F", BATCH, "D + F"),
        ("BD+DF+BF", "B << D << F", "D*F"),
        ("BD+D+F", "B << D << F", "B*D + F"),
        ("max(BD+DF, BF)/3", BATCH, "D*F/3"),
        ("min(BD+DF, BF)", BATCH, "B*F"),
        ("max(2BDF/(BD+DF+BF), D/F)", BATCH, "max(2*B, D/F)"),
        ("max(S, T)+S", "S >> T", "2*S"),
        ("sqrt(B^2+D^2)", BATCH, "D"),
        ("max(DF, B)+max(B, B^2)", BATCH, "D*F"),
        ("log(B+D)", BATCH, "log(D)"),
        ("max(S, B)+max(D, DF)", BATCH, "D*F"),
        ("x^2+x", BATCH, "x*(x + 1)"),
        ("7", BATCH, "7"),
    ],
)
def test_the_leading_term_keeps_what_no_other_term_dominates(formula: str, regime: str, leading: str) -> None:
    found = leading_term(read(formula), Regime.read(regime))
    assert found == read(leading) or text(found) == leading


@pytest.mark.parametrize("formula", ["D-sqrt(D^2-4BD)", "exp(B+D)", "log(1+1/D)", "1/(B-B)"])
def test_a_leading_term_that_is_not_safe_to_tell_is_refused(formula: str) -> None:
    with pytest.raises(SolutionError):
        leading_term(read(formula), Regime.read(BATCH))


@pytest.mark.parametrize(
    ("answer", "solution", "regime", "said"),
    [
        ("2BDF/(BD+DF+BF)", "2B", BATCH, "within 1% when D, F >= 200 B"),
        ("2BDF/(BD+BDF+BF)", "2", LARGE, "within 1% when D, F >= 200"),
        ("2B(1+B/D)", "2B", BATCH, "within 1% when D, F >= 100 B"),
        ("S+T", "S", "S >> T", "within 1% when S >= 100 T"),
        ("2B+D/F+B/D", "2B", "B << D << F", "within 1% when D >= 100 B and F >= 100 D"),
        ("2B", "2B", BATCH, None),
        ("3B", "2B", BATCH, None),
        ("2B(1+B^2/D)", "2B", BATCH, None),
        ("2sqrt(B^2+1/D)", "2B", BATCH, None),
        ("1/(B-B)", "2B", BATCH, None),
    ],
)
def test_validity_says_from_where_on_the_approximation_holds(
    answer: str, solution: str, regime: str, said: str | None
) -> None:
    assert validity(read(answer), read(solution), Domain(regime=Regime.read(regime))) == said


def test_the_bound_of_validity_holds_at_its_edge_and_fails_well_below_it() -> None:
    def error(b: int, factor: int) -> float:
        d = f = factor * b
        return abs(2 * b * d * f / (b * d + d * f + b * f) / (2 * b) - 1)

    assert max(error(b, 200) for b in (1, 7, 1000)) <= 0.01 < error(1, 100)

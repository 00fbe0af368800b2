"""Regimes and leading terms."""

import pytest
import sympy

from reference import ReferenceFault
from reference.leading import leading_term, read_regime

B, D, F, K = (sympy.Symbol(name, positive=True) for name in "BDFK")


@pytest.mark.parametrize(
    ("text", "groups"),
    [
        ("B << D, F", (("B",), ("D", "F"))),
        ("D,F >> B", (("B",), ("D", "F"))),
        ("B ≪ D ≪ F", (("B",), ("D",), ("F",))),
        ("D, F >> 1", ((), ("D", "F"))),
        ("1 << D", ((), ("D",))),
        ("D, F << B", (("D", "F"), ("B",))),
    ],
)
def test_regimes_are_chains_of_groups(text: str, groups: tuple[tuple[str, ...], ...]) -> None:
    assert read_regime(text).groups == groups


@pytest.mark.parametrize(
    "text", ["", "B", "B < D", "B << ", "B << D >> F", "B << B", "B << 1", "1 << 1", "2 << D", "B << D,"]
)
def test_what_is_no_regime_is_refused(text: str) -> None:
    with pytest.raises(ReferenceFault, match="regime"):
        read_regime(text)


@pytest.mark.parametrize(
    ("expression", "regime", "leading"),
    [
        (2 * B * D * F / (B * D + D * F + B * F), "B << D, F", 2 * B),
        (2 * B * D * F / (2 * B * D + D * F + 2 * B * F), "B << D, F", 2 * B),
        (B * F * (2 * D - 1) / (B * D + D * F + B * F), "B << D, F", 2 * B),
        (2 * B * D * F / (B * D + D * F + B * F), "D, F << B", 2 * D * F / (D + F)),
        (2 * B * D * F / (B * D + B * D * F + B * F), "D, F >> 1", 2),
        (2 * B * D * F / (B * D + B * D * F + D * F), "D, F >> 1", 2 * B / (B + 1)),
        (2 * B * D * F / (B * D + D * F + B * F), "D, F >> 1", 2 * B),
        (D + F, "B << D, F", D + F),
        (D + F, "B << D << F", F),
        (B**2 + D, "B << D, F", B**2 + D),
        (B**2 + D * F, "B << D, F", D * F),
        (B * F + D**2, "B << D, F", B * F + D**2),
        (B + 1, "B << D, F", B + 1),
        (D + 1, "D, F << B", D + 1),
        (K * D + F, "D << F", F),
        (K * D + D, "D >> 1", K * D + D),
        (K + D, "D >> 1", D),
        ((B + D) ** 2 - D**2, "B << D, F", 2 * B * D),
        (sympy.Rational(3, 2), "B << D, F", sympy.Rational(3, 2)),
        (sympy.Integer(0), "B << D, F", 0),
    ],
)  # fmt: skip
def test_terms_that_another_dominates_are_dropped(expression: sympy.Expr, regime: str, leading: sympy.Expr) -> None:
    assert sympy.simplify(leading_term(expression, read_regime(regime)) - leading) == 0


def test_only_rational_functions_have_a_leading_term_here() -> None:
    with pytest.raises(ReferenceFault, match="not a rational function"):
        leading_term(sympy.Max(B, D), read_regime("B << D"))

"""Crossings of two functions of B."""

import pytest
import sympy

from reference import NEVER, ReferenceFault
from reference.crossing import crossing, kind, side, sign
from reference.leading import read_regime

B, D, F = (sympy.Symbol(name, positive=True) for name in "BDF")
WIDE = read_regime("B << D, F")


@pytest.mark.parametrize(
    ("first", "second", "where", "which", "bound"),
    [
        (2 * B, 240, 120, ">", "above"),
        (1 / (2 * B), 240, sympy.Rational(1, 480), "<", "below"),
        (240 - B, 40, 200, "<", "below"),
        (2, 240, NEVER, NEVER, "never"),
        (500, 240, NEVER, NEVER, "always"),
        (240, 240, NEVER, NEVER, "never"),
        (B + 500, 240, NEVER, NEVER, "always"),
        (-B, 240, NEVER, NEVER, "never"),
        (2 * B**2, 242, 11, ">", "above"),
        (B**3, 27, 3, ">", "above"),
        (B**2 + B, 12, 3, ">", "above"),
        (2 * B / (B + 1), 240, NEVER, NEVER, "never"),
        (2 * B / (B + 1), 1, 1, ">", "above"),
        (D * F, 240, NEVER, NEVER, "always"),
        (240, D * F, NEVER, NEVER, "never"),
        (2 * D * F * B / (D * F + B), 2 * B, NEVER, NEVER, "never"),
        (B * D, 240, 240 / D, ">", "above"),
        (B**2 * D * F, B + D, (1 + sympy.sqrt(4 * D**2 * F + 1)) / (2 * D * F), ">", "above"),
        (B**4 * D, 16, 2 / D ** sympy.Rational(1, 4), ">", "above"),
    ],
)
def test_where_and_on_which_side_and_whether(
    first: sympy.Expr, second: sympy.Expr, where: object, which: object, bound: str
) -> None:
    found = crossing(sympy.sympify(first), sympy.sympify(second), B)
    assert found is where if where is NEVER else sympy.simplify(found - where) == 0
    assert side(sympy.sympify(first), sympy.sympify(second), B) == which
    assert kind(sympy.sympify(first), sympy.sympify(second), B, WIDE) == bound


def test_an_exact_crossing_stays_a_formula_while_lengths_are_free() -> None:
    intensity = 2 * B * D * F / (B * D + D * F + B * F)
    found = crossing(intensity, sympy.Integer(240), B)
    assert sympy.simplify(intensity.subs(B, found) - 240) == 0
    assert side(intensity, sympy.Integer(240), B) == ">"


def test_axes_that_are_too_short_are_never_compute_bound() -> None:
    intensity = (2 * B * D * F / (B * D + D * F + B * F)).subs({D: 128, F: 128})
    assert crossing(intensity, sympy.Integer(240), B) is NEVER
    assert kind(intensity, sympy.Integer(240), B, None) == "never"


def test_several_crossings_are_not_decided() -> None:
    with pytest.raises(ReferenceFault, match="several"):
        crossing((B - 1) * (B - 2), sympy.Integer(0), B)


def test_a_touch_is_no_side() -> None:
    with pytest.raises(ReferenceFault, match="on which side"):
        side((B - 3) ** 2 + 5, sympy.Integer(5), B)


def test_what_depends_on_the_lengths_is_not_decided_without_a_regime() -> None:
    with pytest.raises(ReferenceFault, match="give axis lengths or a regime"):
        kind(D * F, sympy.Integer(240), B, None)


def test_a_crossing_without_a_formula_is_not_guessed() -> None:
    with pytest.raises(ReferenceFault, match="give the axis lengths"):
        crossing(B**3 * D + B, F, B)
    with pytest.raises(ReferenceFault, match="not a rational function"):
        crossing(sympy.Max(B, D), F, B)


@pytest.mark.parametrize(
    ("expression", "expected"),
    [(2 * D - 1, 1), (1 - 2 * D, -1), (D - 1, 1), (D - 2, 0), (D - F, 0), (D / (D + F), 1), (-D / F, -1), (D - D, 0)],
)
def test_the_sign_is_known_for_lengths_of_at_least_one(expression: sympy.Expr, expected: int) -> None:
    assert sign(expression) == expected

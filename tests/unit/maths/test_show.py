"""The read-back as text, LaTeX and MathML."""

from fractions import Fraction
from xml.etree import ElementTree as ET

import pytest

from grader.maths.expression import Add, Call, Constant, Div, Mul, Neg, Number, Pow, Symbol
from grader.maths.grammar import read_expression
from grader.maths.show import chain_latex, chain_mathml, chain_text, decimal, latex, mathml, text, unit

B, D, T = Symbol("B"), Symbol("D"), Symbol("T_math")
NAMES = ("B", "D", "F", "T_math", "lam", "AI")


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0, "0"), (243, "243"), (-5, "-5"), (394 * 10**12, "3.94e14"), (10**6, "1e6"), (57500, "57500"),
        (123456789, "123456789"), (1000, "1000"), (20000, "2e4"), (Fraction(1, 2), "0.5"), (Fraction(1, 8), "0.125"),
        (Fraction(1, 10**9), "1e-9"), (Fraction(-3, 2), "-1.5"), (10**300, "1e300"),
        (41 * 10**300, "41e300"), (Fraction(1, 10**303), "0.001e-300"), (Fraction(243215, 1000), "243.215"),
    ],
)  # fmt: skip
def test_numbers_are_shown_in_their_shortest_exact_form(value, shown):
    assert decimal(value) == shown


def test_a_number_without_a_finite_decimal_form_has_none():
    assert decimal(Fraction(1, 3)) is None
    assert text(Number(Fraction(1, 3))) == "1/3"


@pytest.mark.parametrize(
    ("tree", "shown"),
    [
        (Mul((Number(2), Add((B, D)))), "2*(B + D)"),
        (Div(B, Mul((Number(2), D))), "B/(2*D)"),
        (Div(Div(B, D), T), "B/D/T_math"),
        (Div(B, Div(D, T)), "B/(D/T_math)"),
        (Mul((B, Div(D, T))), "B*(D/T_math)"),
        (Add((B, Neg(D))), "B - D"),
        (Add((B, Neg(Add((D, T))))), "B - (D + T_math)"),
        (Add((Add((B, D)), T)), "(B + D) + T_math"),
        (Neg(Mul((B, D))), "-B*D"),
        (Neg(Neg(B)), "-(-B)"),
        (Pow(Neg(B), Number(2)), "(-B)^2"),
        (Pow(Pow(B, D), T), "(B^D)^T_math"),
        (Pow(Number(Fraction(1, 3)), B), "(1/3)^B"),
        (Mul((B, Number(-2))), "B*(-2)"),
        (Call("max", (B, D)), "max(B, D)"),
        (Mul((Number(2), Constant("pi"))), "2*pi"),
    ],
)
def test_brackets_stand_where_they_are_needed(tree, shown):
    assert text(tree) == shown


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("2BD/(B+D)", r"\frac{2 B D}{B + D}"),
        ("T_math", r"T_{\text{math}}"),
        ("AI", r"\mathrm{AI}"),
        ("lam^2", r"\lambda^{2}"),
        ("3.94e14*B", r"3.94 \times 10^{14} \cdot B"),
        ("sqrt(B)", r"\sqrt{B}"),
        ("(B+D)^2", r"\left(B + D\right)^{2}"),
        ("abs(B)", r"\left|B\right|"),
        ("log2(B)", r"\log_{2}\left(B\right)"),
        ("max(B, D)", r"\max\left(B, D\right)"),
    ],
)
def test_latex_is_what_a_typesetter_expects(typed, shown):
    assert latex(read_expression(typed, NAMES)) == shown


def elements(tree):
    return [element.tag.rpartition("}")[2] for element in ET.fromstring(mathml(tree)).iter()]


def test_mathml_is_one_math_element_with_fractions_powers_and_indices():
    found = elements(read_expression("2B^2/(T_math+D)", NAMES))
    assert found[0] == "math"
    assert {"mfrac", "msup", "msub"} <= set(found)
    assert found.count("math") == 1


def test_mathml_escapes_every_text():
    shown = mathml(Symbol("<b>&"))
    assert "<b>" not in shown
    assert "&lt;b&gt;&amp;" in shown


def test_an_unknown_function_is_shown_by_its_name_and_escaped():
    assert "&lt;f&gt;" in mathml(Call("<f>", (B,)))
    assert latex(Call("sig", (B,))) == r"\operatorname{sig}\left(B\right)"


def test_chains_are_shown_with_their_relations():
    links = [Mul((Number(2), B)), Add((B, B)), D]
    assert chain_text(links, ("=", "~")) == "2*B = B + B ≈ D"
    assert chain_latex(links, ("=", "->")) == r"2 B = B + B \approx D"
    assert chain_mathml(links, ("=", "~")).count("<math") == 1


def test_a_unit_is_upright_and_its_powers_are_set_high():
    high = '<msup><mi mathvariant="normal">s</mi><mn>−1</mn></msup>'
    assert unit("GB*s^-1") == f'<mi mathvariant="normal">GB</mi><mo>·</mo>{high}'
    assert ET.fromstring(f"<m>{unit('J/(kg*s)')}</m>").find("msup") is None

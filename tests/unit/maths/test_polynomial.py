import random
from fractions import Fraction

import flint
import pytest

from grader.maths.expression import Add, Call, Expr, Number, Pow, Symbol
from grader.maths.gcd import root, whole_root
from grader.maths.grammar import read_expression
from grader.maths.polynomial import Polynomial, RationalFunction, TooLargeError, simplified
from grader.maths.show import text
from grader.maths.terms import Fuel

NAMES = ("B", "D", "F")


def read(formula: str) -> Expr:
    return read_expression(formula, (*NAMES, "S", "T"))


def fraction(formula: str) -> RationalFunction:
    found = RationalFunction.from_expr(read(formula))
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("formula", "neat"),
    [
        ("2BDF/(BD+DF+BF)", "2*B*D*F/(B*D + B*F + D*F)"),
        ("2/(1/B+1/D+1/F)", "2*B*D*F/(B*D + B*F + D*F)"),
        ("4B^2DF/(2B(BD+DF+BF))", "2*B*D*F/(B*D + B*F + D*F)"),
        ("(B^2-D^2)/(B-D)", "B + D"),
        ("(B-D)/(D^2-B^2)", "-1/(B + D)"),
        ("B/2+D/3", "(3*B + 2*D)/6"),
        ("1-B", "-B + 1"),
        ("B-B", "0"),
        ("(B+D)^2(B-D)/(B^2-D^2)^2", "1/(B - D)"),
        ("2BDF/1.97e14", "B*D*F/98500000000000"),
        ("max(B+B, D*D/D)", "max(2*B, D)"),
        ("2max(S, T)/max(S, T)", "2"),
        ("sqrt(4B^2)*D", "2*B*D"),
        ("sqrt(B^2+2BD+D^2)", "B + D"),
        ("pi*B+B*pi", "2*B*pi"),
    ],
)
def test_a_formula_is_brought_to_lowest_terms_in_a_neat_form(formula: str, neat: str) -> None:
    assert simplified(read(formula)) == read(neat) or text(simplified(read(formula))) == neat


def test_what_is_no_rational_function_is_told_apart_from_what_is_undefined_or_too_large() -> None:
    assert RationalFunction.from_expr(read("sqrt(B)")) is None
    with pytest.raises(ZeroDivisionError):
        RationalFunction.from_expr(read("1/(B-B)"))
    with pytest.raises(TooLargeError):
        RationalFunction.from_expr(read("(B+D+F)^300"))


def test_arithmetic_joins_different_variables() -> None:
    assert fraction("B/D") + fraction("F") == fraction("(B+DF)/D")
    assert fraction("B/D") - fraction("B/D") == RationalFunction.number(0)
    assert fraction("B/D") * fraction("D/F") == fraction("B/F")
    assert fraction("B") / fraction("D") == fraction("B/D")
    assert fraction("(B+D)") ** -2 == fraction("1/(B^2+2BD+D^2)")
    assert hash(fraction("B*D/D")) == hash(fraction("B"))


def test_dividing_by_zero_raises() -> None:
    with pytest.raises(ZeroDivisionError):
        fraction("B") / fraction("D-D")


def test_a_polynomial_tells_its_coefficients_and_value() -> None:
    numerator = fraction("B^2 D + 3B + 5").numerator
    assert numerator.degree("B") == 2
    assert numerator.coefficients("B")[1].constant == 3
    assert numerator.value({"B": Fraction(1, 2), "D": 4}) == Fraction(15, 2)
    assert numerator.used == {"B", "D"}
    assert fraction("B/(B+D)").value({"B": 1, "D": 2}) == Fraction(1, 3)


def random_terms(seed: random.Random) -> dict[tuple[int, ...], int]:
    terms = {tuple(seed.randint(0, 3) for _ in NAMES): seed.randint(-9, 9) for _ in range(seed.randint(1, 4))}
    return {m: c for m, c in terms.items() if c} or {(0, 0, 0): 1}


def ours(terms: dict[tuple[int, ...], int]) -> Polynomial:
    total = Polynomial((), {})
    for exponents, c in terms.items():
        product = Polynomial((), {0: c})
        for name, e in zip(NAMES, exponents, strict=True):
            product *= Polynomial((name,), {1: 1}) ** e
        total += product
    return total


def as_dict(polynomial: Polynomial) -> dict[tuple[int, ...], int]:
    return {tuple(m.get(name, 0) for name in NAMES): int(c) for m, c in polynomial.monomials()}


@pytest.mark.parametrize("seed", range(60))
def test_cancelling_agrees_with_flint(seed: int) -> None:
    drawn = random.Random(seed)
    ring = flint.fmpz_mpoly_ctx.get(NAMES, "lex")
    common, top, bottom = (random_terms(drawn) for _ in range(3))
    found = RationalFunction(ours(common) * ours(top), ours(common) * ours(bottom)).cancel()
    a, b = (ring.from_dict(terms) for terms in (top, bottom))
    divisor = a.gcd(b)
    lowest = [(sign * a // divisor, sign * b // divisor) for sign in (1, -1)]
    pair = tuple(ring.from_dict(as_dict(p)) for p in (found.numerator, found.denominator))
    assert pair in lowest


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("n", [2, 3, 5])
def test_the_root_of_a_power_is_found(seed: int, n: int) -> None:
    base = ours(random_terms(random.Random(seed)))
    names = base.variables
    found = root((base**n).terms, n, len(names), Fuel())
    assert found is None or Polynomial(names, found) in (base, -base)
    assert found is not None or base.terms[max(base.terms)] < 0


def test_what_is_no_perfect_power_has_no_root() -> None:
    terms = fraction("B^2+2BD+D^2+1").numerator.terms
    assert root(terms, 2, 2, Fuel()) is None
    assert whole_root(10**40, 2) == 10**20
    assert whole_root(10**40 + 1, 2) is None


def test_large_powers_are_refused_before_they_are_worked_out() -> None:
    for base in (Symbol("B"), Number(3), Add((Symbol("B"), Number(1)))):
        with pytest.raises(TooLargeError):
            RationalFunction.from_expr(Pow(Pow(base, Number(10_000)), Number(10_000)))


def test_unknown_functions_are_kept_as_they_are() -> None:
    strange = Call("crossing", (Symbol("B"), Symbol("D"), Symbol("F")))
    assert simplified(Add((strange, strange))) != strange

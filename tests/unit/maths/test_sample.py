import math
from decimal import Decimal
from fractions import Fraction

import pytest
import sympy

from grader.maths.ball import UndefinedError, UnsureError, ball
from grader.maths.expression import Call, Expr, Number
from grader.maths.grammar import read_expression
from grader.maths.sample import Place, exact, number, precise, value
from grader.maths.series import pi
from grader.maths.symbolic import to_sympy
from grader.maths.terms import Fuel, TooLargeError

POINT = {"B": Decimal("3.7"), "D": Decimal("0.29")}


def read(text: str) -> Expr:
    return read_expression(text, ("B", "D"))


@pytest.mark.parametrize(
    "text",
    [
        "sin(B)", "cos(B)", "tan(B)", "asin(D)", "acos(D)", "acos(-D)", "atan(B)", "atan(-B)", "atan(1e-9 D)",
        "sinh(B)", "cosh(B)", "tanh(B)", "tanh(-B)", "exp(-B)", "log(B)", "log2(B)", "log10(B)", "sqrt(B)", "cbrt(B)",
        "cbrt(-B)", "B^D", "B^(3/2)", "B^-2.5", "pi*e", "cos(-1000B)", "max(B, D)", "min(B, D)", "|D-B|", "floor(B)",
        "ceil(B)", "floor(-B)", "B-sqrt(B^2-D)", "1/(1+exp(-B))", "asin(1)", "0^0", "(-2)^3", "e^(pi D)",
    ],
)  # fmt: skip
@pytest.mark.parametrize("digits", [40, 160])
def test_values_agree_with_sympy_within_the_stated_error(text: str, digits: int) -> None:
    found, radius = ball(read(text), POINT, digits)
    symbols = {sympy.Symbol(name, positive=True): sympy.Rational(str(v)) for name, v in POINT.items()}
    expected = Decimal(str(sympy.N(to_sympy(read(text)).subs(symbols), digits + 60)))
    with_room = Decimal(10) ** (-digits - 30) * abs(expected)
    distance = ball(read("B-D"), {"B": found, "D": expected}, 400)[0]
    assert distance.copy_abs() <= radius + with_room
    assert radius <= Decimal(10) ** (5 - digits) * max(1, abs(expected))


@pytest.mark.parametrize(
    "text", ["log(-B)", "sqrt(-B)", "1/0", "asin(B)", "acos(-B)", "(-B)^0.5", "log(0)", "0^-1", "(-2)^D"]
)
def test_what_is_undefined_is_told(text: str) -> None:
    with pytest.raises(UndefinedError):
        ball(read(text), POINT, 40)


def test_a_hidden_zero_asks_for_more_digits_and_is_zero_in_the_end() -> None:
    hidden = read("1/(sqrt(B)^2-B)")
    with pytest.raises(UnsureError):
        ball(hidden, POINT, 40)
    with pytest.raises(UndefinedError):
        ball(hidden, POINT, 40, final=True)


def test_exponents_are_wide_enough_for_exponentials() -> None:
    found, _ = ball(read("exp(-B)"), {"B": Decimal(10**9)}, 40)
    assert found.adjusted() == -434294482
    assert ball(read("exp(-exp(B))"), {"B": Decimal(100)}, 40)[0] == 0
    with pytest.raises(UnsureError):
        ball(read("exp(exp(B))"), {"B": Decimal(100)}, 40)


def test_work_is_bounded_by_fuel() -> None:
    with pytest.raises(TooLargeError):
        ball(read("sin(B)+cos(B)+exp(B)"), POINT, 160, fuel=Fuel(50))


def test_double_precision_serves_plots_and_has_no_value_where_there_is_none() -> None:
    assert value(read("min(B, 2D)/sqrt(B)"), {"B": 4, "D": 1}) == 1
    assert value(read("max(B)+cbrt(D)"), {"B": 4, "D": 8}) == pytest.approx(6)
    assert value(read("pi+e"), {}) == pytest.approx(math.pi + math.e)
    for text in ("1/(B-4)", "log(B-5)", "sqrt(B-5)", "exp(1000B)", "10^300*10^B*10^300", "(3-B)^0.5"):
        assert value(read(text), {"B": 4}) is None


def test_exact_values_are_rational_or_none() -> None:
    point = {"B": Fraction(1, 3), "D": 2}
    assert exact(read("B+D/3-max(B, D)^-2"), point) == Fraction(3, 4)
    assert exact(read("floor(D/3)+ceil(B)+|B-D|"), point) == Fraction(8, 3)
    assert exact(read("sqrt(D)"), point) is None
    assert exact(read("pi"), point) is None
    with pytest.raises(ZeroDivisionError):
        exact(read("1/(D-2)"), point)


def test_a_number_is_exact_where_it_can_be() -> None:
    assert number(read("1/3+1/6")) == Fraction(1, 2)
    assert number(read("1/0")) is None
    assert number(read("sqrt(-1)")) is None
    assert number(read("sqrt(2)^2-2")) == 0
    assert number(Call("exp", (Number(100_000),))) is None
    assert number(Call("exp", (Number(-100_000),))) is None
    assert str(number(read("log(2)")))[:20] == "0.693147180559945309"


def test_a_place_draws_the_same_numbers_from_the_same_key() -> None:
    first, second = Place(b"key", "tag", (-3, 3)), Place(b"key", "tag", (-3, 3))
    assert [first[name] for name in "BDF"] == [second[name] for name in "BDF"]
    assert all(Decimal("1e-3") <= first[name] < Decimal("1e4") for name in "BDF")
    assert {Place(b"key", str(i), (0, 0), signed=True)["B"] > 0 for i in range(20)} == {True, False}


def test_precise_values_need_their_digits() -> None:
    far = {"B": Decimal("1e30"), "D": Decimal(1)}
    assert precise(read("sqrt(B^2+D)-B"), far, 20) == pytest.approx(Decimal("5e-31"))
    assert precise(read("log(-B)"), far) is None


@pytest.mark.parametrize("digits", [10, 50, 500])
def test_pi_is_right_to_all_its_digits(digits: int) -> None:
    assert str(pi(digits))[:digits] == str(sympy.N(sympy.pi, digits + 5))[:digits]

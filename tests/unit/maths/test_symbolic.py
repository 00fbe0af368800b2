import pytest
import sympy

from grader.maths.domain import Domain
from grader.maths.equality import equal
from grader.maths.expression import Call
from grader.maths.grammar import read_expression
from grader.maths.symbolic import from_sympy, to_sympy

B, D = sympy.symbols("B D", positive=True)


@pytest.mark.parametrize(
    "text",
    [
        "2BD/(B+D)", "B^-2", "-(B-D)/3", "sqrt(B)/D", "cbrt(B)", "max(B, D, 1)-min(B, 2)", "|B-D|", "floor(B)+ceil(D)",
        "log2(B)+log10(D)+log(BD)", "exp(-B)*D", "e+pi", "B^D", "sin(B)^2/tan(D)", "asin(B)+acos(D)+atan(B)",
        "sinh(B)+cosh(B)+tanh(B)", "1e300*B", "0.1B",
    ],
)  # fmt: skip
def test_a_formula_goes_to_sympy_and_comes_back_with_the_same_value(text: str) -> None:
    tree = read_expression(text, ("B", "D"))
    assert from_sympy(to_sympy(tree)) == tree or equal(from_sympy(to_sympy(tree)), tree, Domain()) is True


def test_a_float_is_the_decimal_that_it_shows() -> None:
    assert from_sympy(8.1e11 * B) == read_expression("810000000000*B", ("B",))
    assert from_sympy(sympy.Float(0.1)) == read_expression("1/10")


def test_a_function_that_is_not_ours_keeps_its_name() -> None:
    assert from_sympy(sympy.Function("crossing")(B)) == Call("crossing", (from_sympy(B),))


def test_factors_below_the_line_stay_there() -> None:
    assert from_sympy(B / D) == read_expression("B/D", ("B", "D"))
    assert from_sympy(1 / (B * D)) == read_expression("1/(B*D)", ("B", "D"))


def test_symbols_may_be_real_only() -> None:
    assert to_sympy(read_expression("sqrt(B^2)", ("B",)), positive=False) != sympy.Symbol("B", real=True)
    assert to_sympy(read_expression("sqrt(B^2)", ("B",))) == B

"""Where one formula reaches another, as one symbol grows: the critical batch sizes and bounds of a roofline model."""

from fractions import Fraction
from math import isqrt

from grader.errors import SolutionError
from grader.maths.expression import Add, Call, Div, Expr, Mul, Neg, Number, Rational, rational, substitute, symbols_of
from grader.maths.polynomial import Polynomial, RationalFunction, simplified
from grader.maths.sample import value

NEVER = "never"  # the value of a crossing that does not exist

# where signs are read off: sizes that a reader would call large, so that the leading terms decide
_LARGE = 10**9


def crossing(first: Expr, second: Expr, symbol: str) -> Expr | str:
    """The positive value of `symbol` at which `first` reaches `second`, or NEVER.

    Polynomials of degree one and two in the symbol; SolutionError beyond that ("could not solve" is not "never").
    """
    coefficients = _difference(first, second).numerator.coefficients(symbol)
    low = min(coefficients, default=0)  # a root at zero is none
    powers = {degree - low: c for degree, c in coefficients.items() if c}
    match max(powers, default=0):
        case 0:
            return NEVER
        case 1:
            return _linear(powers)
        case 2:
            return _quadratic(powers)
    raise SolutionError(f"can't solve for {symbol}: its degree is {max(powers)}")


def side(first: Expr, second: Expr, symbol: str) -> str:
    """`>` if `first` exceeds `second` for values above the crossing, `<` if below, NEVER without a crossing."""
    point = crossing(first, second, symbol)
    if isinstance(point, str):
        return NEVER
    above = _sign_at(_difference(first, second), symbol, point, Fraction(2))
    below = _sign_at(_difference(first, second), symbol, point, Fraction(1, 2))
    if above == below:
        raise SolutionError(f"the formulas touch in {symbol} and do not cross")
    return ">" if above > 0 else "<"


def kind(first: Expr, second: Expr, symbol: str) -> str:
    """For which values of `symbol` `first` exceeds `second`: always, never, above or below the crossing."""
    direction = side(first, second, symbol)
    if direction != NEVER:
        return "above" if direction == ">" else "below"
    return "always" if _sign_at(_difference(first, second), symbol, Number(1), Fraction(1)) >= 0 else "never"


def significant(number: Expr, digits: Expr) -> Expr:
    """A number rounded to so many significant digits, halves away from zero; SolutionError if it is no number."""
    if not isinstance(number, Number) or not isinstance(digits, Number):
        raise SolutionError("sig needs a number and a number of digits")
    exact = Fraction(number.value)
    if exact == 0:
        return number
    size = abs(exact)
    exponent = len(str(size.numerator)) - len(str(size.denominator))
    if size < Fraction(10) ** exponent:
        exponent -= 1
    unit = Fraction(10) ** (exponent + 1 - int(digits.value))
    rounded = (size / unit + Fraction(1, 2)) // 1 * unit
    return Number(rational(rounded if exact > 0 else -rounded))


def _difference(first: Expr, second: Expr) -> RationalFunction:
    a, b = RationalFunction.from_expr(first), RationalFunction.from_expr(second)
    if a is None or b is None:
        raise SolutionError("a crossing needs rational formulas")
    return (a - b).cancel()


def _linear(powers: dict[int, Polynomial]) -> Expr | str:
    root = simplified(Neg(Div(powers[0].to_expr(), powers[1].to_expr())))
    return NEVER if isinstance(root, Number) and root.value <= 0 else root


def _quadratic(powers: dict[int, Polynomial]) -> Expr | str:
    zero = Number(0)
    a, b, c = (powers[n].to_expr() if n in powers else zero for n in (2, 1, 0))
    square = simplified(Add((Mul((b, b)), Neg(Mul((Number(4), a, c))))))
    if isinstance(square, Number) and square.value < 0:
        return NEVER
    root = _root(square)
    positive = [x for sign in (root, Neg(root)) if _positive(x := Div(Add((Neg(b), sign)), Mul((Number(2), a))))]
    if not positive:
        return NEVER
    if len(positive) == 2:
        raise SolutionError("two crossings; one is needed")
    return simplified(positive[0])


def _root(square: Expr) -> Expr:
    if isinstance(square, Number):
        exact = _exact_root(square.value)
        if exact is not None:
            return Number(exact)
    return Call("sqrt", (square,))


def _exact_root(value: Rational) -> Rational | None:
    fraction = Fraction(value)
    top, bottom = isqrt(fraction.numerator), isqrt(fraction.denominator)
    exact = Fraction(top, bottom)
    return rational(exact) if exact * exact == fraction else None


def _positive(root: Expr) -> bool:
    """Whether a root is positive where all other symbols are large."""
    found = value(root, dict.fromkeys(symbols_of(root), float(_LARGE)))
    return found is not None and found > 0


def _sign_at(difference: RationalFunction, symbol: str, point: Expr, factor: Fraction) -> int:
    """The sign of the difference at `factor` times the crossing, with all other symbols large."""
    tree = substitute(difference.to_expr(), {symbol: Mul((Number(rational(factor)), point))})
    tree = substitute(tree, {name: Number(_LARGE + k) for k, name in enumerate(sorted(symbols_of(tree)))})
    found = value(tree, {})
    if found is None:
        raise SolutionError("the sign of a difference could not be found")
    return (found > 0) - (found < 0)

"""Equality of formulas with logarithms: logs of products, quotients and powers are written out and compared exactly."""

from fractions import Fraction

from grader.maths.expression import Add, Call, Constant, Div, Expr, Mul, Neg, Number, Pow, rebuild, walk
from grader.maths.polynomial import RationalFunction, with_atoms
from grader.maths.sign import plainly_defined
from grader.maths.terms import TooLargeError

_LOGARITHMS: dict[str, Expr | None] = {"log": None, "log2": Number(2), "log10": Number(10)}


def same_with_logarithms(a: Expr, b: Expr) -> bool:
    """Whether two formulas of positive symbols are plainly the same once their logarithms are written out.

    False says nothing: other laws may make them equal.
    """
    if not (_has_logarithm(a) and _has_logarithm(b) and plainly_defined(a) and plainly_defined(b)):
        return False
    atoms: dict[Expr, str] = {}
    try:
        first, second = (RationalFunction.from_expr(with_atoms(written_out(e), atoms)) for e in (a, b))
        return first is not None and first == second
    except (TooLargeError, ZeroDivisionError):
        return False


def _has_logarithm(e: Expr) -> bool:
    return any(isinstance(node, Call) and node.function in _LOGARITHMS for node in walk(e))


def written_out(e: Expr) -> Expr:
    """The formula with log(x*y), log(x/y) and log(x^n) as sums, differences and multiples, in natural logarithms."""
    inside = rebuild(e, written_out)
    if not isinstance(inside, Call) or inside.function not in _LOGARITHMS:
        return inside
    base = _LOGARITHMS[inside.function]
    found = _logarithm(inside.arguments[0])
    return found if base is None else Div(found, Call("log", (base,)))


def _logarithm(e: Expr) -> Expr:
    """log(e) for positive e."""
    match e:
        case Mul(factors):
            return Add(tuple(map(_logarithm, factors)))
        case Div(top, bottom):
            return Add((_logarithm(top), Neg(_logarithm(bottom))))
        case Pow(base, exponent):
            return Mul((exponent, _logarithm(base)))
        case Call("exp", (argument,)):
            return argument
        case Call("sqrt", (argument,)):
            return Mul((Number(Fraction(1, 2)), _logarithm(argument)))
        case Constant("e"):
            return Number(1)
        case Number(value):
            return Number(0) if value == 1 else Call("log", (e,))
    return Call("log", (e,))

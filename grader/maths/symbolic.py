"""To sympy and back, for authors and as an independent oracle in tests; never on the grading path."""

from fractions import Fraction
from typing import Any

from grader.maths.expression import Add, Call, Constant, Div, Expr, Mul, Neg, Number, Pow, Symbol, rational

# our name -> sympy's, where they differ
_SYMPY = {"max": "Max", "min": "Min", "abs": "Abs", "ceil": "ceiling"}
_OURS = {theirs: ours for ours, theirs in _SYMPY.items()}


def to_sympy(expression: Expr, *, positive: bool = True) -> Any:
    """The sympy expression, built from numbers and symbols alone; symbols are positive or else real."""
    import sympy

    def convert(part: Expr) -> Any:
        match part:
            case Number(value):
                return sympy.Rational(value.numerator, value.denominator)
            case Symbol(name):
                return sympy.Symbol(name, positive=True) if positive else sympy.Symbol(name, real=True)
            case Constant(name):
                return sympy.E if name == "e" else sympy.pi
            case Add(terms):
                return sympy.Add(*map(convert, terms))
            case Mul(factors):
                return sympy.Mul(*map(convert, factors))
            case Div(a, b):
                return convert(a) / convert(b)
            case Neg(a):
                return -convert(a)
            case Pow(a, b):
                return sympy.Pow(convert(a), convert(b))
            case Call(function, arguments):
                return _call(function, [convert(argument) for argument in arguments])

    return convert(expression)


def _call(function: str, arguments: list[Any]) -> Any:
    import sympy

    match function:
        case "log2" | "log10":
            return sympy.log(arguments[0], 2 if function == "log2" else 10)
        case "cbrt":
            return sympy.real_root(arguments[0], 3) if not arguments[0].is_positive else sympy.cbrt(arguments[0])
    return getattr(sympy, _SYMPY.get(function, function))(*arguments)


def from_sympy(expression: Any) -> Expr:
    """Our tree for a sympy expression; a function that we do not know becomes a call of the same name.

    A float is taken for the decimal that it shows, since sympy rounds what was typed: 8.1e11 is 810000000000.
    """
    import sympy

    if expression.is_Rational:
        return _number(Fraction(int(expression.p), int(expression.q)))
    if expression.is_Float:
        return _number(Fraction(repr(float(expression))))
    if expression.is_Symbol:
        return Symbol(expression.name)
    if expression in (sympy.E, sympy.pi):
        return Constant("e" if expression == sympy.E else "pi")
    if expression.is_Add:
        return Add(tuple(map(_signed, expression.as_ordered_terms())))
    if expression.is_Mul:
        return _from_product(expression)
    if expression.is_Pow:
        return _from_power(expression)
    if isinstance(expression, sympy.exp):
        return Call("exp", (from_sympy(expression.args[0]),))
    name = type(expression).__name__
    return Call(_OURS.get(name, name), tuple(map(from_sympy, expression.args)))


def _number(value: Fraction) -> Expr:
    if value < 0:
        return Neg(_number(-value))
    if value.denominator != 1:
        return Div(Number(value.numerator), Number(value.denominator))
    return Number(rational(value))


def _signed(term: Any) -> Expr:
    return Neg(from_sympy(-term)) if term.could_extract_minus_sign() else from_sympy(term)


def _from_product(expression: Any) -> Expr:
    """Factors with negative powers go below the line; nothing is expanded or brought together."""
    if expression.could_extract_minus_sign():
        return Neg(from_sympy(-expression))
    above, below = [], []
    for factor in expression.as_ordered_factors():
        if factor.is_Rational:
            above += [int(factor.p)] if factor.p != 1 else []
            below += [int(factor.q)] if factor.q != 1 else []
        elif factor.is_Pow and factor.exp.is_Rational and factor.exp < 0:
            below.append(1 / factor)
        else:
            above.append(factor)
    top, bottom = (_product(part) for part in (above, below))
    return Div(top, bottom) if below else top


def _product(factors: list[Any]) -> Expr:
    parts = tuple(_number(Fraction(factor)) if isinstance(factor, int) else from_sympy(factor) for factor in factors)
    return Number(1) if not parts else parts[0] if len(parts) == 1 else Mul(parts)


def _from_power(expression: Any) -> Expr:
    import sympy

    base, exponent = expression.args
    if exponent.is_Rational and exponent < 0:
        return Div(Number(1), from_sympy(base**-exponent))
    if base == sympy.E:
        return Call("exp", (from_sympy(exponent),))
    if exponent == sympy.Rational(1, 2):
        return Call("sqrt", (from_sympy(base),))
    return Pow(from_sympy(base), from_sympy(exponent))

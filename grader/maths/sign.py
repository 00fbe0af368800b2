"""What the form of an expression alone says of its sign."""

from grader.maths.expression import Add, Call, Constant, Div, Expr, Mul, Neg, Number, Pow, Symbol, children


def plainly_positive(expression: Expr) -> bool:
    """Whether the form alone shows that a value is at least 0 for positive symbols."""
    match expression:
        case Number(value):
            return value >= 0
        case Call("sqrt" | "exp" | "abs", _):
            return True
        case Call("max", arguments):
            return any(map(plainly_positive, arguments))
        case Call("min" | "cbrt", arguments):
            return all(map(plainly_positive, arguments))
        case Pow(base, _):
            return plainly_positive(base)
        case Neg() | Call():
            return False
    return all(map(plainly_positive, children(expression)))


_TOTAL = frozenset("min max abs floor ceil exp cbrt sin cos atan sinh cosh tanh".split())  # noqa: SIM905 - of any value
_ATOMS = (Symbol, Number, Constant)
_ALWAYS_POSITIVE = (Symbol, Constant)
_OF_POSITIVE = frozenset(("sqrt", "log", "log2", "log10"))


def plainly_defined(e: Expr) -> bool:
    """Whether the form alone shows that there is a value wherever the symbols are positive."""
    if isinstance(e, _ATOMS):
        return True
    if isinstance(e, Mul):
        rest = [factor for factor in e.factors if not isinstance(factor, _ATOMS)]  # usually none
        return not rest or all(map(plainly_defined, rest))
    if isinstance(e, Add):
        return all(map(plainly_defined, e.terms))
    if isinstance(e, Div):
        return strictly_positive(e.denominator) and plainly_defined(e.numerator)
    if isinstance(e, Neg):
        return plainly_defined(e.operand)
    if isinstance(e, Pow):
        if isinstance(e.exponent, Number) and e.exponent.value in (1, 2, 3):
            return plainly_defined(e.base)
        return strictly_positive(e.base) and plainly_defined(e.exponent)
    if e.function in _OF_POSITIVE:
        return all(map(strictly_positive, e.arguments))
    return e.function in _TOTAL and all(map(plainly_defined, e.arguments))


def strictly_positive(e: Expr) -> bool:
    """Whether the form alone shows that the value is defined and above 0 wherever the symbols are positive."""
    if isinstance(e, _ALWAYS_POSITIVE):
        return True
    if isinstance(e, Mul):
        rest = [factor for factor in e.factors if not isinstance(factor, _ALWAYS_POSITIVE)]
        return not rest or all(map(strictly_positive, rest))
    if isinstance(e, Add):
        return all(map(strictly_positive, e.terms))
    if isinstance(e, Number):
        return e.value > 0
    if isinstance(e, Div):
        return strictly_positive(e.numerator) and strictly_positive(e.denominator)
    if isinstance(e, Pow):
        return strictly_positive(e.base) and plainly_defined(e.exponent)
    if isinstance(e, Call):
        if e.function == "exp":
            return plainly_defined(e.arguments[0])
        if e.function in ("log", "log2", "log10"):
            return isinstance(e.arguments[0], Number) and e.arguments[0].value > 1
        return e.function in ("sqrt", "cbrt", "min", "max") and all(map(strictly_positive, e.arguments))
    return False

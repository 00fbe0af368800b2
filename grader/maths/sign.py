"""What the form of an expression alone says of its sign."""

from grader.maths.expression import Call, Expr, Neg, Number, Pow, children


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

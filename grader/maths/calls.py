"""The part of the grammar that reads functions: brackets or none, powers on the name, logarithms with a base."""

from typing import TYPE_CHECKING

from grader.maths.expression import Call, Constant, Div, Expr, Mul, Neg, Number, Pow
from grader.maths.tokens import number

if TYPE_CHECKING:
    from grader.maths.grammar import Parser


def call(parser: "Parser") -> Expr:
    """The function that stands at the parser's place, applied to its arguments."""
    at = parser.i
    kind, (function, spelling) = parser.items[at]
    parser.large = True
    parser.i += 1
    parser.deeper()
    base = _root_index(parser) if function == "sqrt" and kind == "F" else None
    if function == "log_":
        base = parser.atom()
    exponent = _exponent_on_name(parser, function)
    opened = parser.items[parser.i]
    arguments = _arguments(parser, function) if opened[0] == "(" else [_bare(parser, at, kind, function, spelling)]
    parser.depth -= 1
    _check_arity(parser, at, "log" if function == "log_" else function, arguments, base)
    value = build(function, arguments, base)
    return value if exponent is None else Pow(value, exponent)


def _root_index(parser: "Parser") -> Expr | None:
    r"""The n of \sqrt[n]{x}."""
    if parser.items[parser.i] != ("(", "]"):
        return None
    after = parser.closes(parser.i)
    if parser.items[after][0] not in "(ns":
        return None
    return parser.bracket()


def _exponent_on_name(parser: "Parser", function: str) -> Expr | None:
    """log^2(B) is log(B)^2; sin^-1 is refused, as it means two things."""
    if parser.items[parser.i][0] not in ("^", "x"):
        return None
    at = parser.i
    kind, value = parser.items[at]
    parser.i += 1
    if kind == "x":
        exponent: Expr = value
    else:
        minus = parser.sign()
        exponent = parser.atom()
        exponent = Neg(exponent) if minus else exponent
    if isinstance(exponent, Neg):
        raise parser.fault(
            f"{function}^-1 means two things", f"write a{function}(x) or 1/{function}(x)", "inverse-function", at
        )
    return exponent


def _arguments(parser: "Parser", function: str) -> list[Expr]:
    open_at, closing = parser.i, parser.items[parser.i][1]
    bars, parser.bars = parser.bars, 0
    parser.i += 1
    if parser.items[parser.i] == (")", closing):
        raise parser.fault(f"{function} needs an argument", "fill the brackets", "arguments", open_at)
    several = parser.source.vocabulary.arity.get(function, (1, 1))[1] != 1
    arguments = _list_in_a_number(parser) if several else []
    if not arguments:
        arguments.append(parser.sum())
        while parser.items[parser.i][0] == ",":
            parser.i += 1
            arguments.append(parser.sum())
        if several:
            _refuse_grouped(parser, open_at)
    parser.close(open_at, closing)
    parser.bars = bars
    return arguments


def _list_in_a_number(parser: "Parser") -> list[Expr]:
    """The arguments of max(100,200), which was scanned as one number: alone in the brackets it is a list."""
    kind, lexeme = parser.items[parser.i]
    if kind != "n" or not _grouped(lexeme) or parser.items[parser.i + 1][0] != ")":
        return []
    first, *rest = lexeme.split(",")
    if any(piece[0] == "0" for piece in rest):
        return []
    at = parser.source.start(parser.begin + parser.i)
    parser.i += 1
    return [number(piece, at) for piece in (first, *rest)]


def _grouped(lexeme: str) -> bool:
    """Whether plain commas, not those of LaTeX, stand in a number."""
    return "," in lexeme and "{" not in lexeme and "!" not in lexeme


def _refuse_grouped(parser: "Parser", open_at: int) -> None:
    """min(1,000, B): is the comma one of thousands or one between arguments? Asked back."""
    for index in range(open_at, parser.i):
        kind, value = parser.items[index]
        if kind == "n" and _grouped(value):
            raise parser.fault(
                f"{value} may be one number or two", "put a blank after the comma, or leave it out",
                "ambiguous-comma", index,
            )  # fmt: skip


def _bare(parser: "Parser", at: int, kind: str, function: str, spelling: str) -> Expr:
    """The argument of a function without brackets: LaTeX takes a product, plain `ln x` and `log_2 x` one piece."""
    following = parser.items[parser.i][0]
    if kind == "F" and function not in ("max", "min", "pow"):
        if function in ("sqrt", "cbrt"):
            return parser.slot()
        return _latex_product(parser, at, spelling)
    if following in ("n", "s") and (spelling == "ln" or function == "log_"):
        argument = parser.atom()
        parser.alone(at, spelling)
        return argument
    if following == "end":
        raise parser.fault(f"{spelling} needs an argument", f"write {spelling}(...)", "arguments", at)
    raise parser.fault(f"{spelling} needs brackets", f"add brackets: {spelling}(...)", "add-brackets", at)


def _latex_product(parser: "Parser", at: int, spelling: str) -> Expr:
    factors = [parser.power()]
    while (kind := parser.items[parser.i][0]) in ("n", "s", "Q"):
        if kind == "n":
            parser.number_after()
        factors.append(parser.power())
    if parser.items[parser.i][0] == "(":
        mend = f"add brackets: {spelling}(...)"
        raise parser.fault("it is not clear where the argument ends", mend, "add-brackets", at)
    return Mul(tuple(factors)) if len(factors) > 1 else factors[0]


def _check_arity(parser: "Parser", at: int, function: str, arguments: list[Expr], base: Expr | None) -> None:
    least, most = parser.source.vocabulary.arity[function]
    if base is not None:
        most = 1
    if len(arguments) < least or (most is not None and len(arguments) > most):
        wanted = str(least) if least == most else f"{least} or more" if most is None else f"{least} to {most}"
        raise parser.fault(
            f"{function} takes {wanted} argument{'s' if wanted != '1' else ''}, not {len(arguments)}",
            "check the commas", "arguments", at,
        )  # fmt: skip


def build(function: str, arguments: list[Expr], base: Expr | None) -> Expr:
    """The tree of a function: powers, quotients, roots and logarithms are brought to the tree's own nodes."""
    first = arguments[0]
    if function == "pow":
        return Pow(first, arguments[1])
    if function == "frac":
        return Div(first, arguments[1])
    if function == "sqrt" and base is not None:
        return _nth_root(first, base)
    if function in ("log", "log_"):
        return _logarithm(first, arguments[1] if len(arguments) > 1 else base)
    return Call(function, tuple(arguments))


def _nth_root(radicand: Expr, index: Expr) -> Expr:
    if index == Number(2):
        return Call("sqrt", (radicand,))
    return Call("cbrt", (radicand,)) if index == Number(3) else Pow(radicand, Div(Number(1), index))


def _logarithm(argument: Expr, base: Expr | None) -> Expr:
    if base is None or base == Constant("e"):
        return Call("log", (argument,))
    if base == Number(2):
        return Call("log2", (argument,))
    if base == Number(10):
        return Call("log10", (argument,))
    return Div(Call("log", (argument,)), Call("log", (base,)))

"""One-step mutations of a formula: what a slip of the pen makes of it, and what a check must refuse."""

from collections.abc import Iterator

from grader.maths.expression import Add, Call, Div, Expr, Mul, Neg, Number, Pow, Symbol, children, rebuild, symbols_of

Labelled = tuple[str, Expr]


def mutants(value: Expr) -> Iterator[Expr]:
    """Formulas one slip away: a term or factor dropped, a number changed, an exponent shifted, a factor 2, a sign.

    Some may equal the formula in value (a dropped factor 1); the caller compares.
    """
    for _, mutant in labelled(value):
        yield mutant


def labelled(value: Expr) -> Iterator[Labelled]:
    """The mutants with the name of the slip: factor, sign, symbol, number, term, inverse, exponent or extreme."""
    yield "factor", Mul((Number(2), value))
    yield "factor", Div(value, Number(2))
    yield "sign", Neg(value)
    for name in sorted(symbols_of(value)):
        yield "symbol", Mul((Symbol(name), value))
        yield "symbol", Div(value, Symbol(name))
    yield from _inside(value)


def _inside(node: Expr) -> Iterator[Labelled]:
    """The node with one change at or below it."""
    yield from _changed(node)
    parts = children(node)
    for index, part in enumerate(parts):
        for label, other in _inside(part):
            changed = iter((*parts[:index], other, *parts[index + 1 :]))
            yield label, rebuild(node, lambda _, changed=changed: next(changed))  # type: ignore[misc]


def _changed(node: Expr) -> Iterator[Labelled]:
    match node:
        case Number():
            if -16 <= node.value <= 16:  # of a larger number, one more may lie within the tolerance
                yield "number", Number(node.value + 1)
            yield "number", Number(node.value * 3)
        case Add(terms):
            for index, term in enumerate(terms):
                yield "term", _sum((*terms[:index], *terms[index + 1 :]))
                yield "sign", Add((*terms[:index], Neg(term), *terms[index + 1 :]))
        case Mul(factors):
            for index in range(len(factors)):
                yield "symbol", _product((*factors[:index], *factors[index + 1 :]))
        case Div(numerator, denominator):
            yield "inverse", Div(denominator, numerator)
        case Pow(base, exponent):
            yield "exponent", Pow(base, Add((exponent, Number(1))))
            yield "exponent", Pow(base, Add((exponent, Number(-1))))
        case Symbol():
            yield "exponent", Pow(node, Number(2))
        case Call("max", arguments):
            yield "extreme", Call("min", arguments)
            yield "extreme", Add(arguments)
        case Call("min", arguments):
            yield "extreme", Call("max", arguments)


def _sum(terms: tuple[Expr, ...]) -> Expr:
    return terms[0] if len(terms) == 1 else Add(terms)


def _product(factors: tuple[Expr, ...]) -> Expr:
    return factors[0] if len(factors) == 1 else Mul(factors)

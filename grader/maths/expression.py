"""The expression tree: small, immutable, exact. Student text is read into it and nothing else ever sees that text.

The tree keeps the structure as typed (a quotient stays a quotient), so that the read-back shows what was typed.
Interpreters live in the sibling modules, one each.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

Rational = int | Fraction


@dataclass(frozen=True, slots=True)
class Number:
    """An exact rational number; `value` is an int when it is whole."""

    value: Rational


@dataclass(frozen=True, slots=True)
class Symbol:
    """A declared name."""

    name: str


@dataclass(frozen=True, slots=True)
class Constant:
    """Euler's number or pi."""

    name: Literal["e", "pi"]


@dataclass(frozen=True, slots=True)
class Add:
    """A sum of at least two terms; a difference has a `Neg` as its term."""

    terms: tuple["Expr", ...]


@dataclass(frozen=True, slots=True)
class Mul:
    """A product of at least two factors."""

    factors: tuple["Expr", ...]


@dataclass(frozen=True, slots=True)
class Div:
    """A quotient."""

    numerator: "Expr"
    denominator: "Expr"


@dataclass(frozen=True, slots=True)
class Neg:
    """The negative of its operand."""

    operand: "Expr"


@dataclass(frozen=True, slots=True)
class Pow:
    """A power."""

    base: "Expr"
    exponent: "Expr"


@dataclass(frozen=True, slots=True)
class Call:
    """A function of FUNCTIONS applied to its arguments."""

    function: str
    arguments: tuple["Expr", ...]


Expr = Number | Symbol | Constant | Add | Mul | Div | Neg | Pow | Call

# name -> least and greatest number of arguments (None: any). `log` is natural; `log2`, `log10` are themselves;
# every other spelling (ln, lg, pow, Max, ceiling, log with a base) is brought to these when it is read.
FUNCTIONS: Mapping[str, tuple[int, int | None]] = {
    "sqrt": (1, 1), "cbrt": (1, 1), "exp": (1, 1), "log": (1, 1), "log2": (1, 1), "log10": (1, 1),
    "min": (1, None), "max": (1, None), "abs": (1, 1), "floor": (1, 1), "ceil": (1, 1),
    "sin": (1, 1), "cos": (1, 1), "tan": (1, 1), "asin": (1, 1), "acos": (1, 1), "atan": (1, 1),
    "sinh": (1, 1), "cosh": (1, 1), "tanh": (1, 1),
}  # fmt: skip


def rational(value: Rational) -> Rational:
    """The same number, as an int when it is whole."""
    return value.numerator if isinstance(value, Fraction) and value.denominator == 1 else value


def children(expression: Expr) -> tuple[Expr, ...]:
    """The direct subexpressions, from left to right."""
    match expression:
        case Add(parts) | Mul(parts) | Call(_, parts):
            return parts
        case Div(a, b) | Pow(a, b):
            return (a, b)
        case Neg(a):
            return (a,)
        case _:
            return ()


def walk(expression: Expr) -> Iterator[Expr]:
    """The expression and all its subexpressions, parents first."""
    stack = [expression]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(reversed(children(node)))


def symbols_of(expression: Expr) -> frozenset[str]:
    """The names of all symbols in the expression."""
    names: set[str] = set()
    stack = [expression]
    while stack:  # written out, for it is asked of every answer
        node = stack.pop()
        kind = type(node)
        if kind is Symbol:
            names.add(node.name)  # type: ignore[union-attr]
        elif kind is not Number:
            stack.extend(children(node))
    return frozenset(names)


def rebuild(expression: Expr, change: Callable[[Expr], Expr]) -> Expr:
    """The same node with `change` applied to each direct subexpression."""
    match expression:
        case Add(terms):
            return Add(tuple(map(change, terms)))
        case Mul(factors):
            return Mul(tuple(map(change, factors)))
        case Call(function, arguments):
            return Call(function, tuple(map(change, arguments)))
        case Div(a, b):
            return Div(change(a), change(b))
        case Pow(a, b):
            return Pow(change(a), change(b))
        case Neg(a):
            return Neg(change(a))
        case _:
            return expression


def substitute(expression: Expr, values: Mapping[str, Expr]) -> Expr:
    """The expression with the named symbols replaced, all at once."""
    if isinstance(expression, Symbol):
        return values.get(expression.name, expression)
    return rebuild(expression, lambda part: substitute(part, values))

"""Values with their units: `3.35e12 byte/s`, `1/1000 kJ`, `4 byte / 1 s`, `(2 GB) / (819 GB/s)`.

A unit belongs to the whole value in front of it, back to the bracket or to the unit before. Each value is read by the
answer language's own grammar.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import Literal

from grader.errors import ResponseError
from grader.maths.dimension import PLAIN, Dimension
from grader.maths.expression import Add, Div, Expr, Mul, Neg, Number, rational
from grader.maths.grammar import read_expression
from grader.maths.unit_list import NO_UNIT, Unit, unit_named, unknown_unit
from grader.maths.units import Token, groups, tokens, unit_spans
from grader.values import frozen

_SIGN = {"times": "*", "over": "/"}


@frozen
class Quantity:
    """A value as typed and its unit; None: a bare number, which may be read in the unit asked for."""

    number: Expr
    unit: Unit | None

    @property
    def dimension(self) -> Dimension:
        """The physical dimension."""
        return PLAIN if self.unit is None else self.unit.dimension

    @property
    def value(self) -> Expr:
        """The value in base units (FLOP, byte, token, kg, m, s, A)."""
        return scaled(self.number, (self.unit or NO_UNIT).factor)


def scaled(expression: Expr, factor: Fraction) -> Expr:
    """The expression times an exact factor; a number stays one number."""
    if factor == 1:
        return expression
    if isinstance(expression, Number):
        return Number(rational(expression.value * factor))
    return Mul((expression, Number(rational(factor))))


def base_unit(dimension: Dimension) -> Unit:
    """The unit with the factor one."""
    return Unit(dimension, Fraction(1), str(dimension) if dimension else "")


def read_quantity(text: str, names: Iterable[str] = ()) -> Quantity:
    """The quantity that the whole text stands for; ResponseError if it can't be read."""
    return _Reader(text, tuple(names)).read()


def _reserved(found: list[Token], names: tuple[str, ...]) -> frozenset[str]:
    """The words that are products of declared names."""
    return frozenset(t.text for t in found if t.kind == "word" and _product_of(t.text, names)) if names else frozenset()


def _product_of(word: str, names: tuple[str, ...]) -> bool:
    reached = {0}
    for start in range(len(word)):
        if start in reached:
            reached |= {start + len(name) for name in names if name and word.startswith(name, start)}
    return len(word) in reached


Operator = Literal["*", "/", "+", "-"]
Piece = tuple[str, int, int]  # kind (value, unit, group, frac), first token, the one after


class _Reader:
    """Reads one text; all positions are those of the text as typed."""

    def __init__(self, text: str, names: tuple[str, ...]) -> None:
        self.text, self.names = text, names
        self.tokens = tokens(text)
        self.closes = groups(self.tokens)
        self.reserved = _reserved(self.tokens, names)
        self.units = {first: (end, unit) for first, end, unit in unit_spans(self.tokens, self.reserved)}

    def read(self) -> Quantity:
        return self._quantity(0, len(self.tokens))

    def _quantity(self, low: int, high: int) -> Quantity:
        if not any(low <= first < high for first in self.units):
            return Quantity(self._value(low, high), None)
        operands: list[tuple[Operator, Quantity]] = []
        pending: Operator | None = "+"
        pieces = [*self._pieces(low, high), ("end", high, high)]
        for (kind, start, end), (following, _, _) in pairwise(pieces):
            if kind == "value":
                pending = self._add_value(operands, (start, end), pending, following)
            elif kind == "unit":
                self._attach(operands, start, pending)
                pending = None
            else:
                inner = self._quotient(start) if kind == "frac" else self._quantity(start + 1, end - 1)
                operands.append((pending or "*", inner))
                pending = None
        if pending is not None:
            raise self._number_missing(high)
        return _combined(operands, self._position(low))

    def _attach(self, operands: list[tuple[Operator, Quantity]], start: int, pending: Operator | None) -> None:
        """Give the last operand its unit."""
        if not operands or pending not in (None, "*"):
            raise self._number_missing(start)
        unit = self.units[start][1]
        operator, last = operands.pop()
        operands.append((operator, Quantity(last.number, unit if last.unit is None else last.unit * unit)))

    def _add_value(
        self,
        operands: list[tuple[Operator, Quantity]],
        span: tuple[int, int],
        pending: Operator | None,
        following: str,
    ) -> Operator | None:
        """Read a value between units and brackets; gives the operator that is still open behind it."""
        start, end = span
        leading = operands and pending is None
        if leading:
            pending = self._operator(start)
            if pending is None:
                self._refuse_unknown_units(start, end)
                raise self._fault(start, "one number with one unit is expected", "give one value", "one-number")
            start += 1
        trailing = self._operator(end - 1) if start < end and following != "end" else None
        end -= trailing is not None
        if start == end:
            if leading and trailing:
                raise self._number_missing(end)
            return trailing or pending
        if following == "unit":
            operands.append((pending or "*", Quantity(self._value(start, end), None)))
            return None if trailing == "*" else trailing
        operands.append(self._plain_factor(start, end, pending or "*", alone=trailing is None and following != "end"))
        return None if following == "end" else trailing or "*"

    def _plain_factor(self, start: int, end: int, operator: Operator, *, alone: bool) -> tuple[Operator, Quantity]:
        """A value without a unit of its own; `alone`: a bracket follows without a sign between."""
        kinds = self._kinds_outside(start, end)
        if "sign" in kinds or (alone and "over" in kinds):
            raise self._fault(start, "the order of the operations is not clear", "add brackets", "order")
        if operator == "/" and kinds & {"times", "over"}:  # a/b*c is (a/b)*c
            return "*", Quantity(self._value(start, end, reciprocal=True), None)
        return operator, Quantity(self._value(start, end), None)

    def _kinds_outside(self, start: int, end: int) -> set[str]:
        """The kinds of the tokens outside brackets, a sign in front left out."""
        kinds, index = set(), start + (self.tokens[start].kind == "sign")
        while index < end:
            kinds.add(self.tokens[index].kind)
            index = self.closes.get(index, index) + 1
        return kinds

    def _quotient(self, index: int) -> Quantity:
        r"""`\frac{4 byte}{1 s}`, and `\frac{4 byte}{s}`."""
        middle = self.closes[index + 1]
        above, close = self._quantity(index + 2, middle), self.closes[middle + 1]
        end, unit = self.units.get(middle + 1, (0, NO_UNIT))
        one = Quantity(Number(1), unit) if end == close + 1 else None
        return _product(above, one or self._quantity(middle + 2, close), "/")

    def _fault(self, index: int, reason: str, mend: str, code: str) -> ResponseError:
        return ResponseError(reason, position=self._position(index), mend=mend, code=code)

    def _number_missing(self, index: int) -> ResponseError:
        return self._fault(index, "a number is missing", "write the number in front of its unit", "number-missing")

    def _operator(self, index: int) -> Operator | None:
        token = self.tokens[index]
        if token.kind == "sign":
            return "-" if token.text == "-" else "+"
        return _SIGN.get(token.kind)  # type: ignore[return-value]

    def _pieces(self, low: int, high: int) -> Iterator[Piece]:
        """Values, units and brackets that hold quantities, from left to right."""
        index = start = low
        while index < high:
            piece = self._special(index)
            if piece is None:
                index = self.closes.get(index, index) + 1
                continue
            if start < index:
                yield ("value", start, index)
            yield piece
            index = start = piece[2]
        if start < high:
            yield ("value", start, high)

    def _special(self, index: int) -> Piece | None:
        """A unit, or a bracket or a fraction that holds a quantity."""
        if index in self.units:
            return ("unit", index, self.units[index][0])
        if self.tokens[index].kind == "frac" and self.closes.get(index + 1, -2) + 1 in self.closes:
            end = self.closes[self.closes[index + 1] + 1] + 1
            return ("frac", index, end) if self._holds_unit(index, end) else None
        close = self.closes.get(index)
        return ("group", index, close + 1) if close and self._holds_unit(index, close) else None

    def _holds_unit(self, low: int, high: int) -> bool:
        return any(low < first < high for first in self.units)

    def _value(self, low: int, high: int, *, reciprocal: bool = False) -> Expr:
        """The expression of the tokens; `reciprocal` puts `1/` in front of them."""
        if low >= high:
            raise self._number_missing(high)
        self._refuse_unknown_units(low, high)
        front = "1/" if reciprocal else ""
        start = self.tokens[low].start - len(front)
        try:
            return read_expression(front + self.text[self.tokens[low].start : self.tokens[high - 1].end], self.names)
        except ResponseError as error:
            if error.position is not None:
                error.position += start
            raise

    def _refuse_unknown_units(self, low: int, high: int) -> None:
        """A word behind a number, a bracket or a slash that is no name can only have been meant as a unit."""
        for index in range(max(low, 1), high):
            token, before = self.tokens[index], self.tokens[index - 1]
            behind = before.kind in ("number", "close") or (before.kind == "over" and index <= low + 1)
            if token.kind == "word" and behind and not self._is_known(index):
                raise unknown_unit(token.text, token.start)

    def _is_known(self, index: int) -> bool:
        word = self.tokens[index].text
        followed = self.tokens[index + 1].kind if index + 1 < len(self.tokens) else ""
        return (
            word in self.reserved
            or followed in ("open", "power")
            or (word == "x" and followed == "number")
            or word in ("e", "pi", "dot", "times")
            or unit_named(word) is not None
        )

    def _position(self, index: int) -> int:
        return self.tokens[index].start if index < len(self.tokens) else len(self.text)


def _combined(operands: list[tuple[Operator, Quantity]], position: int) -> Quantity:
    """Products and quotients first, then sums, as everywhere."""
    terms: list[tuple[Operator, Quantity]] = []
    for operator, operand in operands:
        if operator in ("*", "/") and terms:
            sign, last = terms.pop()
            terms.append((sign, _product(last, operand, operator)))
        else:
            terms.append((operator, operand))
    if terms[0][0] == "-":
        terms[0] = ("+", replace(terms[0][1], number=Neg(terms[0][1].number)))
    if len(terms) == 1:
        return terms[0][1]
    dimension = terms[0][1].dimension
    for _, term in terms[1:]:
        if term.dimension != dimension:
            raise ResponseError(
                f"can't add {dimension} and {term.dimension}", position=position, mend="give one quantity",
                code="dimension",
            )  # fmt: skip
    values = [Neg(term.value) if operator == "-" else term.value for operator, term in terms]
    return Quantity(Add(tuple(values)), base_unit(dimension))


def _product(left: Quantity, right: Quantity, operator: Operator) -> Quantity:
    """A plain number leaves the other's unit as typed; else the result is in base units."""
    if right.unit is None:
        a, b = left.number, right.number
        return Quantity(Mul((a, b)) if operator == "*" else Div(a, b), left.unit)
    if operator == "*":
        if left.unit is None:
            return Quantity(Mul((left.number, right.number)), right.unit)
        return Quantity(Mul((left.value, right.value)), _base_or_one(left, left.dimension * right.dimension))
    return Quantity(Div(left.value, right.value), _base_or_one(left, left.dimension / right.dimension))


def _base_or_one(left: Quantity, dimension: Dimension) -> Unit:
    """The base unit; byte/byte where units cancel, so that the reading is not taken for a bare number."""
    one = base_unit(left.dimension)
    return one / one if left.dimension and not dimension else base_unit(dimension)

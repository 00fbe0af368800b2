"""Chains of links, a = b ≈ c: whether each relation holds, and what to say of one that does not."""

import re
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING

from grader.answers.statement import Part, Statement
from grader.errors import SolutionError
from grader.maths.domain import Domain
from grader.maths.expression import Div, Expr, Number, substitute, symbols_of, walk
from grader.maths.show import text as shown
from grader.maths.terms import Fuel
from grader.protocols import Question

if TYPE_CHECKING:
    from collections.abc import Iterator

    from grader.maths.regime import Regime

ROUNDING = Fraction(2, 100)  # how far numbers joined by ≈ may lie apart
# of two formulas joined by ≈ without a regime, which are tried under every regime that there is
_MOST_NODES = 50


@dataclass(frozen=True, slots=True)
class Link:
    """One formula of a chain: as typed, as a value (meanings put in), its other reading, and its last decimal place."""

    expression: Expr
    value: Expr
    alternative: Expr | None = None
    last_place: Fraction | None = None
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Chain:
    """Links that hold together, or the last one alone where a relation is false; `remarks` name the false one."""

    links: tuple[Link, ...]
    relations: tuple[str, ...]
    remarks: tuple[str, ...] = ()


def read_link(statement: Statement, part: Part, meanings: dict[str, Expr]) -> Link:
    """The link that one part of the statement stands for."""
    parsed = statement.parse(part)
    other = parsed.alternative
    if meanings:
        value = substitute(parsed.expression, meanings)
        other = None if other is None else substitute(other, meanings)
    else:
        value = parsed.expression
    place = last_place(statement, part) if len(statement.parts) > 1 else None
    return Link(parsed.expression, value, other, place, parsed.remarks)


def last_place(statement: Statement, part: Part) -> Fraction | None:
    """What one unit in the last typed place of a number is worth: 1 for 243, 1e12 for 3.94e14; None for formulas."""
    items = [token for token in statement.tokens.items[part.begin : part.end] if token[0] not in "+-"]
    if not items or items[0][0] != "n":
        return None
    mantissa, _, exponent = re.sub(r"[,_{}!\\]", "", items[0][1].lower()).partition("e")
    power = int(exponent or 0) - len(mantissa.partition(".")[2])
    if len(items) > 1:
        scaled = [kind for kind, _ in items[:4]] == ["n", "*", "n", "^"] and items[2][1] == "10"
        raised = re.fullmatch(r"[({\s]*([+-]?\d+)[)}\s]*", statement.typed(part).rpartition("^")[2].rpartition("*")[2])
        if not scaled or not raised:
            return None
        power += int(raised[1])
    return Fraction(10) ** power


def chain(links: list[Link], relations: tuple[str, ...], question: Question) -> Chain:
    """The chain with every relation checked; one over names whose formula is withheld is taken to hold."""
    domain, withheld = question.domain, question.withheld
    for index, relation in enumerate(relations):
        before, after = links[index], links[index + 1]
        verdict = holds(before, after, relation, domain)
        if verdict is not True and not (withheld and withheld & (symbols_of(before.value) | symbols_of(after.value))):
            remark = () if verdict is None else (false_remark(before, after, relation, domain),)
            return Chain((links[-1],), (), (*remark, *links[-1].remarks))
    return Chain(tuple(links), relations, tuple(remark for link in links for remark in link.remarks))


def holds(before: Link, after: Link, relation: str, domain: Domain) -> bool | None:
    """Whether the relation holds: numbers to the digits typed, formulas exactly, ≈ to leading order within 2 %."""
    a, b = before.value, after.value
    if not symbols_of(a) and not symbols_of(b):
        return _numbers_agree(before, after, relation)
    from grader.maths.equality import equal

    same = equal(a, b, domain)
    if same or relation == "=":
        return same
    return _same_leading_order(a, b, domain)


def _numbers_agree(before: Link, after: Link, relation: str) -> bool | None:
    a, b = number(before.value), number(after.value)
    if a is None or b is None:
        return None
    if a == b:
        return True
    if relation != "=" and abs(a - b) <= ROUNDING * max(abs(a), abs(b)):
        return True
    places = [place for place in (before.last_place, after.last_place) if place is not None]
    if not places:
        return abs(a - b) <= Fraction(1, 10**12) * max(abs(a), abs(b))
    place = max(places)
    if after.last_place != place:
        a, b = b, a
    return _rounds_to(a, b, place)


def _rounds_to(value: Fraction, typed: Fraction, place: Fraction) -> bool:
    """Whether the typed number is the value, rounded to the typed place; a half may go up, or to the even digit."""
    off = (abs(value) - abs(typed)) / place if value * typed > 0 else abs(value - typed) / place
    even = (typed / place).numerator % 2 == 0
    return -Fraction(1, 2) <= off < Fraction(1, 2) or (off == Fraction(1, 2) and even)


def number(expression: Expr) -> Fraction | None:
    """The number that an expression without symbols stands for, to about 30 digits; None if it has no value."""
    if isinstance(expression, Number):
        return Fraction(expression.value)
    from grader.maths.sample import number as evaluated

    value = evaluated(expression)
    return None if value is None else Fraction(value)


def _same_leading_order(a: Expr, b: Expr, domain: Domain) -> bool:
    """Under the exercise's regime; without one, under any in which some of the symbols are large."""
    from grader.maths.growth import FUEL
    from grader.maths.leading import same_leading_order

    if domain.regime is not None:
        return same_leading_order(a, b, domain) is True or _nearly(a, b, domain.regime)
    if sum(1 for part in (a, b) for _ in walk(part)) > _MOST_NODES:
        return False
    fuel = Fuel(FUEL // 2)  # for all regimes together
    for regime in _regimes(sorted(symbols_of(a) | symbols_of(b))):
        if same_leading_order(a, b, replace(domain, regime=regime), fuel) or _nearly(a, b, regime):
            return True
        if fuel.left < 0:
            break
    return False


def _regimes(names: list[str]) -> "Iterator[Regime]":
    """Every split of a few names into small and large ones."""
    from grader.maths.regime import Regime

    for size in range(1, len(names) + 1) if len(names) <= 5 else ():
        for large in combinations(names, size):
            small = [name for name in names if name not in large]
            yield Regime.read(f"{', '.join(large)} >> 1")
            if small:
                yield Regime.read(f"{', '.join(small)} << {', '.join(large)}")


def _nearly(a: Expr, b: Expr, regime: "Regime") -> bool:
    """Whether the leading terms differ by a constant factor within the rounding that ≈ allows."""
    from grader.maths.leading import leading_term
    from grader.maths.polynomial import RationalFunction, TooLargeError

    try:
        ratio = RationalFunction.from_expr(Div(leading_term(a, regime), leading_term(b, regime)))
    except (TooLargeError, ZeroDivisionError, SolutionError):
        return False
    constant = None if ratio is None else ratio.constant
    return constant is not None and -ROUNDING <= constant - 1 <= ROUNDING


def false_remark(before: Link, after: Link, relation: str, domain: Domain) -> str:
    """What is wrong with a relation that does not hold."""
    a, b = before.value, after.value
    if not symbols_of(a) and not symbols_of(b):
        value = number(a)
        if value is not None and after.last_place is not None:
            return f"the formula you typed gives {_digits(value, number(b) or value, after.last_place)}, not {shown(b)}"
        return f"{shown(before.expression)} = {shown(after.expression)} does not hold"
    claim = f"{shown(before.expression)} {'=' if relation == '=' else '≈'} {shown(after.expression)}"
    if relation == "=" and _same_leading_order(a, b, domain):
        return f"{claim} does not hold exactly; use ≈"
    return f"{claim} does not hold"


def _digits(value: Fraction, typed: Fraction, place: Fraction) -> str:
    """The value to the typed digits, or to as many more as tell it from the typed number."""
    digits = max(1, len(str(int(abs(typed) / place))))
    if abs(value - typed) < 2 * place:
        digits += 1
    shown_value = float(value)
    text = f"{shown_value:.{max(digits, 3)}g}"
    return text if "e" not in text or abs(shown_value) >= 1e6 else f"{shown_value:.0f}"

"""Drafts of mistake entries for an exercise's file, to paste below its `mistakes:`; a person gives them their words.

What is drafted has been read by the answer grammar, and is quoted so that YAML takes it as it is.
"""

import re

from grader.errors import ResponseError
from grader.maths.expression import FUNCTIONS
from grader.maths.grammar import read_expression
from grader.maths.units import read_unit

TITLE = "What was done (to be written)"
_SAFE = re.compile(r"[A-Za-z0-9_.+*/^(), -]{1,200}")  # what a value may be made of; none of it acts in 'quotes'
_BOUND = re.compile(r"\w+ (?:[<>]=?|[≤≥=]) ([^<>≤≥=]+)")
_AMOUNT = re.compile(r"(-?[\d.]+(?:e[+-]?\d+)?) ([A-Za-z1].*)")
_FACTOR = re.compile(r"-?[A-Za-z0-9_^*/]{1,20}")
_LONGEST = 57  # of the first part of an id, which has at most 64 characters


def draft_of_value(part: str, read_as: str, mark: str) -> str:
    """An entry with a literal wrong answer, from how the grader reads it; "" where that is no single value."""
    value = _value(read_as)
    return _entry(part, mark, f"values: {{{part}: ['{value}']}}") if value else ""


def draft_of_change(part: str, ratio: str, quantity: str, mark: str) -> str:
    """An entry with a change of the part's quantity by a factor, which reaches all other parts that depend on it; ""
    where the factor is not a simple one."""
    if not quantity or not _FACTOR.fullmatch(ratio) or "." in ratio:
        return ""
    if ratio.startswith("1/") and ratio.count("/") == 1 and "*" not in ratio:
        formula = f"{quantity} / {ratio[2:]}"
    else:
        formula = f"({ratio}) * {quantity}" if "/" in ratio or ratio.startswith("-") else f"{ratio} * {quantity}"
    return _entry(part, mark, f"change: {{{quantity}: '{formula}'}}")


def _entry(part: str, mark: str, what: str) -> str:
    lines = (
        f"  - id: {part[:_LONGEST].rstrip('-_')}-{mark[:6]}", f"    title: {TITLE}", f"    {what}", "    kind: slip"
    )  # fmt: skip
    return "\n".join(lines)


def _value(read_as: str) -> str:
    """The value alone: of a bound its number, of a number with a unit the number in base units."""
    bound = _BOUND.fullmatch(read_as)
    value = bound[1] if bound else read_as
    amount = _AMOUNT.fullmatch(value)
    if amount:
        value = _in_base_units(*amount.groups()) or value
    return value if _SAFE.fullmatch(value) and _reads(value) else ""


def _reads(value: str) -> bool:
    """Whether the value is one that a course can be given: a single formula."""
    try:
        read_expression(value, set(re.findall(r"[A-Za-z]\w*", value)) - set(FUNCTIONS))
    except ResponseError:
        return False
    return True


def _in_base_units(number: str, unit: str) -> str:
    try:
        factor = read_unit(unit).factor
    except ResponseError:
        return ""
    return f"{float(number) * float(factor):.12g}"

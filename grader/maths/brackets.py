"""Lists in brackets: in (128, 256] and {1, 2} a comma stands between values, never between groups of three digits."""

from collections.abc import Callable
from typing import TypeVar

from grader.errors import ResponseError
from grader.maths.tokens import Tokens, refuse_long
from grader.maths.vocabulary import INFINITE

T = TypeVar("T")

HOW_TO_WRITE = "write it as (280, oo) or [1, 2)"  # an interval


def with_separate_commas(text: str, read: Callable[[str], T]) -> T:
    """What `read` makes of the text with a blank behind each comma; positions of errors are those of the text."""
    refuse_long(text)
    try:
        return read(text.replace(",", ", "))
    except ResponseError as error:
        if error.position is not None:
            spaced = text.replace(",", ", ")[: error.position]
            error.position -= min(spaced.count(", "), text.count(","))
        raise


def cut_at_commas(tokens: Tokens, begin: int, end: int) -> list[tuple[int, int]]:
    """The ranges of tokens between the commas that stand outside brackets."""
    cuts, level = [begin - 1], 0
    for index in range(begin, end):
        kind = tokens.items[index][0]
        level += (kind == "(") - (kind == ")")
        if kind == "," and level == 0:
            cuts.append(index)
    return [(a + 1, b) for a, b in zip(cuts, [*cuts[1:], end], strict=True)]


def closing(tokens: Tokens, begin: int, end: int) -> int | None:
    """The index of the bracket that closes the one at `begin`, of whatever shape; None if it is not closed."""
    level = 0
    for index in range(begin, end):
        kind = tokens.items[index][0]
        level += (kind == "(") - (kind == ")")
        if level == 0:
            return index
    return None


def is_infinite(tokens: Tokens, begin: int, end: int, sign: int) -> bool:
    """Whether an end is ∞, with the `sign` of its side (-1 below, 1 above); ResponseError if it has the other one."""
    kind, value = tokens.items[end - 1]
    if kind != "w" or value not in INFINITE or end - begin not in (1, 2):
        return False
    signs = [tokens.items[index][0] for index in range(begin, end - 1)]
    if signs == (["-"] if sign < 0 else []) or (sign > 0 and signs == ["+"]):
        return True
    raise ResponseError(
        "-oo is the lower and oo the upper end", position=tokens.start(begin), mend=HOW_TO_WRITE, code="interval"
    )

"""Lists in brackets: in (128, 256] and {1, 2} a comma stands between values, never between groups of three digits."""

from collections.abc import Callable
from typing import TypeVar

from grader.errors import ResponseError
from grader.maths.tokens import Tokens, refuse_long

T = TypeVar("T")


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

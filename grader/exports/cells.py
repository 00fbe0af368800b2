"""Cells of tables: text that no spreadsheet takes for a formula, and lines of CSV.

Spreadsheets calculate a cell whose text begins with `=`, `+`, `-` or `@` (full-width forms too), some after dropping
a leading tab or line break. Such a text gets a `'` in front. So does one that already has `'` before such a
character, so that dropping one `'` gives the text back, whatever it was:

    re.sub(r"^'(?='*[=+\\-@\\t\\r\\n＝＋－＠])", "", cell)
"""

import re
from collections.abc import Iterable

Cell = str | int | bool | None | tuple[str, ...] | tuple[tuple[str, ...], ...]

_FORMULA = re.compile(r"'*[=+\-@\t\r\n＝＋－＠]")
_QUOTED = re.compile(r'[,"\r\n]')


def neutral(text: str) -> str:
    """The text, with `'` in front if a spreadsheet might calculate it."""
    return f"'{text}" if _FORMULA.match(text) else text


def encodable(text: str) -> str:
    """The text, with `\\udc80` and the like for halves of surrogate pairs, which no encoding has."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-8", "backslashreplace").decode("utf-8")
    return text


def flat(cell: Cell) -> str | int | None:
    """What a table without lists shows: `a b` for a list, `a b | c` for a list of lists, yes and no for flags."""
    if isinstance(cell, tuple):
        inner = [item if isinstance(item, str) else " ".join(item) for item in cell]
        return (" " if all(isinstance(item, str) for item in cell) else " | ").join(inner)
    return ("yes" if cell else "no") if isinstance(cell, bool) else cell


def quoted(text: str) -> str:
    """A cell in quotes."""
    return '"' + text.replace('"', '""') + '"'


def line(cells: Iterable[Cell]) -> bytes:
    """One line of a CSV file in UTF-8: numbers as they are, text made harmless, nothing for None."""
    return (",".join(_written(flat(cell)) for cell in cells) + "\n").encode("utf-8")


def _written(cell: str | int | None) -> str:
    if not isinstance(cell, str):
        return "" if cell is None else str(cell)
    text = encodable(neutral(cell))
    return quoted(text) if _QUOTED.search(text) else text

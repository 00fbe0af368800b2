"""The answer file to fill in: questions as comments, an empty place for each answer, nothing of the key."""

import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field

from grader.files import shown
from grader.values import frozen

WIDTH = 78


@frozen(kw_only=True)
class SheetPart:
    """What a student sees of a part. `symbols` are names that only this part allows, `options` those of a choice."""

    id: str
    type: str
    title: str = ""
    prompt: str = ""
    unit: str | None = None
    symbols: tuple[str, ...] = ()
    symbol: str | None = None
    options: Mapping[str, str] = field(default_factory=dict)


@frozen(kw_only=True)
class Sheet:
    """What a student sees of an exercise. `symbols` have their meanings; `given` are quantities with their values, as
    drawn for this student."""

    id: str
    title: str
    parts: tuple[SheetPart, ...]
    prompt: str = ""
    source: str = ""
    symbols: Mapping[str, str] = field(default_factory=dict)
    given: Mapping[str, str] = field(default_factory=dict)


_HEAD = """\
Write each answer behind its colon, on the same line. Formulas may be typed as plain text or as LaTeX. What stands
behind a # is a comment. If an answer begins with a sign such as > or *, put it in 'single quotes'.
"""

# by answer type; {names} are the symbols that may be used
_EXPECTED = {
    "expression": "A formula{names}",
    "quantity": "A number with its unit",
    "threshold": "A condition (an inequality){names}",
    "equation": "An equation{names}",
    "interval": "An interval, with its brackets",
    "set": "A set in braces",
    "choice": "One of these words",
    "curve": "A formula{names} for the curve, or points in a CSV file beside this one, or both",
}


def sheet(sheets: Iterable[Sheet], student: str | None = None) -> str:
    """The text of an answers.yaml that `grader.submission` reads back with every answer missing."""
    lines = [*_comment(_HEAD, 0), f"student:{_quoted(student)}", "answers:"]
    for one in sheets:
        lines += _exercise(one)
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _exercise(one: Sheet) -> Iterator[str]:
    yield ""
    yield from _comment(f"{one.title} ({one.source})" if one.source else one.title, 2)
    if one.prompt:
        yield "  #"
        yield from _comment(one.prompt, 2)
    if one.symbols:
        yield "  #"
        yield from _comment("; ".join(f"{name}: {meaning}" for name, meaning in one.symbols.items()), 2)
    if one.given:
        yield from _comment("Given: " + ", ".join(f"{name} = {value}" for name, value in one.given.items()), 2)
    yield f"  {one.id}:"
    for part in one.parts:
        yield ""
        if part.prompt or part.title:
            yield from _comment(part.prompt or part.title, 4)
        yield from _comment(expected(part, one.symbols), 4)
        for option, meaning in part.options.items():
            yield from _comment(f"  {option}: {meaning}", 4)
        yield f"    {part.id}:"


def expected(part: SheetPart, symbols: Mapping[str, str]) -> str:
    """What kind of answer the part wants, in words."""
    names = [part.symbol] if part.symbol else [*symbols, *part.symbols]
    what = _EXPECTED.get(part.type, part.type).format(names=f" in {', '.join(names)}" if names else "")
    return what + (f"; unit: {part.unit}" if part.unit else "") + (":" if part.options else ".")


def _comment(text: str, indent: int) -> Iterator[str]:
    """The text as comment lines of at most WIDTH columns; no line break of any kind can end the comment."""
    prefix = " " * indent + "# "
    for paragraph in _paragraphs(text):
        words = "".join(c if c.isprintable() else " " for c in paragraph)
        hanging = prefix + " " * (len(words) - len(words.lstrip()))
        yield from textwrap.wrap(
            words, WIDTH, initial_indent=prefix, subsequent_indent=hanging, break_long_words=False,
            break_on_hyphens=False,
        ) or [prefix]  # fmt: skip


def _paragraphs(text: str) -> Iterator[str]:
    """Paragraphs and blank lines; an indented line, or one that begins an item of a list, stands for itself."""
    paragraph = ""
    for line in text.rstrip().splitlines():
        if line.strip() and paragraph and not re.match(r"[ \t]|[-*+] |[0-9]+[.)] ", line):
            paragraph += " " + line
            continue
        if paragraph:
            yield paragraph
        paragraph = line if line.strip() else ""
        if not paragraph:
            yield ""
    yield paragraph


def _quoted(student: str | None) -> str:
    if not student:
        return ""
    if re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._@-]*", student):
        return f" {student}"
    return " '" + shown(student).replace("'", "''") + "'"

"""The one place where text becomes markup: one function for each sink, and a type that says which sink it is safe for.

`Markup` is safe in HTML, `Md` in Markdown, `Term` on a terminal. The template environments pass their own type through
and escape everything else, so a text that reaches a template without going through this module is shown literally.

Every sink first makes control, bidirectional and invisible characters visible by their code (`\\x1b`, `\\u202e`).
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

from markupsafe import Markup, escape


class Md(str):
    """Text that is safe in a Markdown document."""

    __slots__ = ()


class Term(str):
    """Text that is safe on a terminal and in a log."""

    __slots__ = ()


# --- characters -------------------------------------------------------------------------------------------------------

_HIDDEN_CATEGORIES = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
_MARKS = {"Mn", "Me"}
_BLANK_LETTERS = set("\u115f\u1160\u2800\u3164\uffa0")
_MAX_MARKS = 2  # combining marks on one letter; more would run over the neighbouring lines


def code_of(char: str) -> str:
    """A character by its code: `\\x1b`, `\\u202e`, `\\U000e0001`."""
    number = ord(char)
    return f"\\x{number:02x}" if number < 0x100 else f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"


def visible(text: str, keep: str = "\n") -> str:
    """The text with every character that shows nothing, or changes how its neighbours show, replaced by its code."""
    if (text.isascii() and text.isprintable()) or all(map(_plain, set(text).difference(keep))):
        return text
    out: list[str] = []
    marks = 0
    for char in text:
        marks = marks + 1 if unicodedata.category(char) in _MARKS else 0
        out.append(char if char in keep or not _hidden(char, marks) else code_of(char))
    return "".join(out)


@lru_cache(maxsize=4096)
def _plain(char: str) -> bool:
    """Whether a character is shown as it is wherever it stands; few texts hold any other."""
    return not _hidden(char, 0) and unicodedata.category(char) not in _MARKS


def _hidden(char: str, marks: int) -> bool:
    if marks:
        return marks > _MAX_MARKS or 0xFE00 <= ord(char) <= 0xFE0F or ord(char) >= 0xE0100
    return unicodedata.category(char) in _HIDDEN_CATEGORIES or char in _BLANK_LETTERS


def one_line(text: str) -> str:
    """Text as typed on one line: line breaks and tabs are shown as `\\n`, `\\r` and `\\t`."""
    return visible(text.replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t"), keep="")


def cells(text: str) -> int:
    """The columns that a text without control characters takes on a terminal."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in {"W", "F"} else 1 for c in text
    )


_ITEM = re.compile(r"\s*(?:[-+*]|\d{1,9}[.)])\s")


def paragraphs(text: str) -> list[str]:
    """The paragraphs of a text, each on one line; an item of a list is a paragraph of its own."""
    parts: list[list[str]] = [[]]
    for line in text.splitlines():
        words = line.split()
        if not words or _ITEM.match(line):
            parts.append([])
        parts[-1] += words
    return [" ".join(words) for words in parts if words]


# --- HTML -------------------------------------------------------------------------------------------------------------

_MATH_TAG = (  # patterns that only one form of report needs are compiled when it is made
    r"</?(?:math|mrow|mi|mn|mo|ms|mtext|mspace|msup|msub|msubsup|mover|munder|munderover|mfrac|msqrt|mroot|mpadded|mstyle"
    r"|mtable|mtr|mtd)(?: (?:xmlns|display|displaystyle|mathvariant|form|fence|stretchy|separator|lspace|rspace|width"
    r"|linethickness|columnalign)=\"[^\"<>&]*\")*/?>"
)


def html_text(text: str) -> Markup:
    """Text in which nothing is markup."""
    return escape(visible(text))


_WIDE = 18  # letters of a formula, from which on it may be wider than a phone


@lru_cache(maxsize=4096)  # many students give an answer that was read alike
def html_math(mathml: str | None, text: str | None) -> Markup:
    """MathML made from our tree as it is; where it holds anything but known elements, the plain text instead."""
    if mathml and mathml.startswith("<math") and not set("<>") & set(re.sub(_MATH_TAG, "", mathml)):
        # an invisible times sign is how MathML multiplies
        shown = Markup(visible(mathml.removeprefix("<math"), keep="\n\u2062"))  # noqa: S704 - the elements above alone
        return Markup('<math alttext="{}"').format(visible(text or "")) + shown
    return Markup("<code>{}</code>").format(visible(text or ""))


@lru_cache(maxsize=4096)
def html_scrolls(mathml: str | None, label: str) -> Markup:
    """The attributes of a box in which a formula that may be too wide scrolls, so that keys reach it, too."""
    wide = len(re.sub(r"<[^>]*>|&[^;]*;", "", mathml or "")) > _WIDE
    return Markup(' tabindex="0" role="group" aria-label="{}"').format(label) if wide else Markup("")


def html_response(response: str, position: int | None) -> Markup:
    """A response as typed, the faulty character marked; a fault at the end marks the place behind the last one."""
    if position is None or not 0 <= position <= len(response):
        return escape(visible(response))
    before, shown = visible(response[:position]), visible(response)
    through = len(visible(response[: position + 1]))
    fault = shown[len(before) : through]
    fault = "\u00a0" if fault in {"", " ", "\n"} else fault
    return Markup("{}<mark>{}</mark>{}").format(before, fault, shown[through:])


# --- Markdown ---------------------------------------------------------------------------------------------------------

# these act on the finished text (mentions, references, mathematics), where a backslash no longer protects
_MD_ACTIVE = r"((?:[@$]|#(?=\d)|\bGH-(?=\d))+)"
_MD_START = r"^(\s*(?=[#+\-=>])|\s*\d+(?=[.)](?:\s|$)))"
_MD_SPECIAL = r"(?i)[\\`*\[\]|~&]|!$|(?<![^\W_])_|_(?![^\W_])|:(?=//)|(?<=www)\."


def md_text(text: str) -> Md:
    """Prose on one line in which nothing is markup: no heading, row, link, mention, HTML or mathematics."""
    return md_inert(" ".join(text.split()))


def md_inert(text: str) -> Md:
    """The text as Markdown in which nothing acts; line breaks stay."""
    pieces = re.split(_MD_ACTIVE, visible(text))
    pieces[::2] = [re.sub(_MD_SPECIAL, r"\\\g<0>", piece).replace("<", "&lt;") for piece in pieces[::2]]
    pieces[1::2] = [f"`{piece}`" for piece in pieces[1::2]]
    return Md(re.sub(_MD_START, r"\1\\", "".join(pieces)))


def md_code(text: str) -> Md:
    """A code span on one line; its delimiter is longer than any run of back-ticks inside."""
    text = one_line(text)
    if not text:
        return Md("*(empty)*")
    fence = _fence(text, 1)
    edge = " " if text[0] in "` " or text[-1] in "` " else ""
    return Md(f"{fence}{edge}{text}{edge}{fence}" if text.strip() else f"{fence}{text}{fence}")


def md_cell(text: str) -> Md:
    """A code span in a cell of a table, where a bar would end the cell even inside code."""
    return md_code(text.replace("|", code_of("|")))


def md_link(text: str, address: str) -> Md:
    """A link in a cell of a table; without an address the text alone."""
    return Md(f"[{md_cell(text)}](<{address}>)") if address else md_cell(text)


def md_block(text: str) -> Md:
    """A block of code; its fence is longer than any run of back-ticks inside."""
    fence = _fence(text, 3)
    return Md(f"{fence}text\n{visible(text).rstrip()}\n{fence}")


def md_caret(response: str, position: int, indent: int = 0) -> Md:
    """A block of code with the response around a fault and a caret under it; `indent` from line two on."""
    lines = caret(response, position, 72, terminal)  # a line that begins with :: is a command in the log of a workflow
    return Md(md_block("\n".join(lines)).replace("\n", "\n" + " " * indent))


def _fence(text: str, least: int) -> str:
    return "`" * max(least, 1 + max(map(len, re.findall("`+", text)), default=0))


# --- terminal ---------------------------------------------------------------------------------------------------------

_COMMAND = re.compile(r"(?<=:):|(?<=##)\[")  # `::error::` and `##[error]` are commands in the log of a workflow
_ANSI = {"correct": "32", "partial": "33", "incorrect": "31", "invalid": "35", "missing": "2", "undecided": "36"}
_ESCAPE = re.compile(r"\x1b\[\d+m")
_ASCII = str.maketrans(
    {
        "✓": "+", "◐": "~", "✗": "x", "○": "o", "…": "~", "─": "-", "█": "#", "░": ".", "–": "-", "—": "-", "−": "-",
        "×": "x", "·": "*", "÷": "/", "→": "->", "≈": "~", "≤": "<=", "≥": ">=", "≠": "!=", "≪": "<<", "≫": ">>",
        "∞": "oo", "√": "sqrt", "π": "pi", "µ": "u", "μ": "u", "‘": "'", "’": "'", "“": '"', "”": '"', "\u00a0": " ",
        "²": "^2", "³": "^3",
    }
)  # fmt: skip


def terminal(text: str) -> Term:
    """Text on one line for a terminal: no control character, no workflow command."""
    return Term(_COMMAND.sub(lambda m: code_of(m[0]), one_line(text)))


def terminal_verdict(verdict: str | None, word: str, colour: bool) -> Term:
    """The word for a verdict; `colour` adds the ANSI colour, the only escape sequences in a report."""
    return Term(f"\x1b[{_ANSI[verdict]}m{word}\x1b[0m" if colour and verdict else word)


def ascii_only(text: str) -> str:
    """A terminal report in ASCII: symbols by their nearest spelling, the rest by their code."""
    return text.translate(_ASCII).encode("ascii", "backslashreplace").decode("ascii")


def terminal_wrap(text: str, indent: int = 0, width: int = 80, first: int | None = None) -> Term:
    """Paragraphs wrapped to `width` columns, indented by `indent`; the first line starts at column `first` already."""
    lines: list[str] = []
    for paragraph in paragraphs(text.replace("\t", " ")):
        lines += _lines(terminal(paragraph), width - indent)
    return _hang(lines, indent, first)


def terminal_code(text: str, indent: int = 0, width: int = 80) -> Term:
    """A text as typed, cut into lines of at most `width` columns; begins at column `indent` already."""
    return _hang(list(_cut(terminal(text), width - indent)) or ["(empty)"], indent, indent)


def terminal_ends(left: str, right: str, indent: int = 0, width: int = 80) -> Term:
    """One text at the left end of a line and one at the right; the right one on a line of its own for want of room."""
    right = right if isinstance(right, Term) else terminal(right)
    lines = _lines(terminal(left), width - indent)
    length = cells(_ESCAPE.sub("", right))
    gap = width - indent - cells(lines[-1] if lines else "") - length
    last = " " * gap + right if gap >= 2 else "\n" + " " * (width - length) + right
    return Term(_hang(lines, indent, None) + last)


def terminal_table(rows: Sequence[Sequence[str]], indent: int = 0, width: int = 80) -> Term:
    """A table turned on its side: a line for each column, its name cut to the room that the values leave."""
    lines = list(zip(*rows, strict=True))
    each = [2 + max(map(len, row[1:])) for row in rows]
    room = width - indent - sum(each[1:])
    names = [_shortened(terminal(line[0]), room) for line in lines]
    values = ["".join(f"{v:>{w}}" for v, w in zip(line[1:], each[1:], strict=True)) for line in lines]
    return _hang([n + " " * (room - cells(n)) + v for n, v in zip(names, values, strict=True)], indent, None)


def _shortened(text: str, width: int) -> str:
    return text if cells(text) <= width else next(iter(_cut(text, width - 1)), "") + "…"


def terminal_caret(response: str, position: int, indent: int = 0, width: int = 80) -> Term:
    """The response around a fault, and a caret under it; begins at column `indent` already."""
    return _hang(caret(response, position, width - indent, terminal), indent, indent)


def _hang(lines: Iterable[str], indent: int, first: int | None) -> Term:
    text = "\n".join(" " * indent + line for line in lines)
    return Term(text[first:] if first is not None else text)


def _lines(text: str, width: int) -> list[str]:
    lines: list[str] = []
    used = width
    for word in text.split():
        if used + 1 + cells(word) <= width:
            lines[-1] += " " + word
            used += 1 + cells(word)
        else:
            lines += _cut(word, width)
            used = cells(lines[-1])
    return lines


def _cut(text: str, width: int) -> Iterable[str]:
    if text and cells(text) <= width:
        yield text
        return
    line, used = "", 0
    for char in text:
        if used + cells(char) > width:
            yield line
            line, used = "", 0
        line, used = line + char, used + cells(char)
    if line:
        yield line


def caret(response: str, position: int, width: int, escaped: Callable[[str], str] = one_line) -> tuple[str, str]:
    """The response on one line of at most `width` columns, around the fault, and the line with a caret under it."""
    before, after = escaped(response[:position]), escaped(response)
    after = after[len(before) :]
    room = width - 2
    if cells(before) > room // 2 and cells(before) + cells(after) > width:
        before = "…" + _tail(before, room // 2)
    left = width - cells(before)
    if cells(after) > left:
        after = _shortened(after, left)
    return before + after, " " * cells(before) + "^"


def _tail(text: str, width: int) -> str:
    while cells(text) > width:
        text = text[1:]
    return text

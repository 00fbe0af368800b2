"""Units as people type them: a small grammar of our own over the closed list of units.

Words, symbols, Unicode and LaTeX alike: `GB/s`, `bytes per second`, `GB s^-1`, `\\mathrm{GB/s}`.
"""

import re
from collections.abc import Iterator

from grader.errors import ResponseError
from grader.maths.characters import plain
from grader.maths.tokens import refuse_long
from grader.maths.unit_list import NO_UNIT, Unit, unit_named, unknown_unit
from grader.values import frozen

_MAX_POWER, _MAX_BITS, _MAX_LEVELS = 12, 1024, 50

_SUPERSCRIPTS = str.maketrans("⁺⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "+-0123456789")
_PIECE = re.compile(
    r"""
    (?P<blank>(?:\s|~|\\[,;:!\ ]|\\(?:q?quad|space|displaystyle)(?![a-zA-Z]))+)
  | (?P<frac>\\[dtc]?frac(?![a-zA-Z]))
  | (?P<open>(?:\\(?:left|[bB]igg?l?)\s*)?\\?[(\[{] | \\(?:text|textrm|mathrm|mathbf|mathit|operatorname|mbox)\s*\{)
  | (?P<close>(?:\\(?:right|[bB]igg?r?)\s*)?\\?[)\]}])
  | (?P<power>\*\*|\^)
  | (?P<times>\*|\\(?:cdot|times|ast)(?![a-zA-Z]))
  | (?P<over>/|\\div(?![a-zA-Z])|[Pp]er(?![a-zA-Z]))
  | (?P<sign>[+-])
  | (?P<raised>[⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+)
  | (?P<number>(?:\d[\d,_]*(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)
  | (?P<name>\\?[A-Za-z]+_(?:\w|\{|\\)+)
  | (?P<word>[Ff]loating[- ][Pp]oint[- ][Oo]perations?|[Ww]att[- ][Hh]ours?|\\(?:mu|micro)(?![a-zA-Z])|[A-Za-zμ]+)
  | (?P<other>\\[A-Za-z]+|.)
    """,
    re.VERBOSE | re.DOTALL,
)


@frozen
class Token:
    """A piece of text: its kind (a group of the pattern above), where it is, and whether a blank is in front."""

    kind: str
    text: str
    start: int
    end: int
    spaced: bool


def tokens(text: str) -> list[Token]:
    """The text in pieces, blanks left out; every character belongs to a piece or a blank."""
    refuse_long(text)
    found, spaced = [], False
    for match in _PIECE.finditer(plain(text)):
        kind = match.lastgroup or "other"
        if kind != "blank":
            word = "μ" if match.group() in ("\\mu", "\\micro") else match.group()
            found.append(Token(kind, word, match.start(), match.end(), spaced))
        spaced = kind == "blank"
    return found


def groups(found: list[Token]) -> dict[int, int]:
    """Where each opening bracket closes, by index; brackets that don't match are left out."""
    pairs, stack = {}, []
    for index, token in enumerate(found):
        if token.kind == "open":
            stack.append(index)
            if len(stack) > _MAX_LEVELS:
                raise ResponseError(
                    f"more than {_MAX_LEVELS} levels of brackets", position=token.start, code="too-deep"
                )
        elif token.kind == "close" and stack:
            pairs[stack.pop()] = index
    return pairs


class UnitParser:
    """Reads units out of pieces of text; each method gives a unit and the index after it, or None.

    A product by a blank binds tighter than `/`, as everywhere in the answer language.
    """

    def __init__(self, found: list[Token], reserved: frozenset[str] = frozenset()) -> None:
        self.tokens, self.closes, self.reserved = found, groups(found), reserved

    def unit(self, index: int) -> tuple[Unit, int] | None:
        """The longest unit that starts at `index`."""
        first = self._term(index)
        if first is None:
            return None
        unit, end = first
        while (kind := self._kind(end)) in ("times", "over"):
            following = self._term(end + 1, inside=kind == "over")
            if following is None:
                break
            unit = unit * following[0] if kind == "times" else unit / following[0]
            end = following[1]
        return unit, end

    def rate(self, index: int) -> tuple[Unit, int] | None:
        """The longest unit that starts at `index` with `/`, `per` or `1/`, such as that of `5/s`."""
        start = index + 1 if self._is_one(index) else index
        following = self._term(start + 1) if self._kind(start) == "over" else None
        if following is None:
            return None
        unit, end = NO_UNIT / following[0], following[1]
        while self._kind(end) == "over" and (following := self._term(end + 1)):
            unit, end = unit / following[0], following[1]
        return unit, end

    def _kind(self, index: int) -> str:
        return self.tokens[index].kind if index < len(self.tokens) else ""

    def _is_one(self, index: int) -> bool:
        return self._kind(index) == "number" and self.tokens[index].text == "1"

    def _term(self, index: int, inside: bool = False) -> tuple[Unit, int] | None:
        """Factors side by side; below the slash of a unit (`inside`) even a reserved word is one (FLOP/B)."""
        first = self._factor(index, inside)
        if first is None:
            return None
        unit, end = first
        while following := self._factor(end):
            unit, end = unit * following[0], following[1]
        return unit, end

    def _factor(self, index: int, inside: bool = False) -> tuple[Unit, int] | None:
        base = self._base(index, inside)
        if base is None:
            return None
        unit, end = base
        raised = self._exponent(end)
        if raised is None:
            return base
        power, after = raised
        if _too_large(unit, power):
            raise ResponseError("this power of a unit is too large", position=self.tokens[end].start)
        return unit**power, after

    def _base(self, index: int, inside: bool) -> tuple[Unit, int] | None:
        kind = self._kind(index)
        if kind == "word":
            return self._word(index, inside)
        if kind == "open":
            return self._bracket(index)
        if kind == "frac":
            above = self._bracket(index + 1) or self._one_in_brackets(index + 1)
            below = self._bracket(above[1]) if above else None
            return (above[0] / below[0], below[1]) if above and below else None
        return None

    def _word(self, index: int, inside: bool) -> tuple[Unit, int] | None:
        word, end = self.tokens[index].text, index + 1
        if word == "μ" and self._kind(end) in ("word", "open"):  # \mu s, \mu\mathrm{s}
            wrapped = self._kind(end) == "open"
            end += wrapped
            word += self.tokens[end].text if self._kind(end) == "word" else ""
            end += 1 + wrapped
        if (word in self.reserved and not inside) or (word in ("min", "Min") and self._kind(end) == "open"):
            return None
        unit = unit_named(word)
        return None if unit is None else (unit, end)

    def _bracket(self, index: int) -> tuple[Unit, int] | None:
        """A bracket that holds a unit and nothing else."""
        close = self.closes.get(index) if self._kind(index) == "open" else None
        inner = (self.unit(index + 1) or self.rate(index + 1)) if close is not None else None
        return (inner[0], close + 1) if close is not None and inner and inner[1] == close else None

    def _one_in_brackets(self, index: int) -> tuple[Unit, int] | None:
        close = self.closes.get(index)
        return (NO_UNIT, close + 1) if close == index + 2 and self._is_one(index + 1) else None

    def _exponent(self, index: int) -> tuple[int, int] | None:
        """`^-1`, `**(-1)`, `⁻¹`, or a minus and digits right behind the unit as in `s-1`."""
        kind = self._kind(index)
        if kind == "raised":
            return int(self.tokens[index].text.translate(_SUPERSCRIPTS)), index + 1
        if kind == "power":
            close = self.closes.get(index + 1)
            whole = self._integer(index + 2 if close else index + 1)
            if whole is None or (close is not None and whole[1] != close):
                raise ResponseError(
                    "the power of a unit must be a whole number",
                    position=self.tokens[index].start,
                    mend="such as s^-1",
                    code="unit-power",
                )
            return whole[0], close + 1 if close else whole[1]
        if kind == "sign" and not self.tokens[index].spaced and self.tokens[index].text != "+":
            whole = self._integer(index)
            return whole if whole and not self.tokens[whole[1] - 1].spaced else None
        return None

    def _integer(self, index: int) -> tuple[int, int] | None:
        signed = self._kind(index) == "sign"
        digits = index + signed
        if self._kind(digits) != "number" or not self.tokens[digits].text.isdecimal():
            return None
        value = int(self.tokens[digits].text[:4])
        return (-value if signed and self.tokens[index].text != "+" else value), digits + 1


def _too_large(unit: Unit, power: int) -> bool:
    """Whether the power of the unit is beyond what anyone means, so that brackets in brackets stay cheap."""
    high = any(exponent * exponent * power * power > _MAX_POWER**2 for _, exponent in unit.dimension.exponents)
    bits = (unit.factor.numerator * unit.factor.denominator).bit_length()
    return high or abs(power) > _MAX_POWER or bits * abs(power) > _MAX_BITS


def read_unit(text: str) -> Unit:
    """The unit that the whole text stands for, such as `TB/s`, `FLOPs per byte`, `1/s`; ResponseError otherwise."""
    found = [token for token in tokens(text) if token.text != "$"]
    if not found:
        raise ResponseError("a unit is missing", position=0)
    parser = UnitParser(found)
    read = parser.unit(0) or parser.rate(0)
    if read is not None and read[1] == len(found):
        return read[0]
    at = _first_unknown(found) or found[read[1] if read else 0]
    if at.kind in ("word", "name"):
        raise unknown_unit(at.text, at.start)
    raise ResponseError(f'"{text.strip()[:40]}" is not a unit', position=at.start, mend="such as GB/s", code="unit")


def _first_unknown(found: list[Token]) -> Token | None:
    return next((t for t in found if t.kind == "name" or (t.kind == "word" and unit_named(t.text) is None)), None)


def unit_spans(found: list[Token], reserved: frozenset[str] = frozenset()) -> Iterator[tuple[int, int, Unit]]:
    """The units in a text that has values as well: (first index, index after, unit), from left to right.

    A unit stands behind something: at the very start only a word can be one. `reserved` words are names, not units.
    """
    parser, index = UnitParser(found, reserved), 0
    while index < len(found):
        read = parser.unit(index) or (_rate_behind_value(parser, found, index) if index else None)
        if read is None:
            index += 1
            continue
        yield index, read[1], read[0]
        index = read[1]


def _rate_behind_value(parser: UnitParser, found: list[Token], index: int) -> tuple[Unit, int] | None:
    """`/s` behind a value, and the `1/s` of `5 1/s`, where the 1 follows another number."""
    if found[index].kind == "number" and found[index - 1].kind not in ("number", "close"):
        return None
    return parser.rate(index)

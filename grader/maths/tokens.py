"""Text to tokens, in one scan. A token is (kind, value); the kinds are listed in grader.maths.vocabulary.

Words and commands that nobody declared become tokens of kind "w", so that a statement can recognise a label or a
phrase; the grammar refuses them. A run of letters is split only if every piece is declared.
"""

import re
from fractions import Fraction
from functools import lru_cache
from typing import Any

from grader.errors import ResponseError
from grader.maths.characters import SUPERSCRIPTS, plain, refusal
from grader.maths.expression import Constant, Neg, Number, rational
from grader.maths.vocabulary import PLAIN, POWER_FOLLOWS, Vocabulary, bare

Token = tuple[str, Any]

Placed = tuple[str, Any, int]  # a token and where it starts

END: Token = ("end", None)

MAX_CHARACTERS, MAX_TOKENS, MAX_DIGITS, MAX_EXPONENT = 1000, 250, 60, 300

_TIMES_TEN = re.compile(rf"[ \t]*10{POWER_FOLLOWS}")
_EULER = re.compile(rf"(?<![A-Za-z])e(?![A-Za-z0-9_])|e{POWER_FOLLOWS}")
_TEMPLATE = re.compile(r"\{\{|\{%|\$\{")
_TIE = re.compile(r"(?<=[^\s=<>~])~(?=[A-Za-z\\({])")  # the blank of LaTeX; elsewhere ~ means "about"
_BLANK = " \t\r\n"
_RUN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?:(?<=_)(?:\\[a-z]+)?\s*\{(?:[^{}]|\{[^{}]*\})*\})?")
_SPLIT_NAME = re.compile(r"([^^]*?)\s*\^\s*(\d|\{[^{}]*\})\s*(\\?_.*)")


def refuse_long(text: str) -> None:
    """ResponseError for a text beyond MAX_CHARACTERS; comes before anything else that looks at a text."""
    if len(text) > MAX_CHARACTERS:
        raise ResponseError(
            f"{len(text)} characters are more than {MAX_CHARACTERS}", position=MAX_CHARACTERS,
            mend="write a shorter formula", code="too-long",
        )  # fmt: skip


class Tokens:
    """The tokens of a text, closed by END; where each one starts is worked out only when somebody asks."""

    __slots__ = ("_plain", "_starts", "items", "text", "typed", "vocabulary")

    def __init__(self, text: str, vocabulary: Vocabulary) -> None:
        refuse_long(text)
        self.typed = text
        self.text = plain(text) if text else text
        if "~" in text:
            self.text = _TIE.sub(" ", self.text)
        if "{" in text and (template := _TEMPLATE.search(text)):
            raise ResponseError(
                f"{template[0]} can't be read", position=template.start(), mend="write single brackets", code="template"
            )
        self.vocabulary = vocabulary
        self._starts: list[int] | None = None
        items = _fast(self.text, vocabulary)
        self._plain = items is not None
        if items is None:
            items = [(kind, value) for kind, value, _ in self._scanned()]
        if len(items) > MAX_TOKENS:
            raise ResponseError(
                f"more than {MAX_TOKENS} signs", position=self.start(MAX_TOKENS), mend="write a shorter formula",
                code="too-many-tokens",
            )  # fmt: skip
        items.append(END)
        self.items = items

    def start(self, index: int) -> int:
        """Where the token starts, as an offset in the text as typed; the end of the text for END."""
        if self._starts is None and self._plain:
            self._starts = _plain_starts(self.text, self.vocabulary)
        elif self._starts is None:
            self._scanned()
        starts: list[int] = self._starts  # type: ignore[assignment]
        return starts[index] if index < len(starts) else len(self.text.rstrip(_BLANK))

    def is_cross(self, index: int) -> bool:
        """Whether the token is a multiplication written with a cross, as in 3.94 × 10^14."""
        kind, value = self.items[index]
        return kind == "*" and (value == "×" or self.typed[self.start(index)] == "×")

    def _scanned(self) -> list[Placed]:
        found: list[Placed] = []
        stop = len(self.text.rstrip(_BLANK))
        _scan(self.text, self.vocabulary, len(self.text) - len(self.text.lstrip(_BLANK)), stop, found)
        if not found:
            raise ResponseError("nothing was typed", position=0, mend="write an answer", code="empty")
        self._starts = [start for _, _, start in found]
        return found


def _fast(text: str, vocabulary: Vocabulary) -> list[Token] | None:
    """The tokens of a plain text, as most are; None sends the text to the careful scan."""
    if "\\" in text or "{" in text:
        return None
    words = vocabulary.words
    items: list[Token] = []
    for lexeme in PLAIN.findall(text.strip(_BLANK)):
        token = words.get(lexeme, _UNSEEN)
        if token is _UNSEEN:
            if lexeme[0] in _NUMERIC and lexeme != "." and "_" not in lexeme:  # B^2_1 is the square of B_1
                items.append(("n", lexeme))
            elif (pieces := _pieces(lexeme, vocabulary, items)) is not None:
                items += pieces
            else:
                return None
        elif token is not None:
            items.append(token)
    return items or None


def _pieces(word: str, vocabulary: Vocabulary, before: list[Token]) -> list[Token] | None:
    """A product of names of one letter, or a word that can't be split; None where that needs care."""
    letters, words = vocabulary.letters, vocabulary.words
    rest = word.lstrip(vocabulary.lettering)
    if not rest:
        return [letters[letter] for letter in word]
    exponent = bool(before) and before[-1][0] == "n" and "e" in before[-1][1].lower()
    if exponent or not rest[0].isalpha() or not rest.isascii() or rest[-1] == "_" or rest in _CAREFUL or rest[0] == "x":
        return None
    if any(rest[:end] in words for end in range(1, len(rest) + 1)):
        return None
    return [("w", word)]


_CAREFUL = frozenset({"e", "np", "numpy", "math"})  # e may be a number, the others the beginning of np.sqrt


def _plain_starts(text: str, vocabulary: Vocabulary) -> list[int]:
    """Where the tokens start that `_fast` gives."""
    words, letters = vocabulary.words, vocabulary.letters
    starts: list[int] = []
    stop = len(text.rstrip(_BLANK))
    for match in PLAIN.finditer(text, len(text) - len(text.lstrip(_BLANK)), stop):
        lexeme, at = match[1], match.start(1)
        if lexeme not in words and letters.keys() >= set(lexeme):
            starts += range(at, at + len(lexeme))
        elif words.get(lexeme, _UNSEEN) is not None:
            starts.append(at)
    return starts


def _scan(text: str, vocabulary: Vocabulary, start: int, stop: int, found: list[Placed]) -> None:
    """Append every token between `start` and `stop`, with its place; a word may end beyond its first match."""
    while start < stop and len(found) <= MAX_TOKENS:
        start = _scan_to_word(text, vocabulary, start, stop, found)


def _scan_to_word(text: str, vocabulary: Vocabulary, start: int, stop: int, found: list[Placed]) -> int:
    """As `_scan`, up to the first word that was taken whole; returns where to go on."""
    known = vocabulary.known
    for match in vocabulary.scan.finditer(text, start, stop):
        lexeme, at = match[1], match.start(1)
        token = known.get(lexeme, _UNSEEN)
        if token is None:
            continue
        if token is not _UNSEEN:
            found.append((token[0], token[1], at))
        elif lexeme[0] in _NUMERIC and lexeme != ".":
            found.append(("n", lexeme, at))
        else:
            resume = _rare(text, lexeme, at, vocabulary, found)
            if resume > match.end():
                return resume
    return stop


_NUMERIC = frozenset("0123456789.")
_UNSEEN: tuple[str, object] = ("", "")


def _rare(text: str, lexeme: str, at: int, vocabulary: Vocabulary, found: list[Placed]) -> int:
    """Append the token of a lexeme that is not in the table; returns where scanning goes on."""
    end = at + len(lexeme)
    if lexeme[0] in SUPERSCRIPTS:
        found.append(("x", superscript(lexeme, at), at))
    elif lexeme == "x" and found and found[-1][0] == "n" and _TIMES_TEN.match(text, end):
        found.append(("*", "×", at))
    elif lexeme == "e" and _EULER.match(text, at):
        found.append(("s", Constant("e"), at))
    elif (symbol := vocabulary.name(lexeme)) is not None:
        found.append(("s", symbol, at))
    elif (split := _SPLIT_NAME.fullmatch(lexeme)) and (symbol := vocabulary.name(split[1] + split[3])) is not None:
        found += [("s", symbol, at), ("^", "^", at + split.start(2))]
        _scan(text, vocabulary, at + split.start(2), at + split.end(2), found)
    elif (function := vocabulary.known.get(_function_name(lexeme))) and function[0] in "fF":
        found.append((function[0], function[1], at))
    elif lexeme[0] == "\\" and len(lexeme) > 1:
        if not lexeme.isprintable():
            raise refusal(lexeme[1], at + 1)
        found.append(("w", lexeme, at))
    elif lexeme.isascii() and (lexeme.isalpha() or lexeme[0] == "_"):
        return _word(text, at, found)
    elif lexeme in "\n\r":
        found.append(("\n", lexeme, at))
    elif not lexeme.isprintable():
        place = next(i for i, sign in enumerate(lexeme) if not sign.isprintable())
        raise refusal(lexeme[place], at + place)
    else:
        found.append(("w", lexeme, at))
    return end


def _function_name(lexeme: str) -> str:
    """np.sqrt and \\operatorname{sqrt} are sqrt; \\log_ and log\\_ take a base."""
    name = lexeme.removeprefix("np.").removeprefix("numpy.").removeprefix("math.")
    return bare(name) if "{" in name else name.replace("\\_", "_")


def _word(text: str, at: int, found: list[Placed]) -> int:
    """One word of letters that don't all belong to declared names: taken whole, never half-split."""
    begin = at
    while begin and text[begin - 1].isascii() and (text[begin - 1].isalnum() or text[begin - 1] == "_"):
        begin -= 1
    while text[begin].isdigit():
        begin += 1
    while found and found[-1][2] >= begin:
        found.pop()
    run = _RUN.match(text, begin)
    end = run.end() if run else at + 1
    found.append(("w", text[begin:end], begin))
    return max(end, at + 1)


def superscript(run: str, at: int) -> Number | Neg:
    """The exponent that superscript signs stand for."""
    digits = "".join(SUPERSCRIPTS[sign] for sign in run)
    if not digits.lstrip("+-").isdigit() or not digits[-1].isdigit() or len(digits.lstrip("+-")) < len(digits) - 1:
        raise ResponseError("the superscript is unfinished", position=at, mend="write ^ and a number", code="exponent")
    value = number(digits.lstrip("+-"), at)
    return Neg(value) if digits[0] == "-" else value


def number(lexeme: str, at: int) -> Number:
    """The exact value of a number as typed; ResponseError beyond 60 digits or an exponent of 300."""
    try:
        return _number(lexeme)
    except ValueError as error:
        reason, mend, code = error.args
        raise ResponseError(reason, position=at, mend=mend, code=code) from None


@lru_cache(maxsize=2048)
def _number(lexeme: str) -> Number:
    if lexeme.isdigit() and len(lexeme) <= MAX_DIGITS:
        return Number(int(lexeme))
    mantissa, mark, exponent = lexeme.lower().partition("e")
    mantissa = re.sub(r"[,_{}!\\]", "", mantissa)
    if sum(map(str.isdigit, mantissa)) > MAX_DIGITS:
        raise ValueError(f"a number of more than {MAX_DIGITS} digits", "round it", "too-many-digits")
    if mark and (len(exponent.lstrip("+-0")) > 3 or abs(int(exponent)) > MAX_EXPONENT):
        raise ValueError(
            f"an exponent outside -{MAX_EXPONENT}..{MAX_EXPONENT}", "check the power of ten", "exponent-range"
        )
    return Number(rational(Fraction(mantissa + mark + exponent)))

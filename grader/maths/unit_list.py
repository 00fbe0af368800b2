"""The closed list of units. Nothing outside it is a unit, and no prefix is guessed.

A unit is a dimension and an exact factor to the base units FLOP, byte, token, kg, m, s and A. `GB` is 10^9 byte, `GiB`
2^30 byte, `Gb` 10^9 bit = 1.25e8 byte.
"""

import re
from collections.abc import Mapping
from dataclasses import field, replace
from fractions import Fraction
from functools import cache

from grader.errors import ResponseError, did_you_mean
from grader.maths.dimension import PLAIN, Dimension
from grader.values import frozen

RATE = Dimension.of(FLOP=1, s=-1)


@frozen
class Unit:
    """A unit: `factor` base units of `dimension`; `text` reads back to the same unit.

    `count_or_rate` marks TFLOPs and its kin: a count of operations that people also write for the rate.
    """

    dimension: Dimension
    factor: Fraction
    text: str = field(default="", compare=False)
    count_or_rate: bool = field(default=False, compare=False)

    def __mul__(self, other: "Unit") -> "Unit":
        joint = "" if other.text.startswith("1/") else "*"
        text = (
            f"{self.text}{joint}{other.text.removeprefix('1')}" if self.text and other.text else self.text or other.text
        )
        return Unit(self.dimension * other.dimension, self.factor * other.factor, text)

    def __truediv__(self, other: "Unit") -> "Unit":
        below = f"({other.text})" if "*" in other.text or "/" in other.text else other.text
        return Unit(self.dimension / other.dimension, self.factor / other.factor, f"{self.text or '1'}/{below}")

    def __pow__(self, exponent: int) -> "Unit":
        base = f"({self.text})" if re.search(r"[*/^]", self.text) else self.text
        return Unit(self.dimension**exponent, self.factor**exponent, f"{base}^{exponent}")

    def as_rate(self) -> "Unit":
        """The same unit per second, for TFLOPs where a rate is asked; its text says so."""
        return replace(self / Unit(Dimension.of(s=1), Fraction(1), "s"), count_or_rate=True)

    @property
    def latex(self) -> str:
        """The unit as LaTeX."""
        text = re.sub(r"\^(-?\d+)", r"^{\1}", self.text).replace("*", r"\cdot ").replace("μ", r"\mu ")
        return rf"\mathrm{{{text}}}"


NO_UNIT = Unit(PLAIN, Fraction(1))

_BIG = {"k": 3, "K": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
_SMALL = {"m": -3, "μ": -6, "u": -6, "n": -9, "p": -12}
_PREFIX_WORDS = {
    "kilo": "k", "mega": "M", "giga": "G", "tera": "T", "peta": "P", "exa": "E", "milli": "m", "micro": "μ",
    "nano": "n", "pico": "p", "kibi": "Ki", "mebi": "Mi", "gibi": "Gi", "tebi": "Ti",
}  # fmt: skip
_COUNTS = {prefix: Fraction(10) ** power for prefix, power in _BIG.items()}  # nobody has a thousandth of a byte
_SI = _COUNTS | {prefix: Fraction(10) ** power for prefix, power in _SMALL.items()}
_BINARY = {"Ki": Fraction(2**10), "Mi": Fraction(2**20), "Gi": Fraction(2**30), "Ti": Fraction(2**40)}
_BYTES = _COUNTS | _BINARY
_ALONE: Mapping[str, Fraction] = {}

_BYTE, _BIT = Unit(Dimension.of(byte=1), Fraction(1)), Unit(Dimension.of(byte=1), Fraction(1, 8))
_OPERATION, _TOKEN = Unit(Dimension.of(FLOP=1), Fraction(1)), Unit(Dimension.of(token=1), Fraction(1))
_SECOND, _METRE = Unit(Dimension.of(s=1), Fraction(1)), Unit(Dimension.of(m=1), Fraction(1))
_MINUTE, _HOUR, _DAY = (Unit(_SECOND.dimension, Fraction(n)) for n in (60, 3600, 86400))
_GRAM, _AMPERE = Unit(Dimension.of(kg=1), Fraction(1, 1000)), Unit(Dimension.of(A=1), Fraction(1))
_HERTZ = Unit(Dimension.of(s=-1), Fraction(1))
_NEWTON = Unit(Dimension.of(kg=1, m=1, s=-2), Fraction(1))
_JOULE = Unit(Dimension.of(kg=1, m=2, s=-2), Fraction(1))
_WATT = Unit(Dimension.of(kg=1, m=2, s=-3), Fraction(1))
_WATT_HOUR = Unit(_JOULE.dimension, Fraction(3600))
_PLURAL_COUNT = replace(_OPERATION, count_or_rate=True)
_OPERATION_RATE = Unit(RATE, Fraction(1))

# spellings -> unit and the prefixes it takes; capitals matter here
_SYMBOLS: tuple[tuple[str, Unit, Mapping[str, Fraction]], ...] = (
    ("FLOP Flop flop OP Op op", _OPERATION, _COUNTS),
    ("FLOPs Flops flops OPs Ops ops", _PLURAL_COUNT, _COUNTS),
    ("FLOPS OPS", _OPERATION_RATE, _COUNTS),
    ("B byte bytes Byte Bytes", _BYTE, _BYTES),
    ("b bit bits Bit Bits", _BIT, _BYTES),
    ("token tokens", _TOKEN, _COUNTS),
    ("s sec", _SECOND, _SI),
    ("min mins", _MINUTE, _ALONE),
    ("h hr hrs", _HOUR, _ALONE),
    ("Hz", _HERTZ, _SI),
    ("W", _WATT, _SI),
    ("Wh", _WATT_HOUR, _SI),
    ("J", _JOULE, _SI),
    ("m", _METRE, _SI),
    ("g", _GRAM, _SI),
    ("A", _AMPERE, _SI),
    ("N", _NEWTON, _SI),
)
# words in any case, with prefixes in words
_WORDS: tuple[tuple[str, Unit, Mapping[str, Fraction]], ...] = (
    ("flop operation operations", _OPERATION, _COUNTS),
    ("flops", _PLURAL_COUNT, _COUNTS),
    ("byte bytes", _BYTE, _BYTES),
    ("bit bits", _BIT, _BYTES),
    ("token tokens", _TOKEN, _COUNTS),
    ("second seconds sec secs", _SECOND, _SI),
    ("minute minutes", _MINUTE, _ALONE),
    ("hour hours", _HOUR, _ALONE),
    ("day days", _DAY, _ALONE),
    ("hertz", _HERTZ, _SI),
    ("watt watts", _WATT, _SI),
    ("watthour watthours", _WATT_HOUR, _SI),
    ("joule joules", _JOULE, _SI),
    ("metre metres meter meters", _METRE, _SI),
    ("gram grams gramme grammes", _GRAM, _SI),
    ("ampere amperes amp amps", _AMPERE, _SI),
    ("newton newtons", _NEWTON, _SI),
)


@cache
def _symbols() -> dict[str, tuple[Unit, Fraction]]:
    """Every symbol with its prefixes: the unit without a prefix, and what the prefix stands for."""
    return {
        prefix + name: (unit, size)
        for names, unit, prefixes in _SYMBOLS
        for name in names.split()
        for prefix, size in {"": Fraction(1), **prefixes}.items()
    }


def _symbol(word: str) -> Unit | None:
    unit, size = _symbols().get(word, (None, Fraction(1)))
    return None if unit is None else replace(unit, factor=unit.factor * size)


@cache
def _words() -> dict[str, Unit]:
    table: dict[str, Unit] = {}
    for names, unit, prefixes in _WORDS:
        sizes = {word: prefixes[symbol] for word, symbol in _PREFIX_WORDS.items() if symbol in prefixes}
        for name in names.split():
            table |= {word + name: replace(unit, factor=unit.factor * size) for word, size in sizes.items()}
            table[name] = unit
    return table


@cache
def _any_case() -> dict[str, set[Unit]]:
    """Symbols by their letters alone, for the ones whose case does not matter (KHZ, tflops)."""
    table: dict[str, set[Unit]] = {}
    for name, (unit, size) in _symbols().items():
        if len(name) > 1 and unit.dimension != RATE:  # a lone capital is a prefix or a name, and TFLOPS is exact
            table.setdefault(name.casefold(), set()).add(replace(unit, factor=unit.factor * size))
    return table


def unit_named(word: str) -> Unit | None:
    """The unit that one word stands for, or None."""
    found = _symbol(word)
    if found is None and word.endswith("ps"):  # GBps, but never ps itself: that is a picosecond
        per_second = _symbol(word[:-2])
        if per_second is not None and per_second.dimension == _BYTE.dimension:
            found = per_second / _SECOND
    if found is None:
        letters = word.casefold()
        plain = re.sub(r"[- ]", "", letters.removeprefix("floating").lstrip("- ").removeprefix("point"))
        found = _words().get(letters) or _words().get(plain)
        alike = _any_case().get(letters, set())
        if found is None and len(alike) == 1:
            found = next(iter(alike))
    return None if found is None else replace(found, text=_spelt(word))


def _spelt(word: str) -> str:
    """One word that reads back: several words joined keep their meaning by the last one."""
    return word.replace(" ", "-")


def unknown_unit(word: str, position: int | None) -> ResponseError:
    """The error for a word that is no unit, with the units that may have been meant."""
    if word in _SI or word in _BINARY:
        mend = f"{word} alone is a prefix; write it together with its unit, such as {word}B"
    elif word.casefold() in _PREFIX_WORDS:
        mend = f"{word} alone is a prefix; write it together with its unit, such as {word}bytes"
    elif alike := sorted(name for name in _symbols() if name.casefold() == word.casefold()):
        mend = f"did you mean {' or '.join(alike)}? Capitals matter here"
    else:
        close = did_you_mean(word, [name for names, _, _ in (*_SYMBOLS, *_WORDS) for name in names.split()])
        mend = (
            f"did you mean {close}?" if close else "units are FLOP, byte, bit, s, W, J, m, g, ... with their prefixes"
        )
    return ResponseError(f'unknown unit "{word[:30]}"', position=position, mend=mend, code="unknown-unit")

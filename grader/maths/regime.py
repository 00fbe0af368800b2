"""Which symbols are small beside which: `B << D, F`, `D, F >> 1`, `B << D << F`, `S >> T`.

A path is a way for the symbols to grow. Every symbol is at least 1; `low << high` means low/high -> 0, `high >> 1`
that high grows without bound; symbols not named stay fixed. In logarithms the paths fill a cone whose rays are the
up-sets: the sets of symbols that contain with a symbol all that is larger. So whether a monomial vanishes on every
path is read off the sums of its exponents over the up-sets, exactly.
"""

import re
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from itertools import combinations

from grader.errors import SpecError
from grader.values import frozen

MAX_NAMES = 8
_NAME = re.compile(r"[^\W\d]\w*")
_SMALLER = {"≪": "<<", "≫": ">>", r"\ll": "<<", r"\gg": ">>"}
FAR = 1000  # how much faster a symbol may grow than another on the paths that are tried

Pair = tuple[str | None, str]


@frozen
class Regime:
    """Pairs (low, high) with low << high; low is None where high only grows without bound."""

    text: str
    pairs: tuple[Pair, ...]

    @staticmethod
    @lru_cache(maxsize=256)
    def read(text: str) -> "Regime":
        """The regime that a text such as "B << D, F" stands for; SpecError if it can't be read."""
        plain = text
        for sign, ascii_sign in _SMALLER.items():
            plain = plain.replace(sign, f" {ascii_sign} ")
        pairs: list[Pair] = []
        for statement in re.split(r";|\band\b", plain):
            pairs += _read_chain(statement, text)
        regime = Regime(" ".join(plain.split()), tuple(dict.fromkeys(pairs)))
        if len(regime.names) > MAX_NAMES:
            raise SpecError(f"the regime {text!r} names more than {MAX_NAMES} symbols")
        if regime._circular():
            raise SpecError(f"the regime {text!r} contradicts itself: a symbol would be far larger than itself")
        return regime

    def __str__(self) -> str:
        return self.text

    def __hash__(self) -> int:
        return hash(self.text)

    @property
    def names(self) -> tuple[str, ...]:
        """The symbols named, sorted."""
        return tuple(sorted({name for pair in self.pairs for name in pair if name is not None}))

    @property
    def levels(self) -> Mapping[str, int]:
        """How many steps each symbol is above the slowest; a symbol that only grows without bound is one above."""
        level = dict.fromkeys(self.names, 0)
        for _ in self.names:
            for low, high in self.pairs:
                level[high] = max(level[high], 1 + (level[low] if low else 0))
        return level

    @property
    def up_sets(self) -> tuple[frozenset[str], ...]:
        """The sets of symbols that may grow together while the others stay, smallest first."""
        return _up_sets(self)

    @property
    def separating(self) -> tuple[tuple[int, ...], ...]:
        """For each pair the indices of the up-sets that hold `high` without `low`: some of them must grow."""
        return _separating(self)

    def vanishes(self, exponents: Mapping[str, int]) -> bool:
        """Whether the monomial with these exponents tends to 0 on every path."""
        return self.below(tuple(sum(exponents.get(n, 0) for n in s) for s in self.up_sets))

    def below(self, sums: tuple[int, ...]) -> bool:
        """`vanishes`, from the sums of the exponents over the up-sets."""
        if not sums or max(sums) > 0:
            return False
        return any(all(sums[i] < 0 for i in separating) for separating in self.separating)

    def growth_rates(self) -> tuple[Mapping[str, int], ...]:
        """Paths to try: each symbol grows like t to the power given, 0 for one that stays fixed."""
        return _growth_rates(self)

    def _circular(self) -> bool:
        return not all(any(low not in s and high in s for s in self.up_sets) for low, high in self.pairs)


def _read_chain(statement: str, text: str) -> Iterator[Pair]:
    parts = re.split(r"(<<|>>)", statement)
    if len(parts) < 3:
        raise SpecError(f"the regime {text!r} can't be read: write it like B << D, F or D, F >> 1")
    groups = [_read_group(part, text) for part in parts[::2]]
    for i, sign in enumerate(parts[1::2]):
        lows, highs = (groups[i], groups[i + 1]) if sign == "<<" else (groups[i + 1], groups[i])
        for low in lows:
            for high in highs:
                if high is None:
                    raise SpecError(f"the regime {text!r} can't be read: no symbol is far below 1")
                yield low, high


def _read_group(part: str, text: str) -> list[str | None]:
    names = [name.strip() for name in part.split(",")]
    for name in names:
        if name != "1" and not _NAME.fullmatch(name):
            raise SpecError(f"the regime {text!r} can't be read at {name!r}: names and 1 are known there")
    return [None if name == "1" else name for name in names]


@cache
def _up_sets(regime: Regime) -> tuple[frozenset[str], ...]:
    subsets = (frozenset(c) for size in range(1, len(regime.names) + 1) for c in combinations(regime.names, size))
    return tuple(s for s in subsets if all(high in s for low, high in regime.pairs if low in s))


@cache
def _separating(regime: Regime) -> tuple[tuple[int, ...], ...]:
    """For each pair the indices of the up-sets that hold `high` without `low`: some of them must grow without bound."""
    return tuple(
        tuple(i for i, s in enumerate(regime.up_sets) if high in s and low not in s) for low, high in regime.pairs
    )


@cache
def _growth_rates(regime: Regime) -> tuple[Mapping[str, int], ...]:
    level = regime.levels
    starts = [level, {name: height + 1 for name, height in level.items()}]
    sets = (frozenset[str](), *regime.up_sets[:31])
    joint = [(a, b) for a in sets for b in sets] if len(sets) <= 8 else [(a, a) for a in sets]
    rates = [*starts]
    for factor in (1, FAR):
        for a, b in joint:
            rates += [{n: e + factor * (n in a) + factor * factor * (n in b) for n, e in s.items()} for s in starts]
    return tuple({tuple(sorted(rate.items())): rate for rate in rates}.values())

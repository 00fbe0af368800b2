"""Which monomials dominate which under a regime, and whether a quotient of polynomials tends to 0 on every path."""

from collections.abc import Iterable
from functools import lru_cache

from grader.maths.regime import Regime
from grader.maths.terms import FIELD, MASK, Terms, TooLargeError

Sums = tuple[int, ...]
_KEPT = 256
MAX_PAIRS = 5_000  # of monomials compared with each other: some 10 ms
_FEW = 12  # paths tried where there are more


@lru_cache(maxsize=256)
def dominance(regime: Regime, variables: tuple[str, ...]) -> "Dominance":
    """The order of monomials in these variables."""
    return Dominance(regime, variables)


class Dominance:
    """A monomial is known by the sums of its exponents over the regime's up-sets.

    `sums` gives them for a monomial; `far_below` tells whether low/high tends to 0 on every path. Both remember what
    they are asked often.
    """

    def __init__(self, regime: Regime, variables: tuple[str, ...]) -> None:
        shifts = {name: FIELD * i for i, name in enumerate(variables)}
        self._shifts = [[shifts[name] for name in up_set if name in shifts] for up_set in regime.up_sets]
        self._separating = regime.separating
        self.sums = lru_cache(maxsize=_KEPT)(self._sums)
        self.far_below = lru_cache(maxsize=_KEPT)(self._far_below)
        self._rates = [
            [(shifts[name], power) for name, power in rate.items() if name in shifts and power]
            for rate in regime.growth_rates()
        ]

    def _sums(self, monomial: int) -> Sums:
        return tuple([sum([monomial >> shift & MASK for shift in shifts]) for shifts in self._shifts])

    def _far_below(self, low: Sums, high: Sums) -> bool:
        difference = [a - b for a, b in zip(low, high, strict=True)]
        if not difference or max(difference) > 0:
            return False
        return any(all([difference[i] < 0 for i in separating]) for separating in self._separating)

    def leading(self, terms: Terms) -> Terms:
        """The terms that no other one dominates."""
        if len(terms) == 1:
            return terms
        if len(terms) ** 2 > MAX_PAIRS:
            raise TooLargeError("too many terms to tell which one leads")
        rows = [(m, self.sums(m)) for m in terms]
        return {m: terms[m] for m, low in rows if not any(self.far_below(low, high) for _, high in rows)}

    def vanishes(self, numerator: Terms, denominator: Terms) -> bool | None:
        """Whether the quotient tends to 0 on every path; None where neither can be shown.

        It does if the leading terms of the denominator share one sign and every term of the numerator vanishes beside
        one of them, or beside the geometric mean of two. It does not if on some path it stays away from 0.
        """
        if (len(numerator) + len(denominator)) * len(denominator) > MAX_PAIRS:
            return False if self._stays(numerator, denominator, self._rates[:_FEW]) else None
        low = [self.sums(m) for m in numerator]
        if _one_signed(denominator) and self._all_below(low, [self.sums(m) for m in denominator]):
            return True
        leading = self.leading(denominator)
        if _one_signed(leading) and len(leading) ** 2 * len(low) <= MAX_PAIRS:
            high = [self.sums(m) for m in leading]
            doubled = [tuple(2 * x for x in row) for row in low]
            if self._all_below(doubled, [tuple(map(sum, zip(a, b, strict=True))) for a in high for b in high]):
                return True
        return False if self._stays(numerator, leading, self._rates) else None

    def _all_below(self, low: list[Sums], high: list[Sums]) -> bool:
        return all(any(self.far_below(row, other) for other in high) for row in low)

    def _stays(self, numerator: Iterable[int], denominator: Iterable[int], rates: list[list[tuple[int, int]]]) -> bool:
        """Whether on some path the numerator grows at least as fast; its terms do not cancel but on single paths."""
        return any(self._fastest(numerator, rate) >= self._fastest(denominator, rate) for rate in rates)

    def _fastest(self, monomials: Iterable[int], rate: list[tuple[int, int]]) -> int:
        return max([sum([(m >> shift & MASK) * power for shift, power in rate]) for m in monomials])


def _one_signed(terms: Terms) -> bool:
    signs = {c > 0 for c in terms.values()}
    return len(signs) == 1

"""Regimes such as `B << D, F`, and the leading term of a rational function under one.

Axis lengths are at least 1. A regime is a chain of groups, each much smaller than the next: `B << D, F` says that B/D
and B/F tend to 0, whatever D and F are to each other and whether or not B grows. A chain may begin with 1: `D, F >> 1`
says that D and F grow. A symbol that the regime doesn't name stays fixed.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import sympy

from reference.faults import ReferenceFault

Expr = Any  # a sympy expression; sympy has no types of its own

_NAME = re.compile(r"[A-Za-z]\w*")


@dataclass(frozen=True, slots=True)
class Regime:
    """Groups of symbols, from the slowest growing to the fastest; the first is empty when the chain begins with 1."""

    groups: tuple[tuple[str, ...], ...]

    def negligible(self, exponents: Mapping[str, int]) -> bool:
        """Whether the product of symbols with these exponents tends to 0 on every path of the regime.

        It stays bounded if, for each group, the exponents of the groups above it and the positive ones of its own sum
        to at most 0 (these are the extreme paths: some of a group, and all above it, grow alike). It tends to 0 if,
        moreover, it does so on the path on which each group grows one power faster than the one below.
        """
        above = 0
        for group in reversed(self.groups):
            own = [exponents.get(name, 0) for name in group]
            if above + sum(max(exponent, 0) for exponent in own) > 0:
                return False
            above += sum(own)
        return sum(rank * exponents.get(name, 0) for rank, group in enumerate(self.groups) for name in group) < 0


def read_regime(text: str) -> Regime:
    """The regime that a text such as `B << D, F`, `D, F >> 1` or `B << D << F` describes; raises ReferenceFault."""
    tidy = text.replace("≪", "<<").replace("≫", ">>")
    if "<<" in tidy and ">>" in tidy:
        raise ReferenceFault(f"the regime {text!r} mixes << and >>: use one of them")
    parts = tidy.split("<<") if "<<" in tidy else tidy.split(">>")[::-1]
    groups = tuple(tuple(name.strip() for name in part.split(",")) for part in parts)
    if groups[0] == ("1",):
        groups = ((), *groups[1:])
    names = [name for group in groups for name in group]
    if len(groups) < 2 or len(set(names)) < len(names) or not all(_NAME.fullmatch(name) for name in names):
        raise ReferenceFault(f"can't read the regime {text!r}: write it like B << D, F or D, F >> 1")
    return Regime(groups)


def leading_term(expression: Expr, regime: Regime) -> Expr:
    """The leading term of a rational function: numerator and denominator without the terms that another dominates.

    Raises ReferenceFault if the expression is no rational function of its symbols.
    """
    expression = sympy.cancel(expression)
    if not expression.free_symbols:
        return expression
    if not expression.is_rational_function():
        raise ReferenceFault(f"no leading term: {expression} is not a rational function")
    numerator, denominator = sympy.fraction(expression)
    return sympy.cancel(_dominant(numerator, regime) / _dominant(denominator, regime))


def _dominant(polynomial: Expr, regime: Regime) -> Expr:
    symbols = sorted(polynomial.free_symbols, key=str)
    if not symbols:
        return polynomial
    terms = sympy.Poly(polynomial, *symbols).terms()
    names = [symbol.name for symbol in symbols]
    monomials = [powers for powers, _ in terms]
    kept = (term for term in terms if not _dominated(term[0], monomials, names, regime))
    return sympy.Add(*(c * sympy.Mul(*(s**p for s, p in zip(symbols, powers, strict=True))) for powers, c in kept))


def _dominated(powers: tuple[int, ...], monomials: Iterable[tuple[int, ...]], names: list[str], regime: Regime) -> bool:
    """Whether some other monomial is much larger on every path."""
    return any(
        regime.negligible({name: p - q for name, p, q in zip(names, powers, other, strict=True)}) for other in monomials
    )

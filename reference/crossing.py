"""Where one function of B reaches another, on which side it is larger, and whether it ever is.

The functions are rational in B > 0 with coefficients in the other axis lengths, which are at least 1.
"""

from enum import Enum
from typing import Any, Final, Literal

import sympy

from reference.faults import ReferenceFault
from reference.leading import Regime, leading_term

Expr = Any  # a sympy expression; sympy has no types of its own


class Never(Enum):
    """The type of NEVER."""

    NEVER = "never"

    def __str__(self) -> str:
        return "never"


NEVER: Final = Never.NEVER


def crossing(first: Expr, second: Expr, batch: Expr) -> Expr | Never:
    """The positive B at which the first reaches the second, or NEVER if there is none.

    While axis lengths are free, the answer is a formula, which holds where it is positive. Raises ReferenceFault if
    there are several crossings or none can be found.
    """
    numerator, _ = _difference(first, second, batch)
    roots = _positive_roots(numerator)
    if len(roots) > 1:
        raise ReferenceFault(f"{first} reaches {second} at several {batch}")
    return roots[0] if roots else NEVER


def side(first: Expr, second: Expr, batch: Expr) -> Literal["<", ">"] | Never:
    """`>` if the first exceeds the second for B above their crossing, `<` if it does below; NEVER without one."""
    if crossing(first, second, batch) is NEVER:
        return NEVER
    numerator, denominator = _difference(first, second, batch)
    above = sign(numerator.LC()) * sign(denominator.LC())
    below = sign(_lowest(numerator)) * sign(_lowest(denominator))
    if above == below:  # neither is known, or the first only touches the second
        raise ReferenceFault(f"can't tell on which side of the crossing {first} exceeds {second}")
    return ">" if (above or -below) > 0 else "<"


def kind(first: Expr, second: Expr, batch: Expr, regime: Regime | None) -> Literal["always", "never", "above", "below"]:
    """For which B the first exceeds the second: always, never, above the crossing or below it.

    Where that depends on the other axis lengths, the regime decides. Raises ReferenceFault if nothing does.
    """
    where = side(first, second, batch)
    if where is not NEVER:
        return "above" if where == ">" else "below"
    difference = sympy.cancel(first - second)
    if difference == 0:
        return "never"
    known = sign(difference) or (regime and sign(leading_term(difference, regime)))
    if not known:
        raise ReferenceFault(f"can't tell whether {first} exceeds {second}: give axis lengths or a regime")
    return "always" if known > 0 else "never"


def sign(expression: Expr) -> int:
    """1 or -1 if that is the sign of a rational function for all symbols >= 1; 0 if it is neither, or not known."""
    numerator, denominator = sympy.fraction(sympy.cancel(expression))
    return _polynomial_sign(numerator) * _polynomial_sign(denominator)


def _polynomial_sign(polynomial: Expr) -> int:
    if polynomial.is_number:
        return int(sympy.sign(polynomial))
    symbols = sorted(polynomial.free_symbols, key=str)
    if not polynomial.is_polynomial(*symbols):
        return 0
    beyond_one = polynomial.subs({symbol: 1 + symbol for symbol in symbols}, simultaneous=True)
    for form in (polynomial, beyond_one):  # positive symbols first: it needs no room above 1
        signs = {int(sympy.sign(c)) for c in sympy.Poly(form, *symbols).coeffs()}
        if len(signs) == 1:
            return signs.pop()
    return 0


def _difference(first: Expr, second: Expr, batch: Expr) -> tuple[Any, Any]:
    """The numerator and the denominator of first - second as polynomials in B."""
    difference = sympy.cancel(first - second)
    if not difference.is_rational_function(batch):
        raise ReferenceFault(f"can't solve for {batch}: {difference} is not a rational function of it")
    numerator, denominator = sympy.fraction(difference)
    return sympy.Poly(numerator, batch), sympy.Poly(denominator, batch)


def _lowest(polynomial: Any) -> Expr:
    """The coefficient that leads as B tends to 0."""
    return [c for c in polynomial.all_coeffs() if c != 0][-1]


def _positive_roots(polynomial: Any) -> list[Expr]:
    """The distinct roots of a polynomial in B that are positive, or may be for some axis lengths."""
    coefficients = polynomial.all_coeffs()
    while coefficients and coefficients[-1] == 0:  # B = 0 is no crossing
        coefficients.pop()
    if len(coefficients) < 2:
        return []
    if not all(c.is_Rational for c in coefficients):
        return _symbolic_roots(coefficients)
    return sorted({root for root in sympy.Poly(coefficients, polynomial.gen).real_roots() if root.is_positive})


def _symbolic_roots(coefficients: list[Expr]) -> list[Expr]:
    """The same where at most one can be positive: two terms, or degree 2 with one change of sign."""
    leading, *middle, constant = coefficients
    if not any(middle):
        power = sympy.cancel(-constant / leading)
        return [power ** sympy.Rational(1, len(coefficients) - 1)] if sign(power) >= 0 else []
    signs = [sign(c) for c in coefficients if c != 0]
    if all(signs) and len(set(signs)) == 1:
        return []
    if len(coefficients) > 3 or sign(leading) * sign(constant) >= 0:
        raise ReferenceFault("can't solve for the crossing: give the axis lengths")
    a, b, c = (sign(leading) * value for value in coefficients)
    return [(-b + sympy.sqrt(sympy.expand(b**2 - 4 * a * c))) / (2 * a)]

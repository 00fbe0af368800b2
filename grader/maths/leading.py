"""Leading terms under a regime, equality to leading order, and from where on an approximation holds."""

from collections.abc import Mapping

from grader.errors import SolutionError
from grader.maths.expression import Add, Call, Div, Expr, Mul, Neg, Number, Pow, rebuild, symbols_of
from grader.maths.polynomial import Polynomial, RationalFunction, TooLargeError, simplified
from grader.maths.regime import Regime


def leading_term(expression: Expr, regime: Regime) -> Expr:
    """The leading term under the regime, in a neat form; SolutionError where it can't be told safely.

    A quotient keeps the monomials of numerator and denominator that no other one dominates.
    """
    try:
        return simplified(_leading(expression, regime))
    except (TooLargeError, ZeroDivisionError) as error:
        raise SolutionError("the leading term can't be found: the formula is too large or undefined") from error


def _leading(expression: Expr, regime: Regime) -> Expr:
    fraction = RationalFunction.from_expr(expression)
    if fraction is not None:
        return leading_fraction(fraction.cancel(), regime).to_expr()
    if not symbols_of(expression) & set(regime.names):
        return expression
    match expression:
        case Mul() | Div() | Neg() | Call("sqrt" | "cbrt" | "abs"):
            return rebuild(expression, lambda part: _leading(part, regime))
        case Pow(base, exponent) if not symbols_of(exponent):
            return Pow(_leading(base, regime), exponent)
        case Call("max" | "min", arguments):
            return _leading_extreme(expression.function, arguments, regime)
        case Add(terms):
            return _leading_sum(terms, regime)
        case Call("log" | "log2" | "log10", (argument,)):
            return Call(expression.function, (_leading_argument(argument, regime),))
    raise SolutionError("the leading term can't be told safely")


def leading_polynomial(polynomial: Polynomial, regime: Regime) -> Polynomial:
    """The monomials that no other one dominates on every path."""
    rows = [(m, _sums(polynomial, m, regime)) for m in polynomial.terms]
    kept = [m for m, low in rows if not any(_far_below(low, high, regime) for _, high in rows)]
    return Polynomial(polynomial.variables, {m: polynomial.terms[m] for m in kept})


def leading_fraction(fraction: RationalFunction, regime: Regime) -> RationalFunction:
    """Numerator and denominator each to leading order, in lowest terms."""
    top, bottom = (leading_polynomial(p, regime) for p in (fraction.numerator, fraction.denominator))
    return RationalFunction(top, bottom).cancel()


def _sums(polynomial: Polynomial, monomial: int, regime: Regime) -> tuple[int, ...]:
    exponents = polynomial.exponents(monomial)
    return tuple(sum(exponents.get(name, 0) for name in up_set) for up_set in regime.up_sets)


def _far_below(low: tuple[int, ...], high: tuple[int, ...], regime: Regime) -> bool:
    return regime.below(tuple(a - b for a, b in zip(low, high, strict=True)))


def negligible(small: Expr, large: Expr, regime: Regime) -> bool:
    """Whether small/large tends to 0 on every path; False where that is not plain."""
    match small, large:
        case Call("max", arguments), _:
            return all(negligible(part, large, regime) for part in arguments)
        case _, Call("max", arguments):
            return any(negligible(small, part, regime) for part in arguments)
        case _, Call("min", arguments):
            return all(negligible(small, part, regime) for part in arguments)
        case Call("sqrt", (inner,)), _:
            return negligible(inner, Pow(large, Number(2)), regime)
        case _, Call("sqrt", (inner,)):
            return negligible(Pow(small, Number(2)), inner, regime)
    fraction = RationalFunction.from_expr(Div(small, large))
    return fraction is not None and fraction_vanishes(fraction, regime) is True


def fraction_vanishes(fraction: RationalFunction, regime: Regime) -> bool | None:
    """Whether a quotient of polynomials tends to 0 on every path; None where neither can be shown.

    It does if the leading terms of the denominator share one sign and every term of the numerator vanishes beside one
    of them, or beside the geometric mean of two. It does not if on some path the numerator grows at least as fast.
    """
    top, bottom = fraction.numerator, leading_polynomial(fraction.denominator, regime)
    low, high = ([_sums(p, m, regime) for m in p.terms] for p in (top, bottom))
    if len({c > 0 for c in bottom.terms.values()}) == 1:
        means = [tuple(map(sum, zip(a, b, strict=True))) for a in high for b in high]
        if all(any(_far_below(tuple(2 * x for x in row), mean, regime) for mean in means) for row in low):
            return True
    if any(_fastest(top, rate) >= _fastest(bottom, rate) for rate in regime.growth_rates()):
        return False
    return None


def _fastest(polynomial: Polynomial, rate: Mapping[str, int]) -> int:
    """The power of t with which the fastest term grows; its coefficient does not cancel but on single paths."""
    rows = (polynomial.exponents(m) for m in polynomial.terms)
    return max(sum(e * rate.get(name, 0) for name, e in row.items()) for row in rows)


def _leading_extreme(function: str, arguments: tuple[Expr, ...], regime: Regime) -> Expr:
    parts = tuple(dict.fromkeys(_leading(part, regime) for part in arguments))

    def loses(part: Expr, other: Expr) -> bool:
        small, large = (part, other) if function == "max" else (other, part)
        return part != other and negligible(small, large, regime) and _positive(large)

    kept = tuple(part for part in parts if not any(loses(part, other) for other in parts))
    return kept[0] if len(kept) == 1 else Call(function, kept)


def _positive(expression: Expr) -> bool:
    """Whether the expression is plainly above 0 for positive symbols."""
    if isinstance(expression, Call):
        return expression.function == "sqrt" or all(map(_positive, expression.arguments))
    fraction = RationalFunction.from_expr(expression)
    return fraction is not None and all(
        c > 0 for p in (fraction.numerator, fraction.denominator) for c in p.terms.values()
    )


def _leading_sum(terms: tuple[Expr, ...], regime: Regime) -> Expr:
    """A sum in which a part is not rational: only where one term dominates all others."""
    for i, term in enumerate(terms):
        if all(negligible(other, term, regime) for other in (*terms[:i], *terms[i + 1 :])):
            return _leading(term, regime)
    raise SolutionError("the leading term of the sum can't be told safely")


def _leading_argument(argument: Expr, regime: Regime) -> Expr:
    """The argument of a logarithm: its leading term will do only where the logarithm then grows without bound."""
    leading = _leading(argument, regime)
    one = Number(1)
    if negligible(one, leading, regime) or negligible(leading, one, regime) or leading == simplified(argument):
        return leading
    raise SolutionError("the leading term of a logarithm can't be told safely")

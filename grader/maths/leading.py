"""Leading terms under a regime, equality to leading order, and from where on an approximation holds."""

from grader.errors import SolutionError
from grader.maths.domain import Domain
from grader.maths.dominance import dominance
from grader.maths.equality import equal
from grader.maths.expression import Add, Call, Div, Expr, Mul, Neg, Number, Pow, Symbol, rebuild, substitute, symbols_of
from grader.maths.growth import tends_to_one
from grader.maths.polynomial import Polynomial, RationalFunction, simplified
from grader.maths.regime import Regime
from grader.maths.sign import plainly_positive
from grader.maths.terms import Fields, Fuel, NotRationalError, TooLargeError, add, multiply, read_fraction

_FACTORS = tuple(digit * 10**power for power in range(7) for digit in (1, 2, 5))[1:]  # of a bound, tried in turn


def same_leading_order(answer: Expr, solution: Expr, domain: Domain, fuel: Fuel | None = None) -> bool | None:
    """Whether answer/solution tends to 1 on every path of the domain's regime; None if undecided.

    Exact for rational functions: the fraction answer/solution - 1 must vanish. Other functions are followed along
    several growth rates, as far as `fuel` goes. False without a regime.
    """
    if domain.regime is None:
        return False
    try:
        return _excess_vanishes(answer, solution, domain.regime)[0]
    except ZeroDivisionError:
        return False
    except (NotRationalError, TooLargeError):
        return tends_to_one(answer, solution, domain, fuel)


def leading_or_equal(answer: Expr, solution: Expr, domain: Domain) -> tuple[bool | None, bool | None]:
    """Whether the answer has the solution's leading order, and whether it is even equal; None where undecided."""
    if domain.regime is not None:
        try:
            return _excess_vanishes(answer, solution, domain.regime)
        except ZeroDivisionError:
            return False, False
        except (NotRationalError, TooLargeError):
            pass
    exactly = equal(answer, solution, domain)
    return (True, True) if exactly else (same_leading_order(answer, solution, domain), exactly)


def _excess_vanishes(answer: Expr, solution: Expr, regime: Regime) -> tuple[bool | None, bool]:
    """For rational functions, first as they stand, then in lowest terms; and whether there is no excess at all."""
    fields, fuel = Fields(), Fuel()
    n, d = read_fraction(answer, fields, fuel)
    m, k = read_fraction(solution, fields, fuel)
    bottom = multiply(d, m, fuel)
    if not bottom:
        return False, not n
    top = add(multiply(n, k, fuel), bottom, -1)
    if not top:
        return True, True
    names = tuple(fields)
    found = dominance(regime, names).vanishes(top, bottom)
    if found is None:
        ratio = RationalFunction(Polynomial(names, top), Polynomial(names, bottom))
        found = _fraction_vanishes(ratio.cancel(), regime)
    return found, False


def validity(answer: Expr, solution: Expr, domain: Domain) -> str | None:
    """From where on answer and solution differ by less than 1%, such as "within 1% when D, F >= 200 B".

    Shown exactly, for rational functions: the smallest round number is taken for which the bound holds everywhere
    beyond. None where they are equal, where there is no regime or where no bound is found.
    """
    regime = domain.regime
    if regime is None:
        return None
    try:
        ratio = RationalFunction.from_expr(Div(answer, solution))
        if ratio is None or ratio.constant is not None:
            return None
        factor = next((k for k in _FACTORS if _within(ratio.cancel(), regime, k)), None)
    except ArithmeticError:
        return None
    return None if factor is None else f"within 1% when {_condition(regime, factor)}"


def _within(ratio: RationalFunction, regime: Regime, factor: int) -> bool:
    """Whether |ratio - 1| <= 1/100 wherever each symbol is at least `factor` times the smaller ones, and at least 1.

    With every symbol written as that bound plus a rest of at least 0, no coefficient may be below 0.
    """
    shifted = ratio.to_expr()
    for name in sorted(ratio.numerator.variables, key=lambda name: -regime.levels.get(name, 0)):
        shifted = substitute(shifted, {name: Add((_bound(name, regime, factor), Symbol(f"{name} beyond")))})
    moved = RationalFunction.from_expr(shifted)
    if moved is None:
        return False
    excess = (moved.numerator - moved.denominator) * Polynomial((), {0: 100})
    bounds = (moved.denominator, moved.denominator - excess, moved.denominator + excess)
    return len({c > 0 for polynomial in bounds for c in polynomial.terms.values()}) == 1


def _bound(name: str, regime: Regime, factor: int) -> Expr:
    """The least value of a symbol; ArithmeticError where it has no single one."""
    lows = [low for low, high in regime.pairs if high == name]
    if len(lows) > 1:
        raise ArithmeticError
    if not lows:
        return Number(1)
    return Number(factor) if lows[0] is None else Mul((Number(factor), Symbol(lows[0])))


def _condition(regime: Regime, factor: int) -> str:
    highs: dict[str | None, list[str]] = {}
    for low, high in regime.pairs:
        highs.setdefault(low, []).append(high)
    bounds = (f"{', '.join(names)} >= {factor}" + (f" {low}" if low else "") for low, names in highs.items())
    return " and ".join(bounds)


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


def leading_fraction(fraction: RationalFunction, regime: Regime) -> RationalFunction:
    """Numerator and denominator each to leading order, in lowest terms."""
    names = fraction.numerator.variables
    order = dominance(regime, names)
    top, bottom = (Polynomial(names, order.leading(p.terms)) for p in (fraction.numerator, fraction.denominator))
    return RationalFunction(top, bottom).cancel()


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
    return fraction is not None and _fraction_vanishes(fraction, regime) is True


def _fraction_vanishes(fraction: RationalFunction, regime: Regime) -> bool | None:
    if not fraction:
        return True
    order = dominance(regime, fraction.numerator.variables)
    return order.vanishes(fraction.numerator.terms, fraction.denominator.terms)


def _leading_extreme(function: str, arguments: tuple[Expr, ...], regime: Regime) -> Expr:
    parts = tuple(dict.fromkeys(_leading(part, regime) for part in arguments))

    def loses(part: Expr, other: Expr) -> bool:
        small, large = (part, other) if function == "max" else (other, part)
        return part != other and negligible(small, large, regime) and plainly_positive(large)

    kept = tuple(part for part in parts if not any(loses(part, other) for other in parts))
    return kept[0] if len(kept) == 1 else Call(function, kept)


def _leading_sum(terms: tuple[Expr, ...], regime: Regime) -> Expr:
    """A sum in which a part is not rational: where one term dominates all others, or nothing can cancel."""
    for i, term in enumerate(terms):
        if all(negligible(other, term, regime) for other in (*terms[:i], *terms[i + 1 :])):
            return _leading(term, regime)
    if not all(map(plainly_positive, terms)):
        raise SolutionError("the leading term of the sum can't be told safely")
    leading = Add(tuple(_leading(term, regime) for term in terms))
    return leading if leading.terms == terms else _leading(leading, regime)


def _leading_argument(argument: Expr, regime: Regime) -> Expr:
    """The argument of a logarithm: its leading term will do only where the logarithm then grows without bound."""
    leading = _leading(argument, regime)
    one = Number(1)
    if negligible(one, leading, regime) or negligible(leading, one, regime) or leading == simplified(argument):
        return leading
    raise SolutionError("the leading term of a logarithm can't be told safely")

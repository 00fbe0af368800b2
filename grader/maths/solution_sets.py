"""Whether two equations have the same solutions over a domain; None where that can't be told.

Both are brought to one side. Factors that the two share are taken out, however often they occur; what is left of
either must have no zero in the domain. A factor that changes its sign has one: then the solutions differ.
"""

from fractions import Fraction

from grader.maths.domain import Domain
from grader.maths.equality import equal
from grader.maths.expression import Add, Call, Expr, Neg, Rational, Symbol, rebuild, substitute, symbols_of
from grader.maths.inequality import sign
from grader.maths.polynomial import Polynomial, RationalFunction, TooLargeError
from grader.maths.roots import real_roots

Sides = tuple[Expr, Expr]

_MAX_DEGREE = 200  # of a factor, beyond which nothing is tried
_MAX_ROOTS = 30  # of a factor in one name, up to which its roots are sought
_MAX_TERMS = 2000  # that the trials may take together

# where the sign of a factor is tried: sizes that lie apart, in an order that mixes them between the names
_TRIED = (Fraction(1), Fraction(1, 1000), Fraction(1000), Fraction(3), Fraction(1, 7), Fraction(10**6), Fraction(2))


def always_true(sides: Sides, domain: Domain) -> bool:
    """Whether the equation holds whatever its names are."""
    return equal(*sides, domain) is True


def never_true(sides: Sides, domain: Domain) -> bool:
    """Whether the equation is known to have no solution."""
    zeros = _numerator(sides)
    return zeros is not None and bool(zeros) and _has_zero(zeros, domain) is False


def same_solutions(first: Sides, second: Sides, domain: Domain) -> bool | None:
    """Whether the same values solve both."""
    a, b = _numerator(first), _numerator(second)
    if a is None or b is None:
        return _by_isolating(first, second, domain)
    try:
        left = [_has_zero(_without(p, q), domain) for p, q in ((a, b), (b, a))]
    except TooLargeError:
        return None
    if True in left:
        return False
    return True if left == [False, False] else None


def _numerator(sides: Sides) -> Polynomial | None:
    """left - right as a polynomial with the same zeros; None if it is no rational function."""
    try:
        difference = RationalFunction.from_expr(Add((sides[0], Neg(sides[1]))))
        return None if difference is None else difference.cancel().numerator
    except (TooLargeError, ZeroDivisionError):
        return None


def _without(polynomial: Polynomial, other: Polynomial) -> Polynomial:
    """The polynomial without every factor that it shares with the other."""
    while True:
        rest = RationalFunction(*_over_same_names(polynomial, other)).cancel().numerator
        if sum(rest.degree(n) for n in rest.used) == sum(polynomial.degree(n) for n in polynomial.used):
            return rest
        polynomial = rest


def _over_same_names(a: Polynomial, b: Polynomial) -> tuple[Polynomial, Polynomial]:
    names = tuple(sorted({*a.variables, *b.variables}))
    return Polynomial(names, a.over(names)), Polynomial(names, b.over(names))


def _has_zero(polynomial: Polynomial, domain: Domain) -> bool | None:
    """Whether the polynomial is 0 somewhere in the domain; None if that can't be told."""
    if sign(polynomial, domain) is not None:
        return False
    names = sorted(polynomial.used)
    degree = sum(map(polynomial.degree, names))
    if degree > _MAX_DEGREE:
        return None
    if len(names) == 1 and degree <= _MAX_ROOTS:
        powers = polynomial.coefficients(names[0])
        roots = real_roots(
            [Fraction(powers[i].constant or 0) if i in powers else Fraction(0) for i in range(max(powers) + 1)]
        )
        if roots is not None:
            return any(root.value > 0 or domain.assume != "positive" for root in roots)
    signs: set[int] = set()
    for shift in range(min(4 * len(_TRIED), _MAX_TERMS // len(polynomial.terms))):
        signs.add(_sign_at(polynomial, names, shift, domain))
        if 0 in signs or len(signs) > 1:
            return True
    return None


def _sign_at(polynomial: Polynomial, names: list[str], shift: int, domain: Domain) -> int:
    point: dict[str, Rational] = {}
    for index, name in enumerate(names):
        size = _TRIED[(shift * (index + 1) + index) % len(_TRIED)]
        negative = domain.assume != "positive" and (shift >> index) & 1
        point[name] = -size if negative else size
    value = polynomial.value(point)
    return (value > 0) - (value < 0)


def _by_isolating(first: Sides, second: Sides, domain: Domain) -> bool | None:
    """For roots, logarithms and the like: put what the second says of a name into the first."""
    if _same_sides(first, second, domain) or _same_with_calls_as_names(first, second, domain):
        return True
    for name, value in _isolated(second):
        inside = {name: value}
        holds = equal(substitute(first[0], inside), substitute(first[1], inside), domain)
        if holds is not True:
            return holds
        mine = dict(_isolated(first)).get(name)
        return equal(mine, value, domain) if mine is not None else None
    return None


def _same_sides(first: Sides, second: Sides, domain: Domain) -> bool:
    """Whether the sides are the same, or their differences are up to the sign."""
    mine, theirs = (Add((a, Neg(b))) for a, b in (first, second))
    return equal(mine, theirs, domain) is True or equal(mine, Neg(theirs), domain) is True


def _same_with_calls_as_names(first: Sides, second: Sides, domain: Domain) -> bool:
    """Whether the equations are the same up to a factor without calls, each call standing for itself."""
    names: dict[Expr, Symbol] = {}

    def opaque(part: Expr) -> Expr:
        if isinstance(part, Call):
            if part.function in ("max", "min"):
                part = Call(part.function, tuple(sorted(part.arguments, key=repr)))
            return names.setdefault(part, Symbol(f"call {len(names)}"))
        return rebuild(part, opaque)

    a, b = (_numerator((opaque(left), opaque(right))) for left, right in (first, second))
    if a is None or b is None:
        return False
    hidden = {symbol.name for symbol in names.values()}
    rests = _without(a, b), _without(b, a)
    return all(not rest.used & hidden and sign(rest, domain) is not None for rest in rests)


def _isolated(sides: Sides) -> list[tuple[str, Expr]]:
    return [
        (side.name, other)
        for side, other in (sides, sides[::-1])
        if isinstance(side, Symbol) and side.name not in symbols_of(other)
    ]

"""Inequalities in one name: where they hold, as intervals whose ends are exact; None where that can't be told.

Everything is brought to one side as a quotient of polynomials; a factor of known sign is divided out, the rest is
decided by the roots (up to degree 4). Nothing is decided by sampling.
"""

from collections.abc import Iterable
from fractions import Fraction

from grader.maths.domain import Domain
from grader.maths.expression import Add, Div, Expr, Neg, Number, Pow, Symbol, symbols_of
from grader.maths.polynomial import Polynomial, RationalFunction, TooLargeError
from grader.maths.roots import MAX_DEGREE, real_roots
from grader.values import frozen

MIRRORED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "=": "=", "!=": "!=", "<<": ">>", ">>": "<<"}
_HOLDS = {"<": (-1,), ">": (1,), "<=": (-1, 0), ">=": (0, 1), "=": (0,), "!=": (-1, 1)}  # signs of left - right


@frozen
class Inequality:
    """left relation right; the relation is one of < > <= >= = != << >>."""

    left: Expr
    relation: str
    right: Expr


@frozen
class Interval:
    """The values between two ends; None is the end of the domain (0 and infinity for positive names)."""

    lower: Expr | None = None
    upper: Expr | None = None
    lower_closed: bool = False
    upper_closed: bool = False

    @property
    def is_point(self) -> bool:
        """Whether it holds one value only."""
        return self.lower is not None and self.lower == self.upper


Region = tuple[Interval, ...]
EVERYWHERE: Region = (Interval(),)


def solve(inequality: Inequality, name: str, domain: Domain) -> Region | None:
    """Where the inequality holds for the name; None if that can't be told."""
    left, relation, right = inequality.left, inequality.relation, inequality.right
    if relation not in _HOLDS:
        return None
    symbol = Symbol(name)
    if left == symbol and name not in symbols_of(right):
        return clipped(_ray(relation, right), domain)
    if right == symbol and name not in symbols_of(left):
        return clipped(_ray(MIRRORED[relation], left), domain)
    try:
        difference = RationalFunction.from_expr(Add((left, Neg(right))))
        return None if difference is None else _solved(difference.cancel(), relation, name, domain)
    except (TooLargeError, ZeroDivisionError):
        return None


def _ray(relation: str, end: Expr) -> Region:
    closed = relation in ("<=", ">=", "=")
    if relation == "=":
        return (Interval(end, end, True, True),)
    if relation == "!=":
        return (Interval(None, end), Interval(end, None))
    return (Interval(end, None, closed),) if relation[0] == ">" else (Interval(None, end, False, closed),)


def _solved(difference: RationalFunction, relation: str, name: str, domain: Domain) -> Region | None:
    top, bottom = difference.numerator, difference.denominator
    used = top.used | bottom.used
    if name not in used:
        signs = (sign(top, domain), sign(bottom, domain)) if top else (0, 1)
        if signs[0] is None or signs[1] is None:
            return None
        return EVERYWHERE if signs[0] * signs[1] in _HOLDS[relation] else ()
    degree = max(top.degree(name), bottom.degree(name))
    if used == {name} and 0 < degree <= MAX_DEGREE and (degree > 1 or bottom.degree(name)):
        found = _by_roots(top, bottom, relation, name, domain)
        if found is not None:
            return found
    below, end = sign(bottom, domain), _isolated(top, name, domain)
    if below is None or end is None:
        return None
    bound, above = end
    return clipped(_ray(relation if above * below > 0 else MIRRORED[relation], bound), domain)


def _isolated(top: Polynomial, name: str, domain: Domain) -> tuple[Expr, int] | None:
    """For c1*x^k + c0 the x at which it is 0, and the sign of c1: linear, or a pure power of a positive name."""
    parts = top.coefficients(name)
    degree = max(parts)
    if degree == 0 or set(parts) - {0, degree} or (degree > 1 and domain.assume != "positive"):
        return None
    leading = sign(parts[degree], domain)
    if leading is None:
        return None
    rest = parts.get(0, Polynomial((), {}))
    quotient = RationalFunction(-rest, parts[degree]) if rest else RationalFunction.number(0)
    bound = quotient.cancel().to_expr()
    if degree > 1:
        if sign(rest, domain) != -leading:
            return None
        bound = Pow(bound, Div(Number(1), Number(degree)))
    return bound, leading


def sign(polynomial: Polynomial, domain: Domain) -> int | None:
    """1 or -1 if the polynomial has that sign wherever the names may lie; None if that can't be told."""
    signs = {c > 0 for _, c in polynomial.monomials()}
    if len(signs) != 1 or (domain.assume != "positive" and polynomial.constant is None):
        return None
    return 1 if signs == {True} else -1


def _by_roots(top: Polynomial, bottom: Polynomial, relation: str, name: str, domain: Domain) -> Region | None:
    above, below = real_roots(_dense(top, name)), real_roots(_dense(bottom, name))
    if above is None or below is None:
        return None
    zeros = {root.value: root.expression for root in above}
    poles = {root.value: root.expression for root in below}
    cuts = sorted({**zeros, **poles}.items())
    if domain.assume == "positive":
        cuts = [cut for cut in cuts if cut[0] > 0]
    start = Fraction(0) if domain.assume == "positive" else None

    def holds(at: Fraction) -> bool:
        value = top.value({name: at}) * bottom.value({name: at})
        return (value > 0) - (value < 0) in _HOLDS[relation]

    pieces: list[Interval] = []
    for index, (low, high) in enumerate(zip([(start, None), *cuts], [*cuts, (None, None)], strict=True)):
        if index and low[0] in zeros and low[0] not in poles and 0 in _HOLDS[relation]:
            pieces.append(Interval(low[1], low[1], True, True))
        if holds(_between(low[0], high[0])):
            pieces.append(Interval(low[1], high[1]))
    return _joined(pieces)


def _between(low: Fraction | None, high: Fraction | None) -> Fraction:
    if low is None:
        return Fraction(0) if high is None else high - 1
    return low + 1 if high is None else (low + high) / 2


def _joined(pieces: list[Interval]) -> Region:
    """Neighbours that share an end which belongs to one of them become one interval."""
    found: list[Interval] = []
    for piece in pieces:
        last = found[-1] if found else None
        if last and last.upper is not None and last.upper == piece.lower and (last.upper_closed or piece.lower_closed):
            found[-1] = Interval(last.lower, piece.upper, last.lower_closed, piece.upper_closed)
        else:
            found.append(piece)
    return tuple(found)


def _dense(polynomial: Polynomial, name: str) -> list[Fraction]:
    parts = polynomial.coefficients(name)
    return [Fraction(parts[i].constant or 0) if i in parts else Fraction(0) for i in range(max(parts, default=0) + 1)]


def number(end: Expr) -> Fraction | None:
    """The value of an end without symbols, else None."""
    if symbols_of(end):
        return None
    from grader.maths.sample import number as evaluated

    value = evaluated(end)
    return None if value is None else Fraction(value)


def clipped(region: Region, domain: Domain) -> Region:
    """The region inside the domain: an end at or below 0 is no end where names are positive."""
    if domain.assume != "positive":
        return region
    found = []
    for interval in region:
        low = None if interval.lower is None else number(interval.lower)
        high = None if interval.upper is None else number(interval.upper)
        if high is not None and high <= 0:
            continue
        ended = low is not None and low <= 0
        found.append(Interval(None, interval.upper, False, interval.upper_closed) if ended else interval)
    return tuple(found)


def intersection(first: Region, second: Region) -> Region | None:
    """Where both hold; None where ends with symbols can't be ordered."""
    found: list[Interval] = []
    for a in first:
        for b in second:
            low = _tighter(a.lower, a.lower_closed, b.lower, b.lower_closed, 1)
            high = _tighter(a.upper, a.upper_closed, b.upper, b.upper_closed, -1)
            if low is None or high is None:
                return None
            piece = Interval(low[0], high[0], low[1], high[1])
            if not _empty(piece):
                found.append(piece)
    return tuple(found)


def _tighter(
    a: Expr | None, a_closed: bool, b: Expr | None, b_closed: bool, way: int
) -> tuple[Expr | None, bool] | None:
    """The end that cuts off more; `way` is 1 for lower ends, -1 for upper ones."""
    if a is None or b is None:
        return (b, b_closed) if a is None else (a, a_closed)
    if a == b:
        return a, a_closed and b_closed
    first, second = number(a), number(b)
    if first is None or second is None:
        return None
    if first == second:
        return a, a_closed and b_closed
    return (a, a_closed) if (first - second) * way > 0 else (b, b_closed)


def _empty(piece: Interval) -> bool:
    if piece.lower is None or piece.upper is None:
        return False
    low, high = number(piece.lower), number(piece.upper)
    if low is None or high is None:
        return False
    return low > high or (low == high and not (piece.lower_closed and piece.upper_closed))


def union(regions: Iterable[Region]) -> Region:
    """Where any holds; intervals with numeric ends are sorted and merged."""
    pieces = [piece for region in regions for piece in region]
    if len(pieces) < 2:
        return tuple(pieces)
    keyed = []
    for piece in pieces:
        low = Fraction(-(10**400)) if piece.lower is None else number(piece.lower)
        high = Fraction(10**400) if piece.upper is None else number(piece.upper)
        if low is None or high is None:
            return tuple(pieces)
        keyed.append((low, high, piece))
    keyed.sort(key=lambda entry: entry[:2])
    merged = [keyed[0]]
    for low, high, piece in keyed[1:]:
        last_low, last_high, last = merged[-1]
        touches = low < last_high or (low == last_high and (piece.lower_closed or last.upper_closed))
        if not touches:
            merged.append((low, high, piece))
        elif high > last_high or (high == last_high and piece.upper_closed):
            joined = Interval(last.lower, piece.upper, last.lower_closed, piece.upper_closed)
            merged[-1] = (last_low, high, joined)
    return tuple(piece for _, _, piece in merged)


def same(first: Inequality, second: Inequality, domain: Domain) -> bool | None:
    """Whether one is the other up to a factor of known sign, strictness apart; None if that can't be told."""
    if first.relation not in _HOLDS or second.relation not in _HOLDS:
        return None
    try:
        a, b = (RationalFunction.from_expr(Add((i.left, Neg(i.right)))) for i in (first, second))
        if a is None or b is None or not b:
            return None
        ratio = (a / b).cancel()
    except (TooLargeError, ZeroDivisionError):
        return None
    above, below = sign(ratio.numerator, domain), sign(ratio.denominator, domain)
    if above is None or below is None:
        return None
    relation = second.relation if above * below > 0 else MIRRORED[second.relation]
    return first.relation.rstrip("=") == relation.rstrip("=")

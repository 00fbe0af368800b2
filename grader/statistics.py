"""Statistics of a class: how hard each part is, how well it tells students apart, and how the scores are spread.

Everything is worked out from whole points in exact integers, and only the last step rounds, so the order of students
changes nothing. None stands for a figure that isn't defined: of nobody, or where nothing varies.
"""

import statistics
from collections.abc import Sequence
from math import sqrt

from grader.values import frozen


@frozen(kw_only=True)
class Spread:
    """How scores are spread, in points. The quartiles interpolate linearly (Hyndman & Fan 1996, type 7); `sd` is the
    sample's, with n - 1, and None of one score."""

    count: int
    mean: float
    sd: float | None
    least: int
    lower: float
    median: float
    upper: float
    most: int


def spread(scores: Sequence[int]) -> Spread | None:
    """The spread of some scores; None of none."""
    if not scores:
        return None
    lower, median, upper = statistics.quantiles(scores, n=4, method="inclusive") if len(scores) > 1 else 3 * [scores[0]]
    return Spread(
        count=len(scores),
        mean=sum(scores) / len(scores),
        sd=sqrt(_moment(scores, scores) / (len(scores) * (len(scores) - 1))) if len(scores) > 1 else None,
        least=min(scores),
        lower=float(lower),
        median=float(median),
        upper=float(upper),
        most=max(scores),
    )


def facility(points: Sequence[int], most: int) -> float | None:
    """The mean share of a part's `most` points, 0..1: high for an easy part (Crocker & Algina 1986, ch. 14)."""
    return sum(points) / (len(points) * most) if points and most > 0 else None


def correlation(one: Sequence[int], other: Sequence[int]) -> float | None:
    """Pearson's product-moment correlation; None where one of them does not vary."""
    both = _moment(one, one) * _moment(other, other)
    return _moment(one, other) / sqrt(both) if both else None


def discrimination(points: Sequence[int], totals: Sequence[int]) -> float | None:
    """The corrected item-total correlation: a part's points against the rest of the score, -1..1.

    The part itself is taken out of the total, which would else agree with it a little in any case (Nunnally &
    Bernstein 1994, ch. 8).
    """
    return correlation(points, [total - own for total, own in zip(totals, points, strict=True)])


def alpha(parts: Sequence[Sequence[int]]) -> float | None:
    """Cronbach's alpha of a test, from the points of each part for the same students in the same order.

    k / (k - 1) * (1 - sum of the parts' variances / variance of the totals) (Cronbach 1951). None for fewer than two
    parts, or where the totals do not vary.
    """
    totals = [sum(row) for row in zip(*parts, strict=True)]
    whole = _moment(totals, totals)
    if len(parts) < 2 or not whole:
        return None
    return len(parts) / (len(parts) - 1) * (1 - sum(_moment(part, part) for part in parts) / whole)


def _moment(one: Sequence[int], other: Sequence[int]) -> int:
    """n times the sum of the products of deviations, which is whole: the covariance without its divisor."""
    products = sum(map(int.__mul__, one, other))
    return len(one) * products - sum(one) * sum(other)

"""What a threshold says in numbers, for drawing: where the answer holds, and which bounds are accepted."""

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from typing import Any

from grader.maths import inequality
from grader.maths.expression import Expr
from grader.results import NumberLine

_LARGEST = Fraction(10) ** 300  # beyond, there is no float to draw
_MOST_STRETCHES = 4

Range = tuple[float, float]


def said(answer: Any, symbol: str) -> NumberLine | None:
    """Where a threshold's answer holds for `symbol`; None where that is no set of numbers.

    `symbol` is the one that is asked for; what is said of another is not drawn.
    """
    region = answer.regions[0]
    if not region or region == inequality.EVERYWHERE or len(region) > _MOST_STRETCHES:
        return None
    if answer.symbol not in (None, symbol):
        return None
    stretches = tuple((_end(interval.lower), _end(interval.upper)) for interval in region)
    unknown = any(
        end is not None and number is None
        for interval, numbers in zip(region, stretches, strict=True)
        for end, number in zip((interval.lower, interval.upper), numbers, strict=True)
    )
    return None if unknown else NumberLine(symbol=symbol, said=stretches)


def with_accepted(line: NumberLine | None, symbol: str, solutions: Iterable[Any], check: Any) -> NumberLine | None:
    """The line with the ranges that a check accepts around the bounds of what is right."""
    ranges = sorted(filter(None, (_range(solution.value, check) for solution in solutions)))
    if not ranges:
        return line
    return replace(line or NumberLine(symbol=symbol, said=()), accepted=tuple(_joined(ranges)))


def _range(bound: Expr | None, check: Any) -> Range | None:
    value = None if bound is None else inequality.number(bound)
    band = getattr(check, "band", None)
    if value is None or abs(value) > _LARGEST:
        return None
    room = max(Fraction(band.share) * abs(value), Fraction(band.amount)) if band else Fraction(0)
    return float(value - room), float(value + room)


def _joined(ranges: Iterable[Range]) -> Iterable[Range]:
    """Ranges by rising start, those that overlap made one."""
    found: list[Range] = []
    for start, end in ranges:
        if found and start <= found[-1][1]:
            found[-1] = found[-1][0], max(end, found[-1][1])
        else:
            found.append((start, end))
    return found


def _end(end: Expr | None) -> float | None:
    value = None if end is None else inequality.number(end)
    return None if value is None or abs(value) > _LARGEST else float(value)

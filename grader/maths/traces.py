"""What is wrong with a curve: its slope, its plateau, its ridge, or the order of several. Right values are not told."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import log

from grader.maths.unit_list import Unit
from grader.values import frozen

LEAST_POINTS = 6  # of one curve

_LOW = 0.5  # below this share of it, as rising: the bend is far away
_CONSTANT, _SPREAD = 1.05, 1.5
_CLIMBS = 0.05  # the least slope, in the log-log plane, of a curve that still rises
_OTHER_KIND = 100  # a factor beyond which values are of another kind

NO_VALUE = "the formula has no value at some of the points"
LARGER = "the larger of the two roofs was taken where the smaller one limits"
NO_SLOPE = "the curve is flat from the start: the part that the memory limits is missing"
NEVER_FLAT = "the curve never flattens in this range"
PLATEAU = "the plateau is not at this accelerator's peak"
SLOPE = "the rising part does not follow from the memory bandwidth and the bytes of this operation"
RIDGE = "the ridge is not where the two roofs meet"
COINCIDE = "the curves for all sizes coincide"
ORDER = "the order of the curves is wrong"


Point = tuple[float, float, float]  # x, the answer's y, the right y


@frozen
class Trace:
    """One curve: for each x, in ascending order, the answer's y (None: no value) and the right one."""

    label: str
    points: tuple[tuple[float, float | None, float], ...]


def near(y: float | None, right: float, share: float) -> bool:
    """Whether a value is within the share of the right one, edges included."""
    return y is not None and abs(y - right) <= share * right * (1 + 1e-12)


def faults(traces: Sequence[Trace], share: float, unit: Unit | None = None) -> tuple[str, ...]:
    """What is wrong with the curves; empty if every point is within the share of the right value."""
    wrong = {
        trace.label: tuple(_explained(trace, share, unit))
        for trace in traces
        if not all(near(y, right, share) for _, y, right in trace.points)
    }
    found = tuple(dict.fromkeys(remark for remarks in wrong.values() for remark in remarks))
    named = [_named(remark, wrong, len(traces)) for remark in found]
    if found and not {LARGER, NO_SLOPE, NO_VALUE} & set(found):
        named += _across(traces, share)
    return tuple(named)


def gaps(traces: Sequence[Trace]) -> tuple[str, ...]:
    """Which points are missing: too few of a curve, or none on one side of its ridge."""
    return tuple(f"{trace.label}: {gap}" if trace.label else gap for trace in traces for gap in _gaps(trace))


def _named(remark: str, wrong: dict[str, tuple[str, ...]], count: int) -> str:
    labels = [label for label, remarks in wrong.items() if remark in remarks]
    return remark if len(labels) == count else f"{'; '.join(labels)}: {remark}"


def _explained(trace: Trace, share: float, unit: Unit | None) -> Iterator[str]:
    points = [(x, y, right) for x, y, right in trace.points if y is not None and y > 0]
    if len(points) < len(trace.points):
        yield NO_VALUE
        return
    from statistics import median  # few curves are wrong

    if abs(median(log(y / right) for _, y, right in points)) > log(_OTHER_KIND):
        yield _other_kind(unit)
        return
    plateau = max(right for _, _, right in points)
    climbs = _climbs(points)
    if _is_constant([point for point in points if point[2] < _LOW * plateau]):
        yield LARGER if climbs else NO_SLOPE
        return
    flattens = not _climbs([(x, right, right) for x, _, right in points])
    yield from _parts(points, share, flattens=flattens, climbs=climbs)


def _parts(points: list[Point], share: float, *, flattens: bool, climbs: bool) -> Iterator[str]:
    """Which part is wrong: the plateau, the rising part, or else the bend between them."""
    plateau = flattens and (climbs or not near(points[-1][1], points[-1][2], share))
    if plateau:
        yield NEVER_FLAT if climbs else PLATEAU
    roof = _LOW * min(max(y for _, y, _ in points), max(right for _, _, right in points))
    slope = not all(near(y, right, share) for _, y, right in points if right < roof)
    if slope:
        yield SLOPE
    if not plateau and not slope:
        yield RIDGE


def _across(traces: Sequence[Trace], share: float) -> Iterator[str]:
    """What only several curves together show."""
    pairs = [pair for first, second in combinations(traces, 2) for pair in _common(first, second)]
    apart = [pair for pair in pairs if abs(pair[2] - pair[3]) > 2 * share * max(pair[2:])]
    if apart and all(abs(y - z) <= 1e-9 * max(y, z) for y, z, _, _ in pairs):
        yield COINCIDE
    elif any((y - z) * (right - other) < 0 for y, z, right, other in apart):
        yield ORDER


def _common(first: Trace, second: Trace) -> Iterator[tuple[float, float, float, float]]:
    others = {x: (y, right) for x, y, right in second.points}
    for x, y, right in first.points:
        z, other = others.get(x, (None, 0.0))
        if y is not None and z is not None:
            yield y, z, right, other


def _is_constant(points: list[Point]) -> bool:
    """Whether the answer stays where the right curve rises."""
    if len(points) < 2 or max(p[2] for p in points) < _SPREAD * min(p[2] for p in points):
        return False
    return max(p[1] for p in points) < _CONSTANT * min(p[1] for p in points)


def _climbs(points: list[Point]) -> bool:
    """Whether the answer still rises at its end."""
    if len(points) < 2 or points[-1][0] <= points[-2][0]:
        return False
    (x0, y0, _), (x1, y1, _) = points[-2:]
    return log(y1 / y0) > _CLIMBS * log(x1 / x0)


def _other_kind(unit: Unit | None) -> str:
    if unit is not None and unit.dimension.power("s") < 0:
        return f"the y values are not a rate in {unit.text}"
    return f"the y values are not in {unit.text}" if unit is not None else "the y values are of another kind"


def _gaps(trace: Trace) -> Iterator[str]:
    count = len(trace.points)
    if count < LEAST_POINTS:
        yield f"{count or 'no'} point{'s' if count != 1 else ''} where at least {LEAST_POINTS} are asked"
        return
    plateau = max(right for _, _, right in trace.points)
    flat = sum(right >= plateau * (1 - 1e-9) for _, _, right in trace.points)
    if flat < 2 or flat == count:
        yield "all points lie on one side of the ridge"

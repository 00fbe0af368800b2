"""What a plot says in numbers: usable points, the ridge, a few values. For the drawing, its description and tables."""

from bisect import bisect_left
from functools import lru_cache
from math import log10

from grader.results import Plot, Series
from grader.values import frozen

Point = tuple[float, float]
_SMALLEST, _LARGEST = 1e-300, 1e300  # what can be drawn without overflow
_FLAT = 0.005  # within this share of the highest value a curve counts as flat


@frozen
class Curve:
    """A series that can be drawn: positive points by rising x, and the ridge, if there is one."""

    label: str
    reference: bool
    points: tuple[Point, ...]
    ridge: Point | None

    @property
    def name(self) -> str:
        """The label, with whose curve it is."""
        return f"{self.label}, {'reference' if self.reference else 'yours'}"


@lru_cache(maxsize=16)
def curves(plot: Plot) -> tuple[Curve, ...]:
    """The curves of a plot that have at least two usable points."""
    return tuple(curve for curve in map(_curve, plot.series) if len(curve.points) > 1)


@lru_cache(maxsize=64)  # the reference's stand in the plots of all students
def _curve(series: Series) -> Curve:
    points = _usable(series)
    return Curve(series.label, series.kind == "reference", points, _ridge(points))


def _usable(series: Series) -> tuple[Point, ...]:
    points = {x: y for x, y in series.points if _SMALLEST <= x <= _LARGEST and _SMALLEST <= y <= _LARGEST}
    return tuple(sorted(points.items()))


def _ridge(points: tuple[Point, ...]) -> Point | None:
    """Where the rising part, drawn on, reaches the plateau: (x, y), or None if the curve never flattens."""
    if len(points) < 4:
        return None
    top = max(y for _, y in points)
    start = next(i for i, (_, y) in enumerate(points) if y >= top * (1 - _FLAT))
    flat = points[start:]
    if start < 2 or len(flat) < 2 or any(y < top * (1 - _FLAT) for _, y in flat):
        return None
    (x0, y0), (x1, y1) = points[start - 2 : start]
    slope = (log10(y1) - log10(y0)) / (log10(x1) - log10(x0))
    if slope <= 0.05:
        return None
    reached = log10(x1) + (log10(top) - log10(y1)) / slope
    x = 10 ** min(reached, log10(flat[0][0]))  # drawn on, a nearly level part may reach it beyond all numbers
    return min(max(x, x1), flat[0][0]), top


def at(curve: Curve, x: float) -> float | None:
    """The value of a curve at `x`, read off along straight lines between its points in the log-log plane."""
    xs = [p[0] for p in curve.points]
    i = bisect_left(xs, x)
    if i < len(xs) and xs[i] == x:
        return curve.points[i][1]
    if i in {0, len(xs)}:
        return None
    (x0, y0), (x1, y1) = curve.points[i - 1 : i + 1]
    share = (log10(x) - log10(x0)) / (log10(x1) - log10(x0))
    return float(10 ** (log10(y0) + share * (log10(y1) - log10(y0))))


def short(value: float | None, digits: int = 3) -> str:
    """A number to so many digits, whole below 10,000: `232`, `4.76`, `1.97e14`; a dash for none."""
    if value is None:
        return "–"
    if 10 ** (digits - 1) <= abs(value) < 10_000:
        return f"{value:.0f}"
    mantissa, _, exponent = f"{value:.{digits}g}".partition("e")
    return f"{mantissa}e{int(exponent)}" if exponent else mantissa


def describe(plot: Plot) -> str:
    """The plot in a sentence for each curve: where it begins, where it ends, where it flattens."""
    sentences = []
    for curve in curves(plot):
        (x0, y0), (x1, y1) = curve.points[0], curve.points[-1]
        way = f"from {short(y0)} at {short(x0)} to {short(y1)} at {short(x1)}"
        bend = f", flat from {short(curve.ridge[0])}" if curve.ridge else ", without a plateau"
        sentences.append(f"{curve.name}: {way}{bend}.")
    return " ".join(sentences) or "No point can be drawn."


def table(plot: Plot, rows: int = 5) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """The head and a few rows of values, all as text: the first column is x, the others are the curves."""
    drawn = curves(plot)
    if not drawn:
        return (), ()
    xs = sorted({x for curve in drawn for x, _ in curve.points})
    low, high = log10(xs[0]), log10(xs[-1])
    wanted = [low + (high - low) * i / (rows - 1) for i in range(rows)]
    picked = sorted({min(xs, key=lambda x, w=w: abs(log10(x) - w)) for w in wanted})  # type: ignore[misc]
    head = (plot.x_label, *(curve.name for curve in drawn))
    return head, tuple((short(x), *(short(at(curve, x)) for curve in drawn)) for x in picked)

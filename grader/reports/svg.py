"""A log-log plot as inline SVG, in plain Python. Colours and dashes are the page's: see the classes in style.css."""

from collections.abc import Iterable
from functools import lru_cache
from math import ceil, floor, log10

from markupsafe import Markup

from grader.reports.curves import Curve, Point, curves, describe, short
from grader.reports.markup import html_text, visible
from grader.results import Plot
from grader.values import frozen

_WIDTH, _HEIGHT = 520, 350
_LEFT, _TOP, _BOTTOM = 52, 34, 50
_LINE = 17  # height of a line of text
_LETTER = 8.2  # mean width of a letter at the size for phones
_MAX_LABEL = 24  # letters
_MAX_TICKS = 9
_HUES = 6  # colours in style.css
_SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


@frozen
class _Axis:
    """One axis: `low` and `high` are decimal logarithms, `start` and `end` the pixels they fall on."""

    low: float
    high: float
    start: float
    end: float

    def at(self, value: float) -> float:
        return self.start + (log10(value) - self.low) / (self.high - self.low) * (self.end - self.start)

    def ticks(self) -> list[int]:
        """The exponents of the powers of ten on the axis, thinned out if there are too many."""
        exponents = range(ceil(self.low - 1e-9), floor(self.high + 1e-9) + 1)
        return list(exponents[:: 1 + len(exponents) // _MAX_TICKS])


def plot_svg(plot: Plot, name: str = "plot") -> Markup:
    """The plot as one `<svg>` element; `name` begins the ids of its title and description, unique in the page."""
    drawn = curves(plot)
    labels = list(dict.fromkeys(curve.label for curve in drawn))
    right = _WIDTH - 16 - min(_MAX_LABEL, max(map(len, labels), default=0)) * _LETTER
    x, y = _axes(drawn, right)
    body = [_grid(x, y), *_lines(drawn, labels, x, y), *_ridges(drawn, labels, x, y), *_labels(drawn, labels, x, y)]
    n, title = html_text(name), f"{plot.y_label} against {plot.x_label}, both axes logarithmic"
    return Markup(  # noqa: S704 - numbers, and texts that are escaped
        f'<svg class="plot" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-labelledby="{n}-title {n}-desc">'
        f'<title id="{n}-title">{html_text(title)}</title><desc id="{n}-desc">{html_text(describe(plot))}</desc>'
        f'{"".join(body)}<text class="axis" x="8" y="16">{html_text(plot.y_label)}</text><text class="axis" '
        f'x="{_px(right)}" y="{_HEIGHT - 6}" text-anchor="end">{html_text(plot.x_label)}</text></svg>'
    )


def _axes(drawn: Iterable[Curve], right: float) -> tuple[_Axis, _Axis]:
    points = [point for curve in drawn for point in curve.points] or [(1.0, 1.0), (10.0, 10.0)]
    xs, ys = [log10(x) for x, _ in points], [log10(y) for _, y in points]
    low, high = min(xs), max(xs)
    if floor(high) - ceil(low) < 1:  # fewer than two powers of ten
        low, high = floor(low), max(ceil(high), floor(low) + 1)
    bottom, top = floor(min(ys)), max(ceil(max(ys)), floor(min(ys)) + 1)
    return _Axis(low, high, _LEFT, right), _Axis(bottom, top, _HEIGHT - _BOTTOM, _TOP)


@lru_cache(maxsize=16)
def _grid(x: _Axis, y: _Axis) -> str:
    left, base, parts = _px(x.start), _px(y.start), []
    for exponent in y.ticks():
        at = _px(y.at(10.0**exponent))
        parts.append(f'<path class="grid" d="M{left} {at}H{_px(x.end)}"/>')
        parts.append(f'<text x="{_px(x.start - 8)}" y="{at}" dy=".35em" text-anchor="end">{_power(exponent)}</text>')
    for exponent in x.ticks():
        at = _px(x.at(10.0**exponent))
        parts.append(f'<path class="tick" d="M{at} {base}v6"/>')
        parts.append(f'<text x="{at}" y="{_px(y.start + 6 + _LINE)}" text-anchor="middle">{_power(exponent)}</text>')
    parts.append(f'<path class="tick" d="{_minor(x, y)}"/>')
    parts.append(f'<path class="frame" d="M{left} {base}H{_px(x.end)}"/>')
    return "".join(parts)


def _minor(x: _Axis, y: _Axis) -> str:
    """Small marks at 2 to 9 times each power of ten on the x axis, where there is room for them."""
    if x.high - x.low > 5:
        return ""
    values = [k * 10.0**n for n in range(floor(x.low), ceil(x.high)) for k in range(2, 10)]
    return "".join(f"M{_px(x.at(v))} {_px(y.start)}v3" for v in values if x.low <= log10(v) <= x.high)


def _power(exponent: int) -> str:
    return str(10**exponent) if 0 <= exponent <= 3 else "10" + str(exponent).translate(_SUPERSCRIPT)


def _lines(drawn: Iterable[Curve], labels: list[str], x: _Axis, y: _Axis) -> list[str]:
    ordered = sorted(drawn, key=lambda curve: curve.reference)  # the reference lies on top, dashed
    return [
        f'<polyline class="curve {"reference" if curve.reference else "student"} '
        f'hue{labels.index(curve.label) % _HUES}" points="{_track(curve.points, x, y)}"/>'
        for curve in ordered
    ]


@lru_cache(maxsize=64)  # the reference's stand in the plots of all students
def _track(points: tuple[Point, ...], x: _Axis, y: _Axis) -> str:
    return " ".join(f"{_px(x.at(px))},{_px(y.at(py))}" for px, py in points)


def _ridges(drawn: Iterable[Curve], labels: list[str], x: _Axis, y: _Axis) -> list[str]:
    """A mark on the bend of each curve, a line down to the axis and the value of x, the values one above the other."""
    marks: dict[tuple[str, str], tuple[Point, Curve]] = {}
    for curve in sorted(drawn, key=lambda curve: curve.reference):
        if curve.ridge:
            marks.setdefault((curve.label, short(curve.ridge[0])), (curve.ridge, curve))
    parts, texts = [], []
    for level, ((px, py), curve) in enumerate(sorted(marks.values(), key=lambda mark: mark[0])):
        hue, at, top = labels.index(curve.label) % _HUES, _px(x.at(px)), y.at(py)
        parts.append(f'<path class="drop hue{hue}" d="M{at} {_px(top)}V{_px(y.start)}"/>')
        kind = "reference" if curve.reference else "student"
        parts.append(f'<circle class="ridge {kind} hue{hue}" cx="{at}" cy="{_px(top)}" r="4"/>')
        place = f'x="{at}" y="{_px(y.start - level * _LINE)}" dx="6" dy="-.35em"'
        texts.append(f'<text class="value hue{hue}" {place}>{short(px)}</text>')
    return [*parts, *texts]


def _labels(drawn: Iterable[Curve], labels: list[str], x: _Axis, y: _Axis) -> list[str]:
    """Each label once, at the right end of its curve, moved apart where they would overlap."""
    ends: dict[str, float] = {}
    for curve in drawn:
        ends.setdefault(curve.label, y.at(curve.points[-1][1]))
    at, parts = 0.0, []
    for label, end in sorted(ends.items(), key=lambda item: item[1]):
        at = max(end, at + _LINE)
        hue = labels.index(label) % _HUES
        place = f'class="label hue{hue}" x="{_px(x.end + 10)}" y="{_px(at)}" dy=".35em"'
        parts.append(f"<text {place}>{html_text(_shortened(visible(label)))}</text>")
    return parts


def _shortened(label: str) -> str:
    return label if len(label) <= _MAX_LABEL else label[: _MAX_LABEL - 1] + "…"


def _px(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")

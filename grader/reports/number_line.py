"""A number line as inline SVG: where an answer holds, and the range in which its bound may lie, where that is shown.

The ends of the line are made from what it shows and from nothing else: without the range, nothing tells where it is.
"""

from collections.abc import Callable
from math import ceil, floor, log10

from markupsafe import Markup

from grader.reports.curves import short
from grader.reports.markup import html_text
from grader.results import NumberLine
from grader.values import frozen

_WIDTH, _HEIGHT = 520, 112
_LEFT, _RIGHT = 24, 496
_LABEL, _SAID, _AXIS, _TICKS, _ACCEPTED = 18, 36, 58, 82, 106
_DIGITS = 5
_SMALLEST, _LARGEST = 1e-290, 1e300  # what can be drawn without overflow
_WIDE = 20  # from this ratio on the line is logarithmic

Stretch = tuple[float | None, float | None]


@frozen
class _Scale:
    """From values to pixels; `values` are those of the ticks."""

    at: Callable[[float], float]
    ticks: tuple[tuple[float, str], ...]


def describe_line(line: NumberLine) -> str:
    """The number line in a sentence: `B from 250 on; bounds from 235 to 248 are accepted`."""
    said = [f"{line.symbol} {_in_words(stretch)}" for stretch in line.said]
    accepted = [f"{short(low, _DIGITS)} to {short(high, _DIGITS)}" for low, high in line.accepted]
    told = [" or ".join(said), f"bounds from {' or '.join(accepted)} are accepted" if accepted else ""]
    return "; ".join(filter(None, told)) or "nothing can be drawn"


def line_svg(line: NumberLine, name: str = "line") -> Markup:
    """The line as one `<svg>` element; `name` begins the ids of its title and description, unique in the page."""
    scale = _scale(_values(line))
    body = [_axis(scale), *(_accepted(r, scale) for r in line.accepted), *(_said(s, scale) for s in line.said)]
    n, height = html_text(name), _HEIGHT if line.accepted else _TICKS + 6
    title, desc = html_text(f"{line.symbol} on the number line"), html_text(describe_line(line))
    return Markup(  # noqa: S704 - numbers, and texts that are escaped
        f'<svg class="plot line" viewBox="0 0 {_WIDTH} {height}" role="img" aria-labelledby="{n}-title {n}-desc">'
        f'<title id="{n}-title">{title}</title><desc id="{n}-desc">{desc}</desc>{"".join(body)}</svg>'
    )


def _in_words(stretch: Stretch) -> str:
    low, high = (None if end is None else short(end, _DIGITS) for end in stretch)
    if low == high:
        return f"at {low}"
    return f"up to {high}" if low is None else f"from {low} on" if high is None else f"from {low} to {high}"


def _values(line: NumberLine) -> list[float]:
    ends = [end for stretch in (*line.said, *line.accepted) for end in stretch if end is not None]
    return sorted(end if abs(end) > _SMALLEST else 0.0 for end in ends if abs(end) < _LARGEST)


def _scale(values: list[float]) -> _Scale:
    low, high = (values[0], values[-1]) if values else (0.0, 1.0)
    if low > 0 and high / low > _WIDE:
        return _logarithmic(floor(log10(low)), ceil(log10(high)))
    if low == high:  # what is said, alone: from 0 to twice as far
        low, high = sorted((0.0, 2 * high)) if high else (-1.0, 1.0)
    else:
        room = 0.7 * (high - low)
        low, high = (max(low - room, 0.0) if low >= 0 else low - room), high + room
    return _linear(low, high)


def _linear(low: float, high: float) -> _Scale:
    raw = (high - low) / 6
    power = 10.0 ** floor(log10(raw))
    step = next(power * k for k in (1, 2, 5, 10) if power * k >= raw)
    digits = max(ceil(log10(max(abs(low), abs(high)) / step)) + 1, 1)
    marks = [step * n for n in range(ceil(low / step - 1e-9), floor(high / step + 1e-9) + 1)]
    return _Scale(
        lambda value: _LEFT + (value - low) / (high - low) * (_RIGHT - _LEFT),
        tuple((mark, short(mark, digits)) for mark in marks),
    )


def _logarithmic(low: int, high: int) -> _Scale:
    exponents = range(low, high + 1)[:: 1 + (high - low) // 8]
    return _Scale(
        lambda value: _LEFT + (log10(max(value, 10.0**low)) - low) / (high - low) * (_RIGHT - _LEFT),
        tuple((10.0**n, short(10.0**n)) for n in exponents),
    )


def _axis(scale: _Scale) -> str:
    parts = [f'<path class="frame" d="M{_LEFT - 12} {_AXIS}H{_RIGHT + 12}"/>']
    for value, label in scale.ticks:
        x = _px(scale.at(value))
        parts.append(f'<path class="tick" d="M{x} {_AXIS}v6"/>')
        parts.append(f'<text x="{x}" y="{_TICKS}" text-anchor="middle">{label}</text>')
    return "".join(parts)


def _accepted(ends: tuple[float, float], scale: _Scale) -> str:
    """A bar on the axis, at least so wide that it is seen, and its ends in numbers under it."""
    start, end = _shown(scale, ends[0]), _shown(scale, ends[1])
    start, end = min(start, (start + end) / 2 - 1.5), max(end, (start + end) / 2 + 1.5)
    label = f"accepted: {short(ends[0], _DIGITS)} to {short(ends[1], _DIGITS)}"
    return (
        f'<path class="accepted" d="M{_px(start)} {_AXIS}H{_px(end)}"/>'
        f'<text class="label" {_placed((start + end) / 2, _ACCEPTED)}>{label}</text>'
    )


def _said(stretch: Stretch, scale: _Scale) -> str:
    """A line over the stretch, with a dot at each end and an arrow where it goes on."""
    low, high = (None if end is None else _shown(scale, end) for end in stretch)
    start, end = _LEFT - 12 if low is None else low, _RIGHT + 12 if high is None else high
    parts = [f'<path class="said hue0" d="M{_px(start)} {_SAID}H{_px(end)}"/>']
    if low is None:
        parts.append(_arrow(start, 1))
    if high is None:
        parts.append(_arrow(end, -1))
    for value, at in {stretch[0]: low, stretch[1]: high}.items():
        if value is not None and at is not None:
            parts.append(_dot(value, at))
    return "".join(parts)


def _dot(value: float, at: float) -> str:
    x = _px(at)
    return (
        f'<path class="drop hue0" d="M{x} {_SAID}V{_AXIS}"/><circle class="bound hue0" cx="{x}" cy="{_SAID}" r="5"/>'
        f'<text class="label hue0" {_placed(at, _LABEL)}>yours: {short(value, _DIGITS)}</text>'
    )


def _arrow(x: float, way: int) -> str:
    back = _px(x + 7 * way)
    return f'<path class="said hue0" d="M{back} {_SAID - 5}L{_px(x)} {_SAID}L{back} {_SAID + 5}"/>'


def _placed(at: float, y: int) -> str:
    """Where the text over or under a place begins, so that it stays within the drawing."""
    side = "start" if at < _LEFT + 80 else "end" if at > _RIGHT - 80 else "middle"
    return f'x="{_px(at)}" y="{y}" text-anchor="{side}"'


def _shown(scale: _Scale, value: float) -> float:
    return min(max(scale.at(value), _LEFT), _RIGHT)


def _px(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")

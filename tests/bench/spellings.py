"""Spells values of the answer language as people type them: plain, with stars, in Unicode, in LaTeX, in any order.

Everything is drawn from the generator that is handed in, so the same seed gives the same texts.
"""

import itertools
from fractions import Fraction
from random import Random

from grader.maths.expression import Add, Call, Constant, Div, Expr, Mul, Neg, Number, Pow, Rational, Symbol
from grader.maths.show import decimal

STYLES = ("tight", "star", "spaced", "dots", "python", "latex", "dollars")
SHARES = (35, 22, 10, 9, 8, 10, 6)  # per cent of people who write so
_SIGNS = {"tight": "", "star": "*", "spaced": " ", "dots": "·", "python": " * ", "latex": " ", "dollars": r" \cdot "}
_RAISED = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
_SUM, _PRODUCT, _POWER, _ATOM = range(4)
_Piece = tuple[str, int]


def spell(expression: Expr, style: str, draw: Random) -> str:
    """The expression in this style; the value is the same, up to the digits of numbers that never end."""
    return _spelled(_expanded(expression) if draw.random() < 0.6 else expression, style, draw)[0]


def digits(value: float, count: int) -> str:
    """The number to so many significant digits, without a power of ten where that is how people write it."""
    rounded = float(f"{value:.{count}g}")
    return f"{rounded:.{count}g}" if not 1e-3 <= abs(rounded) < 1e6 else f"{rounded:.10g}"


def number(value: Rational, style: str, draw: Random) -> str:
    """One of the ways to write the number; what never ends is cut after five digits."""
    shown = decimal(value)
    if shown is None or len(shown) > 10:
        shown = f"{float(value):.5g}".replace("e+", "e")
    if 1e-4 < abs(value) < 1e5:
        return digits(float(value), 12) if "e" in shown else shown
    mantissa, exponent = _scientific(float(shown))
    if style in ("latex", "dollars"):
        sign = draw.choice((r"\times", r"\cdot"))
        return f"{mantissa} {sign} 10^{{{exponent}}}"
    if style == "dots":
        return f"{mantissa}×10{str(exponent).translate(_RAISED)}"
    shift = exponent % 3
    forms = (f"{mantissa}e{exponent}", f"{mantissa}*10^{exponent}", f"{mantissa}E{exponent:+d}",
             f"{float(mantissa) * 10**shift:.8g}e{exponent - shift}")  # fmt: skip
    form = draw.choices(forms, (70, 15, 5, 10))[0]
    return form.replace("^", "**") if style == "python" else form


def _scientific(value: float) -> tuple[str, int]:
    exponent = int(f"{value:e}".partition("e")[2])
    return f"{value / 10.0**exponent:.6g}", exponent


def _spelled(node: Expr, style: str, draw: Random) -> _Piece:
    match node:
        case Number(value):
            shown = number(value, style, draw)
            return shown, _ATOM if shown.replace(".", "").isdigit() or "e" in shown.lower() else _PRODUCT
        case Symbol(name) | Constant(name):
            return name, _ATOM
        case Add(terms):
            return _sum(terms, style, draw), _SUM
        case Mul(factors):
            return _product(factors, style, draw), _PRODUCT
        case Div(top, bottom):
            return _fraction(top, bottom, style, draw)
        case Neg(operand):
            return "-" + _held(_spelled(operand, style, draw), _PRODUCT), _SUM
        case Pow(base, exponent):
            return _power(base, exponent, style, draw)
        case Call(function, arguments):
            inside = [_spelled(argument, style, draw)[0] for argument in _shuffled(arguments, draw)]
            mark = "\\" if style in ("latex", "dollars") else ""
            return f"{mark}{function}({', '.join(inside)})", _ATOM


def _held(piece: _Piece, least: int) -> str:
    return piece[0] if piece[1] >= least else f"({piece[0]})"


def _shuffled(items: tuple[Expr, ...], draw: Random) -> tuple[Expr, ...]:
    return tuple(draw.sample(items, len(items))) if draw.random() < 0.3 else items


def _sum(terms: tuple[Expr, ...], style: str, draw: Random) -> str:
    shown = ""
    between = "" if style == "tight" and draw.random() < 0.5 else " "
    for term in _shuffled(terms, draw):
        sign, inner = ("-", term.operand) if isinstance(term, Neg) else ("+", term)
        if isinstance(inner, Number) and inner.value < 0:
            sign, inner = "-", Number(-inner.value)
        piece = _held(_spelled(inner, style, draw), _PRODUCT)
        shown += f"{between}{sign}{between}{piece}" if shown else ("-" if sign == "-" else "") + piece
    return shown


def _product(factors: tuple[Expr, ...], style: str, draw: Random) -> str:
    numbers = [f for f in factors if isinstance(f, Number)]
    names = tuple(f for f in factors if not isinstance(f, Number | Add))
    sums = [f for f in factors if isinstance(f, Add)]
    pieces = [_held(_spelled(f, style, draw), _PRODUCT if place == 0 else _POWER)
              for place, f in enumerate([*numbers, *_shuffled(names, draw), *sums])]  # fmt: skip
    text = pieces[0]
    for before, after in itertools.pairwise(pieces):
        sign = _SIGNS[style]
        if sign == "" and (not before.isdigit() and before[-1:].isdigit()):  # 3.94e14*B, not 3.94e14B
            sign = "*"
        if sign in ("", " ") and after[:1].isdigit():
            sign = r" \cdot " if style == "latex" else "*"
        text += sign + after
    return text


def _fraction(top: Expr, bottom: Expr, style: str, draw: Random) -> _Piece:
    if style in ("latex", "dollars"):
        command = draw.choice(("frac", "frac", "dfrac"))
        return rf"\{command}{{{_spelled(top, style, draw)[0]}}}{{{_spelled(bottom, style, draw)[0]}}}", _ATOM
    above, below = _held(_spelled(top, style, draw), _PRODUCT), _held(_spelled(bottom, style, draw), _ATOM)
    return above + draw.choice(("/", "/", " / ")) + below, _PRODUCT


def _power(base: Expr, exponent: Expr, style: str, draw: Random) -> _Piece:
    below, above = _held(_spelled(base, style, draw), _ATOM), _spelled(exponent, style, draw)[0]
    if style in ("latex", "dollars"):
        return f"{below}^{{{above}}}", _POWER
    if style == "dots" and above.isdigit():
        return below + above.translate(_RAISED), _POWER
    sign = "**" if style == "python" else "^"
    return f"{below}{sign}{above if above.isalnum() else f'({above})'}", _POWER


def _expanded(node: Expr) -> Expr:
    """The expression with its products of sums multiplied out, fractions kept."""
    match node:
        case Div(top, bottom):
            return Div(_expanded(top), _expanded(bottom))
        case Mul(factors):
            sums = [f.terms if isinstance(f, Add) else (f,) for f in factors]
            terms = tuple(_term(chosen) for chosen in itertools.product(*sums))
            return terms[0] if len(terms) == 1 else Add(terms)
        case Add(terms):
            return Add(tuple(_expanded(term) for term in terms))
    return node


def _term(factors: tuple[Expr, ...]) -> Expr:
    flat = [g for f in factors for g in (f.factors if isinstance(f, Mul) else (f,))]
    sign = sum(isinstance(f, Neg) for f in flat) % 2
    flat = [f.operand if isinstance(f, Neg) else f for f in flat]
    value = Fraction(1)
    for factor in flat:
        value *= factor.value if isinstance(factor, Number) else 1
    rest = tuple(f for f in flat if not isinstance(f, Number))
    kept = (Number(value), *rest) if value != 1 or not rest else rest
    product = kept[0] if len(kept) == 1 else Mul(kept)
    return Neg(product) if sign else product

"""The expression as text that reads back to the same value, as LaTeX (which reads back, too) and as MathML.

The structure stays as typed; only numbers are brought to their shortest exact form (3.94e14).
"""

import itertools
import re
from collections.abc import Callable, Sequence
from fractions import Fraction

from grader.maths.characters import GREEK
from grader.maths.expression import Add, Call, Constant, Div, Expr, Mul, Neg, Number, Pow, Rational, Symbol

_SUM, _TERM, _SIGNED, _POWER, _ATOM = range(5)  # how tightly a text holds together
_LETTERS = {word: letter for letter, word in GREEK.items()} | {"lam": "λ"}


def decimal(value: Rational) -> str | None:
    """The exact decimal form of the number, with a power of ten where that is shorter; None if there is none."""
    sign, value = ("-", -value) if value < 0 else ("", value)
    places = _places(value.denominator)
    if places is None:
        return None
    digits = str(value.numerator * 10**places // value.denominator)
    plain = _pointed(digits, places)
    significant = digits.rstrip("0") or "0"
    exponent = len(digits) - 1 - places
    long = len(digits.lstrip("0")) - len(significant) >= 4 or exponent < -3 or len(plain) > 18
    if not long:
        return sign + plain
    scientific = _scientific(significant, exponent)
    return sign + (scientific if len(scientific) < len(plain) else plain)


def _scientific(significant: str, exponent: int) -> str:
    """d.ddde±n, the exponent kept within what may be typed."""
    typed = max(-300, min(300, exponent))
    if typed < exponent:
        significant, whole = significant.ljust(exponent - typed + 1, "0"), exponent - typed + 1
    elif typed > exponent:
        significant, whole = "0" * (typed - exponent) + significant, 1
    else:
        whole = 1
    rest = significant[whole:]
    return f"{significant[:whole]}{'.' if rest else ''}{rest}e{typed}"


def _places(denominator: int) -> int | None:
    """How many decimals 1/denominator has, or None where it never ends."""
    twos = (denominator & -denominator).bit_length() - 1
    fives, rest = 0, denominator >> twos
    while rest % 5 == 0:
        rest //= 5
        fives += 1
    places = max(twos, fives)
    return places if rest == 1 and places <= 40 + max(0, fives) * (twos == fives) else None


def _pointed(digits: str, places: int) -> str:
    if not places:
        return digits
    digits = digits.rjust(places + 1, "0")
    return (digits[:-places] + "." + digits[-places:]).rstrip("0").rstrip(".")


def text(expression: Expr) -> str:
    """The expression in plain maths."""
    return _text(expression)[0]


def _text(node: Expr) -> tuple[str, int]:
    match node:
        case Number(value):
            return _number_text(value)
        case Symbol(name):
            return name, _ATOM
        case Constant(name):
            return name, _ATOM
        case Add(terms):
            return _sum(terms, _text, "+", "-"), _SUM
        case Mul(factors):
            pieces = [_held(_text(factors[0]), _TERM), *(_held(_text(f), _SIGNED) for f in factors[1:])]
            return "*".join(pieces), _TERM
        case Div(a, b):
            return f"{_held(_text(a), _TERM)}/{_held(_text(b), _POWER)}", _TERM
        case Neg(a):
            return "-" + _held(_text(a), _TERM), _SUM
        case Pow(base, exponent):
            return f"{_held(_text(base), _ATOM)}^{_held(_text(exponent), _ATOM)}", _POWER
        case Call(function, arguments):
            return f"{function}({', '.join(text(a) for a in arguments)})", _ATOM


def _number_text(value: Rational) -> tuple[str, int]:
    shown = decimal(value)
    if shown is not None:
        return shown, _SUM if value < 0 else _ATOM
    fraction = Fraction(value)
    return f"{decimal(fraction.numerator)}/{decimal(fraction.denominator)}", _SUM if value < 0 else _TERM


def _held(piece: tuple[str, int], least: int) -> str:
    shown, tightness = piece
    return shown if tightness >= least else f"({shown})"


def _sum(terms: tuple[Expr, ...], show: Callable[[Expr], tuple[str, int]], plus: str, minus: str) -> str:
    shown = _held(show(terms[0]), _SUM)
    if isinstance(terms[0], Add):
        shown = f"({shown})"
    for term in terms[1:]:
        sign, inner = plus, term
        if isinstance(term, Neg):
            sign, inner = minus, term.operand
        elif isinstance(term, Number) and term.value < 0:
            sign, inner = minus, Number(-term.value)
        shown += f" {sign} {_held(show(inner), _TERM)}"
    return shown


# LaTeX

_COMMANDS = {name: f"\\{name}" for name in ("exp", "log", "min", "max", "sin", "cos", "tan", "sinh", "cosh", "tanh")}
_COMMANDS |= {"log2": "\\log_{2}", "log10": "\\log_{10}"}
_COMMANDS |= {"asin": "\\arcsin", "acos": "\\arccos", "atan": "\\arctan"}


def latex(expression: Expr) -> str:
    """The expression as LaTeX, without delimiters."""
    return _latex(expression)[0]


def _latex(node: Expr) -> tuple[str, int]:
    match node:
        case Number(value):
            return _number_latex(value)
        case Symbol(name):
            return _name_latex(name), _ATOM
        case Constant(name):
            return ("e" if name == "e" else "\\pi"), _ATOM
        case Add(terms):
            return _sum(terms, lambda part: _boxed(_latex(part)), "+", "-"), _SUM
        case Mul(factors):
            return _product_latex(factors), _TERM
        case Div(a, b):
            return f"\\frac{{{latex(a)}}}{{{latex(b)}}}", _SIGNED
        case Neg(a):
            return "-" + _grouped(_latex(a), _TERM), _SUM
        case Pow(base, exponent):
            return f"{_grouped(_latex(base), _ATOM)}^{{{latex(exponent)}}}", _POWER
        case Call(function, arguments):
            return _call_latex(function, arguments), _ATOM


def _boxed(piece: tuple[str, int]) -> tuple[str, int]:
    return (f"\\left({piece[0]}\\right)", _ATOM) if piece[1] < _TERM else piece


def _grouped(piece: tuple[str, int], least: int) -> str:
    shown, tightness = piece
    return shown if tightness >= least else f"\\left({shown}\\right)"


def _product_latex(factors: tuple[Expr, ...]) -> str:
    shown = _grouped(_latex(factors[0]), _TERM)
    if isinstance(factors[0], Mul):
        shown = f"\\left({shown}\\right)"
    for before, factor in itertools.pairwise(factors):
        simple = isinstance(before, Number | Symbol) and isinstance(factor, Symbol | Pow)
        simple = simple and not (isinstance(factor, Pow) and not isinstance(factor.base, Symbol))
        sign = " " if simple and "e" not in latex(before) else " \\cdot "
        shown += sign + _grouped(_latex(factor), _SIGNED)
    return shown


def _number_latex(value: Rational) -> tuple[str, int]:
    shown = decimal(value)
    if shown is None:
        fraction = Fraction(value)
        return f"\\frac{{{decimal(fraction.numerator)}}}{{{decimal(fraction.denominator)}}}", _SIGNED
    mantissa, mark, exponent = shown.partition("e")
    if mark:
        return f"{mantissa} \\times 10^{{{exponent}}}", _SUM if value < 0 else _TERM
    return shown, _SUM if value < 0 else _ATOM


def _name_latex(name: str) -> str:
    base, _, index = name.partition("_")
    base = "lambda" if base == "lam" else base
    if base in GREEK.values():
        base = "\\" + base
    elif len(base) > 1:
        base = f"\\mathrm{{{base}}}"
    if not index:
        return base
    below = index if index.isdigit() or len(index) == 1 else f"\\text{{{index}}}"
    return f"{base}_{{{below}}}"


def _call_latex(function: str, arguments: tuple[Expr, ...]) -> str:
    inside = ", ".join(map(latex, arguments))
    match function:
        case "sqrt":
            return f"\\sqrt{{{inside}}}"
        case "cbrt":
            return f"\\sqrt[3]{{{inside}}}"
        case "abs":
            return f"\\left|{inside}\\right|"
        case "floor" | "ceil":
            return f"\\left\\l{function} {inside}\\right\\r{function}"
    command = _COMMANDS.get(function, f"\\operatorname{{{function}}}")
    return f"{command}\\left({inside}\\right)"


# MathML


def mathml(expression: Expr) -> str:
    """The expression as one <math> element, every text escaped."""
    return math_element(_ml(expression)[0])


def escape(typed: str) -> str:
    """The text with what has a meaning in XML escaped (the library's function would load a web client)."""
    return typed.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def math_element(inside: str) -> str:
    """The one element around MathML made here."""
    return f'<math xmlns="http://www.w3.org/1998/Math/MathML">{_row(inside)}</math>'


def _row(inside: str) -> str:
    return f"<mrow>{inside}</mrow>"


def _mo(sign: str) -> str:
    return f"<mo>{escape(sign)}</mo>"


def _fenced(inside: str, opening: str = "(", closing: str = ")") -> str:
    return _row(_mo(opening) + inside + _mo(closing))


def _kept(piece: tuple[str, int], least: int) -> str:
    shown, tightness = piece
    return shown if tightness >= least else _fenced(shown)


def _ml(node: Expr) -> tuple[str, int]:
    match node:
        case Number(value):
            return _number_ml(value)
        case Symbol(name):
            return _name_ml(name), _ATOM
        case Constant(name):
            return f"<mi>{'e' if name == 'e' else 'π'}</mi>", _ATOM
        case Add(terms):
            return _sum_ml(terms), _SUM
        case Mul(factors):
            return _product_ml(factors), _TERM
        case Div(a, b):
            return f"<mfrac>{_row(_ml(a)[0])}{_row(_ml(b)[0])}</mfrac>", _SIGNED
        case Neg(a):
            return _mo("−") + _kept(_ml(a), _TERM), _SUM
        case Pow(base, exponent):
            return f"<msup>{_row(_kept(_ml(base), _ATOM))}{_row(_ml(exponent)[0])}</msup>", _POWER
        case Call(function, arguments):
            return _call_ml(function, arguments), _ATOM


def _sum_ml(terms: tuple[Expr, ...]) -> str:
    first = _ml(terms[0])
    shown = _fenced(first[0]) if isinstance(terms[0], Add) else first[0]
    for term in terms[1:]:
        sign, inner = ("−", term.operand) if isinstance(term, Neg) else ("+", term)
        shown += _mo(sign) + _kept(_ml(inner), _TERM)
    return shown


def _product_ml(factors: tuple[Expr, ...]) -> str:
    shown = _kept(_ml(factors[0]), _TERM)
    for before, factor in itertools.pairwise(factors):
        sign = "\u2062" if isinstance(before, Number | Symbol) and isinstance(factor, Symbol | Pow | Add) else "·"
        shown += _mo(sign) + _kept(_ml(factor), _SIGNED)
    return shown


def _number_ml(value: Rational) -> tuple[str, int]:
    shown = decimal(value)
    if shown is None:
        fraction = Fraction(value)
        return f"<mfrac><mn>{fraction.numerator}</mn><mn>{fraction.denominator}</mn></mfrac>".replace("-", "−"), _SIGNED
    mantissa, mark, exponent = shown.replace("-", "−").partition("e")
    if mark:
        return f"<mn>{mantissa}</mn>{_mo('×')}<msup><mn>10</mn><mn>{exponent}</mn></msup>", _SUM if value < 0 else _TERM
    return f"<mn>{mantissa}</mn>", _SUM if value < 0 else _ATOM


def _name_ml(name: str) -> str:
    base, _, index = name.partition("_")
    shown = f"<mi>{escape(_LETTERS.get(base, base))}</mi>"
    return f"<msub>{shown}<mtext>{escape(index)}</mtext></msub>" if index else shown


def _call_ml(function: str, arguments: tuple[Expr, ...]) -> str:
    inside = _mo(",").join(_row(_ml(argument)[0]) for argument in arguments)
    match function:
        case "sqrt":
            return f"<msqrt>{inside}</msqrt>"
        case "cbrt":
            return f"<mroot>{inside}<mn>3</mn></mroot>"
        case "abs":
            return _fenced(inside, "|", "|")
        case "floor":
            return _fenced(inside, "⌊", "⌋")
        case "ceil":
            return _fenced(inside, "⌈", "⌉")
        case "log2" | "log10":
            return f"<msub><mi>log</mi><mn>{function[3:]}</mn></msub>{_fenced(inside)}"
    return f"<mi>{escape(function)}</mi>{_fenced(inside)}"


# chains: links and the relations between them

_SIGNS = {"=": ("=", "=", "="), "~": ("≈", r"\approx", "≈"), "->": ("≈", r"\approx", "≈")}


def chain_text(links: Sequence[Expr], relations: Sequence[str]) -> str:
    """A chain such as a = b ≈ c as text."""
    return text(links[0]) + "".join(
        f" {_SIGNS[sign][0]} {text(link)}" for sign, link in zip(relations, links[1:], strict=True)
    )


def chain_latex(links: Sequence[Expr], relations: Sequence[str]) -> str:
    """A chain as LaTeX."""
    return latex(links[0]) + "".join(
        f" {_SIGNS[sign][1]} {latex(link)}" for sign, link in zip(relations, links[1:], strict=True)
    )


def chain_mathml(links: Sequence[Expr], relations: Sequence[str]) -> str:
    """A chain as one MathML element."""
    rest = (_mo(_SIGNS[sign][2]) + _ml(link)[0] for sign, link in zip(relations, links[1:], strict=True))
    return math_element(_ml(links[0])[0] + "".join(rest))


def inside(expression: Expr) -> str:
    """The expression as MathML without the element around it, to be joined with operators."""
    return _ml(expression)[0]


def operator(sign: str) -> str:
    """An operator between pieces of MathML."""
    return _mo(sign)


_UNIT = re.compile(r"([^*/()^\s]+)(?:\^(-?\d+))?|([*/()])")


def unit(spelled: str) -> str:
    """A unit such as `GB*s^-1` as MathML, upright, with its powers set high."""
    pieces = []
    for name, power, sign in _UNIT.findall(spelled):
        shown = _mo("·" if sign == "*" else sign) if sign else f'<mi mathvariant="normal">{escape(name)}</mi>'
        high = power.replace("-", "−")
        pieces.append(f"<msup>{shown}<mn>{high}</mn></msup>" if power else shown)
    return "".join(pieces)

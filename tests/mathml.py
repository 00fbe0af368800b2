"""Reads MathML as a person does, by what is seen: rows are invisible, fractions, roots and powers hold what they hold.

What is seen is written down in the answer language, every fraction and power with brackets of its own.
"""

import xml.etree.ElementTree as ET

_SIGNS = {
    "−": "-", "·": "*", "×": "*", "\u2062": "*", "≤": "<=", "≥": ">=", "≠": "!=", "≪": "<<", "≫": ">>", "≈": "≈",
    "∪": " ∪ ", ",": ", ",
}  # fmt: skip
_FENCES = {"|": "abs", "⌊": "floor", "⌈": "ceil"}


def seen(mathml: str) -> str:
    """The formula of one <math> element as text."""
    root = ET.fromstring(mathml)
    assert _name(root) == "math"
    return _row(list(root)).replace("\u00a0", " ").strip()


def _name(element: ET.Element) -> str:
    return element.tag.rpartition("}")[2]


def _row(elements: list[ET.Element]) -> str:
    return "".join(map(_one, elements))


def _one(element: ET.Element) -> str:
    inside = list(element)
    match _name(element):
        case "mrow":
            first = inside[0].text if inside and _name(inside[0]) == "mo" else None
            if first in _FENCES:
                return f"{_FENCES[first]}({_row(inside[1:-1])})"
            return _row(inside)
        case "mfrac":
            return f"(({_one(inside[0])})/({_one(inside[1])}))"
        case "msup":
            base, power = map(_one, inside)
            return f"{base}^{power}" if _name(inside[1]) == "mn" else f"{base}^({power})"
        case "msub":
            base, index = _one(inside[0]), _one(inside[1])
            return f"{base}{'' if base == 'log' and index.isdigit() else '_'}{index}"
        case "msqrt":
            return f"sqrt({_row(inside)})"
        case "mroot":
            assert _one(inside[1]) == "3"
            return f"cbrt({_one(inside[0])})"
        case "mo":
            return _SIGNS.get(element.text or "", element.text or "")
        case "mspace":
            return " "
        case "mn" | "mi" | "mtext":
            return (element.text or "").replace("−", "-")
    raise AssertionError(f"<{_name(element)}> is no element of ours")

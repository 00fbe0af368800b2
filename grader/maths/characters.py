"""The characters that may be typed: one explicit table, nothing is folded silently.

Look-alike signs, blanks and full-width forms are translated one to one, so that every position stays what it was in
the text as typed. A short list of further signs is left for the tokenizer; everything else is refused by its name.
(NFKC would be unsafe: it turns B² into B2 and 10¹⁴ into 1014.)
"""

import unicodedata

from grader.errors import ResponseError

_TRANSLATED = {
    "*": "×·∗⋅•∙⁢",  # the last is U+2062 INVISIBLE TIMES
    "/": "÷∕⁄",
    "-": "−–—‐‑‒",
    "^": "ˆ",
    "~": "∼",
    " ": "\u00a0\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000",
    "≤": "⩽≦",
    "≥": "⩾≧",
    "≈": "≃≅",
    "≪": "«",
    "≫": "»",
    "⇒": "⟹",
    "⇔": "⟺",
    "→": "⟶",
    "μ": "µ",  # the micro sign is the Greek letter
}
TABLE = {ord(sign): plain for plain, signs in _TRANSLATED.items() for sign in signs}
TABLE |= {code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}

SUPERSCRIPTS = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻", "0123456789+-", strict=True))
SUBSCRIPTS = dict(zip("₀₁₂₃₄₅₆₇₈₉", "0123456789", strict=True))
GREEK = dict(
    zip(
        "αβγδεζηθικλμνξπρστυφχψωΓΔΘΛΞΠΣΦΨΩ",
        [
            "alpha",
            "beta",
            "gamma",
            "delta",
            "epsilon",
            "zeta",
            "eta",
            "theta",
            "iota",
            "kappa",
            "lambda",
            "mu",
            "nu",
            "xi",
            "pi",
            "rho",
            "sigma",
            "tau",
            "upsilon",
            "phi",
            "chi",
            "psi",
            "omega",
            "Gamma",
            "Delta",
            "Theta",
            "Lambda",
            "Xi",
            "Pi",
            "Sigma",
            "Phi",
            "Psi",
            "Omega",
        ],
        strict=True,
    )
)
_SIGNS = "√≤≥≠≈≪≫≲≳∞→⇒⇔∪∈⌊⌋⌈⌉∅"
_KNOWN = frozenset(_SIGNS) | frozenset(SUPERSCRIPTS) | frozenset(SUBSCRIPTS) | frozenset(GREEK)

_LOOK_ALIKE = dict(
    zip("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧοАВЕЅІЈКМНОРСТУХаеорсухіѕјԁЬ", "ABEZHIKMNOPTYXoABESIJKMHOPCTYXaeopcyxisjdb", strict=True)
)
_MENDS = {
    "±": "give one number",
    "∓": "give one number",
    "“": 'write straight quotes ("), or none',
    "”": 'write straight quotes ("), or none',
    "„": 'write straight quotes ("), or none',
    "‘": "leave the quotes out",
    "’": "leave the quotes out",
    "′": "a primed name is not declared",
    "½": "write 1/2",
    "¼": "write 1/4",
    "¾": "write 3/4",
    "∝": "give the value itself",
    "∑": "write the sum out",
    "∫": "give the value of the integral",
    "…": "write the terms out",
}
_KINDS = {
    "Cc": ("control character", "control-character"),
    "Cf": ("invisible character", "invisible-character"),
    "Zl": ("line separator", "line-separator"),
    "Zp": ("line separator", "line-separator"),
    "Mn": ("combining mark", "combining-mark"),
    "Me": ("combining mark", "combining-mark"),
    "Mc": ("combining mark", "combining-mark"),
}


def plain(text: str) -> str:
    """The text with look-alike signs translated, as long as the text; ResponseError for any other odd character."""
    if text.isascii():
        return text  # control characters are met by the tokenizer
    if text[0] == "\ufeff":
        text = " " + text[1:]
    typed, text = text, text.translate(TABLE)
    for position, character in enumerate(text):
        if not character.isascii() and character not in _KNOWN:
            raise refusal(character, position)
    if "**" in text:
        _refuse_two_dots(typed, text)
    return text


def _refuse_two_dots(typed: str, text: str) -> None:
    """Two stars are a power; two of the other signs of multiplication, or two different ones, are a slip."""
    for position in range(1, len(text)):
        pair = typed[position - 1 : position + 1]
        if text[position - 1 : position + 1] == "**" and pair not in ("**", "∗∗", "＊＊"):
            raise ResponseError(
                "two signs of multiplication in a row", position=position, mend="leave one out", code="unfinished"
            )


def refusal(character: str, position: int) -> ResponseError:
    """Why the character can't stand there: its name and code point, and what was probably meant."""
    code = f"U+{ord(character):04X}"
    name = unicodedata.name(character, "")
    kind, stable = _KINDS.get(unicodedata.category(character), ("character", "character"))
    shown = f"{character} " if character.isprintable() and stable == "character" else ""
    mend = _MENDS.get(character, "leave it out")
    letter = meant(character)
    if (digit := unicodedata.digit(character, None)) is not None:
        mend, stable = f"write {digit}", "look-alike"
    elif letter:
        mend, stable = f"did you mean the letter {letter}?", "look-alike"
        if letter in "Oo":
            mend = f"did you mean the letter {letter} or the digit 0?"
    return ResponseError(
        f"{kind} {shown}{code}{' ' + name if name else ''} can't be read", position=position, mend=mend, code=stable
    )


def meant(character: str) -> str | None:
    """The ASCII letter or digit that the character looks like, if it is such a look-alike."""
    if character in _LOOK_ALIKE:
        return _LOOK_ALIKE[character]
    folded = unicodedata.normalize("NFKC", character)
    if len(folded) == 1 and folded.isascii() and folded.isalnum():
        return folded
    return _LOOK_ALIKE.get(folded)

"""Why tokens can't be read, in words for the student: position, reason, mend and a stable code."""

import re
from typing import TYPE_CHECKING, Any

from grader.errors import ResponseError, did_you_mean
from grader.maths.characters import GREEK
from grader.maths.expression import Constant
from grader.maths.vocabulary import INFINITE

if TYPE_CHECKING:
    from grader.maths.tokens import Tokens

_NOT_FINITE = INFINITE | {"nan", "NaN"}
_TRUTH = frozenset(("True", "False", "None", "true", "false"))
_WORDS = {
    "or": ("two answers", "give one answer", "two-answers"),
    "and": ("two answers", "give one answer", "two-answers"),
    **{
        word: (f"what stands behind {word} is no relation", "leave it out, or write it as one", "unknown-name")
        for word in ("if", "when", "for", "where")
    },
    "!": ("! (a factorial) is not part of the language", "write the product out", "unknown-sign"),
    ":": ("':' can't be read", "leave it out", "unknown-sign"),
    "'": ("quotes can't be read", "leave them out", "quotes"),
    "#": ("'#' can't be read", "leave it out", "unknown-sign"),
    "\\$": ("a dollar sign can't be read", "leave it out", "unknown-sign"),
    "\\": ("a backslash alone can't be read", "leave it out", "unknown-sign"),
}
_KINDS = {
    "+": ("something is missing before the sign", "finish the formula", "unfinished"),
    "*": ("something is missing before the sign", "finish the formula", "unfinished"),
    "/": ("something is missing before the sign", "finish the formula", "unfinished"),
    "^": ("something is missing before the sign", "finish the formula", "unfinished"),
    "x": ("something is missing before the superscript", "finish the formula", "unfinished"),
    "%": ("% may follow a number only", "write /100", "percent"),
    ";": ("two answers", "give one answer", "two-answers"),
    "\n": ("an answer is one line", "give one answer", "two-lines"),
    '"': ("quotes can't be read", "leave them out", "quotes"),
    "`": ("a back-tick can't be read", "leave it out", "quotes"),
    "$": ("a dollar sign can't be read", "put one pair around the whole formula, or leave it out", "dollar"),
    "i": ("a derivation stands where one value is asked", "give the value alone", "relation"),
    "|": ("| is not closed", "add |", "unbalanced"),
}


def unexpected(source: "Tokens", index: int, *, at_end: bool = False) -> ResponseError:
    """The refusal of the token at `index`, where the grammar can't go on; `at_end` means that a part ended there."""
    kind: str
    value: Any
    kind, value = ("end", None) if at_end else source.items[index]
    at = source.start(index)
    if kind == "w":
        return _word(source, value, at)
    if kind == "end":
        return _end(source, index, at)
    if kind == ")":
        if index and source.items[index - 1][0] == "(":
            return ResponseError("the brackets are empty", position=at, mend="fill them", code="unfinished")
        if index and source.items[index - 1][0] in "+-*/^,":
            return ResponseError(
                "something is missing before the bracket", position=at, mend="finish the formula", code="unfinished"
            )
        return ResponseError(
            f"{value} closes a bracket that was never opened", position=at, mend="add the opening one or drop it",
            code="unbalanced",
        )  # fmt: skip
    if kind == ",":
        return comma(source, index)
    if kind == "r":
        return _relation(source, value, at)
    reason, mend, code = _KINDS.get(kind, (f"{value or kind} can't be read here", "leave it out", "unexpected"))
    return ResponseError(reason, position=at, mend=mend, code=code)


def _end(source: "Tokens", index: int, at: int) -> ResponseError:
    if index and (before := source.items[index - 1])[0] not in ("r", "end", "i"):
        shown = source.text[source.start(index - 1) : at].strip()
        return ResponseError(
            f"something is missing after {shown}", position=source.start(index - 1) if before[0] in "+-*/^" else at,
            mend="finish the formula", code="unfinished",
        )  # fmt: skip
    return ResponseError("a value is missing", position=at, mend="finish the formula", code="unfinished")


def _relation(source: "Tokens", value: str, at: int) -> ResponseError:
    if value == "==":
        return ResponseError("== belongs to equations", position=at, mend="write =", code="double-equals")
    if value in ("<<", ">>") and re.match(r"(<<|>>)\s*\d", source.text[at:]):
        return ResponseError(
            f"the sign {value} can't be read here", position=at, mend="give the value alone", code="relation"
        )
    sign = re.match(r"[<>=!~]+|\\\\[a-z]+|.", source.text[at:])
    shown = sign[0] if sign else value
    return ResponseError(
        f"the relation {shown} stands where one value is asked", position=at, mend="give the value alone",
        code="relation",
    )  # fmt: skip


def _word(source: "Tokens", word: str, at: int) -> ResponseError:
    names = source.vocabulary.names
    if source.text[at : at + 2] == ":=":
        return ResponseError(":= can't be read", position=at, mend="write =", code="template")
    if word in _WORDS:
        reason, mend, code = _WORDS[word]
        return ResponseError(reason, position=at, mend=mend, code=code)
    if word in _NOT_FINITE:
        return ResponseError(
            f"{word} is not a finite number",
            position=at,
            mend="give a finite value",
            code="not-finite",
        )
    if word in _TRUTH:
        return ResponseError(
            f"{word} is not a number",
            position=at,
            mend="give a formula or a number",
            code="unknown-name",
        )
    if word.startswith("\\"):
        return _command(word, names, at)
    before = source.text[:at].rstrip()
    if re.fullmatch(r"[xXob][0-9A-Fa-f]+", word) and before.endswith("0") and before == source.text[:at]:
        return ResponseError(
            "hexadecimal and binary numbers can't be read",
            position=at,
            mend="write it in decimal",
            code="number",
        )
    if re.fullmatch(r"[eE]\d*", word) and before[-1:].isdigit() | (before[-1:] == "."):
        return unfinished(at)
    if re.fullmatch(r"[xX]\d*", word) and before[-1:].isdigit():
        return ResponseError(f"unknown name {word}", position=at, mend="write * for a product", code="unknown-name")
    if word[0] == "_" and before[-1:].isdigit():
        return ResponseError("a number with a stray _", position=at, mend="write 1_000 or 1000", code="number")
    if not (word[0].isalpha() or word[0] == "_"):
        return ResponseError(f"{word} can't be read", position=at, mend="leave it out", code="unknown-sign")
    return _unknown(source, word, at)


def _command(word: str, names: tuple[str, ...], at: int) -> ResponseError:
    if word[1:] in GREEK.values():
        return ResponseError(f"unknown name {word}", position=at, mend=_declared(names), code="unknown-name")
    close = did_you_mean(word[1:], (*names, *("frac", "sqrt", "cdot", "times", "left", "right", "text", "log", "ln")))
    if close:
        mend = f"did you mean {close}?" if close in names else f"did you mean \\{close}?"
    else:
        mend = "write it without LaTeX"
    return ResponseError(f"unknown command {word}", position=at, mend=mend, code="unknown-command")


def _unknown(source: "Tokens", word: str, at: int) -> ResponseError:
    names = source.vocabulary.names
    called = source.text[at + len(word) :].lstrip().startswith("(")
    functions = [name for name in source.vocabulary.arity if name != "frac"]
    close = did_you_mean(word, (*names, *functions) if called or len(word) > 2 else names)
    kind = "function" if called and not close else "name"
    inner = re.search("|".join(sorted(functions, key=len, reverse=True)), word)
    if inner and not called and 0 < len(word) - len(inner[0]) <= 3 and close in (None, inner[0]):
        mend = f"add brackets: {inner[0]}(...)"
        return ResponseError(f"{inner[0]} needs brackets", position=at, mend=mend, code="add-brackets")
    if close:
        mend = f"did you mean {close}?"
    else:
        pieces = _pieces(word, names)
        mend = f"did you mean {pieces}?" if pieces else _FUNCTIONS if kind == "function" else _declared(names)
    return ResponseError(f"unknown {kind} {word}", position=at, mend=mend, code=f"unknown-{kind}")


_FUNCTIONS = "the functions are sqrt, log, exp, max, min, ..."


def _declared(names: tuple[str, ...]) -> str:
    if not names:
        return "no names are declared here; give a number"
    shown = ", ".join(names[:8]) + (", ..." if len(names) > 8 else "")
    return f"the names here are {shown}"


def _pieces(word: str, names: tuple[str, ...]) -> str | None:
    """The word with each letter in the case that is declared: bdf may be BDF."""
    upper = {name.casefold(): name for name in names if len(name) == 1}
    letters = [upper.get(letter.casefold()) for letter in word]
    return "".join(letters) if all(letters) else None  # type: ignore[arg-type]


def unfinished(at: int) -> ResponseError:
    """An e after a number that is no exponent."""
    return ResponseError(
        "an unfinished exponent", position=at, mend="write 2e3 in one piece, or exp(1) for Euler's number",
        code="unfinished-exponent",
    )  # fmt: skip


def unfinished_exponent(source: "Tokens", begin: int, end: int) -> None:
    """Refuse 2e and 3.14e: Euler's number after a number is an exponent that was never finished, but in 2e^x."""
    for index in range(begin, begin + end):
        if source.items[index][0] == "n" and source.items[index + 1][0] == "s":
            following = source.start(index + 1)
            if source.text[following] == "e" and source.items[index + 2][0] not in "^x":
                raise unfinished(following)


def number_after(source: "Tokens", index: int) -> ResponseError:
    """A number after a name or a number: a slip of the pen, never guessed."""
    kind, value = source.items[index - 1]
    at = source.start(index)
    lexeme = source.items[index][1]
    if kind == "n":
        glued = source.text[at - 1].isdigit() or source.text[at - 1] == "." or lexeme[0] == "."
        if glued:
            return ResponseError("a number with two decimal points", position=at, mend="leave one", code="number")
        return ResponseError("two numbers side by side", position=at, mend="write * or join the digits", code="number")
    if kind == "s" and isinstance(value, Constant) and index > 1 and source.items[index - 2][0] == "n":
        return unfinished(source.start(index - 1))
    if kind == "s":
        name = source.text[source.start(index - 1) : at].strip()
        return ResponseError(
            f"a number after {name}",
            position=at,
            mend=f"write {name}*{lexeme} or {name}^{lexeme}",
            code="number-after-name",
        )
    return ResponseError("a number can't follow here", position=at, mend="write *", code="number")


def comma(source: "Tokens", index: int) -> ResponseError:
    """A comma where none can be: a decimal comma, or a list of answers."""
    at = source.start(index)
    text = source.text
    if re.search(r"\d\{?$", text[:at]) and re.match(r",\}?\d", text[at:]):
        return ResponseError(
            "a decimal comma can't be read", position=at, mend="write a point (3.35), or no comma in 57500",
            code="decimal-comma",
        )  # fmt: skip
    return ResponseError("a list of answers", position=at, mend="give one answer", code="two-answers")

"""What people write around a formula: wrappers, a label in front or behind, chains of links, a tail of reasons.

A statement is cut at its relations into parts; each part is a range of tokens that the grammar then reads whole.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from operator import itemgetter

from grader.errors import ResponseError
from grader.maths.expression import Symbol
from grader.maths.grammar import Parsed, parse, scan
from grader.maths.tokens import Tokens
from grader.maths.vocabulary import INFINITE

EQUAL = frozenset(("=", "~", "->"))  # as typed: = and ==, ≈ ~ and \approx, → and \to
ORDER = frozenset(("<", ">", "<=", ">=", "<<", ">>", "!="))
MIRRORED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "<<": ">>", ">>": "<<", "!=": "!=", "=": "=", "~": "~"}

MAX_RELATIONS = 8  # each may take long to check

_REASONS = frozenset("assuming since because given".split())  # noqa: SIM905
_CONDITIONS = frozenset("if when for where".split())  # noqa: SIM905
_FORMULA = frozenset((*"nsfFQx√+-*/^%,()|", "end"))  # kinds of tokens that a formula consists of
_kind = itemgetter(0)
_WORD = re.compile(r"\\?[A-Za-z][A-Za-z0-9_]*(_(\\[a-z]+)?\s*\{.*\})?")
_NO_LABEL = _REASONS | _CONDITIONS | INFINITE | frozenset(["or", "and", "so", "thus", "hence", "nan"])


@dataclass(frozen=True, slots=True)
class Part:
    """A range of tokens of the statement."""

    begin: int
    end: int


@dataclass(frozen=True, slots=True)
class Statement:
    """Parts and the relations between them; `remarks` tell what was left out."""

    tokens: Tokens
    parts: tuple[Part, ...]
    relations: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    bare: bool = False  # a formula and nothing else: no words, no relations, no wrappers

    def parse(self, part: Part) -> Parsed:
        """The expression of one part."""
        return parse(self.tokens, part.begin, part.end)

    def typed(self, part: Part) -> str:
        """The part as typed."""
        return typed(self.tokens, part.begin, part.end)

    def fault(self, part: Part, reason: str, mend: str, code: str) -> ResponseError:
        """A refusal at the beginning of the part."""
        return ResponseError(reason, position=self.tokens.start(part.begin), mend=mend, code=code)


def typed(tokens: Tokens, begin: int, end: int) -> str:
    """What was typed for the tokens from `begin` to `end`."""
    return tokens.text[tokens.start(begin) : tokens.start(end)].strip()


def read_statement(text: str, names: Iterable[str]) -> Statement:
    """The statement with its wrappers, its tail and a sign such as ≈ in front taken off, cut at its relations."""
    tokens = scan(text, names)
    if _FORMULA.issuperset(map(_kind, tokens.items)) and tokens.items[0][0] != "^":
        return Statement(tokens, (Part(0, len(tokens.items) - 1),), (), (), True)
    begin, end = unwrapped(tokens)
    end, remark = cut_tail(tokens, begin, end)
    begin = past_sign(tokens, begin, end)
    parts, relations = split(tokens, begin, end)
    return Statement(tokens, parts, relations, (remark,) if remark else ())


def unwrapped(tokens: Tokens) -> tuple[int, int]:
    """The range of tokens inside one pair of wrappers around everything: $, back-ticks, straight quotes, **."""
    items, begin, end = tokens.items, 0, len(tokens.items) - 1
    if end < 3:
        return begin, end
    (kind, value), (last, closing) = items[0], items[end - 1]
    if kind == last and (kind in '$`"' or (kind == "^" and value == closing == "**")):
        inside = items[1 : end - 1]
        pairs = {"\\(": "\\)", "\\[": "\\]"}
        if closing == pairs.get(value, value) and not (kind != "^" and any(k == kind for k, _ in inside)):
            begin, end = begin + 1, end - 1
            while items[begin][0] == "\n" and begin < end:
                begin += 1
            while items[end - 1][0] == "\n" and begin < end:
                end -= 1
    return begin, end


def past_sign(tokens: Tokens, begin: int, end: int) -> int:
    """The index after a sign such as ≈ or = in front of the value."""
    kind, value = tokens.items[begin]
    return begin + 1 if kind == "r" and value in EQUAL and begin + 1 < end else begin


def cut_tail(tokens: Tokens, begin: int, end: int) -> tuple[int, str | None]:
    """Where the answer ends and a reason or a condition begins, and the remark that keeps it."""
    items = tokens.items
    for index in range(begin + 1, end):
        kind, word = items[index]
        if kind != "w" or (word not in _REASONS and word not in _CONDITIONS):
            continue
        opening = index - 1 - (items[index - 1][0] == ",")
        braced = items[opening] == ("(", "}") and items[index + 1] == (")", "}")  # \text{ for }
        start, stop = opening if braced else index, end
        bracketed = items[start - 1][0] == "(" and items[end - 1][0] == ")"
        if bracketed:
            start, stop = start - 1, end - 1
        if word in _CONDITIONS and not _condition(tokens, index + 1 + braced, stop):
            continue
        if not bracketed and items[start - 1] == ("(", "}"):
            start -= 1
        if start > begin + 1 and items[start - 1][0] == ",":
            start -= 1
        if start <= begin:
            continue
        return start, f"not part of the answer: {_plain(typed(tokens, index, stop))}"
    return end, None


def _plain(reason: str) -> str:
    """The reason without the braces of a LaTeX text that began before it."""
    return " ".join(reason.replace("}", "", 1).split()) if reason.count("}") > reason.count("{") else reason


def _condition(tokens: Tokens, begin: int, end: int) -> bool:
    """Whether the tokens are a relation that reads, such as B << D, F."""
    parts, relations = split(tokens, begin, end)
    if not relations:
        return False
    try:
        for part in parts:
            for begin_piece, end_piece in _pieces(tokens, part):
                parse(tokens, begin_piece, end_piece)
    except ResponseError:
        return False
    return True


def _pieces(tokens: Tokens, part: Part) -> list[tuple[int, int]]:
    """The part cut at its commas and at `and`."""
    cuts = [i for i in range(part.begin, part.end) if tokens.items[i] in ((",", ","), ("w", "and"))]
    return list(zip([part.begin, *(cut + 1 for cut in cuts)], [*cuts, part.end], strict=True))


def split(tokens: Tokens, begin: int, end: int) -> tuple[tuple[Part, ...], tuple[str, ...]]:
    """The parts between the relations that stand outside brackets, and those relations."""
    parts, relations, level, start = [], [], 0, begin
    for index in range(begin, end):
        kind, value = tokens.items[index]
        if kind == "(":
            level += 1
        elif kind == ")":
            level -= 1
        elif kind == "r" and level == 0:
            parts.append(Part(start, index))
            relations.append(value)
            start = index + 1
    parts.append(Part(start, end))
    if len(relations) > MAX_RELATIONS:
        at = tokens.start(parts[MAX_RELATIONS].end)
        raise ResponseError(
            f"more than {MAX_RELATIONS} relations", position=at, mend="give the last steps", code="relations"
        )
    return tuple(parts), tuple(relations)


def label(statement: Statement, part: Part) -> str | None:
    r"""The word that a part consists of: AI, \AI, "OPs", T_{comm}, \text{AI}, AI(B); None if it is more or no word."""
    items, begin, end = statement.tokens.items, part.begin, part.end
    if end - begin == 3 and (items[begin][0] == '"' == items[end - 1][0] or items[begin] == ("(", "}")):
        begin, end = begin + 1, end - 1
    if end - begin > 2 and items[begin][0] == "w" and items[begin + 1] == ("(", ")") == ("(", items[end - 1][1]):
        inside = [kind for kind, _ in items[begin + 2 : end - 1]]
        if inside and set(inside[::2]) == {"s"} and set(inside[1::2]) <= {","}:
            end = begin + 1
    if end - begin != 1:
        return None
    kind, value = items[begin]
    if kind == "s" and isinstance(value, Symbol):
        return value.name
    if kind == "w" and value not in _NO_LABEL and _WORD.fullmatch(value):
        return statement.typed(Part(begin, end)).lstrip("\\").rstrip('"} ') if "{" not in value else str(value)
    return None


def is_declared(statement: Statement, part: Part) -> bool:
    """Whether the part is one declared name."""
    return part.end - part.begin == 1 and statement.tokens.items[part.begin][0] == "s"


def without_label(statement: Statement) -> Statement:
    """The statement without a label in front or behind: one word that the rest does not need."""
    parts, relations = statement.parts, statement.relations
    if not relations or any(relation not in EQUAL for relation in relations):
        return statement
    first, last = label(statement, parts[0]), label(statement, parts[-1])
    behind = last is not None and not is_declared(statement, parts[-1])
    if first is not None and not (behind and is_declared(statement, parts[0])) and _free(statement, 0):
        return _dropped(statement, first, parts[1:], relations[1:])
    if last is not None and _free(statement, len(parts) - 1):
        return _dropped(statement, last, parts[:-1], relations[:-1])
    return statement


def _free(statement: Statement, index: int) -> bool:
    """Whether the name that one part consists of does not occur in the other parts."""
    part = statement.parts[index]
    if not is_declared(statement, part):
        return True
    token = statement.tokens.items[part.begin]
    others = [p for p in statement.parts if p is not part]
    return all(statement.tokens.items[i] != token for other in others for i in range(other.begin, other.end))


def _dropped(statement: Statement, name: str, parts: tuple[Part, ...], relations: tuple[str, ...]) -> Statement:
    remark = f"the label {name} was left out"
    return replace(statement, parts=parts, relations=relations, remarks=(*statement.remarks, remark))

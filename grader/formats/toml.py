"""Answers in TOML, read statement by statement: values stay as typed (`8.1e11`, `1_000`), quoted or not.

The standard library's parser refuses a whole file for one bare `2BDF`, tells no lines and keeps no number as typed.
"""

import re

from grader.errors import SubmissionError
from grader.formats.document import MOST_UNREAD, Document, Remark, chain
from grader.linewise import unquote
from grader.yamltree import MOST_DEPTH, MOST_EVENTS, Entry, Mapping, Sequence, Text

_PART = r"""(?:"[^"\n]*"|'[^'\n]*'|[^\s"'=:：\[\]{}#,.]+)"""
_PATH = rf"{_PART}(?:\s*\.\s*{_PART})*"
_STATEMENT = re.compile(rf"({_PATH})\s*[=:：]\s*(.*)", re.DOTALL)  # a colon is a habit from YAML
_TABLE = re.compile(r"\[\[?\s*([^\[\]=]+?)\s*\]?\]?\s*(?:#.*)?")  # a missing bracket costs nothing
_CLOSED_TABLE = re.compile(r"([\w.-]+)\s*\]\]?\s*(?:#.*)?")
_STRING = re.compile(r"""("(?:[^"\\]|\\.)*"|'[^']*')[ \t]*(?:#.*)?""")
_COMMENT = re.compile(r"(?:^|[ \t])#.*$")
MOST_TITLE = 200  # letters of a table's name
_LONG = ('"""', "'''")


def read(text: str, name: str) -> Document:
    """The answers in a TOML file; SubmissionError where no answer can be told."""
    reader = _Reader(text, name)
    entries = reader.read()
    if not entries and not reader.tables:
        if not reader.unread:
            return Document(None)
        raise SubmissionError(name, 'answers are expected as lines `part = "answer"` under [answers.exercise]', 1)
    return Document(Mapping(tuple(entries)), tuple(reader.unread[:MOST_UNREAD]), text)


class _Reader:
    def __init__(self, text: str, name: str) -> None:
        self._lines = text.split("\n")
        self._name = name
        self._at = 0  # number of the line that is read, from 1
        self._left = MOST_EVENTS
        self._never: set[str] = set()  # quotes of long strings that don't come again
        self._table: tuple[str, ...] = ()
        self._row: list[Entry] | None = None
        self._entries: list[Entry] = []
        self.tables = 0
        self.unread: list[Remark] = []

    def read(self) -> list[Entry]:
        """Every answer with the keys that lead to it."""
        while self._at < len(self._lines):
            body = self._lines[self._at].strip()
            self._at += 1
            if body and not body.startswith("#"):
                self._line(body)
        self._end_of_row()
        return self._entries

    def _line(self, body: str) -> None:
        self._left -= 1
        if self._left < 0:
            raise SubmissionError(self._name, "there are too many entries in this file", self._at)
        found = _TABLE.fullmatch(body) or _CLOSED_TABLE.fullmatch(body) if len(body) <= MOST_TITLE else None
        if found:
            self._end_of_row()
            self.tables += 1
            self._table = _keys(found[1])
            self._row = [] if body.startswith("[[") else None
        elif found := _STATEMENT.fullmatch(body):
            self._statement(_keys(found[1]), found[2])
        else:
            self.unread.append((self._at, f"not read: {body[:60]}"))

    def _end_of_row(self) -> None:
        """A table in double brackets is one of several rows."""
        if self._row and len(self._table) < MOST_DEPTH:
            row = Mapping(tuple(self._row), self._row[0].line)
            self._entries.append(chain(self._table, Sequence((row,), row.line), row.line))
        self._row = None

    def _statement(self, keys: tuple[str, ...], source: str) -> None:
        line = self._at
        path = keys if self._row is not None else self._table + keys
        if len(path) > MOST_DEPTH:
            self.unread.append((line, f"not read: {'.'.join(path)[:60]}"))
            return
        (self._entries if self._row is None else self._row).append(chain(path, self._value(source), line))

    def _value(self, source: str) -> Text | Mapping:
        line = self._at
        if source.startswith(_LONG) and (long := self._long(source)) is not None:
            return Text(long.strip(), line, '"')
        if source.startswith("[") and (array := self._array(source)):
            return Text(array, line, fault="one answer is expected here, not a list of several")
        if string := _STRING.fullmatch(source):
            return Text(string[1][1:-1] if source[0] == "'" else unquote(string[1]), line, '"')
        typed = _COMMENT.sub("", source).strip()
        if typed.startswith("{") and typed.endswith("}") and (members := _members(typed[1:-1])):
            entries = [chain(_keys(m[1]), self._value(m[2].strip()), line) for m in members]
            return Mapping(tuple(entries), line, typed)
        return Text(typed, line)

    def _long(self, source: str) -> str | None:
        """A string in three quotation marks, which may go over lines; None if it isn't closed."""
        quotes, rest = source[:3], source[3:]
        if quotes in rest:
            return rest[: rest.index(quotes)]
        if quotes in self._never:
            return None
        for end in range(self._at, len(self._lines)):
            before, closed, _ = self._lines[end].partition(quotes)
            if closed:
                text = "\n".join([rest, *self._lines[self._at : end], before])
                self._at = end + 1
                return text
        self._never.add(quotes)
        return None

    def _array(self, source: str) -> str | None:
        """A list in brackets that goes over lines; None for one that doesn't, which may be an interval as typed."""
        parts, at = [_COMMENT.sub("", source).strip()], self._at
        while not parts[-1].endswith("]"):
            if at >= len(self._lines) or at - self._at > MOST_DEPTH or not self._goes_on(self._lines[at].strip()):
                return None
            parts.append(_COMMENT.sub("", self._lines[at]).strip())
            at += 1
        self._at = at
        return " ".join(parts) if len(parts) > 1 else None

    def _goes_on(self, body: str) -> bool:
        return bool(body) and not _STATEMENT.fullmatch(body) and not re.fullmatch(r"\[[\w.-]+\]", body)


def _keys(path: str) -> tuple[str, ...]:
    """The keys of a dotted path, their quotation marks taken off."""
    keys = re.findall(_PART, path) if re.fullmatch(_PATH, path) else [path.strip()]
    return tuple(key[1:-1] if key[0] in "\"'" and key[0] == key[-1] and len(key) > 1 else key for key in keys)


def _members(inside: str) -> list[re.Match[str]] | None:
    """The `key = value` of a table in braces; None if it isn't made of them."""
    pieces: list[str] = []
    for piece in re.findall(r"""(?:"(?:[^"\\]|\\.)*"|'[^']*'|[^,"']|["'])+|,""", inside):
        if piece == ",":
            continue
        if pieces and not _STATEMENT.fullmatch(piece.strip()):
            pieces[-1] += f",{piece}"  # a formula's own comma: max(a, b)
        else:
            pieces.append(piece)
    found = [match for piece in pieces if (match := _STATEMENT.fullmatch(piece.strip()))]
    return found if len(found) == len(pieces) and not any("{" in match[2] for match in found) else None

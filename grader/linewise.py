"""An answer file that isn't sound YAML, read line by line: a broken line costs at most its own answer.

Values stay as typed (`> 243`, `*2`, `{2B}` need no quotes here). Work is linear in the length of the file.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from grader.values import frozen
from grader.yamltree import MOST_DEPTH, Entry, Mapping, Text, read_yaml

MOST_LINES = 2_000  # lines with something on them
MOST_BRACES = 100  # lines whose value is a mapping in braces

# the blank after the colon may be missing, and the colon may be the full-width one
_KEY = re.compile(r"""(- +)?(?:"([^"\\]*)"[ \t]*|'([^']*)'[ \t]*|([^\s"'#:：{}\[\],&*!|>%@`-][^:：]{0,99}))[:：]""")
_BRACES = re.compile(r"[\[\]{},]+")  # a line of a file in JSON's style that only opens or closes
_BLOCK = re.compile(r"([|>])[-+0-9]*$")
_COMMENT = re.compile(r"(?:^|[ \t])#.*$")
_QUOTED = re.compile(r"""("(?:[^"\\]|\\.)*"|'(?:[^']|'')*')[ \t]*(?:#.*)?$""")
_SAFE_ESCAPE = re.compile(r"""\\(["\\/ ]|x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8})""")


@frozen
class Lines:
    """What was read: `root` is None if the file has too many lines; `unread` are lines (number, text) left out."""

    root: Mapping | None
    unread: tuple[tuple[int, str], ...] = ()


def read_lines(text: str) -> Lines:
    """The file as nested mappings, by the indentation of its keys; never raises."""
    if sum(1 for line in text.split("\n") if line.strip()) > MOST_LINES:
        return Lines(None)
    reader = _Reader(text)
    return Lines(reader.read(), tuple(reader.unread))


def unquote(source: str) -> str:
    """The text of a value in quotes. Where a backslash in double quotes isn't one of YAML's plain escapes, it is
    LaTeX and stays as typed: `"\\frac"` would be a form feed and `rac`."""
    inner = source[1:-1]
    if source.startswith("'"):
        return inner.replace("''", "'")
    if "\\" in _SAFE_ESCAPE.sub("", inner):
        return inner
    return _SAFE_ESCAPE.sub(_character, inner)


def _character(escape: re.Match[str]) -> str:
    sign = escape[1]
    code = int(sign[1:], 16) if len(sign) > 1 else ord(sign)
    return chr(code) if code <= 0x10FFFF and not 0xD800 <= code <= 0xDFFF else escape[0]


@dataclass(slots=True)
class _Open:
    """A key that is being read: its column, and the value or the entries under it so far."""

    key: str
    line: int
    column: int
    value: Text | Mapping | None = None
    entries: list["_Open"] = field(default_factory=list)

    def closed(self) -> Entry:
        if self.value is None and not self.entries:
            return Entry(self.key, Text("", self.line), self.line)
        return Entry(self.key, self.value or self.mapping(), self.line)

    def mapping(self) -> Mapping:
        return Mapping(tuple(entry.closed() for entry in self.entries), self.line)


class _Reader:
    def __init__(self, text: str) -> None:
        self._lines = text.split("\n")
        self._at = 0  # number of the line that is read, from 1
        self._braces = 0
        self._in_json_style = False
        self.unread: list[tuple[int, str]] = []

    def read(self) -> Mapping:
        stack = [_Open("", 1, -1)]
        while self._at < len(self._lines):
            line = self._lines[self._at]
            self._at += 1
            body = line.strip()
            if _BRACES.fullmatch(body):
                self._in_json_style = True
            elif body and not body.startswith(("#", "%", "---", "...")):
                self._line(stack, _column(line), body)
        return stack[0].mapping()

    def _line(self, stack: list[_Open], column: int, body: str) -> None:
        match = _KEY.match(body)
        if match is None:
            self._continued(stack[-1], column, body)
            return
        column += len(match[1] or "")
        while len(stack) > 1 and (stack[-1].column >= column or stack[-1].value is not None):
            stack.pop()
        if len(stack) > MOST_DEPTH:
            self.unread.append((self._at, body))
            return
        entry = _Open((match[2] or match[3] or match[4] or "").strip(), self._at, column)
        entry.value = self._value(body[match.end() :].strip(), column)
        stack[-1].entries.append(entry)
        stack.append(entry)

    def _continued(self, latest: _Open, column: int, body: str) -> None:
        """A line without a key goes on with the value above if it is indented more; else it can't be read."""
        value = latest.value
        if column <= latest.column or latest.column < 0 or latest.entries:
            self.unread.append((self._at, body))
        elif value is None:
            latest.value = Text(_plain(body), self._at)
        elif isinstance(value, Text) and not value.style:
            latest.value = Text(f"{value.value} {_plain(body)}".strip(), value.line)
        else:
            self.unread.append((self._at, body))

    def _value(self, source: str, column: int) -> Text | Mapping | None:
        line = self._at
        if source == "{":
            self._in_json_style = True
            return None
        if self._in_json_style:
            source = source.removesuffix(",").rstrip()
        if block := _BLOCK.match(source):
            return self._block(column, block) or Text(source, line)
        if quoted := _QUOTED.match(source):
            return Text(unquote(quoted[1]), line, source[0])
        if source.startswith("{") and self._braces < MOST_BRACES:
            self._braces += 1
            root = read_yaml(source, "", first_line=line).root
            if isinstance(root, Mapping):
                return root
        plain = _plain(source)
        return Text(plain, line) if plain else None

    def _block(self, column: int, sign: re.Match[str]) -> Text | None:
        """The block under `|` or `>`; None if there is none, so that the sign itself is what was typed (`>2`)."""
        line = self._at
        body = "\n".join(self._indented(column))
        if not body and len(sign[0]) > 1:
            return None
        return Text(body if sign[1] == "|" else body.replace("\n", " "), line, sign[1])

    def _indented(self, column: int) -> Iterator[str]:
        while self._at < len(self._lines):
            line = self._lines[self._at]
            if line.strip() and _column(line) <= column:
                return
            self._at += 1
            if line.strip():
                yield line.strip()


def _plain(source: str) -> str:
    return _COMMENT.sub("", source).strip()


def _column(line: str) -> int:
    return len(line[: len(line) - len(line.lstrip())].expandtabs(8))

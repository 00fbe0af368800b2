"""YAML to a tree of texts with line numbers, guarded: scalars stay as typed, and nothing is expanded or constructed.

No anchors, aliases, tags, merge keys, directives, duplicate keys or second documents; bounded depth and size. Every
such fault is collected; what the author must have meant is kept in the tree, so that reading can go on.
"""

import re
from collections.abc import Iterator
from typing import Any, Literal

from grader.errors import Fault
from grader.values import frozen

MOST_EVENTS = 2_000  # of an answer file; 20 times as many for a spec
MOST_DEPTH = 20


@frozen
class Text:
    """A scalar as text. `style` is its quoting: "" (plain), a quotation mark, or the sign of a block. `fault` is what
    is wrong with an answer of another format than YAML, whose own faults are the tree's."""

    value: str
    line: int | None = None
    style: str = ""
    source: str = ""  # as it stands in the file
    fault: str = ""


@frozen
class Sequence:
    """A list. `source` is the text in the file where the list is written in brackets."""

    items: tuple["Node", ...]
    line: int | None = None
    source: str = ""


@frozen
class Entry:
    """One key of a mapping and its value; `line` is the key's."""

    key: str
    value: "Node"
    line: int | None = None


@frozen
class Mapping:
    """A mapping, entries in order; a key may come twice (which is among the tree's faults)."""

    entries: tuple[Entry, ...]
    line: int | None = None
    source: str = ""


Node = Text | Sequence | Mapping


@frozen
class Tree:
    """What was read. `root` is None for an empty file, or where reading stopped: at broken `syntax` or at a `limit`."""

    root: Node | None
    faults: tuple[Fault, ...]
    stopped: Literal["", "syntax", "limit"] = ""


def read_yaml(text: str, name: str, most_events: int = MOST_EVENTS, first_line: int = 1) -> Tree:
    """The tree of one YAML document, whose lines count from `first_line`; never raises."""
    return _Reader(text, name, most_events, first_line).read()


class _StopError(Exception):
    def __init__(self, stopped: Literal["syntax", "limit"], what: str, line: int | None) -> None:
        super().__init__(what)
        self.stopped, self.what, self.line = stopped, what, line


class _Reader:
    def __init__(self, text: str, name: str, most_events: int, first_line: int) -> None:
        self._text, self._name, self._left, self._first_line = text, name, most_events, first_line
        self._faults: list[Fault] = []

    def read(self) -> Tree:
        self._line_separators()
        try:
            self._events = self._parsed()
            root = self._document()
        except _StopError as stop:
            self._fault(stop.line, stop.what)
            return Tree(None, tuple(self._faults), stop.stopped)
        return Tree(root, tuple(self._faults))

    def _parsed(self) -> Iterator[Any]:
        import yaml  # only where a YAML file is read: answers in JSON and compiled courses need none

        try:
            yield from yaml.parse(self._text, Loader=getattr(yaml, "CBaseLoader", yaml.BaseLoader))
        except yaml.reader.ReaderError as error:
            yield _StopError(
                "syntax", f"character U+{_code(error.character):04X} is not allowed", self._line_at(error.position)
            )
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            yield _StopError("syntax", _plain_words(error), mark.line + self._first_line if mark else None)
        except (yaml.YAMLError, ValueError, OverflowError):
            yield _StopError("syntax", "this is not YAML", None)

    def _next(self) -> Any:
        event = next(self._events)
        if isinstance(event, _StopError):
            raise event
        self._left -= 1
        if self._left < 0:
            raise _StopError("limit", "there are too many entries in this file", self._line(event))
        return event

    def _document(self) -> Node | None:
        self._next()  # start of the stream
        start = self._next()
        if not _is(start, "DocumentStart"):
            return None
        if start.version or start.tags:
            self._fault(self._line(start), "directives (%) are not allowed")
        root = self._node(self._next(), 1)
        self._next()  # end of the document
        more = self._next()
        if _is(more, "DocumentStart"):
            raise _StopError("syntax", "one document is expected: take out the line ---", self._line(more))
        return None if isinstance(root, Text) and not root.source else root

    def _node(self, event: Any, depth: int) -> Node:
        line = self._line(event)
        if depth > MOST_DEPTH:
            raise _StopError("limit", f"nested more than {MOST_DEPTH} levels deep", line)
        if _is(event, "Alias"):
            self._fault(line, f"aliases are not allowed: put {self._slice(event, event)} in quotes")
            return Text(self._slice(event, event), line, source=self._slice(event, event))
        if event.anchor is not None or event.tag is not None:
            kind = "anchors (&)" if event.anchor is not None else "tags (!)"
            self._fault(line, f"{kind} are not allowed; put the text in quotes if it was meant as text")
        if _is(event, "Scalar"):
            return self._scalar(event, line)
        if _is(event, "SequenceStart"):
            return self._sequence(event, depth, line)
        return self._mapping(event, depth, line)

    def _scalar(self, event: Any, line: int) -> Text:
        source = self._slice(event, event)
        if event.anchor is not None or event.tag is not None:
            return Text(source, line, source=source)
        return Text(event.value, line, event.style or "", source)

    def _sequence(self, start: Any, depth: int, line: int) -> Sequence:
        items: list[Node] = []
        event = self._next()
        while not _is(event, "SequenceEnd"):
            node = self._node(event, depth + 1)
            joined = _joined(items[-1], node) if items and start.flow_style else None
            if joined:
                self._comma(joined)
                items[-1] = joined
            else:
                items.append(node)
            event = self._next()
        return Sequence(tuple(items), line, self._slice(start, event) if start.flow_style else "")

    def _mapping(self, start: Any, depth: int, line: int) -> Mapping:
        entries: list[Entry] = []
        event = self._next()
        while not _is(event, "MappingEnd"):
            key, value = self._node(event, depth + 1), self._node(self._next(), depth + 1)
            joined = _joined(entries[-1].value, key) if entries and start.flow_style else None
            if joined and isinstance(value, Text) and not value.value:
                self._comma(joined)
                entries[-1] = Entry(entries[-1].key, joined, entries[-1].line)
            elif isinstance(key, Text):
                entries.append(Entry(key.value, value, key.line))
            else:
                self._fault(key.line, "a key must be text")
            event = self._next()
        self._keys(entries)
        return Mapping(tuple(entries), line, self._slice(start, event) if start.flow_style else "")

    def _keys(self, entries: list[Entry]) -> None:
        first: dict[str, int | None] = {}
        for entry in entries:
            if entry.key == "<<":
                self._fault(entry.line, "merge keys (<<) are not allowed")
            elif entry.key in first:
                lines = f"lines {first[entry.key]} and {entry.line}" if first[entry.key] != entry.line else "one line"
                self._fault(entry.line, f"given twice ({lines}): keep one", entry.key)
            first.setdefault(entry.key, entry.line)

    def _comma(self, joined: Text) -> None:
        self._fault(joined.line, f'YAML ends a formula at a comma: quote the formula, "{joined.value}"')

    def _line_separators(self) -> None:
        """YAML ends a line at three characters that no editor shows as a line's end."""
        for match in re.finditer("[\x85\u2028\u2029]", self._text):
            self._fault(self._line_at(match.start()), f"take out the line separator U+{ord(match[0]):04X}")

    def _line(self, event: Any) -> int:
        return int(event.start_mark.line) + self._first_line

    def _line_at(self, position: int) -> int:
        return self._text.count("\n", 0, position) + self._first_line

    def _slice(self, start: Any, end: Any) -> str:
        return self._text[start.start_mark.index : end.end_mark.index]

    def _fault(self, line: int | None, what: str, field: str = "") -> None:
        self._faults.append(Fault(self._name, line, field, what))


def _is(event: Any, kind: str) -> bool:
    return type(event).__name__ == kind + "Event"


def _joined(left: Node, right: Node) -> Text | None:
    """The formula of which YAML made two pieces at a comma: a bracket opens in the left and closes in the right one."""
    if not (isinstance(left, Text) and isinstance(right, Text)) or left.style or right.style:
        return None
    if not _open(left.value) > 0:
        return None
    return Text(f"{left.value}, {right.value}", left.line, source=f"{left.source}, {right.source}")


def _open(text: str) -> int:
    return sum(map(text.count, "([")) - sum(map(text.count, ")]"))


def _code(character: Any) -> int:
    return character if isinstance(character, int) else ord(character)


_WORDS = (
    ("cannot start any token", "a value can't begin with this character: put it in quotes"),
    (
        "mapping values are not allowed",
        "a second colon in this line, or wrong indentation: put the value in quotes",
    ),
    ("escape character", "a backslash in double quotes: use single quotes"),
    ("hexdecimal", "a backslash in double quotes: use single quotes"),
    ("comment or line break", "a value can't begin with > or |: put it in quotes"),
    ("end of stream", "a quotation mark is not closed"),
    ("undefined alias", "a value can't begin with *: put it in quotes"),
    ("block sequence entries", "a value can't begin with - and a blank: put it in quotes"),
    ("alphabetic or numeric", "a value can't begin with * or &: put it in quotes"),
    ("directive", "directives (%) are not allowed"),
    ("could not find expected ':'", "a key needs a colon and a blank after it"),
    ("',' or '}'", "a brace is not closed, or a value with a brace needs quotes"),
    ("',' or ']'", "a bracket is not closed, or a value with a bracket needs quotes"),
)


def _plain_words(error: Any) -> str:
    problem = f"{error.problem or ''} {error.context or ''}"
    for sign, words in _WORDS:
        if sign in problem:
            return words
    return "this is not YAML: check the indentation (no tabs), the quotes and the brackets"

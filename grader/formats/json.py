"""Answers in JSON: numbers stay as typed, and LaTeX in strings is kept where its backslashes weren't doubled."""

import json
import re
from collections.abc import Iterator
from itertools import repeat
from typing import Any

from grader.errors import SubmissionError
from grader.formats.document import Document
from grader.yamltree import MOST_DEPTH, MOST_EVENTS, Entry, Mapping, Node, Sequence, Text

_MOST_BRACKETS = 200  # which the parser can nest
_STRING = re.compile(r'"(?:[^"\\]|\\.?)*(?:"|\Z)', re.DOTALL)
_KEY = re.compile(rf"{_STRING.pattern}(\s*:)?", re.DOTALL)
_ESCAPE = re.compile(r'\\(?:["\\/]|u[0-9A-Fa-f]{4}|n(?![A-Za-z]))')


class _Pairs(list[tuple[str, Any]]):
    """The members of a JSON object, in order and with repetitions."""


class _TwiceError(ValueError):
    """A key comes twice in one object."""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise _TwiceError
    return members


_typed = {"parse_float": str, "parse_int": str, "parse_constant": str}
_FULL = json.JSONDecoder(object_pairs_hook=_Pairs, **_typed)  # type: ignore[arg-type]
_PLAIN = json.JSONDecoder(object_pairs_hook=_object, **_typed)  # type: ignore[arg-type]


def read_plain(data: bytes) -> Any:
    """What JSON says in which nothing needs care: no backslash, no key twice, small. None for any other text."""
    needs_care = b"\\" in data or b"\0" in data or b"\xef\xbf\xbd" in data  # U+FFFD may stand for a bad byte
    if needs_care or data.count(b"{") + data.count(b"[") > _MOST_BRACKETS or data.count(b",") > MOST_EVENTS:
        return None
    try:
        return _PLAIN.decode(data.decode("utf-8"))
    except ValueError:
        return None


def read(text: str, name: str) -> Document:
    """The answers in a JSON file; SubmissionError where no answer can be told."""
    if not text.strip():
        return Document(None)
    bounded(text, name)
    try:
        data = _FULL.decode(_STRING.sub(_with_latex, text))
    except json.JSONDecodeError as error:
        return _broken(error, text, name)
    root = _node(data, _lines(text) if "\n" in text.strip() else repeat(None), None)
    if not isinstance(root, Mapping):
        raise SubmissionError(name, 'answers are expected as {"answers": {exercise: {part: answer}}}', 1)
    return Document(root, text=text)


def _broken(error: json.JSONDecodeError, text: str, name: str) -> Document:
    """The answers in what is nearly JSON: a comma too many, a quotation mark too few."""
    from grader.formats import yaml  # few files are broken

    try:
        document = yaml.read(text, name)  # which is more lenient
        swallowed = document.root is not None and any('"' in key for key in _keys(document.root))
        return yaml.read_by_lines(_indented(text), name) if swallowed and "\n" in text.strip() else document
    except SubmissionError:
        raise SubmissionError(name, f"this is not JSON: {error.msg.lower()}", error.lineno) from None


def _indented(text: str) -> str:
    """The text with the indentation that its braces ask for, where it has none by itself."""
    lines = text.split("\n")
    if any(line[:1] in (" ", "\t") for line in lines):
        return text
    depth = 0
    for at, line in enumerate(lines):
        if line.startswith(("}", "]")):
            depth = max(depth - 1, 0)
        lines[at] = " " * min(depth, MOST_DEPTH) + line
        if line.rstrip().endswith(("{", "[")):
            depth += 1
    return "\n".join(lines)


def _keys(node: Node) -> Iterator[str]:
    for entry in node.entries if isinstance(node, Mapping) else ():
        yield entry.key
        yield from _keys(entry.value)


def bounded(text: str, name: str, most_depth: int = MOST_DEPTH, most_entries: int = MOST_EVENTS) -> None:
    """SubmissionError if the text is nested too deeply or has too many entries to be parsed without care."""
    depth = most = 0
    bare = _STRING.sub("", text)
    for bracket in re.findall(r"[\[\]{}]", bare):
        depth += 1 if bracket in "[{" else -1
        most = max(most, depth)
    if most > most_depth:
        raise SubmissionError(name, f"nested more than {most_depth} levels deep")
    if bare.count(",") > most_entries:
        raise SubmissionError(name, "there are too many entries in this file")


def is_sound(text: str) -> bool:
    """Whether the text has no half of a surrogate pair."""
    if text.isascii():
        return True
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def clean(text: str) -> str:
    """The text with halves of surrogate pairs, which are no characters, shown as they were typed."""
    return text if is_sound(text) else text.encode("utf-8", "backslashreplace").decode("utf-8")


def _with_latex(string: re.Match[str]) -> str:
    """The JSON string; a backslash that can't be meant as JSON's escape is LaTeX's (`"\\frac"`), and doubled."""
    return string[0] if "\\" not in _ESCAPE.sub("", string[0]) else re.sub(r'\\(?!["\\])', r"\\\\", string[0])


def _lines(text: str) -> Iterator[int]:
    """The lines of all keys, in the order of the text, which is that of the tree."""
    line, position = 1, 0
    for match in _KEY.finditer(text):
        if match[1]:
            line += text.count("\n", position, match.start())
            position = match.start()
            yield line


def _node(data: Any, lines: Iterator[int | None], line: int | None) -> Node:
    if isinstance(data, _Pairs):
        return Mapping(tuple(_entry(key, value, lines) for key, value in data), line)
    if isinstance(data, list):
        return Sequence(tuple(_node(item, lines, line) for item in data), line)
    if isinstance(data, str):
        return Text(clean(data), line, '"')
    return Text("" if data is None else str(data).lower(), line)


def _entry(key: str, value: Any, lines: Iterator[int | None]) -> Entry:
    line = next(lines)
    return Entry(clean(key), _node(value, lines, line), line)

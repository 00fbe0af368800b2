"""Answers in a Jupyter notebook: its cells tagged `answers`, which hold YAML, or else its Markdown cells.

Nothing is run, and what was run isn't read: neither code nor outputs.
"""

import json
import re
from collections.abc import Iterator
from typing import Any

from grader.errors import SubmissionError
from grader.formats import markdown
from grader.formats.document import Document, Remark
from grader.formats.json import bounded, clean
from grader.formats.text import read as read_text
from grader.linewise import unquote
from grader.values import frozen
from grader.yamltree import Entry, Mapping

MOST_DEPTH = 100  # outputs may be nested
MOST_ENTRIES = 100_000  # a file of 64 KiB has fewer
MOST_CELLS = 500
TAG = "answers"

_KIND = re.compile(r'"cell_type"\s*:\s*"(\w+)"')
_MEMBER = re.compile(r'"(?:cells|cell_type|id|metadata|outputs|source|execution_count|attachments|nbformat)"\s*:')
_TAG = re.compile(rf'"{TAG}",?', re.IGNORECASE)
_TAGS = re.compile(rf'"tags"\s*:.*"{TAG}"', re.IGNORECASE)
_SOURCE = re.compile(r'"source"\s*:\s*(\[?)\s*(.*)')


@frozen
class Cell:
    """A cell whose text may hold answers; `number` counts all cells of the notebook from 1."""

    number: int
    kind: str
    text: str
    tagged: bool = False


def read(text: str, name: str) -> Document:
    """The answers in a notebook; SubmissionError where there is none to be told."""
    if not text.strip():
        return Document(None)
    bounded(text, name, MOST_DEPTH, MOST_ENTRIES)
    cells = [cell for cell in _cells(text, name) if cell.text.strip()]
    chosen = [cell for cell in cells if cell.tagged] or [cell for cell in cells if cell.kind == "markdown"]
    if not chosen:
        raise SubmissionError(name, f"answers are expected in Markdown cells, or in a cell with the tag {TAG}")
    joined = "\n".join(cell.text for cell in chosen)
    places = tuple(
        f"cell {cell.number}, line {line}" for cell in chosen for line in range(1, cell.text.count("\n") + 2)
    )
    reading = _tagged if chosen[0].tagged else _markdown
    root, remarks = reading(chosen, name)
    return Document(root, tuple(remarks), joined, places)


def _markdown(cells: list[Cell], name: str) -> tuple[Mapping, list[Remark]]:
    reader = markdown.Reader(name)
    line = 1
    for cell in cells:
        reader.read(cell.text, line)
        line += cell.text.count("\n") + 1
    return reader.root(), reader.remarks


def _tagged(cells: list[Cell], name: str) -> tuple[Mapping, list[Remark]]:
    entries: list[Entry] = []
    remarks: list[Remark] = []
    before = 0
    for cell in cells:
        magic = cell.text.replace("%%", "# ", 1) if cell.text.startswith("%%") else cell.text
        try:
            document = read_text("\n" * before + magic, name)
        except SubmissionError as error:
            remarks.append((before + 1, f"not read: {error.fault.what}"))
        else:
            entries += document.root.entries if document.root else ()
            remarks += document.remarks
        before += cell.text.count("\n") + 1
    return Mapping(tuple(entries)), remarks


def _cells(text: str, name: str) -> Iterator[Cell]:
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        cells = list(_by_lines(text))
        if not cells:
            raise SubmissionError(name, f"this is not a notebook: {error.msg.lower()}", error.lineno) from None
        yield from cells
        return
    listed = data.get("cells") if isinstance(data, dict) else None
    if not isinstance(listed, list):
        raise SubmissionError(name, "this is not a notebook: it has no cells")
    for number, cell in enumerate(listed[:MOST_CELLS], 1):
        if isinstance(cell, dict):
            yield Cell(number, str(cell.get("cell_type")), _source(cell.get("source")), _is_tagged(cell))


def _source(source: Any) -> str:
    lines = [source] if isinstance(source, str) else source if isinstance(source, list) else []
    text = clean("".join(line for line in lines if isinstance(line, str)))
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _is_tagged(cell: dict[str, Any]) -> bool:
    metadata = cell.get("metadata")
    tags = metadata.get("tags") if isinstance(metadata, dict) else None
    return isinstance(tags, list) and any(isinstance(tag, str) and tag.lower() == TAG for tag in tags)


def _by_lines(text: str) -> Iterator[Cell]:
    """The cells of a notebook that isn't sound JSON, as Jupyter writes them: each line of a source on its own line."""
    number, kind, tagged = 0, "", False
    source: list[str] | None = None  # of the cell that is being read
    for line in (*text.split("\n"), '"cells":'):
        body = line.strip()
        if source is not None:
            if not _MEMBER.match(body):
                source += [body] if body.strip("{}[],") else []
                continue
            yield Cell(number, kind, clean("\n".join(map(_line, source))), tagged)
            source = None
        if found := _KIND.search(body):
            number, kind, tagged = number + 1, found[1], False
        elif _TAG.fullmatch(body) or _TAGS.match(body):
            tagged = True
        elif kind and (found := _SOURCE.match(body)):
            alone = found[2] if found[2].strip("],") else ""
            source = [alone] if alone else []


def _line(source: str) -> str:
    """One line of a cell, as JSON or, where that is broken, as it was plainly meant."""
    source = source.strip().rstrip("],").strip() if source.strip().endswith("]") else source.strip().rstrip(",")
    try:
        read = json.loads(source)
    except ValueError:
        inner = source.strip('"').removesuffix("\\n")
        return unquote(f'"{inner}"')
    return read.removesuffix("\n") if isinstance(read, str) else ""

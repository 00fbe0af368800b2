"""Files written piece by piece, and what several formats need for it."""

import io
import json
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib import import_module
from itertools import chain
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from grader.errors import GraderError
from grader.gradebook import Row


class Pieces(io.RawIOBase):
    """A file to write to whose content is taken away piece by piece."""

    def __init__(self) -> None:
        self._waiting: list[bytes] = []

    def writable(self) -> bool:
        """It is for writing only."""
        return True

    def write(self, data: Any, /) -> int:
        """Keep the data until they are taken."""
        self._waiting.append(bytes(data))
        return len(self._waiting[-1])

    def take(self) -> bytes:
        """What was written since the last time."""
        piece = b"".join(self._waiting)
        self._waiting.clear()
        return piece


def one_or_zip(
    rows: Iterable[Row], content: Callable[[Row], bytes], place: Callable[[Row, int], str], *, archive: bool
) -> Iterator[bytes]:
    """The content of a single row; for several rows, or with `archive`, a zip with each one's at its place."""
    rest = iter(rows)
    first, second = next(rest, None), next(rest, None)
    if first is not None and second is None and not archive:
        yield content(first)
        return
    pieces = Pieces()
    with ZipFile(pieces, "w") as zipped:
        begun = (row for row in (first, second) if row is not None)
        for number, row in enumerate(chain(begun, rest), 1):
            zipped.writestr(member(place(row, number)), content(row))
            yield pieces.take()
    yield pieces.take()


def student_folder(row: Row, number: int) -> str:
    """The name of a folder for a row: its number, and what of the student's id a path may hold."""
    plain = re.sub(r"[^A-Za-z0-9-]+", "-", row.student.id)[:40].strip("-")
    return f"{number:06d}-{plain}".rstrip("-")


def member(name: str) -> ZipInfo:
    """A file in a zip, the same whenever and wherever it is made."""
    info = ZipInfo(name, date_time=(1980, 1, 1, 0, 0, 0))
    info.compress_type, info.create_system, info.external_attr = ZIP_DEFLATED, 3, 0o644 << 16
    return info


def strict_json(data: Any, indent: int | None = None) -> bytes:
    """JSON in UTF-8 that every reader takes: null for what is no number, escapes for halves of surrogate pairs."""
    try:
        text = json.dumps(data, ensure_ascii=False, allow_nan=False, indent=indent)
    except ValueError:
        text = json.dumps(_finite(data), ensure_ascii=False, allow_nan=False, indent=indent)
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:
        return json.dumps(_finite(data), allow_nan=False, indent=indent).encode("ascii")


def _finite(data: Any) -> Any:
    if isinstance(data, Mapping):
        return {name: _finite(value) for name, value in data.items()}
    if isinstance(data, list):
        return [_finite(value) for value in data]
    return None if isinstance(data, float) and not math.isfinite(data) else data


def library(name: str, extra: str) -> Any:
    """A library that only one format needs; GraderError with what to install if it isn't there."""
    try:
        return import_module(name)
    except ImportError:
        raise GraderError(
            f"this format needs the library {name.partition('.')[0]}: pip install 'roofline-grader[{extra}]'"
        ) from None

"""Files by URL, read as streams: JSON Lines and tables, `.gz` too, wherever fsspec reaches (the extra `cluster`).

A URL names one file, or several by `*`: `s3://bucket/answers-*.jsonl`. Nothing is guessed: what is there as a local
path stays one, even with `://` in its name.
"""

import io
import os
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, BinaryIO

from grader.errors import GraderError, SubmissionError
from grader.sources.candidate import Candidate
from grader.sources.jsonl import Jsonl
from grader.sources.place import Place
from grader.sources.table import Table
from grader.sources.tree import Budget, Contents, DiskDirectory, File, clean
from grader.values import frozen

_ENDINGS = (".jsonl", ".ndjson", ".csv", ".tsv")
_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.:_-]*://")
_ROWS = "expected are files of rows, .jsonl (or .ndjson) and .csv (or .tsv), perhaps with .gz behind"


def is_url(path: object) -> bool:
    """Whether this is a URL, and no path that is there."""
    return isinstance(path, str) and _URL.match(path) is not None and not os.path.lexists(path)


def filesystem(url: str) -> tuple[Any, str]:
    """What reads and writes where a URL points, and the path there; GraderError that says what has to be installed."""
    scheme = url.partition("://")[0]
    try:
        core = import_module("fsspec.core")
    except ImportError:
        raise GraderError(
            f"{scheme}://: URLs need the library fsspec: pip install 'roofline-grader[cluster]'"
        ) from None
    try:
        system, path = core.url_to_fs(url)
    except ImportError as error:
        raise GraderError(f"{scheme}://: this kind of URL needs one more library: {error}") from None
    except Exception as error:  # each kind has errors of its own
        raise GraderError(f"{scheme}://: this can't be opened: {error}") from None
    return system, str(path)


@frozen
class RemoteFile:
    """A file that a URL names. `source` has no credentials in it."""

    system: Any
    path: str
    source: str
    name: str
    fault: str = ""
    link: bool = False
    time: float | None = None

    def called(self, name: str) -> File:
        """The same file under another name."""
        return RemoteFile(self.system, self.path, self.source, name)

    def read(self, limit: int) -> bytes:
        """The bytes; SubmissionError if there are more than `limit`."""
        with self.opened() as stream:
            data = stream.read(limit + 1)
        if len(data) > limit:
            raise SubmissionError(self.source, f"the file is larger than {limit // 1024} KiB")
        return data

    def opened(self) -> BinaryIO:
        """A stream of the bytes, unpacked where the name ends in `.gz`."""
        packed = "gzip" if self.path.endswith(".gz") else None
        try:
            return io.BufferedReader(_Told(self.system.open(self.path, "rb", compression=packed), self.source))
        except Exception as error:  # each kind of storage has errors of its own
            raise SubmissionError(self.source, f"the file can't be opened ({_words(error)})") from None


class _Told(io.RawIOBase):
    """A stream whose failures are told with the file: networks fail in the middle, archives are cut short."""

    def __init__(self, stream: Any, source: str) -> None:
        self._stream, self._source = stream, source

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        view = memoryview(buffer)
        try:
            data: bytes = self._stream.read(len(view))
        except Exception as error:
            raise SubmissionError(self._source, f"reading was broken off ({_words(error)})") from None
        view[: len(data)] = data
        return len(data)

    def close(self) -> None:
        if not self.closed:
            self._stream.close()
        super().close()


def _words(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error)[:200] or type(error).__name__


@frozen
class Remote:
    """What one URL names: files, each of many submissions."""

    files: tuple[RemoteFile, ...]

    def candidates(self) -> Iterator[Candidate]:
        """The submissions in all files, row by row; SubmissionError for a file that holds none."""
        for file in self.files:
            directory = DiskDirectory(Path(), file.source.rpartition("/")[0], Budget(0), "")
            place = Place(directory=directory, contents=Contents((), (file,)), alone=True)
            claim = Jsonl().claim(place) or Table().claim(place)
            if claim is None:
                raise SubmissionError(file.source, f"this table names no students and parts; {_ROWS}")
            yield from claim.candidates


def remote(url: str) -> Remote:
    """The files that a URL names; SubmissionError if there are none, or if they are of another kind."""
    system, path = filesystem(url)
    source = named(system, path)
    try:
        paths = sorted(system.glob(path)) if "*" in path else [path] if system.exists(path) else []
        folder = not paths or (len(paths) == 1 and system.isdir(paths[0]))
    except Exception as error:
        raise SubmissionError(source, f"this can't be reached ({_words(error)})") from None
    if not paths:
        raise SubmissionError(source, "there is no such file")
    if folder:
        raise SubmissionError(source, f"this is a folder; name the files in it, such as {source.rstrip('/')}/*.jsonl")
    return Remote(tuple(_file(system, str(found)) for found in paths))


def _file(system: Any, path: str) -> RemoteFile:
    source = named(system, path)
    name = clean(source.rpartition("/")[2].removesuffix(".gz"))
    if not name.lower().endswith(_ENDINGS):
        raise SubmissionError(source, _ROWS)
    return RemoteFile(system, path, source, name)


def named(system: Any, path: str) -> str:
    """How a file is called in messages and results: without the signature that a URL may carry, and who signs."""
    scheme, _, rest = clean(str(system.unstrip_protocol(path))).partition("?")[0].partition("://")
    host, slash, inside = rest.partition("/")
    return f"{scheme}://{host.rpartition('@')[2]}{slash}{inside}"

"""Zip archives as folders, read entry by entry under limits; nothing is ever unpacked to disk.

An entry that no honest program writes (outside the target, a link, a device, encrypted, there twice, a name cut by a
NUL) is kept where it claims to be, with its fault: it costs the submission it belongs to, not the others.
"""

import io
import re
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import BinaryIO
from weakref import finalize

from grader.errors import SubmissionError
from grader.files import shown
from grader.sources.tree import MOST_LEVELS, Contents, File, clean, join
from grader.values import frozen

_DAMAGE = (
    zipfile.BadZipFile, zlib.error, struct.error, NotImplementedError, RuntimeError, EOFError, OSError, ValueError,
    OverflowError, IndexError, KeyError,
)  # fmt: skip
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # the others can't be unpacked in bounded pieces
_KINDS = {stat.S_IFLNK: "a link", stat.S_IFIFO: "a pipe", stat.S_IFSOCK: "a socket"}
_DAMAGED = "the archive is damaged"


@frozen
class Limits:
    """How many entries an archive may have, how many bytes may be unpacked from it, and its own size in bytes."""

    entries: int
    unpacked: int
    packed: int | None = None


CLASS = Limits(200_000, 2 << 30)
STUDENT = Limits(10_000, 1 << 20, 2 << 20)


class Archive:
    """An open zip: its tree of entries, and their bytes."""

    def __init__(self, stream: BinaryIO, source: str, name: str, limits: Limits) -> None:
        self._limits, self._unpacked = limits, 0
        try:
            _bounded(stream, limits.entries, name)
            self._zip = zipfile.ZipFile(stream)
        except _DAMAGE:
            stream.close()
            raise SubmissionError(name, _DAMAGED) from None
        except SubmissionError:
            stream.close()
            raise
        self._closed = finalize(self, stream.close)
        self.root = _Root(self, source, name)

    def close(self) -> None:
        """Close the file; the tree can still be looked at."""
        self._closed()

    @property
    def infos(self) -> list[zipfile.ZipInfo]:
        """The entries as the archive's directory lists them."""
        return self._zip.infolist()

    @property
    def declared(self) -> int:
        """How many bytes the archive says it unpacks to."""
        return sum(info.file_size for info in self.infos)

    def read(self, info: zipfile.ZipInfo, name: str, limit: int) -> bytes:
        """The bytes of an entry; SubmissionError if there are more than `limit`, or if they can't be unpacked."""
        if info.file_size > limit:
            raise SubmissionError(name, f"the file is larger than {limit // 1024} KiB")
        try:
            with self._zip.open(info) as stream:
                data = stream.read(limit + 1)
        except _DAMAGE:
            raise SubmissionError(name, f"{_DAMAGED} here") from None
        self.spend(len(data), name)
        if len(data) > limit:
            raise SubmissionError(name, f"the file is larger than {limit // 1024} KiB")
        return data

    def opened(self, info: zipfile.ZipInfo, name: str) -> BinaryIO:
        """A stream of an entry's bytes."""
        try:
            return io.BufferedReader(_Counted(self, self._zip.open(info), name))
        except _DAMAGE:
            raise SubmissionError(name, f"{_DAMAGED} here") from None

    def spend(self, size: int, name: str) -> None:
        """Count what was unpacked, whatever the archive says of its sizes."""
        self._unpacked += size
        if self._unpacked > self._limits.unpacked:
            raise SubmissionError(name, f"the archive unpacks to more than {_size(self._limits.unpacked)}")


def student_archive(file: File) -> Archive:
    """A student's own archive; SubmissionError if it is damaged or unpacks to too much."""
    name = shown(file.name)
    archive = Archive(io.BytesIO(file.read(STUDENT.packed or 0)), file.source, name, STUDENT)
    if archive.declared > STUDENT.unpacked:
        raise SubmissionError(name, f"the archive unpacks to more than {_size(STUDENT.unpacked)}")
    return archive


class _Counted(io.RawIOBase):
    """An entry's stream that counts what is read."""

    def __init__(self, archive: Archive, stream: object, name: str) -> None:
        self._archive, self._from, self._name = archive, stream, name

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: object) -> int:
        view = memoryview(buffer)  # type: ignore[arg-type]
        try:
            data: bytes = self._from.read(len(view))  # type: ignore[attr-defined]
        except _DAMAGE:
            raise SubmissionError(self._name, f"{_DAMAGED} here") from None
        self._archive.spend(len(data), self._name)
        view[: len(data)] = data
        return len(data)


@frozen
class ArchiveFile:
    """A file in an archive."""

    archive: Archive
    info: zipfile.ZipInfo
    source: str
    name: str
    fault: str = ""
    link: bool = False

    @property
    def time(self) -> float | None:
        """When it was changed, by a clock that isn't told."""
        try:
            return datetime(*self.info.date_time, tzinfo=UTC).timestamp()
        except ValueError:
            return None

    def called(self, name: str) -> File:
        """The same file under another name."""
        return ArchiveFile(self.archive, self.info, self.source, name, self.fault, self.link)

    def read(self, limit: int) -> bytes:
        """The bytes, unless the entry has a fault."""
        if self.fault:
            raise SubmissionError(shown(self.name), self.fault)
        return self.archive.read(self.info, shown(self.name), limit)

    def opened(self) -> BinaryIO:
        """A stream of the bytes, unless the entry has a fault."""
        if self.fault:
            raise SubmissionError(shown(self.name), self.fault)
        return self.archive.opened(self.info, shown(self.name))


class ArchiveDirectory:
    """A folder in an archive."""

    archive = True

    def __init__(self, name: str, source: str) -> None:
        self.name, self.source, self.fault = name, source, ""
        self.folders: dict[str, ArchiveDirectory] = {}
        self.files: dict[str, ArchiveFile] = {}
        self._contents: Contents | None = None

    def list(self) -> Contents:
        """What is in it."""
        if self._contents is None:
            self._contents = Contents.of(self.folders.values(), self.files.values())
        return self._contents

    def make(self, name: str) -> "ArchiveDirectory":
        """A new folder in this one."""
        folder = self.folders[name] = ArchiveDirectory(clean(name), join(self.source, name))
        return folder

    def put(self, archive: Archive, info: zipfile.ZipInfo, name: str, fault: str) -> str:
        """Put a file into this folder; gives its fault, which may be that the name is taken."""
        if name in self.files:
            fault = fault or f"the entry {_quoted(name)} is there twice"
        elif name in self.folders:
            fault = fault or f"the entry {_quoted(name)} is a file and a folder at once"
        self.files[name] = ArchiveFile(archive, info, join(self.source, name), clean(name), fault)
        return fault


class _Root(ArchiveDirectory):
    """An archive as a folder, its entries put where they claim to be."""

    def __init__(self, archive: Archive, source: str, name: str) -> None:
        super().__init__(name, source)
        for info in archive.infos:
            self._add(archive, info)

    def _add(self, archive: Archive, info: zipfile.ZipInfo) -> None:
        name = _real_name(info)
        parts = _parts(name)
        fault = _fault(info, name, parts)
        parts = parts[:MOST_LEVELS] or [shown(clean(name)) or "(no name)"]
        folder = info.filename.endswith("/")
        branch: list[ArchiveDirectory] = [self]
        for part in parts if folder else parts[:-1]:
            if part in branch[-1].files:
                fault = fault or f"the entry {_quoted(part)} is a file and a folder at once"
            branch.append(branch[-1].folders.get(part) or branch[-1].make(part))
        if not folder:
            fault = branch[-1].put(archive, info, parts[-1], fault)
        if fault:
            for each in branch:
                each.fault = each.fault or fault


def _real_name(info: zipfile.ZipInfo) -> str:
    """The name in the archive, before anything was cut off; UTF-8 also where the archive doesn't say so."""
    name = info.orig_filename
    if info.flag_bits & 0x800 or name.isascii():
        return name
    try:
        return name.encode("cp437").decode("utf-8")
    except UnicodeError:
        return name


def _parts(name: str) -> list[str]:
    name = re.sub(r"^[A-Za-z]:", "", name.split("\0", 1)[0])
    return [part for part in re.split(r"[/\\]", name) if part not in ("", ".", "..")]


def _fault(info: zipfile.ZipInfo, name: str, parts: list[str]) -> str:
    kind = stat.S_IFMT(info.external_attr >> 16)
    what = ""
    if "\0" in name:
        what = "has a NUL in its name"
    elif "\\" in name:
        what = "has a backslash in its name"
    elif name.startswith("/") or re.match(r"[A-Za-z]:", name) or ".." in name.split("/") or not parts:
        what = "lies outside the target"
    elif kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        what = f"is {_KINDS.get(kind, 'a device')}, not a regular file"
    elif info.flag_bits & 1:
        what = "is encrypted"
    elif info.compress_type not in _METHODS:
        what = "is compressed by an unusual method"
    elif len(parts) > MOST_LEVELS:
        what = f"is nested more than {MOST_LEVELS} levels deep"
    return f"the entry {_quoted(name)} {what}" if what else ""


def _quoted(name: str) -> str:
    text = shown(clean(name))
    return f"'{text}'" if len(text) <= 100 else f"'{text[:100]}...'"


def _size(size: int) -> str:
    return f"{size >> 30} GiB" if size >> 30 else f"{size >> 20} MiB"


def _bounded(stream: BinaryIO, most: int, name: str) -> None:
    """Refuse an archive with too many entries before its directory is read into memory."""
    end = stream.seek(0, io.SEEK_END)
    start = max(0, end - (1 << 16) - 100)
    stream.seek(start)
    tail = stream.read()
    place = tail.rfind(b"PK\x05\x06")
    if place < 0 or len(tail) - place < 22:
        raise SubmissionError(name, _DAMAGED)
    size = max(struct.unpack_from("<L", tail, place + 12)[0] % 0xFFFFFFFF, *_sizes_in_zip64(stream, tail[:place]))
    if sum(_heads(stream, start + place, size)) > most:
        raise SubmissionError(name, f"the archive has more than {most:,} entries")


def _sizes_in_zip64(stream: BinaryIO, tail: bytes) -> list[int]:
    """The size of a large archive's directory, by each of the two ways to find it."""
    if tail[-20:-16] != b"PK\x06\x07":
        return [0]
    stream.seek(struct.unpack_from("<Q", tail[-20:], 8)[0])
    records = (tail[-76:-20], stream.read(56))
    return [struct.unpack_from("<Q", record, 40)[0] for record in records if len(record) == 56] or [0]


def _heads(stream: BinaryIO, end: int, size: int) -> Iterator[int]:
    """How many entries begin in each piece of the archive's directory (of which none is longer than the file)."""
    place = max(0, end - size - 76)  # with the two records of large archives that may stand behind it
    stream.seek(place)
    before = b""
    while place < end and (piece := stream.read(min(1 << 20, end - place))):
        place += len(piece)
        yield (before + piece).count(b"PK\x01\x02")
        before = piece[-3:]

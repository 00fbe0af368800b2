"""Bytes to text, guarded: only regular files of bounded size are read, and every refusal says what to mend."""

import hashlib
import os
import re
import stat
from collections.abc import Mapping
from dataclasses import field
from pathlib import Path

from grader.errors import SubmissionError
from grader.values import frozen

LIMIT = 64 * 1024  # bytes
_TRIES = 3

# what a link or a pipe can do is refused when opening, where the system knows these flags (Windows lacks them)
_FLAGS = os.O_RDONLY | sum(getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_BINARY"))

_MAGIC = {
    b"\x1f\x8b": "a gzip archive",
    b"PK\x03\x04": "a zip archive or an office document",
    b"PK\x05\x06": "an empty zip archive",
    b"%PDF": "a PDF document",
    b"\x89PNG": "an image",
    b"\xff\xd8\xff": "an image",
    b"\xd0\xcf\x11\xe0": "an office document",
    b"7z\xbc\xaf": "a 7z archive",
    b"Rar!": "a rar archive",
    b"BZh": "a bzip2 archive",
    b"\xfd7zXZ": "an xz archive",
    b"SQLite format 3": "a database",
    b"\x7fELF": "a program",
}
_AS_TEXT = "hand in a plain text file"
_REPLACED = "\ufffd"


@frozen
class Content:
    """The text of a file, its line ends made LF. `bad_bytes` are bytes that aren't UTF-8, by line (1-based): each is
    U+FFFD in the text. `digest` is the SHA-256 of the bytes as they were read."""

    text: str
    digest: str = ""
    bad_bytes: Mapping[int, int] = field(default_factory=dict)


def read_text(path: Path, name: str | None = None, limit: int = LIMIT) -> str:
    """The text of a file; SubmissionError (file, line, what) if it isn't wholly UTF-8, or UTF-16 with a mark."""
    content = read_content(path, name, limit)
    for line, byte in content.bad_bytes.items():
        raise SubmissionError(name or shown(path.name), bad_byte(line, byte), line)
    return content.text


def read_content(path: Path, name: str | None = None, limit: int = LIMIT) -> Content:
    """The text of a file, bad bytes marked rather than refused; SubmissionError if it can't be read as text at all.

    `name` is what messages call the file, its own name if not given.
    """
    name = name or shown(path.name)
    return decode(read_bytes(path, name, limit), name)


def read_bytes(path: Path, name: str, limit: int = LIMIT) -> bytes:
    """The bytes of a regular file of at most `limit` bytes; SubmissionError for anything else, without delay."""
    for _ in range(_TRIES):
        data = _read_once(path, name, limit)
        if data is not None:
            return data
    raise SubmissionError(name, "the file was exchanged while it was read")


def _read_once(path: Path, name: str, limit: int) -> bytes | None:
    """The same; None if the file was exchanged meanwhile, as editors do when they save."""
    try:
        before = os.lstat(path)
        _regular(before, name)
        descriptor = os.open(path, _FLAGS)
        with os.fdopen(descriptor, "rb") as file:
            after = os.fstat(descriptor)
            _regular(after, name)
            if os.name == "posix" and (before.st_dev, before.st_ino) != (after.st_dev, after.st_ino):
                return None
            data = file.read(limit + 1) if after.st_size <= limit else None
    except (OSError, ValueError) as error:
        raise SubmissionError(name, _system_fault(error)) from None
    if data is None or len(data) > limit:
        raise SubmissionError(name, f"the file is larger than {limit // 1024} KiB")
    return data


def decode(data: bytes, name: str) -> Content:
    """The text that the bytes stand for; SubmissionError if they are no text."""
    for magic, kind in _MAGIC.items():
        if data.startswith(magic):
            raise SubmissionError(name, f"this looks like {kind}; {_AS_TEXT}")
    text, bad = _decoded(data, name)
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise SubmissionError(name, f"NUL byte in line {line}; {_AS_TEXT}", line)
    return Content(text, hashlib.sha256(data).hexdigest(), bad)


def bad_byte(line: int, byte: int) -> str:
    """What is wrong with a byte that isn't UTF-8, and the mend."""
    return f"not UTF-8: byte 0x{byte:02X} in line {line}; save the file as UTF-8"


def shown(name: str) -> str:
    """A file's name as one printable line: what isn't printable is escaped."""
    return "".join(c if c.isprintable() else _escaped(c) for c in name)


def _escaped(character: str) -> str:
    code = ord(character)
    if 0xDC80 <= code <= 0xDCFF:  # a byte of a file name that is no text
        return f"\\x{code - 0xDC00:02x}"
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _regular(status: os.stat_result, name: str) -> None:
    kinds = {stat.S_IFLNK: "a link", stat.S_IFDIR: "a folder", stat.S_IFIFO: "a pipe", stat.S_IFSOCK: "a socket"}
    kind = stat.S_IFMT(status.st_mode)
    if kind != stat.S_IFREG:
        raise SubmissionError(name, f"this is {kinds.get(kind, 'a device')}, not a regular file")


def _system_fault(error: OSError | ValueError) -> str:
    match error:
        case FileNotFoundError():
            return "there is no such file"
        case PermissionError():
            return "there is no permission to read the file"
        case OSError(strerror=str() as reason):
            return f"the file can't be read: {reason.lower()}"
        case _:
            return "the file can't be read"


def _decoded(data: bytes, name: str) -> tuple[str, dict[int, int]]:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        try:
            return _with_line_feeds(data.decode("utf-16")), {}
        except UnicodeDecodeError:
            raise SubmissionError(name, "damaged UTF-16; save the file as UTF-8") from None
    if _like_utf_16(data):
        raise SubmissionError(name, "UTF-16 without a byte order mark; save the file as UTF-8")
    try:
        return _with_line_feeds(data.decode("utf-8-sig")), {}
    except UnicodeDecodeError:
        return _with_bad_bytes(_with_line_feeds(data.decode("utf-8-sig", "surrogateescape")), name)


def _with_bad_bytes(text: str, name: str) -> tuple[str, dict[int, int]]:
    bad: dict[int, int] = {}
    found = list(re.finditer("[\udc80-\udcff]", text))
    if len(found) * 2 > len(text):
        raise SubmissionError(name, f"this is no text; {_AS_TEXT}")
    line, position = 1, 0
    for match in found:
        line += text.count("\n", position, match.start())
        position = match.start()
        bad.setdefault(line, ord(match[0]) - 0xDC00)
    return re.sub("[\udc80-\udcff]", _REPLACED, text), bad


def _like_utf_16(data: bytes) -> bool:
    """Whether every other byte is NUL, more or less: text of a Western language in two bytes a character."""
    half = len(data) // 2
    return half > 0 and max(data[0::2].count(0), data[1::2].count(0)) > 0.6 * half


def _with_line_feeds(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")

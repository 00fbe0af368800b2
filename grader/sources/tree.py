"""One view of folders on disk and in archives: what is in a folder, and the bytes of a file under limits."""

import os
import stat
from collections.abc import Iterable
from pathlib import Path
from typing import BinaryIO, Protocol

from grader.errors import SubmissionError
from grader.files import read_bytes, shown
from grader.sources.names import MARK, is_answers, is_junk
from grader.values import frozen

MOST_ENTRIES = 200_000
MOST_LEVELS = 16

# the same as for small files: what a link or a pipe can do is refused when opening
_FLAGS = os.O_RDONLY | sum(getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_BINARY"))


class File(Protocol):
    """A file that may hold answers. `name` is what it is called in messages, `source` its path as given.

    `fault` is why it may not be read, `link` says that it is a link to a folder.
    """

    @property
    def name(self) -> str: ...
    @property
    def source(self) -> str: ...
    @property
    def fault(self) -> str: ...
    @property
    def link(self) -> bool: ...
    @property
    def time(self) -> float | None:
        """When it was changed, comparable within one folder or archive; None if that isn't known."""

    def called(self, name: str) -> "File":
        """The same file under another name: platforms put their own words before the student's."""

    def read(self, limit: int) -> bytes:
        """The bytes; SubmissionError if there are more than `limit` or if it can't be read."""

    def opened(self) -> BinaryIO:
        """A stream of the bytes, for files of many submissions; SubmissionError if it can't be opened."""


class Directory(Protocol):
    """A folder. `fault` is what is wrong with an entry anywhere in it; `archive` says that it is in an archive."""

    @property
    def name(self) -> str: ...
    @property
    def source(self) -> str: ...
    @property
    def fault(self) -> str: ...
    @property
    def archive(self) -> bool: ...
    def list(self) -> "Contents":
        """What is in it; OSError if that can't be told, SubmissionError if there is too much."""


@frozen
class Contents:
    """What is in a folder, sorted by name; hidden files and junk are left out but for the `marks` of platforms."""

    folders: tuple[Directory, ...] = ()
    files: tuple[File, ...] = ()
    marks: tuple[File, ...] = ()

    @staticmethod
    def of(folders: Iterable[Directory], files: Iterable[File]) -> "Contents":
        """The contents made of all entries of a folder."""
        kept = sorted(files, key=lambda file: file.name)
        return Contents(
            tuple(sorted((f for f in folders if not is_junk(f.name)), key=lambda folder: folder.name)),
            tuple(file for file in kept if not is_junk(file.name)),
            tuple(file for file in kept if file.name == MARK),
        )

    def without(self, files: Iterable[File] = (), folders: Iterable[Directory] = ()) -> "Contents":
        """What is left when some are taken out."""
        out = {id(entry) for entry in (*files, *folders)}
        return Contents(
            tuple(folder for folder in self.folders if id(folder) not in out),
            tuple(file for file in self.files if id(file) not in out),
            self.marks,
        )


class Budget:
    """How many entries may still be looked at, over all folders of one search."""

    def __init__(self, most: int) -> None:
        self.most, self.seen = most, 0

    def spend(self, folder: str) -> None:
        """Count one entry; SubmissionError where there are too many."""
        self.seen += 1
        if self.seen > self.most:
            raise SubmissionError(shown(folder), f"more than {self.most:,} files and folders")


@frozen
class DiskFile:
    """A file on disk."""

    path: Path
    source: str
    name: str
    link: bool = False
    fault: str = ""

    @property
    def time(self) -> float | None:
        """When it was changed."""
        try:
            return os.lstat(self.path).st_mtime
        except (OSError, ValueError):
            return None

    def called(self, name: str) -> File:
        """The same file under another name."""
        return DiskFile(self.path, self.source, name, self.link, self.fault)

    def read(self, limit: int) -> bytes:
        """The bytes of a regular file, without following links."""
        return read_bytes(self.path, shown(self.name), limit)

    def opened(self) -> BinaryIO:
        """A stream of a regular file's bytes, without following links."""
        return opened(self.path, shown(self.name))


class DiskDirectory:
    """A folder on disk, listed once."""

    archive = False
    fault = ""

    def __init__(self, path: Path, source: str, budget: Budget, name: str | None = None) -> None:
        self.path, self.source, self._budget = path, source, budget
        self.name = path.name if name is None else name
        self._contents: Contents | None = None

    def list(self) -> Contents:
        """What is in it; OSError if that can't be told."""
        if self._contents is None:
            folders: list[Directory] = []
            files: list[File] = []
            with os.scandir(self.path) as entries:
                for entry in entries:
                    self._budget.spend(self.name)
                    if is_junk(entry.name) and entry.name != MARK:
                        continue
                    path, source = self.path / entry.name, join(self.source, entry.name)
                    if entry.is_dir(follow_symlinks=False) and not is_answers(entry.name):
                        folders.append(DiskDirectory(path, source, self._budget, clean(entry.name)))
                    else:
                        link = entry.is_symlink() and path.is_dir()
                        files.append(DiskFile(path, source, clean(entry.name), link))
            self._contents = Contents.of(folders, files)
        return self._contents


def opened(path: Path, name: str) -> BinaryIO:
    """A stream of a regular file's bytes; SubmissionError for anything else, without delay."""
    try:
        mode = os.lstat(path).st_mode
        if not stat.S_ISREG(mode):
            what = "this is a link; name the file itself" if stat.S_ISLNK(mode) else "this is not a regular file"
            raise SubmissionError(name, what)
        descriptor = os.open(path, _FLAGS)
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            os.close(descriptor)
            raise SubmissionError(name, "this is not a regular file")
        return os.fdopen(descriptor, "rb")
    except (OSError, ValueError):
        raise SubmissionError(name, "the file can't be opened") from None


def listed(directory: Directory) -> Contents:
    """What is in a folder, nothing where that can't be told."""
    try:
        return directory.list()
    except OSError:
        return Contents()


def join(source: str, name: str) -> str:
    """The path of an entry of a folder."""
    return f"{source.rstrip('/')}/{clean(name)}" if source.rstrip("/") else clean(name)


def clean(name: str) -> str:
    """A name from the disk as text that can be encoded; bytes that are no text are escaped."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")

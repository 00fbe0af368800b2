"""Folders to put files in, on a disk or wherever fsspec reaches; each file is there as a whole or not at all."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Protocol

from grader.errors import GraderError
from grader.sources.remote import filesystem, is_url, named
from grader.values import frozen


class Folder(Protocol):
    """A folder, on a disk or not."""

    @property
    def place(self) -> str:
        """How other processes find it."""

    def names(self) -> set[str]:
        """The files that are there."""

    def write(self, name: str, data: bytes) -> None:
        """Write a file as a whole."""

    def read(self, name: str) -> bytes:
        """A file's bytes."""

    def remove(self, name: str) -> None:
        """Remove a file."""


@frozen
class DiskFolder:
    """A folder on a disk."""

    path: Path

    @property
    def place(self) -> str:
        """How other processes find it, if they share the disk."""
        return str(self.path.resolve())

    def names(self) -> set[str]:
        """The files that are there."""
        return {path.name for path in self.path.iterdir()} if self.path.is_dir() else set()

    def write(self, name: str, data: bytes) -> None:
        """Write a file beside its place, then move it there."""
        from grader.reports.files import write_bytes

        self.path.mkdir(parents=True, exist_ok=True)
        write_bytes(self.path / name, (data,))

    def read(self, name: str) -> bytes:
        """A file's bytes."""
        return (self.path / name).read_bytes()

    def remove(self, name: str) -> None:
        """Remove a file."""
        (self.path / name).unlink(missing_ok=True)


@frozen
class UrlFolder:
    """A folder wherever fsspec reaches."""

    url: str
    system: Any
    root: str

    @property
    def place(self) -> str:
        """The URL."""
        return self.url

    def names(self) -> set[str]:
        """The files that are there; listings are not remembered."""
        with self._told(), suppress(FileNotFoundError):
            self.system.invalidate_cache()
            return {str(path).rpartition("/")[2] for path in self.system.ls(self.root, detail=False)}
        return set()

    def write(self, name: str, data: bytes) -> None:
        """Put a file in one request: stores of objects have it as a whole then, or not at all."""
        with self._told():
            with suppress(FileExistsError, NotImplementedError):
                self.system.makedirs(self.root, exist_ok=True)
            self.system.pipe_file(f"{self.root}/{name}", data)

    def read(self, name: str) -> bytes:
        """A file's bytes."""
        with self._told():
            return self.system.cat_file(f"{self.root}/{name}")  # type: ignore[no-any-return]

    def remove(self, name: str) -> None:
        """Remove a file."""
        with self._told():
            self.system.rm_file(f"{self.root}/{name}")

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except FileNotFoundError:
            raise
        except Exception as error:  # each kind of storage has errors of its own
            raise GraderError(f"{named(self.system, self.root)}: {str(error)[:200] or type(error).__name__}") from None


def folder(place: str) -> Folder:
    """The folder that a path or a URL names; GraderError if its kind can't be reached."""
    if not is_url(place):
        return DiskFolder(Path(place))
    system, path = filesystem(place)
    local = "file" in ([system.protocol] if isinstance(system.protocol, str) else system.protocol)
    return DiskFolder(Path(path)) if local else UrlFolder(place, system, path.rstrip("/"))

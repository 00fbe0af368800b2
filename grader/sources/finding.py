"""Finding submissions under paths, whatever the platform they were downloaded from."""

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from grader import plugins
from grader.errors import SubmissionError
from grader.files import shown
from grader.sources.candidate import Candidate
from grader.sources.folder import of_zip
from grader.sources.names import is_other_archive, is_zip, rank
from grader.sources.pattern import Pattern
from grader.sources.place import Place, Source
from grader.sources.tree import (
    MOST_ENTRIES,
    MOST_LEVELS,
    Budget,
    Contents,
    Directory,
    DiskDirectory,
    DiskFile,
    File,
    clean,
    listed,
)
from grader.values import frozen

if TYPE_CHECKING:
    from grader.sources.archive import Archive
    from grader.sources.remote import Remote

_NOTHING = (
    "this folder holds no submission: neither answers.yaml (or .json, .toml, .csv, .md, .ipynb), nor folders or zips"
)
_PLATFORMS = 70  # sources before this one know a download by its names


@frozen
class Progress:
    """How far a search has come: submissions found, files and folders looked at."""

    found: int
    seen: int


def find(
    paths: Iterable[str | Path],
    *,
    pattern: str | None = None,
    latest: bool = False,
    progress: Callable[[Progress], None] | None = None,
    most_entries: int = MOST_ENTRIES,
) -> Iterator[Candidate]:
    """All submissions under the paths, one after the other; none is opened, and links are not followed.

    URLs name files of rows (see `sources.remote`).
    `pattern` is a regular expression that names them instead of the platforms' rules (see `sources.pattern`). With
    `latest`, of several files of one student's the latest counts. SubmissionError at once for a path that isn't there
    or can't be searched; while searching, if a path holds no submission or too much to walk through.
    """
    sources: list[Source] = [Pattern(pattern)] if pattern is not None else _sources()
    given = [_remote(str(path)) if "://" in str(path) else _checked(path) for path in paths]
    return _Search(sources, latest, progress, Budget(most_entries)).run(given)


def _remote(path: str) -> "Path | Remote":
    """What a URL names; a path that is there stays one."""
    from grader.sources.remote import is_url, remote  # few classes come from afar

    return remote(path) if is_url(path) else _checked(path)


def _sources() -> list[Source]:
    found: list[Source] = [plugins.member("sources", tag)() for tag in plugins.tags("sources")]
    return sorted(found, key=lambda source: source.order)


def _checked(path: str | Path) -> Path:
    """A path that can be searched."""
    name = shown(str(path))
    name = name if len(name) <= 200 else f"{name[:200]}..."
    if not str(path) or not os.path.lexists(path):
        raise SubmissionError(name or "''", "there is no such file or folder")
    real = os.path.realpath(path)
    if os.path.dirname(real) == real:
        raise SubmissionError(name, "this is the whole disk: name the folder of the submissions")
    if is_other_archive(name) and not os.path.isdir(path):
        raise SubmissionError(name, "archives of this kind are not opened: unpack it, or use a zip")
    return Path(path)


class _Search:
    """A bounded walk through what was given."""

    def __init__(
        self, sources: list[Source], latest: bool, progress: Callable[[Progress], None] | None, budget: Budget
    ) -> None:
        self._sources, self._latest, self._progress, self._budget = sources, latest, progress, budget
        self._told: set[str] = set()
        self._several = False  # what is broken among several paths costs itself alone

    def run(self, paths: "list[Path | Remote]") -> Iterator[Candidate]:
        """The candidates of all paths, each once."""
        count = 0
        self._several = len(paths) > 1
        for path in paths:
            for candidate in self._under(path) if isinstance(path, Path) else path.candidates():
                count += 1
                self._tell(count)
                yield candidate

    def _under(self, path: Path) -> Iterator[Candidate]:
        """The candidates of one path that were not found before."""
        try:
            place, found = self._start(path), False
        except SubmissionError as error:
            if not self._several:
                raise
            yield Candidate(source=clean(str(path)), key=clean(path.stem), message=str(error))
            return
        base, whole = place.directory.source, os.path.abspath(path.parent if place.alone else path)
        for candidate in self._walk(place):
            found = True
            if self._is_new(whole + candidate.source.removeprefix(base), candidate):
                yield candidate
        if not found and self._several:
            yield Candidate(source=clean(str(path)), key=clean(path.name), named=True)
        elif not found:
            raise SubmissionError(shown(str(path)), _NOTHING)

    def _start(self, path: Path) -> Place:
        """What somebody gave: here a link to a folder is what they meant."""
        source = clean(str(path))
        whole = Path(os.path.abspath(path))
        above = tuple(clean(part) for part in whole.parts[1:-1])
        if os.path.isdir(path):
            directory: Directory = DiskDirectory(path, source, self._budget, clean(whole.name))
            return Place(directory=directory, contents=self._list(directory), above=above, latest=self._latest)
        if is_zip(path.name):
            try:
                directory = _class_archive(DiskFile(path, source, clean(path.name))).root
            except SubmissionError as error:
                raise SubmissionError(shown(str(path)), error.fault.what) from None
            return Place(directory=directory, contents=directory.list(), latest=self._latest)
        folder = DiskDirectory(path.parent, clean(str(path.parent)), self._budget, clean(whole.parent.name))
        contents = Contents((), (DiskFile(path, source, clean(path.name)),))
        return Place(directory=folder, contents=contents, above=above[:-1], alone=True, latest=self._latest)

    def _walk(self, place: Place) -> Iterator[Candidate]:
        for source in self._sources:
            claim = source.claim(place)
            if claim is not None:
                yield from claim.candidates
                place = replace(place, contents=claim.rest, claimed=True)
        yield from self._archives(place)
        if place.contents.folders and place.level >= MOST_LEVELS:
            raise SubmissionError(place.directory.source, f"folders are nested more than {MOST_LEVELS} levels deep")
        trusted = place.trusted and not any(_has_answers(folder) for folder in place.contents.folders)
        for folder in place.contents.folders:
            yield from self._below(folder, replace(place, trusted=trusted))

    def _below(self, folder: Directory, place: Place) -> Iterator[Candidate]:
        try:
            contents = folder.list()
        except OSError:
            blank = replace(place.blank("folder"), source=folder.source, key=clean(folder.name), named=True)
            yield replace(blank, message="there is no permission to read the folder")
            return
        if _is_output(folder):
            return
        above = (*place.above, place.directory.name)
        yield from self._walk(
            replace(place, directory=folder, contents=contents, level=place.level + 1, above=above, claimed=False)
        )

    def _archives(self, place: Place) -> Iterator[Candidate]:
        """The zips in a folder: downloads of a class if all of them are, else one student's each."""
        zips = [file for file in place.contents.files if is_zip(file.name)]
        if zips and place.trusted and not place.directory.archive and all(map(self._is_class, zips)):
            for file in zips:
                root = _class_archive(file).root
                yield from self._walk(
                    replace(place, directory=root, contents=root.list(), level=0, above=(), claimed=False)
                )
            return
        for file in zips:
            yield of_zip(place, file)

    def _is_class(self, file: File) -> bool:
        """Whether an archive holds what several students handed in."""
        try:
            archive = _class_archive(file)
        except SubmissionError:
            return False
        try:
            directory: Directory = archive.root
            while not directory.list().files and len(directory.list().folders) == 1:
                if self._is_download(directory):
                    return True
                directory = directory.list().folders[0]
            own = any(rank(inner.name) in (0, 1) for inner in directory.list().files)
            return not own and (self._is_download(directory) or sum(map(_has_answers, directory.list().folders)) > 1)
        finally:
            archive.close()

    def _is_download(self, directory: Directory) -> bool:
        place = Place(directory=directory, contents=directory.list(), level=1)
        return any(source.claim(place) is not None for source in self._sources if source.order < _PLATFORMS)

    def _list(self, directory: Directory) -> Contents:
        try:
            return directory.list()
        except OSError:
            raise SubmissionError(shown(directory.source), "there is no permission to read the folder") from None

    def _is_new(self, place: str, candidate: Candidate) -> bool:
        """Whether this was not found before; rows are not remembered, there may be too many."""
        if candidate.row is not None:
            return True
        known = place in self._told
        self._told.add(place)
        return not known

    def _tell(self, count: int) -> None:
        if self._progress is not None:
            self._progress(Progress(count, self._budget.seen))


def _has_answers(folder: Directory) -> bool:
    return any(rank(file.name) in (0, 1) for file in listed(folder).files)


def _is_output(folder: Directory) -> bool:
    """Whether an earlier run made the folder: it holds a store."""
    return {"grades.sqlite", "grades.lock"} <= {file.name for file in listed(folder).files}


def _class_archive(file: File) -> "Archive":
    """A class's download; SubmissionError if it is damaged."""
    from grader.sources.archive import CLASS, Archive  # a single answer file has none

    return Archive(file.opened(), file.source, file.name, CLASS)

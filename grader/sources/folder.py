"""Submissions in files and folders on disk.

A file is one submission. A folder that holds answers.yaml (.yml, .json, .toml, .csv, .md, .ipynb) is one, named after
the folder; in any other folder each subfolder is one, and so is each zip and each other file of answers directly in the
folder that was given.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import ClassVar

from grader.errors import SubmissionError
from grader.sources.candidate import Candidate, of_choice
from grader.sources.choosing import Choice, choose, holds_answers
from grader.sources.names import belongs, is_answers, is_other_archive, is_table, is_zip, rank, stem
from grader.sources.place import Claim, Place
from grader.sources.tree import Contents, File, listed

_LINK = "this is a link to a folder; links are not followed"


class Folder:
    """Plain files and folders: whatever no platform's rules describe. It is asked last."""

    order: ClassVar[int] = 100

    def claim(self, place: Place) -> Claim:
        """The submission whose own folder this is, else those in its files; folders and zips are left."""
        if place.alone:
            return Claim([_given(place, file) for file in place.contents.files])
        if is_own(place):
            return Claim([_own(place)])
        zips = [file for file in place.contents.files if is_zip(file.name) and not file.link]
        return Claim(list(_loose(place)), Contents(place.contents.folders, tuple(zips)))


def is_own(place: Place) -> bool:
    """Whether a folder is one student's own, not one of several students'."""
    contents = place.contents
    if place.claimed:
        return False
    ranks = {rank(file.name) for file in contents.files if not file.link}
    if ranks & {0, 1}:
        return True
    if place.level:
        return 2 in ranks or not contents.folders
    files = [file for file in contents.files if rank(file.name) in (2, 3)]
    return place.directory.archive and not contents.folders and len(files) == 1


def _own(place: Place) -> Candidate:
    """A student's own folder; an archive that was given is named after its file, unless the answers name a student."""
    given = place.directory.archive and not place.level
    name = place.directory.name
    blank = replace(place.blank("folder"), key=stem(name) if given else name, named=not given)
    files = [file for file in place.contents.files if not file.link]
    return of_choice(choose(files, place.latest), blank, place.directory.fault)


def of_zip(place: Place, file: File) -> Candidate:
    """A student's own archive among others."""
    blank = replace(place.blank("folder"), source=file.source, key=stem(file.name), named=True)
    return of_choice(Choice((file,)), blank, file.fault)


def _given(place: Place, file: File) -> Candidate:
    """A file given by name: the folder is a student's own if the file has the name that answers have."""
    own = is_answers(file.name)
    others = _beside(place)
    alone = own or not any(rank(other.name) in (0, 2) for other in others if other.name != file.name)
    tables = [f for f in others if f.name != file.name and _attached(f, file, alone)]
    student = (place.directory.name if own else stem(file.name)) or stem(file.name)
    blank = replace(place.blank("folder"), source=file.source, key=student)
    return of_choice(Choice((file,), tuple(tables)), blank)


def _beside(place: Place) -> tuple[File, ...]:
    """The files in the folder of the file that was given."""
    try:
        return listed(place.directory).files
    except SubmissionError:
        return ()


def _attached(table: File, owner: File, alone: bool) -> bool:
    return is_table(table.name) and (alone or belongs(table.name, stem(owner.name)))


def _loose(place: Place) -> Iterator[Candidate]:
    """The files directly in a folder of several students."""
    files = place.contents.files
    owners = _owners(place)
    for file in files:
        blank = replace(place.blank("folder"), source=file.source, key=stem(file.name))
        if file.link:
            yield replace(blank, key=file.name, named=True, message=_LINK)
        elif file in owners:
            tables = tuple(f for f in files if f != file and _attached(f, file, len(owners) == 1))
            yield of_choice(Choice((file,), tables), blank)
        elif file.fault or is_other_archive(file.name):
            yield of_choice(Choice((file,)), blank)


def _may_own(file: File, best: int) -> bool:
    place = rank(file.name)
    return place is not None and (place == best or place < best == 2) and (best < 4 or holds_answers(file))


def _owners(place: Place) -> list[File]:
    """The files that are a submission each: data files; where nothing else is there, Markdown, or tables of answers."""
    if place.level:
        return []
    files = [file for file in place.contents.files if not file.link]
    for best in (2,) if place.contents.folders or place.claimed else (2, 3, 4):
        found = [file for file in files if _may_own(file, best)]
        if found:
            return found
    return []

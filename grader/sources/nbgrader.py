"""Trees of nbgrader: `submitted/<student>/<assignment>/` with the answers and `timestamp.txt`.

A time without a zone is taken as UTC, which is what nbgrader writes.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import ClassVar

from grader.files import decode
from grader.moments import moment
from grader.sources.candidate import Candidate, of_folder
from grader.sources.names import Named, rank
from grader.sources.place import Claim, Place
from grader.sources.tree import Directory, listed

TREE = "submitted"
_STAMP = "timestamp.txt"
_STAGES = {"source", "release", "autograded", "feedback"}


def parse(path: str) -> Named | None:
    """What a path such as `submitted/ada/rooflines-1` says; None if it is not one of nbgrader's."""
    parts = path.strip("/").split("/")
    if len(parts) < 3 or parts[-3] != TREE:
        return None
    return Named(platform="nbgrader", key=parts[-2], assignment=parts[-1])


class Nbgrader:
    """The tree of submissions of an nbgrader course."""

    order: ClassVar[int] = 60

    def claim(self, place: Place) -> Claim | None:
        """The assignments of all students below `submitted`, or of the one student that was given."""
        if place.alone or not place.trusted:
            return None
        if place.directory.name == TREE:
            students = [folder for folder in place.contents.folders if _is_student(folder)]
            if students:
                return Claim(_of_students(place, students), place.contents.without((), students))
        above = (*place.above, place.directory.name) if place.level == 0 else ()
        if above[-2:-1] == (TREE,) and _is_student(place.directory):
            return Claim(_of_students(place, [place.directory]))
        if above[-3:-2] == (TREE,):
            return Claim([_candidate(place, above[-2], place.directory)])
        stages = [folder for folder in place.contents.folders if folder.name in _STAGES]
        if stages and any(folder.name == TREE for folder in place.contents.folders):
            return Claim([], place.contents.without((), stages))
        return None


def times(data: bytes) -> Mapping[str, str]:
    """When a submission came in, from its timestamp.txt."""
    found = moment(decode(data, _STAMP).text)
    return {"lms": found} if found else {}


def _is_student(folder: Directory) -> bool:
    """Whether a folder holds folders of assignments and no answers itself."""
    contents = listed(folder)
    return bool(contents.folders) and not any(rank(file.name) is not None for file in contents.files)


def _of_students(place: Place, students: list[Directory]) -> Iterator[Candidate]:
    for student in students:
        for assignment in listed(student).folders:
            yield _candidate(place, student.name, assignment)


def _candidate(place: Place, student: str, folder: Directory) -> Candidate:
    stamp = next((file for file in listed(folder).files if file.name == _STAMP), None)
    clock = (stamp, times) if stamp else None
    blank = replace(place.blank("nbgrader"), source=folder.source, key=student, named=True, clock=clock)
    return of_folder(folder, blank)

"""Downloads of Classroom 50: `<classroom>-<assignment>-<login>/` with `.classroom50.yaml` inside.

The key is the login. `result.json` beside the answers tells the time of the commit (clock "commit") and of the
submission's tag (clock "release"). Students can write to both files, so what is before the login is what most folders
say, and the times are only as good as the files.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import ClassVar

from grader.errors import SubmissionError
from grader.files import decode
from grader.moments import moment, tagged
from grader.sources.candidate import Candidate, of_folder
from grader.sources.names import Named, rank
from grader.sources.place import Claim, Place
from grader.sources.tree import Contents, Directory, File, listed

_LIMIT = 4096

Course = tuple[str, str]  # a classroom and an assignment


def parse(name: str, classroom: str, assignment: str) -> Named | None:
    """What the name of a folder says of an assignment of a classroom; None if it is not one of its submissions."""
    before = f"{classroom}-{assignment}-"
    if not classroom or not assignment or not name.startswith(before) or name == before:
        return None
    return Named(platform="classroom50", key=name[len(before) :], assignment=assignment)


class Classroom50:
    """A download of one or more assignments of Classroom 50."""

    order: ClassVar[int] = 40

    def claim(self, place: Place) -> Claim | None:
        """The folders that hold a `.classroom50.yaml`, or are named like those; or the one that was given."""
        if place.alone or not place.trusted:
            return None
        if place.level == 0 and place.contents.marks:
            return Claim([_candidate(place, place.directory, [_stated(place.contents)])])
        if any(rank(file.name) in (0, 1) for file in place.contents.files):
            return None
        stated = {folder.name: _stated(listed(folder)) for folder in place.contents.folders}
        counted = Counter(course for course in stated.values() if course is not None)
        if not counted:
            return None
        courses = sorted(counted, key=lambda course: (-counted[course], course))
        usual = [course for course in courses if counted[course] > 1] or courses
        ours = [f for f in place.contents.folders if stated[f.name] or any(parse(f.name, *course) for course in usual)]
        return Claim(_candidates(place, ours, usual), place.contents.without((), ours))


def times(data: bytes) -> Mapping[str, str]:
    """When a submission was committed and released, from its result.json."""
    try:
        result = json.loads(data.decode("utf-8-sig"), parse_int=str)
    except (ValueError, RecursionError):
        raise SubmissionError("result.json", "this is not JSON") from None
    if not isinstance(result, dict):
        return {}
    found = {
        "commit": moment(str(result.get("datetime", ""))),
        "release": tagged(str(result.get("submission", ""))),
    }
    return {clock: time for clock, time in found.items() if time}


def _stated(contents: Contents) -> Course | None:
    """The classroom and the assignment that a folder says it belongs to."""
    for mark in contents.marks:
        try:
            text = decode(mark.read(_LIMIT), mark.name).text
        except SubmissionError:
            return None
        lines = dict(line.partition(":")[::2] for line in text.splitlines())
        values = [lines.get(key, "").strip().strip("'\"") for key in ("classroom", "assignment")]
        return (values[0], values[1]) if all(values) else None
    return None


def _candidates(place: Place, folders: list[Directory], usual: list[Course]) -> Iterator[Candidate]:
    for folder in folders:
        yield _candidate(place, folder, usual)


def _candidate(place: Place, folder: Directory, courses: list[Course] | list[Course | None]) -> Candidate:
    named = next((own for course in courses if course and (own := parse(folder.name, *course))), None)
    result: File | None = next((file for file in listed(folder).files if file.name == "result.json"), None)
    blank = replace(
        place.blank("classroom50"),
        source=folder.source,
        key=named.key if named else folder.name,
        named=True,
        clock=(result, times) if result else None,
        remarks=() if named else ("the folder's name does not begin with the classroom and the assignment",),
    )
    return of_folder(folder, blank)

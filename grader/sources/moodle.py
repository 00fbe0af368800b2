"""Downloads of Moodle assignments: a folder a student, or all files flat, named by Moodle.

`<Full name>_<id>_assignsubmission_file/answers.yaml` (Moodle 4.1 and later), the same with an underscore behind it
(3.1 to 4.0), `<Full name>_<id>_assignsubmission_file_answers.yaml` (the flat option, and before 3.1), `..._onlinetext`
for what was typed, `Participant_<id>_...` where marking is anonymous, the group's name where teams hand in. The key is
the number, by which the grading worksheet names the student.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import ClassVar

from grader.sources.candidate import Candidate, of_choice, of_folder
from grader.sources.choosing import choose
from grader.sources.names import Named
from grader.sources.place import Claim, Place
from grader.sources.tree import Directory, File, listed

_NAME = re.compile(
    r"(?P<name>[^_]*)_(?P<id>[0-9]+)_assignsubmission_(?P<plugin>file|onlinetext|comments)(?:_(?P<file>.*))?", re.DOTALL
)
ANONYMOUS = {
    "participant", "teilnehmer", "teilnehmerin", "teilnehmer/in", "participante", "deelnemer", "partecipante",
}  # fmt: skip


def parse(name: str) -> Named | None:
    """What Moodle says in the name of a folder or a file; None if it is not one of Moodle's."""
    match = _NAME.fullmatch(name)
    if match is None:
        return None
    anonymous = match["name"].strip().casefold() in ANONYMOUS
    return Named(
        platform="moodle",
        key=match["id"],
        name="" if anonymous else match["name"],
        plugin=match["plugin"],
        file=match["file"] or "",
        anonymous=anonymous,
    )


class Moodle:
    """The download of one Moodle assignment."""

    order: ClassVar[int] = 20

    def claim(self, place: Place) -> Claim | None:
        """All that is named by Moodle, one candidate a number."""
        if not place.trusted:
            return None
        own = parse(place.directory.name) if place.level == 0 and not place.alone else None
        if own is not None:
            return Claim([_candidate(place, [(own, place.directory)], [])])
        folders = [(named, folder) for folder in place.contents.folders if (named := parse(folder.name))]
        files = [(named, file) for file in place.contents.files if (named := parse(file.name)) and named.file]
        if not folders and not files:
            return None
        rest = place.contents.without((file for _, file in files), (folder for _, folder in folders))
        return Claim(_candidates(place, folders, files), rest)


def _candidates(
    place: Place, folders: list[tuple[Named, Directory]], files: list[tuple[Named, File]]
) -> Iterator[Candidate]:
    by_key: dict[str, tuple[list[tuple[Named, Directory]], list[tuple[Named, File]]]] = {}
    for pair in folders:
        by_key.setdefault(pair[0].key, ([], []))[0].append(pair)
    for flat in files:
        by_key.setdefault(flat[0].key, ([], []))[1].append(flat)
    for key in sorted(by_key, key=lambda key: (len(key), key)):
        yield _candidate(place, *by_key[key])


def _candidate(place: Place, folders: list[tuple[Named, Directory]], files: list[tuple[Named, File]]) -> Candidate:
    named = next(named for named, _ in (*folders, *files))
    first = (folders or files)[0][1]
    blank = replace(
        place.blank("moodle"),
        source=first.source,
        key=named.key,
        named=True,
        name=named.name,
        anonymous=named.anonymous,
        texts=tuple(_texts(folders, files)),
    )
    flat = [file.called(named.file) for named, file in files if named.plugin == "file"]
    faults = [*(folder.fault for _, folder in folders), *(file.fault for _, file in files)]
    fault = next(filter(None, faults), "")
    own = [folder for named, folder in folders if named.plugin == "file"]
    if len(own) == 1 and not flat:
        found = of_folder(own[0], blank)
        return replace(found, message=found.message or fault)
    return of_choice(choose([*flat, *(f for folder in own for f in listed(folder).files)], place.latest), blank, fault)


def _texts(folders: list[tuple[Named, Directory]], files: list[tuple[Named, File]]) -> Iterator[File]:
    for named, folder in folders:
        if named.plugin == "onlinetext":
            yield from (file for file in listed(folder).files if file.name.lower().endswith((".html", ".htm")))
    yield from (file.called(named.file) for named, file in files if named.plugin == "onlinetext")

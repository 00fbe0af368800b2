"""Exports of Gradescope assignments: `assignment_<id>_export/submission_<id>/` and `submission_metadata.yml`.

The key is the submission's number. Gradescope numbers submissions, not students, so `members` are the submitters'
student ids (their e-mail addresses where they have none), one of them too; `created_at` is when the submission came in.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import ClassVar

from grader.errors import SubmissionError
from grader.files import decode, shown
from grader.moments import moment
from grader.sources.candidate import Candidate, of_folder
from grader.sources.names import Named
from grader.sources.place import Claim, Place
from grader.sources.tree import Directory, File
from grader.values import frozen

METADATA = "submission_metadata.yml"
LIMIT = 16 << 20

_NAME = re.compile(r"submission_([0-9]+)")


def parse(name: str) -> Named | None:
    """What Gradescope says in the name of a folder; None if it is not one of Gradescope's."""
    match = _NAME.fullmatch(name)
    return Named(platform="gradescope", key=match[1]) if match else None


@frozen(kw_only=True)
class _Entry:
    """What the metadata say of one submission."""

    names: tuple[str, ...] = ()
    members: tuple[str, ...] = ()
    created: str = ""


class Gradescope:
    """The export of one Gradescope assignment."""

    order: ClassVar[int] = 10

    def claim(self, place: Place) -> Claim | None:
        """The folders that the metadata list; without metadata, folders that are all named by Gradescope."""
        if not place.trusted or place.alone:
            return None
        metadata = next((file for file in place.contents.files if file.name == METADATA), None)
        if metadata is not None:
            entries = read_metadata(metadata)
            folders = [folder for folder in place.contents.folders if folder.name in entries or parse(folder.name)]
            return Claim(_candidates(place, entries, folders), place.contents.without([metadata], folders))
        folders = list(place.contents.folders)
        if folders and not place.contents.files and all(parse(folder.name) for folder in folders):
            return Claim(_candidates(place, {}, folders), place.contents.without((), folders))
        return None


def read_metadata(file: File) -> dict[str, _Entry]:
    """What the metadata say, by folder; SubmissionError if they are no YAML."""
    from grader.yamltree import Mapping, read_yaml  # only where there is such a file

    name = shown(file.name)
    tree = read_yaml(decode(file.read(LIMIT), name).text, name, most_events=2_000_000)
    if tree.stopped or not isinstance(tree.root, Mapping):
        what, line = "submissions are expected", None
        if tree.faults:
            what, line = tree.faults[-1].what, tree.faults[-1].line
        raise SubmissionError(file.source, what, line)
    return {entry.key: _entry(entry.value) for entry in tree.root.entries}


def _entry(node: object) -> _Entry:
    from grader.yamltree import Sequence

    fields = _fields(node)
    submitters = fields.get("submitters")
    people = [_texts(item) for item in submitters.items] if isinstance(submitters, Sequence) else []
    ids = [next((who[field] for field in ("sid", "email", "name") if who.get(field)), "") for who in people]
    return _Entry(
        names=tuple(who["name"] for who in people if who.get("name")),
        members=tuple(dict.fromkeys(text for text in ids if text)),
        created=moment(_texts(node).get("created_at", "")) or "",
    )


def _fields(node: object) -> dict[str, object]:
    """The values of a mapping by key; Ruby writes its symbols as `:name:`."""
    from grader.yamltree import Mapping

    return {entry.key.strip(":"): entry.value for entry in node.entries} if isinstance(node, Mapping) else {}


def _texts(node: object) -> dict[str, str]:
    from grader.yamltree import Text

    return {
        key: value.value.strip()
        for key, value in _fields(node).items()
        if isinstance(value, Text) and (value.style or value.value not in ("", "null", "~"))
    }


def _candidates(place: Place, entries: dict[str, _Entry], folders: list[Directory]) -> Iterator[Candidate]:
    there = {folder.name: folder for folder in folders}
    for name in sorted({*there, *entries}, key=lambda name: (len(name), name)):
        entry, named = entries.get(name), parse(name)
        blank = replace(
            place.blank("gradescope"),
            source=f"{place.directory.source}/{shown(name)}",
            key=named.key if named else name,
            named=True,
            name=" and ".join(entry.names) if entry else "",
            members=entry.members if entry else (),
            times={"lms": entry.created} if entry and entry.created else {},
            remarks=() if entry or not entries else (f"{METADATA} does not list {shown(name)}",),
        )
        yield of_folder(there[name], blank) if name in there else blank

"""Downloads of Canvas assignments: all files flat, named by Canvas.

`<name>[_LATE]_<user id>_<file id>_<file>`, `[LATE_]anon_<code>_<file id>_<file>` where grading is anonymous, and
`..._text.html` or `..._link.html` for what was typed. The name is the student's, sorted and stripped by Canvas; the
key is the user id, the `ID` of the gradebook (`anon:<code>` for the anonymous). A number that Canvas puts behind a
file's name at a later upload (`answers-1.yaml`) tells the attempt.
"""

import re
from dataclasses import replace
from typing import ClassVar

from grader.sources.candidate import Candidate, of_choice
from grader.sources.choosing import choose
from grader.sources.names import Named, number, rank
from grader.sources.place import Claim, Place
from grader.sources.tree import File

_NAME = re.compile(
    r"(?:(?P<name>\w+?)_)??(?:(?P<late>LATE)_)?(?P<id>anon_[A-Za-z0-9]+|[0-9]+)_"
    r"(?:(?P<file_id>[0-9]+)_(?P<file>.+)|(?P<kind>text|link)\.html)",
    re.DOTALL,
)
_AGAIN = re.compile(r".*[^0-9]-[0-9]{1,4}", re.DOTALL)
_LONGEST = 400  # of a name that is looked at


def parse(name: str) -> Named | None:
    """What Canvas says in the name of a file; None if it is not one of Canvas's."""
    match = _NAME.fullmatch(name) if len(name) <= _LONGEST else None
    if match is None:
        return None
    anonymous = match["id"].startswith("anon_")
    file = match["file"] or f"{match['kind']}.html"
    return Named(
        platform="canvas",
        key=match["id"].replace("anon_", "anon:", 1) if anonymous else match["id"],
        name=match["name"] or "",
        file_id=match["file_id"] or "",
        file=file,
        kind=match["kind"] or "",
        late=match["late"] is not None,
        anonymous=anonymous,
        attempt=_attempt(file),
    )


class Canvas:
    """The download of one Canvas assignment."""

    order: ClassVar[int] = 30

    def claim(self, place: Place) -> Claim | None:
        """All that is named by Canvas, one candidate a student; not what only looks so in a student's own folder."""
        if not place.trusted:
            return None
        found: dict[str, list[tuple[Named, File]]] = {}
        for file in place.contents.files:
            named = parse(file.name)
            if named is not None:
                found.setdefault(named.key, []).append((named, file))
        taken = [file for group in found.values() for _, file in group]
        others = [rank(file.name) for file in place.contents.without(taken).files]
        alike = len(found) > 1 and not any(other in (0, 1, 2) for other in others)
        if not found or not (alike or (_long(found) and place.level == 0)):
            return None
        keys = sorted(found, key=lambda key: (len(key), key))
        return Claim([_candidate(place, key, found[key]) for key in keys], place.contents.without(taken))


def _long(found: dict[str, list[tuple[Named, File]]]) -> bool:
    """Whether the numbers are those of a platform, not two of a file's own."""
    return all(named.kind or len(named.file_id) > 3 for group in found.values() for named, _ in group)


def _candidate(place: Place, key: str, group: list[tuple[Named, File]]) -> Candidate:
    first = group[0][0]
    blank = replace(
        place.blank("canvas"),
        source=group[0][1].source,
        key=key,
        named=True,
        name=next((named.name for named, _ in group if named.name), ""),
        late=any(named.late for named, _ in group),
        anonymous=first.anonymous,
        texts=tuple(file.called(named.file) for named, file in group if named.kind == "text"),
    )
    renamed = [file.called(named.file) for named, file in group if not named.kind]
    fault = next((file.fault for _, file in group if file.fault), "")
    found = of_choice(choose(renamed, place.latest), blank, fault)
    attempts = [attempt for file in found.files if (attempt := _attempt(file.name))]
    return replace(found, attempt=max(attempts, default=None))


def _attempt(file: str) -> int | None:
    """The attempt that a file's name tells: 2 for `answers-1.yaml`."""
    again = number(file) if _AGAIN.fullmatch(file.rpartition(".")[0]) else 0
    return again + 1 if again else None

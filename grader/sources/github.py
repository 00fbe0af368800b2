"""Clones of a GitHub classroom: `<slug>-submissions/<slug>-<login>/`, as `gh classroom clone student-repos` names them.

The key is the login (or the team) behind the slug. When a clone was handed in is not told by its files.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import ClassVar

from grader.sources.candidate import Candidate, of_folder
from grader.sources.names import Named
from grader.sources.place import Claim, Place
from grader.sources.tree import Directory

_ABOVE = re.compile(r"(.+)-submissions", re.DOTALL)


def parse(name: str, above: str) -> Named | None:
    """What the name of a clone says in a folder called `above`; None if it is not such a clone."""
    match = _ABOVE.fullmatch(above)
    if match is None or not name.startswith(f"{match[1]}-") or len(name) == len(match[1]) + 1:
        return None
    return Named(platform="github-classroom", key=name[len(match[1]) + 1 :], assignment=match[1])


class Github:
    """The folder of all clones of one assignment."""

    order: ClassVar[int] = 35  # before Classroom 50, which goes by files that students may write

    def claim(self, place: Place) -> Claim | None:
        """The folders that begin with the slug; or the one clone that was given."""
        if place.alone or not place.trusted:
            return None
        if place.level == 0 and place.above:
            own = parse(place.directory.name, place.above[-1])
            if own is not None:
                return Claim([_candidate(place, own, place.directory)])
        clones = [(own, f) for f in place.contents.folders if (own := parse(f.name, place.directory.name))]
        if not clones:
            return None
        return Claim(_candidates(place, clones), place.contents.without((), (folder for _, folder in clones)))


def _candidates(place: Place, clones: list[tuple[Named, Directory]]) -> Iterator[Candidate]:
    for named, folder in clones:
        yield _candidate(place, named, folder)


def _candidate(place: Place, named: Named, folder: Directory) -> Candidate:
    blank = replace(place.blank(named.platform), source=folder.source, key=named.key, named=True)
    return of_folder(folder, blank)

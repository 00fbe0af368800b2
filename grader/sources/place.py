"""What a search shows to each source, and what the source makes of it."""

from collections.abc import Iterable
from dataclasses import field
from typing import ClassVar, Protocol

from grader.sources.candidate import Candidate
from grader.sources.tree import Contents, Directory
from grader.values import frozen


@frozen(kw_only=True)
class Place:
    """A folder in which submissions are looked for, and what of it no other source has claimed.

    `level` is 0 for what was given. `above` are the names of the folders above, the nearest last. `alone` says that
    one file was given, not its folder; `claimed`, that a source has found submissions here already. Where a folder may
    be a student's own it is not `trusted`: what looks like a platform's download there must not hand in for others.
    """

    directory: Directory
    contents: Contents
    level: int = 0
    above: tuple[str, ...] = ()
    alone: bool = False
    trusted: bool = True
    claimed: bool = False
    latest: bool = False

    def blank(self, platform: str) -> Candidate:
        """A candidate of the platform without anything in it."""
        return Candidate(source=self.directory.source, platform=platform, latest=self.latest)


@frozen
class Claim:
    """The submissions that a source found in a place, and what it leaves to the others."""

    candidates: Iterable[Candidate]
    rest: Contents = field(default_factory=Contents)


class Source(Protocol):
    """One format in which submissions come. Sources are asked in the order of `order`."""

    order: ClassVar[int]

    def claim(self, place: Place) -> Claim | None:
        """The submissions in this place, None if it is not of this format."""

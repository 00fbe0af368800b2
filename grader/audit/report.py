"""The audit of a class: each clone against the template, each claim against the staff's result."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path, PurePath
from typing import Any
from urllib.parse import quote

from grader.audit.claims import Claim, in_clone
from grader.audit.files import differences
from grader.classroom.collect import read_state
from grader.classroom.github import Client, ExhaustedError, GithubError
from grader.errors import GraderError, SubmissionError
from grader.files import shown
from grader.reports.markup import terminal
from grader.results import PartResult, Result
from grader.sources.github import parse
from grader.values import frozen

VERIFIED, DIFFERS, UNVERIFIED = "verified", "differs", "unverified"
_BOT = "github-actions[bot]"


@frozen(kw_only=True)
class Clone:
    """A student's repository on disk. `repository` (OWNER/REPO) and `commit` are empty where they aren't known."""

    student: str
    folder: Path
    repository: str = ""
    commit: str = ""


@frozen(kw_only=True)
class Regraded:
    """The staff's result as it was graded: without late penalties and points given by hand, which CI knows nothing of.

    `names` are all by which the student may be called; `parts` are points and most points.
    """

    student: str
    names: frozenset[str]
    places: tuple[str, ...]  # the names of the folders in which the answers were found, the topmost first
    points: int
    max_points: int
    parts: tuple[tuple[int, int], ...]
    counts: bool = True


@frozen(kw_only=True)
class Audited:
    """What was found of one student: `files` that are not as in the template, and what there is to say of the claims.

    `claim` is verified, differs or unverified (there is no claim, or nothing to compare it with).
    """

    student: str
    folder: str
    claim: str
    points: int | None
    max_points: int | None
    files: tuple[tuple[str, str], ...]
    claims: tuple[str, ...]

    @property
    def flagged(self) -> bool:
        """Whether a person should look."""
        return bool(self.files) or self.claim == DIFFERS


def clones(folder: Path) -> list[Clone]:
    """The repositories in a folder: of a collection of ours, or one in each subfolder; GraderError without any."""
    if not folder.is_dir():
        raise GraderError(f"{shown(str(folder))}: there is no such folder")
    found = [
        Clone(student=known.student, folder=folder / known.folder, repository=known.name, commit=known.commit)
        for known in read_state(folder).values()
        if (folder / known.folder).is_dir()
    ]
    found = found or [clone for path in _folders(folder) for clone in _clones(path)]
    if not found:
        raise GraderError(f"{shown(str(folder))}: there are no repositories in this folder")
    return sorted(found, key=lambda clone: clone.student)


def _folders(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if path.is_dir() and path.name[0] != "." and not path.is_symlink())


def _clones(path: Path) -> Iterator[Clone]:
    """A clone, or those of an assignment in a folder of their own."""
    inner = [(own, below) for below in _folders(path) if (own := parse(below.name, path.name))]
    if inner:
        yield from (Clone(student=own.key, folder=below) for own, below in inner)
    else:
        own = parse(path.name, path.resolve().parent.name)
        yield Clone(student=own.key if own else path.name, folder=path)


def regraded(results: Iterable[Result], names: Mapping[str, Iterable[str]]) -> list[Regraded]:
    """The staff's results, of all attempts; `names` are those of each student, of which others' are left out."""
    results = list(results)
    called = {one.student: {name.casefold() for name in (one.student, *names.get(one.student, ()))} for one in results}
    count = Counter(name for own in called.values() for name in own)
    return [
        Regraded(
            student=result.student,
            names=frozenset(name for name in called[result.student] if count[name] == 1),
            places=PurePath(result.source).parts,
            points=sum(_points(part) for exercise in result.exercises for part in exercise.parts),
            max_points=result.max_points,
            parts=tuple((_points(part), part.max_points) for each in result.exercises for part in each.parts),
            counts=result.counts,
        )
        for result in results
    ]


def _points(part: PartResult) -> int:
    """What the grader gave."""
    given = part.points if part.override is None else part.override.before
    return given or 0


class Audit:
    """Looks at one clone after the other. With a client, releases are asked for on GitHub."""

    def __init__(
        self,
        wanted: Mapping[str, str],
        results: Sequence[Regraded],
        claims: Sequence[Claim],
        client: Client | None = None,
    ) -> None:
        self._wanted, self._results, self._claims, self._client = wanted, results, claims, client
        self._met: set[str] = set()

    def strangers(self) -> list[str]:
        """Whose claims are of none of the clones that were looked at."""
        return sorted({claim.student for claim in self._claims if claim.student.casefold() not in self._met})

    def look(self, clone: Clone) -> Audited:
        """What there is to say of a clone."""
        own = self._own(clone)
        names = (own.names if own else frozenset()) | {clone.student.casefold()}
        self._met |= names
        claims = [claim for claim in self._claims if claim.student.casefold() in names]
        said: list[tuple[str, str]] = []
        try:
            inside = in_clone(clone.folder, clone.student)
            claims += [inside] if inside else []
        except SubmissionError as error:
            said.append((DIFFERS, str(error)))
        said += [
            (verdict, f"{claim.source}: {what}") for claim in claims for verdict, what in self._judge(claim, clone, own)
        ]
        verdicts = {verdict for verdict, _ in said}
        return Audited(
            student=own.student if own else clone.student,
            folder=clone.folder.name,
            claim=next((verdict for verdict in (DIFFERS, VERIFIED) if verdict in verdicts), UNVERIFIED),
            points=own.points if own else None,
            max_points=own.max_points if own else None,
            files=differences(clone.folder, self._wanted),
            claims=tuple(what for _, what in said),
        )

    def _own(self, clone: Clone) -> Regraded | None:
        """The staff's result of the work in a clone: students may have folders that are called as another's clone."""
        name = clone.folder.name
        by_place = sorted((one for one in self._results if name in one.places), key=lambda one: one.places.index(name))
        by_name = [one for one in self._results if clone.student.casefold() in one.names]
        return next((one for one in (*by_place, *by_name) if one.counts), None)

    def _judge(self, claim: Claim, clone: Clone, own: Regraded | None) -> Iterator[tuple[str, str]]:
        """What there is to say of a claim, each with a verdict."""
        other = _of_another(claim, clone, own)
        if other:
            yield DIFFERS, f"this is the result of {other}"
        if own is not None:
            yield _compared(claim, clone, own)
        else:
            yield UNVERIFIED, f"claims {_share(claim.points, claim.max_points)}; there is no result of the staff's"
        if self._client is not None and claim.tag and clone.repository:
            yield from self._released(self._client, claim, clone)

    def _released(self, client: Client, claim: Claim, clone: Clone) -> Iterator[tuple[str, str]]:
        """Who published the release of a claim: whoever can push can make one."""
        try:
            data: Any = client.get(f"repos/{clone.repository}/releases/tags/{quote(claim.tag, safe='')}")
            author = str(data["author"]["login"])
        except ExhaustedError:
            raise
        except (GithubError, LookupError, TypeError) as error:
            there = isinstance(error, GithubError) and error.status != 404
            yield (UNVERIFIED, f"the release {claim.tag}: {error}") if there else (DIFFERS, f"no release {claim.tag}")
            return
        if author != _BOT:
            yield DIFFERS, f"the release {claim.tag} was published by {author}, not by a workflow"


def _of_another(claim: Claim, clone: Clone, own: Regraded | None) -> str:
    """Whose result a claim says that it is, if that is somebody else's; by the repository, else by its owner."""
    if claim.repository:
        name = clone.repository or clone.folder.name
        said = claim.repository if clone.repository else claim.repository.partition("/")[2]
        return "" if said.casefold() == name.casefold() else claim.repository
    names = (own.names if own else frozenset()) | {clone.student.casefold()}
    return "" if not claim.owner or claim.owner.casefold() in names else claim.owner


def _compared(claim: Claim, clone: Clone, own: Regraded) -> tuple[str, str]:
    claimed, known = _share(claim.points, claim.max_points), _share(own.points, own.max_points)
    earlier = bool(claim.commit and clone.commit) and not clone.commit.startswith(claim.commit)
    of = f" for commit {claim.commit[:12]}, and {clone.commit[:12]} was collected" if earlier else ""
    if not claim.max_points and own.max_points:
        return UNVERIFIED, "claims no points: answers were read there, not graded"
    if (claim.points, claim.max_points) != (Fraction(own.points), Fraction(own.max_points)):
        why = "out of date, or not what CI found" if earlier or not claim.commit else "not what CI should have found"
        return DIFFERS, f"claims {claimed}{of}; the staff's result is {known}: {why}"
    parts = tuple((Fraction(points), Fraction(most)) for points, most in own.parts)
    if len(claim.tests) == len(parts) and claim.tests != parts:
        return DIFFERS, f"claims {known} as the staff's result has, but from other parts"
    return VERIFIED, f"{known}{of}"


def _share(points: Fraction | int, most: Fraction | int) -> str:
    return f"{_plain(points)} of {_plain(most)} points"


def _plain(number: Fraction | int) -> str:
    number = Fraction(number)
    return str(number.numerator) if number.denominator == 1 else f"{float(number):.17g}"


def lines(audited: Sequence[Audited]) -> Iterator[str]:
    """The audit as text for a terminal: a line a student, and what there is to look at."""
    width = max(len(terminal(one.student)) for one in audited)
    for one in audited:
        files = f"{len(one.files)} files differ" if len(one.files) != 1 else "1 file differs"
        yield f"{terminal(one.student):<{width}}  {files if one.files else 'files as handed out':<20}  {one.claim}"
        yield from (f"  {terminal(path)}: {terminal(what)}" for path, what in one.files)
        yield from (f"  {terminal(what)}" for what in one.claims)
    count: Callable[[str], int] = lambda verdict: sum(one.claim == verdict for one in audited)  # noqa: E731
    yield (
        f"{len(audited)} repositories: {sum(one.flagged for one in audited)} to look at; claimed results: "
        f"{count(VERIFIED)} verified, {count(DIFFERS)} differ, {count(UNVERIFIED)} unverified"
    )
    if any(one.flagged for one in audited):
        yield "A difference is a reason to ask, and no proof of anything."

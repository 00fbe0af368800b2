"""The index of a class: one small row a submission, so that many fit in memory, and what they come to together."""

from collections import Counter
from collections.abc import Iterable, Sequence
from urllib.parse import quote

from grader.reports.environment import fill
from grader.reports.overrides import PLAIN, Overrides
from grader.reports.view import STATUS, counted, days_late, thousands
from grader.results import PartResult, Result, Status, Verdict
from grader.values import frozen

MOST_ROWS = 2_000  # on one page
MOST_LINES = 50  # of a summary in plain text
_WIDTH = 40  # of the longest bar

_UNGRADED = (Status.UNREADABLE, Status.DUPLICATE, Status.FAILED)


@frozen(kw_only=True)
class Entry:
    """One row. `page` is the stem of the student's own pages, "" if there are none; `urgency` says whether a person
    must look: 2 where something could not be graded or decided, 1 where the course's rules could not be applied."""

    student: str
    status: Status
    points: int | None
    max_points: int
    scored: bool
    name: str = ""
    notes: tuple[str, ...] = ()
    urgency: int = 0
    page: str = ""

    @property
    def title(self) -> str:
        """The student, with the name if there is one."""
        return f"{self.student}, {self.name}" if self.name else self.student


def entry(result: Result, *, page: str = "", attempts: int = 1) -> Entry:
    """The row of a result, in the full record of the staff."""
    parts = [part for exercise in result.exercises for part in exercise.parts]
    undecided = any(part.verdict == Verdict.UNDECIDED and part.override is None for part in parts)
    student = result.student or result.source
    return Entry(
        student=student,
        name="" if result.name == student else result.name,
        status=result.status,
        points=result.points,
        max_points=result.max_points,
        scored=result.status == Status.GRADED or bool(parts),
        notes=_notes(result, parts, attempts),
        urgency=2 if undecided or (result.status in _UNGRADED and not parts) else 1 if result.flags else 0,
        page=page,
    )


def _notes(result: Result, parts: Sequence[PartResult], attempts: int) -> tuple[str, ...]:
    """What whoever reads the index should know of a submission."""
    verdicts = [part.verdict for part in parts if part.override is None]
    words = {Verdict.UNDECIDED: "to be reviewed", Verdict.INVALID: "could not be read"}
    given = sum(part.override is not None for part in parts)
    found = [
        *(f"{verdicts.count(verdict)} {word}" for verdict, word in words.items() if verdict in verdicts),
        f"{counted(given, 'part')} marked by a person" if given else "",
        days_late(result),
        counted(attempts, "attempt") if attempts > 1 else "",
        "" if result.counts else "another attempt counts",
        *result.remarks,
        *result.flags,
        result.message,
    ]
    return tuple(dict.fromkeys(filter(None, found)))


@frozen(kw_only=True)
class Overview:
    """What the rows of an index come to: `statuses` in words with their numbers (`line` has all of them), `bars` of the
    shares of the points, and the rows that a person must look at, the most urgent first."""

    count: int
    line: str
    statuses: tuple[tuple[str, int], ...]
    bars: tuple[tuple[str, int, str], ...]
    urgent: tuple[Entry, ...]


def overview(entries: Sequence[Entry]) -> Overview:
    """What the rows come to together."""
    numbers = Counter(one.status for one in entries)
    urgent = sorted((one for one in entries if one.urgency), key=lambda one: -one.urgency)
    statuses = tuple((STATUS[status], numbers[status]) for status in Status if status in numbers)
    told = "; ".join(f"{word} {thousands(number)}" for word, number in statuses)
    many = f": {told}" if len(entries) > MOST_LINES else ""
    return Overview(
        count=len(entries),
        line=counted(len(entries), "submission") + many,
        statuses=statuses,
        bars=_bars(entries),
        urgent=tuple(urgent),
    )


def _bars(entries: Iterable[Entry]) -> tuple[tuple[str, int, str], ...]:
    """How many have which share of the points, in tenths, with a bar each; full marks are a row of their own."""
    tenths = Counter(
        min(max(10 * one.points // one.max_points, 0), 10)
        for one in entries
        if one.scored and one.points is not None and one.max_points > 0
    )
    most = max(tenths.values(), default=0)
    rows = []
    for tenth in range(11) if most else ():
        label = f"{10 * tenth}–{10 * tenth + 9} %" if tenth < 10 else "100 %"
        rows.append((label, tenths[tenth], "█" * -(-tenths[tenth] * _WIDTH // most)))
    return tuple(rows)


def index_pages(
    entries: Sequence[Entry], form: str, *, title: str, grader: str, overrides: Overrides = PLAIN
) -> dict[str, str]:
    """The pages of an index in the form "md" or "html" by the names of their files: `index.html`, `index-2.html`.

    In the form "txt" there is one, which lists more than a few rows only where a person must look.
    """
    most = max(len(entries), 1) if form == "txt" else MOST_ROWS
    starts = range(0, max(len(entries), 1), most)
    names = [f"index{f'-{number}' if number > 1 else ''}.{form}" for number, _ in enumerate(starts, 1)]
    shown = {"title": title, "grader": grader, "whole": overview(entries), "names": names}
    return {
        name: _page(entries[start : start + most], form, overrides, name=name, **shown)
        for name, start in zip(names, starts, strict=True)
    }


def whole_index(entries: Sequence[Entry], form: str, *, title: str, grader: str) -> str:
    """The index on one page, however long."""
    return _page(entries, form, PLAIN, title=title, grader=grader, whole=overview(entries), name="", names=[""])


def _page(entries: Sequence[Entry], form: str, overrides: Overrides, **shown: object) -> str:
    links = [quote(f"{one.page}.{form}") if one.page else "" for one in entries]
    pairs = list(zip(entries, links, strict=True))
    return fill(f"summary.{form}", form, overrides, pairs=pairs, few=MOST_LINES, **shown)

"""Each part of a course as an item of a test: how hard it was, and how well it tells students apart."""

from collections import Counter
from collections.abc import Mapping, Sequence

from grader import statistics
from grader.analysis.sitting import Answer, Place, Sitting
from grader.gradebook import Column
from grader.results import Verdict
from grader.values import frozen


@frozen(kw_only=True)
class PartFigures:
    """One part with its figures (see `grader.statistics`), and how many answers have which verdict."""

    column: Column
    facility: float | None
    discrimination: float | None
    verdicts: Mapping[Verdict, int]

    @property
    def place(self) -> Place:
        """The exercise and the part."""
        return self.column.exercise, self.column.part


@frozen(kw_only=True)
class Figures:
    """The figures of a class. `complete` students, all of whose parts are decided, are those behind `alpha` and the
    discriminations."""

    parts: tuple[PartFigures, ...]
    alpha: float | None
    complete: int


def figures(sittings: Sequence[Sitting], columns: Sequence[Column]) -> Figures:
    """The figures of all parts, from the submissions that were graded.

    An answer that is missing, or could not be read, has the points that it got, which are none. An undecided one has
    no points yet: it is left out of its part's facility, and its student of all that compares parts.
    """
    rows = [{answer.place: answer for answer in one.answers} for one in sittings if one.sat]
    complete = [row for row in rows if not any(map(_open, row.values()))]
    places = [(column.exercise, column.part) for column in columns]
    points = [[_points(row, place) for row in complete] for place in places]
    totals = [sum(own) for own in zip(*points, strict=True)]
    found = tuple(
        _part(column, rows, statistics.discrimination(own, totals)) for column, own in zip(columns, points, strict=True)
    )
    return Figures(parts=found, alpha=statistics.alpha(points), complete=len(complete))


def _open(answer: Answer) -> bool:
    """Whether nobody knows yet what the answer is worth."""
    return answer.verdict == Verdict.UNDECIDED and not answer.given


def _points(row: Mapping[Place, Answer], place: Place) -> int:
    return row[place].points if place in row else 0


def _part(column: Column, rows: Sequence[Mapping[Place, Answer]], discrimination: float | None) -> PartFigures:
    place = (column.exercise, column.part)
    decided = [_points(row, place) for row in rows if place not in row or not _open(row[place])]
    counts = Counter(row[place].verdict if place in row else Verdict.MISSING for row in rows)
    return PartFigures(
        column=column,
        facility=statistics.facility(decided, column.max_points),
        discrimination=discrimination,
        verdicts={verdict: counts[verdict] for verdict in Verdict},
    )

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
    """One part with its figures (see `grader.statistics`), and how many answers have which verdict.

    Or a whole exercise: the `part` of its column is "", and its verdicts are those of all its parts.
    """

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
    exercises: tuple[PartFigures, ...]
    alpha: float | None
    complete: int


def figures(sittings: Sequence[Sitting], columns: Sequence[Column]) -> Figures:
    """The figures of all parts, from the submissions that were graded.

    An answer that is missing, or could not be read, has the points that it got, which are none. An undecided one, or
    one whose verdict is hidden, has no points yet: it is left out of its part's facility, and its student of all that
    compares parts.
    """
    rows = [{answer.place: answer for answer in one.answers} for one in sittings if one.sat]
    complete = [row for row in rows if not any(map(_open, row.values()))]
    points = [[_points(row, (column.exercise, column.part)) for row in complete] for column in columns]
    totals = [sum(own) for own in zip(*points, strict=True)]
    parts = tuple(
        _part(column, rows, statistics.discrimination(own, totals)) for column, own in zip(columns, points, strict=True)
    )
    exercises = tuple(
        _exercise(name, parts, points, totals) for name in dict.fromkeys(column.exercise for column in columns)
    )
    return Figures(parts=parts, exercises=exercises, alpha=statistics.alpha(points), complete=len(complete))


def _exercise(
    name: str, parts: Sequence[PartFigures], points: Sequence[Sequence[int]], totals: Sequence[int]
) -> PartFigures:
    """An exercise as one item; its facility is that of its parts, each as often as it has points."""
    own = [(part, earned) for part, earned in zip(parts, points, strict=True) if part.column.exercise == name]
    known = [(part.facility, part.column.max_points) for part, _ in own if part.facility is not None]
    most = sum(weight for _, weight in known)
    return PartFigures(
        column=Column(exercise=name, part="", title="", max_points=sum(part.column.max_points for part, _ in own)),
        facility=sum(facility * weight for facility, weight in known) / most if most else None,
        discrimination=statistics.discrimination([sum(row) for row in zip(*(e for _, e in own), strict=True)], totals),
        verdicts={verdict: sum(part.verdicts[verdict] for part, _ in own) for verdict in Verdict},
    )


def _open(answer: Answer) -> bool:
    """Whether nobody knows yet what the answer is worth."""
    return answer.verdict in (None, Verdict.UNDECIDED) and not answer.given


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

"""All that a class page shows of the answers of a class, as plain values."""

from collections.abc import Sequence

from grader import statistics
from grader.analysis.alarm import Alarm, alarms
from grader.analysis.groups import (
    Cluster,
    MistakeGroup,
    RatioGroup,
    Todo,
    clusters,
    mistakes,
    ratio_groups,
    todo,
)
from grader.analysis.parts import Figures, figures
from grader.analysis.sitting import Place, Sitting
from grader.gradebook import Column
from grader.values import frozen


@frozen(kw_only=True)
class Analysis:
    """What the answers of a class come to; `handed_in` students, `graded` of whom the statistics are of."""

    columns: tuple[Column, ...]
    handed_in: int
    graded: int
    max_points: int
    scores: statistics.Spread | None
    figures: Figures
    mistakes: tuple[MistakeGroup, ...]
    clusters: tuple[Cluster, ...]
    ratios: tuple[RatioGroup, ...]
    todo: tuple[Todo, ...]
    alarms: tuple[Alarm, ...]
    given: tuple[tuple[str, Place, int], ...]  # student, part, points that a person gave


def analyse(sittings: Sequence[Sitting], columns: Sequence[Column]) -> Analysis:
    """The analysis of a class, of which each student has one sitting: what counts.

    Scores are totals after the course's rules; all else is of the answers as they were marked.
    """
    graded = [one for one in sittings if one.sat]
    return Analysis(
        columns=tuple(columns),
        handed_in=len(sittings),
        graded=len(graded),
        max_points=sum(column.max_points for column in columns),
        scores=statistics.spread([one.points for one in graded if one.points is not None]),
        figures=figures(graded, columns),
        mistakes=mistakes(graded),
        clusters=clusters(graded, columns),
        ratios=ratio_groups(graded, columns),
        todo=todo(graded),
        alarms=alarms(graded, columns),
        given=tuple(
            (one.student, answer.place, answer.points) for one in sittings for answer in one.answers if answer.given
        ),
    )

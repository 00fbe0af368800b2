"""What a student may see of a result, by the level of feedback that the course reveals."""

import re
from dataclasses import replace
from functools import lru_cache

from grader.results import NumberLine, PartResult, Plot, Result, Reveal, Verdict

# a number, or a power of a symbol; any other ratio would show the solution as its denominator
_SHORT_RATIO = re.compile(r"-?[\d.e+/-]+|(1/)?[^\W\d]\w*(\^\d+)?")


def student_view(result: Result, reveal: Reveal) -> Result:
    """The result as the student may see it: what the level hides is not in it at all."""
    exercises = tuple(
        replace(exercise, parts=tuple(_part_view(part, reveal) for part in exercise.parts))
        for exercise in result.exercises
    )
    if reveal == Reveal.NONE:
        exercises = tuple(replace(exercise, points=None) for exercise in exercises)
        # no more is taken off than was earned, so that a penalty may tell the points
        return replace(result, exercises=exercises, points=None, late=None, flags=())
    return replace(result, exercises=exercises, flags=())


@lru_cache(maxsize=4096)  # in a class many parts are equal
def _part_view(part: PartResult, reveal: Reveal) -> PartResult:
    if reveal == Reveal.NONE:
        # what was typed and how it was read, and whether that could be read at all
        kept = part.verdict if part.verdict in (Verdict.INVALID, Verdict.MISSING) else None
        message = part.message if kept else ""
        part = replace(
            part, verdict=kept, points=None, relation=None, remarks=(), message=message, follow_through=None, credit=""
        )
    # why a person gave other points is told with the points; who it was is the staff's
    given = replace(part.override, by="") if part.override and reveal != Reveal.NONE else None
    part = replace(part, cluster=None, ratio_cluster=None, override=given)
    if not reveal.includes(Reveal.FULL):
        part = replace(part, solution=None, solution_mathml=None, plot=_own(part.plot), number_line=_said(part))
    if not reveal.includes(Reveal.HINT_1):
        part = replace(part, counterexample="")
    if not reveal.includes(Reveal.HINT_2):
        # what deciding found out about a wrong answer is a hint, too; how the answer was read shows in its read-back
        remarks = () if part.verdict == Verdict.INCORRECT else part.remarks
        part = replace(part, ratio=None, off_by="", slips=(), remarks=remarks)
    elif not reveal.includes(Reveal.FULL) and part.ratio and not _SHORT_RATIO.fullmatch(part.ratio):
        part = replace(part, ratio=None)
    if reveal.includes(Reveal.MISTAKE):
        return part
    hints = tuple(replace(e, mistakes=(), title="", feedback="") for e in part.explanations if e.hint)
    shown = hints if reveal.includes(Reveal.HINT_1) else ()
    return replace(part, mistakes=(), alternatives=(), explanations=shown, feedback="")


def _own(plot: Plot | None) -> Plot | None:
    """The plot without the reference; None where nothing else is drawn."""
    own = tuple(one for one in plot.series if one.kind == "student") if plot else ()
    return replace(plot, series=own) if plot and own else None


def _said(part: PartResult) -> NumberLine | None:
    """The number line without the range that is accepted; None where nothing else is on it."""
    line = part.number_line
    return replace(line, accepted=()) if line and line.said else None

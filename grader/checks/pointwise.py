"""Curves point by point: each value within a share of the right one."""

from collections.abc import Sequence

from grader.checks.close import Amount, Close
from grader.maths import traces
from grader.maths.domain import Domain
from grader.maths.equality import equal
from grader.maths.expression import Expr
from grader.maths.traces import Trace
from grader.maths.unit_list import Unit
from grader.protocols import Match
from grader.results import Relation
from grader.values import frozen


@frozen
class Pointwise:
    """Every point must be within the share `rel` (0.03, "3%") of the right value."""

    share: float

    def __init__(self, rel: Amount = "3%") -> None:
        object.__setattr__(self, "share", float(Close(rel=rel).band.share))

    def match(self, answer: Expr, solution: Expr, domain: Domain) -> Match:
        """Whether two formulas are the same exactly; curves that only come near are a matter of `faults`."""
        same = equal(answer, solution, domain)
        return Match(Relation.EXACT if same else None, undecided=same is None)

    def faults(self, curves: Sequence[Trace], unit: Unit | None) -> tuple[str, ...]:
        """What is wrong with the curves; empty if every point is within the share."""
        return traces.faults(curves, self.share, unit)

    def gaps(self, curves: Sequence[Trace]) -> tuple[str, ...]:
        """Which points are missing."""
        return traces.gaps(curves)

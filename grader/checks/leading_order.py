"""Equality to leading order under the exercise's regime; the exact form passes too."""

from grader.maths.domain import Domain
from grader.maths.equality import equal
from grader.maths.expression import Expr
from grader.maths.leading import same_leading_order
from grader.protocols import OTHER, SAME, Match
from grader.results import Relation
from grader.values import frozen


@frozen
class LeadingOrder:
    """The ratio of answer and solution must tend to 1 however the symbols grow within the regime."""

    def match(self, answer: Expr, solution: Expr, domain: Domain) -> Match:
        """How the answer meets the solution."""
        same = same_leading_order(answer, solution, domain)
        if same is False:
            return OTHER
        if equal(answer, solution, domain):
            return SAME
        if same:
            return _LEADING
        return Match(undecided=True, reason="it could not be decided whether the answer has the right leading term")


_LEADING = Match(Relation.LEADING_ORDER)

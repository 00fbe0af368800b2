"""Equality to leading order under the exercise's regime; the exact form passes too."""

from grader.maths.domain import Domain
from grader.maths.expression import Expr
from grader.maths.leading import leading_or_equal
from grader.protocols import OTHER, SAME, Match
from grader.results import Relation
from grader.values import frozen


@frozen
class LeadingOrder:
    """The ratio of answer and solution must tend to 1 however the symbols grow within the regime."""

    def match(self, answer: Expr, solution: Expr, domain: Domain) -> Match:
        """How the answer meets the solution."""
        leading, exactly = leading_or_equal(answer, solution, domain)
        if exactly:
            return SAME
        if leading is None:
            return Match(undecided=True, reason="it could not be decided whether the answer has the right leading term")
        return _LEADING if leading else OTHER


_LEADING = Match(Relation.LEADING_ORDER)

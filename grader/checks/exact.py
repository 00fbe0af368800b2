"""Exact equality: over the rationals to the last digit, with roots and logarithms to 1e-12."""

from grader.maths.domain import Domain
from grader.maths.equality import equal
from grader.maths.expression import Expr
from grader.protocols import OTHER, SAME, Match
from grader.values import frozen


@frozen
class Exact:
    """The answer must have the solution's value."""

    def match(self, answer: Expr, solution: Expr, domain: Domain) -> Match:
        """How the answer meets the solution."""
        same = equal(answer, solution, domain)
        if same is None:
            return Match(undecided=True, reason="it could not be decided whether the answer equals the solution")
        return SAME if same else OTHER

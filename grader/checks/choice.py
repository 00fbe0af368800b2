"""Equality of the chosen option, or of anything that is right only as it stands."""

from grader.maths.domain import Domain
from grader.maths.expression import Expr
from grader.protocols import Match
from grader.results import Relation
from grader.values import frozen


@frozen
class Choice:
    """The answer must be the solution itself."""

    def match(self, answer: Expr | str, solution: Expr | str, domain: Domain) -> Match:  # noqa: ARG002
        """Whether both are the same."""
        return Match(Relation.EXACT if answer == solution else None)

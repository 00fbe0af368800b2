"""An answer as diagnosis looks at it, whoever gave it: its value, and the keys by which values are looked up."""

from functools import cached_property

from grader.diagnosis.mistakes import leading_mark
from grader.maths.domain import Domain
from grader.maths.expression import Expr
from grader.maths.fingerprint import fingerprint
from grader.maths.terms import constant_value
from grader.values import frozen


@frozen(slots=False)
class Answered:
    """A value, or the option that was chosen; `relation` is the direction of a threshold, or empty."""

    value: Expr | str
    relation: str
    domain: Domain

    @cached_property
    def formula(self) -> Expr | None:
        """The answer where it is a formula; a bare number says too little for pairs and the like."""
        return None if isinstance(self.value, str) or constant_value(self.value) is not None else self.value

    @cached_property
    def mark(self) -> str:
        """The look-up key of the value."""
        return self.value if isinstance(self.value, str) else fingerprint(self.value, self.domain)

    @cached_property
    def leading(self) -> str:
        """The look-up key of the leading term."""
        return leading_mark(self.value, self.domain)

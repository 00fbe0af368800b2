"""What answer types and checks agree on: what is asked, what an answer offers, and what comes of comparing."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol, TypeVar

from grader.maths.domain import Domain
from grader.maths.expression import Expr
from grader.results import Relation, Verdict
from grader.values import frozen


@frozen(kw_only=True)
class Question:
    """What is asked: the names that may be used, the unit, and the options of the part.

    `meanings` gives symbols that stand for formulas (T_math in a bound), `withheld` are those whose formula is not
    known here (all of them in a student edition), and `units` are the units that the exercise gives them.
    `attachments` are the texts of files beside the answers, by name (the CSV of a curve).
    """

    symbols: tuple[str, ...] = ()
    symbol: str | None = None
    unit: str | None = None
    unit_required: bool = False
    strict: bool = False
    side: Literal["optional", "required"] = "optional"
    bound: Literal["lower", "upper"] | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    meanings: Mapping[str, Expr] = field(default_factory=dict)
    withheld: frozenset[str] = frozenset()
    units: Mapping[str, str] = field(default_factory=dict)
    domain: Domain = Domain()
    attachments: Mapping[str, str] = field(default_factory=dict)
    x: str | None = None
    x_range: tuple[float, float] | None = None
    series: tuple[Mapping[str, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Match:
    """How one value meets another: the relation that holds, or none; undecided when neither could be shown."""

    relation: Relation | None = None
    undecided: bool = False
    reason: str = ""


SAME, OTHER = Match(Relation.EXACT), Match()


class Check(Protocol):
    """Decides whether a value counts as the solution's value."""

    def match(self, answer: Expr, solution: Expr, domain: Domain) -> Match:
        """How `answer` meets `solution`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What came of comparing an answer with the solution.

    `unit_only`: the number is right and only its unit is wrong, which grading makes `partial`.
    `slip`: what the ratio to the solution shows (a factor, a prefix), which is not for every reveal level.
    """

    verdict: Verdict
    relation: Relation | None = None
    remarks: tuple[str, ...] = ()
    message: str = ""
    unit_only: bool = False
    slip: str = ""


class Answer(Protocol):
    """A response after reading. The texts are made when asked for."""

    @property
    def value(self) -> Expr | None:
        """The one value that diagnosis works on (a threshold's point, a quantity in base units), if there is one."""

    @property
    def remarks(self) -> tuple[str, ...]:
        """What the student should know of how the answer was read."""

    @property
    def read_as(self) -> str:
        """The answer as plain text that reads back to the same answer."""

    @property
    def latex(self) -> str:
        """The answer as LaTeX."""

    @property
    def mathml(self) -> str:
        """The answer as one MathML element."""


A = TypeVar("A", bound=Answer)


class AnswerType(Protocol[A]):
    """A kind of answer."""

    def read(self, text: str, question: Question) -> A:
        """The answer that a response stands for; ResponseError if it can't be read."""

    def compare(self, answer: A, solution: A, question: Question, check: Check) -> Decision:
        """Whether the answer is right."""

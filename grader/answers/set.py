"""Finite sets such as {1, 2}: order and repeats are free."""

from grader.answers.statement import Statement, read_statement, without_label
from grader.errors import ResponseError
from grader.maths import show
from grader.maths.brackets import closing, cut_at_commas, with_separate_commas
from grader.maths.equality import undefined
from grader.maths.expression import Expr
from grader.maths.grammar import parse
from grader.maths.vocabulary import IN
from grader.protocols import Check, Decision, Match, Question
from grader.results import Relation, Verdict
from grader.values import frozen

_EMPTY = frozenset(("∅", "\\emptyset", "\\varnothing"))
_MAX_ELEMENTS = 32
_MAX_UNDECIDED = 1  # pairs, each of which may have taken long


@frozen
class SetAnswer:
    """The elements as typed."""

    elements: tuple[Expr, ...]
    remarks: tuple[str, ...] = ()

    @property
    def value(self) -> Expr | None:
        """The element of a set of one."""
        return self.elements[0] if len(self.elements) == 1 else None

    @property
    def read_as(self) -> str:
        """The set as text that reads back."""
        return "{" + ", ".join(map(show.text, self.elements)) + "}"

    @property
    def latex(self) -> str:
        """The set as LaTeX."""
        return r"\{" + ", ".join(map(show.latex, self.elements)) + r"\}"

    @property
    def mathml(self) -> str:
        """The set as one MathML element."""
        inside = show.operator(",").join(map(show.inside, self.elements))
        return show.math_element(show.operator("{") + inside + show.operator("}"))


class Set:
    """The answer type of finite sets."""

    def read(self, text: str, question: Question) -> SetAnswer:
        """The set that a response stands for; ResponseError if it is none."""
        return with_separate_commas(text, lambda spaced: _read(spaced, question))

    def compare(self, answer: SetAnswer, solution: SetAnswer, question: Question, check: Check) -> Decision:
        """Whether each element of either set meets one of the other."""
        meeting = _Meeting(question, check)
        try:
            extra = [meeting.best(a, solution.elements) for a in answer.elements]
            missing = [meeting.best(b, answer.elements, swapped=True) for b in solution.elements]
        except _UndecidedError:
            return Decision(verdict=Verdict.UNDECIDED, message="the elements could not be told apart")
        if None not in (*extra, *missing):
            loose = (relation for relation in extra if relation is not Relation.EXACT)
            return Decision(verdict=Verdict.CORRECT, relation=next(loose, Relation.EXACT))
        if meeting.undecided and not meeting.refuted:
            return Decision(verdict=Verdict.UNDECIDED, message="the elements could not be told apart")
        wrong = ("an element does not belong to the set",) * (None in extra)
        return Decision(verdict=Verdict.INCORRECT, remarks=wrong + ("an element is missing",) * (None in missing))


class _UndecidedError(Exception):
    """Too many pairs that nobody can decide."""


class _Meeting:
    """Looks for the elements of one set in the other, the likeliest pair first, within bounded work."""

    def __init__(self, question: Question, check: Check) -> None:
        self.question, self.check = question, check
        self.undecided = 0  # pairs
        self.refuted = False  # whether some element meets none of the others for certain
        self.known: dict[tuple[Expr, Expr], Match] = {}

    def best(self, element: Expr, others: tuple[Expr, ...], *, swapped: bool = False) -> Relation | None:
        """How the element meets the best of the others, or None."""
        found, unsure = None, False
        for other in sorted(others, key=lambda other: other != element):
            match = self.match(other, element) if swapped else self.match(element, other)
            if match.relation is Relation.EXACT:
                return Relation.EXACT
            found = found or match.relation
            unsure |= match.undecided
        self.refuted |= found is None and not unsure
        return found

    def match(self, answer: Expr, solution: Expr) -> Match:
        """How one element of the answer meets one of the solution."""
        pair = answer, solution
        if pair not in self.known:
            self.known[pair] = self.check.match(answer, solution, self.question.domain)
            self.undecided += self.known[pair].undecided
            if self.undecided > _MAX_UNDECIDED:
                raise _UndecidedError
        return self.known[pair]


def _read(text: str, question: Question) -> SetAnswer:
    statement = without_label(read_statement(text, question.symbols))
    items, begin, end = statement.tokens.items, statement.parts[0].begin, statement.parts[-1].end
    if len(statement.parts) > 1:
        raise _fault(statement, statement.parts[0].end, "a relation stands where a set is asked")
    if end - begin > 2 and items[begin + 1][0] == "w" and items[begin + 1][1] in IN:
        begin += 2
    if end - begin == 1 and items[begin][0] == "w" and items[begin][1] in _EMPTY:
        return SetAnswer((), statement.remarks)
    if begin == end:
        raise _fault(statement, begin, "a set is missing")
    braced = items[begin][0] == "(" and items[begin][1] in ("}", "\\}")
    remarks = statement.remarks
    if not braced:
        remarks = (*remarks, "read as a set; write it in braces: {1, 2}")
    elif (closed := closing(statement.tokens, begin, end)) is None or items[closed][1] not in ("}", "\\}"):
        raise _fault(statement, begin, "the set is not closed")
    elif closed != end - 1:
        raise _fault(statement, closed + 1, "something stands behind the set")
    else:
        begin, end = begin + 1, end - 1
    if begin == end:
        return SetAnswer((), remarks)
    cuts = cut_at_commas(statement.tokens, begin, end)
    if len(cuts) > _MAX_ELEMENTS:
        raise _fault(statement, cuts[_MAX_ELEMENTS][0], f"more than {_MAX_ELEMENTS} elements")
    elements = [_element(statement, low, high, question) for low, high in cuts]
    return SetAnswer(tuple(elements), remarks)


def _element(statement: Statement, begin: int, end: int, question: Question) -> Expr:
    if begin == end:
        raise _fault(statement, begin, "an element is missing")
    element = parse(statement.tokens, begin, end).expression
    if undefined(element, question.domain):
        raise _fault(statement, begin, f"{show.text(element)} has no value")
    return element


def _fault(statement: Statement, index: int, reason: str) -> ResponseError:
    return ResponseError(reason, position=statement.tokens.start(index), mend="write it as {1, 2}", code="set")

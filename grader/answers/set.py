"""Finite sets such as {1, 2}: order and repeats are free."""

from dataclasses import dataclass

from grader.answers.statement import Statement, read_statement, without_label
from grader.errors import ResponseError
from grader.maths import show
from grader.maths.brackets import closing, cut_at_commas, with_separate_commas
from grader.maths.equality import undefined
from grader.maths.expression import Expr
from grader.maths.grammar import parse
from grader.protocols import Check, Decision, Question
from grader.results import Relation, Verdict

_IN = frozenset(("∈", "in", "\\in"))
_EMPTY = frozenset(("\\emptyset", "\\varnothing"))


@dataclass(frozen=True, slots=True)
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
        table = [[check.match(a, b, question.domain) for b in solution.elements] for a in answer.elements]
        columns = list(zip(*table, strict=True)) if table else [() for _ in solution.elements]
        extra = [row for row in table if not any(match.relation for match in row)]
        missing = [column for column in columns if not any(match.relation for match in column)]
        if not extra and not missing:
            relations = [match.relation for row in table for match in row if match.relation]
            exact = all(any(match.relation is Relation.EXACT for match in row) for row in table)
            first = next((relation for relation in relations if relation is not Relation.EXACT), Relation.EXACT)
            return Decision(verdict=Verdict.CORRECT, relation=Relation.EXACT if exact else first)
        if all(any(match.undecided for match in line) for line in (*extra, *missing)):
            return Decision(verdict=Verdict.UNDECIDED, message="the elements could not be told apart")
        remarks = ("an element does not belong to the set",) * bool(extra) + ("an element is missing",) * bool(missing)
        return Decision(verdict=Verdict.INCORRECT, remarks=remarks)


def _read(text: str, question: Question) -> SetAnswer:
    statement = without_label(read_statement(text, question.symbols))
    items, begin, end = statement.tokens.items, statement.parts[0].begin, statement.parts[-1].end
    if len(statement.parts) > 1:
        raise _fault(statement, statement.parts[0].end, "a relation stands where a set is asked")
    if end - begin > 2 and items[begin + 1][0] == "w" and items[begin + 1][1] in _IN:
        begin += 2
    if end - begin == 1 and items[begin][0] == "w" and items[begin][1] in _EMPTY:
        return SetAnswer((), statement.remarks)
    if begin == end:
        raise _fault(statement, begin, "a set is missing")
    braced = items[begin][0] == "(" and items[begin][1] in ("}", "\\}")
    remarks = statement.remarks
    if not braced:
        remarks = (*remarks, "read as a set; write it in braces: {1, 2}")
    elif closing(statement.tokens, begin, end) != end - 1 or items[end - 1][1] not in ("}", "\\}"):
        raise _fault(statement, begin, "the set is not closed")
    else:
        begin, end = begin + 1, end - 1
    if begin == end:
        return SetAnswer((), remarks)
    elements = [_element(statement, low, high, question) for low, high in cut_at_commas(statement.tokens, begin, end)]
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

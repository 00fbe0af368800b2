"""Intervals and their unions, such as (280, oo): the ends and whether they belong to it count."""

from collections.abc import Callable

from grader.answers.statement import Statement, read_statement, without_label
from grader.errors import ResponseError
from grader.maths import show
from grader.maths.brackets import HOW_TO_WRITE, closing, cut_at_commas, is_infinite, with_separate_commas
from grader.maths.equality import undefined
from grader.maths.expression import Expr, Number
from grader.maths.grammar import parse
from grader.maths.inequality import Interval as Span
from grader.maths.inequality import number, union
from grader.maths.vocabulary import IN
from grader.protocols import Check, Decision, Match, Question
from grader.results import Relation, Verdict
from grader.values import frozen

_UNION = frozenset(("U", "∪", "\\cup", "u"))


@frozen
class IntervalAnswer:
    """The intervals in ascending order, those that touch joined; an end of None is infinite."""

    spans: tuple[Span, ...]
    remarks: tuple[str, ...] = ()

    @property
    def value(self) -> Expr | None:
        """The only finite end, if there is just one."""
        ends = [end for span in self.spans for end in (span.lower, span.upper) if end is not None]
        return ends[0] if len(ends) == 1 else None

    @property
    def read_as(self) -> str:
        """The intervals as text that reads back."""
        return " U ".join(_written(span, *_TEXT) for span in self.spans)

    @property
    def latex(self) -> str:
        """The intervals as LaTeX."""
        return r" \cup ".join(_written(span, *_LATEX) for span in self.spans)

    @property
    def mathml(self) -> str:
        """The intervals as one MathML element."""
        return show.math_element(show.operator("∪").join(_mathml(span) for span in self.spans))


_TEXT, _LATEX = (show.text, "oo", "", ""), (show.latex, r"\infty", r"\left", r"\right")


def _written(span: Span, shown: Callable[[Expr], str], infinity: str, left: str, right: str) -> str:
    low = f"-{infinity}" if span.lower is None else shown(span.lower)
    high = infinity if span.upper is None else shown(span.upper)
    opening, ending = "[" if span.lower_closed else "(", "]" if span.upper_closed else ")"
    return f"{left}{opening}{low}, {high}{right}{ending}"


def _mathml(span: Span) -> str:
    infinity = "<mi>∞</mi>"
    low = show.operator("-") + infinity if span.lower is None else show.inside(span.lower)
    high = infinity if span.upper is None else show.inside(span.upper)
    opening, ending = "[" if span.lower_closed else "(", "]" if span.upper_closed else ")"
    return show.operator(opening) + low + show.operator(",") + high + show.operator(ending)


class Interval:
    """The answer type of intervals."""

    def read(self, text: str, question: Question) -> IntervalAnswer:
        """The intervals that a response stands for; ResponseError if it is none."""
        return with_separate_commas(text, lambda spaced: _Reader(spaced, question).read())

    def compare(self, answer: IntervalAnswer, solution: IntervalAnswer, question: Question, check: Check) -> Decision:
        """Whether both have the same ends with the same brackets."""
        wrong = Decision(verdict=Verdict.INCORRECT)
        if len(answer.spans) != len(solution.spans):
            return wrong
        matches: list[Match] = []
        for mine, theirs in zip(answer.spans, solution.spans, strict=True):
            for end, other in ((mine.lower, theirs.lower), (mine.upper, theirs.upper)):
                if end is None or other is None:
                    if end is not other:
                        return wrong
                    continue
                matches.append(check.match(end, other, question.domain))
        if any(match.relation is None and not match.undecided for match in matches):
            return wrong
        if [_brackets(span) for span in answer.spans] != [_brackets(span) for span in solution.spans]:
            return Decision(verdict=Verdict.INCORRECT, remarks=("whether an end belongs to the interval is wrong",))
        if any(match.undecided for match in matches):
            return Decision(verdict=Verdict.UNDECIDED, message="the ends of the interval could not be compared")
        loose = (match.relation for match in matches if match.relation is not Relation.EXACT)
        return Decision(verdict=Verdict.CORRECT, relation=next(loose, Relation.EXACT))


def _brackets(span: Span) -> tuple[bool, bool]:
    return span.lower_closed, span.upper_closed


class _Reader:
    """Reads one text as intervals joined by U or ∪."""

    def __init__(self, text: str, question: Question) -> None:
        self.statement: Statement = without_label(read_statement(text, question.symbols))
        self.tokens, self.question = self.statement.tokens, question

    def read(self) -> IntervalAnswer:
        items, begin, end = self.tokens.items, self.statement.parts[0].begin, self.statement.parts[-1].end
        if len(self.statement.parts) > 1:
            raise self._fault(self.statement.parts[0].end, "a relation stands where an interval is asked")
        if end - begin > 2 and self._is(begin + 1, IN):
            begin += 2
        if begin == end:
            raise self._fault(begin, "an interval is missing")
        spans: list[Span] = []
        while begin < end:
            close = closing(self.tokens, begin, end) if items[begin][0] == "(" else None
            if close is None:
                raise self._fault(begin, "an interval in brackets is expected")
            spans.append(self._span(begin, close))
            begin = close + 1
            if begin < end and not (self._is_union(begin) and begin + 1 < end):
                raise self._fault(begin, "U is expected between intervals")
            begin += 1
        return IntervalAnswer(union([(span,) for span in spans]), self.statement.remarks)

    def _is(self, index: int, words: frozenset[str]) -> bool:
        kind, value = self.tokens.items[index]
        return kind == "w" and value in words

    def _is_union(self, index: int) -> bool:
        return self._is(index, _UNION) or self.tokens.text[self.tokens.start(index)] == "U"

    def _span(self, begin: int, close: int) -> Span:
        opening, ending = self.tokens.items[begin][1], self.tokens.items[close][1]
        if opening not in (")", "]") or ending not in (")", "]"):
            raise self._fault(begin, "the ends of an interval stand in ( ) or [ ]")
        parts = cut_at_commas(self.tokens, begin + 1, close)
        if len(parts) != 2:
            raise self._fault(begin, "an interval has two ends, with a comma between them")
        low, high = self._end(*parts[0], sign=-1), self._end(*parts[1], sign=1)
        closed = opening == "]" and low is not None, ending == "]" and high is not None
        if low is not None and high is not None:
            self._check_order(low, high, closed, begin)
        return Span(low, high, *closed)

    def _check_order(self, low: Expr, high: Expr, closed: tuple[bool, bool], index: int) -> None:
        a, b = number(low), number(high)
        if a is not None and b is not None and (a > b or (a == b and not all(closed))):
            raise self._fault(index, "this interval is empty: its lower end comes first")

    def _end(self, begin: int, end: int, sign: int) -> Expr | None:
        """An end, None where it is infinite on its own side."""
        if begin == end:
            raise self._fault(begin, "an end is missing")
        if is_infinite(self.tokens, begin, end, sign):
            return None
        value = parse(self.tokens, begin, end).expression
        if not isinstance(value, Number) and undefined(value, self.question.domain):
            raise self._fault(begin, f"{show.text(value)} has no value")
        return value

    def _fault(self, index: int, reason: str) -> ResponseError:
        return ResponseError(reason, position=self.tokens.start(index), mend=HOW_TO_WRITE, code="interval")

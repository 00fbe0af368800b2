"""Curves, such as a roofline: a formula, points in a CSV file beside the answers, or both."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Protocol

from grader.answers.expression import Expression, ExpressionAnswer
from grader.errors import ResponseError, did_you_mean
from grader.maths import show
from grader.maths.expression import Expr, symbols_of
from grader.maths.points import Row, read_points
from grader.maths.sample import value
from grader.maths.traces import Trace
from grader.maths.unit_list import Unit
from grader.maths.units import read_unit
from grader.protocols import Check, Decision, Question
from grader.results import Relation, Verdict
from grader.values import frozen

Points = tuple[tuple[float, float], ...]
Size = Mapping[str, float]

_SAMPLES = 60
_Y = "y"
_FILE = re.compile(r"[`\"']?([^\s;`\"']+\.csv)[`\"']?", re.IGNORECASE)


@frozen
class CurveAnswer:
    """A formula, the points of each series in the part's order, or both; `x` is the name along the axis."""

    x: str
    span: tuple[float, float]
    formula: ExpressionAnswer | None = None
    file: str = ""
    points: tuple[Points, ...] = ()
    series: tuple[Size, ...] = ()
    remarks: tuple[str, ...] = ()

    @property
    def value(self) -> Expr | None:
        """The value of the formula, if there is one."""
        return None if self.formula is None else self.formula.value

    @property
    def candidates(self) -> tuple[Expr, ...]:
        """The values of the formula's links."""
        return () if self.formula is None else self.formula.candidates

    @property
    def wrong_unit(self) -> str:
        """Why the unit behind the formula is not the one asked for."""
        return "" if self.formula is None else self.formula.wrong_unit

    @property
    def read_as(self) -> str:
        """The formula and the file's name as text that reads back."""
        return "; ".join(filter(None, [self.formula.read_as if self.formula else "", self.file]))

    @property
    def latex(self) -> str:
        """The formula and the file's name as LaTeX."""
        escaped = re.sub(r"([_&%$#{}])", r"\\\1", self.file)
        pieces = [self.formula.latex if self.formula else "", rf"\text{{{escaped}}}" if self.file else ""]
        return r";\ ".join(filter(None, pieces))

    @property
    def mathml(self) -> str:
        """The formula and the file's name as one MathML element."""
        if self.formula is not None and not self.file:
            return self.formula.mathml
        file = f"<mtext>{show.escape(self.file)}</mtext>"
        if self.formula is None:
            return show.math_element(file)
        return show.math_element(show.inside(self.formula.chain.links[0].expression) + show.operator(";") + file)

    def sample(self, size: Size) -> Points:
        """The curve for one size, for drawing: the typed points, else the formula at x spaced evenly on a log axis."""
        if self.formula is None:
            return self.points[self.series.index(size)]
        if symbols_of(self.formula.value) - {*size, self.x}:
            return ()
        found = ((x, value(self.formula.value, {**size, self.x: x})) for x in grid(self.span))
        return tuple((x, y) for x, y in found if y is not None)


def grid(span: tuple[float, float]) -> list[float]:
    """Values of x from one end to the other, evenly spaced on a log axis."""
    low, high = span
    inner = [low * (high / low) ** (i / (_SAMPLES - 1)) for i in range(1, _SAMPLES - 1)]
    return [low, *inner, high]


def name_of(size: Size) -> str:
    """A size in words: D = F = 1024, or D = 1024, F = 4096."""
    shown = {name: f"{number:g}" for name, number in size.items()}
    if len(set(shown.values())) == 1:
        return " = ".join([*shown, next(iter(shown.values()))])
    return ", ".join(f"{name} = {number}" for name, number in shown.items())


class CurveCheck(Check, Protocol):
    """A check that judges curves."""

    def faults(self, curves: Sequence[Trace], unit: Unit | None) -> tuple[str, ...]:
        """What is wrong with the curves; empty if they are right."""

    def gaps(self, curves: Sequence[Trace]) -> tuple[str, ...]:
        """Which points are missing."""


class Curve:
    """The answer type of curves."""

    def read(self, text: str, question: Question) -> CurveAnswer:
        """The curve that a response stands for; ResponseError if the formula or a row of the file can't be read."""
        x, span = question.x or "x", question.x_range or (1.0, 1000.0)
        formula, file = _split(text)
        read = None if formula is None else Expression().read(formula, question)
        remarks = read.remarks if read else ()
        if file is None:
            return CurveAnswer(x, span, read, series=question.series, remarks=remarks)
        rows = read_points(_attached(file, question), (x, *_sizes(question)), _Y, question.unit)
        points, ignored = _sorted_into_series(rows, x, question.series)
        return CurveAnswer(x, span, read, file, points, question.series, (*remarks, *ignored))

    def compare(self, answer: CurveAnswer, solution: CurveAnswer, question: Question, check: CurveCheck) -> Decision:
        """Whether the formula and the points, whichever were given, both follow the solution."""
        assert solution.value is not None
        decisions = []
        if answer.formula is not None:
            decisions.append(_formula(answer, solution.value, question, check))
        if answer.file:
            decisions.append(_file(answer, solution.value, question, check))
        remarks = tuple(dict.fromkeys(remark for decision in decisions for remark in decision.remarks))
        verdicts = [decision.verdict for decision in decisions]
        if all(verdict is Verdict.CORRECT for verdict in verdicts):
            loose = any(decision.relation is Relation.TOLERANCE for decision in decisions)
            relation = Relation.TOLERANCE if loose else Relation.EXACT
            return Decision(verdict=Verdict.CORRECT, relation=relation, remarks=remarks)
        return Decision(verdict=Verdict.INCORRECT, remarks=remarks)


def _split(text: str) -> tuple[str | None, str | None]:
    """The formula and the file's name, each None if it is not there."""
    formula = file = None
    for part in text.split(";"):
        named = _FILE.fullmatch(part.strip())
        if named is None and formula is None:
            formula = part
        elif named is not None and file is None:
            file = named[1]
        else:
            raise ResponseError("two answers", mend="give one formula, one file, or one of each", code="two-answers")
    return formula, file


def _attached(file: str, question: Question) -> str:
    found = question.attachments.get(file)
    if found is None:
        close = did_you_mean(file, question.attachments)
        mend = f"did you mean {close}?" if close else "put it into the same folder, and give its name alone"
        reason = f"there is no file {file[:60]} beside the answers that can be read"
        raise ResponseError(reason, mend=mend, code="no-file")
    return found


def _sizes(question: Question) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for size in question.series for name in size))


def _sorted_into_series(
    rows: tuple[Row, ...], x: str, series: tuple[Size, ...]
) -> tuple[tuple[Points, ...], tuple[str, ...]]:
    """The points of each series by x, and a remark on rows of other sizes."""
    found: list[list[tuple[float, float]]] = [[] for _ in series or ({},)]
    ignored: list[int] = []
    for row in rows:
        given = {name: number for name, number in row.values.items() if name not in (x, _Y)}
        fits = [i for i, size in enumerate(series or ({},)) if all(size.get(n) == v for n, v in given.items())]
        if len(fits) > 1:
            raise ResponseError(f"line {row.line}: which curve this point belongs to can't be told",
                                mend=f"add the columns {', '.join(series[0])}", code="bad-rows")  # fmt: skip
        if fits:
            found[fits[0]].append((row.values[x], row.values[_Y]))
        else:
            ignored.append(row.line)
    for points in found:
        points.sort()
        twice = next((a for a, b in pairwise(points) if a[0] == b[0]), None)
        if twice:
            raise ResponseError(
                f"{x} = {twice[0]:g} is given twice for one curve", mend="give it once", code="bad-rows"
            )
    rows_left = "1 row of another size was" if len(ignored) == 1 else f"{len(ignored)} rows of other sizes were"
    remark = (f"{rows_left} left out, the first in line {ignored[0]}",) if ignored else ()
    return tuple(map(tuple, found)), remark


def _formula(answer: CurveAnswer, solution: Expr, question: Question, check: CurveCheck) -> Decision:
    """The best of the formula's links: exactly the solution, or near it at every point."""
    assert answer.formula is not None
    if answer.wrong_unit:
        return Decision(verdict=Verdict.INCORRECT, remarks=(answer.wrong_unit,))
    given = {answer.x, *_sizes(question)}
    free = sorted(frozenset().union(*map(symbols_of, answer.candidates)) - given)
    for candidate in answer.candidates:
        if check.match(candidate, solution, question.domain).relation is not None:
            return Decision(verdict=Verdict.CORRECT, relation=Relation.EXACT)
    if free:
        return Decision(verdict=Verdict.INCORRECT, remarks=(f"the curve still depends on {', '.join(free)}",))
    unit = read_unit(question.unit) if question.unit else None
    faults: tuple[str, ...] = ()
    for candidate in reversed(answer.candidates):
        faults = check.faults(list(_traces(candidate, solution, answer, question)), unit)
        if not faults:
            return Decision(verdict=Verdict.CORRECT, relation=Relation.TOLERANCE)
    return Decision(verdict=Verdict.INCORRECT, remarks=faults)


def _traces(candidate: Expr, solution: Expr, answer: CurveAnswer, question: Question) -> Iterator[Trace]:
    for size in question.series or ({},):
        at = [(x, {**size, answer.x: x}) for x in grid(answer.span)]
        points = ((x, value(candidate, place), value(solution, place)) for x, place in at)
        yield Trace(name_of(size) if size else "", tuple((x, y, right) for x, y, right in points if right is not None))


def _file(answer: CurveAnswer, solution: Expr, question: Question, check: CurveCheck) -> Decision:
    """The points: enough of them on both sides of the ridge, and each near the solution."""
    traces = []
    for size, points in zip(question.series or ({},), answer.points, strict=True):
        right = [(x, y, value(solution, {**size, answer.x: x})) for x, y in points]
        traces.append(Trace(name_of(size) if size else "", tuple((x, y, z) for x, y, z in right if z is not None)))
    unit = read_unit(question.unit) if question.unit else None
    given = [trace for trace in traces if trace.points]
    remarks = (*check.gaps(traces), *check.faults(given, unit))
    if remarks:
        return Decision(verdict=Verdict.INCORRECT, remarks=remarks)
    return Decision(verdict=Verdict.CORRECT, relation=Relation.TOLERANCE)

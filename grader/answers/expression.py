"""Formulas and numbers: a chain of links, a label, a bound or a unit in words may come with them."""

import itertools
from collections.abc import Mapping
from dataclasses import dataclass, replace

from grader.answers import links
from grader.answers.links import Chain, Link
from grader.answers.statement import EQUAL, MIRRORED, Part, Statement, is_declared, label, read_statement, without_label
from grader.errors import ResponseError
from grader.maths import show
from grader.maths.equality import undefined
from grader.maths.expression import Expr, Mul, Number, rational
from grader.protocols import Check, Decision, Question
from grader.results import Relation, Verdict
from grader.values import frozen

_SIDES = {"<": "upper", "<=": "upper", ">": "lower", ">=": "lower"}


@dataclass(frozen=True, slots=True)
class ExpressionAnswer:
    """A formula as read. `candidates` are the values of all links of a chain that holds; `value` is the first."""

    chain: Chain
    remarks: tuple[str, ...] = ()
    wrong_unit: str = ""  # why the unit behind the formula is not the one asked for

    @property
    def value(self) -> Expr:
        """The value of the first link, with meanings put in."""
        return self.chain.links[0].value

    @property
    def candidates(self) -> tuple[Expr, ...]:
        """The values of all links; the best one counts."""
        found = self.chain.links
        return (found[0].value,) if len(found) == 1 else tuple(link.value for link in found)

    @property
    def alternatives(self) -> tuple[Expr, ...]:
        """The plain left-to-right readings of the links that have one."""
        return tuple(link.alternative for link in self.chain.links if link.alternative is not None)

    @property
    def read_as(self) -> str:
        """The chain as text that reads back."""
        return show.chain_text([link.expression for link in self.chain.links], self.chain.relations)

    @property
    def latex(self) -> str:
        """The chain as LaTeX."""
        return show.chain_latex([link.expression for link in self.chain.links], self.chain.relations)

    @property
    def mathml(self) -> str:
        """The chain as one MathML element."""
        return show.chain_mathml([link.expression for link in self.chain.links], self.chain.relations)


class Expression:
    """The answer type of formulas and plain numbers."""

    def read(self, text: str, question: Question) -> ExpressionAnswer:
        """The formula that a response stands for; ResponseError if it is none, or has no value anywhere."""
        statement = read_statement(text, names_of(question))
        meanings = dict(question.meanings)
        if statement.bare:
            chain = _single(links.read_link(statement, statement.parts[0], meanings))
            _refuse_undefined(statement, chain, question)
            return ExpressionAnswer(chain, chain.remarks)
        statement, side_remarks = _bound(statement, question)
        statement = without_label(statement)
        statement, unit = _without_unit(statement, question)
        _refuse_double_equals(statement)
        found = [links.read_link(statement, part, meanings) for part in statement.parts]
        if unit.factor is not None:
            found = [_scaled(link, unit.factor) for link in found]
        chain = links.chain(found, statement.relations, question) if found[1:] else _single(found[0])
        _refuse_undefined(statement, chain, question)
        remarks = (*statement.remarks, *side_remarks, *unit.remarks, *chain.remarks)
        return ExpressionAnswer(chain, remarks, unit.wrong)

    def compare(
        self, answer: ExpressionAnswer, solution: ExpressionAnswer, question: Question, check: Check
    ) -> Decision:
        """Whether the best link of the answer is right."""
        decision = best(answer.candidates, solution.value, question, check)
        if decision.verdict is Verdict.CORRECT and answer.wrong_unit:
            return Decision(verdict=Verdict.INCORRECT, remarks=(answer.wrong_unit,), unit_only=True)
        if decision.verdict is Verdict.INCORRECT and answer.alternatives:
            other = best(answer.alternatives, solution.value, question, check)
            if other.verdict is Verdict.CORRECT:
                return Decision(verdict=Verdict.INVALID, message=add_brackets(answer))
        return decision


def names_of(question: Question) -> tuple[str, ...]:
    """The names that may be used: the symbols of the part, and those that stand for formulas."""
    if not question.meanings:
        return question.symbols
    return (*question.symbols, *(name for name in question.meanings if name not in question.symbols))


def best(candidates: tuple[Expr, ...], solution: Expr, question: Question, check: Check) -> Decision:
    """The best that a check says of any candidate: right, then undecided, then wrong."""
    found, undecided = None, None
    for candidate in candidates:
        match = check.match(candidate, solution, question.domain)
        if match.relation is Relation.EXACT:
            return _EXACT
        if match.relation is not None and (found is None or _ORDER.index(match.relation) < _ORDER.index(found)):
            found = match.relation
        if match.undecided and undecided is None:
            undecided = match
    if found is not None:
        return Decision(verdict=Verdict.CORRECT, relation=found)
    return _WRONG if undecided is None else Decision(verdict=Verdict.UNDECIDED, message=undecided.reason)


_ORDER = (Relation.EXACT, Relation.TOLERANCE, Relation.LEADING_ORDER)
_EXACT = Decision(verdict=Verdict.CORRECT, relation=Relation.EXACT)
_WRONG = Decision(verdict=Verdict.INCORRECT)


def add_brackets(answer: ExpressionAnswer) -> str:
    """The message for an answer that is right only if it is read from left to right."""
    other = show.text(next(link.alternative for link in answer.chain.links if link.alternative is not None))
    return f"this is read as {answer.read_as}: add brackets if you mean another order, such as {_bracketed(other)}"


def _bracketed(other: str) -> str:
    head, slash, rest = other.partition("/")
    divisor, star, tail = rest.partition("*")
    return f"({head}{slash}{divisor}){star}{tail}" if star else other


def _scaled(link: Link, factor: Number) -> Link:
    other = None if link.alternative is None else Mul((factor, link.alternative))
    return replace(link, expression=Mul((factor, link.expression)), value=Mul((factor, link.value)), alternative=other)


def _single(link: Link) -> Chain:
    return Chain((link,), (), link.remarks)


def _refuse_double_equals(statement: Statement) -> None:
    for index, relation in enumerate(statement.relations):
        if relation == "==":
            at = statement.tokens.start(statement.parts[index].end)
            raise ResponseError("== belongs to equations", position=at, mend="write =", code="double-equals")


def _refuse_undefined(statement: Statement, chain: Chain, question: Question) -> None:
    for link in chain.links:
        if undefined(link.value, question.domain):
            at = statement.tokens.start(statement.parts[0].begin)
            raise ResponseError(
                f"{show.text(link.expression)} has no value", position=at,
                mend="check for a division by zero, or a root or logarithm of a negative number", code="undefined",
            )  # fmt: skip


# a bound where a value is asked


def _bound(statement: Statement, question: Question) -> tuple[Statement, tuple[str, ...]]:
    """An inequality counts by its side: max(a, b) <= T <= a + b where a bound is asked, T > a for a value."""
    order = [index for index, relation in enumerate(statement.relations) if relation not in EQUAL | {"=="}]
    if not order:
        return statement, ()
    for index in order:
        if statement.relations[index] not in _SIDES:
            at = statement.tokens.start(statement.parts[index].end)
            raise ResponseError(
                "this relation stands where one value is asked",
                position=at,
                mend="give the value alone",
                code="relation",
            )
    cuts = [0, *(index + 1 for index in order), len(statement.parts)]
    groups = [statement.parts[a:b] for a, b in itertools.pairwise(cuts)]
    directions = [statement.relations[index] for index in order]
    bounds = _bounds(statement, groups, directions)
    chosen = _chosen(statement, bounds, question)
    first = statement.parts.index(chosen[0])
    relations = statement.relations[first : first + len(chosen) - 1]
    remark = () if question.bound else ("an inequality was typed; its bound was taken as the value",)
    return replace(statement, parts=chosen, relations=relations), remark


def _bounds(statement: Statement, groups: list[tuple[Part, ...]], directions: list[str]) -> dict[str, tuple[Part, ...]]:
    """The lower and the upper bound that the inequality gives for the one name in it."""
    named = [i for i, group in enumerate(groups) if len(group) == 1 and label(statement, group[0]) is not None]
    if len(groups) == 2 and named:
        at = named[0] if len(named) == 1 else _label_of_two(statement, groups)
        side = _SIDES[directions[0] if at == 0 else MIRRORED[directions[0]]]
        return {side: groups[1 - at]}
    if len(groups) == 3 and 1 in named and _SIDES[directions[0]] == _SIDES[directions[1]]:
        rising = directions[0] in ("<", "<=")
        return {"lower": groups[0 if rising else 2], "upper": groups[2 if rising else 0]}
    raise statement.fault(
        groups[0][0], "an inequality stands where one value is asked", "give the value alone", "relation"
    )


def _label_of_two(statement: Statement, groups: list[tuple[Part, ...]]) -> int:
    """Of two single names, the one that is not declared is the label; two declared ones are no value."""
    first, second = (is_declared(statement, group[0]) for group in groups)
    if first and second:
        raise statement.fault(groups[0][0], "a relation stands where one value is asked", "give the value", "relation")
    return 1 if first else 0


def _chosen(statement: Statement, bounds: Mapping[str, tuple[Part, ...]], question: Question) -> tuple[Part, ...]:
    if question.bound is not None:
        if question.bound in bounds:
            return bounds[question.bound]
        other = next(iter(bounds))
        raise statement.fault(
            statement.parts[0], f"this gives an {other} bound" if other == "upper" else "this gives a lower bound",
            f"the {question.bound} bound is asked", "side",
        )  # fmt: skip
    if len(bounds) > 1:
        raise statement.fault(
            statement.parts[0], "two bounds where one value is asked", "give one value", "two-answers"
        )
    return next(iter(bounds.values()))


# a unit in words behind the formula


@frozen
class _UnitFound:
    remarks: tuple[str, ...] = ()
    factor: Number | None = None  # what the value is multiplied by to be in the unit asked for
    wrong: str = ""


def _without_unit(statement: Statement, question: Question) -> tuple[Statement, _UnitFound]:
    """The statement without a unit in words behind its last part, and what checking that unit gave."""
    last = statement.parts[-1]
    items = statement.tokens.items
    begin = next((i for i in range(last.begin + 1, last.end) if items[i][0] == "w"), None)
    if begin is None or (question.unit is None and len(items[begin][1]) == 1):  # in 2b, b is a slip for B
        return statement, _UnitFound()
    if items[begin - 1][0] in '("' and begin - 1 > last.begin:
        begin -= 1
    typed = statement.typed(Part(begin, last.end)).strip('"')
    if items[begin - 1][0] == "*":  # 2*B*FLOPs
        begin -= 1
    if begin == last.begin or items[begin - 1][0] in "+-*/^":
        return statement, _UnitFound()
    from grader.maths.units import read_unit

    try:
        unit = read_unit(typed)
    except ResponseError:
        return statement, _UnitFound()
    shorter = replace(statement, parts=(*statement.parts[:-1], Part(last.begin, begin)))
    if question.unit is None:
        return shorter, _UnitFound((f"the unit {typed} was left out",))
    asked = read_unit(question.unit)
    if unit.dimension != asked.dimension:
        return shorter, _UnitFound(wrong=f"the unit is {question.unit}, not {typed}")
    ratio = rational(unit.factor / asked.factor)
    return shorter, _UnitFound(factor=None if ratio == 1 else Number(ratio))

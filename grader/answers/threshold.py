"""Thresholds: for which values of a name something holds. The side and the bound are judged apart."""

import re
from collections.abc import Callable
from dataclasses import field
from fractions import Fraction

from grader.answers.derivation import UNNAMED, Case, Claim, Reader
from grader.answers.expression import names_of
from grader.errors import ResponseError, SpecError
from grader.maths import inequality, show
from grader.maths.equality import undefined
from grader.maths.expression import Expr, Symbol, substitute, symbols_of
from grader.maths.inequality import Inequality, Interval, Region
from grader.protocols import Check, Decision, Question
from grader.results import Relation, Verdict
from grader.values import frozen

_LATEX = {"<=": "\\le", ">=": "\\ge", "!=": "\\ne", "<<": "\\ll", ">>": "\\gg"}
_MATHML = {"<=": "≤", ">=": "≥", "!=": "≠", "<<": "≪", ">>": "≫"}
_PROSE = re.compile("unknown name ([a-z]{2,}): the names here .*")
_ROUNDED = Fraction(2, 100)  # how far the steps of a derivation may differ


@frozen
class ThresholdAnswer:
    """What was said of `symbol`. `regions` are where each claim holds (None: can't be told)."""

    claims: tuple[Claim, ...]
    regions: tuple[Region | None, ...]
    symbol: str | None
    remarks: tuple[str, ...] = ()
    meanings: dict[str, Expr] = field(default_factory=dict)
    alternatives: tuple[Claim, ...] = ()  # the claims where a slash is read the other way

    @property
    def value(self) -> Expr | None:
        """The bound, where there is just one."""
        ends = _ends(self.regions[0] or ())
        return ends[0] if len(ends) == 1 else None

    @property
    def relation(self) -> str:
        """The side of the bound: ">", "<" or "="; empty where it is none of them."""
        region = self.regions[0]
        if region is None or len(region) != 1:
            return ""
        if region[0].is_point:
            return "="
        return "" if len(_ends(region)) != 1 else ">" if region[0].lower is not None else "<"

    @property
    def read_as(self) -> str:
        """The last step as text that reads back."""
        claim = self.claims[0]
        if claim.bare:
            return show.text(claim.cases[0][0].right)
        return " or ".join(_case_text(case) for case in claim.cases)

    @property
    def latex(self) -> str:
        """The last step as LaTeX."""
        claim = self.claims[0]
        if claim.bare:
            return show.latex(claim.cases[0][0].right)
        return " \\text{ or } ".join(_case_latex(case) for case in claim.cases)

    @property
    def mathml(self) -> str:
        """The last step as one MathML element."""
        claim = self.claims[0]
        if claim.bare:
            return show.mathml(claim.cases[0][0].right)
        joined = "<mtext>&#160;or&#160;</mtext>".join(
            "<mtext>&#160;and&#160;</mtext>".join(map(_mathml, case)) for case in claim.cases
        )
        return show.math_element(joined)


def _case_text(case: Case) -> str:
    if not case:
        return "(-∞, ∞)"
    return _interval(case, show.text, "∞") if case[0].left == UNNAMED else " and ".join(map(_text, case))


def _case_latex(case: Case) -> str:
    if not case:
        return "(-\\infty, \\infty)"
    return (
        _interval(case, show.latex, "\\infty") if case[0].left == UNNAMED else " \\text{ and } ".join(map(_latex, case))
    )


def _interval(case: Case, shown: Callable[[Expr], str], infinity: str) -> str:
    low, high = f"(-{infinity}", f"{infinity})"
    for i in case:
        if i.relation[0] == ">":
            low = ("[" if i.relation == ">=" else "(") + shown(i.right)
        else:
            high = shown(i.right) + ("]" if i.relation == "<=" else ")")
    return f"{low}, {high}"


def _text(i: Inequality) -> str:
    return f"{show.text(i.left)} {i.relation} {show.text(i.right)}"


def _latex(i: Inequality) -> str:
    return f"{show.latex(i.left)} {_LATEX.get(i.relation, i.relation)} {show.latex(i.right)}"


def _mathml(i: Inequality) -> str:
    return show.inside(i.left) + show.operator(_MATHML.get(i.relation, i.relation)) + show.inside(i.right)


class Threshold:
    """The answer type of thresholds such as B > 243."""

    def read(self, text: str, question: Question) -> ThresholdAnswer:
        """The threshold that a response stands for; ResponseError if it is none."""
        names = names_of(question)
        if question.symbol is not None and question.symbol not in names:
            names = (question.symbol, *names)
        symbol = question.symbol or (names[0] if len(names) == 1 else None)
        reader = Reader(text, names, question, symbol)
        try:
            derivation = reader.read()
        except ResponseError as error:
            raise _of_words(error, symbol or "B") from None
        others = Reader(text, names, question, symbol, other=True).read().claims if reader.two_readings else ()
        meanings = dict(question.meanings)
        symbol = symbol or _named(derivation.claims[0], meanings, question)
        _refuse_undefined(derivation.claims, meanings, question)
        regions = tuple(_region(claim, symbol, meanings, question) for claim in derivation.claims)
        _refuse_two_answers(derivation.claims[0], symbol, meanings, question)
        _refuse_other_bound(derivation.earlier, regions[0], symbol, question)
        return ThresholdAnswer(derivation.claims, regions, symbol, derivation.remarks, meanings, others)

    def compare(self, answer: ThresholdAnswer, solution: ThresholdAnswer, question: Question, check: Check) -> Decision:
        """Whether the best claim of the answer says the same as the solution."""
        key = solution.regions[0]
        if key is None:
            return _same(answer, solution, question)
        if not key or key == inequality.EVERYWHERE:
            raise SpecError(f"the solution {solution.read_as!r} sets no bound")
        if None in answer.regions and (decision := _same(answer, solution, question)).verdict is Verdict.CORRECT:
            return decision
        decision = _best(answer.claims, answer.meanings, solution, question, check)
        if decision.verdict is Verdict.INCORRECT and answer.alternatives:
            other = _best(answer.alternatives, answer.meanings, solution, question, check)
            if other.verdict is Verdict.CORRECT:
                message = f"this is read as {answer.read_as}: add brackets if you mean another order"
                return Decision(verdict=Verdict.INVALID, message=message)
        return decision


def _best(
    claims: tuple[Claim, ...], meanings: dict[str, Expr], solution: ThresholdAnswer, question: Question, check: Check
) -> Decision:
    """The best decision over the claims."""
    regions = [_region(claim, solution.symbol, meanings, question) for claim in claims]
    decisions = [
        _judge(claim, region, solution, question, check) for claim, region in zip(claims, regions, strict=True)
    ]
    rank = (Verdict.CORRECT, Verdict.PARTIAL, Verdict.UNDECIDED, Verdict.INCORRECT)
    return min(decisions, key=lambda decision: rank.index(decision.verdict))


def _of_words(error: ResponseError, name: str) -> ResponseError:
    """Prose asks for another mend than a name that is not declared."""
    word = _PROSE.fullmatch(str(error))
    if error.code != "unknown-name" or word is None:
        return error
    mend = f"write the bound alone, such as {name} > 100"
    return ResponseError(f"the word {word[1]} can't be read", position=error.position, mend=mend, code=error.code)


def _named(claim: Claim, meanings: dict[str, Expr], question: Question) -> str | None:
    """The name that the claim is about: one that stands alone, or the first for which it can be solved."""
    sides = [side for case in claim.cases for i in case for side in (i.left, i.right)]
    if claim.bare or UNNAMED in sides:
        return None
    alone = [side.name for side in sides if isinstance(side, Symbol)]
    used = [*alone, *sorted(name for side in sides for name in symbols_of(side))]
    return next((name for name in used if _region(claim, name, meanings, question) is not None), None)


def _refuse_undefined(claims: tuple[Claim, ...], meanings: dict[str, Expr], question: Question) -> None:
    for claim in claims:
        for case in claim.cases:
            for side in (side for i in case for side in (i.left, i.right)):
                if not isinstance(side, Symbol) and undefined(substitute(side, meanings), question.domain):
                    raise ResponseError(
                        f"{show.text(side)} has no value", position=0,
                        mend="check for a division by zero, or a root or logarithm of a negative number",
                        code="undefined",
                    )  # fmt: skip


def _refuse_two_answers(claim: Claim, symbol: str | None, meanings: dict[str, Expr], question: Question) -> None:
    """B > 243 or B > 300 is a hedge: where one part already says the other, the response gives two answers."""
    if symbol is None or sum(map(len, claim.cases)) < 2:
        return
    cases = [_case(case, symbol, meanings, question) for case in claim.cases]
    parts = [_case((i,), symbol, meanings, question) for case in claim.cases for i in case]
    for several, join in ((cases, _either), (parts if len(cases) == 1 else [], inequality.intersection)):
        known = [region for region in several if region and region != inequality.EVERYWHERE]
        for index, first in enumerate(known):
            for second in known[index + 1 :]:
                if join(first, second) in (first, second):
                    raise ResponseError("two answers", position=0, mend="give one answer", code="two-answers")


def _refuse_other_bound(earlier: Case, region: Region | None, symbol: str | None, question: Question) -> None:
    """B > 250; B > 243 is no derivation: a step that gave another bound or side before is a second answer."""
    last = _number(region)
    for i in earlier:
        name = next(side.name for side in (i.left, i.right) if isinstance(side, Symbol))
        said = inequality.solve(i, name, question.domain) if symbol in (None, name) else None
        before = _number(said)
        if not said or not region or last is None or before is None:
            continue
        sides = {interval.lower is None for interval in (said[0], region[0]) if not interval.is_point}
        if len(sides) > 1 or abs(before - last) > _ROUNDED * abs(last):
            raise ResponseError("two answers", position=0, mend="give one answer", code="two-answers")


def _number(region: Region | None) -> Fraction | None:
    """The bound where it is one number."""
    ends = _ends(region or ())
    return inequality.number(ends[0]) if len(ends) == 1 else None


def _either(first: Region, second: Region) -> Region:
    return inequality.union((first, second))


def _region(claim: Claim, symbol: str | None, meanings: dict[str, Expr], question: Question) -> Region | None:
    """Where the claim holds for the symbol."""
    if claim.bare:
        value = substitute(claim.cases[0][0].right, meanings)
        return (Interval(value, value, True, True),)
    if symbol is None:
        return None
    found: list[Region] = []
    for case in claim.cases:
        region = _case(case, symbol, meanings, question)
        if region is None:
            return None
        found.append(region)
    return inequality.union(found)


def _case(case: Case, symbol: str, meanings: dict[str, Expr], question: Question) -> Region | None:
    region: Region | None = inequality.EVERYWHERE
    inner = {name: meaning for name, meaning in meanings.items() if name != symbol}
    inner[UNNAMED.name] = Symbol(symbol)
    for i in case:
        filled = Inequality(substitute(i.left, inner), i.relation, substitute(i.right, inner))
        part = inequality.solve(filled, symbol, question.domain)
        region = None if part is None or region is None else inequality.intersection(region, part)
        if region is None:
            return None
    return region


def _same(answer: ThresholdAnswer, solution: ThresholdAnswer, question: Question) -> Decision:
    """Two inequalities that can't be solved for a name: one may be the other up to a factor of known sign."""
    (mine, *more), (theirs, *others) = answer.claims[0].cases, solution.claims[0].cases
    undecided = Decision(verdict=Verdict.UNDECIDED, message="this inequality could not be solved for one name")
    if more or others or len(mine) != 1 or len(theirs) != 1:
        return undecided
    first, second = (
        Inequality(substitute(i.left, solution.meanings), i.relation, substitute(i.right, solution.meanings))
        for i in (mine[0], theirs[0])
    )
    same = inequality.same(first, second, question.domain)
    if same is None:
        return undecided
    if question.strict and ("=" in mine[0].relation) != ("=" in theirs[0].relation):
        return Decision(verdict=Verdict.INCORRECT, remarks=("whether the bound itself belongs to it is wrong",))
    return Decision(verdict=Verdict.CORRECT, relation=Relation.EXACT) if same else Decision(verdict=Verdict.INCORRECT)


def _judge(
    claim: Claim, region: Region | None, solution: ThresholdAnswer, question: Question, check: Check
) -> Decision:
    key, symbol = solution.regions[0] or (), solution.symbol
    if any(i.relation in ("<<", ">>") for case in claim.cases for i in case):
        return Decision(verdict=Verdict.INCORRECT, remarks=("give a bound: 'much greater' sets none",))
    if region is None:
        sides = [side for case in claim.cases for i in case for side in (i.left, i.right)]
        if not any(symbol in symbols_of(side) for side in sides):
            return Decision(verdict=Verdict.INCORRECT, remarks=(f"this says nothing of {symbol}",))
        return Decision(verdict=Verdict.UNDECIDED, message=f"this could not be solved for {symbol}")
    if not region or region == inequality.EVERYWHERE:
        always = "always" if region else "never"
        return Decision(verdict=Verdict.INCORRECT, remarks=(f"this holds {always}: it sets no bound",))
    matched = _matched(region, key, question, check)
    if matched.verdict is not Verdict.INCORRECT or matched.remarks:
        return matched
    return _sideless(region, key, question, check)


def _matched(region: Region, key: Region, question: Question, check: Check) -> Decision:
    """Whether both are the same intervals: the same ends, and strictness where it counts."""
    wrong = Decision(verdict=Verdict.INCORRECT)
    if len(region) != len(key):
        return wrong
    relation, undecided = Relation.EXACT, False
    for a, b in zip(region, key, strict=True):
        if a.is_point != b.is_point:
            return wrong
        for end, other in ((a.lower, b.lower), (a.upper, b.upper)):
            if (end is None) != (other is None):
                return wrong
            if end is None or other is None:
                continue
            match = check.match(end, other, question.domain)
            undecided |= match.undecided
            if match.relation is None and not match.undecided:
                return wrong
            relation = match.relation if match.relation not in (None, Relation.EXACT) else relation
        if question.strict and (a.lower_closed, a.upper_closed) != (b.lower_closed, b.upper_closed):
            return Decision(verdict=Verdict.INCORRECT, remarks=("whether the bound itself belongs to it is wrong",))
    return Decision(verdict=Verdict.UNDECIDED) if undecided else Decision(verdict=Verdict.CORRECT, relation=relation)


def _sideless(region: Region, key: Region, question: Question, check: Check) -> Decision:
    """A point where a side is asked, a side where a point is, or the right bound on the wrong side."""
    mine, theirs = _ends(region), _ends(key)
    if len(region) != 1 or len(key) != 1 or len(mine) != 1 or len(theirs) != 1:
        return Decision(verdict=Verdict.INCORRECT)
    match = check.match(mine[0], theirs[0], question.domain)
    if match.undecided:
        return Decision(verdict=Verdict.UNDECIDED, message=match.reason)
    if match.relation is None:
        return Decision(verdict=Verdict.INCORRECT)
    if key[0].is_point:
        return Decision(verdict=Verdict.CORRECT, relation=match.relation)
    if not region[0].is_point:
        return Decision(verdict=Verdict.INCORRECT, remarks=("the bound is right, the side is not",))
    verdict = Verdict.PARTIAL if question.side == "required" else Verdict.CORRECT
    return Decision(verdict=verdict, relation=match.relation, remarks=("the side is missing: above or below it?",))


def _ends(region: Region) -> list[Expr]:
    """The ends of the intervals, a point's only once."""
    return [
        end
        for interval in region
        for end in ((interval.lower,) if interval.is_point else (interval.lower, interval.upper))
        if end is not None
    ]

"""Numbers with a unit, such as 3.35 TB/s: the unit and the number are judged apart."""

import re
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from grader.answers.links import Link, holds
from grader.answers.statement import EQUAL, Part, Statement, label, read_statement, without_label
from grader.errors import ResponseError
from grader.maths import show
from grader.maths.dimension import Dimension
from grader.maths.domain import Domain
from grader.maths.expression import Add, Expr, Number, symbols_of
from grader.maths.quantities import Quantity as Amount
from grader.maths.quantities import read_quantity, scaled
from grader.maths.unit_list import RATE, Unit
from grader.maths.units import read_unit
from grader.protocols import Check, Decision, Question
from grader.results import Verdict
from grader.values import frozen

_PER_SECOND = Dimension.of(s=-1)
_SIGNS = {"=": ("=", "="), "==": ("=", "="), "~": ("≈", r"\approx"), "->": ("≈", r"\approx")}
_PLAIN_NUMBER = re.compile(r"[+-]?\s*(\d[\d,_]*)?\.?(\d*)(?:[eE]([+-]?\d+))?")
_FITS = 0.005  # how near a ratio must come to a slip's factor to be called by its name


@frozen
class QuantityAnswer:
    """A quantity as read; several where a chain of equal ones was typed. `bare`: no unit was typed; `wrong_unit`: why
    the unit is not one of what is asked for."""

    amounts: tuple[Amount, ...]
    relations: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    bare: bool = False
    wrong_unit: str = ""

    @property
    def value(self) -> Expr:
        """The value in base units: FLOP, byte, token, kg, m, s, A."""
        return self.amounts[0].value

    @property
    def candidates(self) -> tuple[Expr, ...]:
        """The values of all links; the best one counts."""
        return tuple(amount.value for amount in self.amounts)

    @property
    def unit(self) -> Unit | None:
        """The unit, None for a plain number."""
        return self.amounts[0].unit

    @property
    def dimension(self) -> Dimension:
        """The physical dimension."""
        return self.amounts[0].dimension

    @property
    def read_as(self) -> str:
        """The quantity as text that reads back, such as 295.4 FLOP/byte."""
        return self._joined([_text(amount) for amount in self.amounts], 0)

    @property
    def latex(self) -> str:
        """The quantity as LaTeX."""
        return self._joined([_latex(amount) for amount in self.amounts], 1)

    @property
    def mathml(self) -> str:
        """The quantity as one MathML element."""
        pieces = [_mathml(amount) for amount in self.amounts]
        signs = [show.operator(_SIGNS[sign][0]) for sign in self.relations]
        inside = "".join(sign + piece for sign, piece in zip(["", *signs], pieces, strict=True))
        return show.math_element(inside)

    def _joined(self, pieces: list[str], style: int) -> str:
        signs = [f" {_SIGNS[sign][style]} " for sign in self.relations]
        return "".join(sign + piece for sign, piece in zip(["", *signs], pieces, strict=True))


def _text(amount: Amount) -> str:
    number = show.text(amount.number)
    if amount.unit is None or not amount.unit.text:
        return number
    if isinstance(amount.number, Add):
        number = f"({number})"
    unit = amount.unit.text
    return number + unit.removeprefix("1") if unit.startswith("1/") else f"{number} {unit}"


def _latex(amount: Amount) -> str:
    number = show.latex(amount.number)
    if amount.unit is None or not amount.unit.text:
        return number
    return (rf"\left({number}\right)" if isinstance(amount.number, Add) else number) + rf"\,{amount.unit.latex}"


def _mathml(amount: Amount) -> str:
    inside = show.inside(amount.number)
    if amount.unit is None or not amount.unit.text:
        return inside
    if isinstance(amount.number, Add):
        inside = show.operator("(") + inside + show.operator(")")
    return f'{inside}<mspace width="0.17em"/>{show.unit(amount.unit.text)}'


class Quantity:
    """The answer type of quantities."""

    def read(self, text: str, question: Question) -> QuantityAnswer:
        """The quantity that a response stands for; ResponseError if it can't be read or lacks a required unit."""
        statement = _without_words(without_label(read_statement(text, question.symbols)))
        _refuse_relations(statement)
        asked = read_unit(question.unit) if question.unit else None
        amounts = [_read_part(statement, part, question) for part in statement.parts]
        amounts = [_as_rate(a, asked.dimension if asked else None) for a in amounts]
        bare = all(amount.unit is None for amount in amounts)
        if bare and question.unit_required:
            raise ResponseError("the unit is missing", position=len(text), mend="add the unit", code="unit-missing")
        if bare and asked is not None:
            amounts = [replace(amount, unit=asked) for amount in amounts]
        kept, relations, remarks = _chain(statement, amounts, question.domain)
        rate = tuple(_RATE_REMARK.format(a.unit.text) for a in kept[:1] if asked and a.unit and _was_rate(a))
        return QuantityAnswer(kept, relations, (*statement.remarks, *remarks, *rate), bare, _wrong_unit(kept, asked))

    def compare(self, answer: QuantityAnswer, solution: QuantityAnswer, question: Question, check: Check) -> Decision:
        """Whether the best of the answer's links has the solution's dimension and value."""
        key = solution.amounts[-1]
        check = _in_base_units(check, key)
        decisions = [_decide(amount, answer.bare, key, check, question.domain) for amount in answer.amounts]
        return min(decisions, key=lambda decision: _BEST_FIRST.index(decision.verdict))


_BEST_FIRST = (Verdict.CORRECT, Verdict.UNDECIDED, Verdict.INVALID, Verdict.INCORRECT)
_RATE_REMARK = "read as the rate {}"


def _read_part(statement: Statement, part: Part, question: Question) -> Amount:
    start = statement.tokens.start(part.begin)
    try:
        amount = read_quantity(_unquoted(statement.typed(part)), question.symbols)
    except ResponseError as error:
        if error.position is not None:
            error.position += start
        raise
    if _is_undefined(amount.number, question.domain):
        raise ResponseError(
            f"{show.text(amount.number)} has no value", position=start, mend="check for a division by zero",
            code="undefined",
        )  # fmt: skip
    return amount


def _is_undefined(number: Expr, domain: Domain) -> bool:
    if isinstance(number, Number):
        return False
    from grader.maths.equality import undefined

    return undefined(number, domain)


def _unquoted(text: str) -> str:
    """The text without quotes around a unit, as Typst wants them; as long as before, so that positions stay."""

    def blank(match: re.Match[str]) -> str:
        try:
            read_unit(match[1])
        except ResponseError:
            return match[0]
        return f" {match[1]} "

    return re.sub(r'"([^"]+)"', blank, text) if '"' in text else text


def _without_words(statement: Statement) -> Statement:
    """The statement without a label of several words in front, such as Peak AI = 591 FLOP/byte."""
    first = statement.parts[0]
    kinds = {statement.tokens.items[index][0] for index in range(first.begin, first.end)}
    if not statement.relations or statement.relations[0] not in EQUAL or kinds != {"w"}:
        return statement
    remark = f"the label {label(statement, first) or statement.typed(first)} was left out"
    return replace(
        statement, parts=statement.parts[1:], relations=statement.relations[1:], remarks=(*statement.remarks, remark)
    )


def _refuse_relations(statement: Statement) -> None:
    for relation, part in zip(statement.relations, statement.parts, strict=False):
        if relation not in EQUAL:
            raise ResponseError(
                "this relation stands where one value is asked", position=statement.tokens.start(part.end),
                mend="give the value alone", code="relation",
            )  # fmt: skip


def _as_rate(amount: Amount, asked: Dimension | None) -> Amount:
    """TFLOPs is the rate where a rate is asked."""
    if asked == RATE and amount.unit is not None and amount.unit.count_or_rate:
        return replace(amount, unit=amount.unit.as_rate())
    return amount


def _was_rate(amount: Amount) -> bool:
    return amount.unit is not None and amount.unit.dimension == RATE and amount.unit.count_or_rate


# chains: 12 MB / 819 GB/s = 14.65 us


def _chain(
    statement: Statement, amounts: list[Amount], domain: Domain
) -> tuple[tuple[Amount, ...], tuple[str, ...], tuple[str, ...]]:
    """The links that count, the relations between them, and what to say of one that does not hold."""
    typed = [statement.typed(part) for part in statement.parts]
    places = [_last_place(t) if isinstance(a.number, Number) else None for t, a in zip(typed, amounts, strict=True)]
    for index, relation in enumerate(statement.relations):
        before, after = amounts[index : index + 2]
        if not _agree((before, places[index]), (after, places[index + 1]), relation, domain):
            remark = f"{_text(before)} {_SIGNS[relation][0]} {_text(after)} does not hold"
            return (amounts[-1],), (), (remark,)
    if any(amount.unit is None for amount in amounts) and amounts[-1].unit is not None:
        return (amounts[-1],), (), ()  # only the last link has its unit: 1979/3.35 = 591 FLOP/byte
    return tuple(amounts), statement.relations, ()


def _agree(
    before: tuple[Amount, Fraction | None], after: tuple[Amount, Fraction | None], relation: str, domain: Domain
) -> bool:
    """Whether two links are equal to the digits typed; one without a unit is in base units or in the other's."""
    first, second = before[0], after[0]
    if first.unit is not None and second.unit is not None and first.dimension != second.dimension:
        return False
    borrowed = first.unit or second.unit
    for unit in (borrowed, None):
        links = [_link(replace(a, unit=a.unit or unit), place) for a, place in (before, after)]
        if holds(links[0], links[1], relation, domain):
            return True
    return False


def _link(amount: Amount, place: Fraction | None) -> Link:
    factor = amount.unit.factor if amount.unit else Fraction(1)
    return Link(amount.number, amount.value, last_place=None if place is None else place * factor)


def _last_place(text: str) -> Fraction | None:
    """What one unit in the last typed place is worth, before the unit, for a value that is one number."""
    number = _PLAIN_NUMBER.match(text)
    if number is None or not (number[1] or number[2]):
        return None
    return Fraction(10) ** (int(number[3] or 0) - len(number[2]))


# the decision


def _in_base_units(check: Check, key: Amount) -> Check:
    """The check with its absolute tolerance in base units: a plain number counts in the solution's own unit."""
    to_base = getattr(check, "in_base_units", None)
    return check if to_base is None else to_base(key.unit)


def _decide(amount: Amount, bare: bool, key: Amount, check: Check, domain: Domain) -> Decision:
    amount = _as_rate(amount, key.dimension)
    rate = (_RATE_REMARK.format(amount.unit.text),) if amount.unit and _was_rate(amount) else ()
    if amount.unit is None and key.dimension:
        if not symbols_of(amount.number):
            return Decision(verdict=Verdict.INVALID, message="the unit is missing: add the unit")
        amount = replace(amount, unit=key.unit)  # a formula, whose dimension is not known
    if amount.dimension != key.dimension:
        return _wrong_dimension(amount, key, check, domain)
    match = check.match(amount.value, key.value, domain)
    if match.relation is not None:
        return Decision(verdict=Verdict.CORRECT, relation=match.relation, remarks=rate)
    if match.undecided:
        return Decision(verdict=Verdict.UNDECIDED, message=match.reason)
    return _wrong_value(amount, bare, key, rate)


def _wrong_dimension(amount: Amount, key: Amount, check: Check, domain: Domain) -> Decision:
    """Incorrect; the number may still be right, in the solution's unit or in base units."""
    values = (scaled(amount.number, key.unit.factor if key.unit else Fraction(1)), amount.value)
    right = any(check.match(value, key.value, domain).relation for value in values)
    return Decision(verdict=Verdict.INCORRECT, remarks=_unit_remarks(amount, key.dimension), unit_only=right)


def _wrong_unit(amounts: tuple[Amount, ...], asked: Unit | None) -> str:
    """What is wrong with the unit of the first link, where no link has one of what is asked for."""
    if asked is None or any(a.unit is None or a.dimension == asked.dimension for a in amounts):
        return ""
    return "; ".join(_unit_remarks(amounts[0], asked.dimension))


def _unit_remarks(amount: Amount, asked: Dimension) -> tuple[str, ...]:
    """In what the unit differs from what is asked for."""
    unit, given = amount.unit.text if amount.unit else "", amount.dimension
    if given * _PER_SECOND == asked and asked.power("s") < 0:
        remark = f'"per second" is missing: {unit} is no rate'
    elif given == asked * _PER_SECOND and given.power("s") < 0:
        remark = f"{unit} is a rate, and no rate is asked"
    elif given == asked**-1:
        remark = f"the unit {unit} is upside down"
    else:
        remark = f"the unit {unit} does not fit what is asked"
    return (remark, *_capital_s(unit))


def _capital_s(unit: str) -> Iterator[str]:
    if re.search(r"(FLOP|OP)S\b", unit):
        yield "FLOPS with a capital S is FLOP/s; the count is FLOPs"


def _wrong_value(amount: Amount, bare: bool, key: Amount, remarks: tuple[str, ...]) -> Decision:
    from grader.maths.sample import value

    plain = not symbols_of(amount.value) | symbols_of(key.value)
    given, right = (value(amount.value, {}), value(key.value, {})) if plain else (None, None)
    if not given or not right:
        return Decision(verdict=Verdict.INCORRECT, remarks=remarks)
    binary = any(re.search("[KMGT](i|ebi)", a.unit.text) for a in (amount, key) if a.unit)
    slip = _slip(given / right, amount.dimension, binary)
    if slip is None:
        return Decision(verdict=Verdict.INCORRECT, remarks=remarks)
    remark, of_unit = slip
    return Decision(verdict=Verdict.INCORRECT, remarks=remarks, slip=remark, unit_only=of_unit and not bare)


def _slip(ratio: float, dimension: Dimension, binary: bool) -> tuple[str, bool] | None:
    """The slip that a ratio of answer to solution shows, and whether it is one of the unit."""

    def near(factor: float, fits: float = _FITS) -> bool:
        return abs(ratio / factor - 1) <= fits or abs(ratio * factor - 1) <= fits

    if dimension.power("byte") and near(8):
        return "bits and bytes were confused: a byte is 8 bits (factor 8)", True
    if dimension.power("byte") and any(near(1.024**n, _FITS if binary else _FITS / 10) for n in range(1, 5)):
        return "binary and decimal prefixes were confused: 1024 or 1000 (Gi is 2^30, G is 10^9)", True
    if any(near(1000.0**n) for n in range(1, 7)):
        return "the prefix is wrong: the value is off by a power of 1000", True
    if dimension.power("FLOP") and near(2):
        return "off by a factor 2: a peak with sparsity, or a multiply-add that counts as two", False
    return None

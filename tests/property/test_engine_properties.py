"""Properties of whole answers: whatever the notation, the names and the order, the verdict is the same."""

import itertools
import os
import random
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import engine_cases
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from grader.comparison import compare
from grader.diagnosis.mutation import mutants
from grader.errors import ResponseError
from grader.maths.domain import Domain
from grader.maths.equality import equal, undefined
from grader.maths.expression import Add, Call, Div, Expr, Mul, Neg, Number, Pow, Symbol, rational, substitute
from grader.maths.grammar import read_expression
from grader.maths.polynomial import RationalFunction
from grader.maths.sample import exact
from grader.maths.show import latex, text
from grader.results import Relation, Verdict

NAMES = ("B", "D", "F", "T_math")
OTHERS = ("lambda", "x_1", "N", "S")
POINTS = [dict(zip(NAMES, row, strict=True)) for row in ((3, 7, Fraction(11, 2), 13), (Fraction(1, 9), 40, 5, 2))]
UNHURRIED = settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow])

numbers = st.one_of(st.integers(1, 12), st.sampled_from([Fraction(1, 2), Fraction(3, 4), 394 * 10**12, 820 * 10**9]))
leaves = st.one_of(st.sampled_from([Symbol(name) for name in NAMES]), numbers.map(lambda n: Number(rational(n))))


def grown(parts: st.SearchStrategy[Expr]) -> st.SearchStrategy[Expr]:
    several = st.lists(parts, min_size=2, max_size=3).map(tuple)
    return st.one_of(
        several.map(Mul), several.map(Add), several.map(Mul), st.builds(Div, parts, parts),
        st.builds(lambda a, b: Add((a, Neg(b))), parts, parts),
        st.builds(Pow, parts, st.sampled_from([Number(2), Number(3)])),
    )  # fmt: skip


rationals = st.recursive(leaves, grown, max_leaves=9)


def extended(parts: st.SearchStrategy[Expr]) -> st.SearchStrategy[Expr]:
    pairs = st.tuples(parts, parts)
    return st.one_of(
        grown(parts), st.builds(Call, st.sampled_from(["max", "min"]), pairs), parts.map(lambda a: Call("abs", (a,))),
        st.sampled_from(["sqrt", "log", "exp"]).flatmap(lambda f: leaves.map(lambda a: Call(f, (a,)))),
    )  # fmt: skip


formulas = st.recursive(leaves, extended, max_leaves=6)


# styles of writing


class Style:
    """Writes a tree the way people do; the same tree is read again, but for brackets inside sums and products."""

    times, power, minus, fraction, plus = "*", "^", "-", None, "+"

    def __init__(self, draw: random.Random) -> None:
        self.draw = draw

    def write(self, tree: Expr, least: int = 0) -> str:
        level, written = self.parts(tree)
        return f"({written})" if level < least else written

    def parts(self, tree: Expr) -> tuple[int, str]:
        match tree:
            case Symbol(name):
                return 5, self.name(name)
            case Number(value) if value.denominator == 1:
                return 4, self.number(value)
            case Number(value):
                return 2, self.divided(str(value.numerator), str(value.denominator))
            case Add(terms):
                return 1, self.sum(terms)
            case Neg(a):
                return 1, self.minus + self.write(a, 3)
            case Mul(factors):
                return 3, self.product([self.write(factor, 4) for factor in factors])
            case Div(a, b):
                if self.fraction:
                    return 3, self.fraction % (self.write(a), self.write(b))
                return 2, self.divided(self.write(a, 3), self.write(b, 4))
            case Pow(a, b):
                return 4, self.raised(self.write(a, 5), b)
            case Call(function, arguments):
                return 5, self.called(function, [self.write(part) for part in arguments])
        raise AssertionError(tree)

    def name(self, name: str) -> str:
        return name

    def number(self, value: int) -> str:
        return str(value)

    def sum(self, terms: tuple[Expr, ...]) -> str:
        written = self.write(terms[0], 2)
        for term in terms[1:]:
            negative = isinstance(term, Neg)
            written += (self.minus if negative else self.plus) + self.write(term.operand if negative else term, 2)
        return written

    def product(self, factors: list[str]) -> str:
        return self.times.join(factors)

    def divided(self, top: str, bottom: str) -> str:
        return f"{top}/{bottom}"

    def raised(self, base: str, exponent: Expr) -> str:
        return f"{base}{self.power}{self.write(exponent, 5)}"

    def called(self, function: str, arguments: list[str]) -> str:
        return f"{function}({', '.join(arguments)})"


class Spaced(Style):
    """Blanks anywhere between the signs, two stars for powers."""

    power = "**"

    @property
    def times(self) -> str:
        return self.draw.choice([" * ", "* ", " *", "  *  "])

    @property
    def plus(self) -> str:
        return self.draw.choice([" + ", "+ ", " +"])


class Unicode(Style):
    """Signs of mathematics."""

    minus = "−"

    @property
    def times(self) -> str:
        return self.draw.choice(["·", "×", "⋅", "∗", " · "])

    def raised(self, base: str, exponent: Expr) -> str:
        if isinstance(exponent, Number):
            return base + "".join("⁰¹²³⁴⁵⁶⁷⁸⁹"[int(digit)] for digit in str(exponent.value))
        return super().raised(base, exponent)


class Juxtaposed(Style):
    """No signs between factors."""

    def product(self, factors: list[str]) -> str:
        written = factors[0]
        for before, factor in itertools.pairwise(factors):
            glued = factor[0].isdigit() or (before[-1].isdigit() and factor[0] == "e")
            written += ("*" if glued else self.draw.choice(["", " "])) + factor
        return written

    def divided(self, top: str, bottom: str) -> str:
        return f"({top})/({bottom})"


class Latex(Style):
    """As a formula in a paper."""

    fraction = r"\frac{%s}{%s}"

    @property
    def times(self) -> str:
        return self.draw.choice([r" \cdot ", r"\times ", r" \ast "])

    def divided(self, top: str, bottom: str) -> str:
        return self.fraction % (top, bottom)

    def name(self, name: str) -> str:
        return r"T_{\text{math}}" if name == "T_math" else name

    def raised(self, base: str, exponent: Expr) -> str:
        return f"{base}^{{{self.write(exponent)}}}"

    def called(self, function: str, arguments: list[str]) -> str:
        return (
            rf"\{function}\left({', '.join(arguments)}\right)" if function != "abs" else rf"\left|{arguments[0]}\right|"
        )


STYLES = (Style, Spaced, Unicode, Juxtaposed, Latex)
LIMITS = {"too-long", "too-many-digits", "too-many-tokens", "too-deep", "too-large", "too-small", "power-too-large"}


def readable(written: str) -> Expr:
    """The tree of a text; no example where only the limits stand against it."""
    try:
        return read_expression(written, NAMES)
    except ResponseError as error:
        assume(error.code not in LIMITS)
        raise


def value(tree: Expr, point: dict[str, Fraction]) -> object:
    try:
        return exact(tree, point)
    except ArithmeticError:
        return "undefined"


@UNHURRIED
@given(formulas, st.sampled_from(STYLES), st.integers(0, 99))
def test_a_formula_has_the_same_value_in_every_style(tree, style, seed):
    written = style(random.Random(seed)).write(tree)
    found = readable(written)
    assert [value(found, point) for point in POINTS] == [value(tree, point) for point in POINTS], written
    wrapped = random.Random(seed).choice(["$%s$", "`%s`", '"%s"', " %s ", "= %s", "X = %s", "≈ %s"]) % written
    assume(not undefined(tree, Domain()) and len(wrapped) < 900)
    assert compare(wrapped, written, symbols=NAMES).verdict is not Verdict.INVALID


@UNHURRIED
@given(formulas, st.integers(0, 99))
def test_plain_styles_keep_the_tree(tree, seed):
    first, second, third = (style(random.Random(seed)).write(tree) for style in (Style, Spaced, Unicode))
    assert readable(first) == readable(second) == readable(third)


@UNHURRIED
@given(formulas)
def test_the_read_back_is_the_same_answer(tree):
    assume(not undefined(tree, Domain()))
    first = readable(text(tree))
    for written in (text(first), latex(first)):
        assert equal(readable(written), tree, Domain()) is not False


@UNHURRIED
@given(rationals)
def test_an_answer_equals_itself_expanded_and_factored(tree):
    assume(not undefined(tree, Domain()))
    written = text(tree)
    readable(written)
    fraction = RationalFunction.from_expr(tree)
    for form in (fraction.to_expr(), fraction.cancel().to_expr()):
        other = text(form)
        assume(len(other) < 900)
        readable(other)
        for response, solution in ((other, written), (written, other)):
            assert compare(response, solution, symbols=NAMES).relation is Relation.EXACT, (response, solution)


@UNHURRIED
@given(formulas, formulas)
def test_the_names_of_the_symbols_and_the_sides_do_not_matter(a, b):
    def renamed(tree: Expr) -> str:
        return text(substitute(tree, {old: Symbol(new) for old, new in zip(NAMES, OTHERS, strict=True)}))

    assume(not undefined(a, Domain()) and not undefined(b, Domain()))
    for tree in (a, b):
        readable(text(tree))
    found = compare(text(a), text(b), symbols=NAMES)
    assume(found.verdict is not Verdict.INVALID)  # right from left to right only
    assert compare(renamed(a), renamed(b), symbols=OTHERS).verdict is found.verdict
    assert compare(renamed(a), renamed(b), symbols=tuple(reversed(OTHERS))).verdict is found.verdict
    assert compare(text(b), text(a), symbols=NAMES).verdict is found.verdict


@UNHURRIED
@given(formulas, st.integers(0, 10**6))
def test_a_slip_that_changes_the_value_is_never_right(tree, pick):
    assume(not undefined(tree, Domain()))
    slips = list(mutants(tree))
    slip = slips[pick % len(slips)]
    values = [(value(slip, point), value(tree, point)) for point in POINTS]
    assume(any(None not in pair and "undefined" not in pair and pair[0] != pair[1] for pair in values))
    for wrong, right in ((text(slip), text(tree)), (text(tree), text(slip))):
        readable(wrong), readable(right)
        assume(not undefined(slip, Domain()))
        found = compare(wrong, right, symbols=NAMES)
        assert found.verdict in (Verdict.INCORRECT, Verdict.INVALID, Verdict.UNDECIDED), (wrong, right)
        assert found.verdict is not Verdict.INVALID or "brackets" in found.message


SHUFFLED = """
import sys
sys.path.insert(0, sys.argv[1])
import engine_cases
for case in engine_cases.ALL:
    found = case.comparison()
    print(found.verdict, found.relation, ascii(found.message), ascii(found.read_as), ascii(found.latex), found.ratio)
    print(ascii(found.remarks))
"""


def test_nothing_said_of_an_answer_depends_on_the_hash_seed():
    folder = str(Path(engine_cases.__file__).parent)
    runs = [
        subprocess.Popen(
            [sys.executable, "-c", SHUFFLED, folder], env={**os.environ, "PYTHONHASHSEED": seed}, stdout=subprocess.PIPE
        )
        for seed in ("0", "1", "4242")
    ]
    first, second, third = (run.communicate()[0] for run in runs)
    assert [run.returncode for run in runs] == [0, 0, 0]
    assert first.count(b"\n") == 2 * len(engine_cases.ALL)
    assert first == second == third

"""Reading and showing are inverse to each other, and no text whatever gets past the refusals as an exception."""

from decimal import Decimal
from fractions import Fraction

from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from grader.answers.choice import Choice
from grader.answers.expression import Expression
from grader.answers.threshold import Threshold
from grader.errors import ResponseError
from grader.maths.expression import Add, Call, Constant, Div, Expr, Mul, Neg, Number, Pow, Symbol, rational
from grader.maths.grammar import read, read_expression
from grader.maths.sample import exact, precise
from grader.maths.show import latex, mathml, text
from grader.maths.tokens import Tokens
from grader.maths.vocabulary import vocabulary
from grader.protocols import Question

UNHURRIED = settings(deadline=None)  # a busy machine is no failure

NAMES = ("B", "D", "F", "T_math", "B_1", "lam")
POINT = {"B": 3, "D": 7, "F": Fraction(11, 2), "T_math": 13, "B_1": Fraction(5, 3), "lam": 2}
DECIMALS = {name: Decimal(number.numerator) / number.denominator for name, number in POINT.items()}

numbers = st.one_of(
    st.integers(0, 10**6),
    st.fractions(0, 1000, max_denominator=1000),
    st.integers(1, 99).map(lambda n: n * 10**13),
    st.integers(1, 999).map(lambda n: Fraction(n, 10**12)),
).map(lambda number: Number(rational(number)))
leaves = st.one_of(numbers, st.sampled_from([Symbol(name) for name in NAMES]), st.sampled_from([Constant("pi")]))
exponents = st.one_of(st.integers(0, 4).map(Number), st.sampled_from([Neg(Number(1)), Div(Number(1), Number(2))]))


SINGLE = ["sqrt", "cbrt", "abs", "log", "log2", "floor", "ceil", "sin"]


def extended(parts: st.SearchStrategy[Expr]) -> st.SearchStrategy[Expr]:
    several = st.lists(parts, min_size=2, max_size=4).map(tuple)
    return st.one_of(
        several.map(Add),
        several.map(Mul),
        st.builds(Div, parts, parts),
        st.builds(Neg, parts),
        st.builds(Pow, parts, exponents),
        st.builds(Call, st.sampled_from(SINGLE), parts.map(lambda part: (part,))),
        st.builds(Call, st.sampled_from(["min", "max"]), several),
    )  # fmt: skip


trees = st.recursive(leaves, extended, max_leaves=12)


def same_value(a: Expr, b: Expr) -> bool:
    """Equal at a point: exactly where that can be told, else to twelve digits; both undefined counts, too."""
    try:
        first, second = exact(a, POINT), exact(b, POINT)
    except (ZeroDivisionError, ArithmeticError):
        first = second = None
    if first is not None and second is not None:
        return first == second
    x, y = precise(a, DECIMALS), precise(b, DECIMALS)
    if x is None or y is None:
        return x is y
    return x == y or abs(x - y) <= Decimal("1e-12") * max(abs(x), abs(y))


def readable(shown: str) -> Expr:
    """The tree of a text, or no example where only the limits of the language stand against it."""
    try:
        return read_expression(shown, NAMES)
    except ResponseError as error:
        assume(
            error.code not in ("too-long", "too-many-tokens", "too-deep", "too-large", "too-small", "power-too-large")
        )
        raise


@UNHURRIED
@given(trees)
def test_the_text_of_a_tree_reads_back_to_the_same_value(tree):
    assert same_value(readable(text(tree)), tree)


@UNHURRIED
@given(trees)
def test_the_text_of_what_was_read_is_the_same_text_again(tree):
    first = readable(text(tree))
    assert text(readable(text(first))) == text(first)


@UNHURRIED
@given(trees)
def test_the_latex_of_a_tree_reads_back_to_the_same_value(tree):
    assert same_value(readable(latex(tree)), tree)


@UNHURRIED
@given(trees)
def test_the_text_has_no_second_reading(tree):
    shown = text(tree)
    readable(shown)
    assert read(shown, NAMES).alternative is None or "*10^" in shown


def juxtaposed(tree: Expr) -> str:
    """A hasty style: no stars, every part in brackets, Unicode signs."""
    match tree:
        case Add(terms):
            return "(" + "+".join(map(juxtaposed, terms)) + ")"
        case Mul(factors):
            return "(" + "".join(f"({juxtaposed(factor)})" for factor in factors) + ")"
        case Div(a, b):
            return f"(({juxtaposed(a)})÷({juxtaposed(b)}))"
        case Neg(a):
            return f"(−{juxtaposed(a)})"
        case Pow(base, Number(n)) if isinstance(n, int):
            return f"({juxtaposed(base)})" + "".join("⁰¹²³⁴⁵⁶⁷⁸⁹"[int(digit)] for digit in str(n))
        case Pow(base, exponent):
            return f"({juxtaposed(base)})**({juxtaposed(exponent)})"
        case Call(function, arguments):
            return f"{function}({','.join(' ' + juxtaposed(argument) for argument in arguments)})"
    return text(tree)


@UNHURRIED
@given(trees)
def test_a_hasty_style_reads_to_the_same_value(tree):
    assert same_value(readable(juxtaposed(tree)), tree)


@UNHURRIED
@given(trees)
def test_mathml_is_one_element(tree):
    shown = mathml(tree)
    assert shown.startswith("<math ")
    assert shown.endswith("</math>")
    assert shown.count("<math ") == 1


PIECES = [*"0123456789BDFxe.,+-*/^()[]{}|%=<>~;:_$\"'`!&#@ \\\n²⁻√≤≥≈≠⇒∞λ"]
PIECES += ["T_math", "\\frac", "\\sqrt", "\\log_", "\\text{", "\\left", "\\implies", "{,}", "log", "max(", "e5", "**"]
PIECES += [" or ", " and ", " for ", " so ", "i.e.", "assuming ", "tokens", "compute-bound", "FLOPs", "B > 243"]
pieces = st.lists(st.sampled_from(PIECES), max_size=30).map("".join)


def refusal(kind, typed, question):
    """Why the text is refused, or None after checking what was read."""
    try:
        answer = kind.read(typed, question)
    except ResponseError as error:
        return error
    assert answer.read_as.isprintable()
    assert answer.mathml.count("<math ") == 1
    return None


@settings(UNHURRIED, max_examples=150)
@given(pieces)
@example("((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((")
@example("|" * 60)
@example("\\frac" * 60)
@example("\\sqrt[")
def test_any_text_is_read_or_refused_with_a_place_and_a_mend(typed):
    for kind in (Expression(), Threshold()):
        error = refusal(kind, typed, Question(symbols=NAMES, symbol="B"))
        assert error is None or (error.reason and error.mend and 0 <= error.position <= len(typed))


@UNHURRIED
@given(st.text(max_size=60))
def test_text_of_any_characters_is_read_or_refused_in_printable_words(typed):
    for kind in (Expression(), Threshold(), Choice()):
        error = refusal(kind, typed, Question(symbols=NAMES, options={"above": "above some B"}))
        assert error is None or str(error).isprintable()


@UNHURRIED
@given(pieces)
def test_the_fast_scan_and_the_careful_scan_agree(typed):
    try:
        tokens = Tokens(typed, vocabulary(NAMES))
    except ResponseError:
        return
    assert [(kind, found) for kind, found, _ in tokens._scanned()] == tokens.items[:-1]
    starts = [tokens.start(i) for i in range(len(tokens.items))]
    assert starts == sorted(starts)
    assert starts[-1] <= len(typed)

"""The grammar: readings, refusals with code and position, the other reading behind a slash, and the limits."""

from pathlib import Path

import pytest
import yaml

from grader.errors import ResponseError
from grader.maths.expression import FUNCTIONS, Add, Call, Div, Mul, Neg, Number, Pow, Symbol
from grader.maths.grammar import read, read_expression
from grader.maths.show import text

CASES = Path(__file__).parents[2] / "cases"
GOOD = [
    (typed, group["names"], shown)
    for group in yaml.safe_load((CASES / "reading_good.yaml").read_text("utf-8"))
    for typed, shown in group["cases"]
]
REFUSED = yaml.safe_load((CASES / "reading_refused.yaml").read_text("utf-8"))
B, D, F = Symbol("B"), Symbol("D"), Symbol("F")
NAMES = ("B", "D", "F")


def test_there_are_at_least_300_good_spellings():
    assert len({typed for typed, _, _ in GOOD}) >= 300


@pytest.mark.parametrize(("typed", "names", "shown"), GOOD, ids=[typed for typed, _, _ in GOOD])
def test_a_good_spelling_is_read_as_what_it_means(typed, names, shown):
    assert text(read_expression(typed, names)) == shown


@pytest.mark.parametrize(("typed", "code", "position"), REFUSED)
def test_a_bad_response_is_refused_with_its_code_and_position(typed, code, position):
    with pytest.raises(ResponseError) as caught:
        read_expression(typed, NAMES)
    assert (caught.value.code, caught.value.position) == (code, position)


@pytest.mark.parametrize("typed", [typed for typed, _, _ in REFUSED])
def test_every_refusal_says_how_to_mend_it_in_printable_words(typed):
    with pytest.raises(ResponseError) as caught:
        read_expression(typed, NAMES)
    error = caught.value
    assert error.reason
    assert error.mend
    assert 0 <= error.position <= len(typed)
    assert str(error).isprintable()


@pytest.mark.parametrize(
    ("typed", "tree"),
    [
        ("2BD", Mul((Number(2), B, D))),
        ("B/DF", Div(B, Mul((D, F)))),
        ("B/D*F", Mul((Div(B, D), F))),
        ("B-D-F", Add((B, Neg(D), Neg(F)))),
        ("-B^2", Neg(Pow(B, Number(2)))),
        ("B^D^F", Pow(B, Pow(D, F))),
        ("B^DF", Mul((Pow(B, D), F))),
        ("2B*D", Mul((Number(2), B, D))),
        ("2*(B*D)", Mul((Number(2), Mul((B, D))))),
        ("\\frac{B}{D}", Div(B, D)),
        ("log_2(B)", Call("log2", (B,))),
        ("pow(B, 2)", Pow(B, Number(2))),
    ],
)
def test_the_tree_keeps_the_structure_as_typed(typed, tree):
    assert read_expression(typed, NAMES) == tree


def test_a_slash_before_a_juxtaposed_product_has_another_reading():
    parsed = read("1/2B", NAMES)
    assert text(parsed.expression) == "1/(2*B)"
    assert text(parsed.alternative) == "1/2*B"
    assert parsed.remarks == ("the slash can be taken in two ways: read as 1/(2*B)",)


@pytest.mark.parametrize("typed", ["1/(2B)", "B/2*D", "2BDF/(BD+DF)", "1/2*B", "\\frac{1}{2}B", "B/D/F"])
def test_other_slashes_have_one_reading(typed):
    parsed = read(typed, NAMES)
    assert parsed.alternative is None
    assert parsed.remarks == ()


def test_a_number_with_a_cross_and_a_power_of_ten_stays_together_behind_a_slash():
    parsed = read("B/3.94×10^14", NAMES)
    assert text(parsed.expression) == "B/(3.94*10^14)"
    assert text(parsed.alternative) == "B/3.94*10^14"


def test_a_number_with_a_star_and_a_power_of_ten_is_read_from_left_to_right():
    parsed = read("B/3.94*10^14", NAMES)
    assert text(parsed.expression) == "B/3.94*10^14"
    assert text(parsed.alternative) == "B/(3.94*10^14)"


def test_a_close_name_is_suggested():
    for typed, mend in (("2*b", "did you mean B?"), ("bdf", "did you mean BDF?"), ("T_maths", "did you mean T_math?")):
        with pytest.raises(ResponseError) as caught:
            read_expression(typed, (*NAMES, "T_math"))
        assert caught.value.mend == mend


def test_without_a_close_name_the_declared_ones_are_listed():
    with pytest.raises(ResponseError, match="the names here are B, D, F"):
        read_expression("2*X", NAMES)


def test_a_course_may_add_functions():
    functions = {**FUNCTIONS, "leading_term": (1, 1)}
    assert read_expression("leading_term(B)", NAMES, functions=functions) == Call("leading_term", (B,))
    with pytest.raises(ResponseError):
        read_expression("leading_term(B)", NAMES)


def test_names_may_come_as_any_iterable():
    assert read_expression("B", iter(["B"])) == B


def test_fifty_levels_are_allowed():
    assert read_expression("(" * 50 + "B" + ")" * 50, NAMES) == B


def test_powers_up_to_ten_thousand_are_read():
    assert read_expression("(B - D)^6000", NAMES) == Pow(Add((B, Neg(D))), Number(6000))
    assert read_expression("B^10000", NAMES) == Pow(B, Number(10000))


@pytest.mark.parametrize("typed", ["2^1000", "2^-1000", "1e300*1e5", "0^5", "0*9^300", "(1 + 1/1000)^100", "exp(700)"])
def test_constants_within_the_limits_are_read(typed):
    read_expression(typed)


@pytest.mark.parametrize("typed", ["1e300*1e300", "1e-300/1e300", "1e300/1e-300", "exp(-10000)", "2^512*2^513"])
def test_constants_beyond_the_limits_are_refused(typed):
    with pytest.raises(ResponseError) as caught:
        read_expression(typed)
    assert caught.value.code in ("too-large", "too-small")


def test_a_constant_without_a_value_is_left_to_who_decides():
    for typed in ("1/0", "0^-1", "sqrt(-2)", "log(0)", "(1/0)^5", "asin(2)"):
        read_expression(typed)


@pytest.mark.parametrize("typed", ["\ufeff2B", "2B\r\n", "\t2B ", "\u00a02B", " 2 B"])
def test_blanks_line_ends_and_a_byte_order_mark_around_cost_nobody(typed):
    assert text(read_expression(typed, NAMES)) == "2*B"


def test_reading_never_depends_on_the_order_of_the_names():
    names = ("B", "B_1", "B_12", "T", "T_math")
    for typed in ("B_12B_1B", "T_mathT", "BT_math"):
        assert read_expression(typed, names) == read_expression(typed, names[::-1])

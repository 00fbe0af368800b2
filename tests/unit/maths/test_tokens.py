"""Tokens: one scan, declared names longest first, positions in the text as typed, and the limits on size."""

import pytest

from grader.errors import ResponseError
from grader.maths.expression import Number, Symbol
from grader.maths.tokens import END, Tokens, number
from grader.maths.vocabulary import vocabulary

NAMES = ("B", "D", "T_math", "T_comms", "B_1", "lam")


def kinds(text, names=NAMES):
    return [kind for kind, _ in Tokens(text, vocabulary(names)).items[:-1]]


def names_in(text, names=NAMES):
    return [value.name for kind, value in Tokens(text, vocabulary(names)).items[:-1] if kind == "s"]


def test_the_tokens_end_with_an_end():
    assert Tokens("B", vocabulary(NAMES)).items[-1] is END


def test_the_longest_declared_name_is_taken():
    assert names_in("T_mathB_1B") == ["T_math", "B_1", "B"]


def test_a_name_that_begins_like_a_function_is_a_name():
    assert names_in("logits", ("logits", "l")) == ["logits"]


def test_a_declared_name_hides_the_function_of_that_name():
    assert names_in("max(B)", ("max", "B")) == ["max", "B"]


def test_a_function_name_is_found_inside_a_run_of_letters():
    assert kinds("Blog(D)") == ["s", "f", "(", "s", ")"]


def test_a_run_with_an_undeclared_letter_is_one_word():
    items = Tokens("2BDZ", vocabulary(NAMES)).items
    assert items[1] == ("w", "BDZ")


def test_constants_may_be_declared_as_names():
    assert names_in("e*pi", ("e", "pi")) == ["e", "pi"]


def test_e_is_a_constant_alone_or_before_a_power_only():
    assert kinds("e") == ["s"]
    assert kinds("Be^D") == ["s", "s", "^", "s"]
    assert kinds("Be") == ["w"]


def test_x_between_a_number_and_a_power_of_ten_is_a_cross():
    assert kinds("3 x 10^4", ()) == ["n", "*", "n", "^", "n"]
    assert kinds("3 x 11", ()) == ["n", "w", "n"]


def test_a_declared_x_stays_a_name():
    assert kinds("3 x 10^4", ("x",)) == ["n", "s", "n", "^", "n"]


def test_positions_are_offsets_in_the_text_as_typed():
    tokens = Tokens("  2B \\cdot  T_{math}²", vocabulary(NAMES))
    assert [tokens.start(i) for i in range(len(tokens.items))] == [2, 3, 5, 12, 20, 21]


def test_a_name_squared_between_its_base_and_its_index_is_taken_apart():
    tokens = Tokens("B^{2}_{1}D", vocabulary(NAMES))
    assert [kind for kind, _ in tokens.items[:-1]] == ["s", "^", "(", "n", ")", "s"]
    assert tokens.items[0] == ("s", Symbol("B_1"))


@pytest.mark.parametrize("spelling", ["T_{math}", "T_\\text{math}", "{T}_{math}", "\\text{T}_{math}", "T\\_math"])
def test_a_name_in_latex_is_the_same_name(spelling):
    assert names_in(spelling) == ["T_math"]


@pytest.mark.parametrize("spelling", ["lam", "λ", "\\lambda", "lambda"])
def test_greek_names_have_their_letter_and_their_command(spelling):
    assert names_in(spelling) == ["lam"]


def test_the_same_text_gives_the_same_tokens_by_the_fast_and_the_careful_way():
    for text in ["2BD/(B+D)", "max(B, D)", "3.94e14*B", "B^2 - 5.", "T_math + T_comms"]:
        tokens = Tokens(text, vocabulary(NAMES))
        assert [(kind, value) for kind, value, _ in tokens._scanned()] == tokens.items[:-1]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("B" * 1001, "too-long"),
        ("B+" * 126, "too-many-tokens"),
        ("", "empty"),
        (" \n ", "empty"),
        ("{{B}}", "template"),
    ],
)
def test_limits_are_told_by_code(text, code):
    with pytest.raises(ResponseError) as caught:
        Tokens(text, vocabulary(NAMES))
    assert caught.value.code == code


def test_a_thousand_characters_and_250_tokens_are_allowed():
    assert len(Tokens("B" + " " * 998 + "D", vocabulary(NAMES)).items) == 3
    assert len(Tokens("B" * 250, vocabulary(NAMES)).items) == 251


@pytest.mark.parametrize(
    ("typed", "value"),
    [("243", 243), ("010", 10), ("5.", 5), ("57,500", 57500), ("57{,}500", 57500), ("1_000", 1000), ("2e3", 2000)],
)
def test_whole_numbers_are_ints(typed, value):
    found = number(typed, 0)
    assert found == Number(value)
    assert isinstance(found.value, int)


def test_decimals_are_exact():
    assert number("0.1", 0).value * 10 == 1


def test_numbers_beyond_the_limits_are_refused_where_they_stand():
    for typed, code in (
        ("9" * 61, "too-many-digits"),
        ("1e301", "exponent-range"),
        ("1e" + "9" * 50, "exponent-range"),
    ):
        with pytest.raises(ResponseError) as caught:
            number(typed, 7)
        assert (caught.value.code, caught.value.position) == (code, 7)


def test_sixty_digits_and_an_exponent_of_300_are_allowed():
    assert number("9" * 60, 0).value == 10**60 - 1
    assert number("1e300", 0).value == 10**300

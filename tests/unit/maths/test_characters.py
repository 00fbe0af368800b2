"""Characters: what is translated, what is refused, and how a refusal names the character."""

import unicodedata

import pytest

from grader.errors import ResponseError
from grader.maths.characters import GREEK, SUBSCRIPTS, SUPERSCRIPTS, TABLE, meant, plain


def test_plain_ascii_is_returned_as_it_is():
    assert plain("2*B*D*F") == "2*B*D*F"


@pytest.mark.parametrize("sign", "×·∗⋅•∙\u2062")
def test_multiplication_signs_become_a_star(sign):
    assert plain(f"2{sign}B") == "2*B"


@pytest.mark.parametrize("sign", "−–—‐‑")
def test_dashes_become_a_minus(sign):
    assert plain(f"2{sign}B") == "2-B"


@pytest.mark.parametrize("blank", ["\u00a0", "\u2009", "\u202f", "\u3000"])
def test_blanks_of_other_widths_become_a_blank(blank):
    assert plain(f"2{blank}B") == "2 B"


def test_translation_never_changes_the_length():
    assert all(len(TABLE[code]) == 1 for code in TABLE)


def test_every_full_width_form_of_ascii_is_read():
    full = "".join(chr(code) for code in range(0xFF01, 0xFF5F))
    assert plain(full) == "".join(chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F))


def test_a_byte_order_mark_in_front_is_a_blank():
    assert plain("\ufeff2*B") == " 2*B"


def test_a_byte_order_mark_inside_is_refused():
    with pytest.raises(ResponseError) as caught:
        plain("2\ufeffB")
    assert caught.value.code == "invisible-character"


@pytest.mark.parametrize(
    ("letter", "character"),
    [("B", "Β"), ("B", "В"), ("B", "𝐁"), ("B", "ℬ"), ("K", "\u212a"), ("O", "О"), ("a", "а"), ("x", "х"), ("o", "ο")],
)
def test_look_alike_letters_are_refused_with_the_letter_meant(letter, character):
    with pytest.raises(ResponseError) as caught:
        plain(f"2*{character}")
    error = caught.value
    assert error.code == "look-alike"
    assert error.position == 2
    assert f"U+{ord(character):04X} {unicodedata.name(character)}" in error.reason
    assert f"the letter {letter}" in error.mend


def test_the_letter_o_may_also_be_the_digit():
    with pytest.raises(ResponseError, match="the digit 0"):
        plain("1О24")


@pytest.mark.parametrize(
    ("character", "code"),
    [("\u200b", "invisible-character"), ("\u202e", "invisible-character"), ("\u0301", "combining-mark"),
     ("\u2028", "line-separator"), ("\u0085", "control-character"), ("\U000e0041", "invisible-character")],
)  # fmt: skip
def test_characters_that_can_not_be_seen_are_named_and_never_printed(character, code):
    with pytest.raises(ResponseError) as caught:
        plain(f"2*B{character}")
    assert caught.value.code == code
    assert caught.value.position == 3
    assert character not in str(caught.value)
    assert f"U+{ord(character):04X}" in str(caught.value)


def test_curly_quotes_are_refused_by_name():
    with pytest.raises(ResponseError, match="LEFT DOUBLE QUOTATION MARK"):
        plain("“2B”")


def test_digits_of_other_scripts_are_refused():
    for character in "٣३๓":
        with pytest.raises(ResponseError):
            plain(character)


def test_raised_lowered_and_greek_characters_are_left_for_the_tokenizer():
    text = "".join([*SUPERSCRIPTS, *SUBSCRIPTS, *GREEK])
    assert plain(text) == text


def test_letters_that_look_like_nothing_have_no_meaning():
    assert meant("日") is None

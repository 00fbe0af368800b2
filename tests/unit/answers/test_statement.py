"""Cutting a statement at its relations, and what is taken off around it."""

import pytest

from grader.answers.statement import label, read_statement, without_label

NAMES = ("B", "D", "T_math")


def parts(typed):
    statement = read_statement(typed, NAMES)
    return [statement.typed(part) for part in statement.parts], list(statement.relations)


@pytest.mark.parametrize(
    ("typed", "found", "relations"),
    [
        ("2B", ["2B"], []),
        ("a = b ≈ c", ["a", "b", "c"], ["=", "~"]),
        ("1 < B <= 3", ["1", "B", "3"], ["<", "<="]),
        ("max(a = b, c) = d", ["max(a = b, c)", "d"], ["="]),
        ("$2B = D$", ["2B", "D"], ["="]),
        ("≈ 243", ["243"], []),
        ("2B \\to D", ["2B", "D"], ["->"]),
        ("2B → D", ["2B", "D"], ["->"]),
        ("B \\gg D", ["B", "D"], [">>"]),
        ("2B assuming B << D", ["2B"], []),
    ],
)
def test_a_statement_is_cut_at_relations_outside_brackets(typed, found, relations):
    assert parts(typed) == (found, relations)


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("AI = 2B", "AI"), ("\\AI = 2B", "AI"), ('"OPs" = 2B', "OPs"), ("\\text{AI} = 2B", "AI"),
        ("T_{comm} = 2B", "T_{comm}"), ("T_\\text{comm} = 2B", "T_\\text{comm}"),
        ("B = 2", "B"), ("T_math = 2", "T_math"),
    ],
)  # fmt: skip
def test_one_word_in_front_is_a_label(typed, name):
    statement = read_statement(typed, NAMES)
    assert label(statement, statement.parts[0]) == name
    assert without_label(statement).remarks == (f"the label {name} was left out",)


@pytest.mark.parametrize("typed", ["2B = D", "B + D = 2", "or = 2", "inf = 2", "A B = 2", "f(x) = 2"])
def test_more_than_a_word_is_no_label(typed):
    statement = read_statement(typed, NAMES)
    assert label(statement, statement.parts[0]) is None


def test_only_one_label_is_left_out():
    statement = without_label(read_statement("AI = OI = 2B", NAMES))
    assert [statement.typed(part) for part in statement.parts] == ["OI", "2B"]


def test_a_relation_of_order_keeps_its_words():
    assert without_label(read_statement("AI > 2B", NAMES)).remarks == ()


@pytest.mark.parametrize("typed", ["$2B", "2B$", "`2B", "$$2B$", "\\(2B\\]", "**2B", "$B$ = $D$"])
def test_half_a_wrapper_stays_and_is_refused_later(typed):
    statement = read_statement(typed, NAMES)
    whole = " ".join(statement.typed(part) for part in statement.parts)
    assert whole.startswith(typed[0]) or whole.endswith(typed[-1])

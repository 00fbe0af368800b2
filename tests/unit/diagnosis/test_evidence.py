"""What a student's earlier answers say of a later one."""

import pytest

from grader.compiled import Key, PartKeys
from grader.diagnosis.evidence import Earlier, Evidence
from grader.maths.expression import Expr
from grader.maths.grammar import read_expression
from grader.results import Relation, Verdict


def keys(*mistakes: str) -> PartKeys:
    return PartKeys(
        right=(Key("B", "b"),), wrong_rows=tuple(Key("D", "d", mistakes=(m,)).row() for m in mistakes), meanings={}
    )


def earlier(quantity: str, value: str, verdict: Verdict, *mistakes: str, changes: tuple[str, ...] = ()) -> Earlier:
    tree: Expr = read_expression(value, "BDF")
    return Earlier(
        part=quantity, title=quantity, quantity=quantity, value=tree, verdict=verdict, keys=keys(*changes),
        mistakes=mistakes,
    )  # fmt: skip


def test_a_later_answer_may_follow_from_a_wrong_one_and_not_from_a_right_one() -> None:
    wrong = earlier("flops", "B*D", Verdict.INCORRECT)
    right = earlier("bytes_moved", "B*D", Verdict.CORRECT)
    assert Evidence((wrong, right)).wrong == (wrong,)
    assert Evidence((wrong, right)).usable == (wrong, right)


@pytest.mark.parametrize("verdict", [Verdict.INVALID, Verdict.MISSING, Verdict.UNDECIDED, Verdict.PARTIAL])
def test_nothing_follows_from_what_was_not_decided(verdict: Verdict) -> None:
    assert Evidence((earlier("flops", "B*D", verdict),)).usable == ()


@pytest.mark.parametrize("value", ["0", "1"])
def test_nothing_follows_from_a_trivial_value(value: str) -> None:
    assert Evidence((earlier("flops", value, Verdict.INCORRECT),)).wrong == ()


def test_an_answer_that_is_no_quantity_of_the_model_carries_nothing() -> None:
    assert Evidence((earlier("", "B*D", Verdict.INCORRECT),)).wrong == ()


def test_of_two_answers_for_one_quantity_the_later_counts() -> None:
    first, second = earlier("flops", "B*D", Verdict.INCORRECT), earlier("flops", "B*F", Verdict.INCORRECT)
    assert Evidence((first, second)).wrong == (second,)


def test_mistakes_that_earlier_answers_showed_are_known() -> None:
    answers = (earlier("flops", "B*D", Verdict.INCORRECT, "a"), earlier("x", "D", Verdict.INCORRECT, "b"))
    assert Evidence(answers).shown == {"a", "b"}


def test_a_mistake_that_would_have_changed_a_right_answer_is_contradicted() -> None:
    right = earlier("flops", "B*D", Verdict.CORRECT, changes=("a", "b"))
    shown = earlier("x", "D", Verdict.INCORRECT, "b")
    assert Evidence((right,)).contradicted == {"a", "b"}
    assert Evidence((right, shown)).contradicted == {"a"}


def test_a_wrong_answer_contradicts_nothing() -> None:
    assert Evidence((earlier("flops", "B*D", Verdict.INCORRECT, changes=("a",)),)).contradicted == frozenset()


def test_an_answer_that_is_right_to_leading_order_alone_settles_nothing() -> None:
    from dataclasses import replace

    right = replace(earlier("leading", "B", Verdict.CORRECT, changes=("a",)), relation=Relation.LEADING_ORDER)
    assert Evidence((right,)).contradicted == frozenset()

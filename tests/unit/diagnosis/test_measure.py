"""A wrong answer measured against the solution: where it fails, and which other answers it belongs with."""

import re

import pytest

from grader.diagnosis.measure import clusters, counterexample
from grader.maths.domain import Domain
from grader.maths.expression import Expr
from grader.maths.grammar import read_expression
from grader.maths.sample import value


def read(formula: str) -> Expr:
    return read_expression(formula, "BDF")


def test_a_counterexample_gives_sizes_and_what_the_answer_comes_to_there() -> None:
    made = counterexample(read("B*D"), read("2*B*D"), ("B", "D", "F"))
    assert made
    sentence, factor = made
    assert factor == "0.5"
    sizes = {name: float(size) for name, size in re.findall(r"(\w) = ([\d.e+]+)", sentence)}
    assert set(sizes) == {"B", "D"}
    assert f"your formula gives {value(read('B*D'), sizes):.4g}" in sentence


@pytest.mark.parametrize("answer", ["2*B*F/(B + F)", "B + D", "F^3", "2*B*D*F/(B*D + B*F + 2*D*F)"])
def test_a_counterexample_never_gives_the_right_value(answer: str) -> None:
    solution = read("2*B*D*F/(B*D + D*F + B*F)")
    made = counterexample(read(answer), solution, ("B", "D", "F"))
    assert made
    sizes = {name: float(size) for name, size in re.findall(r"(\w) = ([\d.e+]+)", made[0])}
    right = value(solution, {"B": 2.0, "D": 4.0, "F": 8.0} | sizes)
    assert right
    assert f"{right:.4g}" not in re.sub(r"\w = [\d.e+]+", "", made[0])


def test_a_right_formula_has_no_counterexample() -> None:
    assert counterexample(read("D*(B + F)"), read("B*D + D*F"), ("B", "D", "F")) is None


def test_numbers_have_no_counterexample() -> None:
    assert counterexample(read("3"), read("4"), ("B",)) is None


def test_a_formula_that_fails_only_where_sizes_differ_in_order_has_a_counterexample() -> None:
    assert counterexample(read("min(B, D)"), read("B"), ("B", "D"))


# --- clusters ---


def test_equal_answers_are_in_one_cluster_however_they_are_written() -> None:
    first, second = (clusters(read(answer), read("2*B*D"), Domain()) for answer in ("B*D + B*F", "(D + F)*B"))
    assert first == second


def test_answers_with_the_same_ratio_are_in_one_cluster_of_ratios() -> None:
    first = clusters(read("4*B*D"), read("2*B*D"), Domain())
    second = clusters(read("2*F"), read("F"), Domain())
    assert first[0] != second[0]
    assert first[1] == second[1]
    assert clusters(read("3*F"), read("F"), Domain())[1] != first[1]


def test_the_id_of_a_cluster_shows_nothing_of_the_answer() -> None:
    answer, ratio = clusters(read("5"), read("7"), Domain())
    assert re.fullmatch("[0-9a-f]{12}", answer)
    assert re.fullmatch("[0-9a-f]{12}", ratio)

"""What a student's own notes must be told, before and after the student's corrections."""

from itertools import chain

import pytest

from grader.maths.expression import Expr
from grader.maths.grammar import read_expression
from grader.maths.sample import value
from grader.results import Gradebook, PartResult
from tests.golden.conftest import Parts, parts_of


@pytest.fixture(scope="module")
def first(examples: Gradebook) -> Parts:
    return parts_of(examples, "seed_first")


@pytest.fixture(scope="module")
def corrected(examples: Gradebook) -> Parts:
    return parts_of(examples, "seed_corrected")


def named(part: PartResult) -> set[str]:
    """All mistakes that the feedback speaks of."""
    return {*part.mistakes, *chain.from_iterable(part.alternatives)}


def formula(part: PartResult) -> Expr:
    assert part.ratio
    return read_expression(part.ratio, "BDF")


def test_amounts_and_intensity_of_question_1_are_right(first: Parts) -> None:
    for part in ("loaded", "written", "ops", "intensity", "leading", "t_comms"):
        assert first["q1", part].verdict == "correct", part


def test_a_time_without_the_factor_2_is_a_multiply_add_counted_once(first: Parts) -> None:
    part = first["q1", "t_math"]
    assert part.verdict == "incorrect"
    assert named(part) & {"flops-missing-mul-add", "t-math-missing-2"}
    assert part.mistakes == ("flops-missing-mul-add",)
    assert part.ratio == "1/2"


def test_bounds_that_were_left_out_are_missing(first: Parts) -> None:
    for part in ("lower", "upper"):
        assert (first["q1", part].verdict, first["q1", part].points) == ("missing", 0)


def test_a_right_batch_size_with_a_wrong_sum_on_the_way_is_right_with_a_remark(first: Parts) -> None:
    part = first["q1", "critical"]
    assert (part.verdict, part.points) == ("correct", part.max_points)
    assert any("243.5" in remark for remark in part.remarks)


def test_all_of_question_2_is_right(first: Parts) -> None:
    verdicts = {part: result.verdict for (exercise, part), result in first.items() if exercise == "q2"}
    assert verdicts == dict.fromkeys(["flops", "bytes", "intensity", "leading", "critical"], "correct")


def test_the_plot_that_was_never_drawn_is_missing(first: Parts) -> None:
    verdicts = {result.verdict for (exercise, _), result in first.items() if exercise == "q3"}
    assert verdicts == {"missing"}


def test_the_batch_counted_twice_is_named_in_all_that_it_reaches(first: Parts) -> None:
    for part in ("flops", "intensity", "leading"):
        assert first["q4", part].verdict == "incorrect"
        assert first["q4", part].mistakes[0] == "batch-counted-twice", part
    assert first["q4", "bytes"].verdict == "correct"
    assert first["q4", "flops"].ratio == "B"
    assert first["q4", "leading"].ratio == "B^2"


def test_a_ridge_of_591_is_the_sparse_peak_or_another_row_and_none_is_asserted(first: Parts) -> None:
    part = first["q5", "intensity"]
    assert part.verdict == "incorrect"
    assert part.mistakes == ("crit-sparse-peak",)
    assert ("crit-fp8-dense-for-bf16",) in part.alternatives
    assert part.feedback.startswith("Any of these")
    assert len(part.explanations) <= 3


def test_a_batch_size_of_591_follows_from_the_same_peak(first: Parts) -> None:
    part = first["q5", "critical"]
    assert part.verdict == "incorrect"
    assert "crit-sparse-peak" in named(part)


def test_the_corrected_intensity_is_off_by_what_a_wrong_axis_makes_of_it(corrected: Parts) -> None:
    part = corrected["q4", "intensity"]
    assert part.verdict == "incorrect"
    assert part.mistakes == ("bytes-wrong-output-axis",)
    for batch in (1, 3, 100):  # for large matrices the answer tends to B/(B+1) of the solution
        far = value(formula(part), {"B": batch, "D": 1e9, "F": 1e9})
        assert far == pytest.approx(batch / (batch + 1), rel=1e-6)


def test_the_corrected_operations_and_limit_are_right(corrected: Parts) -> None:
    for part in ("flops", "bytes", "leading", "bound"):
        assert corrected["q4", part].verdict == "correct", part


def test_the_corrected_batch_size_is_right_while_the_ridge_is_not(corrected: Parts) -> None:
    assert corrected["q5", "critical"].verdict == "correct"
    assert corrected["q5", "intensity"].verdict == "incorrect"


def test_what_was_not_corrected_stays_as_it_was(first: Parts, corrected: Parts) -> None:
    for key, part in first.items():
        if key[0] in ("q1", "q2", "q3"):
            assert corrected[key].verdict == part.verdict, key

"""Thresholds: the side and the bound, derivations, unions, and what can't be decided."""

from pathlib import Path

import pytest
import yaml

from grader.answers.threshold import Threshold
from grader.checks.close import Close
from grader.checks.exact import Exact
from grader.errors import ResponseError, SpecError
from grader.maths.domain import Domain
from grader.maths.grammar import read_expression
from grader.maths.show import text
from grader.protocols import Question
from grader.results import Relation, Verdict

CASES = Path(__file__).parents[2] / "cases"
THRESHOLDS = yaml.safe_load((CASES / "reading_thresholds.yaml").read_text("utf-8"))
REFUSED = yaml.safe_load((CASES / "reading_no_threshold.yaml").read_text("utf-8"))
QUESTION = Question(symbols=("B", "D", "F"), symbol="B")
KIND = Threshold()


def decide(typed, solution, question=QUESTION, check=None):
    return KIND.compare(KIND.read(typed, question), KIND.read(solution, question), question, check or Exact())


@pytest.mark.parametrize(("typed", "solution", "verdict", "shown", "remarks"), THRESHOLDS)
def test_a_threshold_is_read_and_judged(typed, solution, verdict, shown, remarks):
    answer = KIND.read(typed, QUESTION)
    decision = decide(typed, solution)
    assert decision.verdict == verdict
    assert answer.read_as == shown
    assert "; ".join((*answer.remarks, *decision.remarks)) == remarks


@pytest.mark.parametrize(("typed", "solution"), [case[:2] for case in THRESHOLDS])
def test_the_read_back_and_the_latex_are_judged_the_same(typed, solution):
    answer = KIND.read(typed, QUESTION)
    verdict = decide(typed, solution).verdict
    assert decide(answer.read_as, solution).verdict is verdict
    assert decide(answer.latex, solution).verdict is verdict
    assert answer.mathml.count("<math ") == 1


@pytest.mark.parametrize(("typed", "code", "position"), REFUSED)
def test_what_is_no_threshold_is_refused(typed, code, position):
    with pytest.raises(ResponseError) as caught:
        KIND.read(typed, QUESTION)
    assert (caught.value.code, caught.value.position) == (code, position)
    assert caught.value.mend


@pytest.mark.parametrize(
    ("typed", "value", "relation"),
    [
        ("B > 243", "243", ">"), ("243 > B", "243", "<"), ("2B > 486", "243", ">"), ("B = 487/2", "487/2", "="),
        ("243", "243", "="), ("B D > 280", "280/D", ">"), ("(243, ∞)", "243", ">"),
    ],
)  # fmt: skip
def test_one_bound_is_the_value(typed, value, relation):
    answer = KIND.read(typed, QUESTION)
    assert text(answer.value) == value
    assert answer.relation == relation


@pytest.mark.parametrize("typed", ["1 < B < 3", "B != 3", "B < 1 or B > 2", "B > 0"])
def test_other_regions_have_no_single_value(typed):
    answer = KIND.read(typed, QUESTION)
    assert answer.value is None
    assert answer.relation == ""


def test_the_tolerance_applies_to_the_bound():
    decision = decide("2B > 3.94e14/8.21e11 = B > 240", "B > 240.24", check=Close(rel="1%"))
    assert (decision.verdict, decision.relation) == (Verdict.CORRECT, Relation.TOLERANCE)
    assert decide("B > 250", "B > 240.24", check=Close(rel="1%")).verdict is Verdict.INCORRECT


def test_strictness_counts_where_the_part_says_so():
    strict = Question(symbols=("B",), symbol="B", strict=True)
    assert decide("B >= 243", "B > 243").verdict is Verdict.CORRECT
    assert decide("B >= 243", "B > 243", strict).verdict is Verdict.INCORRECT
    assert decide("B > 243", "B > 243", strict).verdict is Verdict.CORRECT


def test_a_missing_side_costs_where_it_is_required():
    required = Question(symbols=("B",), symbol="B", side="required")
    assert decide("243", "B > 243", required).verdict is Verdict.PARTIAL
    assert decide("B = 243", "B > 243", required).verdict is Verdict.PARTIAL
    assert decide("B > 243", "B > 243", required).verdict is Verdict.CORRECT


def test_a_chain_in_the_bound_that_holds_is_graded_by_its_best_link():
    typed = "B > 3.94e14/(2*8.1e11) = 243"
    assert decide(typed, "B > 3.94e14/(2*8.1e11)").verdict is Verdict.CORRECT
    assert decide(typed, "B > 243").verdict is Verdict.CORRECT


def test_a_false_link_leaves_the_last_value():
    typed = "B > 487/2 = 243"
    assert decide(typed, "B > 243.5").verdict is Verdict.INCORRECT
    assert KIND.read(typed, QUESTION).remarks == ("the formula you typed gives 243.5, not 243",)


def test_real_names_may_be_negative():
    real = Question(symbols=("x",), domain=Domain("real"))
    assert decide("x > 2 or x < -2", "x^2 > 4", real).verdict is Verdict.CORRECT
    assert decide("x > 2", "x^2 > 4", real).verdict is Verdict.INCORRECT
    assert decide("x > 0", "x > -1", real).verdict is Verdict.INCORRECT
    assert decide("(-oo, 3) ∪ (3, oo)", "x != 3", real).verdict is Verdict.CORRECT


def test_a_factor_of_unknown_sign_is_not_divided_out():
    real = Question(symbols=("x", "y"), symbol="x", domain=Domain("real"))
    assert decide("x y > 2", "x > 2/y", real).verdict is not Verdict.CORRECT
    assert decide("x y > 2", "2 x y > 4", real).verdict is Verdict.CORRECT


def test_meanings_are_put_into_the_bound():
    meanings = {"ridge": read_expression("3.94e14/8.1e11")}
    question = Question(symbols=("B",), symbol="B", meanings=meanings)
    assert decide("B > ridge/2", "B > 3.94e14/(2*8.1e11)", question).verdict is Verdict.CORRECT
    assert KIND.read("B > ridge/2", question).read_as == "B > ridge/2"


def test_without_one_asked_name_the_solution_says_which_it_is():
    question = Question(symbols=("N", "P"))
    assert decide("N P > 280", "N > 280/P", question).verdict is Verdict.CORRECT
    assert decide("(280/P, ∞)", "N > 280/P", question).verdict is Verdict.CORRECT
    assert decide("280/P", "N > 280/P", question).verdict is Verdict.CORRECT
    assert decide("N P < 280", "N > 280/P", question).verdict is Verdict.INCORRECT


def test_an_interval_of_no_one_name_reads_back():
    question = Question(symbols=("N", "P"))
    answer = KIND.read("[280, ∞)", question)
    assert answer.read_as == "[280, ∞)"
    assert answer.latex == "[280, \\infty)"
    assert KIND.read("(-oo, oo)", question).read_as == "(-∞, ∞)"


@pytest.mark.parametrize("solution", ["B > 0", "B > B", "1 < 2"])
def test_a_solution_that_sets_no_bound_is_the_author_s_fault(solution):
    with pytest.raises(SpecError):
        decide("B > 243", solution)


def test_the_best_of_several_readings_counts_and_the_rest_is_undecided():
    assert decide("log(B) > 1", "B > 3").verdict is Verdict.UNDECIDED
    assert decide("B > max(D, F)", "B > max(F, D)").verdict is Verdict.CORRECT


@pytest.mark.parametrize(
    ("typed", "solution"), [("B > 1/2D", "B > D/2"), ("B > 3.94*10^14/8.1*10^11", "B > 3.94e14/8.1e11")]
)
def test_right_only_in_the_other_reading_of_a_slash_asks_for_brackets(typed, solution):
    decision = decide(typed, solution)
    assert decision.verdict is Verdict.INVALID
    assert "add brackets" in decision.message
    assert decide(typed, KIND.read(typed, QUESTION).read_as).verdict is Verdict.CORRECT
    assert decide(typed, "B > 7").verdict is Verdict.INCORRECT


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("> 243", "nothing stands before >: write the name in front, such as B > 243"),
        ("at least 243", "the word at can't be read: write the bound alone, such as B > 100"),
        ("2B", "this sets no bound for B: write a relation, such as B > 100"),
        ("B > 243 or", "something is missing beside or: finish it, or leave or out"),
        ("B > x", "unknown name x: the names here are B, D, F"),
    ],
)
def test_a_refusal_says_how_a_bound_is_written(typed, message):
    with pytest.raises(ResponseError) as caught:
        KIND.read(typed, QUESTION)
    assert str(caught.value) == message

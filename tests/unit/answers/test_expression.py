"""Formulas with what people write around them: labels, chains, tails, bounds, units in words."""

from pathlib import Path

import pytest
import yaml

from grader.answers.expression import Expression
from grader.checks.close import Close
from grader.checks.exact import Exact
from grader.errors import ResponseError
from grader.maths.domain import Domain
from grader.maths.equality import equal
from grader.maths.expression import Mul, Number, Symbol
from grader.maths.grammar import read_expression
from grader.maths.regime import Regime
from grader.protocols import Question
from grader.results import Relation, Verdict

CASES = Path(__file__).parents[2] / "cases"
STATEMENTS = yaml.safe_load((CASES / "reading_statements.yaml").read_text("utf-8"))
REFUSED = yaml.safe_load((CASES / "reading_no_statement.yaml").read_text("utf-8"))
NAMES = ("B", "D", "F", "T_math", "T_comms")
QUESTION = Question(symbols=NAMES)
KIND = Expression()


def decide(typed, solution, question=QUESTION, check=None):
    answer = KIND.read(typed, question)
    return KIND.compare(answer, KIND.read(solution, QUESTION), question, check or Exact())


@pytest.mark.parametrize(("typed", "solution", "verdict", "shown", "remark"), STATEMENTS)
def test_a_statement_is_read_and_judged(typed, solution, verdict, shown, remark):
    answer = KIND.read(typed, QUESTION)
    assert decide(typed, solution).verdict == verdict
    assert answer.read_as == shown
    assert remark in " ".join(answer.remarks)
    assert bool(remark) == bool(answer.remarks)


@pytest.mark.parametrize("typed", [case[0] for case in STATEMENTS])
def test_a_read_back_and_its_latex_have_the_same_value(typed):
    answer = KIND.read(typed, QUESTION)
    for shown in (answer.read_as, answer.latex):
        again = KIND.read(shown, QUESTION).candidates
        assert len(again) == len(answer.candidates)
        assert all(equal(a, b, Domain()) for a, b in zip(again, answer.candidates, strict=True))


@pytest.mark.parametrize(("typed", "code", "position"), REFUSED)
def test_what_is_no_statement_is_refused(typed, code, position):
    with pytest.raises(ResponseError) as caught:
        KIND.read(typed, QUESTION)
    assert (caught.value.code, caught.value.position) == (code, position)


def test_the_best_link_of_a_chain_that_holds_is_graded():
    question = Question(symbols=NAMES, domain=Domain(regime=Regime.read("B << D, F")))
    typed = "AI = 2BDF/(BD+DF+BF) ≈ 2B"
    assert decide(typed, "2BDF/(BD+DF+BF)", question).verdict is Verdict.CORRECT
    assert decide(typed, "2B", question).verdict is Verdict.CORRECT


def test_an_approximation_must_hold_under_the_regime():
    question = Question(symbols=NAMES, domain=Domain(regime=Regime.read("D, F >> 1")))
    answer = KIND.read("2BDF/(BD+BDF+DF) ≈ 2", question)
    assert answer.read_as == "2"
    assert "does not hold" in answer.remarks[0]


def test_a_label_that_the_rest_needs_is_a_link():
    answer = KIND.read("B = B*D/D", QUESTION)
    assert answer.read_as == "B = B*D/D"
    assert answer.remarks == ()


def test_an_undeclared_word_behind_is_preferred_to_a_declared_name_in_front():
    assert KIND.read("B = AI", QUESTION).read_as == "B"


def test_meanings_are_put_into_the_value_and_not_into_the_read_back():
    meanings = {"T_math": read_expression("2*B*D", NAMES)}
    question = Question(symbols=("B", "D"), meanings=meanings)
    answer = KIND.read("T_math/B", question)
    assert answer.read_as == "T_math/B"
    assert KIND.compare(answer, KIND.read("2*D", question), question, Exact()).verdict is Verdict.CORRECT


@pytest.mark.parametrize(
    ("typed", "bound", "shown"),
    [
        ("max(T_math, T_comms) <= T <= T_math + T_comms", "lower", "max(T_math, T_comms)"),
        ("max(T_math, T_comms) <= T <= T_math + T_comms", "upper", "T_math + T_comms"),
        ("T_math + T_comms ≥ T ≥ max(T_math, T_comms)", "lower", "max(T_math, T_comms)"),
        ("T \\geq max(T_math, T_comms)", "lower", "max(T_math, T_comms)"),
        ("max(T_math, T_comms) < T_{total}", "lower", "max(T_math, T_comms)"),
        ("T <= T_math + T_comms", "upper", "T_math + T_comms"),
        ("T_math + T_comms", "upper", "T_math + T_comms"),
        ("T >= max(T_math, T_comms) = max(T_comms, T_math)", "lower", "max(T_math, T_comms) = max(T_comms, T_math)"),
    ],
)
def test_a_bound_counts_by_its_side(typed, bound, shown):
    assert KIND.read(typed, Question(symbols=NAMES, bound=bound)).read_as == shown


def test_the_other_bound_is_asked_back():
    with pytest.raises(ResponseError) as caught:
        KIND.read("T <= T_math", Question(symbols=NAMES, bound="lower"))
    assert caught.value.code == "side"


def test_a_unit_in_words_is_checked_and_dropped():
    question = Question(symbols=NAMES, unit="FLOP")
    answer = KIND.read("2DBF FLOPs", question)
    assert answer.remarks == ()
    assert decide("2DBF FLOPs", "2BDF", question).verdict is Verdict.CORRECT


def test_a_prefix_in_the_unit_scales_the_value():
    question = Question(symbols=NAMES, unit="byte")
    answer = KIND.read("BD kB", question)
    assert answer.value == Mul((Number(1000), Mul((Symbol("B"), Symbol("D")))))
    assert answer.read_as == "1000*(B*D)"


def test_the_right_formula_with_the_wrong_unit_is_wrong_by_its_unit_only():
    question = Question(symbols=NAMES, unit="FLOP")
    decision = decide("2DBF bytes", "2BDF", question)
    assert decision.verdict is Verdict.INCORRECT
    assert decision.unit_only
    assert decision.remarks == ("the unit is FLOP, not bytes",)


def test_the_wrong_formula_with_the_wrong_unit_is_wrong_altogether():
    decision = decide("DBF bytes", "2BDF", Question(symbols=NAMES, unit="FLOP"))
    assert decision.verdict is Verdict.INCORRECT
    assert not decision.unit_only


def test_a_unit_in_quotes_is_a_unit():
    assert decide('2DBF "FLOPs"', "2BDF", Question(symbols=NAMES, unit="FLOP")).verdict is Verdict.CORRECT


def test_right_only_from_left_to_right_asks_for_brackets():
    decision = decide("1/2B", "B/2")
    assert decision.verdict is Verdict.INVALID
    assert decision.message == "this is read as 1/(2*B): add brackets if you mean another order, such as (1/2)*B"


def test_the_check_decides():
    assert decide("243", "243.21").verdict is Verdict.INCORRECT
    decision = decide("243", "243.21", check=Close(rel="1%"))
    assert (decision.verdict, decision.relation) == (Verdict.CORRECT, Relation.TOLERANCE)


def test_an_answer_that_is_undefined_where_the_solution_is_not_is_wrong_but_readable():
    assert decide("1/(D-4096)", "2B").verdict is Verdict.INCORRECT


def test_mathml_holds_the_whole_chain():
    assert KIND.read("2B = B + B", QUESTION).mathml.count("<math ") == 1

"""Whole answers through `compare`: every case of tests/cases/engine_*.yaml, regimes, bounds, and where bounds hold."""

import re
from fractions import Fraction

import engine_cases
import pytest

import grader
from grader.comparison import FAULT, compare
from grader.maths.domain import Domain
from grader.maths.grammar import read_expression
from grader.maths.leading import validity
from grader.maths.regime import Regime
from grader.maths.sample import exact
from grader.results import Relation, Verdict

PYTHON = re.compile(r"[A-Za-z]*(Error|Exception|Interrupt)\b|Traceback|\.py\b|(^|\s)/[a-z]+/|<class|object at 0x")
REFUSED = [case for case in engine_cases.ALL if case.verdicts == ("invalid",)]


@pytest.mark.parametrize("case", engine_cases.ALL, ids=str)
def test_each_case_gets_its_verdict(case):
    found = case.comparison()
    assert found.verdict in case.verdicts, f"{case.rule}: {found.verdict}, {found.message}"
    assert found.message != FAULT


@pytest.mark.parametrize("case", REFUSED, ids=str)
def test_what_is_invalid_says_why_and_where_in_words(case):
    found = case.comparison()
    assert found.message.isprintable()
    assert case.named in found.message
    assert not PYTHON.search(found.message), found.message
    if found.answer is None:  # not even read: there is a place where reading stopped
        assert found.position is not None
        assert 0 <= found.position <= len(case.response)


@pytest.mark.parametrize("case", engine_cases.ALL, ids=str)
def test_what_was_read_reads_back_to_the_same_verdict(case):
    found = case.comparison()
    if found.answer is None or found.verdict is Verdict.INVALID:
        return
    again = compare(found.read_as, case.solution, type=case.type, symbols=case.symbols, **case.options)
    assert again.verdict is found.verdict, found.read_as
    assert again.relation is found.relation


@pytest.mark.parametrize("type", engine_cases.SOLUTIONS)
def test_no_response_makes_any_type_of_answer_fail(type):
    for response in dict.fromkeys(case.response for case in engine_cases.ALL):
        found = compare(response, engine_cases.SOLUTIONS[type], type=type, symbols="B D F")
        assert found.verdict in set(Verdict) - {Verdict.MISSING, Verdict.PARTIAL}, response
        for text in (found.message, found.read_as, found.latex, found.ratio, *found.remarks):
            assert text is None or text.isprintable(), response
        if found.verdict is Verdict.INVALID:
            assert found.message, response
            assert not PYTHON.search(found.message), (response, found.message)


def test_the_package_offers_the_same_function():
    assert grader.compare is compare


@pytest.mark.parametrize("case", engine_cases.REGIMES, ids=str)
def test_a_right_leading_term_says_in_which_sense_it_is_right(case):
    found = case.comparison()
    if found.verdict is Verdict.CORRECT:
        plain = compare(case.response, case.solution, symbols=case.symbols)
        exact_too = plain.verdict is Verdict.CORRECT
        assert found.relation is (Relation.EXACT if exact_too else Relation.LEADING_ORDER)
    else:
        assert found.relation is None


SCALES = [f"1e{power}" for power in (-30, -12, -3, 0, 3, 12, 30)]


@pytest.mark.parametrize("first", SCALES)
@pytest.mark.parametrize("second", SCALES)
def test_a_bound_is_told_from_its_branches_their_sum_and_the_minimum_at_any_scale(first, second):
    a, b = f"{first}*T_math", f"{second}*T_comms"
    names = "T_math, T_comms"
    for bound, other in (("max", "min"), ("min", "max")):
        solution = f"{bound}({a}, {b})"
        for wrong in (a, b, f"{a} + {b}", f"{other}({a}, {b})", f"{bound}({a}, 2*{b})", f"({a} + {b})/2"):
            assert compare(wrong, solution, symbols=names).verdict is Verdict.INCORRECT, wrong
        for right in (f"{bound}({b}, {a})", f"{a} + {b} - {other}({a}, {b})", f"1/{other}(1/({a}), 1/({b}))"):
            assert compare(right, solution, symbols=names).verdict is Verdict.CORRECT, right


@pytest.mark.parametrize("scale", SCALES)
def test_a_bound_on_times_is_told_from_either_time(scale):
    math, comms = f"{scale}*2*B*D*F/3.94e14", f"{scale}*(B*D + D*F + B*F)/8.1e11"
    for wrong in (math, comms, f"{math} + {comms}", f"min({math}, {comms})"):
        assert compare(wrong, f"max({math}, {comms})", symbols="B D F").verdict is Verdict.INCORRECT
    assert compare(f"max({comms}, {math})", f"max({math}, {comms})", symbols="B D F").verdict is Verdict.CORRECT


@pytest.mark.parametrize(
    ("answer", "solution", "regime", "said"),
    [
        ("2B", "2BDF/(BD+DF+BF)", "B << D, F", "within 1% when D, F >= 200 B"),
        ("2BDF/(BD+DF+BF)", "2B", "B << D, F", "within 1% when D, F >= 200 B"),
        ("2B", "2BD/(B+D)", "B << D, F", "within 1% when D, F >= 100 B"),
        ("2", "2DF/(D+DF+F)", "D, F >> 1", "within 1% when D, F >= 200"),
        ("2B", "2B", "B << D, F", None),
    ],
)
def test_an_approximation_says_where_it_holds(answer, solution, regime, said):
    a, b = (read_expression(text, ("B", "D", "F")) for text in (answer, solution))
    assert validity(a, b, Domain(regime=Regime.read(regime))) == said
    if said is None:
        return
    factor = int(re.search(r">= (\d+)", said)[1])

    def off(times):
        base = 1 if "B" not in said else 7
        return max(
            abs(Fraction(exact(a, point)) / Fraction(exact(b, point)) - 1)
            for far in (1, 1000)
            for point in ({"B": base, "D": base * times * far, "F": base * times},)
        )

    assert off(factor) <= Fraction(1, 100) < off(factor // 2 - 1)

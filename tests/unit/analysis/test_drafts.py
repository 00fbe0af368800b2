"""Drafts of mistakes can be pasted: a course takes them, and names the answer by them then."""

from pathlib import Path

import pytest

from grader.analysis.drafts import TITLE, draft_of_change, draft_of_value
from grader.grading import Grader
from tests import tiny


@pytest.fixture(autouse=True)
def _secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TINY_SECRET", "s")


def test_a_course_with_drafts_in_it_names_the_answers(tmp_path: Path) -> None:
    drafts = [
        draft_of_value("ops", "5*B*D + F", "aa0001"),
        draft_of_value("critical", "B > 777", "aa0002"),
        draft_of_change("intensity", "B/2", "intensity", "aa0003"),
        draft_of_change("lower", "1/16", "t_lower", "aa0004"),
    ]
    before = "  - {id: guess,"
    loaded = tiny.load(tmp_path, fixed=(before, "\n".join([*drafts, before])))
    grader = Grader(loaded.keyring)
    for place, response, mark in (
        ("fixed.ops", "F + 5BD", "ops-aa0001"),
        ("fixed.critical", "B > 777", "critical-aa0002"),
        ("fixed.intensity", "B^2*D*F/(BD + DF + BF)", "intensity-aa0003"),
    ):
        found = tiny.mark(grader, place, response)
        assert found.mistakes == (mark,), place
        assert found.explanations[0].title == TITLE
    assert {"intensity-aa0003", "lower-aa0004"} <= {mistake.id for mistake in loaded.course.exercises[0].mistakes}


def test_a_value_is_in_base_units_and_one_that_is_no_single_value_has_no_draft() -> None:
    assert "['3.35e+12']" in draft_of_value("peak", "3.35 TB/s", "x")
    assert "['591']" in draft_of_value("peak", "591 FLOP/byte", "x")
    for text in ("never", "1, 2", "2*B = 3", "'}", "x\n- y", "{a: b}", "", "B +", "a" * 300):
        assert "\n- y" not in draft_of_value("ops", text, "x")
    for text in ("1, 2", "2*B = 3*B", "'}", "x\n- y", "{a: b}", "", "B +", "a" * 300):
        assert draft_of_value("ops", text, "x") == ""


def test_a_factor_that_is_no_simple_one_has_no_draft() -> None:
    assert draft_of_change("ops", "2", "", "x") == draft_of_change("ops", "0.9976", "flops", "x") == ""
    assert draft_of_change("ops", "2*(B + 1)", "flops", "x") == draft_of_change("ops", "", "flops", "x") == ""
    assert "flops / 2'" in draft_of_change("ops", "1/2", "flops", "x")
    assert "'(-1) * flops'" in draft_of_change("ops", "-1", "flops", "x")

"""Choices."""

import pytest

from grader.answers.choice import Choice
from grader.errors import ResponseError
from grader.protocols import Match, Question
from grader.results import Verdict

OPTIONS = {"always": "for every B", "never": "for no B", "above": "above some B", "not_sure": "not-sure"}
QUESTION = Question(options=OPTIONS)


class Never:
    def match(self, answer, solution, domain):
        return Match()


@pytest.mark.parametrize(
    "typed", ["above", "Above", " ABOVE ", "above some B", "Above some b", '"above"', "above: above some B"]
)
def test_an_option_is_found_by_id_or_text_whatever_the_case(typed):
    assert Choice().read(typed, QUESTION).id == "above"


@pytest.mark.parametrize("typed", ["not_sure", "not sure", "not-sure"])
def test_blanks_dashes_and_underscores_count_alike(typed):
    assert Choice().read(typed, QUESTION).id == "not_sure"


def test_the_read_back_shows_id_and_text_and_reads_back():
    answer = Choice().read("never", QUESTION)
    assert answer.read_as == "never: for no B"
    assert Choice().read(answer.read_as, QUESTION) == answer
    assert answer.value is None


def test_a_near_miss_is_answered_with_did_you_mean():
    with pytest.raises(ResponseError) as caught:
        Choice().read("  alway", QUESTION)
    assert caught.value.mend == "did you mean always?"
    assert caught.value.position == 2


def test_anything_else_lists_the_options():
    with pytest.raises(ResponseError, match="choose one of always, never, above"):
        Choice().read("243", QUESTION)


def test_blank_is_invalid():
    with pytest.raises(ResponseError) as caught:
        Choice().read(" ", QUESTION)
    assert caught.value.code == "empty"


def test_the_same_option_is_right_and_another_wrong():
    kind = Choice()
    right, wrong = kind.read("above", QUESTION), kind.read("never", QUESTION)
    assert kind.compare(right, right, QUESTION, Never()).verdict is Verdict.CORRECT
    assert kind.compare(wrong, right, QUESTION, Never()).verdict is Verdict.INCORRECT


def test_texts_are_escaped_in_mathml_and_latex():
    answer = Choice().read("a", Question(options={"a": "<b>50% of {B}_1</b>"}))
    assert "&lt;b&gt;50% of {B}_1" in answer.mathml
    assert answer.latex == r"\text{a: <b>50\% of \{B\}\_1</b>}"

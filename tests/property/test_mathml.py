"""The formula that a page shows is what was read: what is seen in its MathML, read again, has the same value."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given

from grader.checks.exact import Exact
from grader.comparison import _question
from grader.errors import ResponseError, SpecError
from grader.grading import Grader
from grader.maths.equality import equal
from grader.maths.expression import Expr
from grader.maths.show import mathml
from grader.plugins import member
from grader.protocols import Question
from grader.results import Verdict
from tests import engine_cases
from tests.mathml import seen
from tests.property.test_reading import readable, same_value, trees

CASES = Path(__file__).parents[1] / "cases"
Read = tuple[Any, Question, str]


def engine() -> Iterator[Read]:
    """The cases of the engine."""
    for case in engine_cases.ALL:
        options = {name: case.options.get(name) for name in ("regime", "unit")}
        assume = case.options.get("assume", "positive")
        yield (
            member("answers", case.type)(),
            _question(case.symbols, assume, *options.values(), case.type),
            case.response,
        )


def course(grader: Grader) -> Iterator[Read]:
    """The examples of the course, and the answers of the cases."""
    files = {name: yaml.safe_load((CASES / f"answers_{name}.yaml").read_text("utf-8")) for name in ("right", "wrong")}
    real = yaml.safe_load((CASES / "answers_real.yaml").read_text("utf-8"))
    for exercise in grader.course.exercises:
        for marker in grader.markers(exercise, "s1"):
            texts = [example.response for example in marker.part.examples]
            for answers in files.values():
                given = answers.get(exercise.id[:2], {}).get(marker.part.id, [])
                texts += [str(one[0] if isinstance(one, list) else one) for one in given]
            texts += [r["response"] for r in real if (r["exercise"], r["part"]) == (exercise.id[:2], marker.part.id)]
            yield from ((marker.kind, marker.question, text) for text in texts)


def differs(kind: Any, question: Question, response: str) -> str | None:
    """What is seen in the MathML of a response, where that isn't what was read; None too if it can't be read."""
    try:
        answer = kind.read(response, question)
    except (ResponseError, RecursionError):
        return None
    shown = seen(answer.mathml)
    if shown == answer.read_as:
        return None
    try:
        again = kind.read(shown, question)
    except ResponseError as error:
        return f"{shown}: {error}"
    first, second = getattr(answer, "value", None), getattr(again, "value", None)
    if first is not None and second is not None and not isinstance(first, str):
        return None if equal(first, second, question.domain) is True else shown
    try:
        same = kind.compare(again, answer, question, Exact()).verdict == Verdict.CORRECT
    except SpecError:  # what holds always or never can't be compared
        same = False
    return None if same or plain(again.read_as) == plain(answer.read_as) else shown


def plain(text: str) -> str:
    """A text without the brackets that may stand or not."""
    return re.sub(r"[()\s]", "", text)


def test_what_is_seen_of_every_answer_of_the_corpus_is_what_was_read(packaged_grader: Grader) -> None:
    tried = [*course(packaged_grader), *engine()]
    found = [
        (kind, response, told) for kind, question, response in tried if (told := differs(kind, question, response))
    ]
    assert found == []
    assert len(tried) > 1200


@pytest.mark.parametrize("typed", ["3350 GB*s^-1", "5 m^2", "3 J/(kg*s)", "(2 + 1) TB/s", "2 GiB", "-1/3 s", "1e-9 s"])
def test_what_is_seen_of_a_quantity_is_what_was_read(typed: str) -> None:
    assert differs(member("answers", "quantity")(), Question(), typed) is None


@given(trees)
def test_what_is_seen_of_any_formula_has_its_value(tree: Expr) -> None:
    assert same_value(readable(seen(mathml(tree))), tree)

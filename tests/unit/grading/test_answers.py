"""Answers to the packaged exercises, real ones and our own, with the verdicts that they must earn."""

from collections.abc import Iterator
from itertools import chain
from typing import Any

import pytest
import yaml

from grader.explaining import mark as mark_one
from grader.grading import Grader, find_exercise
from grader.results import PartResult, Verdict
from grader.submission import Response
from tests.conftest import ROOT


def cases(name: str) -> Any:
    return yaml.safe_load((ROOT / f"tests/cases/answers_{name}.yaml").read_text(encoding="utf-8"))


def by_part(name: str) -> Iterator[tuple[str, str, Any]]:
    for exercise, parts in cases(name).items():
        for part, responses in parts.items():
            yield from ((exercise, part, response) for response in responses)


def marked(grader: Grader, exercise: str, part: str, response: str) -> PartResult:
    found = find_exercise(grader.course, exercise)
    assert found
    (marker,) = (marker for marker in grader.markers(found, "s1") if marker.part.id == part)
    return mark_one(marker, Response(exercise=exercise, part=part, text=response))


def named(part: PartResult) -> set[str]:
    return {*part.mistakes, *chain.from_iterable(part.alternatives)}


def told(part: PartResult) -> str:
    return f"{part.verdict}: read as {part.read_as}; {part.message}; {part.remarks}; {sorted(named(part))}"


@pytest.mark.parametrize(
    "case", cases("real"), ids=lambda case: f"{case['exercise']}.{case['part']} {case['response']}"
)
def test_what_people_typed_earns_what_it_should(packaged_grader: Grader, case: dict[str, Any]) -> None:
    found = marked(packaged_grader, case["exercise"], case["part"], case["response"])
    allowed = case["verdict"] if isinstance(case["verdict"], list) else [case["verdict"]]
    assert found.verdict in allowed, told(found)
    assert named(found) >= set(case.get("mistakes", ())), told(found)


@pytest.mark.parametrize(("exercise", "part", "response"), [*by_part("right")])
def test_a_right_spelling_is_right_and_names_no_mistake(
    packaged_grader: Grader, exercise: str, part: str, response: str
) -> None:
    found = marked(packaged_grader, exercise, part, response)
    assert found.verdict == "correct", told(found)
    assert found.points == found.max_points
    assert named(found) == set()
    assert not found.explanations


@pytest.mark.parametrize(("exercise", "part", "case"), [*by_part("wrong")])
def test_a_wrong_answer_is_wrong_and_its_mistake_is_named(
    packaged_grader: Grader, exercise: str, part: str, case: list[str]
) -> None:
    found = marked(packaged_grader, exercise, part, case[0])
    assert found.verdict == "incorrect", told(found)
    assert named(found) >= set(case[1:]), told(found)
    assert found.points < found.max_points


@pytest.mark.parametrize("name", ["real", "right", "wrong"])
def test_every_exercise_has_cases(packaged_grader: Grader, name: str) -> None:
    found = {case["exercise"] for case in cases("real")} if name == "real" else set(cases(name))
    assert found == {exercise.id[:2] for exercise in packaged_grader.course.exercises}


@pytest.mark.parametrize("name", ["right", "wrong"])
def test_every_part_has_cases(packaged_grader: Grader, name: str) -> None:
    parts = {(exercise.id[:2], part.id) for exercise in packaged_grader.course.exercises for part in exercise.parts}
    assert {(exercise, part) for exercise, part, _ in by_part(name)} == parts


@pytest.mark.parametrize(
    ("response", "remark"),
    [
        ("T_math*T_comms", "comes out as s^2"),
        ("T_math/T_comms", "comes out as a plain number"),
        ("1/T_math", "comes out as 1/s"),
        ("max(T_math, 5)", "do not go together"),
        ("T_math + T_comms^2", "do not go together"),
        ("min(T_math, T_comms)", ""),
        ("2*T_math", ""),
        ("(T_math + T_comms)/3", ""),
        ("max(2BDF/1.97e14, 1)", ""),
        ("17", ""),
    ],
)
def test_the_units_of_named_quantities_are_checked(packaged_grader: Grader, response: str, remark: str) -> None:
    exercise = packaged_grader.course.exercises[0]
    marker = next(m for m in packaged_grader.variant_markers(exercise, {}) if m.part.id == "lower")
    result = mark_one(marker, Response(exercise=exercise.id, part="lower", text=response))
    units = [text for text in result.remarks if "unit" in text]
    assert result.verdict == Verdict.INCORRECT
    assert [remark in text for text in units] == ([True] if remark else [])

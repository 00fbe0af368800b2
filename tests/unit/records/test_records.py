"""The results of parts as texts: whatever they say comes back, and equal ones are one record."""

import json
from dataclasses import fields, replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.grading import Grader
from grader.records import part_result, record
from grader.results import Explanation, NumberLine, Override, PartResult, Plot, Relation, Series, Verdict
from tests.tiny import submission

TEXTS = st.text(st.characters(exclude_categories=()), max_size=12)  # halves of surrogate pairs too
NAMES = st.lists(st.text("abc-", max_size=5), max_size=3).map(tuple)
EXPLANATIONS = st.builds(Explanation, mistakes=NAMES, title=TEXTS, feedback=TEXTS, hint=TEXTS)
NUMBERS = st.floats(allow_nan=False, allow_infinity=False)
SERIES = st.builds(
    Series,
    label=TEXTS,
    kind=st.sampled_from(["student", "reference"]),
    points=st.lists(st.tuples(NUMBERS, NUMBERS), max_size=3).map(tuple),
)
PLOTS = st.builds(Plot, x_label=TEXTS, y_label=TEXTS, series=st.lists(SERIES, max_size=2).map(tuple))
ENDS = st.tuples(st.none() | NUMBERS, st.none() | NUMBERS)
LINES = st.builds(
    NumberLine,
    symbol=TEXTS,
    said=st.lists(ENDS, max_size=2).map(tuple),
    accepted=st.lists(st.tuples(NUMBERS, NUMBERS), max_size=2).map(tuple),
)
OF: dict[str, st.SearchStrategy[Any]] = {
    "verdict": st.sampled_from(Verdict),
    "points": st.integers(0, 9),
    "max_points": st.integers(0, 9),
    "relation": st.none() | st.sampled_from(Relation),
    "alternatives": st.lists(NAMES, max_size=2).map(tuple),
    "follow_through": st.none() | NAMES,
    "explanations": st.lists(EXPLANATIONS, max_size=2).map(tuple),
    "plot": st.none() | PLOTS,
    "number_line": st.none() | LINES,
    "position": st.none() | st.integers(0, 99),
    "mistakes": NAMES,
    "remarks": st.lists(TEXTS, max_size=2).map(tuple),
    "slips": st.lists(TEXTS, max_size=2).map(tuple),
    **dict.fromkeys(("read_as", "mathml", "ratio", "cluster", "ratio_cluster", "solution", "solution_mathml"),
                    st.none() | TEXTS),
}  # fmt: skip
KEPT = [field.name for field in fields(PartResult) if field.name not in ("line", "override")]
PARTS = st.builds(PartResult, **{name: OF.get(name, TEXTS) for name in KEPT})


@given(part=PARTS)
def test_whatever_a_result_says_comes_back(part: PartResult) -> None:
    made = record("q1", part)
    assert part_result(made.data) == part
    assert made.data.isascii()
    assert made.data == record("q1", part_result(made.data)).data


@given(part=PARTS, other=PARTS)
def test_different_results_are_different_records(part: PartResult, other: PartResult) -> None:
    assert (record("q1", part).digest == record("q1", other).digest) == (part == other)
    assert record("q1", part).digest != record("q2", part).digest


def test_the_line_and_what_a_person_gave_are_not_of_the_answer() -> None:
    part = PartResult(id="flops", verdict=Verdict.CORRECT, points=3, max_points=3, response="2BDF")
    given_ = replace(part, line=7, override=Override(points=1, before=3, why="x"))
    assert record("q1", given_).digest == record("q1", part).digest
    assert part_result(record("q1", given_).data) == part


def test_what_is_as_usual_takes_no_room() -> None:
    part = PartResult(id="flops", verdict=Verdict.MISSING, points=0, max_points=3)
    assert json.loads(record("q1", part).data) == {"id": "flops", "verdict": "missing", "points": 0, "max_points": 3}


def test_what_a_table_shows_is_what_the_result_says() -> None:
    part = PartResult(id="a", verdict=Verdict.INCORRECT, points=1, max_points=3, response="BDF", read_as="B*D*F",
                      ratio="1/2", cluster="c", mistakes=("half",))  # fmt: skip
    made = record("q1", part)
    for name in ("verdict", "points", "max_points", "response", "read_as", "ratio", "cluster", "mistakes"):
        assert getattr(made, name) == getattr(part, name)
    assert (made.exercise, made.part) == ("q1", "a")


@pytest.mark.parametrize(
    "answers",
    [
        {
            "fixed.ops": "BDF",
            "fixed.intensity": "BDF/(BD + DF + BF)",
            "fixed.critical": "B < 243",
            "fixed.lower": "1/0",
        },
        {"fixed.ops": "2BDF OP", "fixed.intensity": "2B", "drawn.ridge": "123 FLOP/byte"},
        {"fixed.ops": "\ud800", "fixed.intensity": "2BDF +"},
    ],
)
def test_what_the_grader_says_comes_back(tiny_grader: Grader, answers: dict[str, str]) -> None:
    for exercise in tiny_grader.grade(submission(answers)).exercises:
        for part in exercise.parts:
            assert part_result(record(exercise.id, part).data) == replace(part, line=None)

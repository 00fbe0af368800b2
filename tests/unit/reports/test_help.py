"""What a page says of points, and how it offers help: the least first, and each step when asked for."""

import re
from dataclasses import replace

import pytest

from grader.reports.render import render
from grader.reports.view import listed, rows
from grader.results import ExerciseResult, Explanation, PartResult, Result, Reveal, Status, Verdict
from grader.reveal import student_view

WRONG = PartResult(
    id="b", verdict=Verdict.INCORRECT, points=1, max_points=2, response="B^2", read_as="B^2", ratio="1/2", off_by="0.5",
    counterexample="for B = 2 it fails", slips=("a factor",), credit="mistake", title="Two", mistakes=("m",),
    explanations=(Explanation(mistakes=("m",), title="It was squared", feedback="Once.", hint="How often?"),),
)  # fmt: skip


def result(*parts: PartResult) -> Result:
    exercise = ExerciseResult(id="q2", title="Second", points=1, max_points=2, parts=parts)
    first = replace(exercise, id="q1", title="First", parts=(replace(WRONG, id="a", title="One"),))
    return Result(student="s", source="a", status=Status.GRADED, exercises=(first, exercise))


def titles(part: PartResult) -> list[str]:
    return [step.title for _, _, steps in listed(rows(part)) for step in steps]


def test_help_is_offered_step_by_step_and_what_went_wrong_is_the_last() -> None:
    assert titles(WRONG) == ["A hint", "A second hint", "What went wrong"]
    html = render(result(WRONG), "html")
    assert html.index("How often?") < html.index("Off by a factor") < html.index("It was squared")
    assert html.count('<details class="after">') == 2  # the second hint, in both parts
    assert "<details open" not in html


@pytest.mark.parametrize(
    ("level", "found"),
    [("verdict", []), ("hint-1", ["A hint"]), ("hint-2", ["A hint", "A second hint"]), ("mistake", 3), ("full", 3)],
)
def test_each_level_offers_what_it_shows(level: str, found: list[str] | int) -> None:
    shown = student_view(result(WRONG), Reveal(level)).exercises[1].parts[0]
    offered = titles(shown)
    assert len(offered) == found if isinstance(found, int) else offered == found


def test_without_a_hint_what_went_wrong_is_told_at_once() -> None:
    bare = replace(WRONG, explanations=(replace(WRONG.explanations[0], hint=""),), ratio=None, off_by="", slips=())
    assert titles(bare) == []
    assert "It was squared" in render(result(bare), "html")


def test_the_factor_at_one_place_is_told_only_where_it_is_not_the_factor_everywhere() -> None:
    labels = [row.label for row in rows(WRONG)]
    assert "Off by" in labels
    assert "Off there by" not in labels
    assert "Off there by" in [row.label for row in rows(replace(WRONG, ratio="B", off_by="2"))]


@pytest.mark.parametrize("form", ["txt", "md", "html"])
@pytest.mark.parametrize(
    ("credit", "points", "said"),
    [
        ("leading", 1, "1 of 2, for the leading form"),
        ("leading", 0, "none: this is the leading form"),
        ("unit", 1, "1 of 2, for the right value"),
        ("side", 0, "none: the side of the bound"),
        ("follow_through", 2, "2 of 2, since it follows"),
        ("mistake", 1, "1 of 2, which the course gives"),
        ("", 0, ""),
    ],
)
def test_it_is_said_for_what_points_are(form: str, credit: str, points: int, said: str) -> None:
    report = render(result(replace(WRONG, credit=credit, points=points)), form)
    assert said in " ".join(re.sub(r"<[^>]*>", " ", report).split())
    assert report.count("which the course gives") == 1 + (credit == "mistake")


def test_points_that_are_hidden_are_not_explained() -> None:
    assert "course gives" not in render(student_view(result(WRONG), Reveal.NONE), "txt")


def test_an_answer_links_to_the_part_it_follows_from_also_in_another_exercise() -> None:
    follows = replace(WRONG, id="c", follow_through=("b", "q1.a", "q9.z"))
    html = render(result(WRONG, follows), "html")
    assert '“<a href="#part-2-1">Two</a>”, “<a href="#part-1-1">One, First</a>” and “q9.z”' in html
    assert 'id="part-1-1"' in html
    assert "your answer to “Two”, “One, First” and “q9.z”" in " ".join(render(result(WRONG, follows), "txt").split())

"""Bounds on a number line: what is drawn, what is said of it, and that nothing tells the range that is withheld."""

import re
import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from grader.explaining import mark
from grader.grading import Grader
from grader.marking import Marker
from grader.reports.number_line import describe_line, line_svg
from grader.reports.render import render
from grader.results import ExerciseResult, NumberLine, PartResult, Result, Reveal, Status, Verdict
from grader.reveal import student_view
from grader.submission import Response
from tests import tiny

_NAMESPACE = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def critical(tiny_grader: Grader) -> Marker:
    return tiny.marker(tiny_grader, "fixed", "critical")


def line(critical: Marker, text: str, full: bool = False) -> NumberLine | None:
    result = mark(critical, Response(exercise="fixed", part="critical", text=text))
    return (critical.solved(result) if full else result).number_line


def drawing(shown: NumberLine) -> ET.Element:
    return ET.fromstring(str(line_svg(shown, "n")).replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1))


def texts(shown: NumberLine) -> list[str]:
    return [element.text or "" for element in drawing(shown).iter(f"{_NAMESPACE}text")]


@pytest.mark.parametrize(
    ("typed", "said", "words"),
    [
        ("B > 250", ((250.0, None),), "B from 250 on"),
        ("B < 122.5", ((None, 122.5),), "B up to 122.5"),
        ("B = 243", ((243.0, 243.0),), "B at 243"),
        ("10 < B < 250", ((10.0, 250.0),), "B from 10 to 250"),
        ("2B >= 486", ((243.0, None),), "B from 243 on"),
    ],
)
def test_a_bound_is_where_the_answer_holds(critical: Marker, typed: str, said: object, words: str) -> None:
    found = line(critical, typed)
    assert found is not None
    assert (found.symbol, found.said, found.accepted) == ("B", said, ())
    assert describe_line(found) == words


@pytest.mark.parametrize("typed", ["B > D", "B >> 243", "B > 10^300 * 10^300", "what?", ""])
def test_what_is_no_number_is_not_drawn(critical: Marker, typed: str) -> None:
    assert line(critical, typed) is None


def test_the_range_is_there_at_full_alone_also_of_what_could_not_be_read(critical: Marker) -> None:
    for typed in ("B > 250", "what?"):
        full = line(critical, typed, full=True)
        assert full is not None
        assert full.accepted
        assert "are accepted" in describe_line(full)
        assert any(text.startswith("accepted: ") for text in texts(full))
        for low, high in full.accepted:
            assert low < high < 2 * low


@pytest.mark.parametrize("level", [level for level in Reveal if level != Reveal.FULL])
@pytest.mark.parametrize("form", ["txt", "md", "html"])
def test_nothing_tells_a_range_that_is_withheld(level: Reveal, form: str) -> None:
    def report(accepted: tuple[tuple[float, float], ...]) -> str:
        shown = NumberLine(symbol="B", said=((250.0, None),), accepted=accepted)
        part = PartResult(id="a", verdict=Verdict.INCORRECT, points=0, max_points=1, response="B", number_line=shown)
        other = replace(part, number_line=replace(shown, said=()))
        exercise = ExerciseResult(id="e", title="E", points=0, max_points=2, parts=(part, other))
        result = Result(student="s", source="a", status=Status.GRADED, exercises=(exercise,), max_points=2)
        return render(student_view(result, level), form)

    assert report(((238.0, 248.0),)) == report(((1.0, 2.0), (5e6, 6e6))) == report(())


def test_the_students_value_is_named_and_lies_within_a_range_that_shows_both() -> None:
    found = texts(NumberLine(symbol="B", said=((250.0, None),), accepted=((235.4, 248.1),)))
    assert "yours: 250" in found
    assert "accepted: 235.4 to 248.1" in found
    marks = [float(text) for text in found if re.fullmatch(r"[\d.]+", text)]
    assert marks[0] < 235.4
    assert marks[-1] > 250
    assert len(set(marks)) == len(marks) >= 4


numbers = st.floats(allow_nan=False, allow_infinity=False)
ranges = st.tuples(numbers, numbers).map(lambda ends: (min(ends), max(ends)))


@settings(max_examples=50)
@example(said=((None, 21.0),), accepted=((-1e300, 1.0),), symbol="")
@given(
    st.lists(st.tuples(st.none() | numbers, st.none() | numbers), max_size=3).map(tuple),
    st.lists(ranges, max_size=2).map(tuple),
    st.text(max_size=20),
)
def test_any_numbers_give_a_well_formed_drawing(
    said: tuple[tuple[float | None, float | None], ...], accepted: tuple[tuple[float, float], ...], symbol: str
) -> None:
    shown = drawing(NumberLine(symbol=symbol, said=said, accepted=accepted))
    assert {e.tag.removeprefix(_NAMESPACE) for e in shown.iter()} <= {"svg", "title", "desc", "path", "text", "circle"}
    assert all(0 <= float(e.get("x") or e.get("cx") or 0) <= 520 for e in shown.iter())

"""Nothing that a student may see gives the solution away, short of the level that reveals it."""

import html
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal

import pytest

from grader.batch import grade
from grader.compiled import Key
from grader.course import LoadedCourse
from grader.explaining import mark as mark_one
from grader.grading import Grader
from grader.marking import Marker
from grader.reports.render import render
from grader.results import ExerciseResult, PartResult, Result, Reveal, Status, Verdict
from grader.reveal import student_view
from grader.submission import Response
from tests.conftest import ROOT

LEVELS = [level for level in Reveal if level != Reveal.FULL]
FORMS = ("txt", "md", "html")
PARTS = 25  # of the packaged course
SHORTEST = 2  # a lone digit or letter occurs everywhere and says nothing


def markers(grader: Grader) -> list[Marker]:
    return [marker for exercise in grader.course.exercises for marker in grader.markers(exercise, "s1")]


def named(marker: Marker) -> str:
    return f"{marker.exercise.id[:2]}.{marker.part.id}"


def spellings(marker: Marker, key: Key) -> Iterator[str]:
    """How the value may be written in a report."""
    answer = marker.kind.read(marker.key_text(key), marker.question)
    for form in (key.value, marker.key_text(key), answer.read_as, answer.latex, plain(answer.mathml)):
        yield form
        yield form.replace("*", "")
    number = key.number
    if number is not None:
        decimal = Decimal(number.numerator) / Decimal(number.denominator)
        for digits in (3, 4, 5, 6):
            yield f"{decimal:.{digits}g}"
            yield f"{decimal:.{digits - 1}e}"


def pattern(form: str) -> re.Pattern[str]:
    """The text, with any blanks between its signs, and nothing beside it that would make it another value."""
    inside = r"\s*".join(re.escape(sign) for sign in form if not sign.isspace())
    return re.compile(rf"(?<![\w.^*/]){inside}(?!\w|\.\d|\s*[*/^])")


def forms(marker: Marker) -> list[re.Pattern[str]]:
    shown = marker.solved(mark_one(marker, None))
    texts = {str(shown.solution), plain(str(shown.solution_mathml))}
    texts |= {form for key in marker.keys.right for form in spellings(marker, key)}
    return [pattern(form) for form in sorted(texts) if len(re.sub(r"\s", "", form)) >= SHORTEST]


def plain(report: str) -> str:
    """A report without what its form adds to the text."""
    report = re.sub(r"<(script|style)\b.*?</\1>", " ", report, flags=re.DOTALL)
    report = html.unescape(re.sub(r"</?(?!annotation)\w[^<>]*>", "", report)).replace("\u2062", "")
    return re.sub(r"\\(?=[^\w\s])", "", report)


def alone(part: PartResult) -> Result:
    """A result with this part alone, without the question and without what the student typed."""
    bare = replace(part, prompt="", response="", read_as=None, mathml=None)
    exercise = ExerciseResult(id="q", title="Q", points=0, max_points=part.max_points, parts=(bare,))
    return Result(student="s1", source="s1", status=Status.GRADED, max_points=part.max_points, exercises=(exercise,))


def marked(marker: Marker, response: str) -> PartResult:
    return mark_one(marker, Response(exercise=marker.exercise.id, part=marker.part.id, text=response))


def own(part: PartResult) -> str:
    """What the student said, bounds as a number line has them, too, and what was asked."""
    stretches = part.number_line.said if part.number_line else ()
    ends = [f"{end:.5g}" for stretch in stretches for end in stretch if end is not None]
    return " ".join(filter(None, (part.response, part.read_as, part.prompt, *ends)))


def leaks(part: PartResult, found: Sequence[re.Pattern[str]], level: Reveal, form: str) -> Iterator[str]:
    text = plain(render(student_view(alone(part), level), form))
    known = own(part)
    for shape in found:
        match = shape.search(text)
        if match and not shape.search(known):
            around = text[max(match.start() - 60, 0) : match.end() + 30]
            yield f"{part.id} at {level}, {form}: {match[0]!r} in {' '.join(around.split())!r} for {part.response!r}"


@pytest.fixture(scope="module")
def shapes(packaged_grader: Grader) -> Mapping[str, Sequence[re.Pattern[str]]]:
    """The spellings of each part's right values."""
    return {named(marker): forms(marker) for marker in markers(packaged_grader)}


def test_the_search_finds_the_solution_where_it_is_shown(
    packaged_grader: Grader, shapes: Mapping[str, Sequence[re.Pattern[str]]]
) -> None:
    for marker in markers(packaged_grader):
        parts = [marker.solved(marked(marker, marker.key_text(key))) for key in marker.keys.wrong[:4]]
        for form in FORMS:
            shown = [leak for part in parts for leak in leaks(part, shapes[named(marker)], Reveal.FULL, form)]
            too_short = len(marker.right[0][1].read_as) < SHORTEST
            assert shown or too_short, (named(marker), form)


@pytest.mark.parametrize("place", range(PARTS))
def test_no_explanation_of_a_wrong_answer_holds_the_solution(
    packaged_grader: Grader, shapes: Mapping[str, Sequence[re.Pattern[str]]], place: int
) -> None:
    marker = markers(packaged_grader)[place]
    found: list[str] = []
    for number, key in enumerate(marker.keys.wrong):
        part = marked(marker, marker.key_text(key))
        found += leaks(part, shapes[named(marker)], Reveal.MISTAKE, FORMS[number % 3])
        if number < 2:
            for level in LEVELS:
                for form in FORMS:
                    found += leaks(part, shapes[named(marker)], level, form)
    assert not found, named(marker) + "\n" + "\n".join(dict.fromkeys(found))


def test_all_parts_of_the_course_are_searched(packaged_grader: Grader) -> None:
    assert len(markers(packaged_grader)) == PARTS


def test_no_report_on_an_example_submission_holds_a_solution(
    packaged: LoadedCourse, packaged_grader: Grader, shapes: Mapping[str, Sequence[re.Pattern[str]]]
) -> None:
    book = grade([ROOT / "submissions_example"], packaged)
    found = [
        leak
        for result in book.results
        for exercise in result.exercises
        for part in exercise.parts
        if part.verdict != Verdict.MISSING
        for level in LEVELS
        for form in FORMS
        for leak in leaks(part, shapes[f"{exercise.id[:2]}.{part.id}"], level, form)
    ]
    assert not found, "\n".join(dict.fromkeys(found))


def test_a_result_made_below_the_full_level_has_no_solution_in_it_at_all(packaged: LoadedCourse) -> None:
    book = grade([ROOT / "submissions_example" / "partly"], packaged)
    parts = [part for result in book.results for exercise in result.exercises for part in exercise.parts]
    assert {(part.solution, part.solution_mathml) for part in parts} == {(None, None)}
    assert all(series.kind == "student" for part in parts if part.plot for series in part.plot.series)

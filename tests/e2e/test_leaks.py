"""Nothing that a student may see gives the solution away, short of the level that reveals it."""

import html
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal

import pytest

from grader.batch import grade
from grader.compiled import Key
from grader.course import LoadedCourse
from grader.grading import Grader, Marker, student_view
from grader.reports.render import render
from grader.results import ExerciseResult, PartResult, Result, Reveal, Status, Verdict
from grader.submission import Response
from tests.conftest import ROOT

LEVELS = [level for level in Reveal if level != Reveal.FULL]
FORMS = ("txt", "md", "html")
SHORTEST = 2  # a lone digit or letter occurs everywhere and says nothing


def markers(grader: Grader) -> list[Marker]:
    return [marker for exercise in grader.course.exercises for marker in grader.markers(exercise, "s1")]


def named(marker: Marker) -> str:
    return f"{marker.exercise.id[:2]}.{marker.part.id}"


def spellings(marker: Marker, key: Key) -> Iterator[str]:
    """How the value may be written in a report."""
    answer = marker.kind.read(marker.key_text(key), marker.question)
    for form in (key.value, marker.key_text(key), answer.read_as, answer.latex):
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
    texts = {form for key in marker.keys.right for form in spellings(marker, key)}
    return [pattern(form) for form in sorted(texts) if len(re.sub(r"\s", "", form)) >= SHORTEST]


def plain(report: str) -> str:
    """A report without what its form adds to the text."""
    report = re.sub(r"<(script|style)\b.*?</\1>", " ", report, flags=re.DOTALL)
    report = html.unescape(re.sub(r"</?(?!annotation)\w[^<>]*>", "", report)).replace("\u2062", "")
    return re.sub(r"\\(?=[^\w\s])", "", report)


def alone(part: PartResult) -> Result:
    """A result with nothing but this part in it, whose question is left out."""
    exercise = ExerciseResult(id="q", title="Q", points=0, max_points=part.max_points, parts=(replace(part, prompt=""),))
    return Result(student="s1", source="s1", status=Status.GRADED, max_points=part.max_points, exercises=(exercise,))


def marked(marker: Marker, response: str) -> PartResult:
    return marker.mark(Response(exercise=marker.exercise.id, part=marker.part.id, text=response))


def own(part: PartResult) -> str:
    """What the student typed, also as it was read, and what the question says."""
    return " ".join(filter(None, (part.response, part.read_as, part.prompt)))


def leaks(part: PartResult, found: Sequence[re.Pattern[str]], level: Reveal, form: str) -> Iterator[str]:
    text = plain(render(student_view(alone(part), level), form))
    known = own(part)
    for shape in found:
        match = shape.search(text)
        if match and not shape.search(known):
            around = text[max(match.start() - 60, 0) : match.end() + 30]
            yield f"{part.id} at {level}, {form}: {match[0]!r} in {' '.join(around.split())!r} for {part.response!r}"


@pytest.mark.parametrize("place", range(25))
def test_no_explanation_of_a_wrong_answer_holds_the_solution(packaged_grader: Grader, place: int) -> None:
    marker = markers(packaged_grader)[place]
    shapes = forms(marker)
    found = []
    for key in marker.keys.wrong:
        part = marked(marker, marker.key_text(key))
        found += leaks(part, shapes, Reveal.MISTAKE, "txt")
    assert not found, named(marker) + "\n" + "\n".join(dict.fromkeys(found))

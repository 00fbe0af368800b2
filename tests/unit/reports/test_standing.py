"""What reports say of a submission as a whole: whose it is, when it came, what that cost, and whether it counts."""

import re
import unicodedata
from dataclasses import replace
from typing import Any

import pytest

from grader.reports.environment import _part
from grader.reports.index import entry, whole_index
from grader.reports.render import page, render
from grader.reports.view import when
from grader.results import Lateness, Override, Result, Reveal, Status
from grader.reveal import student_view

FORMS = ("txt", "md", "html")
LATE = Lateness(
    submitted_at="2026-12-03T09:00:30+01:00", due_at="2026-12-01T23:59:00+01:00", clock="lms", days=2, penalty=4
)


def words(report: str) -> str:
    report = re.sub(r"<style>.*?</style>", "", report, flags=re.S)
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>|[*\\`]", "", report))


@pytest.fixture
def late(result: Result) -> Result:
    """The usual result, handed in late, one part of it marked by a person."""
    exercise, *others = result.exercises
    first, second, *rest = exercise.parts
    given = Override(points=2, before=1, why="the form was not asked for", by="ada")
    second = replace(second, points=2, override=given)
    exercise = replace(exercise, points=4, parts=(first, second, *rest))
    return replace(
        result, name="Ada Lovelace", points=2, exercises=(exercise, *others), late=LATE, remarks=(),
        submitted_at=LATE.submitted_at, counts=False, flags=("look at this",),
    )  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
def test_a_report_says_whose_it_is_when_it_came_and_how_the_total_comes_about(late: Result, form: str) -> None:
    report = words(render(late, form))
    for text in (
        "s1024, Ada Lovelace",
        "2 of 15 points",
        "Handed in 2026-12-03 09:00:30 +01:00.",
        "2 days late: it was due 2026-12-01 23:59 +01:00. 6 points for the parts, less 4 for being late: 2.",
        "Another attempt counts in place of this one.",
        "look at this",
        "2 points given by ada in place of 1: the form was not asked for",
    ):
        assert text in report


@pytest.mark.parametrize("form", FORMS)
def test_a_name_that_is_the_id_is_said_once(result: Result, form: str) -> None:
    assert render(replace(result, name=result.student), form) == render(result, form)


def test_late_work_that_costs_nothing_says_no_more_than_that(late: Result) -> None:
    report = words(render(replace(late, late=replace(LATE, penalty=0, days=1)), "txt"))
    assert "1 day late: it was due 2026-12-01 23:59 +01:00. - Another" in report


@pytest.mark.parametrize("form", FORMS)
def test_points_given_to_who_handed_in_nothing_are_shown(late: Result, form: str) -> None:
    report = words(render(replace(late, status=Status.MISSING, message="there is no file"), form))
    assert "there is no file" in report
    assert "2 of 15 points" in report


@pytest.mark.parametrize("level", list(Reveal))
@pytest.mark.parametrize("form", FORMS)
def test_what_is_for_the_staff_is_not_in_the_student_s_report(late: Result, form: str, level: Reveal) -> None:
    report = words(render(student_view(late, level), form))
    assert "look at this" not in report
    assert "given by ada" not in report
    assert "Handed in 2026-12-03" in report
    hidden = level == Reveal.NONE
    assert ("given by a person" in report) is not hidden
    assert ("less 4 for being late" in report) is not hidden
    assert ("not asked for" in report) is not hidden


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("text", ["<b>\n# x|`y`", "\x1b[31m::error::", "@all \u202e"])
def test_no_text_of_these_gets_out_of_its_place(late: Result, form: str, text: str) -> None:
    def made(text: str) -> str:
        changed: Any = replace(late, name=text, submitted_at=text, flags=(text,), late=replace(LATE, due_at=text))
        first, *others = changed.exercises
        parts = tuple(replace(p, override=Override(points=1, before=None, why=text, by=text)) for p in first.parts)
        return render(replace(changed, exercises=(replace(first, parts=parts), *others)), form)

    report = made(text)
    assert not [c for c in report if unicodedata.category(c) in {"Cc", "Cf"} and c not in "\n\u2062"]
    assert "<b>" not in report.replace("# <b>", "") or form == "txt"
    assert "::error" not in report or form != "txt"
    if form == "html":
        assert re.findall(r"<[/\w]+", report) == re.findall(r"<[/\w]+", made("benign"))


def test_a_moment_is_written_in_its_own_time_zone() -> None:
    assert when("2026-12-01T23:59:00Z") == "2026-12-01 23:59 UTC"
    assert when("2026-12-01T23:59:07.5-03:30") == "2026-12-01 23:59:07 -03:30"
    assert when("some day") == "some day"


def test_a_report_is_the_same_whoever_s_was_made_before(result: Result, late: Result) -> None:
    exercise = result.exercises[0]
    renamed = replace(exercise, parts=tuple(replace(p, title=p.title or p.id.upper()) for p in exercise.parts))
    other = replace(result, exercises=(renamed, *result.exercises[1:]))  # its third part names others by their titles
    turned = replace(result, exercises=result.exercises[::-1])
    for form in FORMS:
        made = [page(one, form) for one in (result, late, other, turned)]
        assert made == [page(one, form) for one in (result, late, other, turned)]
        assert len(set(made)) == 4
    assert 'id="part-2-1"' in page(turned, "html")


@pytest.mark.parametrize("form", FORMS)
def test_parts_that_students_share_are_drawn_once(result: Result, form: str) -> None:
    _part.cache_clear()
    for student in ("s1", "s2", "s3"):
        page(replace(result, student=student), form)
    parts = sum(len(exercise.parts) for exercise in result.exercises)
    assert (_part.cache_info().misses, _part.cache_info().hits) == (parts, 2 * parts)


@pytest.mark.parametrize("form", FORMS)
def test_the_index_has_names_lateness_attempts_and_what_a_person_gave(late: Result, form: str) -> None:
    index = words(whole_index([entry(late, attempts=3)], form, title="All", grader="1"))
    for text in (
        "s1024", "Ada Lovelace", "2 of 15", "1 part marked by a person", "2 days late, 4 points less", "3 attempts",
        "another attempt counts", "look at this",
    ):  # fmt: skip
        assert text in index

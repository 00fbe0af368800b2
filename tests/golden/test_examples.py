"""The example submissions give the reports and verdicts that are stored here.

`UPDATE_GOLDENS=1 pytest tests/golden` stores what is given now; read the difference before committing it.
"""

import json
import os
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from grader.course import LoadedCourse, reveal_level
from grader.reports.render import render
from grader.reports.view import WORDS
from grader.results import Gradebook, PartResult, Result, Status
from grader.reveal import student_view
from tests.conftest import ROOT

HERE = Path(__file__).parent
NAMES = sorted(folder.name for folder in (ROOT / "submissions_example").iterdir() if folder.is_dir())
UPDATE = bool(os.environ.get("UPDATE_GOLDENS"))
VOID = {"meta", "link", "br", "hr", "img", "input", "col", "wbr"}


def named(book: Gradebook, name: str) -> Result:
    (result,) = (result for result in book.results if result.student == name)
    return result


def report(book: Gradebook, packaged: LoadedCourse, name: str, form: str) -> str:
    """The student's report, as `grader grade` writes it at the course's own level of feedback."""
    shown = student_view(named(book, name), reveal_level(packaged.course))
    return render(shown, form, course_title=book.title)


def compact(part: PartResult) -> dict[str, Any]:
    """What grading says of a part, without what is empty."""
    found = {
        "verdict": str(part.verdict),
        "points": f"{part.points}/{part.max_points}",
        "relation": part.relation and str(part.relation),
        "ratio": part.ratio,
        "mistakes": list(part.mistakes),
        "alternatives": [list(group) for group in part.alternatives],
        "follow_through": list(part.follow_through or ()),
        "remarks": list(part.remarks),
        "message": part.message,
    }
    return {name: value for name, value in found.items() if value}


def compare_with_stored(path: Path, text: str) -> None:
    if UPDATE:
        path.write_text(text, encoding="utf-8", newline="\n")
    assert path.read_text(encoding="utf-8") == text, f"{path.name} changed; see the head of {Path(__file__).name}"


def test_every_example_is_graded(examples: Gradebook) -> None:
    assert {result.student: result.status for result in examples.results} == dict.fromkeys(NAMES, Status.GRADED)


@pytest.mark.parametrize("form", ["txt", "md"])
@pytest.mark.parametrize("name", NAMES)
def test_a_report_is_the_stored_one(examples: Gradebook, packaged: LoadedCourse, name: str, form: str) -> None:
    compare_with_stored(HERE / f"{name}.{form}", report(examples, packaged, name, form))


@pytest.mark.parametrize("name", NAMES)
def test_verdicts_points_and_diagnoses_are_the_stored_ones(examples: Gradebook, name: str) -> None:
    result = named(examples, name)
    found = {f"{e.id[:2]}.{part.id}": compact(part) for e in result.exercises for part in e.parts}
    rows = ",\n".join(f" {json.dumps(key)}: {json.dumps(row, ensure_ascii=False)}" for key, row in found.items())
    compare_with_stored(HERE / f"{name}.json", f"{{\n{rows}\n}}\n")


class Balanced(HTMLParser):
    """Refuses a tag that is closed out of turn, and keeps the text."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.texts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"</{tag}> closes nothing"
        assert self.open.pop() == tag, f"</{tag}> closes something else"

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


@pytest.mark.parametrize("name", NAMES)
def test_a_page_is_well_formed_and_says_each_verdict(examples: Gradebook, packaged: LoadedCourse, name: str) -> None:
    page = Balanced()
    page.feed(report(examples, packaged, name, "html"))
    page.close()
    assert page.open == []
    text = " ".join(page.texts)
    assert not re.search(r"\\u[0-9a-f]{4}", text), "a sign of our own formulas is shown as its code"
    verdicts = [part.verdict for exercise in named(examples, name).exercises for part in exercise.parts]
    for verdict in set(verdicts):
        assert text.count(WORDS[verdict]) >= verdicts.count(verdict)


def test_perfect_and_latex_earn_all_points_and_blank_and_unreadable_none(examples: Gradebook) -> None:
    for name in ("perfect", "latex"):
        assert named(examples, name).points == named(examples, name).max_points
    for name in ("blank", "unreadable"):
        assert named(examples, name).points == 0


def test_nothing_is_stored_for_examples_that_are_gone() -> None:
    assert {path.stem for path in HERE.glob("*.*") if path.suffix != ".py"} == set(NAMES)

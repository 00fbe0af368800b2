"""The pages that the browser is shown: the program makes them of the examples, and of a class that means harm."""

import csv
import json
import os
import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass, replace
from pathlib import Path
from typing import Any

import yaml

from grader.class_report import of_store
from grader.reports.class_page import class_page
from grader.reports.index import index_pages
from grader.reports.names import file_stem
from grader.reports.render import render
from grader.results import Reveal
from grader.reveal import student_view
from grader.store import open_store
from tests import tiny
from tests.e2e.conftest import GRADER, ROOT

CASES = ROOT / "tests/cases/reports_hostile.yaml"
AIMED_AT_PAGES = ("html", "template", "math", "lookalike", "invisible")
# a part of each type of answer that the small course asks for
PARTS = {"fixed": ("ops", "intensity", "critical"), "drawn": ("ridge",)}


def hostile_texts(*aims: str) -> list[str]:
    """What a student may type to get into a page."""
    cases = yaml.safe_load(CASES.read_text(encoding="utf-8"))
    return [case["text"] for case in cases if case["where"] in (aims or AIMED_AT_PAGES)]


# those of two students, the index, and the class page
PAGES = ("partly", "unreadable", "index", "class")
MAIN = ("partly", "class")


@dataclass(frozen=True)
class Site:
    """The folders with pages: of the examples, and of the hostile class."""

    examples: Path
    hostile: Path

    def files(self) -> dict[str, Path]:
        """The pages of the examples by name."""
        return {page: self.examples / f"{page}.html" for page in PAGES}

    def twins(self) -> Iterator[tuple[Path, str]]:
        """Each page of the hostile class, and what it is when every text of theirs is harmless."""
        with open_store(self.hostile / "grades.sqlite") as store:
            run = store.run()
            students = [result.student for _, result, _ in store.totals()]
            for result in store.of_students(students):
                twin = harmless(student_view(result, Reveal(run.reveal)))
                yield self.hostile / f"{file_stem(result.student)}.html", render(twin, "html", course_title=run.title)
            shown = harmless(of_store(store, name=".", pages=True, beside=True))
            (index,) = index_pages(shown.entries, "html", title=run.title, grader=run.grader).values()
            yield self.hostile / "index.html", index
            yield self.hostile / "class.html", class_page(shown, "html")


def make(folder: Path) -> Site:
    """Grade both into folders below this one, if that was not done before."""
    site = Site(folder / "examples", folder / "hostile")
    if (folder / "made").exists():
        return site
    harm = folder / "harm"
    _write_hostile(harm, hostile_texts())
    tiny.write(harm / "course", course=("title: Tiny", "title: Tiny\nreveal: full"))
    _grade(folder, ROOT / "submissions_example", "-o", "examples")
    options = ("--roster", "harm/roster.csv", "--course", "harm/course", "-o", "hostile")
    _grade(folder, "harm/class.jsonl", "harm/files", *options)
    (folder / "made").touch()
    return site


def _grade(folder: Path, *arguments: str | Path) -> None:
    run = subprocess.run(
        [str(GRADER), "grade", *map(str, arguments)], cwd=folder,
        env={**os.environ, "PYTHONUTF8": "1", "TINY_SECRET": "s"},
        capture_output=True, text=True, encoding="utf-8", timeout=120, check=False,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr


def _write_hostile(folder: Path, texts: list[str]) -> None:
    """Each text as the id, the name in the roster, each answer, an unknown part and an unknown exercise; and markup, as
    far as a file system takes it, as the name of a file."""
    files = folder / "files"
    files.mkdir(parents=True)
    for number, text in enumerate(hostile_texts("html")):
        name = re.sub(r"[/\0\n]", "_", text)
        (files / f"{number:02} {name}.yaml").write_text("fixed: {ops: 2BDF, intensity: 2B}", encoding="utf-8")
    lines, students = [], [f"{text} {number:02}" for number, text in enumerate(texts)]  # blanks at the end are dropped
    for student, text in zip(students, texts, strict=True):
        answers = {exercise: dict.fromkeys((*parts, text), text) for exercise, parts in PARTS.items()}
        lines.append(json.dumps({"student": student, "answers": {**answers, text: {text: text}}}))
    (folder / "class.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    with (folder / "roster.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("student", "name"), *((student, f"{student} by name") for student in students)])


# written by authors, or by our own grammar and rules
NOT_STUDENTS = (
    "prompt", "feedback", "hint", "mathml", "solution_mathml", "kind", "label", "page", "credit",
    "column", "columns", "place", "places", "exercise",
)  # fmt: skip


def harmless(value: Any) -> Any:
    """The same with an x for every character but digits of every text that may hold what a student typed."""
    if is_dataclass(value) and not isinstance(value, type):
        names = [f.name for f in fields(value) if f.name not in NOT_STUDENTS]
        return replace(value, **{name: harmless(getattr(value, name)) for name in names})
    if isinstance(value, tuple):
        return tuple(map(harmless, value))
    return re.sub(r"[^\s\d]", "x", value) if type(value) is str else value

"""What was graded is shown again: a student's report, the page of the class, its figures in the terminal."""

import csv
import json
from io import StringIO
from pathlib import Path

import pytest

from tests.e2e.small import Small, made, runner


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory, cache: Path) -> Small:
    return made(tmp_path_factory.mktemp("report") / "small", runner(cache))


def shown(small: Small, *arguments: str) -> str:
    run = small.grader(*arguments, cwd=small.folder, env={"TINY_SECRET": "s"})
    assert run.returncode == 0, run.stderr
    assert run.stderr == ""
    return run.stdout


def test_a_student_s_report_is_the_page_that_was_written_and_more_at_another_level(small: Small) -> None:
    shown(small, "report", "out", "--student", "ben", "-o", "again.html")
    assert (small.folder / "again.html").read_bytes() == small.pages()["ben.html"]
    text = shown(small, "report", "out/results.json", "--student", "ben", "--reveal", "verdict")
    assert "Results for ben" in text
    assert "Half the count" in small.pages()["ben.md"].decode()
    assert "Half the count" not in text


def test_the_class_page_stands_beside_the_pages_and_is_made_again_the_same(small: Small) -> None:
    before = small.pages()["class.html"]
    page = before.decode()
    assert 'href="dee.html"' in page
    assert "grader override --why REASON . dee fixed.ops POINTS" in page
    assert 'href="class.html"' in small.pages()["index.html"].decode()
    assert shown(small, "report", "out", "--class", "-o", "out") == f"Written: {Path('out/class.html')}\n"
    assert small.pages()["class.html"] == before
    shown(small, "report", "out", "-o", "elsewhere/all.html")
    alone = (small.folder / "elsewhere/all.html").read_text(encoding="utf-8")
    assert "dee.html" not in alone
    assert "grader override --why REASON out dee fixed.ops POINTS" in alone


def test_figures_come_as_a_table_as_csv_and_as_json_from_a_store_and_from_results(small: Small) -> None:
    text = shown(small, "stats", "out", "--by-part")
    assert "Mean                 3.4 of 12 points" in text
    assert all(len(line) <= 110 for line in text.splitlines())
    narrow = small.grader("stats", "out", cwd=small.folder, env={"TINY_SECRET": "s", "COLUMNS": "40"}).stdout
    assert "Facility   Discrim.\n" in narrow  # what there is no room for is left out and named, not cut
    assert "Not shown here, for want of room: Correct," in narrow
    rows = list(csv.DictReader(StringIO(shown(small, "stats", "out", "--by-part", "--format", "csv"))))
    ops = next(row for row in rows if row["part"] == "ops")
    assert (ops["facility"], ops["correct"], ops["incorrect"], ops["invalid"]) == ("0.4000", "2", "1", "1")
    found = json.loads(shown(small, "stats", "out/results.json", "--format", "json"))
    assert [row["exercise"] for row in found["rows"]] == ["fixed", "drawn"]
    assert (found["graded"], found["handed_in"]) == (5, 5)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("report", "out", "--student", "benn"), "no student 'benn' in this store; did you mean ben?"),
        (("report", "nowhere.json", "--class"), "nowhere.json: there is no such file"),
        (("report", "out", "--student", "ben", "--class"), "give --student ID, or --class"),
        (("report", "out", "--student", ""), "give --student ID, or --class"),
        (("report", "out", "--student", "ben", "--reveal", "full", "-o", "out"), "this file belongs to the store"),
    ],
)
def test_what_can_t_be_shown_is_told_in_one_line(small: Small, arguments: tuple[str, ...], said: str) -> None:
    run = small.grader(*arguments, cwd=small.folder, env={"TINY_SECRET": "s"})
    assert run.returncode == 2
    assert said in run.stderr
    assert "Traceback" not in run.stderr

"""Submissions whose names follow a rule of the instructor's own."""

from pathlib import Path

import pytest

from grader.errors import SubmissionError
from grader.results import Status
from grader.sources.finding import find
from tests.unit.sources.trees import ANSWERS, bundles, by_key, put, zipped

HW = r"(?P<student>\w+?)-(?P<name>[^-]*)(?P<late>-late)?-try(?P<attempt>\d+)-(?P<file>.+)"


@pytest.mark.parametrize("packed", [False, True])
def test_files_are_grouped_by_student_and_attempt(tmp_path: Path, packed: bool) -> None:
    files = {
        "w1/s1-Ada Example-try1-answers.yaml": "x: 1",
        "w1/s1-Ada Example-late-try2-answers.yaml": "x: 2",
        "w1/s1-Ada Example-late-try2-plot.csv": "B,y\n",
        "w1/s2-Bo-try1-a.yaml": ANSWERS,
        "w1/s2-Bo-try1-b.yaml": ANSWERS,
        "w1/other.yaml": ANSWERS,
    }
    path = put(tmp_path, {"c.zip": zipped(files)}) / "c.zip" if packed else put(tmp_path / "c", files)
    one, two, duplicate = bundles(path, pattern=HW)
    assert (one.key, one.name, one.attempt, one.late, one.file) == ("s1", "Ada Example", 1, False, "answers.yaml")
    assert (two.attempt, two.late, two.content, two.attachments) == (2, True, b"x: 2", {"plot.csv": b"B,y\n"})
    assert (duplicate.key, duplicate.status) == ("s2", Status.DUPLICATE)
    assert {b.platform for b in (one, two, duplicate)} == {"pattern"}


def test_a_folder_may_match_and_its_answers_are_looked_for(tmp_path: Path) -> None:
    put(tmp_path, {"hw_s1/x/answers.yaml": ANSWERS, "hw_s2": None, "s3/answers.yaml": ANSWERS})
    found = by_key(tmp_path, pattern=r"hw_(?P<student>.+)")
    assert {key: b.status for key, b in found.items()} == {"s1": Status.GRADED, "s2": Status.MISSING}


def test_the_whole_path_may_match(tmp_path: Path) -> None:
    put(tmp_path, {"group a/ada/answers.yaml": ANSWERS, "group b/ada/answers.yaml": ANSWERS})
    found = by_key(tmp_path, pattern=r"(?P<student>group \w/\w+)/(?P<file>.*)")
    assert sorted(found) == ["group a/ada", "group b/ada"]


def test_a_site_that_puts_user_names_before_moodle_s_names(tmp_path: Path) -> None:
    put(tmp_path, {"adaex_Ada Example_70001_assignsubmission_file/answers.yaml": ANSWERS})
    pattern = r"(?P<student>[^_]+)_(?P<name>[^_]+)_\d+_assignsubmission_file_?"
    assert by_key(tmp_path, pattern=pattern)["adaex"].name == "Ada Example"


def test_a_name_is_a_key_where_there_is_no_other(tmp_path: Path) -> None:
    put(tmp_path, {"Ada Example.yaml": ANSWERS})
    assert list(by_key(tmp_path, pattern=r"(?P<name>.+)\.yaml")) == ["Ada Example"]


@pytest.mark.parametrize(
    ("pattern", "what"),
    [
        ("(", "no regular expression"),
        ("(?P<student>", "no regular expression"),
        ("x", "a group .* is needed"),
        ("(?P<student>x)(?P<who>y)", "unknown group who"),
        ("(?P<late>x)", "a group .* is needed"),
    ],
)
def test_an_expression_that_can_t_work_is_told_at_once(tmp_path: Path, pattern: str, what: str) -> None:
    with pytest.raises(SubmissionError, match=what):
        find([tmp_path], pattern=pattern)


def test_nothing_matches(tmp_path: Path) -> None:
    put(tmp_path, {"s1/answers.yaml": ANSWERS})
    with pytest.raises(SubmissionError, match="holds no submission"):
        bundles(tmp_path, pattern=r"(?P<student>\d+)")

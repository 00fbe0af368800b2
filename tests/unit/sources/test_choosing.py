"""Which of a student's files counts, and what is handed over of it."""

import os
from pathlib import Path

import pytest

from grader.results import Status
from tests.unit.sources.trees import ANSWERS, Files, bundles, by_key, put, zipped


def own(tmp_path: Path, files: Files, **options: bool):
    put(tmp_path / "class", {f"s1/{name}": data for name, data in files.items()})
    put(tmp_path / "class", {"s2/answers.yaml": ANSWERS})
    return by_key(tmp_path / "class", **options)["s1"]


@pytest.mark.parametrize(
    "name",
    [
        "answers.yaml", "answers.yml", "answers.json", "answers.toml", "answers.csv", "answers.md", "answers.ipynb",
        "Answers.YAML", "answers (1).yaml", "answers-1.yaml", "homework.toml", "homework.ipynb", "homework.md",
        "homework.csv", "answers.txt",
    ],
)  # fmt: skip
def test_one_file_of_a_known_kind_in_a_student_s_folder_counts(tmp_path: Path, name: str) -> None:
    found = own(tmp_path, {name: "x: 1", "README.md": "hello", "results.json": "{}", ".hidden.yaml": "x", "a.png": "x"})
    assert (found.file, found.content, found.status) == (name, b"x: 1", Status.GRADED)


def test_an_ending_that_an_editor_added_is_taken_off(tmp_path: Path) -> None:
    found = own(tmp_path, {"answers.yaml.txt": "x: 1"})
    assert (found.file, found.source.rpartition("/")[2]) == ("answers.yaml", "answers.yaml.txt")


@pytest.mark.parametrize(
    ("counts", "other"),
    [
        ("answers.yaml", "homework.yaml"), ("answers.md", "homework.yaml"), ("homework.yaml", "notes.md"),
        ("notes.md", "plot.csv"), ("answers.csv", "homework.yaml"), ("homework.json", "hw.zip"), ("hw.zip", "hw.rar"),
    ],
)  # fmt: skip
def test_the_better_name_counts(tmp_path: Path, counts: str, other: str) -> None:
    inside = zipped({"answers.yaml": "x: 1"})
    found = own(tmp_path, {counts: inside if counts.endswith("zip") else "x: 1", other: "y: 1"})
    assert (found.content, found.status) == (b"x: 1", Status.GRADED)


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("answers.json", "answers.yaml"), ("answers (1).yaml", "answers.yaml"), ("answers.md", "answers.yaml"),
        ("a.yaml", "b.json"), ("a.md", "b.md"), ("a.zip", "b.zip"), ("a.csv", "b.csv"),
    ],
)  # fmt: skip
def test_of_two_files_that_could_count_both_are_listed(tmp_path: Path, one: str, two: str) -> None:
    found = own(tmp_path, {one: "x: 1", two: "y: 1"})
    assert (found.status, found.content) == (Status.DUPLICATE, b"")
    assert found.message == f"not clear which file counts: {one} and {two}"


def test_a_table_of_answers_beside_other_answers_is_a_second_file(tmp_path: Path) -> None:
    found = own(tmp_path, {"answers.yaml": "x: 1", "answers.csv": "exercise,part,response\nq,a,1\n"})
    assert found.message == "not clear which file counts: answers.yaml and answers.csv"


def test_a_table_of_points_beside_the_answers_is_attached(tmp_path: Path) -> None:
    found = own(tmp_path, {"answers.yaml": "x: 1", "answers.csv": "B,D,F,y\n1,2,3,4\n", "plot.csv": "B,y\n"})
    assert found.attachments == {"answers.csv": b"B,D,F,y\n1,2,3,4\n", "plot.csv": b"B,y\n"}


def test_of_two_tables_the_one_with_answers_counts(tmp_path: Path) -> None:
    found = own(tmp_path, {"hw.csv": "exercise,part,response\nq,a,1\n", "plot.csv": "B,y\n"})
    assert (found.file, list(found.attachments)) == ("hw.csv", ["plot.csv"])


def test_attachments_are_bounded_in_number_and_size(tmp_path: Path) -> None:
    tables = {f"p{i:02}.csv": "B,y\n" for i in range(24)}
    found = own(tmp_path, {"answers.yaml": "x: 1", **tables, "p00.csv": "1" * 70_000})
    assert len(found.attachments) == 19
    assert found.remarks == (
        "p00.csv: the file is larger than 64 KiB", "only the first 20 tables beside the answers are read"
    )  # fmt: skip


def test_the_latest_is_the_one_with_the_highest_number(tmp_path: Path) -> None:
    files = {"answers.yaml": "x: 0", "answers (2).yaml": "x: 2", "answers (10).yaml": "x: 10", "answers (9).yaml": "x"}
    found = own(tmp_path, files, latest=True)
    assert found.content == b"x: 10"
    assert found.remarks == (
        "answers (10).yaml counts as the latest, not answers (2).yaml and answers (9).yaml and answers.yaml",
    )


def test_without_numbers_the_latest_is_the_newest(tmp_path: Path) -> None:
    own(tmp_path, {"answers.yaml": "x: 1", "answers.json": "{}"})
    folder = tmp_path / "class/s1"
    os.utime(folder / "answers.yaml", (2_000_000, 2_000_000))
    os.utime(folder / "answers.json", (1_000_000, 1_000_000))
    assert by_key(tmp_path / "class", latest=True)["s1"].file == "answers.yaml"
    os.utime(folder / "answers.json", (3_000_000, 3_000_000))
    assert by_key(tmp_path / "class", latest=True)["s1"].file == "answers.json"
    os.utime(folder / "answers.yaml", (3_000_000, 3_000_000))
    assert by_key(tmp_path / "class", latest=True)["s1"].status == Status.DUPLICATE


def test_the_latest_in_an_archive_is_told_by_its_entries(tmp_path: Path) -> None:
    inside = zipped({"answers.yaml": "x: 1", "answers-1.yaml": "x: 2", "old/answers-9.yaml": "x: 9"})
    put(tmp_path, {"s1.zip": inside, "s2.zip": zipped({"answers.yaml": ANSWERS})})
    assert by_key(tmp_path)["s1"].status == Status.DUPLICATE
    assert by_key(tmp_path, latest=True)["s1"].content == b"x: 2"


def test_files_of_one_name_in_two_folders_are_told_apart(tmp_path: Path) -> None:
    put(
        tmp_path, {"Ada_7_assignsubmission_file/a/answers.yaml": "x", "Ada_7_assignsubmission_file/b/answers.yaml": "y"}
    )
    (found,) = bundles(tmp_path)
    assert found.message == "not clear which file counts: a/answers.yaml and b/answers.yaml"


def test_junk_is_no_answer(tmp_path: Path) -> None:
    found = own(
        tmp_path,
        {
            "__MACOSX/answers.yaml": "x", ".DS_Store": "x", "._answers.yaml": "x", ".git/answers.yaml": "x",
            "README.md": "x", "results.json": "{}", "result.json": "{}", "course.yaml": "x: 1", "roster.csv": "x",
        },
    )  # fmt: skip
    assert (found.status, found.message) == (Status.MISSING, "there is no file of answers in this folder")


def test_a_folder_of_students_may_hold_loose_files_and_notes(tmp_path: Path) -> None:
    put(
        tmp_path,
        {
            "s1/answers.yaml": ANSWERS, "s2.yaml": ANSWERS, "notes.md": "x", "list.csv": "x", "a.png": "x",
            "week 1/s3/answers.yaml": ANSWERS, "week 1/notes.md": "x",
        },
    )  # fmt: skip
    assert sorted(by_key(tmp_path)) == ["s1", "s2", "s3"]


@pytest.mark.parametrize("ending", ["md", "toml", "ipynb", "json"])
def test_a_folder_of_loose_files_only(tmp_path: Path, ending: str) -> None:
    put(tmp_path, {f"s1.{ending}": "x", f"s2.{ending}": "y", "README.md": "x"})
    assert sorted(by_key(tmp_path)) == ["s1", "s2"]


def test_a_folder_of_tables_of_answers_only(tmp_path: Path) -> None:
    table = "exercise,part,response\nq,a,1\n"
    put(tmp_path, {"s1.csv": table, "s2.csv": table, "scores.csv": table, "plot.csv": "B,y\n"})
    assert sorted(by_key(tmp_path)) == ["s1", "s2"]

"""Paths are searched for submissions: what was given, what is refused, and what is told on the way."""

import os
from pathlib import Path

import pytest

from grader.errors import SubmissionError
from grader.plugins import tags
from grader.results import Status
from grader.sources.finding import Progress, find
from tests.unit.sources.trees import ANSWERS, bundles, by_key, put, zipped


def test_the_whole_disk_is_not_searched(tmp_path: Path) -> None:
    with pytest.raises(SubmissionError, match="this is the whole disk: name the folder of the submissions"):
        find([tmp_path.anchor])
    if os.name == "posix":
        (tmp_path / "disk").symlink_to("/")
        with pytest.raises(SubmissionError, match="this is the whole disk"):
            find([tmp_path / "disk"])


@pytest.mark.parametrize("path", ["", "nowhere", "--help", "a" * 200_000, "a\0b"])
def test_a_path_that_is_not_there_is_told_at_once(path: str) -> None:
    with pytest.raises(SubmissionError, match="there is no such file or folder") as error:
        find([path])
    assert len(str(error.value)) < 300


@pytest.mark.parametrize("name", ["class.tar.gz", "class.7z", "class.rar", "CLASS.TGZ", "class.tar"])
def test_archives_of_other_kinds_are_refused_with_the_mend(tmp_path: Path, name: str) -> None:
    put(tmp_path, {name: "x"})
    with pytest.raises(SubmissionError, match="not opened: unpack it, or use a zip"):
        find([tmp_path / name])


def test_a_link_to_a_folder_may_be_given(tmp_path: Path) -> None:
    put(tmp_path, {"class/s1/answers.yaml": ANSWERS})
    (tmp_path / "link").symlink_to(tmp_path / "class")
    assert list(by_key(tmp_path / "link")) == ["s1"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes")
def test_pipes_devices_and_links_are_refused_without_delay(tmp_path: Path) -> None:
    put(tmp_path, {name: None for name in ("s1", "s2", "s3", "s4")} | {"s5/answers.yaml": ANSWERS})
    os.mkfifo(tmp_path / "s1/answers.yaml")
    (tmp_path / "s2/answers.yaml").symlink_to("/dev/urandom")
    (tmp_path / "s3/answers.yaml").symlink_to("answers.yaml")
    os.mkfifo(tmp_path / "s4/hw.zip")
    found = by_key(tmp_path)
    assert found.pop("s5").status == Status.GRADED
    assert {b.status for b in found.values()} == {Status.UNREADABLE}
    assert found["s1"].message == "answers.yaml: this is a pipe, not a regular file"
    assert found["s4"].message == "hw.zip: this is a pipe, not a regular file"


def test_a_file_of_ten_gibibytes_is_not_read(tmp_path: Path) -> None:
    put(tmp_path, {"s1/answers.yaml": ""})
    with (tmp_path / "s1/answers.yaml").open("wb") as file:
        file.truncate(10 << 30)
    assert by_key(tmp_path)["s1"].message == "answers.yaml: the file is larger than 64 KiB"


def test_hard_links_are_files_like_others(tmp_path: Path) -> None:
    put(tmp_path, {"one": "x: 1", "s1": None})
    os.link(tmp_path / "one", tmp_path / "s1/answers.yaml")
    assert by_key(tmp_path)["s1"].content == b"x: 1"


def test_names_are_neither_decoded_nor_run(tmp_path: Path) -> None:
    names = ["..%2f..%2fevil", "$(touch PWNED)", "<img src=x onerror=alert(1)>", "{{7*7}}", "CON", "-rf", "a\nb"]
    put(tmp_path / "class", {f"{name}/answers.yaml": ANSWERS for name in names})
    assert sorted(by_key(tmp_path / "class")) == sorted(names)
    assert [path.name for path in tmp_path.iterdir()] == ["class"]


@pytest.mark.skipif(os.name != "posix", reason="names are bytes on POSIX only")
def test_a_folder_s_name_that_is_no_text_can_be_shown(tmp_path: Path) -> None:
    try:
        put(tmp_path, {f"{os.fsdecode(bytes([255]))}/answers.yaml": ANSWERS})
    except OSError:
        pytest.skip("this file system takes text only")
    (found,) = bundles(tmp_path)
    assert found.key == r"\xff"
    found.source.encode("utf-8")


def test_what_was_found_under_two_paths_is_found_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path, {"class/s1/answers.yaml": ANSWERS, "class/s2/answers.yaml": ANSWERS})
    monkeypatch.chdir(tmp_path)
    paths = [Path("class"), tmp_path / "class", Path("class/s1"), Path("./class/s2/answers.yaml")]
    assert [b.key for b in bundles(*paths)] == ["s1", "s2"]
    assert bundles(Path("class"))[0].source == "class/s1/answers.yaml"


def test_candidates_come_one_after_the_other(tmp_path: Path) -> None:
    put(tmp_path, {"good/s1/answers.yaml": ANSWERS, "empty/x.txt": "x"})
    found = find([tmp_path / "good", tmp_path / "empty"])
    assert next(found).key == "s1"
    assert next(found).bundle().status == Status.MISSING


def test_an_empty_folder_or_a_damaged_archive_among_several_paths_costs_itself_alone(tmp_path: Path) -> None:
    put(tmp_path, {"good/s1/answers.yaml": ANSWERS, "empty/x.txt": "x", "bad.zip": ""})
    statuses = {c.key: c.bundle().status for c in find([tmp_path / name for name in ("bad.zip", "empty", "good")])}
    assert statuses == {"bad": Status.UNREADABLE, "empty": Status.MISSING, "s1": Status.GRADED}


def test_what_an_earlier_run_made_is_no_submission(tmp_path: Path) -> None:
    made = {"reports/grades.sqlite": "x", "reports/grades.lock": "", "reports/index.md": "x", "reports/s1.md": "x"}
    put(tmp_path, {"s1/answers.yaml": ANSWERS, **made})
    assert [candidate.key for candidate in find([tmp_path])] == ["s1"]


def test_progress_tells_what_was_found_and_looked_at(tmp_path: Path) -> None:
    put(tmp_path, {f"s{i}/answers.yaml": ANSWERS for i in range(3)} | {f"x{i}.txt": "x" for i in range(20)})
    told: list[Progress] = []
    assert len(list(find([tmp_path], progress=told.append))) == 3
    assert [progress.found for progress in told] == [1, 2, 3]
    assert told[-1].seen == 26


def test_many_files_that_are_no_submissions_are_passed_over_unopened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(tmp_path, {f"s{i}/answers.yaml": ANSWERS for i in range(10)} | {f"x{i}.txt": "x" for i in range(500)})

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a file was opened")

    monkeypatch.setattr(os, "open", refuse)
    assert len(list(find([tmp_path]))) == 10


def test_a_huge_folder_of_one_student_is_searched_within_bounds(tmp_path: Path) -> None:
    folders = {f"hw-submissions/hw-ada/d{i}/e{j}/x.txt": "x" for i in range(60) for j in range(60)}
    put(tmp_path, folders | {"hw-submissions/hw-bo/answers.yaml": ANSWERS})
    found = by_key(tmp_path)
    assert {key: b.status for key, b in found.items()} == {"ada": Status.MISSING, "bo": Status.GRADED}


def test_a_message_never_names_the_place_of_the_class_on_disk(tmp_path: Path) -> None:
    put(tmp_path, {"s1/answers.yaml": b"x" * 70_000, "s2/a.yaml": "", "s2/b.yaml": "", "s3.zip": b"x", "s4": None})
    put(tmp_path, {"s5.zip": zipped({"../answers.yaml": ANSWERS})})
    for bundle in bundles(tmp_path):
        assert bundle.message
        assert str(tmp_path) not in bundle.message + "".join(bundle.remarks)


def test_every_format_is_a_module_of_its_own() -> None:
    assert tags("sources") == (
        "canvas", "classroom50", "folder", "github", "gradescope", "jsonl", "moodle", "nbgrader", "pattern", "table",
    )  # fmt: skip


def test_a_quotation_mark_left_open_in_a_table_costs_its_own_row(tmp_path: Path) -> None:
    rows = ["student,q1.ops", "s1,2BDF", 's2,"2BDF', *(f"s{i},2BDF" for i in range(3, 9))]
    put(tmp_path, {"class.csv": "\n".join(rows) + "\n"})
    found = [candidate.bundle() for candidate in find([tmp_path / "class.csv"])]
    assert [bundle.status for bundle in found] == [Status.GRADED, Status.UNREADABLE, *[Status.GRADED] * 6]
    assert "quotation mark" in found[1].message


def test_a_cell_of_several_lines_stays_one(tmp_path: Path) -> None:
    put(tmp_path, {"class.csv": 'student,q1.ops\ns1,"2\nBDF"\ns2,2BDF\n'})
    assert [candidate.bundle().status for candidate in find([tmp_path / "class.csv"])] == [Status.GRADED] * 2

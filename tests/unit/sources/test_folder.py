"""Submissions are found in files and folders; what can't be graded has a status and a message."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from grader.errors import SubmissionError
from grader.results import Status
from grader.sources import finding
from grader.sources.candidate import Candidate
from grader.submission import Submission, read_bundle

ANSWERS = "answers:\n  q4:\n    flops: 2BDF\n"


def put(root: Path, files: dict[str, str | bytes]) -> Path:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return root


def find(paths: Sequence[Path], **options: Any) -> list[Candidate]:
    return list(finding.find(paths, **options))


def load(candidate: Candidate) -> Submission:
    return read_bundle(candidate.bundle())


def loaded(*paths: Path) -> dict[str, Submission]:
    found = [load(candidate) for candidate in find(paths)]
    assert len({submission.student for submission in found}) == len(found)
    return {submission.student: submission for submission in found}


def test_a_folder_with_answers_is_one_submission_named_after_it(tmp_path: Path) -> None:
    put(tmp_path, {"s1024/answers.yaml": ANSWERS, "s1024/README.md": "hello", "s1024/data/notes.yaml": "x: 1"})
    (submission,) = loaded(tmp_path / "s1024").values()
    assert (submission.student, submission.status) == ("s1024", Status.GRADED)
    assert submission.source == f"{tmp_path}/s1024/answers.yaml"
    assert [(r.exercise, r.part, r.text, r.line) for r in submission.responses] == [("q4", "flops", "2BDF", 3)]


@pytest.mark.parametrize("name", ["answers.yaml", "answers.yml", "Answers.YAML"])
def test_the_ending_and_the_case_of_the_name_don_t_matter(tmp_path: Path, name: str) -> None:
    put(tmp_path, {f"s1/{name}": ANSWERS})
    assert loaded(tmp_path)["s1"].status == Status.GRADED


def test_every_subfolder_of_a_folder_is_a_submission(tmp_path: Path) -> None:
    put(
        tmp_path,
        {"a/s1/answers.yaml": ANSWERS, "a/s2/answers.json": '{"q4": {"flops": "B"}}', "b/answers.yaml": ANSWERS},
    )
    put(tmp_path, {"roster.csv": "id\n", "__MACOSX/s9/answers.yaml": ANSWERS, ".git/s8/answers.yaml": ANSWERS})
    assert sorted(loaded(tmp_path)) == ["b", "s1", "s2"]


def test_other_files_directly_in_the_folder_are_submissions_named_after_the_student(tmp_path: Path) -> None:
    put(tmp_path, {"one.yaml": f"student: s7\n{ANSWERS}", "two.json": '{"q4": {"flops": "B"}}', "notes.txt": "x"})
    assert sorted(loaded(tmp_path)) == ["s7", "two"]


def test_a_file_is_one_submission(tmp_path: Path) -> None:
    put(tmp_path, {"s3/answers.yaml": ANSWERS, "s4/answers.yaml": f"student: other\n{ANSWERS}", "s5.yaml": ANSWERS})
    assert list(loaded(tmp_path / "s3/answers.yaml")) == ["s3"]
    assert list(loaded(tmp_path / "s4/answers.yaml")) == ["other"]
    assert list(loaded(tmp_path / "s5.yaml")) == ["s5"]


def test_the_folder_s_name_wins_over_the_file_s_and_a_mismatch_is_listed(tmp_path: Path) -> None:
    put(tmp_path, {"s1/answers.yaml": f"student: s2\n{ANSWERS}"})
    (submission,) = loaded(tmp_path).values()
    assert submission.student == "s1"
    assert submission.remarks == ("the folder is named s1, the file says s2",)


def test_the_answers_may_have_another_name_in_a_student_s_own_folder(tmp_path: Path) -> None:
    put(tmp_path, {"s1/homework.yaml": ANSWERS, "s1/results.json": '{"score": 100}'})
    assert loaded(tmp_path)["s1"].responses[0].text == "2BDF"


def test_two_files_that_could_count_are_both_listed_and_none_is_graded(tmp_path: Path) -> None:
    put(tmp_path, {"s1/answers.yaml": ANSWERS, "s1/answers.json": "{}", "s2/a.yaml": ANSWERS, "s2/b.yaml": ANSWERS})
    found = loaded(tmp_path)
    assert {s.status for s in found.values()} == {Status.DUPLICATE}
    assert found["s1"].message == "not clear which file counts: answers.json and answers.yaml"
    assert found["s2"].message == "not clear which file counts: a.yaml and b.yaml"


def test_a_results_file_beside_the_answers_is_ignored(tmp_path: Path) -> None:
    put(tmp_path, {"s1/answers.yaml": ANSWERS, "s1/results.json": '{"score": 100}', "s1/exercises/q4.yaml": "id: q4"})
    assert [r.text for r in loaded(tmp_path)["s1"].responses] == ["2BDF"]


def test_an_empty_folder_or_file_is_missing(tmp_path: Path) -> None:
    put(tmp_path, {"s1/README.md": "later", "s2/answers.yaml": "", "s3/answers.yaml": "# nothing yet\n"})
    (tmp_path / "s4").mkdir()
    assert {name: s.status for name, s in loaded(tmp_path).items()} == dict.fromkeys(
        ["s1", "s2", "s3", "s4"], Status.MISSING
    )


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"PK\x03\x04xxxx", "a zip archive"),
        (b"- 1\n", "answers are expected"),
        (b"q: 1\x00\n", "NUL byte"),
        (b"#" * 70_000, "larger than 64 KiB"),
    ],
)
def test_what_can_t_be_read_says_why_and_leaves_the_others_alone(tmp_path: Path, data: bytes, message: str) -> None:
    put(tmp_path, {"bad/answers.yaml": data, "good/answers.yaml": ANSWERS})
    found = loaded(tmp_path)
    assert found["bad"].status == Status.UNREADABLE
    assert message in found["bad"].message
    assert str(tmp_path) not in found["bad"].message
    assert found["good"].status == Status.GRADED


def test_a_folder_named_like_the_answers_is_unreadable(tmp_path: Path) -> None:
    (tmp_path / "s1/answers.yaml").mkdir(parents=True)
    assert "this is a folder" in loaded(tmp_path)["s1"].message


@pytest.mark.skipif(os.name == "nt", reason="links need rights on Windows")
def test_links_are_not_followed(tmp_path: Path) -> None:
    put(tmp_path, {"class/s1/answers.yaml": ANSWERS, "secret/answers.yaml": ANSWERS})
    (tmp_path / "class/s1/sub").symlink_to("/")
    (tmp_path / "class/s2").symlink_to(tmp_path / "secret")
    (tmp_path / "class/loop").symlink_to("loop")
    (tmp_path / "class/s3").mkdir()
    (tmp_path / "class/s3/answers.yaml").symlink_to(tmp_path / "secret/answers.yaml")
    found = loaded(tmp_path / "class")
    assert found.pop("s1").status == Status.GRADED
    assert {name: s.status for name, s in found.items()} == dict.fromkeys(["s2", "s3"], Status.UNREADABLE)
    assert all("this is a link" in submission.message for submission in found.values())


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
def test_a_folder_without_permission_is_unreadable(tmp_path: Path) -> None:
    put(tmp_path, {"s1/answers.yaml": ANSWERS, "s2/answers.yaml": ANSWERS})
    (tmp_path / "s1").chmod(0)
    found = loaded(tmp_path)
    (tmp_path / "s1").chmod(0o700)
    assert {name: s.status for name, s in found.items()} == {"s1": Status.UNREADABLE, "s2": Status.GRADED}


def test_a_folder_that_can_t_be_listed_is_unreadable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path, {"s1/answers.yaml": ANSWERS, "s2/answers.yaml": ANSWERS})
    scandir = os.scandir

    def refusing(path: Path) -> object:
        if path == tmp_path / "s1":
            raise PermissionError(13, "Permission denied")
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refusing)
    found = loaded(tmp_path)
    assert {name: s.status for name, s in found.items()} == {"s1": Status.UNREADABLE, "s2": Status.GRADED}


def test_tables_beside_the_answers_are_attached(tmp_path: Path) -> None:
    put(tmp_path, {"s1/answers.yaml": ANSWERS, "s1/plot.csv": "B,y\r\n1,2\r\n", "s1/big.CSV": "1" * 70_000})
    (submission,) = loaded(tmp_path).values()
    assert submission.attachments == {"plot.csv": "B,y\n1,2\n"}
    assert submission.remarks == ("big.CSV: the file is larger than 64 KiB",)
    assert loaded(tmp_path / "s1/answers.yaml")["s1"].attachments == submission.attachments


def test_tables_among_many_files_belong_to_the_file_with_their_name(tmp_path: Path) -> None:
    put(
        tmp_path,
        {"s1.yaml": ANSWERS, "s10.yaml": ANSWERS, "s1.csv": "a", "s1_plot.csv": "b", "s10.csv": "c", "x.csv": "d"},
    )
    found = loaded(tmp_path)
    assert found["s1"].attachments == {"s1.csv": "a", "s1_plot.csv": "b"}
    assert found["s10"].attachments == {"s10.csv": "c"}
    assert loaded(tmp_path / "s1.yaml")["s1"].attachments == found["s1"].attachments


def test_all_tables_belong_to_the_only_file_in_a_folder(tmp_path: Path) -> None:
    put(tmp_path, {"mine.yaml": ANSWERS, "plot.csv": "a", "results.json": "{}"})
    for place in (tmp_path, tmp_path / "mine.yaml"):
        assert loaded(place)["mine"].attachments == {"plot.csv": "a"}


def test_a_folder_that_holds_no_submission_is_an_error(tmp_path: Path) -> None:
    put(tmp_path, {"class/README.md": "later", "other/answers.yaml": ANSWERS})
    with pytest.raises(SubmissionError, match=r"class: this folder holds no submission"):
        find([tmp_path / "class"])


def test_what_is_wrong_in_several_places_of_a_line_is_told_once(tmp_path: Path) -> None:
    put(tmp_path, {"answers.yaml": "a: [*x, *x]\nanswers: {q4: {flops: 2BDF}}\n"})
    (submission,) = loaded(tmp_path).values()
    assert submission.remarks
    assert len(submission.remarks) == len(set(submission.remarks))


def test_the_same_file_named_twice_is_one_submission(tmp_path: Path) -> None:
    put(tmp_path, {"s1/answers.yaml": ANSWERS})
    assert len(find([tmp_path, tmp_path, tmp_path / "s1", tmp_path / "s1/answers.yaml"])) == 1


def test_the_order_is_that_of_the_names_however_the_disk_lists_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(tmp_path, {f"s{i}/answers.yaml": ANSWERS for i in (3, 1, 2)})
    forward = find([tmp_path])

    class Backward:
        def __init__(self, path: Path) -> None:
            self.entries = reversed(sorted(scandir(path), key=lambda entry: entry.name))

        def __enter__(self) -> object:
            return self.entries

        def __exit__(self, *_: object) -> None: ...

    scandir = os.scandir
    monkeypatch.setattr(os, "scandir", Backward)
    assert find([tmp_path]) == forward
    assert [candidate.student for candidate in forward] == ["s1", "s2", "s3"]


def test_a_path_that_isn_t_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(SubmissionError, match="no such file or folder"):
        find([tmp_path / "nowhere"])


def test_a_huge_tree_is_refused_with_a_clear_message(tmp_path: Path) -> None:
    put(tmp_path, {f"s{i}/answers.yaml": ANSWERS for i in range(8)})
    with pytest.raises(SubmissionError, match="more than 10 files and folders"):
        find([tmp_path], most_entries=10)


def test_folders_nested_without_end_are_refused(tmp_path: Path) -> None:
    put(tmp_path, {"/".join("abcdefghijklmnopqrstuvwxyz") + "/answers.yaml": ANSWERS})
    with pytest.raises(SubmissionError, match="16 levels"):
        find([tmp_path])


ODD_NAMES = [
    "a\nb",
    "x..%2f..%2fevil",
    "$(touch PWNED)",
    "<img src=x onerror=alert(1)>",
    "{{7*7}}",
    "CON",
    "-rf",
    "José",
]


@pytest.mark.skipif(os.name == "nt", reason="Windows refuses these names")
@pytest.mark.parametrize("name", ODD_NAMES)
def test_odd_names_are_only_names(tmp_path: Path, name: str) -> None:
    put(tmp_path, {f"class/{name}.yaml": ANSWERS, f"class/{name}/answers.yaml": ANSWERS})
    found = [load(candidate) for candidate in find([tmp_path / "class"])]
    assert {(s.student, s.status) for s in found} == {(name, Status.GRADED)}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["class"]


@pytest.mark.skipif(os.name != "posix", reason="names are bytes on POSIX only")
def test_a_name_that_is_no_text_can_be_shown(tmp_path: Path) -> None:
    try:
        put(tmp_path, {os.fsdecode(b"\xff\xfe.yaml"): ANSWERS})
    except OSError:
        pytest.skip("this file system takes text only")
    (submission,) = loaded(tmp_path).values()
    assert submission.student == r"\xff\xfe"
    submission.source.encode("utf-8")

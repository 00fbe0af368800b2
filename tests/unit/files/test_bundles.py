"""What a source found becomes a submission, whatever its bytes are."""

import json

import pytest

from grader.bundle import Bundle
from grader.files import LIMIT
from grader.results import Status
from grader.submission import Submission, read_bundle

FILE = b"student: s1\nq4:\n  a: 2B\n  b: 3\n"


def bundle(content: bytes = FILE, file: str = "answers.yaml", **more: object) -> Bundle:
    given = {"source": "class/s1/answers.yaml", "key": "s1", "named": True, "file": file, "content": content}
    return Bundle(**(given | more))  # type: ignore[arg-type]


def texts(submission: Submission) -> list[tuple[str, str, str, int | None]]:
    return [(r.exercise, r.part, r.text, r.line) for r in submission.responses]


def test_answers_come_with_all_that_the_source_knew() -> None:
    found = bundle(
        name="Ada", platform="moodle", attempt=2, times={"lms": "2026-12-01T10:00:00+01:00"}, late=True, remarks=("x",)
    )
    submission = read_bundle(found)
    assert submission == Submission(
        student="s1", source=found.source, responses=submission.responses, remarks=("x",), digest=found.digest,
        name="Ada", key="s1", platform="moodle", attempt=2, times=found.times, late=True,
    )  # fmt: skip
    assert texts(submission) == [("q4", "a", "2B", 3), ("q4", "b", "3", 4)]


def test_the_source_s_name_wins_where_it_is_the_student_s_own() -> None:
    assert read_bundle(bundle(key="s2")).student == "s2"
    assert read_bundle(bundle(key="s2")).remarks == ("the folder is named s2, the file says s1",)
    assert read_bundle(bundle(key="s2", platform="moodle")).remarks == ("handed in by s2, the file says s1",)
    assert read_bundle(bundle(key="s2", named=False)).student == "s1"
    assert not read_bundle(bundle(key="s2", named=False)).remarks
    assert read_bundle(bundle(FILE.replace(b"s1", b""), key="s2", named=False)).student == "s2"


def test_an_empty_file_is_missing() -> None:
    for data in (b"", b"\n\n", b"# only a comment\n", b"\xef\xbb\xbf"):
        submission = read_bundle(bundle(data))
        assert (submission.status, submission.message) == (Status.MISSING, "answers.yaml is empty")
        assert not submission.responses


def test_a_file_in_which_no_answer_can_be_told_is_unreadable() -> None:
    submission = read_bundle(bundle(b"PK\x03\x04", "an\nswers.yaml"))
    assert submission.status == Status.UNREADABLE
    assert submission.message == (
        "an\\x0aswers.yaml: this looks like a zip archive or an office document; hand in a plain text file"
    )
    assert read_bundle(bundle(b"- 1\n")).message.startswith("answers.yaml:1: answers are expected")


def test_what_the_source_decided_stays() -> None:
    submission = read_bundle(bundle(status=Status.DUPLICATE, message="handed in twice", remarks=("x",)))
    assert (submission.status, submission.message, submission.remarks) == (
        Status.DUPLICATE,
        "handed in twice",
        ("x",),
    )
    assert not submission.responses
    assert submission.digest


def test_a_notebook_that_is_too_large_is_told_what_to_clear() -> None:
    message = f"a.ipynb: the file is larger than {LIMIT // 1024} KiB"
    found = bundle(b"", "a.ipynb", status=Status.UNREADABLE, message=message)
    assert read_bundle(found).message == f"{message}: clear the outputs and save it again"
    assert (
        read_bundle(bundle(b" " * (LIMIT + 1), "a.ipynb")).message == f"{message}: clear the outputs and save it again"
    )
    found = bundle(b"", "a.yaml", status=Status.UNREADABLE, message=message)
    assert read_bundle(found).message == message


def test_what_is_too_large_is_not_read_wherever_it_came_from() -> None:
    large = FILE + b" " * LIMIT
    for name, row in (("a.yaml", None), ("a.md", None), ("class.jsonl", 3)):
        submission = read_bundle(bundle(large, name, row=row))
        assert (submission.status, submission.message) == (
            Status.UNREADABLE,
            f"{name}: the file is larger than {LIMIT // 1024} KiB",
        )
    assert read_bundle(bundle(attachments={"p.csv": large})).remarks == ("p.csv: the file is larger than 64 KiB",)


def test_attachments_are_texts_and_a_refused_one_is_remarked() -> None:
    submission = read_bundle(
        bundle(attachments={"a.csv": b"B,y\r\n1,2\r\n", "b.csv": b"\xff\n", "c\n.csv": b"a,b\n1,\0"})
    )
    assert submission.attachments == {"a.csv": "B,y\n1,2\n"}
    assert submission.status == Status.GRADED
    assert len(submission.remarks) == 2
    assert "b.csv" in submission.remarks[0]
    assert submission.remarks[1].startswith("c\\x0a.csv:2: NUL byte")


ROW = {"student": "s1", "answers": {"q4": {"a": "2B", "b": 1.50, "c": "TODO", "d": None}}}


@pytest.mark.parametrize(
    "content",
    [
        json.dumps(ROW), json.dumps(ROW) + "\n", json.dumps({"student": "s1", **ROW["answers"]}),  # type: ignore[dict-item]
        json.dumps(ROW, indent=1), json.dumps(ROW)[:-1] + ",}", json.dumps(ROW).replace("2B", "2\\u0042"),
    ],
)  # fmt: skip
def test_a_row_s_answers_have_its_line(content: str) -> None:
    submission = read_bundle(bundle(content.encode(), "class.jsonl", row=7))
    assert texts(submission) == [("q4", "a", "2B", 7), ("q4", "b", "1.5", 7), ("q4", "c", "", 7), ("q4", "d", "", 7)]
    assert submission.student == "s1"


def test_a_part_given_twice_in_a_row_is_no_answer() -> None:
    submission = read_bundle(bundle(b'{"q4": {"a": 1, "a": 2, "b": NaN, "c": 1e400}}', "class.jsonl", row=7))
    assert [(r.text, r.fault, r.line) for r in submission.responses] == [
        ("1\n2", "given twice: keep one", 7),
        ("NaN", "", 7),
        ("1e400", "", 7),
    ]


def test_a_row_that_is_nested_too_deeply_is_refused() -> None:
    for depth in (30, 300, 10_000):
        submission = read_bundle(bundle(b'{"a":' * depth + b"1" + b"}" * depth, "class.jsonl", row=1))
        assert submission.status == Status.UNREADABLE
        assert "20 levels" in submission.message

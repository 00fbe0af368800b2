"""A class of submissions of which every tenth is hostile: the others are read as if they were alone."""

import os
from pathlib import Path

from grader.results import Status
from grader.sources.finding import find
from grader.submission import Submission, read_bundle

HOSTILE = [
    b"\x1f\x8b\x08\x00xxxx",
    b"\xff\xfeq\x00:\x00 ",
    b"q: 1\x00\n",
    b"#" * 200_000,
    b"[" * 20_000,
    b"- " * 20_000,
    b"- 1\n",
    b"".join(b"k%d: 1\n" % i for i in range(8_000)),
    "q: 1\n".encode("utf-16-le"),
]


def loaded(path: Path) -> list[Submission]:
    return [read_bundle(candidate.bundle()) for candidate in find([path])]


def test_hostile_submissions_get_a_status_and_leave_the_others_as_they_are(tmp_path: Path) -> None:
    alone = {}
    for number in range(90):
        path = tmp_path / f"class/s{number:03}/answers.yaml"
        path.parent.mkdir(parents=True)
        path.write_text(f"student: s{number:03}\nanswers:\n  q4:\n    flops: {number}*B\n    leading: > {number}\n")
        alone[path.parent.name] = loaded(path.parent)[0]
    for number, data in enumerate(HOSTILE):
        path = tmp_path / f"class/x{number}/answers.yaml"
        path.parent.mkdir()
        path.write_bytes(data)
    if hasattr(os, "mkfifo"):
        (tmp_path / "class/x9").mkdir()
        os.mkfifo(tmp_path / "class/x9/answers.yaml")
    together = loaded(tmp_path / "class")
    assert {s.student: s for s in together if s.student.startswith("s")} == alone
    bad = [s for s in together if s.student.startswith("x")]
    assert {s.status for s in bad} == {Status.UNREADABLE}
    assert all(s.message.startswith("answers.yaml") and str(tmp_path) not in s.message for s in bad)
    assert len(together) == 90 + len(bad)

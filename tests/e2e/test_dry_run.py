"""What would be graded, and who is missing, before anything is."""

from pathlib import Path

import pytest

from tests.e2e.conftest import Run
from tests.e2e.small import CLASS, Small

ROSTER = """\
student,name,email
ann,Ann Example,ann@example.edu
0429,Ben Sample,ben@example.edu
margot,Zoe Nobody,zoe@example.edu
"""
ANSWERS = b"answers:\n  fixed:\n    ops: 2BDF\n"


@pytest.fixture
def small(tmp_path: Path, grader: Run) -> Small:
    made = Small(tmp_path / "small", grader)
    made.folder.mkdir()
    made.course()
    return made


def listed(small: Small, *arguments: str) -> list[str]:
    run = small.run("grade", *arguments, "--dry-run")
    assert (run.returncode, run.stderr) == (0, "")
    return run.stdout.splitlines()


def put(small: Small, path: str, data: bytes = ANSWERS) -> None:
    file = small.folder / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data)


def test_it_lists_who_handed_in_what_and_grades_nothing(small: Small) -> None:
    for student, given in CLASS.items():
        small.answers(student, given)
    before = sorted(small.folder.rglob("*"))
    lines = listed(small, "class", "-o", "out")
    assert [line.split()[0] for line in lines[:5]] == list(CLASS)
    assert all(line.endswith("to grade") for line in lines[:5])
    assert lines[5:] == ["5 submissions: 5 to grade", "10 files and folders were looked at"]
    assert sorted(small.folder.rglob("*")) == before


def test_who_is_unknown_missing_twice_or_alike_is_told(small: Small) -> None:
    (small.folder / "roster.csv").write_text(ROSTER, encoding="utf-8")
    for student in ("ann", "ANN", "429", "margott", "who", "Jos\u00e9", "Jose\u0301"):
        put(small, f"class/{student}/answers.yaml")
    lines = listed(small, "class", "--roster", "roster.csv")
    assert "7 submissions: 7 to grade" in lines
    assert "not in the roster: 429 (class/429/answers.yaml); did you mean 0429?" in lines
    assert "not in the roster: margott (class/margott/answers.yaml); did you mean margot?" in lines
    assert "not in the roster: who (class/who/answers.yaml)" in lines
    assert "handed in 2 times: ann (class/ANN/answers.yaml, class/ann/answers.yaml)" in lines
    assert "possibly the same student: 'Jose\\u0301', 'Jos\\xe9'" in lines
    assert [line for line in lines if line.startswith("nothing from")] == [
        "nothing from: 0429 (Ben Sample)", "nothing from: margot (Zoe Nobody)"
    ]  # fmt: skip


def test_what_could_not_be_graded_is_told_with_the_reason(small: Small) -> None:
    put(small, "class/ann/answers.yaml")
    put(small, "class/ann/answers.json", b"{}")
    put(small, "class/ben/notes.docx", b"PK")
    put(small, "class/cem/answers.yaml", b"x" * 70_000)
    (small.folder / "class/dee").mkdir()
    lines = listed(small, "class")
    states = {line.split()[0]: line for line in lines}
    assert "duplicate" in states["ann"]
    assert "unreadable" in states["cem"]
    assert "missing" in states["dee"]
    assert "latest" not in lines[-1]
    assert "to grade" in next(line for line in listed(small, "class", "--attempts", "latest") if line.startswith("ann"))


def test_late_ones_are_told_where_the_platform_marks_them(small: Small) -> None:
    put(small, "canvas/exampleann_LATE_31001_900001_answers.yaml")
    put(small, "canvas/sampleben_31002_900002_answers.yaml")
    late, in_time = listed(small, "canvas")[:2]
    assert late.split()[0] == "31001"
    assert late.endswith("late")
    assert "late" not in in_time


def test_paths_that_no_platform_made_are_read_by_a_pattern(small: Small) -> None:
    put(small, "files/2026/ann-final.yaml")
    put(small, "files/2026/ben-final.yaml")
    lines = listed(small, "files", "--pattern", r"(?P<student>\w+)-final\.yaml")
    assert [line.split()[0] for line in lines[:2]] == ["ann", "ben"]
    run = small.run("grade", "files", "--pattern", "(", "--dry-run")
    assert run.returncode == 2
    assert "Traceback" not in run.stderr

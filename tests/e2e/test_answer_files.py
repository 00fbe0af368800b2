"""Files through the whole command line: schemas, faulty specs, odd and hostile answer files."""

import json
import os
from pathlib import Path

import pytest

from tests.e2e.conftest import Run


def test_all_faults_of_a_course_are_told_with_file_and_line(grader: Run, tmp_path: Path) -> None:
    (tmp_path / "course.yaml").write_text("id: c\ntitle: C\nreference: reference\nexercises: [q]\nreveal: hints\n")
    (tmp_path / "q.yaml").write_text("id: q\ntitel: T\nparts:\n  - {id: a, points: 0.5}\n")
    done = grader("lint", "--course", tmp_path)
    assert done.returncode == 2
    assert "Traceback" not in done.stdout + done.stderr
    assert "course.yaml:5: reveal: 'hints' is not known" in done.stdout + done.stderr


def test_a_broken_line_costs_one_answer_and_a_broken_file_one_submission(grader: Run, tmp_path: Path) -> None:
    sound = "answers:\n  q4-batched-matmul:\n    flops: 2BDF\n    bytes: @@@\n    leading: '2'\n"
    for name, data in {
        "s1": sound.encode(),
        "s2": sound.replace("@@@", "BD + BDF + BF").encode("utf-16"),
        "s3": b"PK\x03\x04",
        "s4": b"",
    }.items():
        (tmp_path / "class" / name).mkdir(parents=True)
        (tmp_path / "class" / name / "answers.yaml").write_bytes(data)
    done = grader("grade", tmp_path / "class", "--jobs", "1", "--format", "json")
    assert "Traceback" not in done.stderr
    results = {result["student"]: result for result in json.loads(done.stdout)["results"]}
    assert {name: result["status"] for name, result in results.items()} == {
        "s1": "graded", "s2": "graded", "s3": "unreadable", "s4": "missing"
    }  # fmt: skip
    verdicts = {}
    for name in ("s1", "s2"):
        parts = [part for exercise in results[name]["exercises"] for part in exercise["parts"]]
        verdicts[name] = {part["id"]: part["verdict"] for part in parts if part["response"]}
    assert verdicts["s1"] == {"flops": "correct", "bytes": "invalid", "leading": "correct"}
    assert verdicts["s2"] == {"flops": "correct", "bytes": "correct", "leading": "correct"}


@pytest.mark.skipif(os.name == "nt", reason="Windows refuses these names")
def test_odd_names_stay_on_one_line(grader: Run, tmp_path: Path) -> None:
    for name in ("a\nb", "$(touch PWNED)", "<img src=x onerror=alert(1)>", "{{7*7}}", "\x1b[31m"):
        (tmp_path / "class" / name).mkdir(parents=True)
        (tmp_path / "class" / name / "answers.yaml").write_text("q4-batched-matmul:\n  flops: 2BDF\n")
    done = grader("grade", tmp_path / "class", "--jobs", "1")
    assert done.returncode == 0, done.stderr
    assert sum(line.startswith("Results for ") for line in done.stdout.splitlines()) == 5
    assert "\x1b[31m" not in done.stdout
    assert "a\nb" not in done.stdout
    assert not list(tmp_path.rglob("PWNED"))

"""`grader ci` as a job runs it: its exit codes, its files, and a folder that a student filled with traps."""

import base64
import json
import os
import shutil
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from tests.actions import commands, outputs, refused_by_classroom50, reported
from tests.e2e.conftest import ROOT, Run
from tests.unit.ci.jobs import CLASSROOM50

PLATFORMS = ("GITHUB_ACTIONS", "GITLAB_CI", "GITHUB_STEP_SUMMARY", "GITHUB_OUTPUT", "GITHUB_WORKSPACE", *CLASSROOM50)
TRAP = "open('PWNED', 'w').close()\nraise SystemExit(9)\n"
MODULES = ("yaml", "click", "jinja2", "sitecustomize", "usercustomize", "grader", "exercises", "json", "markupsafe")


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A student's repository with answers and traps."""
    for name in PLATFORMS:
        monkeypatch.delenv(name, raising=False)
    folder = tmp_path / "repository"
    shutil.copytree(ROOT / "submissions_example/b_squared", folder)
    for name in MODULES:
        (folder / f"{name}.py").write_text(TRAP)
    (folder / "grader").mkdir()
    (folder / "grader/__init__.py").write_text(TRAP)
    (folder / ".env").write_text("PYTHONPATH=.\n")
    (folder / "results.json").write_text('{"score": 100}')
    (folder / "course.yaml").write_text("id: forged\n")
    (folder / "compiled.json").write_text("{}")
    (folder / "templates").mkdir()
    (folder / "templates/job.md").write_text("## 40 of 40 points")
    return folder


def actions(folder: Path) -> dict[str, str]:
    return {
        "GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": str(folder / "summary"),
        "GITHUB_OUTPUT": str(folder / "outputs"), "GITHUB_WORKSPACE": str(folder / "repository"),
    }  # fmt: skip


def test_a_job_in_github_actions_tells_everything_and_exits_with_0(
    grader: Run, repository: Path, tmp_path: Path
) -> None:
    run = grader("ci", cwd=repository, env=actions(tmp_path))
    assert (run.returncode, run.stderr) == (0, "")
    assert not list(tmp_path.rglob("PWNED"))
    found = commands(run.stdout)
    assert [name for name, _, _ in found[:2]] == ["stop-commands", found[0][2]]
    assert {place["file"] for _, place, _ in found[2:]} == {"answers.yaml"}
    summary = (tmp_path / "summary").read_text(encoding="utf-8")
    assert summary.startswith("## All about rooflines: 20 of 40 points\n")
    assert "**The batch axis was counted twice**" in summary
    told = outputs((tmp_path / "outputs").read_text())
    assert (told["status"], told["points"], told["max-points"]) == ("fail", "20", "40")
    assert reported(json.loads(base64.b64decode(told["result"]))) == (20, 20, 40)


def test_classroom_50_gets_a_result_and_no_exit_code_for_a_low_grade_or_a_bad_file(
    grader: Run, repository: Path, tmp_path: Path
) -> None:
    env = {**actions(tmp_path), **CLASSROOM50}
    run = grader("ci", "--pass-mark", "60%", cwd=repository, env=env)
    assert (run.returncode, run.stderr) == (0, "")
    result = json.loads((repository / "result.json").read_text(encoding="utf-8"))
    assert refused_by_classroom50(result) == ""
    assert (result["score"], result["max-score"], result["owner"]) == (20, 40, "ada-example")
    assert outputs((tmp_path / "outputs").read_text()) == {"status": "failure", "summary": "20 of 40 points"}
    assert "## All about rooflines: 20 of 40 points" in (repository / "release-body.md").read_text(encoding="utf-8")
    (repository / "answers.yaml").write_bytes(b"\x00")
    run = grader("ci", cwd=repository, env=env)
    assert run.returncode == 0
    result = json.loads((repository / "result.json").read_text(encoding="utf-8"))
    assert refused_by_classroom50(result) == ""
    assert (result["score"], result["max-score"]) == (0, 40)


def test_elsewhere_the_report_is_printed_and_junit_written_and_the_mark_decides(
    grader: Run, repository: Path, tmp_path: Path
) -> None:
    run = grader("ci", "--pass-mark", "21", cwd=repository, env={"GITLAB_CI": "true"})
    assert (run.returncode, run.stderr) == (1, "")
    assert "20 of 40 points" in run.stdout
    assert "::" not in run.stdout
    cases = list(ET.parse(repository / "grader-junit.xml").iter("testcase"))
    assert len(cases) == 25
    (repository / "answers.yaml").write_bytes(b"\x00")
    assert grader("ci", "answers.yaml", cwd=repository, env={"GITLAB_CI": "true"}).returncode == 3


@pytest.mark.skipif(os.name == "nt", reason="no such file names")
def test_errors_that_quote_names_of_files_are_no_commands(grader: Run, repository: Path, tmp_path: Path) -> None:
    name = "x\n::error::forged\n##[error]forged"
    for arguments in ((name, "extra"), ("--course", name)):
        run = grader("ci", *arguments, cwd=repository, env=actions(tmp_path))
        assert run.returncode == 2, arguments
        assert run.stderr.strip()
        assert commands(run.stderr) == []
        assert "forged" not in "".join(text for _, place, text in commands(run.stdout) for text in (text, *place))
    assert outputs((tmp_path / "outputs").read_text())["status"] == "error"


def test_a_crash_in_the_middle_leaves_a_result_that_says_so(grader: Run, repository: Path, tmp_path: Path) -> None:
    (repository / "answers.yaml").write_text("student: memory\nq4:\n  flops: 2BDF\n", encoding="utf-8")
    env = {**actions(tmp_path), "PYTHONPATH": str(ROOT / "tests/e2e/faults")}
    run = grader("ci", cwd=repository, env=env)
    assert run.returncode == 3
    told = outputs((tmp_path / "outputs").read_text())
    assert (told["status"], json.loads(base64.b64decode(told["result"]))["tests"][0]["status"]) == ("error", "error")
    (repository / "answers.yaml").write_text("student: interrupt\n", encoding="utf-8")
    run = grader("ci", cwd=repository, env=env)
    assert run.returncode == 130
    assert outputs((tmp_path / "outputs").read_text())["status"] == "error"


def test_a_student_edition_is_read_and_exits_with_0(grader: Run, repository: Path, tmp_path: Path) -> None:
    assert grader("release", tmp_path / "edition").returncode == 0
    shutil.copy(ROOT / "submissions_example/unreadable/answers.yaml", repository)
    run = grader("ci", "--course", tmp_path / "edition", "--pass-mark", "60%", cwd=repository, env=actions(tmp_path))
    assert (run.returncode, run.stderr) == (0, "")
    assert {name for name, _, _ in commands(run.stdout)[2:]} == {"error"}
    told = outputs((tmp_path / "outputs").read_text())
    assert (told["status"], told["points"], told["max-points"]) == ("fail", "0", "0")
    assert "Answers are read here and not graded." in (tmp_path / "summary").read_text(encoding="utf-8")

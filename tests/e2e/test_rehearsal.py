"""A student pushes: the workflow that `classroom init` made is run step by step, and what the student sees is stored.

`UPDATE_GOLDENS=1 pytest tests/e2e/test_rehearsal.py` stores what is given now; read the difference before committing.
"""

import json
import os
import re
import shutil
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.e2e.actions import (
    STAND_INS,
    Machine,
    Outputs,
    outputs_in,
    plain_environment,
    python_without_pip,
    value,
    workflow,
)
from tests.e2e.conftest import GRADER
from tests.e2e.hubs import SLUG, Hub
from tests.e2e.repositories import ACTION

pytestmark = pytest.mark.skipif(os.name == "nt", reason="the steps are written for bash")

GOLDEN = ROOT / "tests/golden/jobs"
ANSWERS = {
    "q1-int8-matmul": {
        "loaded": "BD + DF",
        "written": "2BF",
        "ops": "2BDf",
        "intensity": "::error::forged%0A::notice title=Autograding complete::Points 99/99",
        "leading": "2B",
        "t_math": "2BDF / 3.94e14 s",
    },
    "q4-batched-matmul": {"flops": "B*(2*B*D*F)", "bytes": "BD + BDF + BF", "intensity": "2"},
}
PLANTED = ("pip", "yaml", "click", "grader", "json", "sitecustomize")
AUTOGRADER = "import runpy, sys; sys.executable = sys.argv[1]; runpy.run_path(sys.argv[2], run_name='__main__')"
CLASSROOM50 = {
    "CLASSROOM": "mlsys-f26",
    "ASSIGNMENT": "rooflines-1",
    "ASSIGNMENT_TYPE": "individual",
    "SUBMISSION_TAG": "submit/2026-10-02T09-15-00Z-0a1b2c3",
    "OWNER": "ada",
    "USERNAME": "ada",
    "COMMIT_URL": "https://example.org/commit/0a1b2c3",
    "RELEASE_URL": "https://example.org/releases/1",
    "REVIEW_URL": "https://example.org/compare/1",
}


@pytest.fixture
def pushed(repositories: Path, tmp_path: Path, cache: Path, request: pytest.FixtureRequest) -> Machine:
    """A runner that has checked out a student's answers, beside modules that would be imported by the careless."""
    workspace = tmp_path / "checkout"
    shutil.copytree(repositories / request.param, workspace)
    place = workspace / "answers.yaml"
    place.write_text(filled(place.read_text(encoding="utf-8")), encoding="utf-8")
    for name in PLANTED:
        (workspace / f"{name}.py").write_text("open('imported', 'w')\n", encoding="utf-8")
    temporary = tmp_path / "temp"
    temporary.mkdir()
    grader = {ACTION.partition("@")[0]: lambda machine, given, own: machine.composite(ROOT, given)}
    return Machine(workspace, temporary, plain_environment(cache), {**STAND_INS, **grader})


def filled(sheet: str) -> str:
    """The answer file with answers written behind their colons, as students do."""
    exercise, lines = "", []
    for line in sheet.splitlines():
        exercise = found[1] if (found := re.fullmatch(r"  ([\w-]+):", line)) else exercise
        part = re.fullmatch(r"    (\w+):", line)
        answer = ANSWERS.get(exercise, {}).get(part[1]) if part else None
        lines.append(f"{line} {answer}" if answer else line)
    return "\n".join(lines) + "\n"


def compare_with_stored(name: str, **sections: str) -> None:
    text = "".join(f"=== {title}\n{content.rstrip()}\n" for title, content in sections.items())
    path = GOLDEN / f"{name}.txt"
    if os.environ.get("UPDATE_GOLDENS"):
        path.write_text(text, encoding="utf-8", newline="\n")
    assert path.read_text(encoding="utf-8") == text


def as_told(machine: Machine) -> dict[str, str]:
    """What the student sees of a run."""
    assert not (machine.workspace / "imported").exists()
    return {"annotations": machine.annotations, "summary": machine.summary}


def installed(machine: Machine) -> list[str]:
    """What pip was asked for."""
    return (machine.temporary / "pip").read_text(encoding="utf-8").split("\n")[:-1]


STEPS = ["actions/checkout@v4", ACTION, "actions/setup-python@v5", "Which grader", "actions/cache@v4"]
STEPS += ["Install the grader", "Grade"]


@pytest.mark.parametrize("pushed", ["actions"], indirect=True)
def test_on_plain_actions_a_push_gives_a_summary_and_annotations(pushed: Machine) -> None:
    pushed.job(pushed.workspace / ".github/workflows/autograde.yml")
    assert not pushed.failed, pushed.log
    assert pushed.ran == STEPS
    asked = ["-I", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-compile", "--target"]
    assert installed(pushed) == [*asked, str(pushed.temporary / "roofline-grader"), str(ROOT)]
    compare_with_stored("actions", **as_told(pushed))


@pytest.mark.parametrize("pushed", ["classroom"], indirect=True)
def test_with_the_classroom_reporter_table_and_annotation_have_the_same_points(pushed: Machine) -> None:
    pushed.job(pushed.workspace / ".github/workflows/autograde.yml")
    assert pushed.ran == [*STEPS, "Autograding Reporter"]
    assert pushed.failed, "the reporter fails where a test does"
    seen = as_told(pushed)
    (table,) = re.findall(r"^Total points for grader: (\d+)\.00/(\d+)$", pushed.log, re.MULTILINE)
    (points,) = re.findall(r"^::notice title=Autograding complete::Points (\d+)/(\d+)$", pushed.log, re.MULTILINE)
    assert table == points
    assert seen["summary"] == (GOLDEN / "actions.txt").read_text(encoding="utf-8").partition("=== summary\n")[2]
    compare_with_stored("classroom", annotations=seen["annotations"], points="/".join(points))


@pytest.mark.parametrize("pushed", ["check-only"], indirect=True)
def test_check_only_a_push_says_how_answers_were_read_and_no_points(pushed: Machine) -> None:
    given: list[Outputs] = []
    run = pushed.stand_ins[ACTION.partition("@")[0]]
    noted = {ACTION.partition("@")[0]: lambda *arguments: given.append(run(*arguments)) or given[-1]}
    pushed.stand_ins = {**pushed.stand_ins, **noted}
    pushed.job(pushed.workspace / ".github/workflows/autograde.yml")
    assert not pushed.failed, pushed.log
    assert (given[0]["points"], given[0]["max-points"]) == ("0", "0")
    compare_with_stored("check_only", **as_told(pushed))


@pytest.mark.parametrize("pushed", ["classroom50/student"], indirect=True)
def test_on_classroom50_the_autograder_writes_a_result_and_a_page(pushed: Machine, repositories: Path) -> None:
    autograder = repositories / "classroom50/staff/autograders/classroom50/autograder.py"
    python = python_without_pip(pushed.temporary)
    given = pushed.command([str(python), "-c", AUTOGRADER, str(python), str(autograder)], CLASSROOM50)
    assert not pushed.failed, pushed.log
    assert installed(pushed)[-1] == "roofline-grader @ https://github.com/my-org/roofline-grader/archive/v1.zip"
    result = json.loads((pushed.workspace / "result.json").read_text(encoding="utf-8"))
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", result.pop("graded_at"))
    assert result["score"] == sum(test["score"] for test in result["tests"])
    assert given["status"] == "failure"
    page = (pushed.workspace / "release-body.md").read_text(encoding="utf-8")
    stored = json.dumps(result, indent=1, ensure_ascii=False)
    assert page.startswith("## All about rooflines: 5 of 22 points\n")
    compare_with_stored("classroom50", **as_told(pushed), result=stored, outputs=json.dumps(given))


GRADING = ["actions/checkout@v4", "actions/setup-python@v5", "Install the grader", "Take up where the last run was"]
GRADING += ["Collect", "Grade", "Post", "Keep for the next run", "Keep the grades for a week"]


@pytest.mark.skipif(shutil.which("git") is None, reason="repositories are cloned")
def test_the_staffs_workflow_grades_what_was_pushed_and_tells_the_student_once(
    repositories: Path, tmp_path: Path, cache: Path
) -> None:
    hub = Hub.made(tmp_path / "github")
    hub.push("2026-10-02T09:00:00Z", {f"{SLUG}-ada": {"answers.yaml": "answers:\n  q4:\n    flops: B*(2*B*D*F)\n"}})
    workspace, temporary = tmp_path / "checkout", tmp_path / "temp"
    shutil.copytree(repositories / "staff", workspace)
    temporary.mkdir()
    python_without_pip(temporary)
    environment = {**plain_environment(cache), "PATH": f"{temporary}{os.pathsep}{GRADER.parent}{os.pathsep}{hub.path}"}
    for told in (1, 0):
        machine = Machine(workspace, temporary, environment, STAND_INS)
        machine.job(workspace / ".github/workflows/grade.yml")
        assert not machine.failed, machine.log
        assert machine.ran == GRADING
        assert f"Comments: {told} created, 0 updated, {1 - told} left alone, 0 could not be posted" in machine.log
    assert installed(machine)[-1] == "roofline-grader @ https://github.com/my-org/roofline-grader/archive/v1.zip"
    (comment,) = hub.repository("ada")["comments"] or hub.repository("ada")["issues"]
    assert "The batch axis was counted twice" in comment["body"]
    assert len(hub.repository("ada")["statuses"]) == 1


@pytest.mark.parametrize(
    ("event", "post", "variable", "posts"),
    [
        ("schedule", "", "", False),
        ("schedule", "", "yes", True),
        ("workflow_dispatch", "true", "", True),
        ("workflow_dispatch", "false", "yes", False),
    ],
)
def test_nothing_is_posted_before_somebody_looked(
    repositories: Path, event: str, post: str, variable: str, posts: bool
) -> None:
    (job,) = workflow(repositories / "staff/.github/workflows/grade.yml")["jobs"].values()
    (step,) = (step for step in job["steps"] if step.get("name") == "Post")
    contexts = {"github": {"event_name": event}, "inputs": {"post": post}, "vars": {"POST": variable}}
    assert value(step["if"], contexts) is posts


def test_outputs_are_read_as_the_runner_reads_them() -> None:
    assert outputs_in("a=1=2\nb<<END\nx\na=3\nEND\n") == {"a": "1=2", "b": "x\na=3"}

"""Templates for a class: what is in them, what is not, and workflow files that hold together."""

import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest
import yaml

from grader.classroom import names
from grader.classroom.staff_template import Class, staff_template
from grader.classroom.template import Wanted, template
from grader.cli import commands
from grader.course import LoadedCourse, load_course
from grader.errors import SpecError
from tests.conftest import ROOT
from tests.e2e.actions import workflow
from tests.e2e.repositories import ACTION, files_in, init

ACTION_FILE = ROOT / "action.yml"
WORKFLOWS = {
    "actions": "actions/.github/workflows/autograde.yml",
    "classroom": "classroom/.github/workflows/autograde.yml",
    "check-only": "check-only/.github/workflows/autograde.yml",
    "staff": "staff/.github/workflows/grade.yml",
}
OTHERS = {  # actions of others that may be used, with the outputs that they have
    "actions/checkout": set(),
    "actions/setup-python": {"python-version", "python-path", "cache-hit"},
    "actions/cache": {"cache-hit"},
    "actions/cache/restore": {"cache-hit"},
    "actions/cache/save": set(),
    "actions/upload-artifact": {"artifact-id", "artifact-url"},
    "classroom-resources/autograding-grading-reporter": set(),
}


@pytest.fixture(autouse=True)
def compiled_once(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache))


@pytest.fixture
def made(repositories: Path) -> Path:
    return repositories


@pytest.fixture
def loaded(shared_cache: None) -> LoadedCourse:
    return load_course()


# --- workflow files ---------------------------------------------------------------------------------------------------


def step_lists(made: Path) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """The steps of every job, and of the action."""
    for name, place in WORKFLOWS.items():
        for job in workflow(made / place)["jobs"].values():
            yield name, job["steps"]
    yield "action", workflow(ACTION_FILE)["runs"]["steps"]


def outputs_of(step: dict[str, Any]) -> set[str]:
    """The outputs that a step is known to have."""
    if "run" in step:
        own = set(re.findall(r'echo "([\w-]+)=.*GITHUB_OUTPUT', step["run"]))
        return own | ({"result", "points", "max-points", "status"} if "grader ci" in step["run"] else set())
    used = step["uses"].partition("@")[0]
    return set(workflow(ACTION_FILE)["outputs"]) if used == ACTION.partition("@")[0] else OTHERS[used]


def test_a_workflow_may_read_and_nothing_else_and_comes_to_an_end(made: Path) -> None:
    for place in WORKFLOWS.values():
        found = workflow(made / place)
        assert found["permissions"] == {"contents": "read"}
        assert found["concurrency"]["cancel-in-progress"] == str("staff" not in place).lower()
        for job in found["jobs"].values():
            assert "permissions" not in job
            assert 0 < int(job["timeout-minutes"]) <= 120


def test_students_workflows_run_on_every_push_and_by_hand(made: Path) -> None:
    for name in ("actions", "classroom", "check-only"):
        events = workflow(made / WORKFLOWS[name])["on"]
        assert not events["push"]  # every branch: a class may call its own as it likes
        assert set(events) - {"push", "workflow_dispatch"} == (
            {"repository_dispatch"} if name == "classroom" else set()
        )
    (job,) = workflow(made / WORKFLOWS["classroom"])["jobs"].values()
    assert job["if"] == "github.actor != 'github-classroom[bot]'"


def test_what_a_step_refers_to_is_an_output_of_an_earlier_step(made: Path) -> None:
    for name, steps in step_lists(made):
        known: dict[str, set[str]] = {}
        for step in steps:
            for id_, output in re.findall(r"steps\.([\w-]+)\.outputs\.([\w-]+)", str(step)):
                assert output in known.get(id_, ()), f"{name}: {step}"
            if "id" in step:
                assert step["id"] not in known
                known[step["id"]] = outputs_of(step)


def test_the_outputs_of_the_action_are_those_of_its_steps() -> None:
    action = workflow(ACTION_FILE)
    known = {step["id"]: outputs_of(step) for step in action["runs"]["steps"] if "id" in step}
    for name, output in action["outputs"].items():
        assert re.fullmatch(r"\$\{\{ steps\.(\w+)\.outputs\.([\w-]+) \}\}", output["value"])
        assert name in known["grade"]


def test_actions_of_others_are_few_and_named_at_a_version(made: Path) -> None:
    for _, steps in step_lists(made):
        for step in steps:
            used, _, version = step.get("uses", "").partition("@")
            assert not used or used in OTHERS or f"{used}@{version}" == ACTION, step
            assert not used or re.fullmatch(r"v\d+", version)


def test_a_workflow_gives_the_action_inputs_that_it_has(made: Path) -> None:
    inputs = set(workflow(ACTION_FILE)["inputs"])
    used = [step for _, steps in step_lists(made) for step in steps if step.get("uses") == ACTION]
    assert len(used) == 3
    for step in used:
        assert set(step["with"]) <= inputs
    read = re.findall(r"inputs\.([\w-]+)", ACTION_FILE.read_text(encoding="utf-8"))
    assert set(read) == inputs


def test_the_reporter_is_told_of_the_step_that_writes_the_result(made: Path) -> None:
    (job,) = workflow(made / WORKFLOWS["classroom"])["jobs"].values()
    *_, reporter = job["steps"]
    ids = reporter["with"]["runners"].split(",")
    assert ids == [step["id"] for step in job["steps"] if step.get("uses") == ACTION]
    assert reporter["env"] == {f"{id_.upper()}_RESULTS": f"${{{{ steps.{id_}.outputs.result }}}}" for id_ in ids}
    assert reporter["if"] == "always()"


def test_scripts_are_sound_and_nothing_is_pasted_into_them(made: Path) -> None:
    for _, steps in step_lists(made):
        for step in steps:
            if "run" in step:
                assert "${{" not in step["run"]
                assert step.get("shell", "bash") == "bash"
                subprocess.run(["bash", "-n", "-c", step["run"]], check=True, timeout=10)


def test_the_token_is_there_where_github_is_asked_and_nowhere_else(made: Path) -> None:
    (job,) = workflow(made / WORKFLOWS["staff"])["jobs"].values()
    with_token = [step["name"] for step in job["steps"] if "secrets." in str(step)]
    assert with_token == ["Collect", "Post"]
    assert "secrets." not in str({**job, "steps": []})
    for name in ("actions", "classroom", "check-only"):
        assert "secrets." not in (made / WORKFLOWS[name]).read_text(encoding="utf-8")


def test_what_is_kept_between_runs_is_saved_as_it_is_restored_and_found_again(made: Path) -> None:
    (job,) = workflow(made / WORKFLOWS["staff"])["jobs"].values()
    restored, saved = (step["with"] for step in job["steps"] if step.get("uses", "").startswith("actions/cache/"))
    assert (restored["path"], restored["key"]) == (saved["path"], saved["key"])
    assert saved["key"].startswith(restored["restore-keys"])


def test_commands_in_workflows_and_readmes_are_commands(made: Path) -> None:
    texts = [step["run"] for _, steps in step_lists(made) for step in steps if "run" in step]
    texts += [path.read_text(encoding="utf-8") for path in made.rglob("README.md")]
    found = re.findall(r"(?:^ {4}|^|bin/|-m )grader ([^`|\n]*)", "\n".join(texts), re.MULTILINE)
    assert len(found) >= 10
    for words in (line.split() for line in found):
        command = commands.get_command(click.Context(commands), words.pop(0))
        if isinstance(command, click.Group):
            command = command.get_command(click.Context(command), words.pop(0))
        assert command, words
        options = {name for one in command.params for name in one.opts}
        assert {word for word in words if re.match("--?[a-z]", word)} <= options, words


def test_actionlint_finds_nothing(made: Path) -> None:
    program = shutil.which("actionlint")
    if program is None:
        pytest.skip("actionlint is not on the path")
    files = [str(made / place) for place in WORKFLOWS.values()]
    run = subprocess.run([program, *files], capture_output=True, text=True, timeout=60, check=False)
    assert run.returncode == 0, run.stdout + run.stderr


# --- what is in them --------------------------------------------------------------------------------------------------


def test_a_students_repository_has_the_questions_and_no_key(made: Path) -> None:
    for name in ("actions", "classroom", "check-only", "classroom50/student"):
        files = files_in(made / name)
        wanted = {"answers.yaml", "README.md", ".gitignore", ".gitattributes"}
        wanted |= set() if "50" in name else {".github/workflows/autograde.yml"}
        wanted |= {"course/edition.json"} if name == "check-only" else set()
        assert set(files) == wanted
        assert list(yaml.safe_load(files["answers.yaml"])["answers"]) == ["q1-int8-matmul", "q4-batched-matmul"]
        assert ("grader ci answers.yaml" in files["README.md"]) == (name != "check-only")
        assert "How many operations are performed?" in files["answers.yaml"]
        assert not re.search(r"solution:|mistake:|tolerance|#%|<<\w", "".join(files.values()))


def test_platforms_differ_in_the_workflow_alone(made: Path) -> None:
    plain, classroom = files_in(made / "actions"), files_in(made / "classroom")
    assert {path for path in plain if plain[path] != classroom[path]} == {".github/workflows/autograde.yml"}
    other = files_in(made / "classroom50/student")
    assert {path for path in other if plain[path] != other[path]} == {"README.md"}


def test_on_classroom50_the_staff_get_an_autograder_of_their_own(made: Path) -> None:
    assert set(files_in(made / "classroom50/staff")) == {"autograders/classroom50/autograder.py"}


def test_the_staffs_course_is_whole_and_asks_what_was_asked_for(made: Path) -> None:
    files = files_in(made / "staff")
    own = {"README.md", "roster.csv", ".gitignore", ".gitattributes", ".github/workflows/grade.yml"}
    copied = {f"course/{path.name}" for path in (ROOT / "exercises").glob("*.yaml")}
    assert set(files) == own | copied | {"course/coincidences.json"}
    course = load_course(made / "staff/course").course
    assert [exercise.id for exercise in course.exercises] == ["q1-int8-matmul", "q4-batched-matmul"]
    assert workflow(made / WORKFLOWS["staff"])["env"] == {
        "GRADER": names.action(ACTION).requirement,
        "ORG": "example-org",
        "PREFIX": "rooflines-1-",
    }


def wanted(loaded: LoadedCourse, **options: Any) -> Wanted:
    return Wanted(loaded=loaded, action=names.action(ACTION), **{"platform": "actions", **options})


def test_a_course_of_ones_own_goes_along_with_a_warning(loaded: LoadedCourse, tmp_path: Path) -> None:
    found = template(wanted(loaded, own=True), tmp_path)
    assert {"course/course.yaml", "course/mistakes.yaml"} <= set(found.files)
    assert found.notes[0].startswith("STUDENTS CAN READ THE KEY")
    assert b"course: course\n" in found.files[".github/workflows/autograde.yml"]
    found = template(wanted(loaded, own=True, check_only=True), tmp_path)
    assert [path for path in found.files if path.startswith("course/")] == ["course/edition.json"]
    assert found.notes == ()
    (note,) = template(wanted(loaded, check_only=True), tmp_path).notes
    assert note.startswith("The key of the packaged course is public")


def test_a_course_with_a_secret_is_never_copied(tiny: LoadedCourse, tmp_path: Path) -> None:
    assert tiny.course.secret_env
    with pytest.raises(SpecError, match=r"this course has a secret .* add --check-only"):
        template(wanted(tiny, own=True), tmp_path)


def test_the_staffs_workflow_has_the_courses_secret_where_it_grades(tiny: LoadedCourse, tmp_path: Path) -> None:
    made = staff_template(tiny, Class(org="o", prefix="p"), names.action(ACTION), "")
    place = tmp_path / "grade.yml"
    place.write_bytes(made[".github/workflows/grade.yml"])
    (job,) = workflow(place)["jobs"].values()
    secret = tiny.course.secret_env
    assert [step["name"] for step in job["steps"] if f"secrets.{secret} " in str(step)] == ["Grade"]
    assert secret in made["README.md"].decode()


def test_a_title_is_text_and_no_markup(loaded: LoadedCourse, tmp_path: Path) -> None:
    title = "Week *1*\n## <b>[x](y)</b>"
    found = template(wanted(loaded, title=title), tmp_path).files["README.md"].decode()
    head, *rest = found.splitlines()
    assert head.startswith("# Week \\*1\\*")
    assert rest[:2] == ["", "The questions are in [answers.yaml](answers.yaml). Write each answer behind its colon, "
                        "commit the file, and push it."]  # fmt: skip


# --- refusals ---------------------------------------------------------------------------------------------------------


def test_a_folder_with_something_in_it_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(SpecError, match="something is in this folder already"):
        init(tmp_path, "--exercises", "q1")
    assert files_in(tmp_path) == {"notes.txt": "mine"}


@pytest.mark.parametrize(
    ("options", "what"),
    [
        (["--staff"], "--staff needs --org and --prefix"),
        (["--org", "o"], "--org and --prefix go with --staff"),
        (["--staff", "--org", "o", "--prefix", "p", "--check-only"], "leave them out with --staff"),
    ],
)
def test_options_that_do_not_go_together_are_refused(options: list[str], what: str, tmp_path: Path) -> None:
    with pytest.raises(click.UsageError, match=what):
        init(tmp_path / "new", *options)
    assert not (tmp_path / "new").exists()


def test_what_to_do_next_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    init(tmp_path / "rooflines-1", "--exercises", "q1", "--for", "classroom50")
    told = capsys.readouterr().out
    assert "Written: " in told
    assert "your-organisation/roofline-grader@v" in told
    assert "as the template of the assignment rooflines-1" in told

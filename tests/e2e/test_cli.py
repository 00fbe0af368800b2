"""The command line end to end: verbs, exit codes, errors in words."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import pytest

from grader.cli import commands
from tests import tiny
from tests.e2e.conftest import GRADER, ROOT, Run
from tests.e2e.small import runner

ANSWERS = """\
student: s1024
answers:
  q4-batched-matmul:
    flops: 'B*(2*B*D*F)'
    bytes: BD + BDF + BF
    intensity: 2BDF/(BD + BDF + BF)
    leading: "2"
    bound: never
"""


@pytest.fixture
def answers(tmp_path: Path) -> Path:
    path = tmp_path / "answers.yaml"
    path.write_text(ANSWERS, encoding="utf-8")
    return path


def results(run: "subprocess.CompletedProcess[str]") -> dict[str, object]:
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)["results"][0]  # type: ignore[no-any-return]


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory, cache: Path) -> tuple[Path, dict[str, Any]]:
    """The folder that these answers were graded into, and what was printed meanwhile."""
    folder = tmp_path_factory.mktemp("graded")
    (folder / "answers.yaml").write_text(ANSWERS, encoding="utf-8")
    run = runner(cache)("grade", "answers.yaml", "--format", "json", "-o", "out", cwd=folder, env={})
    assert run.returncode == 0, run.stderr
    return folder / "out", json.loads(run.stdout)


def test_grading_a_file_prints_a_report_and_exits_with_0(grader: Run, answers: Path) -> None:
    run = grader("grade", answers)
    assert run.returncode == 0
    assert "s1024" in run.stdout
    assert run.stderr == ""


def test_json_has_the_fields_that_other_programs_rely_on(graded: tuple[Path, dict[str, Any]]) -> None:
    _, book = graded
    assert book["schema"] == 1
    assert {"course", "grader", "results"} <= book.keys()
    result = book["results"][0]
    assert {"student", "source", "status", "points", "max_points", "exercises"} <= result.keys()
    assert result["student"] == "s1024"
    part = result["exercises"][3]["parts"][0]
    assert {
        "id", "verdict", "points", "max_points", "response", "read_as", "relation", "ratio", "mistakes",
        "alternatives", "follow_through", "remarks", "feedback", "line",
    } <= part.keys()  # fmt: skip
    assert part["verdict"] == "incorrect"
    assert part["mistakes"] == ["batch-counted-twice"]
    assert part["ratio"] == "B"
    assert part["line"] == 4


def test_points_are_integers_and_add_up(graded: tuple[Path, dict[str, Any]]) -> None:
    (result,) = graded[1]["results"]
    assert isinstance(result["points"], int)
    assert result["points"] == sum(e["points"] for e in result["exercises"])
    for exercise in result["exercises"]:
        assert exercise["points"] == sum(p["points"] for p in exercise["parts"])


def test_parts_never_answered_are_missing(graded: tuple[Path, dict[str, Any]]) -> None:
    (result,) = graded[1]["results"]
    assert {p["verdict"] for p in result["exercises"][0]["parts"]} == {"missing"}


def test_reports_are_written_to_a_folder(grader: Run, answers: Path, tmp_path: Path) -> None:
    run = grader("grade", answers, "-o", tmp_path / "out")
    assert run.returncode == 0, run.stderr
    assert "index.html" in run.stdout
    assert json.loads((tmp_path / "out" / "results.json").read_text())["schema"] == 1
    assert any((tmp_path / "out").glob("*s1024*.html"))


def test_json_goes_to_stdout_and_to_the_folder(graded: tuple[Path, dict[str, Any]]) -> None:
    folder, printed = graded
    assert printed == json.loads((folder / "results.json").read_text(encoding="utf-8"))


def test_a_grade_below_the_pass_mark_exits_with_1(grader: Run, answers: Path) -> None:
    assert grader("grade", answers, "--pass-mark", "90%").returncode == 1
    assert grader("grade", answers, "--pass-mark", "1").returncode == 0


def test_an_odd_pass_mark_or_no_exercise_at_all_is_a_usage_error(grader: Run, answers: Path) -> None:
    run = grader("grade", answers, "--pass-mark", "most")
    assert run.returncode == 2
    assert "pass-mark" in run.stderr
    run = grader("check", answers, "--exercises", ",")  # not all of them
    assert run.returncode == 2
    assert "ids of exercises are expected" in run.stderr


def test_submissions_that_could_not_be_graded_exit_with_3_even_below_the_pass_mark(
    grader: Run, answers: Path, tmp_path: Path
) -> None:
    bad = tmp_path / "bad.yaml"
    bad.write_bytes(b"\0\0")
    run = grader("grade", answers, bad, "--pass-mark", "100%", "--format", "json")
    assert run.returncode == 3
    statuses = {r["student"]: r["status"] for r in json.loads(run.stdout)["results"]}
    assert statuses["s1024"] == "graded"
    assert "unreadable" in statuses.values()


def test_a_file_that_does_not_exist_is_one_line_of_error(grader: Run) -> None:
    run = grader("grade", "nothing.yaml")
    assert run.returncode == 2
    assert len(run.stderr.splitlines()) == 1
    assert "nothing.yaml" in run.stderr
    assert "Traceback" not in run.stderr


def test_a_fault_in_a_spec_is_told_with_file_and_line(grader: Run, answers: Path, course: Path) -> None:
    path = course / "q4_batched_matmul.yaml"
    lines = path.read_text(encoding="utf-8").splitlines()
    number = next(i for i, line in enumerate(lines, 1) if line.strip().startswith("points:"))
    lines[number - 1] = lines[number - 1].replace("points:", "pionts:")
    path.write_text("\n".join(lines), encoding="utf-8")
    run = grader("grade", answers, "--course", course)
    assert run.returncode == 2
    assert f"q4_batched_matmul.yaml:{number}" in run.stderr
    assert "points" in run.stderr
    assert "Traceback" not in run.stderr


def test_a_course_of_ones_own_is_graded_with(grader: Run, answers: Path, tmp_path: Path) -> None:
    course = tiny.write(tmp_path / "course", course=("title: Tiny", "title: My own course"))
    run = grader("grade", answers, "--course", course, env={"TINY_SECRET": "s"})
    assert run.returncode == 0, run.stderr
    assert "My own course" in run.stdout


def test_a_folder_without_a_course_is_refused(grader: Run, answers: Path, tmp_path: Path) -> None:
    run = grader("grade", answers, "--course", tmp_path)
    assert run.returncode == 2
    assert "course.yaml" in run.stderr


@pytest.mark.skipif(os.name == "nt", reason="pipes close in another way on Windows")
def test_a_closed_pipe_is_no_error(answers: Path) -> None:
    command = f"'{GRADER}' grade '{ROOT / 'submissions_example'}' --jobs 1 | true; exit ${{PIPESTATUS[0]}}"
    run = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=120, check=False)
    assert run.returncode in (0, 3)
    assert "Traceback" not in run.stderr
    assert "BrokenPipe" not in run.stderr


@pytest.mark.skipif(os.name == "nt", reason="streams close in another way on Windows")
@pytest.mark.parametrize("verb", ["grade", "check"])
def test_an_output_that_is_closed_from_the_start_is_no_error(answers: Path, verb: str) -> None:
    command = f"'{GRADER}' {verb} '{answers}' >&-"
    run = subprocess.run(["sh", "-c", command], capture_output=True, text=True, timeout=120, check=False)
    assert (run.returncode, run.stderr) == (0, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_one_line_of_error(answers: Path) -> None:
    command = f"'{GRADER}' grade '{answers}' > /dev/full"
    run = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=120, check=False)
    assert run.returncode == 2
    assert len(run.stderr.splitlines()) == 1


@pytest.mark.parametrize("verb", ["grade", "check", "new", "compare", "lint", "schema"])
def test_every_verb_has_help_with_an_example(grader: Run, verb: str) -> None:
    run = grader(verb, "--help")
    assert run.returncode == 0
    assert f"grader {verb}" in run.stdout.split("Usage:")[1]


def test_without_a_verb_the_help_is_shown_as_it_is_and_no_line_of_it_is_cut(grader: Run) -> None:
    run = grader()
    assert run.returncode == 2
    listed = run.stderr.split("Commands:\n")[1].splitlines()
    assert len(listed) == len(commands.list_commands(click.Context(commands)))
    assert not [line for line in listed if line.endswith("...")]


def test_a_mistyped_verb_or_option_exits_with_2(grader: Run) -> None:
    assert grader("grad").returncode == 2
    assert grader("grade", "--formt", "json", "x").returncode == 2


def test_check_shows_how_answers_are_read_and_no_verdict(grader: Run, answers: Path) -> None:
    run = grader("check", answers)
    assert run.returncode == 0, run.stderr
    assert "2*B*D*F/(B*D + B*D*F + B*F)" in run.stdout
    assert "correct" not in run.stdout


def test_check_points_at_what_cannot_be_read(grader: Run, tmp_path: Path) -> None:
    path = tmp_path / "answers.yaml"
    path.write_text("answers:\n  q4:\n    flops: 2bdf\n", encoding="utf-8")
    run = grader("check", path)
    assert run.returncode == 1
    assert "2bdf" in run.stdout
    assert "^" in run.stdout


def test_new_writes_a_file_that_grades_as_missing(grader: Run, tmp_path: Path) -> None:
    assert grader("new", "q1,q5", "-o", tmp_path / "answers.yaml").returncode == 0
    text = (tmp_path / "answers.yaml").read_text(encoding="utf-8")
    assert "q1-int8-matmul:" in text
    assert "q5-h100:" in text
    assert "loaded:" in text
    result = json.loads(grader("grade", tmp_path / "answers.yaml", "--format", "json").stdout)["results"][0]
    assert {p["verdict"] for e in result["exercises"] for p in e["parts"]} == {"missing"}
    assert result["remarks"] == []


def test_new_never_overwrites(grader: Run, answers: Path) -> None:
    run = grader("new", "q1", "-o", answers)
    assert run.returncode != 0
    assert answers.read_text(encoding="utf-8") == ANSWERS


def test_new_refuses_an_exercise_that_is_not_there_and_suggests_one(grader: Run) -> None:
    run = grader("new", "q1-int8-matmull")
    assert run.returncode == 2
    assert "q1-int8-matmul" in run.stderr


def test_compare_decides_two_texts(grader: Run) -> None:
    run = grader("compare", "2BDF/(BD+DF+BF)", "2B", "--symbols", "B,D,F", "--regime", "B << D, F", "--json")
    found = json.loads(run.stdout)
    assert (found["verdict"], found["relation"]) == ("correct", "leading_order")


def test_compare_runs_as_a_module_too(answers: Path) -> None:
    command = [sys.executable, "-m", "grader", "compare", "2B", "B", "--symbols", "B", "--json"]
    run = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True, cwd=ROOT)
    found = json.loads(run.stdout)
    assert (found["verdict"], found["ratio"]) == ("incorrect", "2")


def test_a_solution_that_cannot_be_read_is_the_callers_fault(grader: Run) -> None:
    run = grader("compare", "2B", "2*", "--symbols", "B")
    assert run.returncode == 2
    assert "2*" in run.stderr


@pytest.mark.parametrize("what", ["exercise", "course", "mistakes", "submission", "result"])
def test_schemas_are_printed(grader: Run, what: str) -> None:
    schema = json.loads(grader("schema", what).stdout)
    assert "properties" in schema or "$defs" in schema


def test_a_module_in_the_submissions_folder_is_never_imported(tmp_path: Path, answers: Path) -> None:
    for name in ("yaml", "jinja2", "click", "sitecustomize", "reference", "exercises"):
        (tmp_path / f"{name}.py").write_text("open('PWNED', 'w').close()\n", encoding="utf-8")
    for command in ([str(GRADER)], [sys.executable, "-m", "grader"]):
        run = subprocess.run(
            [*command, "grade", "answers.yaml"], cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False
        )
        assert run.returncode == 0, run.stderr
    assert not (tmp_path / "PWNED").exists()


def test_a_spec_in_the_submissions_folder_is_never_used(grader: Run, answers: Path, tmp_path: Path) -> None:
    (tmp_path / "course.yaml").write_text("id: mine\n", encoding="utf-8")
    (tmp_path / "exercises").mkdir()
    run = grader("grade", answers)
    assert run.returncode == 0, run.stderr


def test_output_falls_back_to_ascii_where_the_terminal_knows_no_more(grader: Run, answers: Path) -> None:
    env = {"PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii", "LC_ALL": "C"}
    run = grader("grade", answers, env=env)
    assert run.returncode == 0, run.stderr
    assert run.stdout.isascii()


def test_results_do_not_depend_on_hash_seed_or_locale(grader: Run, answers: Path) -> None:
    first, second = (
        grader("grade", answers, "--format", "json", env={"PYTHONHASHSEED": seed, "LC_ALL": "C", "TZ": zone})
        for seed, zone in (("0", "UTC"), ("1", "Asia/Tokyo"))
    )
    assert first.returncode == second.returncode == 0, first.stderr + second.stderr
    assert first.stdout == second.stdout


SLOW = (
    "sympy", "mpmath", "matplotlib", "numpy", "pydantic", "rich", "reference", "markdown_it",
    "urllib.request", "http.client", "email", "asyncio",
)  # fmt: skip


@pytest.mark.parametrize("form", ["txt", "json"])
def test_grading_from_the_cache_imports_nothing_slow(grader: Run, answers: Path, cache: Path, form: str) -> None:
    grader("grade", answers)
    code = (
        f"import sys; sys.argv = ['grader', 'grade', 'answers.yaml', '--format', {form!r}]\n"
        "from grader.cli import main\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        f"print(sorted(set({SLOW}) & set(sys.modules)), file=sys.stderr)"
    )
    code = code.replace("'asyncio'", "'asyncio', 'jinja2'") if form == "json" else code  # no report, no templates
    env = {**os.environ, "XDG_CACHE_HOME": str(cache)}
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=answers.parent, env=env, capture_output=True, text=True, check=True
    )
    assert run.stderr.strip() == "[]"

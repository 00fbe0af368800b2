"""A course handed out as its student edition, through the command line."""

import shutil
from pathlib import Path

from grader.release import LEFT_OUT
from tests.e2e.conftest import ROOT, Run


def test_an_edition_is_enough_to_check_answers_and_not_to_grade_them(grader: Run, tmp_path: Path) -> None:
    run = grader("release", "edition", "--exercises", "q1,q4,q5")
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout.splitlines() == [
        *(f"Written: {Path('edition', name)}" for name in ("edition.json", "README.md", "answers.yaml")),
        "3 exercises, 17 parts: prompts, symbols, answer types, units, regimes, points",
        f"Left out: {LEFT_OUT}",
        "To check answers against it: grader check answers.yaml --course edition",
    ]
    shutil.copy(ROOT / "submissions_example" / "b_squared" / "answers.yaml", tmp_path)
    full = grader("check", "answers.yaml", "--exercises", "q1,q4,q5")
    short = grader("check", "answers.yaml", "--course", "edition", "--exercises", "q1,q4,q5")
    assert "q4-batched-matmul flops" in full.stdout
    assert "q2-mixed-matmul flops" not in full.stdout
    unknown = [line for line in short.stdout.splitlines() if "unknown exercise 'q" in line]
    assert [line for line in short.stdout.splitlines() if line not in unknown] == full.stdout.splitlines()
    refused = grader("grade", "answers.yaml", "--course", "edition")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert refused.stderr == (
        "grader: edition: this is a student edition, which has no keys: answers can be checked against it, not graded\n"
    )


def test_a_folder_of_repositories_made_from_an_edition_is_graded_by_its_answer_files_alone(
    grader: Run, tmp_path: Path
) -> None:
    grader("release", tmp_path / "class" / "ada")
    shutil.copytree(tmp_path / "class" / "ada", tmp_path / "class" / "bob")
    run = grader("grade", "class", "--dry-run")
    assert run.stdout.splitlines()[-2] == "2 submissions: 2 to grade"
    assert run.stdout.count("answers.yaml") == 2
    assert "README.md" not in run.stdout

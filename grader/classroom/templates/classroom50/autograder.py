"""Grades a submission on Classroom 50: installs the grader and runs `grader ci` in the student's checkout.

Exit code 0 says that result.json tells what became of the submission, whatever the score; any other is a failure.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

GRADER = "<<requirement>>"
COURSE = "<<course_folder>>"  # beside this file; without one, the course that comes with the grader
EXERCISES = "<<only>>"


def arguments() -> list[str]:
    """How the grader is called."""
    course = ["--course", str(Path(__file__).resolve().parent / COURSE)] if COURSE else []
    exercises = ["--exercises", EXERCISES] if EXERCISES else []
    return ["ci", "answers.yaml", "--platform", "classroom50", *course, *exercises]


def install(folder: str) -> None:
    """Put the grader into the folder. Nothing that lies in the student's checkout is imported (-I)."""
    pip = [sys.executable, "-I", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "--no-compile", "--target", folder, GRADER], check=True, timeout=420)


def grade(folder: str) -> int:
    """The exit code of the grader from that folder; it imports nothing from the student's checkout either (-P)."""
    environment = {**os.environ, "PYTHONPATH": folder, "PYTHONUTF8": "1"}
    command = [sys.executable, "-P", "-m", "grader", *arguments()]
    return subprocess.run(command, check=False, env=environment, timeout=300).returncode


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as packages:
        install(packages)
        code = grade(packages)
    sys.exit(code)

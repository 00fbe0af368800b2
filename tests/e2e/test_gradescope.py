"""The autograder's zip as it is made and as Gradescope uses it: set up once, then run for each submission."""

import json
import os
import platform
import shutil
import stat
import subprocess
import sys
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from grader.course import chosen, load_course
from grader.errors import GraderError
from grader.gradescope import wheels
from grader.gradescope.build import build
from tests import tiny
from tests.cases.hostile_submissions import CANARY
from tests.e2e.conftest import Run
from tests.e2e.small import runner
from tests.gradescope import valid

pytestmark = pytest.mark.skipif(os.name == "nt", reason="the autograder is a Linux machine")

HERE = ".".join(map(str, sys.version_info[:2]))
POINTS = 8
METADATA = {
    "id": 900001,
    "created_at": "2026-10-02T02:14:41.365935-07:00",
    "assignment": {"due_date": "2026-10-03T23:00:00-07:00", "late_due_date": None, "total_points": "8.0"},
    "users": [{"email": "s1024@example.org", "id": 42, "name": "Ada Example"}],
    "previous_submissions": [],
}
ANSWERS = "student: s1024@example.org\nq4-batched-matmul:\n  flops: B*(2*B*D*F)\n  bytes: BD + Bf\n  leading: 2\n"


@dataclass(frozen=True)
class Autograder:
    """The zip laid out as Gradescope does it."""

    root: Path

    @staticmethod
    def of(zipped: Path, root: Path) -> "Autograder":
        """Unpack the zip with its modes."""
        with zipfile.ZipFile(zipped) as archive:
            for info in archive.infolist():
                os.chmod(archive.extract(info, root / "source"), info.external_attr >> 16)
        shutil.copy(root / "source" / "run_autograder", root)
        return Autograder(root)

    def run(self, script: Path, **variables: str) -> "subprocess.CompletedProcess[str]":
        """Run a script; pip reaches no index."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith("PIP_")}
        env = {**kept, "AUTOGRADER_ROOT": str(self.root), "PIP_CONFIG_FILE": os.devnull, "PIP_NO_INDEX": "1"}
        return subprocess.run(
            [script], cwd=self.root, env={**env, **variables}, capture_output=True, text=True, timeout=300, check=False
        )

    def set_up(self, **variables: str) -> "subprocess.CompletedProcess[str]":
        """Run setup.sh."""
        return self.run(self.root / "source" / "setup.sh", **variables)

    def grade(self, files: Mapping[str, str], **metadata: Any) -> dict[str, Any]:
        """What results.json says of a submission with these files."""
        submission = self.root / "submission"
        shutil.rmtree(submission, ignore_errors=True)
        for name, text in files.items():
            path = submission / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        described = json.dumps({**METADATA, **metadata})
        (self.root / "submission_metadata.json").write_text(described, encoding="utf-8")
        run = self.run(self.root / "run_autograder", PYTHONPATH=str(submission))
        assert run.returncode == 0, run.stderr
        return valid(json.loads((self.root / "results" / "results.json").read_bytes()), POINTS)


@pytest.fixture(scope="module")
def zipped(tmp_path_factory: pytest.TempPathFactory, cache: Path) -> Path:
    """The zip for one exercise, without wheels."""
    folder = tmp_path_factory.mktemp("zip")
    options = ("--exercises", "q4", "--reveal", "verdict", "--no-wheels", "-o")
    for name in ("autograder.zip", "again.zip"):
        run = runner(cache)("gradescope", "build", *options, name, cwd=folder, env={})
        assert run.returncode == 0, run.stderr
        assert f"Set the assignment's points to {POINTS}." in run.stdout
    return folder / "autograder.zip"


def test_the_zip_has_its_files_at_the_root_and_is_the_same_each_time(zipped: Path) -> None:
    assert zipped.read_bytes() == (zipped.parent / "again.zip").read_bytes()
    own, _ = wheels.own()
    with zipfile.ZipFile(zipped) as archive:
        modes = {info.filename: stat.S_IMODE(info.external_attr >> 16) for info in archive.infolist()}
        course = json.loads(archive.read("course.json"))["course"]
        scripts = [archive.read(name) for name in ("setup.sh", "run_autograder")]
        asked = archive.read("requirements.txt").decode().splitlines()
        valid(json.loads(archive.read("error.json")), POINTS)
    plain = ("requirements.txt", "course.json", "compiled_pairs.json", "error.json", f"wheels/{own}")
    assert modes == {**dict.fromkeys(("setup.sh", "run_autograder"), 0o755), **dict.fromkeys(plain, 0o644)}
    assert [exercise["id"] for exercise in course["exercises"]] == ["q4-batched-matmul"]
    assert course["reveal"] == [["", "verdict"]]
    assert asked == [f"./wheels/{own}", *wheels.requirements()]
    for text in scripts:
        assert text.startswith(b"#!/usr/bin/env bash\n")
        assert not {b"\r", b"@VERSIONS@"} & set(text.split(b" "))
        assert subprocess.run(["bash", "-n"], input=text, check=False).returncode == 0


def test_a_secret_is_in_the_zip_for_its_owner_alone_and_is_not_printed(grader: Run, tmp_path: Path) -> None:
    options = ("gradescope", "build", "--course", tiny.write(tmp_path / "course"), "--no-wheels")
    refused = grader(*options)
    assert refused.returncode == 2
    assert "TINY_SECRET" in refused.stderr
    run = grader(*options, env={"TINY_SECRET": "s3cret"})
    assert run.returncode == 0, run.stderr
    assert "s3cret" not in run.stdout + run.stderr
    place = tmp_path / "autograder.zip"
    assert stat.S_IMODE(place.stat().st_mode) == 0o600
    with zipfile.ZipFile(place) as archive:
        assert [name for name in archive.namelist() if b"s3cret" in archive.read(name)] == ["secret"]
        assert stat.S_IMODE(archive.getinfo("secret").external_attr >> 16) == 0o600


# --- a rehearsal ------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def autograder(zipped: Path, cache: Path, tmp_path_factory: pytest.TempPathFactory) -> Autograder:
    """Made with wheels for the Python that is here, and set up without an index."""
    if sys.platform != "linux" or platform.machine() != "x86_64":
        pytest.skip("the wheels are for Linux on x86_64, as Gradescope's images are")
    folder = tmp_path_factory.mktemp("gradescope")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(wheels, "PYTHONS", (HERE,))
        patch.setenv("XDG_CACHE_HOME", str(cache))  # where the course was compiled for the zip
        try:
            build(folder / "autograder.zip", chosen(load_course(), ["q4"]), b"")
        except GraderError as error:
            pytest.skip(f"no wheels can be had here: {error}")
    made = Autograder.of(folder / "autograder.zip", folder / "autograder")
    run = made.set_up()
    assert run.returncode == 0, run.stdout + run.stderr
    return made


def test_a_submission_is_graded_as_grade_does_it_and_nothing_in_its_folder_is_run(
    autograder: Autograder, grader: Run, tmp_path: Path
) -> None:
    code = f"open({str(tmp_path / CANARY)!r}, 'w')\n"
    names = ("grader.py", "grader/__init__.py", "click.py", "yaml.py", "sitecustomize.py", "setup.sh", "run_autograder")
    files = {**dict.fromkeys(names[1:], code), "answers.yaml": ANSWERS, "results.json": '{"score": 100}'}
    found, again = autograder.grade(files), autograder.grade(files)
    assert {**found, "execution_time": 0} == {**again, "execution_time": 0}
    assert not (tmp_path / CANARY).exists()
    (tmp_path / "answers.yaml").write_text(ANSWERS, encoding="utf-8")
    (result,) = json.loads(grader("grade", "answers.yaml", "--format", "json").stdout)["results"]
    (exercise,) = (exercise for exercise in result["exercises"] if exercise["id"] == "q4-batched-matmul")
    assert {test["name"]: (test["score"], test["tags"]) for test in found["tests"]} == {
        part["title"] or f"{exercise['id']} {part['id']}": (part["points"], part["mistakes"])
        for part in exercise["parts"]
    }
    assert found["score"] == exercise["points"] > 0
    assert found["tests"][0]["extra_data"] == {"verdict": "invalid"}


def test_what_cannot_be_graded_says_why_first(autograder: Autograder) -> None:
    missing = autograder.grade({"notes.py": "print(1)"})
    unreadable = autograder.grade({"answers.yaml": "[" * 20_000}, users=None, created_at=None)
    assert [found["extra_data"]["status"] for found in (missing, unreadable)] == ["missing", "unreadable"]
    for found in (missing, unreadable):
        assert (found["score"], found["tests"][0]["status"]) == (0, "failed")
    assert unreadable["extra_data"]["notes"]


def test_results_are_there_even_if_the_grader_cannot_start(zipped: Path, tmp_path: Path) -> None:
    found = Autograder.of(zipped, tmp_path / "autograder").grade({"answers.yaml": ANSWERS})
    assert "no mistake of yours" in found["tests"][0]["output"]


def test_where_no_python_fits_setup_installs_one_or_says_what_to_choose(zipped: Path, tmp_path: Path) -> None:
    tools, log = tmp_path / "tools", tmp_path / "log"
    tools.mkdir()
    for name in ("bash", "env", "find", "basename", "mkdir", "ln"):
        (tools / name).symlink_to(str(shutil.which(name)))
    python = tmp_path / "python"
    write_script(python, f"""\
echo "python $*" >> {log}
case "$1 $2" in
  *version_info*) echo 3.12 ;;
  "-m venv") mkdir -p "${{@: -1}}/bin" && ln -s "$0" "${{@: -1}}/bin/python" ;;
esac
""")  # fmt: skip
    autograder = Autograder.of(zipped, tmp_path / "autograder")
    write_script(tools / "apt-get", f'echo "apt-get $*" >> {log}\n[ "$1" = update ]\n')
    refused = autograder.set_up(PATH=str(tools))
    assert refused.returncode == 1
    assert "there is no Python 3.11 3.12" in refused.stderr
    log.unlink()
    installs = f'case "$*" in *"python3.12 "*) ln -s {python} {tools}/python3.12 ;; *install*) exit 100 ;; esac\n'
    write_script(tools / "apt-get", f'echo "apt-get $*" >> {log}\n{installs}')
    run = autograder.set_up(PATH=str(tools))
    assert run.returncode == 0, run.stderr
    did = [line for line in log.read_text(encoding="utf-8").splitlines() if "version_info" not in line]
    assert did == [
        "apt-get update",
        "apt-get install -y --no-install-recommends python3.11 python3.11-venv",
        "apt-get install -y --no-install-recommends python3.12 python3.12-venv",
        "python -c import ensurepip",
        f"python -m venv --clear {autograder.root}/venv",
        "python -m pip install --no-deps --quiet -r requirements.txt",
        "python -I -m grader --version",
    ]


def write_script(path: Path, text: str) -> None:
    """A script that can be run."""
    path.write_text(f"#!/bin/bash\n{text}", encoding="utf-8")
    path.chmod(0o755)

"""The wheel holds all that grading needs, compiled, and grades with nothing else of this project at hand."""

import json
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import ROOT

SLOW = {"sympy", "mpmath", "pydantic", "numpy", "matplotlib"}
GRADE = """\
import sys
sys.argv = ["grader", "grade", "answers.yaml", "--format", "json"]
from grader.cli import main
try:
    main()
except SystemExit as stop:
    code = stop.code
print(code, sys.modules["grader"].__file__, *sorted({name.partition(".")[0] for name in sys.modules}), file=sys.stderr)
"""


def pip(*arguments: str | Path, **options: object) -> None:
    command = [sys.executable, "-m", "pip", *map(str, arguments), "--quiet", "--disable-pip-version-check", "--no-deps"]
    run = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False, **options)  # type: ignore[call-overload]
    assert run.returncode == 0, run.stdout + run.stderr


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from a copy of the sources without network."""
    folder = tmp_path_factory.mktemp("wheel")
    sources = folder / "sources"
    sources.mkdir()
    for name in ("grader", "reference", "exercises"):
        shutil.copytree(ROOT / name, sources / name, ignore=shutil.ignore_patterns("__pycache__", "compiled.json"))
    for name in ("pyproject.toml", "hatch_build.py", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, sources / name)
    pip("wheel", sources, "--no-build-isolation", "--wheel-dir", folder)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path) -> Path:
    """A folder in which nothing but the wheel is installed."""
    target = wheel.parent / "installed"
    pip("install", wheel, "--target", target, "--no-index")
    return target


def names(wheel: Path) -> Iterator[str]:
    with zipfile.ZipFile(wheel) as archive:
        yield from archive.namelist()


def test_the_wheel_holds_code_data_and_templates(wheel: Path) -> None:
    found = set(names(wheel))
    wanted = {"exercises/compiled.json", "grader/py.typed", "reference/py.typed"}
    templates = ("grader/reports/templates/*", "grader/classroom/templates/**/*")
    for pattern in ("exercises/*.yaml", "reference/*.yaml", *templates, "grader/**/*.py"):
        files = {path.relative_to(ROOT).as_posix() for path in ROOT.glob(pattern) if path.is_file()}
        assert files, pattern
        wanted |= files
    assert wanted - found == set()


def test_the_wheel_holds_nothing_of_the_tests_or_of_a_run(wheel: Path) -> None:
    for name in names(wheel):
        assert name.split("/")[0].removesuffix(".dist-info").partition("-")[0] in {
            "grader", "reference", "exercises", "roofline_grader",
        }, name  # fmt: skip
        assert "__pycache__" not in name
        assert not name.endswith((".pyc", ".tmp"))


def test_the_wheel_names_its_licence_and_its_command(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        (metadata,) = (n for n in archive.namelist() if n.endswith(".dist-info/METADATA"))
        (entries,) = (n for n in archive.namelist() if n.endswith(".dist-info/entry_points.txt"))
        assert "License-Expression: Apache-2.0" in archive.read(metadata).decode()
        assert "grader = grader.cli:main" in archive.read(entries).decode()


def test_the_compiled_course_fits_the_files_beside_it(installed: Path, tmp_path: Path) -> None:
    code = """if True:
        import grader.course as c
        folder = c._folder(None)
        print(c._fits(c._read_json(folder / c.COMPILED), c._stamp(folder)))
    """
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(installed)},
        capture_output=True, text=True, timeout=60, check=True,
    )  # fmt: skip
    assert run.stdout.strip() == "True"


def test_the_installed_wheel_grades_from_what_it_ships(installed: Path, tmp_path: Path) -> None:
    shutil.copy(ROOT / "submissions_example" / "seed_first" / "answers.yaml", tmp_path / "answers.yaml")
    cache = tmp_path / "cache"
    env = {**os.environ, "PYTHONPATH": str(installed), "XDG_CACHE_HOME": str(cache), "PYTHONUTF8": "1"}
    run = subprocess.run(
        [sys.executable, "-P", "-c", GRADE],
        cwd=tmp_path,
        env=env,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    code, place, *modules = run.stderr.split()
    assert code == "0"
    assert Path(place).is_relative_to(installed)
    assert SLOW & set(modules) == set()
    assert "reference" not in modules
    (result,) = json.loads(run.stdout)["results"]
    assert (result["student"], result["status"]) == ("seed_first", "graded")
    assert result["points"] > 0
    assert not list(cache.rglob("*.json")), "the course was compiled although it ships compiled"


def test_the_installed_wheel_runs_as_a_module(installed: Path, tmp_path: Path) -> None:
    shutil.copy(ROOT / "submissions_example" / "perfect" / "answers.yaml", tmp_path / "answers.yaml")
    env = {**os.environ, "PYTHONPATH": str(installed), "XDG_CACHE_HOME": str(tmp_path / "cache"), "PYTHONUTF8": "1"}
    command = [sys.executable, "-P", "-m", "grader", "grade", "answers.yaml", "-o", "reports"]
    run = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, timeout=60, check=False)
    assert run.returncode == 0, run.stderr
    assert (tmp_path / "reports" / "index.html").is_file()

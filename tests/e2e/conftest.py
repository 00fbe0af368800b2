"""Runs the real command line, as a user would."""

import os
import shutil
import subprocess
import sysconfig
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
GRADER = Path(sysconfig.get_path("scripts")) / ("grader.exe" if os.name == "nt" else "grader")

Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="session")
def cache(shared_cache: Path) -> Path:
    """A cache folder of the tests' own, shared by all of them, in which the packaged course is compiled already."""
    return shared_cache


@pytest.fixture
def grader(tmp_path: Path, cache: Path) -> Run:
    """A function that runs `grader` with some arguments in an empty folder."""

    def run(*arguments: str | Path, **options: object) -> "subprocess.CompletedProcess[str]":
        env = {**os.environ, "XDG_CACHE_HOME": str(cache), "PYTHONUTF8": "1", **(options.pop("env", None) or {})}  # type: ignore[dict-item]
        folder = options.pop("cwd", tmp_path)
        return subprocess.run(  # type: ignore[call-overload, no-any-return]  # noqa: PLW1510
            [str(GRADER), *map(str, arguments)],
            cwd=folder, env=env, capture_output=True, text=True, encoding="utf-8", timeout=120, **options,
        )  # fmt: skip

    return run


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """A copy of the course to change: the specs alone."""
    folder = tmp_path / "course"
    folder.mkdir()
    for path in (ROOT / "exercises").glob("*.yaml"):
        shutil.copy(path, folder)
    return folder


@pytest.fixture(scope="session")
def repositories(tmp_path_factory: pytest.TempPathFactory, cache: Path) -> Path:
    """A folder with one repository of each kind that `grader classroom init` makes."""
    from tests.e2e.repositories import made_in

    return made_in(tmp_path_factory.mktemp("repositories"), cache)

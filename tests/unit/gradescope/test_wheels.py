"""The grader's own wheel, and those of what it needs."""

import io
import os
import zipfile
from pathlib import Path

import pytest

from grader.errors import GraderError
from grader.gradescope import wheels
from grader.gradescope.wheels import Wheels, fetched, own, requirements


def test_the_own_wheel_is_the_grader_alone_and_its_record_lists_every_file() -> None:
    name, data = own()
    assert own() == (name, data)
    with zipfile.ZipFile(io.BytesIO(data)) as wheel:
        files = wheel.namelist()
        (record,) = (wheel.read(file).decode() for file in files if file.endswith(".dist-info/RECORD"))
        (commands,) = (wheel.read(file).decode() for file in files if file.endswith("entry_points.txt"))
    assert "grader = grader.cli:main" in commands
    assert sorted(line.split(",")[0] for line in record.splitlines()) == sorted(files)
    assert {file.partition("/")[0] for file in files if "dist-info" not in file} == {"grader"}
    assert {"grader/gradescope/run_autograder", "grader/cli/__init__.py"} <= set(files)
    assert not any("__pycache__" in file for file in files)


def test_what_grading_needs_is_asked_for_in_the_versions_that_the_package_states() -> None:
    asked = requirements()
    assert [text.partition(">")[0].lower() for text in asked] == list(wheels.NEEDED)
    assert {"click>=8.1", "pyyaml>=6.0.1"} <= set(asked)


def offered(monkeypatch: pytest.MonkeyPatch, without: tuple[str, ...]) -> list[tuple[str, tuple[str, ...]]]:
    """An index that has a wheel of `pyyaml` for each Python but some; gives what it is asked for."""
    asked: list[tuple[str, tuple[str, ...]]] = []

    def download(folder: Path, version: str, wanted: tuple[str, ...]) -> str:
        asked.append((version, wanted))
        if version in without:
            return "no matching distribution"
        for text in wanted:
            name = text.partition(">")[0].lower()
            tag = f"cp{version.replace('.', '')}-x" if name == "pyyaml" else "py3-none"
            (folder / f"{name}-1.0-{tag}-any.whl").write_bytes(name.encode())
        return ""

    monkeypatch.setattr(wheels, "_download", download)
    return asked


def test_wheels_that_fit_every_python_are_fetched_once_and_a_python_without_wheels_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, told = offered(monkeypatch, ("3.13",)), []
    found = fetched(tmp_path, told.append)
    assert found.pythons == ("3.11", "3.12", "3.14")
    assert [len(wanted) for _, wanted in asked] == [len(wheels.NEEDED) + 1, 1, 1, 1]
    assert set(found.files) == {
        "click-1.0-py3-none-any.whl", "markupsafe-1.0-py3-none-any.whl", "pip-1.0-py3-none-any.whl",
        "platformdirs-1.0-py3-none-any.whl", "pyyaml-1.0-cp311-x-any.whl", "pyyaml-1.0-cp312-x-any.whl",
        "pyyaml-1.0-cp314-x-any.whl",
    }  # fmt: skip
    assert "Left out: no wheels for Python 3.13: no matching distribution" in told
    assert isinstance(found, Wheels)


def test_a_python_of_gradescopes_images_is_never_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    offered(monkeypatch, ("3.12",))
    with pytest.raises(GraderError, match=r"no wheels for Python 3\.12: no matching distribution\n"):
        fetched(tmp_path, lambda _: None)


def test_where_no_wheels_can_be_had_the_error_says_why_and_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable in ("PIP_FIND_LINKS", "PIP_EXTRA_INDEX_URL"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    with pytest.raises(GraderError, match=r"no wheels for Python 3\.11: .*click.*\n.*--no-wheels"):
        fetched(tmp_path, lambda _: None)
    monkeypatch.setattr(wheels.sys, "executable", shadow(tmp_path))
    with pytest.raises(GraderError, match=r"No module named pip\n"):
        fetched(tmp_path, lambda _: None)


def shadow(folder: Path) -> str:
    """A Python without pip."""
    path = folder / "python"
    path.write_text('#!/bin/sh\necho "$0: No module named pip" >&2\nexit 1\n', encoding="utf-8")
    path.chmod(0o755)
    return str(path)

"""A folder to work in, which is not this repository."""

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The student's repository, as the current folder; the runner's own files are beside it."""
    folder = tmp_path / "repository"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder

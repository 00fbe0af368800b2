"""Repositories as `grader classroom init` makes them, in this process."""

from pathlib import Path

import pytest

from grader.cli import commands

ACTION = "my-org/roofline-grader@v1"
KINDS = {
    "actions": ["--exercises", "q1,q4"],
    "classroom": ["--exercises", "q1,q4", "--for", "classroom"],
    "classroom50": ["--exercises", "q1,q4", "--for", "classroom50"],
    "check-only": ["--exercises", "q1,q4", "--check-only"],
    "staff": ["--exercises", "q1,q4", "--staff", "--org", "example-org", "--prefix", "rooflines-1-"],
}


def init(folder: Path, *options: str) -> None:
    """Run the verb; its errors are raised."""
    commands.main(["classroom", "init", str(folder), *options], standalone_mode=False)


def made_in(folder: Path, cache: Path) -> Path:
    """A folder with one repository of each kind."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(cache))
        for kind, options in KINDS.items():
            init(folder / kind, *options, "--action", ACTION)
    return folder


def files_in(folder: Path) -> dict[str, str]:
    """The files of a repository by their path."""
    found = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8") for path in found}

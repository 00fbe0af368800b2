"""A class of five on the small course, graded by the real program into a folder."""

import os
import shutil
import sqlite3
import subprocess
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

from tests import tiny
from tests.e2e.conftest import GRADER, Run

RIGHT = {"ops": "2BDF", "intensity": "2BDF/(BD + DF + BF)", "critical": "B > 243"}
CLASS: Mapping[str, Mapping[str, str]] = {
    "ann": RIGHT,
    "ben": {**RIGHT, "ops": "BDF"},
    "cem": {**RIGHT, "intensity": "2B"},
    "dee": {"ops": "2BDF +", "critical": "B < 243"},
    "eve": {},
}
TOTALS = {"ann": 7, "ben": 5, "cem": 5, "dee": 0, "eve": 0}  # of 12


@dataclass(frozen=True)
class Small:
    """Runs the program in one folder, on the course that lies there."""

    folder: Path
    grader: Run

    @property
    def out(self) -> Path:
        """The store with its pages."""
        return self.folder / "out"

    def course(self, **changes: tuple[str, str]) -> Path:
        """The course with some changes (see `tests.tiny.write`)."""
        return tiny.write(self.folder / "course", **changes)

    def run(self, verb: str, *arguments: str | Path) -> "CompletedProcess[str]":
        """A run of a verb against the course."""
        takes = [] if verb == "override" else ["--course", self.folder / "course"]
        return self.grader(verb, *arguments, *takes, cwd=self.folder, env={"TINY_SECRET": "s"})

    def answers(self, student: str, given: Mapping[str, str], folder: str = "class") -> None:
        """One student's answers."""
        own = self.folder / folder / student
        own.mkdir(parents=True, exist_ok=True)
        lines = [f"    {part}: '{text}'\n" for part, text in given.items()]
        (own / "answers.yaml").write_text(
            "".join(["answers:\n", "  fixed:\n" if lines else "", *lines]), encoding="utf-8"
        )

    def grade(self, *arguments: str | Path) -> "CompletedProcess[str]":
        """Grade the class into the folder."""
        return self.run("grade", "class", "-o", "out", "--jobs", "1", *arguments)

    def points(self) -> dict[str, int]:
        """The totals by student, as the store has them."""
        return dict(self.rows("select student, points from grade"))

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        """What any other program reads in the store."""
        with closing(sqlite3.connect(f"file:{self.out / 'grades.sqlite'}?mode=ro", uri=True)) as store:
            return store.execute(query).fetchall()

    def dump(self) -> str:
        """All that the store holds."""
        with closing(sqlite3.connect(f"file:{self.out / 'grades.sqlite'}?mode=ro", uri=True)) as store:
            return "\n".join(store.iterdump())

    def pages(self) -> dict[str, bytes]:
        """All pages and the results, by name."""
        return {p.name: p.read_bytes() for p in self.out.iterdir() if p.suffix in (".html", ".md", ".json")}

    def copy(self, folder: Path) -> "Small":
        """The same in another folder, which may be changed."""
        shutil.copytree(self.folder, folder)
        return Small(folder, self.grader)


def made(folder: Path, grader: Run, *options: str) -> Small:
    """The class, graded."""
    small = Small(folder, grader)
    folder.mkdir(parents=True, exist_ok=True)
    small.course()
    for student, given in CLASS.items():
        small.answers(student, given)
    run = small.grade(*options)
    assert run.returncode == 0, run.stderr
    assert small.points() == TOTALS
    return small


def runner(cache: Path) -> Run:
    """Runs the program as the fixture `grader` does, for fixtures that many tests share."""

    def run(*arguments: str | Path, cwd: Path, env: Mapping[str, str]) -> "CompletedProcess[str]":
        return subprocess.run(
            [str(GRADER), *map(str, arguments)],
            cwd=cwd, env={**os.environ, "XDG_CACHE_HOME": str(cache), "PYTHONUTF8": "1", **env},
            capture_output=True, text=True, encoding="utf-8", timeout=120, check=False,
        )  # fmt: skip

    return run

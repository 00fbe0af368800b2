"""A GitHub of the tests' own: repositories of students behind the stand-in for `gh`."""

import json
import os
import stat
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grader.classroom import programs
from tests.e2e import fake_gh

PROGRAM = Path(__file__).with_name("fake_gh.py")
ORG = "example-org"
SLUG = "rooflines-1"
LINK, SUBMODULE = "120000", "160000"  # git's modes

Files = Mapping[str, str | tuple[str, str]]  # contents by path, or mode and content


def answers(**given: str) -> str:
    """An answer file of the small course."""
    return "answers:\n  fixed:\n" + "".join(f"    {part}: '{text}'\n" for part, text in given.items())


@dataclass(frozen=True)
class Hub:
    """The stand-in and all that it knows, in one folder."""

    folder: Path

    @staticmethod
    def made(folder: Path) -> "Hub":
        """A hub without any repository."""
        folder.mkdir(parents=True)
        hub = Hub(folder)
        program = folder / "gh"
        program.write_text(
            f"#!{os.path.realpath(sys.executable)} -IS\n{PROGRAM.read_text(encoding='utf-8')}", encoding="utf-8"
        )
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
        for name in ("hub.git", "empty.git"):
            subprocess.run(["git", "init", "-q", "--bare", str(folder / name)], check=True)
        hub._save({"login": "staff", "repositories": {}, "faults": [], "kill": None})
        hub.forget()
        return hub

    @property
    def path(self) -> str:
        """PATH with the stand-in first."""
        return f"{self.folder}{os.pathsep}{os.environ['PATH']}"

    def run(self, arguments: Sequence[str], *, given: bytes = b"", seconds: float) -> programs.Finished:
        """What takes the place of `grader.classroom.programs.run`: requests are answered in this process."""
        if arguments[1] != "api":
            return programs.run(arguments, given=given, seconds=seconds)
        code, out, err = fake_gh.main(str(self.folder), list(arguments[1:]), lambda: given)
        return programs.Finished(code, out.encode(), err.encode())

    def push(self, pushed_at: str, trees: Mapping[str, Files]) -> None:
        """Push new contents to some repositories, which are made where they aren't there."""
        stream = [self._commit(name, files) for name, files in trees.items()]
        git = ["git", "-C", str(self.folder / "hub.git")]
        subprocess.run([*git, "fast-import", "--quiet", "--force"], input="".join(stream).encode(), check=True)
        listing = subprocess.run([*git, "for-each-ref", "--format=%(refname:short) %(objectname)"],
                                 capture_output=True, text=True, check=True).stdout  # fmt: skip
        heads = dict(line.split() for line in listing.splitlines())
        with self.changing() as data:
            for name in trees:
                found = data["repositories"].setdefault(f"{ORG}/{name}", blank())
                found.update(head=heads[name], head_pushed_at=pushed_at, pushed_at=pushed_at)
                found["commits"].append(heads[name])

    def _commit(self, name: str, files: Files) -> str:
        lines = [f"commit refs/heads/{name}\ncommitter S <s@example.org> 1 +0000\ndata 1\nx\ndeleteall\n"]
        for path, content in files.items():
            mode, text = content if isinstance(content, tuple) else ("100644", content)
            if mode == SUBMODULE:
                lines.append(f"M {mode} {'1' * 40} {path}\n")
            else:
                lines.append(f"M {mode} inline {path}\ndata {len(text.encode())}\n{text}\n")
        return "".join(lines)

    def empty(self, name: str) -> None:
        """A repository to which nothing was pushed."""
        with self.changing() as data:
            data["repositories"][f"{ORG}/{name}"] = {**blank(), "empty": True}

    @contextmanager
    def changing(self) -> Iterator[dict[str, Any]]:
        """The data, to be changed."""
        data = self.data()
        yield data
        self._save(data)

    def data(self) -> dict[str, Any]:
        """All that the hub knows."""
        return json.loads((self.folder / "hub.json").read_text(encoding="utf-8"))  # type: ignore[no-any-return]

    def repository(self, student: str) -> dict[str, Any]:
        """A student's repository."""
        return self.data()["repositories"][f"{ORG}/{SLUG}-{student}"]  # type: ignore[no-any-return]

    def fault(self, match: str, status: int, times: int = 1, **more: Any) -> None:
        """Let the next requests that match go wrong."""
        with self.changing() as data:
            data["faults"] = [{"match": match, "status": status, "times": times, **more}]

    def _save(self, data: dict[str, Any]) -> None:
        (self.folder / "hub.json").write_text(json.dumps(data), encoding="utf-8")

    def calls(self) -> list[str]:
        """What was asked since the calls were forgotten."""
        return (self.folder / "log").read_text(encoding="utf-8").splitlines()

    def writes(self) -> list[str]:
        """Those of the calls that change something."""
        return [call for call in self.calls() if call.startswith(("POST", "PATCH"))]

    def forget(self) -> None:
        """Forget the calls."""
        (self.folder / "log").write_text("", encoding="utf-8")


def blank() -> dict[str, Any]:
    """A repository in which nothing happened yet."""
    return {
        "default_branch": "main", "pushed_at": "2026-10-01T00:00:00Z", "head": "", "head_pushed_at": "", "size": 10,
        "commits": [], "issues": [], "comments": [], "statuses": [],
    }  # fmt: skip

"""Runs the real program on small classes, in the ways that go wrong; what its runs leave behind is looked at here."""

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sysconfig
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

GRADER = Path(sysconfig.get_path("scripts")) / ("grader.exe" if os.name == "nt" else "grader")
FAULTS = Path(__file__).parent / "faults"
# answers that are right, wrong in a named way, wrong in no known way, not readable and blank, in turn
FLOPS = ("2BDF", "2*B*D*F", "2B^2DF", "BDF", "7BDF + 3", "2BDF +", "")
INTENSITY = ("2DF/(D + DF + F)", "2", "2BDF/(BD + DF + BF)", "(D + DF + F)/(2DF)", "2/(1 + 1/D + 1/F)", "about 2", "")


def answers(number: int) -> str:
    """The answer file of the student with this number."""
    return (
        f"answers:\n  q4-batched-matmul:\n    flops: {FLOPS[number % 7]}\n    intensity: {INTENSITY[number // 7 % 7]}\n"
        f"    leading: {2 + number % 5}\n  q1-int8-matmul:\n    critical: B > {243 + number % 3}\n"
    )


def write_class(folder: Path, names: Iterable[str]) -> Path:
    """A folder for each student."""
    for number, name in enumerate(names):
        own = folder / name
        own.mkdir(parents=True)
        (own / "answers.yaml").write_text(answers(number), encoding="utf-8")
    return folder


def numbered(count: int, start: str = "s") -> list[str]:
    """s000, s001 ..."""
    return [f"{start}{number:03}" for number in range(count)]


@dataclass(frozen=True)
class Runner:
    """Runs `grader` in one folder with one cache; `faults` is a folder to put on PYTHONPATH."""

    folder: Path
    cache: Path
    faults: Path | None = None
    variables: Mapping[str, str] = field(default_factory=dict)

    def environment(self) -> dict[str, str]:
        """The environment of every run."""
        env = {**os.environ, "XDG_CACHE_HOME": str(self.cache), "PYTHONUTF8": "1", **self.variables}
        return {**env, "PYTHONPATH": str(self.faults)} if self.faults else env

    def start(self, *arguments: str | Path, **options: Any) -> "subprocess.Popen[str]":
        """A run in the background."""
        pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        return subprocess.Popen(
            [str(GRADER), *map(str, arguments)],
            cwd=self.folder, env=self.environment(), text=True, encoding="utf-8", errors="replace",
            **{**pipes, **options},
        )  # fmt: skip

    def run(self, *arguments: str | Path, **options: Any) -> "subprocess.CompletedProcess[str]":
        """A run to its end, which has to come within two minutes."""
        process = self.start(*arguments, **options)
        try:
            out, err = process.communicate(timeout=120)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
        return subprocess.CompletedProcess(process.args, process.returncode, out or "", err or "")


def copied_faults(folder: Path) -> Path:
    """The faults in a folder of their own, with a log of what is graded."""
    shutil.copytree(FAULTS, folder, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "log").touch()
    return folder


def graded_log(faults: Path) -> list[str]:
    """The students that workers began to grade so far, in order."""
    return (faults / "log").read_text(encoding="utf-8").split()


def wait_for(condition: Callable[[], object], seconds: float = 60.0) -> None:
    """Wait until it holds; AssertionError if it never does."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "nothing happened"
        time.sleep(0.005)


def quiet(run: "subprocess.CompletedProcess[str]") -> None:
    """Whatever went wrong was said in words."""
    for text in (run.stdout, run.stderr):
        assert "Traceback" not in text
        assert "internal error" not in text
        assert "Exception ignored" not in text


def book(output: Path) -> dict[str, Any]:
    """The results of a run as its JSON file has them."""
    return json.loads((output / "results.json").read_text(encoding="utf-8"))  # type: ignore[no-any-return]


def by_student(output: Path) -> dict[str, dict[str, Any]]:
    """The results by student; each has one."""
    results = book(output)["results"]
    found = {result["student"]: result for result in results}
    assert len(found) == len(results)
    return found


def rows(output: Path, query: str) -> list[tuple[Any, ...]]:
    """What the store of a run has, as any other program reads it."""
    with closing(sqlite3.connect(f"file:{output / 'grades.sqlite'}?mode=ro", uri=True)) as store:
        return store.execute(query).fetchall()


def stored(output: Path) -> dict[str, str]:
    """Every submission that the store has, with its result's id and status; none of them is there twice."""
    found = rows(output, "select student, status, digest, result from submission where current order by id")
    assert len({row[0] for row in found}) == len(found)
    return {row[0]: f"{row[1]} {row[2]} {row[3]}" for row in found}


def whole(output: Path) -> None:
    """No file under the folder is torn, or left from writing; the store is sound and every result complete."""
    for path in (path for path in output.rglob("*") if path.is_file()):
        if path.suffix == ".html":
            assert path.read_text(encoding="utf-8").rstrip().endswith("</html>"), path
        elif path.suffix == ".json":
            json.loads(path.read_text(encoding="utf-8"))
        else:
            allowed = {".md", ".txt", ".sqlite", ".sqlite-wal", ".sqlite-shm", ".lock", ".csv", ".css", ".svg"}
            assert path.suffix in allowed, path
        assert "tmp" not in path.name, path
    assert rows(output, "pragma integrity_check") == [("ok",)]
    torn = "select r.id from result r where r.status = 'graded' and not exists (select 1 from part where result = r.id)"
    assert rows(output, torn) == []


def files(output: Path) -> dict[str, bytes]:
    """All pages and results, by their path below the folder; the store has times in it and is left out."""
    return {
        str(path.relative_to(output)): path.read_bytes()
        for path in sorted(output.rglob("*"))
        if path.is_file() and ".sqlite" not in path.name and path.suffix != ".lock"
    }


def pages(output: Path) -> dict[str, bytes]:
    """The files of each student alone, by name."""
    return {
        name: data
        for name, data in files(output).items()
        if name.rpartition(".")[0] not in ("class", "index", "results")
    }


def stop(process: "subprocess.Popen[str]", number: int = signal.SIGKILL) -> int:
    """Send a signal and wait for the end; the exit code."""
    process.send_signal(number)
    process.communicate(timeout=60)
    return process.returncode

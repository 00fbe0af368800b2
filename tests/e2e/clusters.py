"""A real Dask cluster on this machine, on which things go wrong as the tests ask; all its processes are theirs."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

# what is put on PYTHONPATH of the workers: each chunk takes a while and leaves the process's id in a log; a student
# called `killer` kills the Dask worker, one called `hang` keeps the grader process beside it busy for ever
FAULTS = """
import os, signal, sys, time
from importlib.machinery import PathFinder

LOG = os.path.join(os.path.dirname(os.path.abspath(__file__)), "log")


def slow(module):
    answers = module.Kit.answers

    def slowed(self, payloads):
        with open(LOG, "a") as log:
            log.write(f"{os.getpid()} {len(payloads)}\\n")
        if any("killer" in payload["bundle"]["key"] for payload in payloads):
            os.kill(os.getpid(), signal.SIGKILL)
        time.sleep(0.1)
        return answers(self, payloads)

    module.Kit.answers = slowed


def hang(module):
    matched = module.Grader.matched

    def hanging(self, submission):
        while submission.student.startswith("hang"):
            pass
        return matched(self, submission)

    module.Grader.matched = hanging


FAULTS = {"grader.cluster_worker": slow, "grader.grading": hang}


class Finder:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name not in FAULTS:
            return None
        spec = PathFinder.find_spec(name, path, target)
        run = spec.loader.exec_module

        def exec_module(module):
            run(module)
            FAULTS[name](module)

        spec.loader.exec_module = exec_module
        return spec


sys.meta_path.insert(0, Finder)
"""
# what can be read is right or shows a single mistake: looking for two at once takes seconds in a cold cache
_FLOPS = ("2BDF", "2*B*D*F", "2B^2DF", "BDF", "2BDF +", "")
_INTENSITY = ("2DF/(D + DF + F)", "2", "2BDF/(BD + DF + BF)", "(D + DF + F)/(2DF)", "about 2 or so")


def row(number: int, student: str = "") -> dict[str, Any]:
    """What the student with this number handed in."""
    q4 = {"flops": _FLOPS[number % 6], "intensity": _INTENSITY[number % 5], "leading": "2"}
    answers = {"q4-batched-matmul": q4, "q1-int8-matmul": {"critical": f"B > {243 + number % 4}"}}
    return {
        "student": student or f"s{number:04}",
        "answers": answers,
        "submitted_at": f"2026-03-01T10:{number % 60:02}:00Z",
    }


def write_rows(path: Path, count: int, *students: str) -> Path:
    """So many students in JSON Lines, and these in the middle of them."""
    rows = [row(number) for number in range(count)]
    rows[count // 2 : count // 2] = [row(1, student) for student in students]
    path.write_text("".join(json.dumps(each) + "\n" for each in rows), encoding="utf-8")
    return path


@dataclass
class Cluster:
    """A scheduler and two workers in a folder of their own; workers that die are started again by their nannies."""

    folder: Path
    processes: list["subprocess.Popen[bytes]"]
    address: str = ""

    def busy(self) -> list[int]:
        """The processes of workers that began a chunk, in order."""
        log = self.folder / "log"
        return [int(line.split()[0]) for line in log.read_text().splitlines()] if log.exists() else []

    def told(self) -> str:
        """All that scheduler and workers have written."""
        return "".join(path.read_text(errors="replace") for path in sorted(self.folder.glob("*.out")))


def started(folder: Path, cache: Path) -> Iterator[Cluster]:
    """The cluster, until it is let go."""
    (folder / "sitecustomize.py").write_text(FAULTS)
    # a variable of the tests' own must not reach the workers by another way than the course does
    kept = {name: value for name, value in os.environ.items() if name != "TINY_SECRET"}
    settings = {"DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "1", "DASK_TEMPORARY_DIRECTORY": str(folder)}
    path = os.pathsep.join(filter(None, (str(folder), os.environ.get("PYTHONPATH"))))
    environment = {**kept, **settings, "PYTHONPATH": path, "XDG_CACHE_HOME": str(cache)}
    cluster = Cluster(folder, [])
    file = folder / "scheduler.json"

    def start(name: str, *arguments: str) -> None:
        command = [sys.executable, "-m", "distributed.cli.dask_" + name.rstrip("12"), *arguments, "--host", "127.0.0.1"]
        with (folder / f"{name}.out").open("wb") as out:
            options = {"stdout": out, "stderr": out, "env": environment, "cwd": folder, "start_new_session": True}
            cluster.processes.append(subprocess.Popen([*command, "--no-dashboard"], **options))  # type: ignore[call-overload]

    try:
        start("scheduler", "--port", "0", "--scheduler-file", str(file))
        for number in (1, 2):
            start(f"worker{number}", "--scheduler-file", str(file), "--nthreads", "1", "--nworkers", "1")
        end = time.monotonic() + 30
        while not file.exists() or not file.read_text().rstrip().endswith("}"):
            assert time.monotonic() < end, cluster.told()
            time.sleep(0.05)
        cluster.address = json.loads(file.read_text())["address"]
        yield cluster
    finally:
        for process in cluster.processes:
            with suppress(OSError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()

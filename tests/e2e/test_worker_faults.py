"""Whatever happens to the process that grades a submission happens to that submission alone."""

import os
import time
from pathlib import Path

import pytest

from tests.e2e.running import FAULTS, Runner, book, by_student, numbered, quiet, rows, write_class

pytestmark = pytest.mark.skipif(os.name != "posix", reason="faults by signal")

STATED = {
    "hang": "took more than 1 s",
    "abort": "ended by SIGABRT",
    "kill": "ended by SIGKILL",
    "recursion": "RecursionError",
    "memory": "MemoryError",
    "exit": "SystemExit",
    "interrupt": "",
}


@pytest.fixture
def runner(tmp_path: Path, cache: Path) -> Runner:
    """Runs with faults by student's name."""
    return Runner(tmp_path, cache, FAULTS)


def test_a_submission_that_kills_its_worker_or_never_ends_fails_alone(runner: Runner, tmp_path: Path) -> None:
    good = numbered(10)
    write_class(tmp_path / "class", [*good, *STATED])
    write_class(tmp_path / "alone", good)
    alone = runner.run("grade", "alone", "-o", "expected", "--jobs", "1")
    start = time.monotonic()
    run = runner.run("grade", "class", "-o", "out", "--jobs", "2", "--time-limit", "1")
    took = time.monotonic() - start
    quiet(run)
    assert (alone.returncode, run.returncode) == (0, 3)
    found, expected = by_student(tmp_path / "out"), by_student(tmp_path / "expected")
    for name in good:
        assert {**found[name], "source": ""} == {**expected[name], "source": ""}
    for name, reason in STATED.items():
        assert found[name]["status"] == "failed"
        assert reason in found[name]["message"]
        verdicts = {part["verdict"] for exercise in found[name]["exercises"] for part in exercise["parts"]}
        assert verdicts <= {"undecided"}, name
    assert took < 30, "one of them hung, for a second"


def test_several_that_hang_cost_their_limits_and_no_more(runner: Runner, tmp_path: Path) -> None:
    write_class(tmp_path / "class", [*numbered(30), "hang1", "hang2", "hang3"])
    run = runner.run("grade", "class", "-o", "out", "--jobs", "2", "--time-limit", "0.5", "--no-reports")
    quiet(run)
    assert run.returncode == 3
    assert rows(tmp_path / "out", "select status, count(*) from submission group by status order by status") == [
        ("failed", 3), ("graded", 30),
    ]  # fmt: skip


def test_a_class_of_nothing_but_failures_ends(runner: Runner, tmp_path: Path) -> None:
    write_class(tmp_path / "class", [f"{fault}{place}" for fault in ("abort", "kill", "exit") for place in range(2)])
    write_class(tmp_path / "large", ["hog"])
    run = runner.run("grade", "class", "large", "-o", "out", "--jobs", "2")
    quiet(run)
    assert run.returncode == 3
    assert {result["status"] for result in book(tmp_path / "out")["results"]} == {"failed"}
    assert "MemoryError" in by_student(tmp_path / "out")["hog"]["message"]


def test_what_failed_is_told_without_a_mark_and_named_in_the_summary(runner: Runner, tmp_path: Path) -> None:
    write_class(tmp_path / "class", ["abort", "s000"])
    run = runner.run("grade", "class", "-o", "out", "--jobs", "1")
    quiet(run)
    assert "abort" in run.stdout
    assert "failed" in run.stdout


def test_workers_go_when_the_run_is_killed(runner: Runner, tmp_path: Path) -> None:
    write_class(tmp_path / "class", ["hang1", "hang2"])
    process = runner.start("grade", "class", "-o", "out", "--jobs", "2", "--time-limit", "100")
    end = time.monotonic() + 30
    while len(children(process.pid)) < 2 and time.monotonic() < end:
        time.sleep(0.05)
    workers = children(process.pid)
    assert len(workers) == 2
    time.sleep(0.5)  # into the hanging
    process.kill()
    process.communicate(timeout=30)
    end = time.monotonic() + 10
    while any(alive(worker) for worker in workers):
        assert time.monotonic() < end, "a worker outlives its parent"
        time.sleep(0.05)


def children(pid: int) -> list[int]:
    """The processes that this one started."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = entry.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == pid:
            found.append(int(entry.parent.name))
    return found


def alive(pid: int) -> bool:
    """Whether the process still runs; a dead one that nobody has waited for doesn't."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False

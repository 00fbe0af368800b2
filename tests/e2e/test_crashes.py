"""A run that is killed, told to stop, or started twice: nothing that was finished is lost, and the next run goes on."""

import os
import random
import signal
import subprocess
import time
from collections import Counter
from pathlib import Path

import pytest

from tests.e2e.running import (
    Runner,
    by_student,
    copied_faults,
    files,
    graded_log,
    numbered,
    quiet,
    rows,
    stop,
    stored,
    wait_for,
    whole,
    write_class,
)

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals")
JOBS = 2
COUNT = 20


@pytest.fixture
def slow(tmp_path: Path, cache: Path) -> Runner:
    """Runs in which each submission takes 20 ms more, over a class of twenty."""
    write_class(tmp_path / "class", numbered(COUNT, "slow"))
    return Runner(tmp_path, cache, copied_faults(tmp_path / "faults"))


def begun(output: Path, count: int = 1) -> bool:
    """Whether the store has so many results."""
    if not (output / "grades.sqlite").exists():
        return False
    try:
        return len(stored(output)) >= count
    except Exception:
        return False  # the tables are about to be made


def killed_at_random(slow: Runner, output: Path, draw: random.Random) -> bool:
    """Start a run and kill it at some moment; whether it came to its end before."""
    process = slow.start("grade", "class", "-o", output, "--jobs", str(JOBS))
    moment = draw.choice(("early", "any", "any", "any", "results", "pages"))
    end = time.monotonic() + {"early": 0.3, "any": 0.9}.get(moment, 1.5) * draw.random()
    while time.monotonic() < end and process.poll() is None:
        if moment == "results" and begun(output, len(before_of(output)) + draw.randint(1, 9)):
            break
        if moment == "pages" and any(output.rglob("*.html")):
            time.sleep(0.02 * draw.random())
            break
        time.sleep(0.002)
    finished = process.poll() is not None
    stop(process)
    return finished


def before_of(output: Path) -> dict[str, str]:
    """What the store of a run has, if it is there yet."""
    return stored(output) if begun(output, 0) else {}


def kills(slow: Runner, count: int, seed: int) -> Counter[str]:
    """Kill runs at random moments, so many times; every run that came to its end is followed by one from the start."""
    draw, tally = random.Random(seed), Counter[str]()
    classes, names = 0, set(numbered(COUNT, "slow"))
    expected = reference(slow)
    while tally["kills"] < count:
        classes += 1
        output = slow.folder / f"out{classes}"
        already = len(graded_log(slow.faults)) if slow.faults else 0
        while True:
            before = before_of(output)
            finished = killed_at_random(slow, output, draw)
            after = before_of(output)
            lost = [name for name in before if before[name] != after.get(name)]
            assert not lost, f"seed {seed}, kill {tally['kills']}: finished results are gone or were made again: {lost}"
            tally["kills"] += not finished
            tally["temporary files"] += sum("tmp" in path.name for path in output.rglob("*"))
            if finished or tally["kills"] >= count:
                break
        run = slow.run("grade", "class", "-o", output, "--jobs", str(JOBS))
        quiet(run)
        assert run.returncode == 0, run.stderr
        whole(output)
        assert set(stored(output)) == names
        assert files(output) == expected
        assert slow.faults
        tally["graded again"] += len(graded_log(slow.faults)) - already - len(names)
    return tally


def reference(slow: Runner) -> dict[str, bytes]:
    """What a run leaves behind that nobody disturbs."""
    run = slow.run("grade", "class", "-o", "undisturbed", "--jobs", str(JOBS))
    assert run.returncode == 0, run.stderr
    return files(slow.folder / "undisturbed")


def test_thirty_kills_lose_nothing_double_nothing_and_tear_nothing(slow: Runner) -> None:
    tally = kills(slow, 30, seed=20)
    assert tally["kills"] >= 30
    assert tally["graded again"] <= tally["kills"] * JOBS, tally


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_ends_the_run_with_its_state_kept(slow: Runner, number: int, code: int, tmp_path: Path) -> None:
    process = slow.start("grade", "class", "-o", "out", "--jobs", "2")
    wait_for(lambda: begun(tmp_path / "out", 3))
    process.send_signal(number)
    out, err = process.communicate(timeout=30)
    quiet(subprocess.CompletedProcess([], code, out, err))
    assert process.returncode == code
    kept, log = stored(tmp_path / "out"), graded_log(tmp_path / "faults")
    assert 3 <= len(kept) < COUNT
    again = slow.run("grade", "class", "-o", "out", "--jobs", "2")
    quiet(again)
    assert again.returncode == 0
    found = stored(tmp_path / "out")
    assert len(found) == COUNT
    assert {name: found[name] for name in kept} == kept
    assert not set(kept) & set(graded_log(tmp_path / "faults")[len(log) :]), "what was finished is not graded again"
    whole(tmp_path / "out")


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_second_signal_ends_it_at_once(slow: Runner, number: int, code: int, tmp_path: Path) -> None:
    write_class(tmp_path / "stuck", ["hang1", "hang2"])
    process = slow.start("grade", "class", "stuck", "-o", "out", "--jobs", "2", "--time-limit", "60")
    wait_for(lambda: {"hang1", "hang2"} & set(graded_log(tmp_path / "faults")) or process.poll() is not None)
    process.send_signal(number)
    time.sleep(0.05)
    process.send_signal(number)
    process.communicate(timeout=10)
    assert process.returncode in (code, -number)
    assert rows(tmp_path / "out", "pragma integrity_check") == [("ok",)]


def test_a_second_run_on_the_same_folder_is_refused_with_the_first_one_s_number(slow: Runner, tmp_path: Path) -> None:
    write_class(tmp_path / "stuck", ["hang"])
    process = slow.start("grade", "class", "stuck", "-o", "out", "--jobs", "1", "--time-limit", "2")
    wait_for(lambda: begun(tmp_path / "out"))
    second = slow.run("grade", "class", "-o", "out", "--jobs", "1")
    regrade = slow.run("regrade", "out")
    out, err = process.communicate(timeout=60)
    for refused in (second, regrade):
        quiet(refused)
        assert refused.returncode == 2
        assert len(refused.stderr.splitlines()) == 1
        assert str(process.pid) in refused.stderr
    assert process.returncode == 3, out + err
    assert len(by_student(tmp_path / "out")) == COUNT + 1
    whole(tmp_path / "out")


def test_a_run_goes_on_by_content_whatever_the_clock_says(slow: Runner, tmp_path: Path) -> None:
    assert slow.run("grade", "class", "-o", "out", "--jobs", "1").returncode == 0
    before, log = stored(tmp_path / "out"), len(graded_log(tmp_path / "faults"))
    hour = time.time() - 3600
    for path in [*(tmp_path / "class").rglob("*"), *(tmp_path / "out").rglob("*.html")]:
        os.utime(path, (hour, hour))
    changed = tmp_path / "class" / "slow007" / "answers.yaml"
    changed.write_text(changed.read_text().replace("B > ", "B > 1"))
    os.utime(changed, (hour - 9, hour - 9))
    assert slow.run("grade", "class", "-o", "out", "--jobs", "1").returncode == 0
    assert graded_log(tmp_path / "faults")[log:] == ["slow007"]
    assert [name for name, row in stored(tmp_path / "out").items() if before[name] != row] == ["slow007"]

"""Full disks, closed pipes, folders that can't be written: one line says so, and what was there before is intact."""

import os
import resource
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.e2e.running import (
    FAULTS,
    GRADER,
    Runner,
    book,
    by_student,
    files,
    numbered,
    pages,
    quiet,
    stored,
    wait_for,
    whole,
    write_class,
)

pytestmark = pytest.mark.skipif(os.name != "posix", reason="limits, descriptors and links of POSIX")


@pytest.fixture
def runner(tmp_path: Path, cache: Path) -> Runner:
    """Runs on a class of six."""
    write_class(tmp_path / "class", numbered(6))
    return Runner(tmp_path, cache)


def one_line(run: "subprocess.CompletedProcess[str]", *words: str) -> None:
    """The run failed and says why in one line."""
    quiet(run)
    assert run.returncode not in (0, 1, 3)
    assert len(run.stderr.splitlines()) == 1, run.stderr
    assert all(word in run.stderr for word in words), run.stderr


def at_most(size: int) -> Callable[[], None]:
    """Makes every file that is written end there, as on a disk that fills up."""
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


@pytest.mark.parametrize("size", [1 << 12, 1 << 16, 1 << 18])
def test_a_disk_that_fills_up_leaves_what_was_there(runner: Runner, tmp_path: Path, size: int) -> None:
    assert runner.run("grade", "class", "-o", "out", "--jobs", "1").returncode == 0
    before, shown = stored(tmp_path / "out"), pages(tmp_path / "out")
    write_class(tmp_path / "more", numbered(10, "t"))
    run = runner.run("grade", "class", "more", "-o", "out", "--jobs", "1", preexec_fn=at_most(size))
    one_line(run, "out")
    after = stored(tmp_path / "out")
    assert {name: after.get(name) for name in before} == before
    left = pages(tmp_path / "out")
    assert {name: left.get(name) for name in shown} == shown
    assert runner.run("grade", "class", "more", "-o", "out", "--jobs", "1").returncode == 0
    assert runner.run("grade", "more", "class", "-o", "expected", "--jobs", "1").returncode == 0
    assert files(tmp_path / "out") == files(tmp_path / "expected")
    whole(tmp_path / "out")


def test_a_disk_full_from_the_start_leaves_nothing_under_a_final_name(runner: Runner, tmp_path: Path) -> None:
    one_line(runner.run("grade", "class", "-o", "out", "--jobs", "1", preexec_fn=at_most(1 << 12)), "out")
    assert not list((tmp_path / "out").rglob("*.html"))
    assert not (tmp_path / "out" / "results.json").exists()
    assert runner.run("grade", "class", "-o", "out", "--jobs", "1").returncode == 0
    whole(tmp_path / "out")


def test_output_that_nobody_can_take_is_told_and_the_results_are_there(runner: Runner, tmp_path: Path) -> None:
    with Path("/dev/full").open("w") as full:
        one_line(runner.run("grade", "class", "--jobs", "1", "--format", "json", stdout=full))
        one_line(runner.run("grade", "class", "-o", "out", "--jobs", "1", stdout=full))
    assert len(by_student(tmp_path / "out")) == 6
    whole(tmp_path / "out")


def test_a_reader_that_goes_away_is_no_fault(runner: Runner) -> None:
    read, write = os.pipe()
    os.close(read)
    run = runner.run("grade", "class", "--jobs", "1", "--format", "json", stdout=write)
    os.close(write)
    quiet(run)
    assert run.returncode == 0
    assert run.stderr == ""


@pytest.mark.parametrize("closed", ["<&- >&- 2>&-", ">&-", "2>&-", "<&-", "<&- 2>&-"])
def test_closed_descriptors_keep_nothing_from_being_written(runner: Runner, tmp_path: Path, closed: str) -> None:
    shell = f'exec "$0" "$@" {closed}'
    run = subprocess.run(
        ["sh", "-c", shell, str(GRADER), "grade", "class", "-o", "out", "--jobs", "2"],
        cwd=tmp_path, env=runner.environment(), capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    quiet(run)
    assert run.returncode == 0
    assert len(by_student(tmp_path / "out")) == 6
    whole(tmp_path / "out")


def test_a_place_where_no_folder_can_be_is_told(runner: Runner, tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("mine")
    for output in ("taken", "taken/inside", "/proc/nowhere", "/dev/null/x"):
        run = runner.run("grade", "class", "-o", output, "--jobs", "1")
        quiet(run)
        assert run.returncode == 2
        assert output.split("/", 1)[0] in run.stderr
    assert (tmp_path / "taken").read_text() == "mine"


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="nothing is forbidden to root")
def test_a_folder_that_may_not_be_written_is_told(runner: Runner, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir(mode=0o500)
    one_line(runner.run("grade", "class", "-o", "out"), "out")


def test_nothing_is_written_beside_submissions(runner: Runner, tmp_path: Path) -> None:
    folder = tmp_path / "class"
    for path in [*folder.glob("*/*"), *folder.glob("*"), folder]:
        path.chmod(0o555 if path.is_dir() else 0o444)
    before = {path: path.stat().st_mtime_ns for path in [folder, *folder.rglob("*")]}
    assert runner.run("grade", "class", "-o", "out", "--jobs", "1").returncode == 0
    assert {path: path.stat().st_mtime_ns for path in [folder, *folder.rglob("*")]} == before
    for path in [folder, *folder.glob("*")]:
        path.chmod(0o755)


def test_links_planted_among_the_reports_are_replaced_and_not_followed(runner: Runner, tmp_path: Path) -> None:
    assert runner.run("grade", "class", "-o", "out", "--jobs", "1").returncode == 0
    expected = files(tmp_path / "out")
    victim = tmp_path / "victim"
    victim.write_text("precious")
    for name in expected:
        path = tmp_path / "out" / name
        path.unlink()
        path.symlink_to(victim)
    (tmp_path / "class" / "s006").mkdir()
    (tmp_path / "class" / "s006" / "answers.yaml").write_text("answers: {q4: {flops: 2BDF}}\n")
    runner.run("grade", "class", "-o", "out", "--jobs", "1")
    assert victim.read_text() == "precious"
    assert len(book(tmp_path / "out")["results"]) == 7


def test_nothing_is_written_through_a_link_that_took_the_place_of_the_output_folder(
    tmp_path: Path, cache: Path
) -> None:
    write_class(tmp_path / "class", numbered(30, "slow"))
    process = Runner(tmp_path, cache, FAULTS).start("grade", "class", "-o", "out", "--jobs", "1")
    wait_for((tmp_path / "out" / "grades.sqlite").exists)
    victim = tmp_path / "victim"
    victim.mkdir()
    (victim / "index.html").write_text("precious")
    (tmp_path / "out").rename(tmp_path / "moved")
    (tmp_path / "out").symlink_to(victim)
    out, err = process.communicate(timeout=60)
    quiet(subprocess.CompletedProcess([], process.returncode, out, err))
    assert files(victim) == {"index.html": b"precious"}
    assert process.returncode == 2 or len(by_student(tmp_path / "moved")) == 30

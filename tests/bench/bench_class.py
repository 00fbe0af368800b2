"""How long whole classes take through the real command line, and how much memory; prints figures with their targets.

Run with: python tests/bench/bench_class.py [--quick] [reports] [lines] [linear] [again]. Classes are those of
tests/bench/classes.py. All figures are of this run; ratios hold on a busy machine, seconds only on an idle one. The
targets are for two cores. --quick takes a tenth of each class.
"""

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[2])]

from tests.bench.class_files import folders, jsonl  # noqa: E402
from tests.bench.classes import FIFTEEN, ClassMaker  # noqa: E402
from tests.bench.watch import GRADER, Watched, watch  # noqa: E402

SEED = 7


def line(what: str, figure: float, unit: str, target: float | None = None) -> None:
    """One figure, with its target where there is one."""
    shown = f"{figure:10.2f} {unit:4}"
    print(f"{what:66} {shown}" + (f"  (target {target:g}: {_met(figure <= target)})" if target else ""), flush=True)


def _met(yes: bool) -> str:
    return "met" if yes else "MISSED"


def told(run: Watched) -> Watched:
    """The run, if it came to its end."""
    if run.code not in (0, 3):
        sys.exit(f"exit code {run.code}: {run.out[-500:]}")
    return run


def warmed(folder: Path) -> None:
    """The course is compiled and in its cache, and so are the modules."""
    jsonl(ClassMaker(FIFTEEN).students(20, SEED), folder / "warm.jsonl")
    told(watch(["grade", folder / "warm.jsonl", "-o", folder / "warm"]))


def reports(folder: Path, scale: float) -> None:
    """A thousand submissions of all exercises with all pages."""
    count = int(1000 * scale)
    for plots, seconds in ((False, 8.0), (True, 15.0)):
        name = "with plots" if plots else "without plots"
        own = folder / name.replace(" ", "_")
        folders(ClassMaker(plots=plots).students(count, SEED), own / "class")
        run = told(watch(["grade", own / "class", "-o", own / "out", "--jobs", "2"]))
        line(f"{count:,} x 25 answers, all reports, {name}: wall", run.wall, "s", seconds * scale)
        line(f"{count:,} x 25 answers, all reports, {name}: CPU", run.cpu, "s")
        line(f"{count:,} x 25 answers, all reports, {name}: peak memory", run.peak, "MB", 300)
        bare = told(watch(["grade", own / "class", "-o", own / "bare", "--jobs", "2", "--no-reports"]))
        line(f"{count:,} x 25 answers, no reports, {name}: wall", bare.wall, "s")
        line(f"{count:,} x 25 answers, no reports, {name}: CPU", bare.cpu, "s")


def graded(folder: Path, count: int) -> Watched:
    """So many submissions of fifteen answers each from one file of JSON Lines, into a store alone."""
    source = folder / f"{count}.jsonl"
    if not source.exists():
        jsonl(ClassMaker(FIFTEEN).students(count, SEED), source)
    output = tempfile.mkdtemp(dir=folder)
    return told(watch(["grade", source, "-o", output, "--jobs", "2", "--verdicts-only"]))


def lines(folder: Path, scale: float) -> None:
    """A hundred thousand submissions from one file."""
    count = int(100_000 * scale)
    run = graded(folder, count)
    line(f"{count:,} x 15 answers, JSON Lines, no reports: wall", run.wall, "s", 60 * scale)
    line(f"{count:,} x 15 answers, JSON Lines, no reports: CPU", run.cpu, "s")
    for share in (0.1, 0.5, 0.9, 1.0):
        line(f"  memory at {share:.0%} of the time", run.at(share), "MB")
    line("  memory at 100 % over that at 50 %", run.at(1.0) / (run.at(0.5) or 1), "x", 1.1)
    line("  peak memory", run.peak, "MB", 300)
    piped = piped_in(folder, count // 10)
    line(f"{count // 10:,} x 15 answers through a pipe: wall", piped.wall, "s") if piped else None


def piped_in(folder: Path, count: int) -> Watched | None:
    """The same from a program that writes while it is graded, where the grader takes a pipe."""
    import os
    import subprocess

    pipe = folder / "pipe.jsonl"
    os.mkfifo(pipe)
    maker = subprocess.Popen(
        [sys.executable, str(Path(__file__).with_name("class_files.py")), "jsonl", str(count), str(SEED), str(pipe)]
    )
    run = watch(["grade", pipe, "-o", folder / "piped", "--jobs", "2", "--no-reports"])
    maker.kill()
    maker.wait()
    if run.code not in (0, 3):
        print(f"a pipe is not taken: {run.out.strip()[-200:]}")
        return None
    return run


def linear(folder: Path, scale: float) -> None:
    """What one submission costs in classes of different size, the start left out."""
    start = min(graded(folder, 1).wall for _ in range(3))
    line("one submission (the start)", start, "s")
    each = {}
    for count in (1_000, 10_000, 100_000):
        run = graded(folder, int(count * scale))
        each[count] = 1000 * (run.wall - start) / int(count * scale)
        line(f"{int(count * scale):,} submissions: wall of each", each[count], "ms")
        line(f"{int(count * scale):,} submissions: CPU of each", 1000 * run.cpu / int(count * scale), "ms")
    line("each of the largest over each of the smallest", each[100_000] / each[1_000], "x", 1.2)
    line("each of the largest over each of the middle", each[100_000] / each[10_000], "x", 1.2)


def again(folder: Path, scale: float) -> None:
    """Grading again when nothing has changed."""
    own, count = folder / "again", int(1000 * scale)
    folders(ClassMaker().students(count, SEED), own / "class")
    first = told(watch(["grade", own / "class", "-o", own / "out", "--jobs", "2"]))
    second = told(watch(["grade", own / "class", "-o", own / "out", "--jobs", "2"]))
    line(f"{count:,} submissions: first run", first.wall, "s")
    line(f"{count:,} submissions, nothing changed: second run", second.wall, "s", max(1.0, first.wall / 10))
    line("second over first", second.wall / first.wall, "x")


STEPS: dict[str, Callable[[Path, float], None]] = {"reports": reports, "lines": lines, "linear": linear, "again": again}


def main() -> None:
    """Print the figures asked for."""
    scale = 0.1 if "--quick" in sys.argv else 1.0
    chosen = [name for name in sys.argv[1:] if name in STEPS] or list(STEPS)
    print(f"{GRADER.name}, 2 workers, seed {SEED}, classes at {scale:.0%} of their size")
    with tempfile.TemporaryDirectory() as folder:
        warmed(Path(folder))
        for name in chosen:
            STEPS[name](Path(folder), scale)


if __name__ == "__main__":
    main()

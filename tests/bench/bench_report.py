"""How long the page of a class takes, how much memory, and how large it is; prints figures with their targets.

Run with: python tests/bench/bench_report.py [COUNT ...] (1,000 and 10,000 without any). Classes are those of
tests/bench/classes.py, graded first. Beside the figures stands what a loop of ten million additions takes at the same
time: seconds hold on an idle machine only.
"""

import sys
import tempfile
import time
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[2])]

from tests.bench.class_files import jsonl  # noqa: E402
from tests.bench.classes import FIFTEEN, ClassMaker  # noqa: E402
from tests.bench.watch import watch  # noqa: E402

SEED = 7
SECONDS = {1_000: 3.0, 10_000: 30.0}
MEGABYTES = 500
LARGEST = 3.0  # MB of one page


def reference() -> float:
    """The seconds of CPU that ten million additions take now."""
    start, total = time.process_time(), 0
    for number in range(10_000_000):
        total += number
    return time.process_time() - start


def line(what: str, figure: float, unit: str, target: float | None = None) -> None:
    """One figure, with its target where there is one."""
    met = "" if target is None else f"  (target {target:g}: {'met' if figure <= target else 'MISSED'})"
    print(f"{what:52} {figure:10.2f} {unit:4}{met}", flush=True)


def class_page(folder: Path, count: int) -> None:
    """A class of this size: graded without pages, then its own page alone."""
    jsonl(ClassMaker(FIFTEEN).students(count, SEED), folder / "class.jsonl")
    graded = watch(["grade", folder / "class.jsonl", "-o", folder / "store", "--no-reports", "--jobs", "2"])
    if graded.code not in (0, 3):
        sys.exit(f"exit code {graded.code}: {graded.out[-500:]}")
    line(f"{count:,} students: reference, ten million additions", reference(), "s")
    run = watch(["report", folder / "store", "--class", "-o", folder / "pages"])
    if run.code:
        sys.exit(f"exit code {run.code}: {run.out[-500:]}")
    line(f"{count:,} students: class page, wall", run.wall, "s", SECONDS.get(count))
    line(f"{count:,} students: class page, CPU", run.cpu, "s")
    line(f"{count:,} students: class page, peak memory", run.peak, "MB", MEGABYTES)
    for page in sorted((folder / "pages").iterdir()):
        line(f"{count:,} students: {page.name}", page.stat().st_size / 1e6, "MB", LARGEST)


def main() -> None:
    """Print the figures of each size."""
    for count in [int(text) for text in sys.argv[1:]] or list(SECONDS):
        with tempfile.TemporaryDirectory() as folder:
            class_page(Path(folder), count)


if __name__ == "__main__":
    main()

"""How long a class takes on a cluster of two workers on this machine, beside two processes without one.

Run with: python tests/bench/bench_cluster.py [COUNT]. What a cluster costs is the difference: on one machine there is
nothing to gain. Seconds hold on an idle machine only.
"""

import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[2])]

from tests.bench.class_files import jsonl  # noqa: E402
from tests.bench.classes import FIFTEEN, ClassMaker  # noqa: E402
from tests.bench.watch import watch  # noqa: E402

SEED = 7


@contextmanager
def cluster() -> Iterator[str]:
    """The address of a cluster of two workers."""
    from distributed import LocalCluster

    with LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, host="127.0.0.1"
    ) as found:
        yield found.scheduler_address


def figure(what: str, count: int, *arguments: str | Path) -> None:
    """Run `grader grade`, and print what it took."""
    run = watch(["grade", *arguments])
    if run.code not in (0, 3):
        sys.exit(f"exit code {run.code}: {run.out[-500:]}")
    print(f"{what:52} {run.wall:8.2f} s {count / run.wall:8.0f}/s   CPU here {run.cpu:7.2f} s   {run.peak:5.0f} MB")


def main() -> None:
    """Print the figures."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    print(f"{count:,} submissions of 15 answers, seed {SEED}, two workers; CPU and memory without the cluster's")
    with tempfile.TemporaryDirectory() as name, cluster() as address:
        folder = Path(name)
        source, far = folder / "class.jsonl", ("--cluster", address)
        jsonl(ClassMaker(FIFTEEN).students(count, SEED), source)
        for turn in ("cold", "warm"):
            out = ("--no-reports", "-o")
            figure(f"processes here, into a store, {turn}", count, source, *out, folder / f"here-{turn}", "--jobs", "2")
            figure(f"cluster, into a store, {turn}", count, source, *out, folder / f"far-{turn}", *far)
        figure("processes here, into part files", count, source, "--parquet", folder / "parts-here", "--jobs", "2")
        figure("cluster, into part files", count, source, "--parquet", folder / "parts-far", *far)
        figure("part files that are all there", count, source, "--parquet", folder / "parts-far", "--jobs", "2")


if __name__ == "__main__":
    main()

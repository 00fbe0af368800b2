"""Kills runs at random moments, 200 times, and counts what is lost, doubled, torn or left behind.

Run with: python tests/bench/bench_kills.py [kills] [seed]. Stops at the first thing that must not happen.
"""

import sys
import tempfile
import time
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[2])]

from tests.e2e.running import Runner, copied_faults, numbered, write_class  # noqa: E402
from tests.e2e.test_crashes import COUNT, JOBS, kills  # noqa: E402


def main() -> None:
    """Kill, go on, look, and print the counts."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else time.time_ns() % 1_000_000
    print(f"{count} kills, seed {seed}, {JOBS} workers", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        write_class(Path(folder) / "class", numbered(COUNT, "slow"))
        start = time.perf_counter()
        tally = kills(Runner(Path(folder), Path(folder) / "cache", copied_faults(Path(folder) / "faults")), count, seed)
        took = time.perf_counter() - start
    print("finished results lost 0, doubled 0, files torn 0, temporary files after the next start 0")
    print(f"temporary files right after a kill: {tally['temporary files']}")
    print(f"gradings that had to be done again: {tally['graded again']}, {tally['graded again'] / count:.2f} a kill")
    print(f"{took:.0f} s in all")


if __name__ == "__main__":
    main()

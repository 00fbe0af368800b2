"""How long the whole program takes: `grader grade submissions_example/perfect` against `python -c pass`.

Run with: python tests/bench/bench_startup.py [runs]. Both commands run in turn, so that the ratio holds on a noisy
machine; the cache is warmed first. Both run without PYTHONDONTWRITEBYTECODE, which would have every module compiled
anew in every run. Prints figures and judges nothing.
"""

import os
import statistics
import subprocess
import sys
import sysconfig
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
GRADER = Path(sysconfig.get_path("scripts")) / "grader"
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def seconds(command: list[str]) -> float:
    """Wall time of one run of the command, in seconds."""
    start = time.perf_counter()
    subprocess.run(command, cwd=ROOT, env=ENVIRONMENT, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def main() -> None:
    """Time both commands in turn and print medians and the ratio."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 21
    bare = [sys.executable, "-c", "pass"]
    forms = {form: [str(GRADER), "grade", "submissions_example/perfect", "--format", form] for form in ("txt", "json")}
    for form, command in forms.items():
        seconds(command)
        pairs = [(seconds(command), seconds(bare)) for _ in range(runs)]
        full, empty = (statistics.median(column) for column in zip(*pairs, strict=True))
        ratio = statistics.median(a / b for a, b in pairs)
        print(f"--format {form:4}  {1e3 * full:6.1f} ms, python -c pass {1e3 * empty:5.1f} ms, ratio {ratio:.1f}")


if __name__ == "__main__":
    main()

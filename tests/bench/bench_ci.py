"""How long the step of a CI job takes: `grader ci` in a pretended GitHub Actions, from the start to the exit.

Run with: python tests/bench/bench_ci.py [runs]. For each example submission, in a folder of its own as current folder,
with the runner's files; beside it `python -c pass` in the same run, so that the ratio holds on a noisy machine. The
cache is warmed first, as it is where a job restores one; the packaged course ships compiled. The target is 3 s a step.
Prints figures and judges nothing.
"""

import os
import shutil
import statistics
import subprocess
import sys
import sysconfig
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
GRADER = Path(sysconfig.get_path("scripts")) / "grader"
TARGET = 3.0  # seconds


def environment(folder: Path) -> dict[str, str]:
    """That of a step. Without PYTHONDONTWRITEBYTECODE, which would have every module compiled anew."""
    own = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    files = {name: str(folder / name) for name in ("GITHUB_STEP_SUMMARY", "GITHUB_OUTPUT")}
    return {**own, **files, "GITHUB_ACTIONS": "true", "GITHUB_WORKSPACE": str(folder)}


def seconds(command: list[str], folder: Path) -> float:
    """Wall time of one run, in seconds; the runner's files are fresh in every step."""
    for name in ("GITHUB_STEP_SUMMARY", "GITHUB_OUTPUT"):
        (folder / name).write_bytes(b"")
    start = time.perf_counter()
    subprocess.run(command, cwd=folder, env=environment(folder), check=False, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def main() -> None:
    """Time a step for each example, and print medians, the slowest and the ratio."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 7
    bare = [sys.executable, "-c", "pass"]
    print(f"{'submission':16}  {'median':>9}  {'slowest':>9}  {'python':>9}  ratio  summary")
    for example in sorted(path for path in (ROOT / "submissions_example").iterdir() if path.is_dir()):
        with tempfile.TemporaryDirectory() as temporary:
            folder = Path(temporary) / "repository"
            shutil.copytree(example, folder)
            seconds([str(GRADER), "ci"], folder)
            pairs = [(seconds([str(GRADER), "ci"], folder), seconds(bare, folder)) for _ in range(runs)]
            seconds([str(GRADER), "ci"], folder)
            size = (folder / "GITHUB_STEP_SUMMARY").stat().st_size
        full, empty = zip(*pairs, strict=True)
        ratio = statistics.median(a / b for a, b in pairs)
        print(
            f"{example.name:16}  {1e3 * statistics.median(full):6.0f} ms  {1e3 * max(full):6.0f} ms  "
            f"{1e3 * statistics.median(empty):6.1f} ms  {ratio:5.1f}  {size:,} bytes"
        )
    print(f"target: {TARGET:.0f} s a step")


if __name__ == "__main__":
    main()

"""A thousand submissions of which every tenth is hostile: compares the others with what they get without those.

Run with: python tests/bench/bench_hostile.py [count] [seed]. Prints counts, and the time that the hostile ones cost.
"""

import json
import os
import random
import sys
import tempfile
from collections import Counter
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[2])]

from tests.bench.class_files import folders  # noqa: E402
from tests.bench.classes import ClassMaker  # noqa: E402
from tests.bench.watch import Watched, watch  # noqa: E402
from tests.cases.hostile_submissions import HOSTILE, place  # noqa: E402


def main() -> None:
    """Grade the class with and without its hostile tenth."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        folders(ClassMaker().students(count - count // 10, seed), Path("alone/class"))
        folders(ClassMaker().students(count - count // 10, seed), Path("mixed/class"))
        statuses = add_hostile(Path("mixed/class"), count // 10, random.Random(seed))
        runs = {name: graded(name) for name in ("alone", "mixed")}
        compare(statuses)
    print(f"exit codes: {runs['alone'].code} without, {runs['mixed'].code} with")
    print(f"tracebacks: {sum(run.out.count('Traceback') for run in runs.values())}")
    print(f"wall: {runs['alone'].wall:.1f} s without, {runs['mixed'].wall:.1f} s with")
    print(f"peak memory: {runs['alone'].peak:.0f} MB without, {runs['mixed'].peak:.0f} MB with")


def add_hostile(folder: Path, count: int, draw: random.Random) -> dict[str, tuple[str, ...]]:
    """So many cases at random, those that are in a name once; the statuses allowed, by folder."""
    plain = [case for case in HOSTILE if not case.folder]
    cases = [draw.choice(plain) for _ in range(count - count // 5)]
    cases += draw.sample([case for case in HOSTILE if case.folder], min(count // 5, 20))
    found = {}
    for number, case in enumerate(cases):
        name = place(case, folder, f"x{number:04}")
        found[name.decode("utf-8", "backslashreplace")] = case.statuses
    return found


def graded(name: str) -> Watched:
    """The class in that folder, with its results in `out` beside it."""
    os.chdir(name)
    run = watch(["grade", "class", "-o", "out", "--jobs", "2"])
    os.chdir("..")
    if run.code not in (0, 3):
        sys.exit(f"{name}: exit code {run.code}: {run.out[-800:]}")
    return run


def compare(statuses: dict[str, tuple[str, ...]]) -> None:
    """Count the results and pages that are the same, and the statuses of the hostile."""
    alone, mixed = (json.loads(Path(name, "out/results.json").read_text())["results"] for name in ("alone", "mixed"))
    others = {result["student"]: result for result in mixed if result["source"].split("/")[1] not in statuses}
    same = sum(json.dumps(result) == json.dumps(others.get(result["student"])) for result in alone)
    print(f"good submissions with the same result: {same} of {len(alone)}")
    pages = [path.relative_to("alone/out") for path in Path("alone/out").glob("*.*") if _is_page(path.name)]
    kept = sum(_same(Path("alone/out", page), Path("mixed/out", page)) for page in pages)
    print(f"their pages with the same bytes: {kept} of {len(pages)}")
    bad = [result for result in mixed if result["source"].split("/")[1] in statuses]
    stated = sum(result["status"] in statuses[result["source"].split("/")[1]] for result in bad)
    print(f"hostile submissions with a status that is right: {stated} of {len(statuses)}")
    print(f"  {dict(Counter(result['status'] for result in bad))}")


def _is_page(name: str) -> bool:
    return name.endswith((".html", ".md")) and not name.startswith("index.")


def _same(one: Path, other: Path) -> bool:
    return other.is_file() and one.read_bytes() == other.read_bytes()


if __name__ == "__main__":
    main()

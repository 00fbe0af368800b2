"""How long it takes to read submissions: rows of a large JSON Lines table, and a file in each format.

Run: python tests/bench/bench_reading.py
"""

import json
import time

from grader.bundle import Bundle
from grader.submission import read_bundle

PARTS = {f"q{e}-exercise": {f"part{p}": f"{e}BDF/({p}BD + {p}BF)" for p in range(1, 4)} for e in range(1, 6)}


def files() -> dict[str, str]:
    """The same fifteen answers in each format."""
    rows = [(exercise, part, text) for exercise, parts in PARTS.items() for part, text in parts.items()]
    lines = {
        exercise: "".join(f"{part}: {text}\n" for part, text in parts.items()) for exercise, parts in PARTS.items()
    }
    markdown = "".join(f"## {exercise}\n{text}\n" for exercise, text in lines.items())
    cell = {"cell_type": "markdown", "metadata": {}, "source": markdown.splitlines(keepends=True)}
    return {
        "row.json": json.dumps({"student": "s1", "answers": PARTS}),
        "flat.json": json.dumps({"student": "s1", **PARTS}),
        "lines.json": json.dumps({"student": "s1", "answers": PARTS}, indent=1),
        "a.yaml": "".join(f"{e}:\n" + "".join(f"  {line}\n" for line in t.splitlines()) for e, t in lines.items()),
        "a.toml": "".join(f"[{e}]\n" + "".join(f'{p} = "{t}"\n' for p, t in PARTS[e].items()) for e in PARTS),
        "a.csv": "exercise,part,response\n" + "".join(f"{','.join(row)}\n" for row in rows),
        "a.md": markdown,
        "a.ipynb": json.dumps({"cells": [cell]}, indent=1),
    }


def main() -> None:
    """Print microseconds for each kind of file."""
    for name, text in files().items():
        data = text.encode()
        best = float("inf")
        for _ in range(5):
            bundles = [Bundle(source="t", file=name, key="s1", content=data, row=i) for i in range(1, 2001)]
            start = time.process_time()
            for bundle in bundles:
                submission = read_bundle(bundle)
            best = min(best, (time.process_time() - start) / len(bundles))
        assert len(submission.responses) == 15, (name, submission)
        print(f"{name:12} {best * 1e6:8.1f} us")


if __name__ == "__main__":
    main()

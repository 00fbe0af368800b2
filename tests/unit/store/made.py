"""Runs small enough to see through, told to a store as a worker tells them."""

import json
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import fields
from pathlib import Path
from typing import Any

from grader.compiled import Policy
from grader.gradebook import Column, Outline
from grader.records import record
from grader.results import PartResult, Status, Verdict
from grader.store import Journal
from grader.store.runs import Task

OUTLINE = Outline(
    course="rooflines",
    title="Rooflines",
    columns=(
        Column(exercise="q1", part="flops", title="Operations", max_points=3),
        Column(exercise="q1", part="bytes", title="Bytes moved", max_points=3),
        Column(exercise="q2", part="ridge", title="Ridge", max_points=4),
    ),
    exercises={"q1": ("One", "A product."), "q2": ("Two", "")},
)
ANSWERS = {"flops": "2BDF", "bytes": "BD", "ridge": "240"}


def task(kind: str = "grade", judged: str = "v1", **more: Any) -> Task:
    """A run against the course in the state `judged`."""
    values: dict[str, Any] = {"grader": "0.1.0", "spec": "aa", "key": "bb", "reveal": "mistake", "outline": OUTLINE,
                              "policy": Policy()}  # fmt: skip
    return Task(kind=kind, judged=judged, **{**values, **more})


def part(name: str, points: int, of: int, **more: Any) -> PartResult:
    """A part; right if it has all points."""
    verdict = more.pop("verdict", Verdict.CORRECT if points == of else Verdict.INCORRECT)
    return PartResult(id=name, verdict=verdict, points=points, max_points=of, response=ANSWERS[name], **more)


def marked(*points: int) -> list[PartResult]:
    """The three parts with these points."""
    return [part(name, earned, most) for (name, most), earned in zip(
        (("flops", 3), ("bytes", 3), ("ridge", 4)), points, strict=True)]  # fmt: skip


def told(student: str, parts: Sequence[PartResult] = (), **more: Any) -> dict[str, Any]:
    """What a worker tells of one submission: the head, and the parts if it was graded."""
    status = Status.GRADED if parts else Status.FAILED
    rows = [("q2" if p.id == "ridge" else "q1", p.id, p.response, n, "") for n, p in enumerate(parts, 1)]
    one: dict[str, Any] = {
        "student": student, "source": f"{student}/answers.yaml", "name": "", "key": student, "platform": "folder",
        "attempt": None, "times": {}, "late": False, "digest": f"digest of {student}", "message": "", "remarks": [],
        "status": status, "responses": json.dumps(rows) if rows else "", "attachments": "",
    }  # fmt: skip
    if parts:
        one |= {
            "points": sum(p.points or 0 for p in parts), "parts": [(n, n + 1) for n in range(len(parts))],
            "new": [_row(n, p) for n, p in enumerate(parts)], "invalid": 0, "undecided": 0,
        }  # fmt: skip
    return one | more


def _row(number: int, part: PartResult) -> list[Any]:
    made = record("q2" if part.id == "ridge" else "q1", part)
    return [number, made.digest, *(getattr(made, field.name) for field in fields(made))]


def put(journal: Journal, one: dict[str, Any], stamp: str = "") -> None:
    """Keep one submission, from a worker of its own."""
    journal.put(stamp or f"stamp of {one['digest']}", [one], object())


def graded(journal: Journal, *ones: dict[str, Any], **more: Any) -> int:
    """A whole run with these submissions."""
    run = journal.begin(task(**more))
    for one in ones:
        put(journal, one)
    journal.finish()
    return run


def points(journal: Journal) -> dict[str, int]:
    """The totals by student, from the table that leaves."""
    return dict(journal.db.execute("select student, points from grade"))


def rows(folder: Path, query: str) -> list[tuple[Any, ...]]:
    """What any other program reads."""
    with closing(sqlite3.connect(f"file:{folder / 'grades.sqlite'}?mode=ro", uri=True)) as store:
        return store.execute(query).fetchall()


def dump(folder: Path) -> str:
    """All that a store holds."""
    with closing(sqlite3.connect(f"file:{folder / 'grades.sqlite'}?mode=ro", uri=True)) as store:
        return "\n".join(store.iterdump())

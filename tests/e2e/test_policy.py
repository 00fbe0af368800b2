"""Due dates, late days, extensions and attempts, from course.yaml to the gradebook, the page and the next day."""

import csv
import io
import json
from pathlib import Path

import pytest

from tests.e2e.conftest import Run
from tests.e2e.small import RIGHT, Small

RULES = """\
due: {at: 2026-10-01T09:00:00+02:00, from: lms, grace: 10 min}
late: {points_per_day: 2, cap: 5}
extensions: {dee: 2 d, eve@example.edu: 1 d}
"""
TIMES = {  # with the points that are left of 7, and the days
    "ann": ("2026-10-01T09:10:00+02:00", 7, 0),
    "ben": ("2026-10-01T07:10:01+00:00", 5, 1),
    "cem": ("2026-10-09T09:00:00+02:00", 2, 8),
    "dee": ("2026-10-03T08:00:00+02:00", 7, 0),
    "eve": ("2026-10-02T12:00:00+02:00", 5, 1),
}


@pytest.fixture
def small(tmp_path: Path, grader: Run) -> Small:
    made = Small(tmp_path / "small", grader)
    made.folder.mkdir()
    return made


def with_rules(small: Small, rules: str) -> None:
    small.course(course=("secret_env:", f"{rules}secret_env:"))


def grade(small: Small, rows: list[dict[str, object]], *options: str, folder: str = "out") -> None:
    (small.folder / "rows.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    run = small.run("grade", "rows.jsonl", "-o", folder, "--jobs", "1", *options)
    assert run.returncode == 0, run.stderr


def row(student: str, at: str | None = None, **more: object) -> dict[str, object]:
    return {"student": student, "answers": {"fixed": RIGHT}, **({"submitted_at": at} if at else {}), **more}


def gradebook(small: Small, folder: str = "out") -> dict[str, dict[str, str]]:
    text = small.run("export", folder, "--to", "csv").stdout
    return {line["student"]: line for line in csv.DictReader(io.StringIO(text))}


def test_late_days_cost_points_up_to_the_cap_and_extensions_move_what_is_due(small: Small) -> None:
    with_rules(small, RULES)
    (small.folder / "roster.csv").write_text("student,email\neve,eve@example.edu\nben,\nann,\ncem,\ndee,\n", "utf-8")
    grade(small, [row(name, at) for name, (at, _, _) in TIMES.items()], "--roster", "roster.csv")
    book = gradebook(small)
    assert {n: (int(b["total"]), int(b["late_days"])) for n, b in book.items()} == {n: t[1:] for n, t in TIMES.items()}
    assert {n: b["penalty"] for n, b in book.items()} == {"ann": "0", "ben": "2", "cem": "5", "dee": "0", "eve": "2"}
    page = (small.out / "cem.md").read_text(encoding="utf-8")
    assert "8 days late" in page
    assert "2 of 12 points" in page
    assert "late" not in (small.out / "dee.md").read_text(encoding="utf-8")
    results = json.loads((small.out / "results.json").read_text(encoding="utf-8"))["results"]
    assert {r["student"]: r["points"] for r in results} == small.points()


def test_grading_again_on_another_day_in_another_place_gives_the_same(small: Small) -> None:
    with_rules(small, RULES)
    (small.folder / "roster.csv").write_text("student,email\neve,eve@example.edu\n", encoding="utf-8")
    grade(small, [row(name, at) for name, (at, _, _) in TIMES.items()], "--roster", "roster.csv")
    before, pages = gradebook(small), small.pages()
    run = small.grader(
        "regrade", "out", "--course", "course", cwd=small.folder,
        env={"TINY_SECRET": "s", "TZ": "Pacific/Kiritimati", "LC_ALL": "C"},
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    assert "0 totals and 0 parts change" in run.stdout
    assert (gradebook(small), small.pages()) == (before, pages)


@pytest.mark.parametrize(("attempts", "points"), [("latest", 2), ("best", 5)])
def test_the_latest_or_the_best_attempt_counts(small: Small, attempts: str, points: int) -> None:
    with_rules(
        small, f"due: {{at: 2026-10-01T09:00:00+02:00, from: lms}}\nlate: {{points_per_day: 2}}\nattempts: {attempts}\n"
    )
    half = {"fixed": {"ops": "2BDF", "critical": "B > 243"}}
    grade(
        small,
        [row("ann", "2026-10-02T08:00:00+02:00"), row("ann", "2026-10-02T09:00:00+02:00", answers=half)],
    )  # fmt: skip
    assert small.points() == {"ann": points}
    assert small.rows("select attempts, days_late from grade") == [(2, 1)]
    shown = [r["counts"] for r in json.loads((small.out / "results.json").read_text("utf-8"))["results"]]
    assert shown == [attempts == "best", attempts == "latest"]


def test_points_given_by_hand_count_before_the_penalty(small: Small) -> None:
    with_rules(small, RULES)
    grade(small, [row("ben", TIMES["ben"][0])])
    small.run("override", "out", "ben", "fixed.lower", "1", "--why", "x")
    assert small.points() == {"ben": 6}


def test_without_a_time_lateness_is_not_judged_and_a_person_is_told(small: Small) -> None:
    with_rules(small, RULES)
    grade(small, [row("ann")])
    assert small.points() == {"ann": 7}
    assert "lateness not judged" in small.run("flags", "out").stdout
    (small.folder / "roster.csv").write_text("student,submitted_at\nann,2026-10-01T12:00:00+02:00\n", encoding="utf-8")
    grade(small, [row("ann")], "--roster", "roster.csv")
    assert small.points() == {"ann": 5}, "the roster may tell it"


@pytest.mark.parametrize(
    ("rules", "what"),
    [
        ("due: {at: tomorrow}\n", "course.yaml:"),
        ("due: {at: 2026-10-01T09:00:00}\n", "course.yaml:"),
        ("late: {points_per_day: 0.5}\n", "course.yaml:"),
        ("attempts: first\n", "course.yaml:"),
        ("extensions: {ann: soon}\n", "course.yaml:"),
    ],
)
def test_rules_that_cannot_be_followed_are_told_with_their_line(small: Small, rules: str, what: str) -> None:
    with_rules(small, rules)
    (small.folder / "rows.jsonl").write_text(json.dumps(row("ann")), encoding="utf-8")
    run = small.run("grade", "rows.jsonl", "-o", "out")
    assert run.returncode == 2
    assert what in run.stderr
    assert "Traceback" not in run.stderr
    assert not small.out.exists()

"""A mistake in the course is mended after grading: who changes is told, and nothing else does."""

import json
from pathlib import Path

import pytest

from tests.e2e.small import Small, made, runner

KEY = ("solution: flops", "solution: macs")  # the answer without the factor is the right one now


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory, cache: Path) -> Small:
    """The class, graded once; tests change copies."""
    return made(tmp_path_factory.mktemp("regrade") / "small", runner(cache))


@pytest.fixture
def small(graded: Small, tmp_path: Path) -> Small:
    return graded.copy(tmp_path / "small")


def test_a_mended_key_tells_who_changes_and_why_and_the_pages_follow(small: Small) -> None:
    before = small.pages()
    small.course(fixed=KEY)
    run = small.run("regrade", "out")
    assert run.returncode == 0, run.stderr
    assert run.stdout.splitlines()[0] == "5 submissions graded again; 3 totals and 3 parts change"
    assert "\nann: 7 -> 5 points\n  fixed ops: correct -> incorrect, 2 -> 0 points (answered 2BDF" in run.stdout
    ben = "  fixed ops: incorrect -> correct, 0 -> 2 points (answered BDF; half-count -> no mistake)"
    assert f"\nben: 5 -> 7 points\n{ben}\n" in run.stdout
    assert run.stdout.endswith("\nStored, and the pages are up to date.\n")
    assert small.points() == {"ann": 5, "ben": 7, "cem": 3, "dee": 0, "eve": 0}
    after = small.pages()
    assert {name for name in after if after[name] != before[name]} == {
        "ann.html", "ann.md", "ben.html", "ben.md", "cem.html", "cem.md", "class.html", "index.html", "index.md",
        "results.json",
    }  # fmt: skip
    assert [r["points"] for r in json.loads(after["results.json"])["results"]] == [5, 7, 3, 0, 0]
    assert small.rows("select student, old, new from audit order by student") == [
        ("ann", "correct 2", "incorrect 0"), ("ben", "incorrect 0", "correct 2"), ("cem", "correct 2", "incorrect 0")
    ]  # fmt: skip
    again = small.run("regrade", "out")
    assert again.stdout.splitlines()[0] == (
        "0 submissions graded again (5 were graded against this course already); 0 totals and 0 parts change"
    )
    grade = small.grade()
    assert "0 graded now, 5 unchanged" in grade.stdout
    assert small.pages() == after


def test_a_dry_run_shows_the_same_and_changes_nothing(small: Small) -> None:
    dump, pages = small.dump(), small.pages()
    small.course(fixed=KEY)
    dry = small.run("regrade", "out", "--dry-run")
    assert dry.returncode == 0
    assert dry.stdout.endswith("Nothing was changed (--dry-run).\n")
    assert (small.dump(), small.pages()) == (dump, pages)
    real = small.run("regrade", "out")
    assert real.stdout.rpartition("\n\n")[0] == dry.stdout.rpartition("\n\n")[0]


def test_nobody_loses_points_with_never_lower(small: Small) -> None:
    small.course(fixed=KEY)
    run = small.run("regrade", "out", "--never-lower", "--format", "json")
    diff = json.loads(run.stdout)
    assert diff["totals"] == [{"student": "ben", "name": "", "old": 5, "new": 7}]
    assert {change["student"]: change["kept"] for change in diff["changes"]} == {"ann": True, "ben": False, "cem": True}
    assert small.points() == {"ann": 7, "ben": 7, "cem": 5, "dee": 0, "eve": 0}


def test_points_given_by_hand_stay_and_are_shown(small: Small) -> None:
    small.run("override", "out", "ben", "fixed.ops", "1", "--why", "half of it is right")
    small.course(fixed=KEY)
    run = small.run("regrade", "out")
    assert "\nben: total as before\n" in run.stdout
    assert "stays at 1, given by a person" in run.stdout
    assert small.points()["ben"] == 6
    assert b"half of it is right" in small.pages()["ben.html"]


@pytest.mark.parametrize(
    ("fault", "what"),
    [
        (("solution: flops", "solution: flopps"), "fixed.yaml:"),
        (("points: 2", "points: two"), "fixed.yaml:"),
        (("id: fixed", "id: [fixed"), "fixed.yaml:"),
    ],
)
def test_a_course_with_a_fault_leaves_everything_as_it_was(small: Small, fault: tuple[str, str], what: str) -> None:
    dump, pages, store = small.dump(), small.pages(), (small.out / "grades.sqlite").read_bytes()
    small.course(fixed=fault)
    run = small.run("regrade", "out")
    assert run.returncode == 2
    assert what in run.stderr
    assert "Traceback" not in run.stderr
    assert (small.dump(), small.pages()) == (dump, pages)
    assert (small.out / "grades.sqlite").read_bytes() == store


def test_rules_alone_change_totals_without_grading_again(small: Small) -> None:
    due = "due: {at: 2026-10-01T09:00:00+02:00, from: lms}\nlate: {points_per_day: 2}\n"
    answers = {"fixed": {"ops": "2BDF", "critical": "B > 243"}}
    rows = [
        {"student": name, "answers": answers, "submitted_at": f"2026-10-0{day}T09:00:00+02:00"}
        for name, day in (("ann", 1), ("ben", 2))
    ]
    (small.folder / "late.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    assert small.run("grade", "late.jsonl", "-o", "late", "--jobs", "1").returncode == 0
    small.course(course=("secret_env:", f"{due}secret_env:"))
    run = small.run("regrade", "late")
    assert run.stdout == (
        "0 submissions graded again (2 were graded against this course already); 1 total and 0 parts change\n"
        "\nben: 4 -> 2 points, by the rules for lateness and attempts\nStored, and the pages are up to date.\n"
    )
    assert "1 day late" in (small.folder / "late/ben.md").read_text(encoding="utf-8")
    small.course(course=("secret_env:", f"{due}extensions: {{ben: 1 d}}\nsecret_env:"))
    assert "\nben: 2 -> 4 points" in small.run("regrade", "late").stdout
    assert "1 day late" not in (small.folder / "late/ben.md").read_text(encoding="utf-8")


def test_a_store_without_pages_gets_none(small: Small) -> None:
    assert small.run("grade", "class", "-o", "bare", "--no-reports", "--jobs", "1").returncode == 0
    small.course(fixed=KEY)
    assert small.run("regrade", "bare").stdout.endswith("\nStored.\n")
    assert sorted(path.name for path in (small.folder / "bare").iterdir()) == ["grades.lock", "grades.sqlite"]


@pytest.mark.parametrize(
    "verb", [("regrade",), ("export", "--to", "csv"), ("flags",), ("override", "ann", "fixed.ops", "1", "--why", "x")]
)
def test_where_there_is_no_store_none_is_made(graded: Small, verb: tuple[str, ...]) -> None:
    run = graded.run(verb[0], "nowhere", *verb[1:])
    assert (run.returncode, run.stdout) == (2, "")
    assert (
        run.stderr
        == "grader: nowhere/grades.sqlite: there is no store; make one with grader grade PATH... -o nowhere\n"
    )
    assert not (graded.folder / "nowhere").exists()


def test_what_was_said_of_a_file_is_said_once_however_often_it_is_graded(small: Small) -> None:
    small.answers("fay", {"opps": "2BDF"})
    small.grade()
    small.course(fixed=KEY)
    small.run("regrade", "out")
    (remarks,) = small.rows("select r.remarks from submission s join result r on r.id = s.result where student = 'fay'")
    assert remarks[0].count("unknown part") == 1
    assert small.pages()["fay.md"].count(b"unknown part") == 1


def test_the_course_is_the_one_that_the_store_was_graded_against(small: Small) -> None:
    secret = {"TINY_SECRET": "s"}
    run = small.run("grade", "class", "-o", "mine", "--no-reports", "--jobs", "1")
    assert run.returncode == 0
    run = small.grader("regrade", "mine", cwd=small.folder, env=secret)
    assert "0 totals and 0 parts change" in run.stdout
    (small.folder / "course").rename(small.folder / "elsewhere")
    run = small.grader("regrade", "mine", cwd=small.folder, env=secret)
    assert run.returncode == 2
    assert "name its folder with --course" in run.stderr


def test_verdicts_alone_do_not_replace_results_in_full(small: Small) -> None:
    verdicts = ("grade", "class", "-o", "mine", "--jobs", "1", "--verdicts-only")
    assert small.run(*verdicts).returncode == 0
    assert small.run(*verdicts[:-1], "--no-reports").returncode == 0
    run = small.run(*verdicts)
    assert run.returncode == 2
    assert "results in full" in run.stderr

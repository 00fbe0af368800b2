"""Points given by a person, through the real program."""

from pathlib import Path

import pytest

from tests.e2e.small import Small, made, runner


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory, cache: Path) -> Small:
    """The class, graded once; tests change copies."""
    return made(tmp_path_factory.mktemp("override") / "small", runner(cache))


@pytest.fixture
def small(graded: Small, tmp_path: Path) -> Small:
    return graded.copy(tmp_path / "small")


def test_points_given_by_hand_are_in_the_total_the_pages_and_every_export(small: Small) -> None:
    before = small.pages()
    run = small.run("override", "out", "ben", "fixed.ops", "1", "--why", "half of it", "--by", "Prof. Example")
    assert (run.returncode, run.stdout) == (0, "ben: fixed ops: 1 point; total 6\n")
    assert small.points()["ben"] == 6
    after = small.pages()
    assert {name for name in after if after[name] != before[name]} == {
        "ben.html", "ben.md", "class.html", "index.html", "index.md", "results.json"
    }  # fmt: skip
    assert b"half of it" in after["ben.html"]
    assert b"Prof. Example" in after["results.json"]
    assert ",6,12" in small.run("export", "out", "--to", "csv").stdout
    assert small.grade().returncode == 0
    assert small.pages() == after, "grading again changes nothing of it"


def test_points_can_be_taken_back(small: Small) -> None:
    before = small.pages()
    small.run("override", "out", "ben", "fixed/ops", "2", "--why", "x")
    run = small.run("override", "out", "ben", "fixed/ops", "--remove")
    assert run.stdout == "ben: fixed ops: as graded; total 5\n"
    assert small.pages() == before
    assert small.rows("select old, new from audit order by id") == [(None, "2"), ("2", None)]
    run = small.run("override", "out", "ben", "fixed.ops", "--remove")
    assert (run.returncode, run.stderr) == (2, "grader: ben: no points were given by hand for fixed ops\n")


def test_an_exercise_may_be_named_by_its_beginning(small: Small) -> None:
    assert small.run("override", "out", "ben", "fix.ops", "2", "--why", "x").stdout.startswith(
        "ben: fixed ops: 2 points"
    )


def test_a_student_may_be_named_as_the_roster_does(small: Small) -> None:
    (small.folder / "roster.csv").write_text("student,email\nben,ben@example.edu\nzoe,zoe@example.edu\n", "utf-8")
    small.grade("--roster", "roster.csv")
    assert small.run("override", "out", "ben@example.edu", "fixed.ops", "2", "--why", "x").stdout.startswith("ben: ")
    run = small.run("override", "out", "zoe@example.edu", "fixed.ops", "2", "--why", "x")
    assert run.stderr == "grader: zoe@example.edu: nothing was handed in, so there are no points to give\n"


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        (("benn", "fixed.ops", "1", "--why", "x"), "no student 'benn' in this store; did you mean ben?"),
        (("ben", "fixed.opps", "1", "--why", "x"), "no part 'opps' of fixed; did you mean ops?"),
        (("ben", "fixed", "1", "--why", "x"), "no part '' of fixed; its parts: ops, intensity, critical, "),
        (("ben", "fixt.ops", "1", "--why", "x"), "no exercise 'fixt'; did you mean fixed?"),
        (("ben", ".ops", "1", "--why", "x"), "more than one exercise ''; name a part as exercise.part: fixed, drawn"),
        (("ben", "fixed.ops", "3", "--why", "x"), "fixed ops: 0 to 2 points are possible, not 3"),
        (("ben", "fixed.ops", "1"), "say why"),
        (("ben", "fixed.ops", "1", "--why", " "), "say why"),
        (("ben", "fixed.ops"), "give the points, or --remove"),
        (("ben", "fixed.ops", "1", "--remove"), "give the points, or --remove"),
        (("ben", "fixed.ops", "1.5", "--why", "x"), "is not a valid integer"),
        (("ben", "fixed.ops", "--why", "x", "--", "-1"), "0 to 2 points are possible, not -1"),
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_refused_with_what_may_be_meant(
    graded: Small, arguments: tuple[str, ...], what: str
) -> None:
    before = graded.dump()
    run = graded.run("override", "out", *arguments)
    assert run.returncode == 2
    assert what in run.stderr
    assert graded.dump() == before

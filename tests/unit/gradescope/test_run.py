"""One submission in the autograder: whatever it is and whatever fails, results.json is there and keeps the rules."""

import json
import shutil
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from grader.batch import grade, grade_found
from grader.compiled import Policy
from grader.course import LoadedCourse, pack
from grader.gradescope import run as module
from grader.gradescope.run import error_json, run
from grader.grading import Grader
from grader.results import Reveal
from grader.sources.finding import find
from tests.cases.hostile_submissions import CANARY, HOSTILE
from tests.gradescope import shown, total_is_shown, valid
from tests.tiny import load, marker

RIGHT = {"ops": "2BDF", "intensity": "2BDF/(BD + DF + BF)", "critical": "B > 243"}
POINTS = 12
CREATED = "2026-10-02T02:14:41.365935-07:00"
ADA: dict[str, Any] = {"email": "ada@example.org", "id": 42, "name": "Ada Example"}


class Root:
    """An autograder's folder as Gradescope lays it out."""

    def __init__(self, folder: Path, loaded: LoadedCourse) -> None:
        self.folder = folder
        for name in ("source", "submission"):
            (folder / name).mkdir(parents=True)
        (folder / "source" / "course.json").write_text(json.dumps(pack(loaded)), encoding="utf-8")
        self.metadata()

    def metadata(self, *, users: Any = (ADA,), **changes: Any) -> None:
        assignment = {"due_date": "2026-10-03T23:00:00-07:00", "late_due_date": None, "total_points": "12.0"}
        data = {"id": 7, "created_at": CREATED, "assignment": assignment, "users": users, **changes}
        (self.folder / "submission_metadata.json").write_text(json.dumps(data), encoding="utf-8")

    def answers(self, given: Mapping[str, str], name: str = "answers.yaml", student: str = "") -> None:
        lines = [f"    {part}: '{text}'\n" for part, text in given.items()]
        text = "".join([f"student: {student}\nanswers:\n  fixed:\n", *lines])
        (self.folder / "submission" / name).write_text(text, encoding="utf-8")

    def run(self) -> dict[str, Any]:
        self.told = run(self.folder)
        return valid(json.loads((self.folder / "results" / "results.json").read_bytes()), POINTS)


@pytest.fixture
def root(tmp_path: Path, tiny: LoadedCourse) -> Root:
    """The small course, and Ada, who handed in nothing yet."""
    return Root(tmp_path / "autograder", tiny)


@pytest.fixture
def of_course(tmp_path: Path, tiny: LoadedCourse) -> Callable[..., Root]:
    """The same for the small course with something changed, and right answers but for one."""

    def made(**changes: Any) -> Root:
        root = Root(tmp_path / "autograder", replace(tiny, course=replace(tiny.course, **changes)))
        root.answers({**RIGHT, "ops": "BDF"})
        return root

    return made


def test_points_and_mistakes_are_those_of_grade(root: Root, tiny: LoadedCourse) -> None:
    root.answers({**RIGHT, "ops": "BDF", "lower": "max(T_math"})
    found = root.run()
    (result,) = grade_found(list(find([root.folder / "submission" / "answers.yaml"])), tiny).results
    parts = {part.title or f"{exercise.id} {part.id}": part for exercise in result.exercises for part in exercise.parts}
    tests = {test["name"]: test for test in found["tests"]}
    assert found["score"] == result.points == 5
    assert {name: (test["score"], tuple(test["tags"])) for name, test in tests.items()} == {
        name: (part.points, part.mistakes) for name, part in parts.items()
    }
    assert tests["fixed ops"]["tags"] == ["half-count"]
    assert found["tests"][0]["name"] == "fixed lower"
    assert root.told == ("ada@example.org: 5 of 12 points",)


def test_what_was_graded_with_what_is_kept_for_staff(root: Root) -> None:
    root.answers(RIGHT)
    extra = root.run()["extra_data"]
    assert {len(extra[name]) for name in ("spec_sha256", "key_sha256", "answers_sha256")} == {64}
    assert (extra["student"], extra["status"], extra["submitted_at"]) == ("ada@example.org", "graded", CREATED)


def test_a_second_run_gives_the_same_but_for_the_time_that_it_takes(root: Root) -> None:
    root.answers(RIGHT)
    first, second = root.run(), root.run()
    assert first.pop("execution_time") >= 0
    assert second.pop("execution_time") >= 0
    assert json.dumps(first) == json.dumps(second)


def test_nothing_handed_in_and_two_files_are_told_as_such(root: Root) -> None:
    assert "no file of answers" in root.run()["tests"][0]["output"]
    root.answers(RIGHT)
    root.answers({}, "answers.json")
    found = root.run()
    assert found["extra_data"]["status"] == "duplicate"
    assert "answers.json and answers.yaml" in found["tests"][0]["output"]
    shutil.rmtree(root.folder / "submission")
    assert root.run()["extra_data"]["status"] == "missing"


def test_hostile_submissions_cost_nothing_but_themselves(
    root: Root, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    cases = [case for case in HOSTILE if not case.folder]
    for case in (*cases[:-5:10], *cases[-5:]):
        shutil.rmtree(root.folder / "submission")
        (root.folder / "submission").mkdir()
        case.make(root.folder / "submission")
        assert root.run()["extra_data"]["status"] in case.statuses, case.name
    assert not list(tmp_path.rglob(CANARY))


# --- metadata ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("broken", [None, "{", "[]", '{"created_at": 5, "users": [[]], "assignment": 3}'])
def test_without_metadata_it_is_graded_with_a_note_for_the_instructor(root: Root, broken: str | None) -> None:
    root.answers(RIGHT, student="ada")
    path = root.folder / "submission_metadata.json"
    path.unlink()
    if broken is not None:
        path.write_text(broken, encoding="utf-8")
    found = root.run()
    assert (found["score"], found["extra_data"]["student"]) == (7, "ada")
    assert found["extra_data"]["notes"]
    assert all("submission_metadata.json" in note for note in found["extra_data"]["notes"])
    assert "submission_metadata.json" not in json.dumps([found["output"], found["tests"]])


def test_an_assignment_worth_something_else_is_noted(root: Root) -> None:
    root.answers(RIGHT)
    root.metadata(assignment={"total_points": "10.0"})
    (note,) = root.run()["extra_data"]["notes"]
    assert note.endswith("set it to 12")
    assert f"note: {note}" in root.told


LATE = Policy(due_at="2026-10-01T02:00:00-07:00", late_points=2)


def test_lateness_goes_by_when_gradescope_got_it_never_by_the_clock(of_course: Callable[..., Root]) -> None:
    root = of_course(policy=LATE)
    found = root.run()
    assert found["tests"][0]["output"] == "-4 points for being 2 days late; the total has it"
    assert found["score"] == 1
    root.metadata(created_at="2026-10-01T08:59:59Z")
    assert root.run()["score"] == 5
    root.metadata(created_at=None)
    found = root.run()
    assert found["score"] == 5
    assert "lateness is not judged" in found["extra_data"]["notes"][0]


@pytest.mark.parametrize("name", ["ada@example.org", "42", "bob@example.org"])
def test_a_group_has_the_longest_extension_of_its_members(of_course: Callable[..., Root], name: str) -> None:
    root = of_course(policy=replace(LATE, extensions={name: 2 * 86400, "zoe": 9}))
    root.metadata(users=[{"email": "bob@example.org", "id": 43, "name": "Bob"}, ADA])
    found = root.run()
    assert found["score"] == 5
    assert found["extra_data"]["student"] == "ada@example.org"


def test_numbers_are_those_of_the_sheet_that_the_file_names_if_it_is_a_members(root: Root, tiny_grader: Grader) -> None:
    def right(student: str) -> str:
        return marker(tiny_grader, "drawn", "ridge", student).right[0][1].read_as

    other = next(number for number in range(42, 99) if right(str(number)) != right(ADA["email"]))
    root.metadata(users=[{**ADA, "id": other}])
    path = root.folder / "submission" / "answers.yaml"
    path.write_text(f"student: '{other}'\ndrawn: {{ridge: '{right(str(other))}'}}\n", encoding="utf-8")
    found = root.run()
    assert (found["score"], found["extra_data"]["student"], found["output"]) == (2, str(other), "")
    path.write_text(f"student: eve\ndrawn: {{ridge: '{right(ADA['email'])}'}}\n", encoding="utf-8")
    found = root.run()
    assert (found["score"], found["extra_data"]["student"]) == (2, ADA["email"])
    assert "the file says eve" in found["output"]


# --- what students see ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("level", list(Reveal))
def test_below_full_no_solution_is_in_the_file_and_none_hides_the_total(
    of_course: Callable[..., Root], level: Reveal
) -> None:
    root = of_course(
        reveal=(("", str(level)), ("2026-12-01T00:00:00+00:00", "full" if level != Reveal.NONE else "none"))
    )
    root.answers({"ops": "BDF", "intensity": "3", "critical": "B > 9"})
    found = root.run()
    told = json.dumps(found)
    assert ("Solution: ` 2*B*D*F `" in told) == (level == Reveal.FULL)
    assert ("half-count" in told) == level.includes(Reveal.MISTAKE)
    assert total_is_shown(found) == (level != Reveal.NONE)
    assert [test["number"] for test in shown(found)] == ["1.1", "1.2", "1.3", "1.4", "1.5", "2.1", "2.2"]


def test_what_is_revealed_later_waits_for_its_time(of_course: Callable[..., Root]) -> None:
    root = of_course(reveal=(("", "none"), ("2026-10-04T00:00:00+00:00", "mistake")))
    found = root.run()
    assert not total_is_shown(found)
    assert "half-count" not in json.dumps(shown(found))
    after = [test for test in found["tests"] if test["visibility"] == "after_due_date"]
    assert sum(test["score"] for test in after) == found["score"] == 5
    assert "half-count" in json.dumps(after)


# --- our own failures -------------------------------------------------------------------------------------------------


def failing(*_: object, **__: object) -> None:
    """A fault of ours."""
    raise RuntimeError("a fault of ours")


@pytest.mark.parametrize("fault", ["handed_in", "grade_found", "results"])
def test_a_fault_of_ours_is_no_mark_and_is_told(root: Root, monkeypatch: pytest.MonkeyPatch, fault: str) -> None:
    root.answers(RIGHT)
    monkeypatch.setattr(module, fault, failing)
    found = root.run()
    assert [test.get("score") for test in found["tests"]] == [None] * 8
    assert "no mistake of yours" in found["tests"][0]["output"]
    assert root.told == ("not graded: RuntimeError: a fault of ours",)
    assert "a fault of ours" not in json.dumps(found)


def test_results_are_there_as_an_error_before_anything_is_read(root: Root, monkeypatch: pytest.MonkeyPatch) -> None:
    root.answers(RIGHT)
    root.run()
    place = root.folder / "results" / "results.json"
    seen: list[Any] = []
    monkeypatch.setattr(module, "_course", lambda _: seen.append(json.loads(place.read_bytes())) or failing())
    run(root.folder)
    assert seen == [json.loads(place.read_bytes())]
    assert seen[0]["score"] == 0
    assert "no mistake of yours" in seen[0]["tests"][0]["output"]


def test_a_broken_or_missing_course_is_an_error(root: Root) -> None:
    for content in ("{", None):
        path = root.folder / "source" / "course.json"
        path.unlink() if content is None else path.write_text(content, encoding="utf-8")
        (told,) = run(root.folder)
        assert told.startswith("not graded: ")
        assert valid(json.loads((root.folder / "results" / "results.json").read_bytes()), 0)["score"] == 0


def test_a_folder_that_cannot_be_written_is_an_error(root: Root) -> None:
    (root.folder / "results").write_text("in the way", encoding="utf-8")
    with pytest.raises(OSError, match="exists"):
        run(root.folder)


def test_the_error_in_the_zip_has_all_parts(tiny: LoadedCourse) -> None:
    assert valid(json.loads(error_json(tiny)), POINTS)["score"] == 0


def test_a_course_with_a_secret_is_graded_with_it(
    tmp_path: Path, own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TINY_SECRET", "s3cret")
    loaded = load(tmp_path / "course")
    monkeypatch.delenv("TINY_SECRET")
    root = Root(tmp_path / "autograder", loaded)
    (root.folder / "source" / "secret").write_bytes(b"s3cret")
    root.answers({**RIGHT, "ops": "BDF"})
    assert root.run()["score"] == 5
    path = tmp_path / "answers.yaml"
    shutil.copy(root.folder / "submission" / "answers.yaml", path)
    monkeypatch.setenv("TINY_SECRET", "s3cret")
    assert grade([path], loaded).results[0].points == 5
    assert "s3cret" not in (root.folder / "results" / "results.json").read_text(encoding="utf-8")

"""A student edition is an allow-list in one small file, written into a folder of its own and never over anything."""

import json
import os
from collections.abc import Callable
from dataclasses import field, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.batch import grade
from grader.cli import commands
from grader.compiled import Course, Exercise, Part
from grader.course import LoadedCourse, chosen, load_course
from grader.edition import edition, read_edition
from grader.errors import SpecError, SubmissionError
from grader.handout import sheet_text
from grader.release import Released, release
from grader.values import frozen

ALL = Released(("edition.json", "README.md", "answers.yaml"), ())


def keys(data: Any, depth: int) -> set[str]:
    """The names on one level of exercises (0), parts (1) or options (2)."""
    exercises = data["exercises"]
    parts = [part for exercise in exercises for part in exercise["parts"]]
    return {name for one in (exercises, parts, [part["options"] for part in parts])[depth] for name in one}


def test_an_edition_has_these_fields_and_no_others(packaged: LoadedCourse) -> None:
    data = edition(packaged.course)
    assert data.keys() == {"edition", "id", "title", "exercises"}
    assert keys(data, 0) == {"id", "title", "prompt", "source", "symbols", "regime", "draws", "units", "parts"}
    assert keys(data, 1) == {"id", "title", "prompt", "type", "points", "at", "options"}
    assert keys(data, 2) == {"unit", "symbols", "symbol", "bound", "options", "x", "from", "to", "y", "series"}


@frozen(kw_only=True)
class WiderPart(Part):
    """A part with a field that was not thought of."""

    hint: str = "SECRET"
    more: dict[str, str] = field(default_factory=lambda: {"key": "SECRET"})


@frozen(kw_only=True)
class WiderExercise(Exercise):
    """An exercise with such a field."""

    key: str = "SECRET"


@settings(max_examples=30)
@given(st.text(), st.dictionaries(st.text(min_size=1), st.just("SECRET")))
def test_a_field_that_is_new_or_an_option_that_is_unknown_does_not_slip_in(name: str, options: dict[str, str]) -> None:
    allowed = {"unit", "symbol", "bound", "x", "y", "from", "to", "unit_required", "symbols", "options", "series"}
    given_options = {key: value for key, value in options.items() if key not in allowed}
    part = WiderPart(
        id="p", title=name, prompt="", type="expression", points=1, solution="SECRET", check="SECRET",
        at={"B": "SECRET"}, credit={"SECRET": 1}, check_options={"rel": "SECRET"}, options=given_options,
    )  # fmt: skip
    exercise = WiderExercise(
        id="e", title="", prompt="", file="SECRET", symbols={}, models={}, parts=(part,), follows="SECRET",
        draws={"peak": ("SECRET",)}, units={"peak": "SECRET"},
    )  # fmt: skip
    course = Course(id="c", title="", exercises=(exercise,), mistakes=(), secret_env="SECRET")
    assert "SECRET" not in json.dumps(edition(course)).replace(json.dumps(name)[1:-1], "")


def test_what_is_read_back_gives_the_same_edition_again(
    packaged: LoadedCourse, tiny: LoadedCourse, tmp_path: Path
) -> None:
    for number, full in enumerate((packaged, tiny)):
        folder = tmp_path / str(number)
        release(full, folder)
        again = edition(load_course(folder).course)
        assert json.loads(json.dumps(again)) == json.loads(json.dumps(edition(full.course)))


def test_a_release_updates_an_earlier_one_and_keeps_what_people_wrote(tiny: LoadedCourse, tmp_path: Path) -> None:
    folder = tmp_path / "new" / "edition"
    assert release(chosen(tiny, ["fixed"]), folder) == ALL
    (folder / "answers.yaml").write_text("mine", encoding="utf-8")
    (folder / "notes.txt").write_text("mine", encoding="utf-8")
    assert release(tiny, folder) == Released(("edition.json", "README.md"), ("answers.yaml",))
    assert [e.id for e in read_edition(folder).exercises] == ["fixed", "drawn"]
    assert "## Drawn" in (folder / "README.md").read_text(encoding="utf-8")
    (folder / "README.md").write_text("mine", encoding="utf-8")
    assert release(tiny, folder) == Released(("edition.json",), ("README.md", "answers.yaml"))
    assert all((folder / name).read_text(encoding="utf-8") == "mine" for name in ("answers.yaml", "README.md"))
    assert release(load_course(folder), tmp_path / "copy") == ALL


@pytest.mark.parametrize("name", ["notes.txt", "course.yaml", "edition.json", "README.md", ".git"])
def test_a_folder_that_holds_something_else_is_refused_and_left_as_it_is(
    tiny: LoadedCourse, tmp_path: Path, name: str
) -> None:
    (tmp_path / name).write_text("mine", encoding="utf-8")
    with pytest.raises(SpecError, match="holds something else than a student edition; name an empty one"):
        release(tiny, tmp_path)
    assert {path.name: path.read_text(encoding="utf-8") for path in tmp_path.iterdir()} == {name: "mine"}


def test_the_folder_of_a_course_is_refused_even_with_an_edition_in_it(tiny: LoadedCourse, tmp_path: Path) -> None:
    release(tiny, tmp_path)
    (tmp_path / "course.yaml").touch()
    with pytest.raises(SpecError, match="something else"):
        release(tiny, tmp_path)
    with pytest.raises(SpecError, match="this is a file"):
        release(tiny, tmp_path / "README.md")


@pytest.mark.skipif(os.name == "nt", reason="no pipes in folders")
def test_a_pipe_in_the_place_of_the_questions_is_told_at_once(tiny: LoadedCourse, tmp_path: Path) -> None:
    release(tiny, tmp_path)
    (tmp_path / "README.md").unlink()
    os.mkfifo(tmp_path / "README.md")
    with pytest.raises(SubmissionError, match="this is a pipe"):
        release(tiny, tmp_path)


def part_of(data: Any) -> Any:
    """A part of an edition's data."""
    return data["exercises"][0]["parts"][0]


DAMAGE: list[Callable[[Any], Any]] = [
    lambda data: None,
    lambda data: [],
    lambda data: {**data, "exercises": {}},
    lambda data: {name: value for name, value in data.items() if name != "title"},
    lambda data: {**data, "exercises": [{**data["exercises"][0], "symbols": ["B"]}]},
    lambda data: {**data, "exercises": [{**data["exercises"][0], "parts": [3]}]},
    lambda data: {**data, "title": "\ud800"},
    lambda data: {**data, "exercises": [{**data["exercises"][0], "parts": [part_of(data) | {"type": "units"}]}]},
]


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_edition_is_told_in_one_line(
    tiny: LoadedCourse, tmp_path: Path, damage: Callable[[Any], Any]
) -> None:
    release(tiny, tmp_path)
    file = tmp_path / "edition.json"
    file.write_text(json.dumps(damage(json.loads(file.read_text(encoding="utf-8")))), encoding="utf-8")
    with pytest.raises(SpecError, match=r"edition\.json: this is no student edition; write it again with grader re"):
        load_course(tmp_path)


def test_an_edition_of_another_version_is_told_as_such(tiny: LoadedCourse, tmp_path: Path) -> None:
    release(tiny, tmp_path)
    file = tmp_path / "edition.json"
    file.write_text(file.read_text(encoding="utf-8").replace('"edition": 1', '"edition": 2'), encoding="utf-8")
    with pytest.raises(SpecError, match="of another version"):
        load_course(file)


def test_the_sheet_of_an_edition_says_that_numbers_are_drawn_and_never_which(
    tiny: LoadedCourse, tmp_path: Path
) -> None:
    release(tiny, tmp_path)
    handed_out = sheet_text(load_course(tmp_path), ["drawn"], "s1024")
    assert "student: s1024" in handed_out
    assert "bandwidth = (drawn for each student: ask for yours)" in " ".join(handed_out.replace("#", "").split())


VERBS = [
    ["grade", "answers.yaml"],
    ["grade", "answers.yaml", "-o", "reports"],
    ["grade", "answers.yaml", "--verdicts-only"],
    ["lint"],
    ["regrade", "store"],
    ["flags", "store"],
    ["export", "store", "--to", "csv", "--anonymous"],
]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of the packaged course, with an edition beside it."""
    folder = tmp_path_factory.mktemp("graded")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        commands(["release", "edition"], standalone_mode=False)
        with pytest.raises(SystemExit):
            commands(
                ["grade", "edition/answers.yaml", "-o", "store", "--no-reports", "--jobs", "1"], standalone_mode=False
            )
    return folder


@pytest.mark.parametrize("verb", VERBS, ids=" ".join)
def test_a_verb_that_needs_keys_refuses_an_edition_in_one_line(
    store: Path, monkeypatch: pytest.MonkeyPatch, verb: list[str]
) -> None:
    monkeypatch.chdir(store)
    (store / "answers.yaml").write_bytes((store / "edition" / "answers.yaml").read_bytes())
    with pytest.raises(SpecError) as refused:
        commands([*verb, "--course", "edition"], standalone_mode=False)
    assert str(refused.value) == (
        "edition: this is a student edition, which has no keys: answers can be checked against it, not graded"
    )
    assert not (store / "reports").exists()


def test_nothing_can_be_graded_or_solved_against_an_edition_by_another_way(tiny: LoadedCourse, tmp_path: Path) -> None:
    release(tiny, tmp_path)
    loaded = load_course(tmp_path)
    with pytest.raises(SpecError, match="has no keys"):
        grade([tmp_path / "answers.yaml"], loaded)
    with pytest.raises(SpecError, match="has no keys"):
        loaded.keyring.solver(loaded.course.exercises[0], {})
    assert replace(loaded, edition=False) != loaded

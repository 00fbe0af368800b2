"""Names of folders and files say what the platforms put into them."""

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.sources import canvas, classroom50, github, gradescope, moodle, names, nbgrader
from grader.sources.names import Named

ADA = {"key": "70001", "name": "Ada Example", "plugin": "file"}

MOODLE: list[tuple[str, dict[str, Any]]] = [
    ("Ada Example_70001_assignsubmission_file", ADA),
    ("Ada Example_70001_assignsubmission_file_", ADA),
    ("Ada Example_70001_assignsubmission_file_answers.yaml", {**ADA, "file": "answers.yaml"}),
    ("Ada Example_70001_assignsubmission_file_my_answers_2.yaml", {**ADA, "file": "my_answers_2.yaml"}),
    ("Zoë OHara-Núñez_70005_assignsubmission_file", {"key": "70005", "name": "Zoë OHara-Núñez", "plugin": "file"}),
    ("Participant_70003_assignsubmission_file", {"key": "70003", "name": "", "plugin": "file", "anonymous": True}),
    ("Teilnehmer_70003_assignsubmission_file_", {"key": "70003", "name": "", "plugin": "file", "anonymous": True}),
    ("Dee Ng_70004_assignsubmission_onlinetext", {"key": "70004", "name": "Dee Ng", "plugin": "onlinetext"}),
    ("Dee Ng_70004_assignsubmission_onlinetext_onlinetext.html",
     {"key": "70004", "name": "Dee Ng", "plugin": "onlinetext", "file": "onlinetext.html"}),
    ("Group A_55_assignsubmission_file", {"key": "55", "name": "Group A", "plugin": "file"}),
    ("_1_assignsubmission_comments", {"key": "1", "name": "", "plugin": "comments"}),
]  # fmt: skip
CANVAS: list[tuple[str, dict[str, Any]]] = [
    ("exampleada_31001_5550001_answers.yaml",
     {"key": "31001", "name": "exampleada", "file_id": "5550001", "file": "answers.yaml"}),
    ("samplebo_LATE_31002_5550002_answers-1.yaml",
     {"key": "31002", "name": "samplebo", "file_id": "5550002", "file": "answers-1.yaml", "late": True, "attempt": 2}),
    ("anon_a1B2c_5550003_answers.yaml",
     {"key": "anon:a1B2c", "name": "", "file_id": "5550003", "file": "answers.yaml", "anonymous": True}),
    ("LATE_anon_Zz9yX_5550004_my_answers.yaml",
     {"key": "anon:Zz9yX", "file_id": "5550004", "file": "my_answers.yaml", "late": True, "anonymous": True}),
    ("exampleada_31001_text.html", {"key": "31001", "name": "exampleada", "file": "text.html", "kind": "text"}),
    ("samplebo_LATE_31002_link.html",
     {"key": "31002", "name": "samplebo", "file": "link.html", "kind": "link", "late": True}),
    ("núñezzoë_31005_5550009_answers.yaml",
     {"key": "31005", "name": "núñezzoë", "file_id": "5550009", "file": "answers.yaml"}),
]  # fmt: skip
NONE = [
    "answers.yaml", "s1024", "Ada Example_x_assignsubmission_file", "Ada_Example_70001_assignsubmission_file",
    "Ada Example_٧٠_assignsubmission_file", "Ada Example_70001_assignsubmission_filee", "a_b_c.yaml", "_5550001_x.yaml",
    "exampleada_31001_text.htm",
]  # fmt: skip


def said(named: Named | None, platform: str) -> dict[str, Any]:
    assert named is not None
    assert named.platform == platform
    default = Named(platform=platform, key="")
    fields = ("key", "name", "plugin", "kind", "file_id", "file", "late", "anonymous", "attempt", "assignment")
    return {f: getattr(named, f) for f in fields if getattr(named, f) != getattr(default, f)}


def given_fields(expected: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in expected.items() if value not in ("", False)}


@pytest.mark.parametrize(("name", "expected"), MOODLE)
def test_names_of_moodle(name: str, expected: dict[str, Any]) -> None:
    assert said(moodle.parse(name), "moodle") == given_fields(expected)
    assert canvas.parse(name) is None


@pytest.mark.parametrize(("name", "expected"), CANVAS)
def test_names_of_canvas(name: str, expected: dict[str, Any]) -> None:
    assert said(canvas.parse(name), "canvas") == given_fields(expected)
    assert moodle.parse(name) is None


@pytest.mark.parametrize("name", NONE)
def test_names_of_neither(name: str) -> None:
    assert moodle.parse(name) is None
    assert canvas.parse(name) is None or name.startswith("_")


def test_names_of_the_others() -> None:
    assert said(github.parse("rooflines-1-ada-example", "rooflines-1-submissions"), "github-classroom") == {
        "key": "ada-example", "assignment": "rooflines-1"
    }  # fmt: skip
    assert github.parse("rooflines-1-", "rooflines-1-submissions") is None
    assert github.parse("other-ada", "rooflines-1-submissions") is None
    assert github.parse("rooflines-1-ada", "rooflines-1") is None
    assert said(classroom50.parse("mlsys-f26-rooflines-1-ada-example", "mlsys-f26", "rooflines-1"), "classroom50") == {
        "key": "ada-example", "assignment": "rooflines-1"
    }  # fmt: skip
    assert classroom50.parse("mlsys-f26-rooflines-1-", "mlsys-f26", "rooflines-1") is None
    assert classroom50.parse("ada", "", "") is None
    assert said(gradescope.parse("submission_900001"), "gradescope") == {"key": "900001"}
    assert gradescope.parse("submission_") is None
    assert said(nbgrader.parse("submitted/ada/rooflines-1"), "nbgrader") == {"key": "ada", "assignment": "rooflines-1"}
    assert nbgrader.parse("released/ada/rooflines-1") is None


FULL_NAME = st.text(st.characters(exclude_characters="_/\0", exclude_categories=["Cs"]), max_size=20)
FILE = st.from_regex(r"[A-Za-z0-9 _.()-]{1,20}\.(yaml|json|md)", fullmatch=True)
NUMBER = st.integers(0, 10**9).map(str)


@given(FULL_NAME, NUMBER, st.sampled_from(["file", "onlinetext", "comments"]), st.one_of(st.none(), st.just(""), FILE))
def test_what_moodle_writes_is_read_back(name: str, number: str, plugin: str, file: str | None) -> None:
    text = f"{name}_{number}_assignsubmission_{plugin}" + ("" if file is None else f"_{file}")
    named = moodle.parse(text)
    assert named is not None
    assert (named.key, named.plugin, named.file) == (number, plugin, file or "")
    assert named.name == ("" if named.anonymous else name)


@given(st.from_regex(r"[a-zß-öø-ÿ]{1,15}", fullmatch=True), st.booleans(), NUMBER, NUMBER, FILE)
def test_what_canvas_writes_is_read_back(name: str, late: bool, user: str, file_id: str, file: str) -> None:
    named = canvas.parse(f"{name}{'_LATE' if late else ''}_{user}_{file_id}_{file}")
    assert named is not None
    if name != "anon":
        assert (named.name, named.late, named.key, named.file_id, named.file) == (name, late, user, file_id, file)


@given(st.booleans(), st.from_regex(r"[A-Za-z0-9]{5}", fullmatch=True), NUMBER, FILE)
def test_what_canvas_writes_of_the_anonymous_is_read_back(late: bool, code: str, file_id: str, file: str) -> None:
    named = canvas.parse(f"{'LATE_' if late else ''}anon_{code}_{file_id}_{file}")
    assert named is not None
    assert (named.key, named.anonymous, named.late, named.file) == (f"anon:{code}", True, late, file)


@given(st.text(max_size=60))
def test_any_name_is_read_or_not_without_an_error(name: str) -> None:
    for parse in (moodle.parse, canvas.parse, gradescope.parse, nbgrader.parse):
        parse(name)
    names.rank(name)
    names.number(name)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("answers.yaml", 0), ("Answers.YAML", 0), ("answers.yml", 0), ("answers.json", 0), ("answers.toml", 0),
        ("answers.md", 0), ("answers.ipynb", 0), ("answers.yaml.txt", 0), ("answers (1).yaml", 0),
        ("answers-1.yaml", 0),
        ("answers_2.yaml", 0), ("answers(3).json", 0), ("answers.txt", 0), ("answers.csv", 1), ("answers (1).csv", 1),
        ("homework.yaml", 2), ("my answers.json", 2), ("x.ipynb", 2), ("notes.md", 3), ("plot.csv", 4), ("hw.zip", 5),
        ("hw.tar.gz", 6), ("hw.RAR", 6), ("hw.7z", 6), ("answers", None), ("answers.pdf", None), ("README.md", None),
        ("results.json", None), ("result.json", None), ("course.yaml", None), ("timestamp.txt", None),
        ("scores.csv", None), ("answersheet.yaml", 2), ("answers.yaml.bak", None), (".yaml", None),
    ],
)  # fmt: skip
def test_which_files_may_hold_answers(name: str, expected: int | None) -> None:
    assert names.rank(name) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [("answers.yaml", 0), ("answers (12).yaml", 12), ("answers-3.yaml", 3), ("hw2.yaml.txt", 2), ("2hw.yaml", 0)],
)
def test_the_number_in_a_name(name: str, expected: int) -> None:
    assert names.number(name) == expected


def test_junk_is_known_by_name() -> None:
    assert all(map(names.is_junk, ["__MACOSX", ".DS_Store", "._answers.yaml", ".git", "Thumbs.db", "node_modules"]))
    assert not any(map(names.is_junk, ["answers.yaml", "s1", "_x"]))


def test_expressions_take_no_time_on_long_names() -> None:
    for name in ("a_" * 5000, "1_" * 5000, "_" * 10000, "LATE_" * 3000, "answers" + "(" * 9000, "a." * 9000):
        assert canvas.parse(name) is None
        assert moodle.parse(name) is None
        names.rank(name)
        assert re.search("x", name) is None

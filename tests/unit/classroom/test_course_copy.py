"""A copy of a course lists only what is asked, and is otherwise as its author wrote it."""

from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from grader.classroom.course_copy import course_files, listing_only
from grader.course import LoadedCourse
from grader.errors import SpecError

HEAD = "# a course\nid: c   # its id\ntitle: T\n"
TAIL = "reveal: mistake  # until the exam\n"
LISTS = [
    "exercises: [q1, q2, q3]  # all\n",
    "exercises:\n  - q1\n  - q2\n",
    "exercises:\n- q1\n- q2\n",
    "exercises:\n  [q1,\n   q2]\n",
    "'exercises' : [q1]\n",
    "exercises:   # these\n  - q1\n\n  - q2\n\n",
]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("listed", LISTS)
@pytest.mark.parametrize("tail", ["", TAIL])
def test_the_list_is_replaced_however_it_is_written(listed: str, tail: str, end: str) -> None:
    text = f"{HEAD}{listed}{tail}".replace("\n", end)
    made = listing_only(text, ["q2", "q7"])
    assert yaml.safe_load(made) == {**yaml.safe_load(text), "exercises": ["q2", "q7"]}
    for kept in (HEAD, tail):
        assert kept.replace("\n", end) in made


def test_a_course_without_a_list_is_refused() -> None:
    with pytest.raises(SpecError, match="there is no list of exercises"):
        listing_only("id: c\n", ["q1"])


def test_only_files_of_the_course_are_copied(tiny: LoadedCourse, tmp_path: Path) -> None:
    for name in ("course.yaml", "mistakes.yaml", "q1.yaml", "coincidences.json", "compiled.json", "notes.txt"):
        (tmp_path / name).write_text("exercises: [q1, q2]\n", encoding="utf-8")
    (tmp_path / "old.yaml").mkdir()
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages/style.css").write_text("", encoding="utf-8")
    course = replace(tiny.course, exercises=tiny.course.exercises[:1], templates="pages")
    files = course_files(replace(tiny, folder=tmp_path, course=course))
    wanted = {"course.yaml", "mistakes.yaml", "q1.yaml", "coincidences.json", "pages/style.css"}
    assert set(files) == wanted
    assert files["course.yaml"].decode() == f"exercises: [{tiny.course.exercises[0].id}]\n"
    assert files["q1.yaml"] == b"exercises: [q1, q2]\n"

"""What collecting rests on: lists of repositories, and folders that are exchanged as a whole."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from grader.classroom.clones import restore
from grader.classroom.collect import STATE, alone, read_state
from grader.classroom.github import Client
from grader.classroom.repositories import of_file, of_organisation
from grader.errors import GraderError


class Listing:
    """GitHub, as far as it lists repositories."""

    def __init__(self, *repositories: Mapping[str, Any]) -> None:
        self.repositories = repositories

    def pages(self, path: str) -> Any:
        assert path == "orgs/my-org/repos?type=all"
        return iter(self.repositories)


def test_repositories_of_an_assignment_are_told_by_the_whole_prefix() -> None:
    names = ("hw-1-ada", "hw-10-ada", "hw-1", "hw-1-", "HW-1-Bo", "other", "hw-1-../x", "hw-1-a b")
    found = of_organisation(
        Listing(*({"name": name} for name in names), {"name": "hw-1-cy", "is_template": True}),  # type: ignore[arg-type]
        "my-org",
        "hw-1",
    )
    assert {one.name: one.student for one in found} == {"my-org/hw-1-ada": "ada", "my-org/HW-1-Bo": "Bo"}
    with pytest.raises(GraderError, match="no repository begins with hw-2-"):
        of_organisation(Listing({"name": "hw-1-ada"}), "my-org", "hw-2-")  # type: ignore[arg-type]


def test_a_list_in_a_file_names_students_or_their_repositories_do(tmp_path: Path) -> None:
    path = tmp_path / "list.csv"
    path.write_text("# the class\no/hw-ada\n\no/hw-bo,70002\n", encoding="utf-8")
    assert {one.name: one.student for one in of_file(path, "hw")} == {"o/hw-ada": "ada", "o/hw-bo": "70002"}
    path.write_text("student,submitted_at,repository,commit\n'-x,,o/-x,0a1b2c3\n", encoding="utf-8")
    (one,) = of_file(path)
    assert (one.name, one.student, one.commit) == ("o/-x", "-x", "0a1b2c3")


@pytest.mark.parametrize(
    "line",
    ["ada", "o/r/s", "o/..", "../r", "-o/r", "o/r;x", "o/r,../x", "o/r,a b", "https://github.com/o/r", "o/r\x1b"],
)
def test_what_can_be_no_name_is_refused_with_its_line(tmp_path: Path, line: str) -> None:
    (tmp_path / "list").write_text(f"o/fine\n{line}\n", encoding="utf-8")
    with pytest.raises(GraderError, match="list:2: OWNER/REPO"):
        of_file(tmp_path / "list")


def test_two_repositories_of_one_student_are_told_before_anything_is_done(tmp_path: Path) -> None:
    (tmp_path / "list").write_text("o/a,Ada\no/b,ada\n", encoding="utf-8")
    with pytest.raises(GraderError, match="more than one line is for ada"):
        of_file(tmp_path / "list")


def test_folders_that_a_killed_run_had_half_exchanged_are_there_again(tmp_path: Path) -> None:
    for path in (".hw-ada.old/x", ".hw-bo.old/old", "hw-bo/new", ".hw-cy.0123abcd.new/y", ".other/z"):
        (tmp_path / path).parent.mkdir(parents=True)
        (tmp_path / path).touch()
    restore(tmp_path)
    left = sorted(str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file())
    assert left == [".other/z", "hw-ada/x", "hw-bo/new"]


def test_a_damaged_record_and_a_second_run_are_told_in_words(tmp_path: Path) -> None:
    assert read_state(tmp_path) == {}
    for text in ("{", "[]", '{"repositories": [{"name": 1}]}'):
        (tmp_path / STATE).write_text(text, encoding="utf-8")
        with pytest.raises(GraderError, match="everything is fetched again"):
            read_state(tmp_path)
    with (
        alone(tmp_path / "lock", "collects"),
        pytest.raises(GraderError, match="another run collects here"),
        alone(tmp_path / "lock", "collects"),
    ):
        pass


def test_without_gh_it_is_said_where_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(GraderError, match=r"gh is not installed .*cli\.github\.com"):
        Client()

"""The audit: what of a clone is not as it was handed out, and which claims are not the staff's results."""

import base64
import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from grader.audit.claims import Claim, in_file
from grader.audit.files import differences, template
from grader.audit.report import Audit, Clone, Regraded, clones, regraded
from grader.cli import commands
from grader.errors import GraderError
from grader.results import Result, Status

WORKFLOW = "on: push\njobs: {}\n"
HANDED_OUT = {
    ".github/workflows/grade.yml": WORKFLOW,
    "course/course.yaml": "id: x\n",
    "README.md": "Hello\n",
    "answers.yaml": "answers:\n",
}
SHA = "0a1b2c3d4e5f60718293a4b5c6d7e8f901234567"


def put(folder: Path, files: dict[str, str]) -> Path:
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8", newline="")
    return folder


def result(**changes: Any) -> dict[str, Any]:
    """What Classroom 50 has in a repository."""
    tests = [{"test-name": "a", "passed": True, "score": 4, "max-score": 4},
             {"test-name": "b", "passed": False, "score": 3, "max-score": 6}]  # fmt: skip
    made = {
        "schema": "classroom50/result/v1", "owner": "ada", "submission": "submit/2026-10-02T09-15-00Z-0a1b2c3",
        "commit": f"https://github.com/org/hw-ada/commit/{SHA[:7]}", "datetime": "2026-10-02T09:14:41Z",
        "score": 7, "max-score": 10, "tests": tests,
    }  # fmt: skip
    return {**made, **changes}


def known(points: int = 7, parts: tuple[tuple[int, int], ...] = ((4, 4), (3, 6)), **changes: Any) -> Regraded:
    made = {"student": "ada", "names": frozenset({"ada"}), "places": ("class", "hw-ada"), "max_points": 10}
    return Regraded(points=points, parts=parts, **{**made, **changes})


@pytest.fixture
def clone(tmp_path: Path) -> Clone:
    folder = put(tmp_path / "class" / "hw-ada", {**HANDED_OUT, "result.json": json.dumps(result())})
    return Clone(student="ada", folder=folder, repository="org/hw-ada", commit=SHA)


def claimed(clone: Clone, own: Regraded | None, **changes: Any) -> tuple[str, str]:
    """The verdict on a result.json with some changes, and what is said of it."""
    put(clone.folder, {"result.json": json.dumps(result(**changes))})
    found = Audit({}, [own] if own else [], []).look(clone)
    return found.claim, "; ".join(found.claims)


def test_workflows_and_what_was_handed_out_are_compared_and_the_work_is_not(tmp_path: Path) -> None:
    wanted = template(put(tmp_path / "template", HANDED_OUT))
    assert set(wanted) == {".github/workflows/grade.yml", "course/course.yaml"}
    folder = put(
        tmp_path / "clone", {**HANDED_OUT, "answers.yaml": "answers: {q: 1}", "README.md": "Mine", "n.txt": ""}
    )
    assert differences(folder, wanted) == ()
    put(folder, {".github/workflows/grade.yml": WORKFLOW.replace("\n", "\r\n")})
    assert differences(folder, wanted) == ()  # line ends are git's affair
    put(folder, {".github/workflows/grade.yml": WORKFLOW + "# x", ".github/workflows/mine.yml": "", "action.yml": ""})
    (folder / "course/course.yaml").unlink()
    assert differences(folder, wanted) == (
        (".github/workflows/grade.yml", "changed"),
        (".github/workflows/mine.yml", "added"),
        ("action.yml", "added"),
        ("course/course.yaml", "missing"),
    )


def test_links_and_large_files_in_a_clone_are_told_and_not_read(tmp_path: Path) -> None:
    wanted = template(put(tmp_path / "template", HANDED_OUT))
    folder = put(tmp_path / "clone", HANDED_OUT)
    (folder / "course/course.yaml").unlink()
    (folder / "course/course.yaml").symlink_to(tmp_path / "template/course/course.yaml")
    with (folder / ".github/workflows/grade.yml").open("wb") as file:
        file.truncate(1 << 40)
    (folder / "loop").symlink_to(folder)
    found = dict(differences(folder, wanted))
    assert "a link" in found["course/course.yaml"]
    assert "larger" in found[".github/workflows/grade.yml"]


def test_a_claim_is_verified_by_the_staff_s_own_result_alone(clone: Clone) -> None:
    assert claimed(clone, known()) == ("verified", "result.json: 7 of 10 points")
    verdict, said = claimed(clone, known(), score=10)
    assert verdict == "differs"
    assert "claims 10 of 10 points; the staff's result is 7 of 10 points" in said
    assert claimed(clone, None)[0] == "unverified"
    assert "from other parts" in claimed(clone, known(7, ((1, 4), (6, 6))))[1]
    assert claimed(clone, known(), **{"score": 0, "max-score": 0, "tests": []})[0] == "unverified"
    (clone.folder / "result.json").unlink()
    assert Audit({}, [known()], []).look(clone).claim == "unverified"


def test_a_claim_for_another_commit_is_told_as_such(clone: Clone) -> None:
    other = "https://github.com/org/hw-ada/commit/ffffff0"
    assert claimed(clone, known(), commit=other) == (
        "verified",
        "result.json: 7 of 10 points for commit ffffff0, and 0a1b2c3d4e5f was collected",
    )
    verdict, said = claimed(clone, known(3, ((0, 4), (3, 6))), commit=other)
    assert verdict == "differs"
    assert "out of date" in said


@pytest.mark.parametrize(
    "changes",
    [{"commit": f"https://github.com/org/hw-bo/commit/{SHA[:7]}", "owner": "bo"}, {"commit": "", "owner": "bo"}],
)
def test_another_student_s_result_is_flagged_even_with_the_same_points(clone: Clone, changes: dict[str, Any]) -> None:
    verdict, said = claimed(clone, known(), **changes)
    assert verdict == "differs"
    assert "this is the result of" in said
    assert "bo" in said


@pytest.mark.parametrize("text", ["", "{", "[]", '{"score": "9e999999", "max-score": 10}', "[" * 99999, "\0"])
def test_a_result_that_is_none_is_told_and_ends_nothing(clone: Clone, text: str) -> None:
    put(clone.folder, {"result.json": text})
    found = Audit({}, [known()], []).look(clone)
    assert found.claim == "differs"
    assert found.flagged


def test_claims_are_read_in_every_form_and_the_latest_counts(tmp_path: Path) -> None:
    step = {"version": 1, "status": "fail", "max_score": 10, "tests": [{"score": 4}, {"score": 3}]}
    entry = {"owner": "ada", "submissions": [result(score=9, datetime="2026-10-03T00:00:00Z"), result()]}
    put(
        tmp_path,
        {
            "scores.csv": "username,score,max_score,datetime\nada,3,10,2026-10-01\nada,7,10,2026-10-02\nbo,,,\n",
            "grades.csv": "github_username,points_awarded,points_available\nada,7.0000000000000004,10\n",
            "scores.json": json.dumps({"assignments": {"hw": {"entries": [entry]}, "other": {"entries": []}}}),
            "ada.json": json.dumps(step),
            "bo/result": base64.b64encode(json.dumps(step).encode()).decode(),
        },
    )
    (row,) = in_file(tmp_path / "scores.csv")
    assert (row.student, row.points, row.max_points) == ("ada", 7, 10)
    assert in_file(tmp_path / "grades.csv")[0].points == Fraction("7.0000000000000004")
    assert [claim.points for claim in in_file(tmp_path / "scores.json", "hw")] == [9]
    with pytest.raises(GraderError, match="--assignment hw or other"):
        in_file(tmp_path / "scores.json")
    for path, student in (("ada.json", "ada"), ("bo/result", "bo")):
        (one,) = in_file(tmp_path / path)
        assert (one.student, one.points, one.max_points) == (student, 7, 10)


def test_a_line_s_end_that_only_unicode_knows_ends_no_row(tmp_path: Path) -> None:
    put(tmp_path, {"scores.csv": "username,first_name,score,max_score\nada,A\u2028d\x85a,7,10\nbo,Bo,1,10\n"})
    assert [(claim.student, claim.points) for claim in in_file(tmp_path / "scores.csv")] == [("ada", 7), ("bo", 1)]


def test_a_folder_in_a_clone_that_is_called_as_another_clone_is_not_that_clone(clone: Clone) -> None:
    eve = known(0, student="aeve", names=frozenset({"aeve"}), places=("class", "hw-aeve", "hw-ada"))
    assert Audit({}, [eve, known()], []).look(clone).student == "ada"


def test_a_claim_is_of_the_login_and_of_nobody_who_is_called_so(clone: Clone) -> None:
    def result_of(student: str, place: str) -> Result:
        return Result(student=student, source=f"class/{place}/x", status=Status.GRADED, points=0, max_points=10)

    other = Clone(student="zoe", folder=put(clone.folder.parent / "hw-zoe", HANDED_OUT))
    staffs = regraded(
        [result_of("1", "hw-ada"), result_of("2", "hw-zoe")], {"1": ["1", "ada"], "2": ["2", "Ada", "zoe"]}
    )
    claims = [Claim(student="ada", source="scores.csv", points=Fraction(7), max_points=Fraction(10))]
    audit = Audit({}, staffs, claims)
    assert audit.look(other).claims == ()
    assert [one.partition(":")[0] for one in audit.look(clone).claims] == ["scores.csv", "result.json"]


def test_a_template_of_nothing_but_the_student_s_own_files_leaves_what_was_added_to_be_found(tmp_path: Path) -> None:
    wanted = template(put(tmp_path / "student", {"answers.yaml": "answers:\n", "README.md": "", ".gitignore": ""}))
    assert wanted == {}
    folder = put(tmp_path / "clone", {"answers.yaml": "", ".github/workflows/x.yml": "", "Course": "elsewhere"})
    assert differences(folder, wanted) == ((".github/workflows/x.yml", "added"), ("Course", "added"))
    (tmp_path / "empty").mkdir()
    with pytest.raises(GraderError, match="there is no file in this template"):
        template(tmp_path / "empty")


class Releases:
    """GitHub, as far as it knows of releases."""

    def __init__(self, author: str) -> None:
        self.author, self.asked = author, ""

    def get(self, path: str) -> Any:
        self.asked = path
        return {"author": {"login": self.author}}


def test_a_release_that_no_workflow_published_is_flagged(clone: Clone) -> None:
    theirs, ours = Releases("ada"), Releases("github-actions[bot]")
    found = Audit({}, [known()], [], theirs).look(clone)  # type: ignore[arg-type]
    assert theirs.asked == "repos/org/hw-ada/releases/tags/submit%2F2026-10-02T09-15-00Z-0a1b2c3"
    assert found.flagged
    assert "published by ada, not by a workflow" in "; ".join(found.claims)
    assert Audit({}, [known()], [], ours).look(clone).claim == "verified"  # type: ignore[arg-type]


def test_clones_are_found_as_tools_lay_them_out(tmp_path: Path) -> None:
    put(tmp_path / "a", {"hw-submissions/hw-ada/x": "", "hw-submissions/hw-bo/x": "", ".hidden/x": ""})
    put(tmp_path / "b", {"ada/x": "", "bo/x": ""})
    put(tmp_path / "hw-submissions", {"hw-ada/x": "", "hw-bo/x": ""})
    for folder in ("a", "b", "hw-submissions"):
        assert [one.student for one in clones(tmp_path / folder)] == ["ada", "bo"]


def test_the_verb_prints_a_table_and_exits_with_1_if_there_is_something_to_look_at(tmp_path: Path) -> None:
    put(tmp_path / "template", HANDED_OUT)
    put(tmp_path / "class" / "ada", HANDED_OUT)
    put(tmp_path / "class" / "bo\x1b[31m", {**HANDED_OUT, ".github/workflows/grade.yml": "::error::\n"})
    command = ["audit", str(tmp_path / "class"), "--template", str(tmp_path / "template")]
    done = CliRunner().invoke(commands, command)
    assert done.exit_code == 1
    assert done.output.splitlines() == [
        "ada         files as handed out   unverified",
        "bo\\x1b[31m  1 file differs        unverified",
        "  .github/workflows/grade.yml: changed",
        "2 repositories: 1 to look at; claimed results: 0 verified, 0 differ, 2 unverified",
        "A difference is a reason to ask, and no proof of anything.",
    ]
    found = json.loads(CliRunner().invoke(commands, [*command, "--format", "json"]).output)
    assert [one["flagged"] for one in found] == [False, True]

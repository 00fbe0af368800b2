"""What a job tells of answers, and of all that may come in between, in every form."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import click
import pytest

from grader.ci.outcome import Outcome
from grader.ci.platforms import Platform, platform
from grader.ci.run import run
from grader.cli import commands
from grader.course import load_course
from grader.errors import GraderError, SpecError
from grader.exports import junit
from grader.gradebook import Row
from grader.grading import Grader
from grader.results import Reveal, Status
from tests.actions import refused_by_classroom50, reported
from tests.unit.ci.jobs import CLASSROOM50, Told, asked, job

ANSWERS = """\
student: s1024
answers:
  q4-batched-matmul:
    flops: B*(2*B*D*F)
    bytes: BD + BDF + Bf
    intensity: 2
    leading: 7B
    bound:
  q5:
    nothing: 1
"""


def write(text: str = ANSWERS, name: str = "answers.yaml") -> None:
    Path(name).write_text(text, encoding="utf-8")


def result50() -> dict[str, object]:
    found = json.loads(Path("result.json").read_text(encoding="utf-8"))
    assert refused_by_classroom50(found) == ""
    return found  # type: ignore[no-any-return]


def test_the_platform_is_told_by_the_environment() -> None:
    actions = {"GITHUB_ACTIONS": "true"}
    assert platform({**CLASSROOM50, **actions}) == Platform.CLASSROOM50
    assert platform({**CLASSROOM50, **actions, "SUBMISSION_TAG": ""}) == Platform.ACTIONS
    assert platform({"GITLAB_CI": "true"}) == Platform.GITLAB
    assert platform({"GITHUB_ACTIONS": "false"}) == Platform.TERMINAL


def test_answers_are_annotated_at_their_lines_what_can_not_be_read_first(tmp_path: Path) -> None:
    write()
    made, told = job(tmp_path)
    run(asked(exercises=("q4",)), made)
    found = [(kind, place.get("line"), place["title"].split(":")[0]) for kind, place, _ in told.annotations]
    assert found == [
        ("error", "5", "Bytes moved"),
        ("warning", "4", "Operations"),
        ("warning", "7", "Intensity for large D and F"),  # explained, too
        ("warning", "6", "Arithmetic intensity"),
        ("notice", None, "1 part has no answer yet"),
    ]
    assert {place["file"] for _, place, _ in told.annotations} == {"answers.yaml"}
    assert told.annotations[0][2] == "unknown name Bf: did you mean B?"
    assert told.annotations[1][2].startswith("The batch axis was counted twice")


def test_an_answer_to_no_part_is_annotated_and_one_to_another_exercise_is_not(tmp_path: Path) -> None:
    write()
    made, told = job(tmp_path)
    run(asked(), made)
    remarks = [
        (place["line"], data) for _, place, data in told.annotations if place["title"] == "Not read as an answer"
    ]
    assert [line for line, _ in remarks] == ["10"]
    assert "unknown part 'nothing'" in remarks[0][1]


def test_files_are_named_from_the_workspace(tmp_path: Path) -> None:
    Path("deep/er").mkdir(parents=True)
    write(name="deep/er/answers.yaml")
    made, told = job(tmp_path)
    made.environment["GITHUB_WORKSPACE"] = os.getcwd()  # type: ignore[index]
    run(asked("deep/er/answers.yaml"), made)
    assert {place["file"] for _, place, _ in told.annotations} == {"deep/er/answers.yaml"}
    made.environment["GITHUB_WORKSPACE"] = os.path.abspath("deep/er")  # type: ignore[index]
    told.printed.clear()
    run(asked("deep/er"), made)
    assert {place["file"] for _, place, _ in told.annotations} == {"answers.yaml"}
    made.environment["GITHUB_WORKSPACE"] = str(tmp_path / "elsewhere")  # type: ignore[index]
    told.printed.clear()
    run(asked("deep/er"), made)
    assert all("file" not in place for _, place, _ in told.annotations)


@pytest.mark.parametrize("level", [level for level in Reveal if level != Reveal.FULL])
def test_nothing_tells_what_the_level_of_feedback_hides(level: Reveal, tmp_path: Path) -> None:
    write("q4:\n  flops: B*(2*B*D*F)\n  intensity: 11/7\n  leading: 13*B\n")
    made, told = job(tmp_path, junit=Path("junit.xml"))
    outcome = run(asked(exercises=("q4",), reveal=level), made)
    made50, told50 = job(tmp_path, Platform.CLASSROOM50)
    run(asked(exercises=("q4",), reveal=level), made50)
    texts = [told.log, told50.log, json.dumps(told.result), told.summary]
    texts += [Path(name).read_text(encoding="utf-8") for name in ("result.json", "release-body.md", "junit.xml")]
    everything = "\n".join(texts)
    for solution in ("2*B*D*F/(B*D", "B*D + B*D*F", "2BDF/"):
        assert solution not in everything
    assert ("counted twice" in everything) == level.includes(Reveal.MISTAKE)
    assert ("How many output elements" in everything) == level.includes(Reveal.HINT_1)
    assert ("Incorrect" in everything) == level.includes(Reveal.VERDICT)
    assert outcome.scored == level.includes(Reveal.VERDICT)
    if level == Reveal.NONE:
        assert [kind for kind, _, _ in told.annotations] == ["notice"], "what is not answered may be told"
        assert reported(told.result) == (0, 0, 0)
        assert (result50()["score"], result50()["max-score"]) == (0, 0)
        assert told.result["status"] == "pass"


def everywhere(tmp_path: Path) -> tuple[Outcome, Told, dict[str, object]]:
    """A job on Actions with JUnit, then one on Classroom 50."""
    made, told = job(tmp_path, junit=Path("junit.xml"))
    outcome = run(asked(exercises=("q4",)), made)
    there = tmp_path / "fifty"
    there.mkdir()
    run(asked(exercises=("q4",)), job(there, Platform.CLASSROOM50)[0])
    return outcome, told, result50()


def junit_kinds() -> list[tuple[str, str | None]]:
    children = [child for case in ET.parse("junit.xml").iter("testcase") for child in case]
    return [(child.tag, child.get("type")) for child in children if child.tag != "properties"]


@pytest.mark.parametrize(
    ("content", "status", "kind", "says"),
    [
        ("q4: [flops\n" * 9, Status.UNREADABLE, "error", ""),
        ("", Status.MISSING, "notice", "answers.yaml is empty"),
        (None, Status.MISSING, "notice", "there is no file of answers"),
    ],
    ids=["unreadable", "empty", "absent"],
)
def test_what_was_not_graded_is_the_students_to_mend_in_every_form(
    content: str | None, status: Status, kind: str, says: str, tmp_path: Path
) -> None:
    if content is not None:
        write("\x00" if status == Status.UNREADABLE else content)
    outcome, told, fifty = everywhere(tmp_path)
    assert outcome.result.status == status
    assert says in outcome.result.message
    assert reported(told.result) == (0, 0, 8)
    (test,) = told.result["tests"]
    assert (told.result["status"], test["status"], told.outputs["status"]) == ("fail", "fail", "fail")
    assert says in test["message"]
    assert [name for name, _, _ in told.annotations] == [kind]
    assert says in told.summary
    assert (fifty["score"], fifty["max-score"]) == (0, 8)
    assert [(t["passed"], t["verdict"]) for t in fifty["tests"]] == [(False, status)]  # type: ignore[attr-defined]
    assert junit_kinds()[0] == ("failure" if status == Status.MISSING else "error", status)


def test_where_points_are_hidden_a_file_that_is_not_graded_is_no_zero(tmp_path: Path) -> None:
    made, told = job(tmp_path)
    run(asked(exercises=("q4",), reveal=Reveal.NONE), made)
    assert (reported(told.result), told.outputs["max-points"]) == ((0, 0, 0), "0")
    run(asked(exercises=("q4",), reveal=Reveal.NONE), job(tmp_path, Platform.CLASSROOM50)[0])
    assert (result50()["score"], result50()["max-score"]) == (0, 0)


def test_an_answer_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    write()
    outcome = run(asked("anwers.yaml"), job(tmp_path)[0])
    assert (outcome.result.status, outcome.result.message) == (Status.MISSING, "there is no file anwers.yaml")


def test_two_files_of_answers_are_the_students_to_mend(tmp_path: Path) -> None:
    write()
    write("{}", "answers.json")
    outcome, told, _ = everywhere(tmp_path)
    assert outcome.result.status == Status.DUPLICATE
    assert "answers.json and answers.yaml" in told.annotations[0][2]


def test_what_nobody_could_decide_is_no_fault_of_the_student(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise ValueError("2*B*D*F is what was expected")

    write("q4:\n  flops: 2*B*D\n")
    monkeypatch.setattr("grader.answers.expression.Expression.compare", broken)
    outcome, told, fifty = everywhere(tmp_path)
    assert outcome.result.status == Status.GRADED
    assert next((name, place.get("line")) for name, place, _ in told.annotations) == ("notice", "2")
    assert "To be reviewed" in told.summary
    assert told.result["tests"][0]["message"] == "a person must look"
    assert fifty["tests"][0]["verdict"] == "undecided"  # type: ignore[index]
    assert junit_kinds()[0][0] == "skipped"
    assert "expected" not in told.log + told.summary + json.dumps([told.result, fifty])


def test_a_failure_on_the_answers_is_told_as_ours_in_every_form(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise RecursionError("2*B*D*F")

    monkeypatch.setattr(Grader, "grade", broken)
    write()
    write('{"score": 100}', "result.json")
    made, told = job(tmp_path, junit=Path("junit.xml"))
    outcome = run(asked(exercises=("q4",)), made)
    assert outcome.result.status == Status.FAILED
    assert reported(told.result) == (0, 0, 8)
    assert (told.result["status"], told.result["tests"][0]["status"], told.outputs["status"]) == ("error",) * 3
    assert [name for name, _, _ in told.annotations] == ["error"]
    assert "the grader failed on this submission (RecursionError)" in told.summary
    assert junit_kinds() == [("error", "failed")]
    run(asked(exercises=("q4",)), job(tmp_path, Platform.CLASSROOM50)[0])
    assert not Path("result.json").exists(), "the exit code tells it, and nothing may be taken for a grade"
    assert told.outputs["status"] == "error"


@pytest.mark.parametrize("place", ["grader.course.require_secret", "grader.ci.handing.summary"])
def test_a_crash_anywhere_leaves_a_result_that_says_so_and_no_text_of_its_own(
    place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("2*B*D*F")

    write()
    monkeypatch.setattr(place, broken)
    made, told = job(tmp_path, junit=Path("junit.xml"))
    with pytest.raises(GraderError, match=r"internal error, please report it \(ZeroDivisionError\)"):
        run(asked(), made)
    assert told.outputs["status"] == told.result["status"] == "error"
    assert len(told.result["tests"]) == 1
    assert junit_kinds() == [("error", "failed")]
    assert "did not run to its end" in json.dumps(told.result)


def test_a_crash_in_the_last_of_what_is_written_leaves_the_rest_and_no_text_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = junit.export

    def broken(rows: list[Row], *rest: Any) -> Any:
        if rows[0].result.status == Status.GRADED:
            raise ZeroDivisionError("2*B*D*F")
        return usual(rows, *rest)

    monkeypatch.setattr(junit, "export", broken)
    write()
    made, told = job(tmp_path, junit=Path("junit.xml"))
    with pytest.raises(GraderError, match=r"internal error, please report it \(ZeroDivisionError\)"):
        run(asked(exercises=("q4",)), made)
    assert (told.outputs["status"], junit_kinds()) == ("fail", [("error", "failed")])
    assert "1 of 8 points" in told.summary


def test_a_course_that_is_not_there_is_told_as_ours(tmp_path: Path) -> None:
    write()
    made, told = job(tmp_path)
    with pytest.raises(SpecError, match="no exercise 'q9'"):
        run(asked(exercises=("q9",)), made)
    assert told.outputs["status"] == "error"
    assert [name for name, _, _ in told.annotations] == ["error"]
    assert "Grading failed" in told.summary


@pytest.mark.parametrize(
    "arguments", [("--frob",), ("--pass-mark", "sixty"), ("--pass-mark", "9" * 5000), ("--reveal", "all"), ("a", "b")]
)
def test_a_command_that_cannot_be_run_is_told_as_ours(
    arguments: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, told = job(tmp_path)
    for name, value in {**made.environment, "GITHUB_ACTIONS": "true"}.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(click.UsageError):
        commands(["ci", *arguments], standalone_mode=False)
    assert told.outputs["status"] == told.result["status"] == told.result["tests"][0]["status"] == "error"
    assert "Grading failed" in told.summary
    for name, value in CLASSROOM50.items():
        monkeypatch.setenv(name, value)
    write('{"score": 100}', "result.json")
    (tmp_path / "outputs").unlink()
    with pytest.raises(click.UsageError):
        commands(["ci", *arguments], standalone_mode=False)
    assert told.outputs == {"status": "error", "summary": "not graded - failed"}
    assert not Path("result.json").exists()


def test_a_process_that_is_killed_leaves_a_failure_of_ours_for_programs_to_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, told = job(tmp_path, junit=Path("junit.xml"))
    write()
    write("<testsuites/>", "junit.xml")
    before = []

    def killed(*_: object) -> None:
        before.extend([told.result["status"], *junit_kinds()])

    monkeypatch.setattr("grader.course.require_secret", killed)
    run(asked(), made)
    assert before == ["error", ("error", "failed")]
    assert told.result["status"] == "fail"


def test_others_are_told_all_the_same_where_the_reader_of_the_log_went_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(_: str) -> None:
        raise BrokenPipeError

    made, told = job(tmp_path)
    for name, value in {**made.environment, "GITHUB_ACTIONS": "true"}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("grader.cli.ci.say", gone)
    write()
    with pytest.raises(SystemExit) as ended:
        commands(["ci", "--exercises", "q4", "--pass-mark", "1"], standalone_mode=False)
    assert ended.value.code == 0
    assert (told.outputs["status"], told.outputs["points"]) == ("pass", "1")
    assert "1 of 8 points" in told.summary


def test_nothing_planted_in_the_folder_is_read_or_written_through(tmp_path: Path, repository: Path) -> None:
    (tmp_path / "precious").write_text("kept")
    (repository / "result.json").symlink_to(tmp_path / "precious")
    os.mkfifo(repository / "release-body.md")
    for name in ("exercises", "grader", "jinja2"):
        (repository / name).mkdir()
        (repository / name / "__init__.py").write_text("open('PWNED', 'w')")
    (repository / "course.yaml").write_text("id: mine\n")
    (repository / ".classroom50.yaml").write_text("classroom: other\nassignment: other\n")
    write("student: somebody-else\nq4:\n  flops: 2BDF\n")
    made, _ = job(tmp_path, Platform.CLASSROOM50)
    outcome = run(asked(exercises=("q4",)), made)
    assert outcome.result.points == 2
    assert outcome.result.student == "ada-example", "who hands in is told by the platform"
    assert (result50()["classroom"], result50()["owner"]) == ("mlsys-f26", "ada-example")
    assert (tmp_path / "precious").read_text() == "kept"
    assert Path("release-body.md").read_text(encoding="utf-8").startswith("## All about rooflines: 2 of 8 points")
    assert not Path("PWNED").exists()
    Path("result.json").unlink()
    (repository / "result.json" / "full").mkdir(parents=True)
    run(asked(exercises=("q4",)), job(tmp_path, Platform.CLASSROOM50)[0])
    assert result50()["score"] == 2


def test_junit_is_never_written_through_a_link_out_of_the_folder(tmp_path: Path, repository: Path) -> None:
    (tmp_path / "outside").mkdir()
    (repository / "reports").symlink_to(tmp_path / "outside")
    write()
    with pytest.raises(GraderError, match="through a link"):
        run(asked(), job(tmp_path, Platform.GITLAB, Path("reports/junit.xml"))[0])
    assert list((tmp_path / "outside").iterdir()) == []
    (repository / "junit.xml").symlink_to(tmp_path / "outside" / "there")
    run(asked(), job(tmp_path, Platform.GITLAB, Path("junit.xml"))[0])
    assert list((tmp_path / "outside").iterdir()) == []


def test_an_answer_file_that_is_a_link_or_a_pipe_is_refused(tmp_path: Path, repository: Path) -> None:
    (tmp_path / "secret.yaml").write_text("q4:\n  flops: s3cr3t\n")
    (repository / "answers.yaml").symlink_to(tmp_path / "secret.yaml")
    for answers in (".", "answers.yaml"):
        made, told = job(tmp_path)
        assert run(asked(answers), made).result.status == Status.UNREADABLE
        assert "s3cr3t" not in told.log
    (repository / "answers.yaml").unlink()
    os.mkfifo(repository / "answers.yaml")
    assert run(asked("answers.yaml"), job(tmp_path)[0]).result.status == Status.UNREADABLE


def test_the_time_of_a_submission_is_the_committers_else_that_of_its_tag(tmp_path: Path) -> None:
    write()
    run(asked(exercises=("q4",)), job(tmp_path, Platform.CLASSROOM50)[0])
    assert result50()["datetime"] == "2026-10-02T09:15:00Z"
    env = {
        **os.environ, "GIT_AUTHOR_DATE": "2020-01-01T00:00:00Z", "GIT_COMMITTER_DATE": "2026-10-02T11:14:41+02:00",
        "GIT_CONFIG_GLOBAL": os.devnull,
    }  # fmt: skip
    who = ("-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "commit.gpgsign=false")
    for command in (("init", "-q"), ("add", "."), (*who, "commit", "-qm", "x")):
        subprocess.run(["git", *command], check=True, env=env)
    run(asked(exercises=("q4",)), job(tmp_path, Platform.CLASSROOM50)[0])
    assert result50()["datetime"] == "2026-10-02T09:14:41Z"


def test_files_that_look_like_a_repository_run_nothing(tmp_path: Path, repository: Path) -> None:
    write()
    subprocess.run(["git", "init", "-q", "--bare", "."], check=True)
    config = """\
[core]
  repositoryformatversion = 1
  bare = true
[extensions]
  partialClone = other
[remote "other"]
  url = ext::sh -c "touch% PWNED"
  promisor = true
[protocol "ext"]
  allow = always
"""
    (repository / "config").write_text(config)
    for name in ("master", "main"):
        (repository / "refs/heads" / name).write_text("0123456789" * 4 + "\n")
    run(asked(exercises=("q4",)), job(tmp_path, Platform.CLASSROOM50)[0])
    assert not list(tmp_path.rglob("PWNED"))
    assert result50()["datetime"] == "2026-10-02T09:15:00Z"


def test_a_platform_that_does_not_say_what_it_grades_is_refused(tmp_path: Path) -> None:
    write()
    made, _ = job(tmp_path, Platform.CLASSROOM50)
    del made.environment["SUBMISSION_TAG"]  # type: ignore[attr-defined]
    with pytest.raises(GraderError, match="SUBMISSION_TAG is not set"):
        run(asked(), made)


def test_a_student_edition_is_read_and_not_graded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from dataclasses import replace

    whole = load_course()
    monkeypatch.setattr("grader.course.load_course", lambda _: replace(whole, edition=True))
    write()
    outcome, told, fifty = everywhere(tmp_path)
    assert outcome.reading
    assert outcome.result.points == 0
    assert [(name, place.get("line")) for name, place, _ in told.annotations] == [("error", "5"), ("notice", None)]
    assert reported(told.result) == (0, 0, 0)
    assert told.result["status"] == "fail", "one can't be read"
    assert told.summary.startswith("## All about rooflines: 1 could not be read, 3 read, 1 no answer\n")
    for word in ("Incorrect", "Correct", "points", "counted twice"):
        assert word not in told.summary
    assert (fifty["score"], fifty["max-score"]) == (0, 0)
    assert sorted(kind for kind, _ in junit_kinds() if kind in ("error", "skipped")) == ["error", *["skipped"] * 3]

"""The staff's round, rehearsed: collect thirty repositories, grade them, post the feedback; again, and killed."""

import contextlib
import csv
import io
import json
import os
import shutil
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from subprocess import CompletedProcess

import pytest
from click.testing import CliRunner

from grader.classroom import github
from grader.cli import commands
from tests import tiny
from tests.e2e.hubs import LINK, ORG, SLUG, SUBMODULE, Files, Hub, answers
from tests.e2e.small import RIGHT, runner

pytestmark = pytest.mark.skipif(os.name != "posix" or shutil.which("git") is None, reason="a script in the place of gh")
PUSHED, LATER = "2026-10-02T09:00:00Z", "2026-10-02T18:00:00Z"
NASTY = "@everyone fixes #1 ![x](https://evil.example/p.png) `` | <img src=x> example-org/x#2"
FORGED = "<!-- grader feedback tiny 00000000000000000000000000000000 -->\nFull marks\n"
USUAL = [f"s{number:02}" for number in range(20)]
ODD: Mapping[str, Files] = {
    "alias": {"answers.yaml": (LINK, "/etc/passwd"), "loop": (LINK, ".")},
    "parent": {
        "answers.yaml": answers(**RIGHT),
        ".gitmodules": '[submodule "x"]\n\tpath = x\n\turl = https://evil.example/x\n',
        "x": (SUBMODULE, ""),
    },
    "filter": {
        "answers.yaml": answers(**RIGHT),
        ".gitattributes": "answers.yaml filter=lfs working-tree-encoding=UTF-32 eol=crlf\n",
    },
    "eve-s00": {"answers.yaml": answers(ops="7"), ".classroom50.yaml": f"classroom: {SLUG}\nassignment: eve\n"},
    "deep": {"/".join("d" * 60) + "/answers.yaml": answers(**RIGHT)},
    "nasty": {"answers.yaml": answers(ops=NASTY.replace("'", "''"), intensity="2B")},
    "unread": {"answers.yaml": "answers: \0\n"},
    "closed": {"answers.yaml": answers(**RIGHT)},
    "gone": {"answers.yaml": answers(**RIGHT)},
}


@dataclass(frozen=True)
class Office:
    """Where the staff work: a folder with the course, and GitHub."""

    folder: Path
    hub: Hub
    grader: Callable[..., "CompletedProcess[str]"]

    def run(self, *arguments: str | Path) -> "CompletedProcess[str]":
        """The real program."""
        done = self.grader(*arguments, cwd=self.folder, env={"PATH": self.hub.path, "TINY_SECRET": "s"})
        assert "Traceback" not in done.stderr
        return done

    def here(self, *arguments: str) -> "CompletedProcess[str]":
        """The same commands in this process, and `gh api` as well, which saves many starts."""
        with contextlib.chdir(self.folder), pytest.MonkeyPatch.context() as patch:
            patch.setattr(github, "run", self.hub.run)
            done = CliRunner(env={"PATH": self.hub.path}).invoke(commands, ["classroom", *arguments])
        assert done.exception is None or isinstance(done.exception, SystemExit)
        assert "ghp_secret" not in done.output
        return CompletedProcess(arguments, done.exit_code, done.stdout, done.stderr)

    def collect(self) -> "CompletedProcess[str]":
        return self.here("collect", "--org", ORG, "--prefix", SLUG, "-o", "class")

    def grade(self) -> None:
        done = self.run("grade", "class", "--roster", "class/pushed.csv", "--course", "course", "-o", "reports",
                        "--no-reports", "--jobs", "1")  # fmt: skip
        assert done.returncode in (0, 3), done.stderr

    def post(self, *options: str) -> "CompletedProcess[str]":
        return self.here("post", "reports", "--repos", "class/pushed.csv", "--pace", "0", *options)

    def comment(self, student: str) -> str:
        """The one comment of ours in a student's repository."""
        (body,) = (c["body"] for c in self.hub.repository(student)["comments"] if c["user"]["login"] == "staff")
        return str(body)

    def pushed(self) -> dict[str, dict[str, str]]:
        text = (self.folder / "class" / "pushed.csv").read_text(encoding="utf-8")
        return {row["student"]: row for row in csv.DictReader(io.StringIO(text))}


def office(folder: Path, cache: Path) -> Office:
    folder.mkdir()
    tiny.write(folder / "course")
    return Office(folder, Hub.made(folder / "github"), runner(cache))


def usual(number: int) -> Files:
    return {"answers.yaml": answers(ops=("2BDF", "BDF", "2B")[number % 3], critical="B > 243"), "notes.md": "hello"}


@pytest.fixture(scope="module")
def rehearsed(tmp_path_factory: pytest.TempPathFactory, cache: Path) -> Office:
    """Thirty repositories, collected, graded and posted once."""
    made = office(tmp_path_factory.mktemp("staff") / "office", cache)
    made.hub.push(PUSHED, {f"{SLUG}-{name}": usual(i) for i, name in enumerate(USUAL)})
    made.hub.push(PUSHED, {f"{SLUG}-{name}": files for name, files in ODD.items()})
    made.hub.push(PUSHED, {f"{SLUG}0-other": usual(0), f"{SLUG}-template": usual(0)})
    made.hub.empty(f"{SLUG}-blank")
    with made.hub.changing() as data:
        found = {name.removeprefix(f"{ORG}/{SLUG}-"): repository for name, repository in data["repositories"].items()}
        found["template"]["is_template"] = True
        found["gone"]["unreachable"] = True
        found["s01"]["size"] = 10_000_000
        found["closed"]["archived"] = True
        found["s05"]["private"] = False
        pull = {"number": 1, "title": "Feedback", "state": "open", "pull_request": {}, "user": {"login": "bot"}}
        found["s02"]["issues"] = [pull]
        student = {"login": "s03"}
        found["s03"]["issues"] = [
            {"number": 1, "title": "Feedback: Tiny", "state": "open", "user": student, "body": FORGED}
        ]
        found["s03"]["comments"] = [{"id": 7, "thread": 1, "user": student, "body": FORGED}]
        found["s03"]["statuses"] = [{"commit": found["s03"]["head"], "creator": student, "context": "grader",
                                     "state": "success", "description": "12 of 12 points"}]  # fmt: skip
    return made


@pytest.fixture(scope="module")
def collected(rehearsed: Office) -> "CompletedProcess[str]":
    return rehearsed.collect()


@pytest.fixture(scope="module")
def posted(rehearsed: Office, collected: "CompletedProcess[str]") -> "CompletedProcess[str]":
    rehearsed.grade()
    rehearsed.hub.forget()
    return rehearsed.post()


def test_what_can_t_be_fetched_is_told_and_stops_nobody_else(rehearsed: Office, collected) -> None:
    assert collected.returncode == 3, collected.stderr
    assert "30 repositories: 27 fetched, 0 unchanged, 3 could not be fetched" in collected.stdout
    assert f"everybody can read what is posted there: {ORG}/{SLUG}-s05\n" in collected.stdout
    troubles = {line.partition(": ")[0]: line for line in collected.stderr.splitlines()}
    assert set(troubles) == {f"{ORG}/{SLUG}-{name}" for name in ("gone", "s01", "deep")}
    assert "larger than 100 MiB" in troubles[f"{ORG}/{SLUG}-s01"]
    assert "nested" in troubles[f"{ORG}/{SLUG}-deep"]
    folder = rehearsed.folder / "class" / f"{SLUG}-submissions"
    assert len(list(folder.iterdir())) == 27  # nothing half done is left
    assert rehearsed.pushed().keys() == {*USUAL, *ODD, "blank"} - {"gone", "s01", "deep"}
    assert rehearsed.pushed()["s04"]["submitted_at"] == PUSHED
    assert rehearsed.pushed()["s04"]["commit"] == rehearsed.hub.repository("s04")["head"]


def test_nothing_that_a_repository_holds_acts(rehearsed: Office, collected) -> None:
    folder = rehearsed.folder / "class" / f"{SLUG}-submissions"
    assert not [path for path in folder.rglob("*") if path.is_symlink() or path.name == ".git"]
    assert (folder / f"{SLUG}-filter" / "answers.yaml").read_text(encoding="utf-8") == answers(**RIGHT)
    assert not list((folder / f"{SLUG}-parent" / "x").iterdir())
    clones = [call for call in rehearsed.hub.calls() if call.startswith("clone")]
    for flag in ("--depth 1", "--no-tags", "--single-branch", "--no-recurse-submodules", "core.hooksPath=/dev/null"):
        assert all(flag in call for call in clones)


def test_each_student_has_their_own_result_whatever_a_repository_claims(rehearsed: Office, posted) -> None:
    done = rehearsed.run("export", "reports", "--to", "csv", "--course", "course")
    found = {row["student"]: row for row in csv.DictReader(io.StringIO(done.stdout))}
    assert found.keys() == {*USUAL, *ODD, "blank"} - {"gone", "s01", "deep"}
    assert found["s00"]["total"] == "4"
    assert found["eve-s00"]["total"] == "0"
    assert found["filter"]["total"] == found["parent"]["total"] == "7"
    assert (found["blank"]["status"], found["unread"]["status"]) == ("missing", "unreadable")


def test_everybody_gets_one_comment_and_one_status_on_the_commit_that_was_graded(rehearsed: Office, posted) -> None:
    assert posted.returncode == 3
    assert "closed: " in posted.stderr
    assert "archived" in posted.stderr
    assert "Comments: 25 created, 0 updated, 0 left alone, 1 could not be posted" in posted.stdout
    for student in {*USUAL, *ODD} - {"gone", "s01", "s02", "s03", "deep", "closed"}:
        repository = rehearsed.hub.repository(student)
        (issue,) = repository["issues"]
        assert issue["title"] == "Feedback: Tiny"
        (comment,) = repository["comments"]
        assert comment["thread"] == issue["number"]
        (status,) = repository["statuses"]
        assert (status["commit"], status["context"]) == (repository["head"], "grader")
    assert "**4 of 12 points**" in rehearsed.comment("s00")
    assert rehearsed.hub.repository("s00")["statuses"][0]["description"] == "4 of 12 points"
    states = {name: rehearsed.hub.repository(name)["statuses"][0]["state"] for name in ("s00", "unread", "alias")}
    assert states == {"s00": "success", "unread": "failure", "alias": "failure"}
    assert rehearsed.hub.repository("blank")["comments"] == []  # nobody is told that they have not begun


def test_feedback_belongs_into_the_pull_request_for_it(rehearsed: Office, posted) -> None:
    repository = rehearsed.hub.repository("s02")
    assert [comment["thread"] for comment in repository["comments"]] == [1]
    assert len(repository["issues"]) == 1


def test_what_a_student_forged_is_left_alone_and_does_not_count(rehearsed: Office, posted) -> None:
    repository = rehearsed.hub.repository("s03")
    assert repository["comments"][0]["body"] == FORGED
    assert "**4 of 12 points**" in rehearsed.comment("s03")
    assert [issue["user"]["login"] for issue in repository["issues"]] == ["s03", "staff"]
    assert [(s["creator"]["login"], s["description"]) for s in repository["statuses"]] == [
        ("s03", "12 of 12 points"),
        ("staff", "4 of 12 points"),
    ]


def test_a_comment_tells_of_its_own_student_alone_and_of_no_path_of_ours(rehearsed: Office, posted) -> None:
    for student in ("s00", "nasty", "eve-s00"):
        body = rehearsed.comment(student)
        assert f"`{student}`" in body
        assert not [other for other in (*USUAL, *ODD) if other != student and f"`{other}`" in body]
        assert "submissions" not in body
        assert str(rehearsed.folder) not in body
        assert "Solution" not in body


def test_a_second_round_asks_little_and_writes_nothing_new(rehearsed: Office, posted) -> None:
    before = rehearsed.hub.data()["repositories"]
    rehearsed.hub.forget()
    again = rehearsed.collect()
    assert "0 fetched, 27 unchanged, 3 could not be fetched" in again.stdout
    assert Counter(call.split(" ")[0] for call in rehearsed.hub.calls()) == {"GET": 1 + 2, "clone": 2}
    rehearsed.hub.forget()
    done = rehearsed.post()
    assert "Comments: 0 created, 0 updated, 25 left alone, 1 could not be posted" in done.stdout, done.stdout
    assert all(f" repos/{ORG}/{SLUG}-closed/issues" in call for call in rehearsed.hub.calls())
    assert rehearsed.hub.data()["repositories"] == before


def test_what_was_pushed_since_is_fetched_graded_and_told_in_place(rehearsed: Office, posted) -> None:
    before = {name: rehearsed.comment(name) for name in ("s00", "s04", "s05")}
    rehearsed.hub.push(LATER, {f"{SLUG}-{name}": {"answers.yaml": answers(**RIGHT)} for name in ("s00", "blank")})
    with rehearsed.hub.changing() as data:
        data["repositories"][f"{ORG}/{SLUG}-blank"].pop("empty")
        data["repositories"][f"{ORG}/{SLUG}-s04"]["pushed_at"] = LATER  # a tag, say
    rehearsed.hub.forget()
    assert "2 fetched, 25 unchanged" in rehearsed.collect().stdout
    assert [call.split(" ")[1] for call in rehearsed.hub.calls() if "clone" in call and "deep" not in call][:2] == [
        f"{ORG}/{SLUG}-blank",
        f"{ORG}/{SLUG}-gone",
    ]
    assert rehearsed.pushed()["s00"]["submitted_at"] == LATER
    assert rehearsed.pushed()["s04"]["submitted_at"] == PUSHED
    rehearsed.grade()
    planned = rehearsed.post("--dry-run")
    assert "s00: comment would be updated, status would be created" in planned.stdout
    assert rehearsed.comment("s00") == before["s00"]
    rehearsed.hub.forget()
    assert "Comments: 1 created, 1 updated, 24 left alone" in rehearsed.post().stdout
    assert "**7 of 12 points**" in rehearsed.comment("s00")
    assert "**7 of 12 points**" in rehearsed.comment("blank")
    assert [s["description"] for s in rehearsed.hub.repository("s00")["statuses"]] == [
        "4 of 12 points",
        "7 of 12 points",
    ]
    own = [call for call in rehearsed.hub.writes() if "closed" not in call]
    assert Counter(call.split("-")[3].split("/")[0] for call in own) == {"s00": 2, "blank": 3}
    assert {name: rehearsed.comment(name) for name in ("s04", "s05")} == {k: v for k, v in before.items() if k != "s00"}


def test_the_class_is_audited_against_its_template_and_its_results(rehearsed: Office, posted) -> None:
    (rehearsed.folder / "template").mkdir()
    (rehearsed.folder / "template" / "notes.md").write_text("hello", encoding="utf-8")
    claimed = "username,score,max_score,datetime\ns04,2,12,2026-10-02\ns05,12,12,2026-10-02\n"
    (rehearsed.folder / "scores.csv").write_text(claimed, encoding="utf-8")
    with contextlib.chdir(rehearsed.folder):
        command = ["audit", "class", "--template", "template", "--grades", "reports", "--claimed", "scores.csv"]
        done = CliRunner().invoke(commands, [*command, "--format", "json"])
    assert done.exit_code == 1
    found = {one["student"]: one for one in json.loads(done.stdout)}
    assert (found["s04"]["claim"], found["s04"]["flagged"]) == ("verified", False)
    assert "claims 12 of 12 points; the staff's result is 2 of 12" in found["s05"]["claims"][0]
    assert found["nasty"]["files"] == [["notes.md", "missing"]]
    assert found["s06"]["claim"] == "unverified"


def test_what_git_can_t_read_is_not_taken_for_an_empty_repository(small: Office, tmp_path: Path) -> None:
    answers_file = small.folder / "class" / f"{SLUG}-submissions" / f"{SLUG}-ann" / "answers.yaml"
    before = answers_file.read_text(encoding="utf-8")
    small.hub.push(LATER, {f"{SLUG}-ann": usual(2)})
    (tmp_path / "git").write_text(f'#!/bin/sh\ncase "$*" in *rev-parse*) echo fatal: no >&2; exit 128;; esac\n'
                                  f'exec {shutil.which("git")} "$@"\n', encoding="utf-8")  # fmt: skip
    (tmp_path / "git").chmod(0o755)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
        done = small.collect()
    assert "ann: can't be checked out: fatal: no" in done.stderr
    assert answers_file.read_text(encoding="utf-8") == before
    assert small.pushed()["ann"]["submitted_at"] == PUSHED


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory, cache: Path) -> Office:
    """Two repositories, collected and graded."""
    made = office(tmp_path_factory.mktemp("small") / "office", cache)
    made.hub.push(PUSHED, {f"{SLUG}-{name}": usual(i) for i, name in enumerate(("ann", "ben"))})
    assert made.collect().returncode == 0
    made.grade()
    return made


@pytest.fixture
def small(graded: Office, tmp_path: Path) -> Office:
    """A copy of these."""
    shutil.copytree(graded.folder, tmp_path / "office")
    return Office(tmp_path / "office", Hub(tmp_path / "office" / "github"), graded.grader)


def test_a_run_that_is_killed_after_any_write_is_taken_up_by_the_next_and_doubles_nothing(small: Office) -> None:
    codes = []
    for writes in (1, 1, 1, 2, None):  # an issue, a comment and a status each
        with small.hub.changing() as data:
            data["kill"] = writes
        command = ("classroom", "post", "reports", "--repos", "class/pushed.csv", "--pace", "0")
        codes.append(small.run(*command).returncode)
    assert codes == [-9, -9, -9, -9, 0]
    shutil.move(small.folder / "reports" / "posted.json", small.folder / "lost.json")
    small.hub.forget()
    assert "0 created, 0 updated, 2 left alone" in small.post().stdout
    assert small.hub.writes() == []
    for student in ("ann", "ben"):
        repository = small.hub.repository(student)
        assert [len(repository[what]) for what in ("issues", "comments", "statuses")] == [1, 1, 1]
    known = (small.folder / "reports" / "posted.json").read_text(encoding="utf-8")
    assert json.loads(known) == json.loads((small.folder / "lost.json").read_text(encoding="utf-8"))


def test_a_comment_that_somebody_edited_or_removed_is_put_right_when_asked_to_look(small: Office) -> None:
    assert small.post().returncode == 0
    body = small.comment("ann")
    with small.hub.changing() as data:
        data["repositories"][f"{ORG}/{SLUG}-ann"]["comments"][0]["body"] = "100 of 100 points"
        data["repositories"][f"{ORG}/{SLUG}-ben"]["comments"] = []
    small.hub.forget()
    assert "0 created, 0 updated, 2 left alone" in small.post().stdout
    assert small.hub.calls() == []
    assert "Comments: 1 created, 1 updated, 0 left alone" in small.post("--verify").stdout
    assert small.comment("ann") == body
    assert "points" in small.comment("ben")


def test_a_comment_is_found_again_without_the_journal_wherever_it_stands(small: Office) -> None:
    with small.hub.changing() as data:
        pull = {"number": 1, "title": "Feedback", "state": "open", "pull_request": {}, "user": {"login": "bot"}}
        data["repositories"][f"{ORG}/{SLUG}-ann"]["issues"] = [pull]
    assert small.post().returncode == 0
    with small.hub.changing() as data:
        data["repositories"][f"{ORG}/{SLUG}-ann"]["issues"][0].update(state="closed", title="Done")
    (small.folder / "reports" / "posted.json").unlink()
    assert "Comments: 0 created, 0 updated, 2 left alone" in small.post().stdout


def test_where_issues_are_switched_off_the_commit_has_its_status(small: Office) -> None:
    small.hub.fault("ann/issues", 410, times=9, message="Issues are disabled for this repo")
    done = small.post()
    assert done.returncode == 3
    assert "Issues are disabled for this repo (HTTP 410)" in done.stderr
    assert len(small.hub.repository("ann")["statuses"]) == len(small.hub.repository("ben")["comments"]) == 1


def test_another_name_than_the_one_that_writes_is_noticed_at_the_first_write(small: Office) -> None:
    with pytest.raises(AssertionError, match="GitHub says that 'staff' wrote; give that name"):
        small.post("--as", "grader")
    assert len(small.hub.writes()) == 1
    assert "2 created" in small.post("--as", "STAFF").stdout
    assert len(small.hub.repository("ann")["issues"]) == 1


def test_a_damaged_journal_is_told_before_anything_is_written(small: Office) -> None:
    for text in ("{", '{"repositories": {"o/r": []}}', '{"repositories": {"o/r": {"comment": {"id": "x"}}}}'):
        (small.folder / "reports" / "posted.json").write_text(text, encoding="utf-8")
        with pytest.raises(AssertionError, match="damaged; remove it, and GitHub is asked"):
            small.post()
    assert small.hub.writes() == []


def test_with_a_roster_students_have_its_ids_and_github_s_times_and_the_feedback_finds_them(small: Office) -> None:
    roster = small.folder / "roster.csv"
    for text in ("student,name,email,login\n", "student,name,email,login"):
        roster.write_text(text, encoding="utf-8")
        done = small.here("collect", "--org", ORG, "--prefix", SLUG, "-o", "class", "--roster", "roster.csv")
        assert set(small.pushed()) == {"ann", "ben"}
        assert "roster" not in done.stdout
    lines = ("student,name,email,login", "7é 1,Ann A,,ann", "-2,Zoe,z@example.org,zoe", "-2,Zoe,,")
    roster.write_text("\n".join(lines), encoding="utf-8")
    done = small.here("collect", "--org", ORG, "--prefix", SLUG, "-o", "class", "--roster", "roster.csv")
    assert "Not in the roster, and called by their logins: ben" in done.stdout
    assert "-2 is in line 3 too" in done.stderr
    found = {student: (row["name"], row["login"], row["submitted_at"]) for student, row in small.pushed().items()}
    assert found == {"7é 1": ("Ann A", "ann", PUSHED), "'-2": ("Zoe", "", ""), "ben": ("", "ben", PUSHED)}
    small.grade()
    assert "7é 1: comment created, status created\nben: comment created" in small.post().stdout
    assert "`7é 1`, Ann A" in small.comment("ann")
    assert "Handed in 2026-10-02 09:00 UTC" in small.comment("ann")
    done = small.here("collect", "--repos", "class/pushed.csv", "--prefix", SLUG, "-o", "class")
    assert "2 repositories: 0 fetched, 2 unchanged" in done.stdout


def test_a_student_has_one_line_however_the_owner_is_written_and_a_folder_has_one_class(small: Office) -> None:
    with small.hub.changing() as data:
        data["repositories"] = {
            name.replace(ORG, ORG.title()): repository for name, repository in data["repositories"].items()
        }
    done = small.here("collect", "--org", ORG.title(), "--prefix", SLUG, "-o", "class")
    assert "2 repositories: 2 fetched" in done.stdout
    assert {student: row["repository"] for student, row in small.pushed().items()} == {
        student: f"{ORG.title()}/{SLUG}-{student}" for student in ("ann", "ben")
    }
    assert small.post("--dry-run").returncode == 3  # collected since
    small.hub.push(PUSHED, {f"{SLUG}0-ann": usual(0)})
    with pytest.raises(AssertionError, match=f"{SLUG}-submissions was collected here; name another folder"):
        small.here("collect", "--org", ORG, "--prefix", f"{SLUG}0", "-o", "class")


def test_work_that_was_collected_and_not_graded_yet_waits(small: Office) -> None:
    pushed = small.folder / "class" / "pushed.csv"
    head, ann, ben = pushed.read_text(encoding="utf-8").splitlines()
    later = ben.rpartition(",")[0] + ",2999-01-01T00:00:00+00:00"
    pushed.write_text("\n".join((head, ann, later)), encoding="utf-8")
    done = small.post()
    assert done.returncode == 3
    assert "ben: newer work was collected after it was graded" in done.stderr
    assert small.hub.repository("ben")["issues"] == []
    assert len(small.hub.repository("ann")["issues"]) == 1


def test_the_limits_of_github_end_a_run_and_the_same_command_goes_on(small: Office) -> None:
    small.hub.fault(f"POST repos/{ORG}/{SLUG}-ben/issues", 403, headers={"Retry-After": "4000"}, message="rate limit")
    done = small.post()
    assert done.returncode == 3
    assert "it asks to wait 4,000 seconds" in done.stderr
    assert "Not done yet: ben." in done.stderr
    small.hub.fault(f"POST repos/{ORG}/{SLUG}-ben/issues", 429, headers={"Retry-After": "0"})
    done = small.post()
    assert done.returncode == 0
    assert "waiting 0 seconds" in done.stderr
    assert len(small.hub.repository("ben")["issues"]) == len(small.hub.repository("ann")["issues"]) == 1


def test_without_a_collection_there_are_comments_and_no_statuses(small: Office) -> None:
    done = small.here("post", "reports", "--org", ORG, "--prefix", f"{SLUG}-", "--pace", "0", "--dry-run")
    assert "ann: comment would be created" in done.stdout
    assert "No commit statuses" in done.stderr
    assert small.hub.writes() == []

"""A class in which many are careless and some hostile: the others get what they would get alone, nobody is harmed."""

import json
import os
import threading
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tests.cases.hostile_submissions import CANARY, HOSTILE, place
from tests.e2e.running import Runner, book, by_student, numbered, pages, quiet, rows, whole, write_class

pytestmark = pytest.mark.skipif(os.name != "posix", reason="pipes and links")


@pytest.fixture
def runner(tmp_path: Path, cache: Path) -> Runner:
    """Runs without faults."""
    return Runner(tmp_path, cache)


def test_good_submissions_among_hostile_ones_are_graded_as_if_alone(runner: Runner, tmp_path: Path) -> None:
    good = numbered(60)
    allowed = hostile_class(tmp_path / "class", good)
    run = runner.run("grade", "class", "-o", "out", "--jobs", "2")
    quiet(run)
    assert run.returncode == 3
    write_class(tmp_path / "alone" / "class", good)
    alone = Runner(tmp_path / "alone", runner.cache).run("grade", "class", "-o", "out", "--jobs", "1")
    assert alone.returncode == 0
    same_results(tmp_path, good)
    for result in book(tmp_path / "out")["results"]:
        if result["student"] not in good:
            name = folder_of(result["source"])
            assert result["status"] in allowed.pop(name), (name, result["message"])
            assert result["status"] == "graded" or result["message"], name
    assert allowed == {}
    whole(tmp_path / "out")
    harmless(tmp_path)


def same_results(folder: Path, students: list[str]) -> None:
    """Each of these has the same result and the same pages among the others as alone."""
    found, expected = by_student(folder / "out"), by_student(folder / "alone" / "out")
    for name in students:
        assert json.dumps(found[name]) == json.dumps(expected[name])
    together, alone = pages(folder / "out"), pages(folder / "alone" / "out")
    assert len(alone) >= len(students)
    assert {name: together.get(name) for name in alone} == alone


def test_a_submission_alone_in_a_run_gets_what_it_gets_in_a_class(runner: Runner, tmp_path: Path) -> None:
    write_class(tmp_path / "class", numbered(98))
    together = json.loads(runner.run("grade", "class", "--jobs", "1", "--format", "json").stdout)["results"]
    for student in ("s003", "s045", "s091"):
        run = runner.run("grade", f"class/{student}", "--format", "json")
        (alone,) = json.loads(run.stdout)["results"]
        assert alone in together


def folder_of(source: str) -> str:
    """The student's folder in a source such as class/s001/answers.yaml."""
    return source.split("/")[1]


def hostile_class(folder: Path, good: list[str]) -> dict[str, tuple[str, ...]]:
    """The good students, and all the hostile ones; the statuses that those may end with, by folder."""
    write_class(folder, good)
    names = [(place(case, folder, f"x{number:03}"), case.statuses) for number, case in enumerate(HOSTILE)]
    return {name.decode("utf-8", "backslashreplace"): statuses for name, statuses in names}


def harmless(folder: Path) -> None:
    """Nothing was executed and nothing escaped, into files or into pages."""
    assert not [path for path in folder.rglob(f"*{CANARY}*") if "$" not in path.name and "`" not in path.name]
    assert not Path(f"/tmp/{CANARY}").exists()
    for page in [page for out in folder.glob("out*") for page in out.rglob("*.html")]:
        tags = _Tags()
        tags.feed(page.read_text(encoding="utf-8"))
        assert not tags.strange, (page, tags.strange)


class _Tags(HTMLParser):
    """Notes what a page of ours never has."""

    def __init__(self) -> None:
        super().__init__()
        self.strange: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ("img", "iframe", "object", "embed") or any(name.startswith("on") for name, _ in attrs):
            self.strange.append(tag)


def test_a_submission_is_what_its_folder_says_whatever_lies_beside_the_answers(runner: Runner, tmp_path: Path) -> None:
    own = write_class(tmp_path / "class", ["s000"]) / "s000"
    spoiled = f'open("{tmp_path / CANARY}", "w")\n'
    for name in ("yaml.py", "json.py", "grader.py", "sitecustomize.py", "usercustomize.py", "click.py"):
        (own / name).write_text(spoiled)
    (own / "results.json").write_text('{"results": [{"student": "s000", "points": 100}]}')
    (own / "course.yaml").write_text("id: own\ntitle: Own\nreference: yaml\nexercises: []\n")
    inside = Runner(own, runner.cache)
    run = inside.run("grade", ".", "-o", tmp_path / "out", "--jobs", "1")  # the student's folder is where it runs
    quiet(run)
    assert run.returncode == 0
    (result,) = book(tmp_path / "out")["results"]
    assert result["student"] == "s000"
    assert result["points"] < 30
    assert not (tmp_path / CANARY).exists()


def test_what_is_no_submission_is_passed_over_quickly(runner: Runner, tmp_path: Path) -> None:
    folder = write_class(tmp_path / "class", numbered(5))
    for number in range(9_000):
        (folder / f"note{number}.txt").touch()
    run = runner.run("grade", "class", "-o", "out", "--no-reports", "--jobs", "1")
    quiet(run)
    assert run.returncode == 0
    assert rows(tmp_path / "out", "select count(*) from submission") == [(5,)]


def test_a_file_that_changes_while_it_is_read_is_graded_as_the_bytes_that_were_read(
    runner: Runner, tmp_path: Path
) -> None:
    folder = write_class(tmp_path / "class", numbered(20))
    stop, versions = threading.Event(), tmp_path / "versions"
    versions.mkdir()
    texts = [version(number) for number in range(8)]
    writers = [threading.Thread(target=rewrite, args=(path, texts, stop)) for path in folder.glob("*/answers.yaml")]
    for writer in writers:
        writer.start()
    try:
        run = runner.run("grade", "class", "-o", "out", "--jobs", "2", "--no-reports")
    finally:
        stop.set()
        for writer in writers:
            writer.join()
    quiet(run)
    for number, text in enumerate(texts):
        own = versions / f"v{number}"
        own.mkdir()
        (own / "answers.yaml").write_text(text)
    assert runner.run("grade", "versions", "-o", "expected", "--no-reports", "--jobs", "1").returncode == 0
    query = "select digest, responses, status, message from submission"
    known = {digest: responses for digest, responses, _, _ in rows(tmp_path / "expected", query)}
    assert len(known) == 8
    for digest, responses, status, message in rows(tmp_path / "out", query):
        refused = status == "unreadable" and "exchanged while it was read" in message
        assert refused or known.get(digest) == responses


def version(number: int) -> str:
    """One state of a file, larger than what is read at once; its answers say which one it is."""
    lines = [f"# {number}" + " filler" * 30] * 200
    return (
        "\n".join([*lines, "answers:", "  q4:", f"    flops: {number}BDF", *lines[:40], f"    leading: {number}"])
        + "\n"
    )


def rewrite(path: Path, texts: list[str], stop: threading.Event) -> None:
    """Keep replacing a file, as editors do: another one takes its name."""
    number = 0
    while not stop.is_set():
        number += 1
        other = path.with_name(f".{number % 2}.part")
        other.write_text(texts[number % len(texts)])
        other.replace(path)
        stop.wait(0.002)

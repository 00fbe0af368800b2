"""The client of GitHub: what it waits for, what it sends again, and when it gives up."""

import json
import os
import shlex
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from grader.classroom import github, programs
from grader.classroom.github import Client, ExhaustedError, GithubError
from grader.classroom.programs import Finished, SlowError, run
from grader.errors import GraderError


def said(status: int, data: Any = None, **headers: str) -> Finished:
    """What gh prints for an answer of the API."""
    lines = [f"HTTP/2.0 {status} Whatever\n", *(f"{name.replace('_', '-')}: {v}\r\n" for name, v in headers.items())]
    return Finished(int(status >= 400), ("".join(lines) + "\r\n" + json.dumps(data)).encode(), b"")


UNREACHABLE = Finished(1, b"", b"error connecting to api.github.com\n")


class World:
    """Answers in turn, and a clock that moves when somebody sleeps."""

    def __init__(self) -> None:
        self.answers: list[Finished] = []
        self.asked: list[Sequence[str]] = []
        self.slept: list[float] = []
        self.told: list[str] = []

    def run(self, arguments: Sequence[str], **_: Any) -> Finished:
        self.asked.append(arguments)
        return self.answers.pop(0)

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> World:
    made = World()
    monkeypatch.setattr(github, "run", made.run)
    monkeypatch.setattr(github, "program", lambda name: name)
    monkeypatch.setattr(time, "sleep", made.sleep)
    monkeypatch.setattr(time, "monotonic", lambda: sum(made.slept))
    monkeypatch.setattr(time, "time", lambda: 1000.0)
    return made


@pytest.mark.parametrize(
    ("status", "headers", "message", "seconds"),
    [
        (403, {"retry_after": "7"}, "secondary rate limit", 7),
        (429, {"retry_after": "soon"}, "", 60),
        (403, {"x_ratelimit_remaining": "0", "x_ratelimit_reset": "1030"}, "", 31),
        (403, {"x_ratelimit_remaining": "0", "x_ratelimit_reset": "900"}, "", 1),
        (429, {}, "", 60),
        (403, {}, "You have exceeded a secondary rate limit", 60),
    ],
)
def test_it_waits_as_long_as_github_asks_and_sends_the_same_again(
    world: World, status: int, headers: Mapping[str, str], message: str, seconds: float
) -> None:
    world.answers = [said(status, {"message": message}, **headers), said(201, {"id": 1})]
    assert Client(tell=world.told.append).write("POST", "repos/o/r/issues", {}) == {"id": 1}
    assert seconds in world.slept
    assert world.told == [f"GitHub's limits are reached: waiting {seconds} seconds"]
    assert world.asked[0] == world.asked[1]


def test_it_gives_up_rather_than_wait_for_long_or_for_ever(world: World) -> None:
    world.answers = [said(403, {}, retry_after="901")]
    with pytest.raises(ExhaustedError, match="asks to wait 901 seconds"):
        Client().get("user")
    assert world.slept == []
    world.answers = [said(403, {}, retry_after="500"), said(403, {}, retry_after="500")]
    with pytest.raises(ExhaustedError):
        Client().get("user")
    world.answers = [said(429, {}, retry_after="0")] * 5
    with pytest.raises(ExhaustedError):
        Client().get("user")


def test_a_refusal_is_told_in_github_s_words_and_is_not_taken_for_a_limit(world: World) -> None:
    for status, words in ((403, "Repository was archived"), (404, "Not Found"), (422, "No commit")):
        world.answers = [said(status, {"message": words}, x_ratelimit_remaining="4000")]
        with pytest.raises(GithubError, match=rf"{words} \(HTTP {status}\)") as error:
            Client().write("POST", "repos/o/r/issues", {})
        assert error.value.status == status
        assert not isinstance(error.value, ExhaustedError)


def test_what_may_have_been_written_is_not_sent_again_and_what_was_only_read_is(world: World) -> None:
    world.answers = [said(502, {"message": "x"})]
    with pytest.raises(GithubError):
        Client().write("POST", "repos/o/r/issues", {})
    world.answers = [said(502, {"message": "x"}), said(200, [1])]
    assert Client().get("user") == [1]


@pytest.mark.parametrize("body", [b"<html>Unicorn!</html>", b'[{"id": 1}', b""])
def test_an_answer_that_can_t_be_read_is_none_and_what_was_sent_with_it_is_not_sent_again(
    world: World, body: bytes
) -> None:
    page = Finished(0, b"HTTP/2.0 200 OK\n\r\n" + body, b"")
    world.answers = [page, said(200, [1])]
    assert list(Client().pages("repos/o/r/issues")) == [1]
    world.answers = [page, page]
    with pytest.raises(GithubError, match="the answer can't be read"):
        list(Client().pages("repos/o/r/issues"))  # no comments would mean: write another one
    world.answers = [page]
    with pytest.raises(GithubError, match="the answer can't be read"):
        Client().write("POST", "repos/o/r/issues", {})


def test_a_list_without_end_is_not_taken_for_a_whole_one(world: World) -> None:
    world.answers = [said(200, [1], link='<https://api.github.com/x>; rel="next"')] * 1_000
    with pytest.raises(GithubError, match="more than 100,000 entries"):
        list(Client().pages("x"))


def test_where_nothing_answers_the_rest_is_for_another_run(world: World) -> None:
    world.answers = [UNREACHABLE] * 3
    client = Client()
    with pytest.raises(GithubError, match="error connecting") as error:
        client.get("user")
    assert not isinstance(error.value, ExhaustedError)
    with pytest.raises(ExhaustedError, match="can't be reached"):
        client.get("user")


@pytest.mark.parametrize("answer", [said(401, {"message": "Bad credentials"}), Finished(4, b"", b"To get started ...")])
def test_without_a_login_it_is_said_what_to_do(world: World, answer: Finished) -> None:
    world.answers = [answer]
    with pytest.raises(GraderError, match="gh auth login"):
        Client().get("user")


def test_an_app_has_to_say_its_name(world: World) -> None:
    world.answers = [said(403, {"message": "Resource not accessible by integration"})]
    with pytest.raises(GraderError, match="--as"):
        Client().login()


def test_writes_keep_their_distance_and_reads_need_none(world: World) -> None:
    client = Client(pace=2.0)
    world.answers = [said(200)] * 5
    client.write("POST", "a", {})
    client.get("b")
    client.write("POST", "c", {})
    client.write("PATCH", "d", {})
    assert world.slept == [2.0, 2.0]


def test_lists_are_read_page_by_page_as_github_says(world: World) -> None:
    more = said(200, [1, 2], link='<https://api.github.com/x?page=2>; rel="next"')
    world.answers = [more, said(200, [3], link='<https://api.github.com/x?page=1>; rel="prev"')]
    assert list(Client().pages("x?state=all")) == [1, 2, 3]
    assert [call[-1] for call in world.asked] == [f"x?state=all&per_page=100&page={page}" for page in (1, 2)]


def test_nothing_that_may_be_a_login_is_told(world: World) -> None:
    told = (
        b"Cloning ...\nfatal: unable to access 'https://x-token:ghs_abc123@github.com/o/r/':"
        b" ghp_0123 github_pat_11A ghs_1_ey.J0.x-y\n"
    )
    world.answers = [Finished(128, b"", told)]
    with pytest.raises(GithubError, match="unable to access") as error:
        Client().clone("o/r", Path("x"), "")
    assert not [
        word for word in ("x-token", "ghs_", "ghp_", "github_pat_", "abc123", "11A", "J0") if word in str(error.value)
    ]


@pytest.mark.skipif(os.name != "posix", reason="process groups")
def test_a_program_that_hangs_is_ended_with_all_that_it_started(tmp_path: Any) -> None:
    note = tmp_path / "pid"
    command = f"sleep 60 & echo $! > {shlex.quote(str(note))}; wait"
    with pytest.raises(SlowError):
        run(["sh", "-c", command], seconds=0.3)
    wait_until(lambda: not alive(int(note.read_text())))


def alive(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii") as file:
            return file.read().split()[2] != "Z"
    except FileNotFoundError:
        return False


def wait_until(condition: Callable[[], bool]) -> None:
    for _ in range(500):
        if condition():
            return
        time.sleep(0.01)
    raise AssertionError("still there")


def test_variables_that_would_make_git_or_gh_act_elsewhere_are_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_DIR", "/elsewhere")
    monkeypatch.setenv("GIT_TRACE_CURL", "1")
    monkeypatch.setenv("GH_DEBUG", "api")
    done = programs.run(["env"], seconds=10)
    assert b"GIT_DIR" not in done.out
    assert b"GIT_TRACE" not in done.out
    assert b"GH_DEBUG" not in done.out
    assert b"GIT_TERMINAL_PROMPT=0" in done.out

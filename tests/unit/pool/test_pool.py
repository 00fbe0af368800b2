"""Pieces of work in processes of their own: all are answered, and one that goes wrong fails alone."""

import os
import signal
import time
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from grader.pool import Failed, Limits, Pool, WorkerError, decode, encode, read_message
from tests.unit.pool.fake import write_worker

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the worker of these tests sends itself signals")
Message = Mapping[str, Any]


@pytest.fixture(autouse=True)
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The workers of every test are those of `fake.py`."""
    monkeypatch.setenv("PYTHONPATH", str(write_worker(tmp_path / "fake")))
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")


def numbered(messages: Iterable[Message]) -> Iterator[tuple[int, Message]]:
    return enumerate(messages)


def ran(
    messages: Iterable[Message], jobs: int = 1, seconds: float = 20.0, start: str = "", secrets: Iterable[str] = ()
) -> dict[int, Any]:
    """What became of each; none is answered twice."""
    with Pool[int]({"start": start}, jobs, Limits(seconds=seconds, megabytes=99), secrets=secrets) as pool:
        found = list(pool.run(numbered(messages)))
    assert len({item for item, _ in found}) == len(found)
    return dict(found)


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


# --- what is as it should be ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("jobs", [1, 3])
def test_each_piece_gets_its_own_answer(jobs: int) -> None:
    found = ran([{"value": n} for n in range(50)], jobs)
    assert [found[n]["saw"] for n in range(50)] == list(range(50))
    assert found[0]["megabytes"] == 99


def test_one_worker_takes_the_pieces_in_order() -> None:
    found = ran({"value": n} for n in range(50))
    assert [found[n]["number"] for n in range(50)] == list(range(1, 51))


def test_workers_share_the_work() -> None:
    found = ran([{"do": "sleep", "seconds": 0.05}] * 20, jobs=2)
    assert len({answer["pid"] for answer in found.values()}) == 2


def test_no_work_starts_no_worker() -> None:
    assert ran([]) == {}


def test_pieces_are_taken_only_when_there_is_room_for_them() -> None:
    taken = []

    def endless() -> Iterator[tuple[int, Message]]:
        for number in range(10_000):
            taken.append(number)
            yield number, {"do": "sleep", "seconds": 0.01}

    with Pool[int]({}, 1, Limits()) as pool:
        run = pool.run(endless())
        for _ in range(5):
            next(run)
    assert len(taken) < 1_000


def test_a_pool_runs_one_list_after_another_on_the_same_workers() -> None:
    with Pool[int]({}, 1, Limits()) as pool:
        first = dict(pool.run(numbered([{"value": 1}])))
        second = dict(pool.run(numbered([{"value": 2}])))
    assert first[0]["pid"] == second[0]["pid"]


def test_workers_are_gone_when_the_pool_is() -> None:
    with Pool[int]({}, 2, Limits()) as pool:
        pids = {answer["pid"] for _, answer in pool.run(numbered([{"do": "sleep", "seconds": 0.02}] * 8))}
        assert all(alive(pid) for pid in pids)
    assert not any(alive(pid) for pid in pids)


def test_workers_are_gone_when_the_pool_is_left_in_the_middle() -> None:
    with Pool[int]({}, 1, Limits()) as pool:
        _, answer = next(pool.run(numbered([{"value": 1}, {"do": "hang"}])))
    assert not alive(answer["pid"])


def test_large_answers_and_questions_go_through_the_pipe() -> None:
    found = ran([{"value": "x" * 3_000_000}, {"do": "large", "size": 3_000_000}, {"value": "é\ud800"}])
    assert len(found[0]["saw"]) == len(found[1]["text"]) == 3_000_000
    assert found[2]["saw"] == "é\ud800"


def test_whoever_waits_may_do_something_else_meanwhile() -> None:
    calls = []
    with Pool[int]({}, 1, Limits()) as pool:
        list(pool.run(numbered([{"do": "sleep", "seconds": 0.1}]), idle=lambda: calls.append(1)))
    assert calls


def test_a_worker_knows_little_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COURSE_SECRET", "s")
    monkeypatch.setenv("TOKEN_OF_SOMETHING_ELSE", "t")
    (known,) = ran([{"do": "environment"}], secrets=["COURSE_SECRET"]).values()
    assert known["COURSE_SECRET"] == "s"
    assert "TOKEN_OF_SOMETHING_ELSE" not in known
    (known,) = ran([{"do": "environment"}]).values()
    assert "COURSE_SECRET" not in known


# --- what goes wrong --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        ({"do": "exit", "code": 0}, "its process ended with code 0"),
        ({"do": "exit", "code": 9}, "its process ended with code 9"),
        ({"do": "kill"}, "its process was ended by SIGKILL"),
    ],
)
def test_a_piece_that_ends_its_worker_fails_alone(bad: Message, reason: str, jobs: int) -> None:
    found = ran([*({"value": n} for n in range(5)), bad, *({"value": n} for n in range(6, 12))], jobs)
    assert found.pop(5) == Failed(reason)
    assert sorted(found) == [0, 1, 2, 3, 4, 6, 7, 8, 9, 10, 11]
    assert all(answer["saw"] == n for n, answer in found.items())


def test_a_piece_that_never_ends_is_ended_and_fails_alone() -> None:
    begun = time.monotonic()
    found = ran([{"value": 0}, {"do": "hang"}, {"value": 2}], seconds=0.5)
    assert found[1] == Failed("it took more than 0.5 s")
    assert (found[0]["saw"], found[2]["saw"]) == (0, 2)
    assert time.monotonic() - begun < 10


def test_the_limit_is_for_one_piece_and_not_for_those_that_wait_behind_it() -> None:
    found = ran([{"do": "sleep", "seconds": 0.3}] * 4, seconds=1.0)
    assert not any(isinstance(answer, Failed) for answer in found.values())


def test_pieces_all_of_which_end_their_worker_all_fail() -> None:
    found = ran([{"do": "kill"}] * 5, jobs=2)
    assert list(found.values()) == [Failed("its process was ended by SIGKILL")] * 5


@pytest.mark.parametrize(
    "said",
    [
        pytest.param("\0\0\0\5{{{{{", id="no JSON"),
        pytest.param("\0\0\0\2\xff\xfe", id="no text"),
        pytest.param("\xff\xff\xff\xff", id="more than anybody has"),
        pytest.param("\0\0", id="cut off"),
    ],
)
@pytest.mark.parametrize("then", [0, 600])
def test_a_worker_that_says_nonsense_costs_the_piece_it_was_at(said: str, then: int) -> None:
    found = ran([{"value": 0}, {"do": "nonsense", "bytes": said, "then": then}, {"value": 2}], seconds=1.0)
    assert isinstance(found.pop(1), Failed)
    assert [answer["saw"] for answer in found.values()] == [0, 2]


@pytest.mark.parametrize(
    ("start", "what"), [("error", "the course is broken"), ("exit", r"the workers can't start \(exit code 7\)")]
)
def test_workers_that_cannot_start_are_told_once(start: str, what: str) -> None:
    with pytest.raises(WorkerError, match=what):
        ran([{"value": 1}], jobs=2, start=start)


def test_a_worker_that_is_ended_from_outside_costs_no_piece_if_it_had_several() -> None:
    with Pool[int]({}, 1, Limits()) as pool:
        run = pool.run(numbered([{"value": 0}, {"do": "sleep", "seconds": 5}, {"value": 2}]))
        _, first = next(run)
        os.kill(first["pid"], signal.SIGTERM)
        found = dict(run)
    assert (found[1]["number"], found[2]["saw"]) == (1, 2)


# --- messages ---------------------------------------------------------------------------------------------------------


def test_messages_come_back_as_they_were(tmp_path: Path) -> None:
    messages = [{"a": [1, None, "é\ud800\0"]}, [], "x" * 70_000]
    (tmp_path / "pipe").write_bytes(b"".join(map(encode, messages)))
    with (tmp_path / "pipe").open("rb") as pipe:
        assert [read_message(pipe) for _ in range(4)] == [*messages, None]
    assert decode(encode({"a": 1})[4:]) == {"a": 1}

"""Worker processes that do one piece of work after another, each within limits of time and memory.

A piece that hangs or kills its worker fails alone: the worker is replaced and goes on with the next. Workers are plain
child processes that talk JSON over their pipes; nothing that they send is ever executed.
"""

import json
import os
import queue
import subprocess
import sys
import tempfile
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import IO, Any, Generic, TypeVar

from grader.errors import GraderError
from grader.values import frozen

T = TypeVar("T")
Json = Mapping[str, Any]

_LENGTH = 4  # bytes before each message
_BUFFER = 1 << 16
_CHUNK_SECONDS = 0.05  # of work that a worker gets at a time
_MOST_ITEMS = 200
_MOST_BYTES = 1 << 20
_START_SECONDS = 120.0  # a course may have to be compiled first
_CRASHES = 3  # of workers that never got ready, in a row
# what a worker needs of the environment; a course's secret is added by name
_ENVIRONMENT = (
    "PATH", "HOME", "LANG", "LANGUAGE", "TZ", "TMPDIR", "TEMP", "TMP", "SYSTEMROOT", "USERPROFILE", "LOCALAPPDATA",
    "APPDATA", "XDG_CACHE_HOME", "PYTHONPATH", "PYTHONHOME", "PYTHONHASHSEED", "PYTHONWARNINGS",
    "PYTHONDONTWRITEBYTECODE", "VIRTUAL_ENV", "GRADER_DEBUG",
)  # fmt: skip


@frozen(kw_only=True)
class Limits:
    """What one piece of work may take: seconds by the wall clock, megabytes of memory."""

    seconds: float = 20.0
    megabytes: int = 512


@frozen
class Failed:
    """Why a piece of work has no result."""

    reason: str


class WorkerError(GraderError):
    """The workers can't start: what they say."""


def encode(message: Any) -> bytes:
    """A message as bytes, its length in front."""
    body = json.dumps(message, separators=(",", ":"), ensure_ascii=False).encode("utf-8", "surrogatepass")
    return len(body).to_bytes(_LENGTH, "big") + body


def decode(body: bytes) -> Any:
    """The message that `encode` made, without its length."""
    return json.loads(body.decode("utf-8", "surrogatepass"))


def read_message(file: IO[bytes]) -> Any:
    """The next message of a pipe; None at its end."""
    head = file.read(_LENGTH)
    if len(head) < _LENGTH:
        return None
    body = file.read(int.from_bytes(head, "big"))
    return decode(body)


@dataclass(eq=False)
class _Worker(Generic[T]):
    """One process, with the items that it was given and has not answered yet."""

    process: "subprocess.Popen[bytes]"
    tasks: "queue.SimpleQueue[bytes | None]" = field(default_factory=queue.SimpleQueue)
    pending: deque[tuple[T, Json]] = field(default_factory=deque)
    ready: bool = False
    alone: bool = False  # it has one item only, which may be what another worker died of
    since: float = field(default_factory=time.monotonic)  # when it began the first of them
    reason: str = ""  # why it is being killed

    def kill(self, reason: str = "") -> None:
        self.reason = self.reason or reason
        with suppress(OSError):
            if hasattr(os, "killpg"):
                os.killpg(self.process.pid, 9)  # it leads a group of its own
            else:
                self.process.kill()


class Pool(Generic[T]):
    """Runs items on `jobs` workers. Each worker is told `setup` first; `payload` makes of an item what is sent."""

    def __init__(self, setup: Json, jobs: int, limits: Limits, *, secrets: Iterable[str] = ()) -> None:
        self._setup = {**setup, "megabytes": limits.megabytes}
        self._jobs, self._limits, self._secrets = jobs, limits, tuple(secrets)
        self._events: queue.SimpleQueue[tuple[_Worker[T], list[bytes] | None]] = queue.SimpleQueue()
        self._workers: list[_Worker[T]] = []
        self._crashes = 0
        self._seconds = _CHUNK_SECONDS  # that one item takes, about

    def __enter__(self) -> "Pool[T]":
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self._workers:
            worker.kill()
            worker.tasks.put(None)
        for worker in self._workers:
            worker.process.wait()
        self._workers.clear()

    def run(
        self, items: Iterable[tuple[T, Json]], *, idle: Callable[[], None] = lambda: None
    ) -> Iterator[tuple[T, Any | Failed]]:
        """Each item with what a worker made of it, or why it failed; in the order in which they are done.

        `idle` is called whenever there is nothing to do but wait.
        """
        waiting = iter(items)
        again: deque[tuple[T, Json]] = deque()
        exhausted = False
        while True:
            for worker in self._workers:
                room = 0 if again or worker.alone else max(1, self._size() // 2)
                if not exhausted and len(worker.pending) <= room:
                    exhausted = not self._give(worker, waiting, again)
            if not exhausted and len(self._workers) < self._jobs:
                self._start()
                continue
            if exhausted and not again and not any(worker.pending for worker in self._workers):
                return
            if self._events.empty():
                idle()
            yield from self._happened(again)
            exhausted = exhausted and not again

    def _size(self) -> int:
        return max(1, min(_MOST_ITEMS, int(_CHUNK_SECONDS / max(self._seconds, 1e-6))))

    def _give(self, worker: _Worker[T], waiting: Iterator[tuple[T, Json]], again: deque[tuple[T, Json]]) -> bool:
        """Hand a worker its next items; False if there are none left."""
        chunk = bytearray()
        count = 0
        worker.alone = bool(again)
        most = 1 if worker.alone else self._size()
        while count < most and len(chunk) < _MOST_BYTES:
            item: tuple[T, Json] | None = again.popleft() if again else next(waiting, None)
            if item is None:
                break
            if not worker.pending:
                worker.since = time.monotonic()
            worker.pending.append(item)
            chunk += encode(item[1])
            count += 1
        if chunk:
            worker.tasks.put(bytes(chunk))
        return count > 0

    def _happened(self, again: deque[tuple[T, Json]]) -> Iterator[tuple[T, Any | Failed]]:
        """What the workers say next, and what becomes of those that hang or died."""
        try:
            worker, messages = self._events.get(timeout=self._patience())
        except queue.Empty:
            for late in self._workers:
                if time.monotonic() >= self._deadline(late):
                    late.kill(f"it took more than {self._limits.seconds:g} s")
            return
        if messages is None:
            yield from self._died(worker, again)
            return
        for body in messages:
            try:
                message = decode(body)
            except (ValueError, RecursionError):
                worker.kill("it sent what can't be read")
                return
            if not worker.ready:
                self._began(worker, message)
                continue
            item, _ = worker.pending.popleft()
            now = time.monotonic()
            self._seconds += 0.05 * (now - worker.since - self._seconds)
            worker.since = now
            yield item, message

    def _began(self, worker: _Worker[T], message: Json) -> None:
        if message.get("error"):
            raise WorkerError(message["error"])
        worker.ready, worker.since, self._crashes = True, time.monotonic(), 0

    def _patience(self) -> float:
        nearest = min((self._deadline(worker) for worker in self._workers), default=time.monotonic() + 1)
        return max(0.0, min(nearest - time.monotonic(), 3600.0))

    def _deadline(self, worker: _Worker[T]) -> float:
        if worker.reason:
            return worker.since + 1e9  # killed already; its pipe will end
        if not worker.ready:
            return worker.since + _START_SECONDS
        return worker.since + self._limits.seconds if worker.pending else time.monotonic() + 3600.0

    def _died(self, worker: _Worker[T], again: deque[tuple[T, Json]]) -> Iterator[tuple[T, Failed]]:
        """The item that a dead worker was at fails; the others that it had are given to the next.

        What died at once may have said less than it had done: its items are tried one by one then.
        """
        self._workers.remove(worker)
        worker.tasks.put(None)
        code = worker.process.wait()
        if not worker.ready:
            self._crashes += 1
            if self._crashes >= _CRASHES:
                raise WorkerError(worker.reason or f"the workers can't start (exit code {code})")
        elif worker.pending and (worker.reason or len(worker.pending) == 1):
            item, _ = worker.pending.popleft()
            yield item, Failed(worker.reason or _death(code))
        again.extend(worker.pending)

    def _start(self) -> None:
        names = (*_ENVIRONMENT, *self._secrets)
        environment = {n: v for n, v in os.environ.items() if n in names or n.startswith("LC_")}
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", "grader.worker"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment, cwd=tempfile.gettempdir(),
            stderr=None if os.environ.get("GRADER_DEBUG") else subprocess.DEVNULL,
            start_new_session=True,  # a key pressed at the terminal is for the parent to act on
        )  # fmt: skip
        worker: _Worker[T] = _Worker(process)
        worker.tasks.put(encode(self._setup))
        self._workers.append(worker)
        for target in (self._feed, self._listen):
            threading.Thread(target=target, args=(worker,), daemon=True).start()

    def _feed(self, worker: _Worker[T]) -> None:
        assert worker.process.stdin is not None
        with suppress(OSError, ValueError), worker.process.stdin as pipe:
            while (data := worker.tasks.get()) is not None:
                pipe.write(data)
                pipe.flush()

    def _listen(self, worker: _Worker[T]) -> None:
        assert worker.process.stdout is not None
        rest = bytearray()
        with suppress(OSError, ValueError), worker.process.stdout as pipe:
            while data := os.read(pipe.fileno(), _BUFFER):
                rest += data
                if messages := list(_messages(rest)):
                    self._events.put((worker, messages))
        self._events.put((worker, None))


def _messages(data: bytearray) -> Iterator[bytes]:
    """The whole messages at the start of the data, which are taken off it."""
    start = 0
    while len(data) >= start + _LENGTH:
        end = start + _LENGTH + int.from_bytes(data[start : start + _LENGTH], "big")
        if len(data) < end:
            break
        yield bytes(data[start + _LENGTH : end])
        start = end
    del data[:start]


def _death(code: int) -> str:
    if code < 0:
        import signal

        with suppress(ValueError):
            return f"its process was ended by {signal.Signals(-code).name}"
    return f"its process ended with code {code}"

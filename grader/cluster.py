"""The workers of a Dask cluster in place of processes on this machine (the extra `cluster`).

Submissions go there in chunks, a bounded number at a time, and come back as they are done. A worker that dies is
survived: Dask gives its chunks to others. A chunk with which workers die again and again is tried once more at the end,
one submission after the other with nothing else going on, so that only the one that is to blame fails.

The course goes to the workers as it is compiled, with its secret if it has one; both stay in the memory of the
scheduler and the workers for the time of the run.
"""

import json
import os
import queue
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from typing import Any, Generic, Self, TypeVar

import grader
from grader.bulk import Settings
from grader.course import LoadedCourse, outline
from grader.errors import GraderError
from grader.folders import Folder
from grader.parts import Chunk, chunked, form, graded, roster_of
from grader.pool import Failed
from grader.results import to_json
from grader.values import frozen
from grader.worker import packed_setup

T = TypeVar("T")
C = TypeVar("C")
R = TypeVar("R")
Json = Mapping[str, Any]

_SECONDS = 15  # to wait for the scheduler
_WORKER_SECONDS = 60  # to wait for the first worker
_PATIENCE = 300  # to wait for a worker when all are gone
_LOOK = 5  # between looks at how many workers there are
_SILENCE = 60  # of the scheduler, after which it is gone
_IN_FLIGHT = 3  # chunks for each thread of a worker
_MOST_LOST = 50  # chunks that workers died of; with more it is the cluster that is broken


@frozen
class _Lost:
    """Why a task has no result."""

    reason: str


def dask() -> Any:
    """The library; GraderError with what to install if it isn't there."""
    try:
        return import_module("distributed")
    except ImportError:
        raise GraderError("--cluster needs the library dask: pip install 'roofline-grader[cluster]'") from None


class ClusterPool(Generic[T]):
    """Runs items on a cluster, in the way of `grader.pool.Pool`; where `place` is given, makes part files there."""

    def __init__(self, address: str, loaded: LoadedCourse, settings: Settings, *, place: Folder | None = None) -> None:
        self._address, self._distributed = address, dask()
        roster = roster_of(settings)
        self._form = form(outline(loaded.course), roster)
        secret = os.environ.get(loaded.course.secret_env, "") if loaded.course.secret_env else ""
        self._about: dict[str, Any] = {
            "setup": packed_setup(loaded, secret, settings.reveal, roster, explain=settings.explain),
            "seconds": settings.limits.seconds,
            "megabytes": settings.limits.megabytes,
        }
        self._name = f"grader-{os.urandom(8).hex()}"
        self._place, self._probe = place, f".{self._name}"
        self._tasks = 0
        self._threads = 0
        self._heard = time.monotonic()

    def __enter__(self) -> Self:
        self._client = self._connected()
        try:
            self._checked()
            self._prepare()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(Exception):  # the cluster may be gone, and what was begun there with it
            if self._client.status == "running":
                self._client.unregister_worker_plugin(self._name)
        with suppress(Exception):
            if self._place is not None:
                self._place.remove(self._probe)
        with suppress(Exception):
            self._client.close(timeout=5)

    def _connected(self) -> Any:
        try:
            return self._distributed.Client(self._address, timeout=_SECONDS, set_as_default=False, name="grader")
        except (OSError, ValueError) as error:  # a time-out is an OSError
            raise GraderError(f"{self._address}: no Dask scheduler answers here ({error})") from None

    def _checked(self) -> None:
        """GraderError unless there are workers, and the grader on them is this one."""
        from grader.cluster_worker import version

        try:
            self._client.wait_for_workers(1, timeout=_WORKER_SECONDS)
            found = self._client.run(version)
        except TimeoutError:
            raise GraderError(f"{self._address}: this cluster has no workers") from None
        except (ImportError, AttributeError) as error:
            raise GraderError(
                f"the grader can't be used on the workers; install it there with the same extras ({error})"
            ) from None
        other = {address: told for address, told in found.items() if told != grader.__version__}
        for address, told in sorted(other.items()):
            raise GraderError(
                f"the worker {address} has grader {told}, not {grader.__version__}; install the same on all"
            )

    def _prepare(self) -> None:
        """Send the course, also to workers that come later."""
        from grader.cluster_worker import Kit

        if self._place is not None:
            self._place.write(self._probe, b"who sees this may write here\n")
            parts = {"place": self._place.place, "probe": self._probe, "outline": to_json(self._form.outline)}
            self._about["parts"] = parts
        self._client.register_plugin(Kit(self._name, self._about), name=self._name)
        self._look()

    # --- what is asked of it

    def run(
        self, items: Iterable[tuple[T, Json]], *, idle: Callable[[], None] = lambda: None
    ) -> Iterator[tuple[T, Any | Failed]]:
        """Each item with what a worker made of it, or why it failed; in the order in which they are done.

        `idle` is called whenever there is nothing to do but wait.
        """
        from grader.cluster_worker import answers

        lost: list[list[tuple[T, Json]]] = []
        for chunk, found in self._done(chunked(items), lambda chunk: (answers, _sent(p for _, p in chunk)), idle):
            if isinstance(found, _Lost):
                self._keep(lost, chunk)
            else:
                yield from zip((item for item, _ in chunk), _told(found), strict=True)
        for item in (item for chunk in lost for item in chunk):
            yield item[0], self._alone(item[1])

    def parts(self, chunks: Iterator[Chunk]) -> Iterator[tuple[Chunk, Mapping[str, int], bytes | None]]:
        """Each chunk with its counts by status and its file, None where a worker has written it."""
        from grader.cluster_worker import part

        lost: list[Chunk] = []
        for chunk, found in self._done(chunks, lambda chunk: (part, chunk.name, _sent(chunk.payloads)), lambda: None):
            if isinstance(found, _Lost):
                self._keep(lost, chunk)
            else:
                yield chunk, *found
        for chunk in lost:
            data, counts = self._form.content(graded(payload, self._alone(payload)) for payload in chunk.payloads)
            yield chunk, counts, data

    def _keep(self, lost: list[C], chunk: C) -> None:
        lost.append(chunk)
        if len(lost) > _MOST_LOST:
            raise GraderError(
                f"{self._address}: workers die again and again, whatever they are given; what is done is kept"
            )

    def _alone(self, payload: Json) -> Any | Failed:
        """What a worker makes of one payload when nothing else goes on."""
        from grader.cluster_worker import answers

        found = [found for _, found in self._done(iter([payload]), lambda p: (answers, _sent([p])), lambda: None)]
        return Failed(found[0].reason) if isinstance(found[0], _Lost) else next(_told(found[0]))

    # --- tasks

    def _done(
        self, chunks: Iterator[C], task: Callable[[C], tuple[Any, ...]], idle: Callable[[], None]
    ) -> Iterator[tuple[C, Any | _Lost]]:
        """Each chunk with the result of its task, as they are done."""
        flight: dict[str, tuple[C, Any]] = {}
        done: queue.SimpleQueue[str] = queue.SimpleQueue()
        more = True
        while True:
            while more and len(flight) < max(2, _IN_FLIGHT * self._threads):
                chunk = next(chunks, None)
                more = chunk is not None
                if chunk is not None:
                    future = self._submitted(task(chunk))
                    flight[future.key] = chunk, future
                    future.add_done_callback(lambda future: done.put(future.key))
            if not flight:
                return
            if done.empty():
                idle()
            chunk, future = flight.pop(self._next(done))
            yield chunk, self._result(future)

    def _submitted(self, task: Sequence[Any]) -> Any:
        self._tasks += 1
        function, *arguments = task
        key = f"{self._name}-{self._tasks}"  # by place, not by content: a key is seen by all who see the cluster
        return self._client.submit(function, self._name, *arguments, key=key, pure=False)

    def _next(self, done: "queue.SimpleQueue[str]") -> str:
        """The key of a task that is done; GraderError if there is nobody left to do any."""
        return self._patient(lambda: done.get(timeout=_LOOK), queue.Empty)

    def _patient(self, step: Callable[[], R], not_yet: type[Exception]) -> R:
        """What the step gives, tried again while there are workers, or may be some soon."""
        waited = 0
        while True:
            try:
                return step()
            except not_yet:
                self._look()
                waited = 0 if self._threads else waited + _LOOK
            if waited > _PATIENCE:
                raise GraderError(f"{self._address}: all workers are gone; what is done is kept: run this again")

    def _look(self) -> None:
        """Count the workers' threads. A scheduler that has much to do answers late."""
        try:
            self._threads = sum(self._client.nthreads().values())
            self._heard = time.monotonic()
        except Exception:
            if self._client.status == "closed" or time.monotonic() - self._heard > _SILENCE:
                raise self._gone() from None

    def _gone(self) -> GraderError:
        return GraderError(f"{self._address}: the cluster is gone; what is done is kept: run this again")

    def _result(self, future: Any) -> Any | _Lost:
        if future.status == "cancelled":
            raise self._gone()
        try:
            if future.status in ("lost", "pending"):  # a worker had it in its memory when it died: it is made again
                self._patient(lambda: self._distributed.wait(future, timeout=_LOOK), TimeoutError)
            return future.result()
        except GraderError:
            raise
        except self._distributed.KilledWorker:
            return _Lost("the workers that tried it died")
        except Exception as error:
            if future.status == "cancelled" or self._client.status != "running":
                raise self._gone() from None
            return _Lost(type(error).__name__)


def _sent(payloads: Iterable[Json]) -> bytes:
    return json.dumps(list(payloads), separators=(",", ":")).encode()


def _told(found: bytes) -> Iterator[Any | Failed]:
    """The answers of one task. Their numbers hold until the next task's, so all workers go by one name."""
    for one in json.loads(found):
        yield Failed(one["failed"]) if "failed" in one else {**one, "worker": "cluster"}

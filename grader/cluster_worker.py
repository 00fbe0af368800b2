"""What runs on the workers of a cluster. Imported there, and here only to be sent: it needs Dask (extra `cluster`).

Each thread of a Dask worker has a grader process beside it, the same as on one machine: an answer that hangs or kills
its process costs that submission alone, within the same limits of time and memory.
"""

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from threading import Lock
from typing import Any

from distributed import get_worker
from distributed.diagnostics.plugin import WorkerPlugin

import grader
from grader.errors import GraderError
from grader.folders import folder
from grader.gradebook import Student
from grader.parts import Form, graded, outline_of
from grader.pool import Failed, Limits, Pool

Json = Mapping[str, Any]


class Kit(WorkerPlugin):  # type: ignore[misc]
    """The course as each Dask worker has it for the time of a run. `about` is JSON data: frozen values aren't pickled.

    `setup` is the first message to each grader process, `seconds` and `megabytes` are its limits; where part files are
    made, `parts` tells of their `place`, of a file that is seen there (`probe`), and the `outline`.
    """

    def __init__(self, name: str, about: Json) -> None:
        self.name, self._about, self._version = name, about, grader.__version__

    def setup(self, worker: Any) -> None:  # noqa: ARG002
        """Begin on a worker: none of its processes is there yet."""
        self._idle: list[Pool[int]] = []
        self._lock, self._over = Lock(), False
        self._form: Form | None = None

    def teardown(self, worker: Any) -> None:  # noqa: ARG002
        """End the processes; those that are busy end when they are done."""
        with self._lock:
            self._over = True
            for pool in self._idle:
                pool.__exit__()
            self._idle.clear()

    def answers(self, payloads: Sequence[Json]) -> list[Any | Failed]:
        """What a grader process makes of each payload, in their order."""
        if grader.__version__ != self._version:
            raise GraderError(f"a worker has grader {grader.__version__}, not {self._version}; install the same on all")
        with self._lock:
            pool = self._idle.pop() if self._idle else self._pool()
        try:
            found = dict(pool.run(enumerate(payloads)))
        except BaseException:
            pool.__exit__()
            raise
        with self._lock:
            if self._over:
                pool.__exit__()
            else:
                self._idle.append(pool)
        return [found[place] for place in range(len(payloads))]

    def _pool(self) -> "Pool[int]":
        limits = Limits(seconds=self._about["seconds"], megabytes=self._about["megabytes"])
        return Pool(self._about["setup"], 1, limits)

    def part(self, name: str, payloads: Sequence[Json]) -> tuple[Mapping[str, int], bytes | None]:
        """Make a part file and write it, or hand it back where its place isn't reached from here."""
        answers = [graded(p, found) for p, found in zip(payloads, self.answers(payloads), strict=True)]
        data, counts = self._made().content(answers)
        with suppress(Exception):  # whatever it is: then the file is written by whoever asked for it
            where = folder(self._about["parts"]["place"])
            if self._about["parts"]["probe"] in where.names():
                where.write(name, data)
                return counts, None
        return counts, data

    def _made(self) -> Form:
        if self._form is None:
            roster = self._about["setup"]["roster"] or {"students": ()}
            students = (Student(**{**row, "aliases": tuple(row["aliases"])}) for row in roster["students"])
            self._form = Form(outline_of(self._about["parts"]["outline"]), {s.id: s for s in students})
        return self._form


# --- tasks ------------------------------------------------------------------------------------------------------------


def answers(kit: str, payloads: bytes) -> bytes:
    """The answers to some payloads; whole in themselves, since any task may be run twice and its first answer lost."""
    found = _kit(kit).answers(json.loads(payloads))
    return json.dumps(_numbered(found), separators=(",", ":")).encode()


def part(kit: str, name: str, payloads: bytes) -> tuple[dict[str, int], bytes | None]:
    """The counts of a part file, and the file where it is not written yet."""
    counts, data = _kit(kit).part(name, json.loads(payloads))
    return dict(counts), data


def version() -> str:
    """The grader's on this worker."""
    return grader.__version__


def _kit(name: str) -> Kit:
    return get_worker().plugins[name]  # type: ignore[no-any-return]


def _numbered(found: Sequence[Any | Failed]) -> list[Json]:
    """The answers with each record told once, under a number of its own among these answers."""
    numbers: dict[str, int] = {}
    told: list[Json] = []
    for one in found:
        if isinstance(one, Failed):
            told.append({"failed": one.reason})
        else:
            told.append({"graded": [_renumbered(submission, numbers) for submission in one["graded"]]})
    return told


def _renumbered(one: Json, numbers: dict[str, int]) -> Json:
    if "parts" not in one:
        return one
    digests, fresh = {}, []
    for number, digest, *rest in one["new"]:
        digests[number] = digest
        if digest not in numbers:
            numbers[digest] = len(numbers)
            fresh.append((numbers[digest], digest, *rest))
    return {**one, "new": fresh, "parts": [(numbers[digests[number]], line) for number, line in one["parts"]]}

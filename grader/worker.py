"""One worker process: reads, marks and explains what it is sent, and writes pages. Run by `grader.pool` alone.

The first message says what to do with all that follow; every other one is answered with one message. It never opens a
student's file: it is sent the bytes.
"""

import base64
import gc
import json
import os
import queue
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import fields, replace
from functools import cache
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from grader.bundle import Bundle
from grader.course import LoadedCourse, load_course, pack, unpack
from grader.errors import GraderError
from grader.grading import Grader, fault
from grader.pool import encode, read_message
from grader.recent import Recent
from grader.records import record
from grader.results import PartResult, Reveal, Status, Verdict, to_json
from grader.submission import Response, Submission, read_bundle

if TYPE_CHECKING:
    from grader.reports.overrides import Overrides
    from grader.roster import Roster

Json = Mapping[str, Any]
Row = Sequence[Any]

_MOST_ROWS = 6_000  # records kept as they are sent; one takes a kilobyte or two


# --- what is sent to a worker -----------------------------------------------------------------------------------------


def setup(course: Path, reveal: Reveal, roster: Path | None = None, *, explain: bool = True) -> dict[str, Any]:
    """The first message: what to grade against, and whether to explain or to decide only."""
    return {
        "course": str(course.resolve()),
        "reveal": str(reveal),
        "roster": str(roster.resolve()) if roster else None,
        "explain": explain,
    }


def packed_setup(
    loaded: LoadedCourse, secret: str, reveal: Reveal, roster: "Roster | None" = None, *, explain: bool = True
) -> dict[str, Any]:
    """The same for a worker on another machine, which is sent the course and the roster themselves. With each
    submission it tells all records of its parts, so that any of its answers may be lost, or given twice."""
    known = {"students": to_json(roster.students), "times": roster.times} if roster else None
    packed = {"packed": pack(loaded), "secret": secret}
    return {"course": packed, "reveal": str(reveal), "roster": known, "explain": explain, "whole": True}


def of_bundle(bundle: Bundle) -> Json:
    """The message to grade what was handed in."""
    plain = {f.name: getattr(bundle, f.name) for f in fields(Bundle) if f.name not in ("content", "attachments")}
    files = {name: _text(data) for name, data in bundle.attachments.items()}
    return {"bundle": {**plain, "content": _text(bundle.content), "attachments": files}}


def of_stored(submission: Json) -> Json:
    """The message to grade a submission that the store has: its fields, `responses` as rows."""
    return {"stored": submission}


def _text(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")


# --- what it does with it ---------------------------------------------------------------------------------------------


class Worker:
    """Grades. The records of parts are sent in full once, and told by their numbers afterwards; where the first message
    says `whole`, with every submission."""

    def __init__(self, message: Json) -> None:
        course = _course(message["course"])
        whole = bool(message.get("whole"))
        self._grader = Grader(course.keyring, Reveal(message["reveal"]), explain=message["explain"], keep=whole)
        self._roster = _roster(message["roster"])
        self._name = os.urandom(8).hex()  # by which the parent keeps the numbers of records apart
        self._rows: Recent[int, Row] | None = Recent(_MOST_ROWS) if whole else None

    def answer(self, message: Json) -> Json:
        """What comes of one message; a fault of ours costs this submission alone."""
        if "pages" in message:
            return pages(message["pages"])
        if "stored" in message:
            submissions = [_stored(message["stored"])]
        else:
            submissions = list(self._submissions(_bundle(message["bundle"])))
        return {"worker": self._name, "graded": [self._graded(submission) for submission in submissions]}

    def _submissions(self, bundle: Bundle) -> Iterator[Submission]:
        """One submission for each of those who handed it in, by their ids in the roster."""
        read = read_bundle(bundle)
        whose = [replace(read, student=member, key=member, name="") for member in bundle.members] or [read]
        for one in whose:
            found = self._roster.find(one.student, one.key, one.name) if self._roster else None
            if found is None or self._roster is None:
                yield one
            else:
                times = {**self._roster.times.get(found.id, {}), **one.times}
                yield replace(one, student=found.id, name=found.name or one.name, times=times)

    def _graded(self, submission: Submission) -> Json:
        told = head(submission)
        if submission.status != Status.GRADED:
            return told
        try:
            return {**told, **self._marked(submission)}
        except (Exception, SystemExit) as error:
            self._grader.forget()  # whatever it was that was not sent
            return {**told, "status": Status.FAILED, "message": fault(type(error).__name__)}

    def _marked(self, submission: Submission) -> Json:
        responses, remarks = self._grader.matched(submission)
        parts: list[tuple[int, int | None]] = []
        fresh: list[Row] = []
        verdicts: list[Verdict | None] = []
        points = 0
        for exercise, found in self._grader.examined(submission, responses):
            for examined, line in found:
                parts.append((examined.number, line))
                points += examined.points
                verdicts.append(examined.verdict)
                if examined.part is not None:  # or the parent has it
                    fresh.append(self._row(exercise.id, examined.number, examined.part))
        return {
            "points": points,
            "parts": parts,
            "new": fresh,
            "notes": remarks,
            "invalid": verdicts.count(Verdict.INVALID),
            "undecided": verdicts.count(Verdict.UNDECIDED),
        }

    def _row(self, exercise: str, number: int, part: PartResult) -> Row:
        row = self._rows.get(number) if self._rows is not None else None
        if row is None:
            row = _record(exercise, number, part)
            if self._rows is not None:
                self._rows.put(number, row)
        return row


def _course(told: str | Json) -> LoadedCourse:
    """The course from its folder, or as it was sent."""
    return load_course(told) if isinstance(told, str) else unpack(told["packed"], told["secret"].encode())


def _roster(told: str | Json | None) -> "Roster | None":
    """The roster from its file, or as it was sent."""
    if told is None:
        return None
    from grader.gradebook import Student
    from grader.roster import Roster, read_roster

    if isinstance(told, str):
        return read_roster(Path(told))
    students = (Student(**{**row, "aliases": tuple(row["aliases"])}) for row in told["students"])
    return Roster(students=tuple(students), times=told["times"])


def fail(told: Json, reason: str) -> Json:
    """What to keep of a submission that no worker could grade."""
    return {**told, "status": Status.FAILED, "message": fault(reason)}


def _record(exercise: str, number: int, part: PartResult) -> Row:
    made = record(exercise, part)
    values = tuple(getattr(made, f.name) for f in fields(made))
    return (number, made.digest, *values)


def head(submission: Submission) -> dict[str, Any]:
    """All of a submission but what is made of it, as the store takes it."""
    rows = [(r.exercise, r.part, r.text, r.line, r.fault) for r in submission.responses]
    kept = ("student", "source", "name", "key", "platform", "attempt", "times", "late", "digest", "message", "remarks")
    return {
        **{name: getattr(submission, name) for name in kept},
        "status": submission.status,
        "responses": _dumped(rows),
        "attachments": _dumped(dict(submission.attachments)),
    }


def _dumped(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=True) if value else ""


def _stored(data: Json) -> Submission:
    rows = json.loads(data["responses"]) if data["responses"] else []
    responses = tuple(Response(exercise=e, part=p, text=t, line=line, fault=f) for e, p, t, line, f in rows)
    attachments = json.loads(data["attachments"]) if data["attachments"] else {}
    rest = {name: value for name, value in data.items() if name not in ("responses", "attachments", "status")}
    status = Status.GRADED if responses else Status(data["status"])  # what failed once is tried again
    return Submission(**rest, responses=responses, attachments=attachments, status=status)


def _bundle(data: Json) -> Bundle:
    attachments = {name: base64.b64decode(text) for name, text in data["attachments"].items()}
    lists = {name: tuple(data[name]) for name in ("members", "remarks")}
    content, status = base64.b64decode(data["content"]), Status(data["status"])
    return Bundle(**{**data, **lists, "content": content, "attachments": attachments, "status": status})


def pages(data: Json) -> Json:
    """Write the pages of some students from the store, as they may see them."""
    from grader.reports.names import file_stem
    from grader.reports.overrides import PLAIN
    from grader.reports.render import write_page
    from grader.reveal import student_view
    from grader.store import open_store

    folder, reveal = Path(data["folder"]), Reveal(data["reveal"])
    found = os.lstat(folder)
    if [found.st_dev, found.st_ino] != data["identity"]:
        return {"error": "the folder was exchanged while it was written"}
    try:
        overrides = _overrides(*data["templates"]) if data["templates"][0] else PLAIN
        with open_store(Path(data["store"])) as store:
            for result in store.of_students(data["students"]):
                view, stem = student_view(result, reveal), file_stem(result.student)
                write_page(folder, stem, view, data["formats"], course_title=data["title"], overrides=overrides)
    except (OSError, GraderError) as error:
        return {"error": getattr(error, "strerror", None) or str(error)}
    except Exception as error:  # a fault of ours, told in words
        return {"error": f"a page can't be made ({type(error).__name__}); please report it"}
    return {}


@cache
def _overrides(folder: str, digest: str) -> "Overrides":
    """A course's own templates, read once; GraderError if they are no longer those of whoever asks."""
    from grader.reports.overrides import read_overrides

    found = read_overrides(Path(folder))
    if found.digest != digest:
        raise GraderError("the templates were changed while pages were made; run the same command again")
    return found


# --- the process ------------------------------------------------------------------------------------------------------


def main() -> None:
    """Answer messages until there are no more."""
    gc.set_threshold(100_000)  # values make no cycles, and what is remembered is looked through again and again
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what is printed by mistake must not get between messages
    incoming = _listen(os.fdopen(os.dup(0), "rb"))
    first = incoming.get()
    _limit(first["megabytes"])
    try:
        worker = Worker(first)
    except (GraderError, OSError) as error:
        out.write(encode({"error": str(error)}))
        out.close()
        return
    gc.freeze()
    answers = _speak(out)
    answers.put(encode({"ready": True}))
    while True:
        answers.put(encode(worker.answer(incoming.get())))


def _speak(out: IO[bytes]) -> "queue.SimpleQueue[bytes]":
    """A queue of what is to be sent: whatever has come together is sent at once, also while the next is worked on."""
    answers: queue.SimpleQueue[bytes] = queue.SimpleQueue()

    def speak() -> None:
        with suppress(OSError, ValueError):
            while True:
                data = [answers.get()]
                while not answers.empty():
                    data.append(answers.get())
                out.write(b"".join(data))
                out.flush()
        os._exit(0)

    threading.Thread(target=speak, daemon=True).start()
    return answers


def _listen(pipe: IO[bytes]) -> "queue.SimpleQueue[Any]":
    """The messages as they come. When the parent is gone this process ends at once, whatever it is at."""
    incoming: queue.SimpleQueue[Any] = queue.SimpleQueue()

    def listen() -> None:
        with suppress(OSError, ValueError):
            while (message := read_message(pipe)) is not None:
                incoming.put(message)
        os._exit(0)

    threading.Thread(target=listen, daemon=True).start()
    return incoming


def _limit(megabytes: int) -> None:
    """Limits that the system keeps, where it has them (Linux; macOS ignores that of memory, Windows has none)."""
    try:
        import resource
    except ImportError:
        return
    for name, most in (("RLIMIT_AS", megabytes << 20), ("RLIMIT_CORE", 0), ("RLIMIT_NOFILE", 256)):
        with suppress(ValueError, OSError):
            _, hard = resource.getrlimit(getattr(resource, name))
            soft = most if hard == resource.RLIM_INFINITY else min(most, hard)
            resource.setrlimit(getattr(resource, name), (soft, hard))


if __name__ == "__main__":
    main()

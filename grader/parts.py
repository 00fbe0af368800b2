"""Results of very large courses as Parquet: a part file for each chunk of submissions, in place of a store.

A part file has the columns of the export `parquet` and those of `MORE`: points and verdicts are raw, as each
submission alone has them. Rules that need all of a student's attempts are applied only by the store. The name of a part
file comes from what is in the chunk and from what it is graded against, and it is there as a whole or not at all: a
second run makes only those that are missing.
"""

import io
import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from hashlib import blake2b
from itertools import groupby
from typing import TYPE_CHECKING, Any, Protocol, Self, TypeVar

import grader
from grader.bulk import Settings, Watch, stamp
from grader.bundle import Bundle
from grader.course import LoadedCourse, outline
from grader.exports.options import Options
from grader.exports.output import library
from grader.folders import Folder
from grader.gradebook import Column, Outline, Row, Student
from grader.pool import Failed, Pool
from grader.records import part_result
from grader.results import ExerciseResult, PartResult, Result, Status
from grader.submission import Submission
from grader.values import frozen
from grader.worker import Json, fail, head, of_bundle, setup

if TYPE_CHECKING:
    from grader.roster import Roster

T = TypeVar("T")
Graded = Sequence[Json]  # the submissions of all who handed in one thing, as `grader.worker` tells them

MORE = ("source", "attempt", "times", "late", "digest", "message")  # `late` is the platform's own mark
_FEWEST, _MOST = 8, 256  # submissions in a chunk: the first are small, so that all workers have some at once
_MOST_CHARACTERS = 1 << 20
_STATUSES = b"grader.statuses"
_COPIED = ("source", "name", "key", "platform", "attempt", "times", "late")


# --- chunks -----------------------------------------------------------------------------------------------------------


@frozen
class Chunk:
    """Some submissions, as they are sent to workers, and the name of their part file."""

    name: str
    payloads: Sequence[Json]


def chunked(items: Iterable[tuple[T, Json]]) -> Iterator[list[tuple[T, Json]]]:
    """The items in lists whose lengths follow from the items alone, so that they are the same in every run."""
    group: list[tuple[T, Json]] = []
    seen = size = 0
    for item in items:
        group.append(item)
        size += _size(item[1])
        if len(group) >= min(_MOST, max(_FEWEST, seen // 16)) or size >= _MOST_CHARACTERS:
            yield group
            seen += len(group)
            group, size = [], 0
    if group:
        yield group


def _size(payload: Json) -> int:
    found = payload.get("bundle", {})
    return len(found.get("content", "")) + sum(map(len, found.get("attachments", {}).values()))


def chunks(bundles: Iterable[Bundle], judged: str) -> Iterator[Chunk]:
    """The chunks of what was handed in; `judged` tells what it is graded against."""
    told = ((f"{b.source}\0{stamp(b)}", {**of_bundle(b), "digest": b.digest}) for b in bundles)
    for group in chunked(told):
        text = "\0".join((judged, *(name for name, _ in group)))
        digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
        yield Chunk(f"part-{digest}.parquet", [payload for _, payload in group])


def graded(payload: Json, found: Any | Failed) -> Graded:
    """What became of one payload, also where no worker could grade it."""
    if not isinstance(found, Failed):
        return found["graded"]  # type: ignore[no-any-return]
    told = payload["bundle"]
    copied = {name: told[name] for name in _COPIED}
    whose = Submission(student=told["key"] or told["source"], digest=payload["digest"], **copied)
    return [fail(head(whose), found.reason)]


# --- what is in a part file -------------------------------------------------------------------------------------------


@frozen(slots=False)
class Form:
    """What is told of the course and of the class in each part file."""

    outline: Outline
    students: Mapping[str, Student]

    def content(self, answers: Iterable[Graded]) -> tuple[bytes, Mapping[str, int]]:
        """A part file, and how many submissions in it have which status."""
        records = _Records()
        told = [(one, records.row(one, self)) for submissions in answers for one in submissions]
        counts = Counter(str(one["status"]) for one, _ in told)
        arrow, parquet = library("pyarrow", "parquet"), library("pyarrow.parquet", "parquet")
        table = parquet.read_table(io.BytesIO(self._long(row for _, row in told)))
        for name, kind in _more(arrow):
            cells = [_cell(one[name]) for one, _ in told for _ in self.outline.columns]
            table = table.append_column(name, arrow.array(cells, type=kind))
        about = {_STATUSES: json.dumps(counts, sort_keys=True), b"grader.version": grader.__version__}
        buffer = io.BytesIO()
        parquet.write_table(table.replace_schema_metadata(about), buffer)
        return buffer.getvalue(), counts

    def _long(self, rows: Iterable[Row]) -> bytes:
        from grader.exports.parquet import export

        return b"".join(export(rows, self.outline, Options()))

    @cached_property
    def titles(self) -> Mapping[str, str]:
        """The titles of the exercises by id."""
        return {name: title for name, (title, _) in self.outline.exercises.items()}


def form(outline: Outline, roster: "Roster | None") -> Form:
    """The form of the part files of a class."""
    return Form(outline, {student.id: student for student in roster.students} if roster else {})


def roster_of(settings: Settings) -> "Roster | None":
    """Who is in the class, if that is known."""
    if settings.roster is None:
        return None
    from grader.roster import read_roster

    return read_roster(settings.roster)


def outline_of(data: Json) -> Outline:
    """The outline from its JSON data."""
    exercises = {name: (title, prompt) for name, (title, prompt) in data["exercises"].items()}
    columns = tuple(Column(**column) for column in data["columns"])
    return Outline(**{**data, "columns": columns, "exercises": exercises})


def _more(arrow: Any) -> list[tuple[str, Any]]:
    text = arrow.string()
    kinds = {"attempt": arrow.int64(), "late": arrow.bool_(), "times": arrow.map_(text, text)}
    return [(name, kinds.get(name, text)) for name in MORE]


def _cell(value: Any) -> Any:
    from grader.exports.cells import encodable

    if isinstance(value, Mapping):
        return [(encodable(name), encodable(text)) for name, text in sorted(value.items())]
    return encodable(value) if isinstance(value, str) else value


class _Records:
    """The records told so far, by number; parts that many have are read once."""

    def __init__(self) -> None:
        self._digests: dict[int, str] = {}
        self._parts: dict[str, tuple[str, PartResult]] = {}

    def row(self, one: Json, about: Form) -> Row:
        """A submission as a row of a gradebook in which each stands for itself."""
        for number, digest, exercise, *_, data in one.get("new", ()):
            self._digests[number] = digest
            if digest not in self._parts:
                self._parts[digest] = exercise, part_result(data)
        found = [self._part(number, line) for number, line in one.get("parts", ())]
        exercises = tuple(
            _exercise(name, about.titles.get(name, ""), [part for _, part in parts])
            for name, parts in groupby(found, key=lambda pair: pair[0])
        )
        result = Result(
            student=one["student"], source=one["source"], status=Status(one["status"]), points=one.get("points", 0),
            max_points=about.outline.max_points, exercises=exercises, remarks=tuple(one["remarks"]),
            message=one["message"], name=one["name"],
        )  # fmt: skip
        known = about.students.get(result.student)
        student = replace(known, name=known.name or result.name) if known else None
        return Row(student=student or Student(id=result.student, name=result.name), result=result)

    def _part(self, number: int, line: int | None) -> tuple[str, PartResult]:
        exercise, part = self._parts[self._digests[number]]
        return exercise, replace(part, line=line)


def _exercise(name: str, title: str, parts: Sequence[PartResult]) -> ExerciseResult:
    points, most = (sum(part.points or 0 for part in parts), sum(part.max_points for part in parts))
    return ExerciseResult(id=name, title=title, points=points, max_points=most, parts=tuple(parts))


def statuses(data: bytes) -> Counter[str] | None:
    """How many submissions in a part file have which status; None if it is no whole part file."""
    arrow, parquet = library("pyarrow", "parquet"), library("pyarrow.parquet", "parquet")
    try:
        return Counter(json.loads(parquet.read_schema(io.BytesIO(data)).metadata[_STATUSES]))
    except (arrow.ArrowException, OSError, KeyError, TypeError, ValueError):
        return None


# --- a run ------------------------------------------------------------------------------------------------------------


class Maker(Protocol):
    """What makes part files of chunks."""

    def parts(self, chunks: Iterator[Chunk]) -> Iterator[tuple[Chunk, Mapping[str, int], bytes | None]]:
        """Each chunk with its counts by status and its file, None where that is written already."""


class LocalMaker:
    """Makes part files in this process, of what workers beside it grade; they tell all records each time."""

    def __init__(self, loaded: LoadedCourse, settings: Settings) -> None:
        message = {**setup(loaded.folder, settings.reveal, settings.roster, explain=settings.explain), "whole": True}
        secrets = filter(None, [loaded.course.secret_env])
        jobs = settings.jobs or os.cpu_count() or 1
        self._workers: Pool[tuple[int, int]] = Pool(message, jobs, settings.limits, secrets=secrets)
        self._form = form(outline(loaded.course), roster_of(settings))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._workers.__exit__()

    def parts(self, chunks: Iterator[Chunk]) -> Iterator[tuple[Chunk, Mapping[str, int], bytes | None]]:
        """Each chunk as soon as the last of its submissions is graded."""
        begun: dict[int, tuple[Chunk, dict[int, Graded]]] = {}

        def items() -> Iterator[tuple[tuple[int, int], Json]]:
            for number, chunk in enumerate(chunks):
                begun[number] = chunk, {}
                yield from (((number, place), payload) for place, payload in enumerate(chunk.payloads))

        for (number, place), found in self._workers.run(items()):
            chunk, answers = begun[number]
            answers[place] = graded(chunk.payloads[place], found)
            if len(answers) == len(chunk.payloads):
                del begun[number]
                data, counts = self._form.content(answers[place] for place in sorted(answers))
                yield chunk, counts, data


@frozen
class Tally:
    """What one run came to: submissions by status, the files written now, and those that were there."""

    statuses: Mapping[str, int]
    written: int
    there: int


def write_parts(where: Folder, found: Iterator[Chunk], maker: Maker, watch: Watch) -> Tally:
    """Make the part files that are missing; of those that are there the submissions are counted too."""
    total: Counter[str] = Counter()
    names, written, there = where.names(), 0, 0

    def missing() -> Iterator[Chunk]:
        nonlocal there
        for chunk in found:
            counts = statuses(where.read(chunk.name)) if chunk.name in names else None
            if counts is None:
                yield chunk
                continue
            total.update(counts)
            there += 1
            for _ in chunk.payloads:
                watch.step()

    for chunk, counts, data in maker.parts(missing()):
        if data is not None:
            where.write(chunk.name, data)
        total.update(counts)
        written += 1
        for _ in chunk.payloads:
            watch.step()
    return Tally(dict(sorted(total.items())), written, there)

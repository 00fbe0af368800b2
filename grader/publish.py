"""The folder of a class: a page for each student, an index, the page of the class and results.json, made from the store
beside them.

Only what changed since is written again.
"""

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from json import dumps
from pathlib import Path
from typing import Any, Protocol, TypeVar

import grader
from grader.bulk import Watch
from grader.errors import SubmissionError
from grader.pool import Failed
from grader.reports.files import write_atomically, write_pieces
from grader.reports.index import Entry, entry
from grader.reports.names import file_stem
from grader.reports.overrides import PLAIN, Overrides, of_course
from grader.reports.render import write_index
from grader.results import Reveal
from grader.store import Journal
from grader.store.runs import Run
from grader.values import frozen

T = TypeVar("T")

RESULTS = "results.json"
_AT_ONCE = 10  # students in one message to a worker
_TEMPORARY = re.compile(r"\..{1,60}\.[0-9a-f]{8}\.tmp")


@frozen(kw_only=True)
class Form:
    """How pages are made: in which formats, showing how much, under which title."""

    formats: tuple[str, ...]
    reveal: Reveal
    title: str
    overrides: Overrides = PLAIN


def form_of(run: Run, formats: Sequence[str]) -> Form:
    """How the pages of a run are made, with its course's own templates as they are now; SpecError if they are wrong."""
    overrides = of_course(Path(run.folder), run.outline.templates)
    if overrides.sources:
        from grader.reports.sandbox import check

        check(overrides)
    return Form(formats=tuple(formats), reveal=Reveal(run.reveal), title=run.title, overrides=overrides)


class Workers(Protocol):
    """What makes pages: a `grader.pool.Pool`, or `Here`."""

    def run(self, items: Iterable[tuple[T, Mapping[str, Any]]], *, idle: Callable[[], None]) -> Iterator[tuple[T, Any]]:
        """Each item with what became of it."""


class Here:
    """Makes pages in this process, for the few that one change by hand concerns."""

    def run(
        self,
        items: Iterable[tuple[T, Mapping[str, Any]]],
        *,
        idle: Callable[[], None],  # noqa: ARG002
    ) -> Iterator[tuple[T, Any]]:
        """Each item with what became of it."""
        from grader.worker import pages

        for item, message in items:
            yield item, pages({**message["pages"], "identity": list(message["pages"]["identity"])})


def sweep(folder: Path) -> None:
    """Remove what a run that was killed left half written."""
    for path in folder.iterdir() if folder.is_dir() else ():
        if _TEMPORARY.fullmatch(path.name):
            path.unlink(missing_ok=True)


def publish(journal: Journal, folder: Path, form: Form, workers: Workers, watch: Watch) -> None:
    """Write the pages whose students' results changed, and then the index and results.json."""
    stamps = dict(_stamps(journal, form))
    kept = dict(journal.db.execute("select file, stamp from page"))
    there = set(os.listdir(folder))
    old = [student for student, stamp in stamps.items() if not _is_there(student, stamp, form, kept, there)]
    identity = _identity(folder)
    watch.begin("Pages", len(old))
    for students, found in workers.run(_messages(journal, folder, form, old), idle=journal.commit):
        if isinstance(found, Failed):
            raise SubmissionError(str(folder), f"the pages of {', '.join(students)} can't be made ({found.reason})")
        if found.get("error"):
            raise SubmissionError(str(folder), found["error"])
        journal.keep_pages((name, stamps[student]) for student in students for name in _names(student, form))
        for _ in students:
            watch.step()
    journal.commit()
    enrolled = journal.db.execute("select id, name from student order by id").fetchall()
    whole = blake2b(
        repr((sorted(stamps.items()), enrolled)).encode("utf-8", "surrogatepass"), digest_size=16
    ).hexdigest()
    made = {RESULTS, *(f"index.{ending}" for ending in form.formats), *(["class.html"] * ("html" in form.formats))}
    if kept.get(RESULTS) != whole or not made <= there:
        if _identity(folder) != identity:
            raise SubmissionError(str(folder), "the folder was exchanged while it was written")
        ours = _write_class(journal, folder, form)
        here = _files(stamps, form).union(ours)
        _remove(journal, folder, [f for f in kept if f not in here and f.rpartition(".")[2] in form.formats])
        write_pieces(folder / RESULTS, results_json(journal))
        journal.keep_pages((name, whole) for name in (*ours, RESULTS))
        journal.commit()


def _write_class(journal: Journal, folder: Path, form: Form) -> list[str]:
    """Write what is of the whole class, the index and the page with its statistics; the names of the files."""
    from grader.class_report import of_store
    from grader.reports.class_page import class_pages

    if "html" not in form.formats:
        return _write_index(folder, entries(journal), form)
    shown = of_store(journal, name=".", pages=True, beside=True)
    pages = class_pages(shown)
    for name, text in pages.items():
        write_atomically(folder / name, text, lasting=False)
    return [*_write_index(folder, shown.entries, form), *pages]


def _write_index(folder: Path, rows: Iterable[Entry], form: Form) -> list[str]:
    title, version = form.title, grader.__version__
    written = write_index(folder, rows, form.formats, title=title, grader=version, overrides=form.overrides)
    return [path.name for path in written]


def _files(students: Iterable[str], form: Form) -> set[str]:
    return {RESULTS, *(name for student in students for name in _names(student, form))}


def _remove(journal: Journal, folder: Path, files: Sequence[str]) -> None:
    """Remove the pages of those of whom nothing counts any more, such as a name that the roster changed, and further
    pages of a class that has become smaller."""
    for file in files:
        (folder / Path(file).name).unlink(missing_ok=True)
    journal.drop_pages(files)


def refresh(journal: Journal, workers: Workers, watch: Watch) -> bool:
    """Write again what changed of the pages that stand beside the store; whether there are any."""
    if journal.path is None:
        return False
    folder, run = journal.path.resolve().parent, journal.run()
    kept = {Path(file).suffix[1:] for (file,) in journal.db.execute("select file from page")}
    formats = tuple(sorted(form for form in kept if (folder / f"index.{form}").exists()))
    if formats:
        sweep(folder)
        publish(journal, folder, form_of(run, formats), workers, watch)
    return bool(formats)


def entries(journal: Journal) -> Iterator[Entry]:
    """The rows of the index, one a student."""
    for _, result, attempts in journal.totals():
        yield entry(result, page=file_stem(result.student), attempts=attempts)


def results_json(journal: Journal) -> Iterator[str]:
    """The results of all submissions as one JSON document (see `Gradebook`), piece by piece."""
    run = journal.run()
    yield f'{{\n "course": {dumps(run.course)},\n "grader": {dumps(run.grader)},\n "results": ['
    between = ""
    for text in journal.texts():
        yield f"{between}\n  " + text.replace("\n", "\n  ")
        between = ","
    end = "\n ]" if between else "]"
    yield f'{end},\n "schema": 1,\n "title": {dumps(run.title)}\n}}\n'


def _identity(folder: Path) -> tuple[int, int]:
    found = os.lstat(folder)
    return found.st_dev, found.st_ino


def _names(student: str, form: Form) -> list[str]:
    return [f"{file_stem(student)}.{ending}" for ending in form.formats]


def _is_there(student: str, stamp: str, form: Form, kept: dict[str, str], there: set[str]) -> bool:
    return all(kept.get(name) == stamp and name in there for name in _names(student, form))


def _messages(
    journal: Journal, folder: Path, form: Form, students: Sequence[str]
) -> Iterator[tuple[Sequence[str], dict[str, Any]]]:
    store = str(journal.path.resolve()) if journal.path else ""  # workers are in another folder
    shared = {
        "store": store,
        "folder": str(folder),
        "formats": form.formats,
        "reveal": str(form.reveal),
        "title": form.title,
        "templates": (form.overrides.folder, form.overrides.digest),
        "identity": _identity(folder),
    }
    for start in range(0, len(students), _AT_ONCE):
        some = students[start : start + _AT_ONCE]
        yield some, {"pages": {**shared, "students": some}}


def _stamps(journal: Journal, form: Form) -> Iterable[tuple[str, str]]:
    """What each student's page shows, in short."""
    shared = f"{grader.__version__} {form.reveal} {form.title} {form.overrides.digest}"
    rows = journal.db.execute(
        "select g.*, s.result, s.source, (select group_concat(o.exercise || o.part || o.points || o.why || o.by) "
        "from override o where o.student = g.student) from grade g join submission s on s.id = g.submission"
    )
    for row in rows:
        text = f"{shared} {row!r}".encode("utf-8", "surrogatepass")
        yield row[0], blake2b(text, digest_size=16).hexdigest()

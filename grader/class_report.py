"""The report of a whole class, from its store or from a `results.json`."""

from collections.abc import Iterator
from pathlib import Path

from grader.analysis.sitting import columns_of, from_gradebook
from grader.analysis.summary import analyse
from grader.flags import Flag, by_row, flags
from grader.reports.class_page import Class
from grader.reports.index import entry
from grader.reports.names import file_stem
from grader.reports.overrides import of_course
from grader.results import Gradebook
from grader.store import Store
from grader.store.sittings import sittings


def of_store(store: Store, *, name: str, pages: bool, beside: bool = False) -> Class:
    """The class in a store. `name` is what commands call it; `pages` and `beside` say whether the pages of students,
    and the index, stand beside this one."""
    run, totals = store.run(), tuple(store.totals())
    return Class(
        title=run.title or run.course,
        grader=run.grader,
        analysis=analyse(tuple(sittings(store, totals)), run.outline.columns),
        entries=tuple(
            entry(result, page=file_stem(result.student) if pages else "", attempts=attempts)
            for _, result, attempts in totals
        ),
        flags=tuple(_flags(flags(store, totals=totals))),
        store=name,
        beside=beside,
        overrides=of_course(Path(run.folder), run.outline.templates),
    )


def of_gradebook(book: Gradebook) -> Class:
    """The class in a gradebook: the submissions that count."""
    counting = [result for result in book.results if result.counts]
    return Class(
        title=book.title or book.course,
        grader=book.grader,
        analysis=analyse(tuple(from_gradebook(book)), columns_of(book)),
        entries=tuple(map(entry, counting)),
        flags=tuple(_flags(by_row([(result, 1) for result in counting]))),
    )


def _flags(found: Iterator[Flag]) -> Iterator[tuple[str, str, str]]:
    return ((flag.kind, flag.student, flag.what) for flag in found)

"""Reports for people: one page a student, as HTML, Markdown or plain text, and an index of many."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from grader.reports.environment import fill
from grader.reports.overrides import PLAIN, Overrides
from grader.results import Gradebook, Result

if TYPE_CHECKING:
    from grader.reports.index import Entry


def render(
    result: Result, form: str, *, course_title: str = "", colour: bool = False, overrides: Overrides = PLAIN
) -> str:
    """One submission's report in the form "txt", "md" or "html"; shows what is in `result` and nothing else.

    Hide what a student may not see first (`grader.reveal.student_view`). `colour` adds ANSI colours to the verdicts of
    a "txt" report, which is at most 80 columns wide. Parts that were drawn before are remembered, a bounded number.
    SpecError, with file and line, if one of a course's own templates (`overrides`) fails.
    """
    return fill(f"result.{form}", form, overrides, result=result, course=course_title, colour=colour)


def page(result: Result, form: str, course_title: str = "", overrides: Overrides = PLAIN) -> str:
    """The same without colours, for those who make many."""
    return render(result, form, course_title=course_title, overrides=overrides)


def render_summary(gradebook: Gradebook, form: str) -> str:
    """A table of all submissions; as plain text, of more than a few those that a person must look at."""
    from grader.reports.index import entry, whole_index

    entries = [entry(result) for result in gradebook.results]
    return whole_index(entries, form, title=gradebook.title or gradebook.course, grader=gradebook.grader)


def write_page(
    folder: Path,
    stem: str,
    result: Result,
    formats: Iterable[str],
    *,
    course_title: str,
    overrides: Overrides = PLAIN,
) -> list[Path]:
    """Write one submission's page in each form as `stem.form`; the paths."""
    return _written(folder, {f"{stem}.{form}": page(result, form, course_title, overrides) for form in formats})


def write_index(
    folder: Path,
    entries: Iterable["Entry"],
    formats: Iterable[str],
    *,
    title: str,
    grader: str,
    overrides: Overrides = PLAIN,
) -> list[Path]:
    """Write the index in each form; the paths. The rows are small: see `grader.reports.index.entry`."""
    from grader.reports.index import index_pages

    rows = tuple(entries)
    texts: dict[str, str] = {}
    for form in formats:
        texts |= index_pages(rows, form, title=title, grader=grader, overrides=overrides)
    return _written(folder, texts)


def _written(folder: Path, texts: Mapping[str, str]) -> list[Path]:
    from grader.reports.files import write_atomically

    for name, text in texts.items():
        write_atomically(folder / name, text, lasting=False)
    return [folder / name for name in texts]

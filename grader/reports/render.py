"""Reports for people: one page a student, as HTML, Markdown or plain text, and a summary of many."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from grader.reports.environment import environment
from grader.results import Gradebook, Result, to_json


def render(result: Result, form: str, *, course_title: str = "", colour: bool = False) -> str:
    """One submission's report in the form "txt", "md" or "html"; shows what is in `result` and nothing else.

    Hide what a student may not see first (`grader.reveal.student_view`). `colour` adds ANSI colours to the verdicts of
    a "txt" report, which is at most 80 columns wide.
    """
    return environment(form).get_template(f"result.{form}").render(result=result, course=course_title, colour=colour)


def render_summary(gradebook: Gradebook, form: str, *, links: Iterable[str] = ()) -> str:
    """A table of all submissions; `links` are the addresses of their pages, in the same order."""
    addresses = list(links) or [""] * len(gradebook.results)
    pairs = list(zip(gradebook.results, addresses, strict=True))
    return environment(form).get_template(f"summary.{form}").render(book=gradebook, pairs=pairs)


def write_reports(
    gradebook: Gradebook,
    folder: Path,
    formats: Iterable[str] = ("html", "md"),
    *,
    record: Gradebook | None = None,
) -> list[Path]:
    """Write a file for each submission and form, an index for each form and results.json; the paths, in that order.

    `record` is what goes to the staff, into the index and results.json: the full gradebook where `gradebook` is what
    students may see. Each file is written as a whole or not at all. OSError if the folder can't be written.
    """
    from json import dumps
    from urllib.parse import quote

    from grader.reports.names import file_stems

    record = record or gradebook
    folder.mkdir(parents=True, exist_ok=True)
    stems = file_stems(tuple(result.student or result.source for result in gradebook.results))
    texts: dict[str, str] = {}
    for form in formats:
        for stem, result in zip(stems, gradebook.results, strict=True):
            texts[f"{stem}.{form}"] = render(result, form, course_title=gradebook.title or gradebook.course)
        links = [quote(f"{stem}.{form}") for stem in stems]
        texts[f"index.{form}"] = render_summary(record, form, links=links)
    texts["results.json"] = dumps(to_json(record), indent=1) + "\n"
    return _written(folder, texts)


def _written(folder: Path, texts: Mapping[str, str]) -> list[Path]:
    from grader.reports.files import write_atomically

    for name, text in texts.items():
        write_atomically(folder / name, text)
    return [folder / name for name in texts]

"""A course's own templates: read here, checked and run in a sandbox by `grader.reports.sandbox`."""

import hashlib
import os
from collections.abc import Mapping
from dataclasses import field
from pathlib import Path

from grader.errors import Fault, SpecError, SubmissionError, did_you_mean
from grader.files import read_text
from grader.values import frozen

# base.html is not among them: it holds the policy that keeps scripts and the network out of pages
NAMES = (
    "result.html", "part.html", "plot.html", "line.html", "icons.html", "style.css", "summary.html",
    "result.md", "part.md", "summary.md", "result.txt", "part.txt", "summary.txt",
)  # fmt: skip


@frozen
class Overrides:
    """The templates of one folder by name, in place of the package's; equal if folder and `digest` are."""

    folder: str = ""
    sources: Mapping[str, str] = field(default_factory=dict, compare=False)
    digest: str = ""

    def __hash__(self) -> int:
        return hash((self.folder, self.digest))

    def file(self, name: str) -> str:
        """Where a template is, for messages."""
        return os.path.join(self.folder, name)


PLAIN = Overrides()


def read_overrides(folder: Path | None) -> Overrides:
    """The templates of a folder; none without one. SpecError for what is no template, with all such files."""
    if folder is None:
        return PLAIN
    try:
        files = sorted(name for name in os.listdir(folder) if not name.startswith("."))
    except OSError as error:
        raise SpecError([Fault(str(folder), None, "templates", error.strerror or str(error))]) from None
    faults: list[Fault] = []
    sources = {name: text for name in files if (text := _read(folder / name, faults)) is not None}
    if faults:
        raise SpecError(faults)
    digest = hashlib.sha256(repr(sorted(sources.items())).encode()).hexdigest()
    return Overrides(str(folder), sources, digest)


def of_course(folder: Path, templates: str) -> Overrides:
    """The templates of a course, by the folder that its `templates:` names within its own."""
    return read_overrides(folder / templates if templates else None)


def _read(path: Path, faults: list[Fault]) -> str | None:
    if path.name not in NAMES:
        close = did_you_mean(path.name, NAMES)
        mend = f"did you mean {close}?" if close else f"there are {', '.join(NAMES)}"
        faults.append(Fault(str(path), None, "", f"no template has this name; {mend}"))
        return None
    try:
        return read_text(path, str(path))
    except SubmissionError as error:
        faults.append(error.fault)
        return None

"""The workflow commands of GitHub Actions: lines of a job's log that the runner acts on.

The runner trims a line, takes `::name properties::message` at its beginning, and the older `##[name]` anywhere in it.
"""

import os
from collections.abc import Callable, Iterator

from grader.reports.markup import terminal
from grader.values import frozen

MOST = 10  # annotations of a kind that one step may have
LONGEST = 4096  # characters of a message; the runner cuts what is longer


@frozen(kw_only=True)
class Annotation:
    """A message at a place in a file. `kind` is "error", "warning" or "notice"; `file` is relative to the workspace."""

    kind: str
    title: str
    message: str
    file: str = ""
    line: int | None = None

    def __str__(self) -> str:
        place = {"file": self.file, "line": self.line if self.file else None, "title": _plain(self.title)}
        written = ",".join(f"{name}={escaped_property(str(value))}" for name, value in place.items() if value)
        return f"::{self.kind} {written}::{escaped_data(_plain(self.message)[:LONGEST])}"


def escaped_data(text: str) -> str:
    """A text as the message of a command."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def escaped_property(text: str) -> str:
    """A text as the value of a property of a command."""
    return escaped_data(text).replace(":", "%3A").replace(",", "%2C")


def _plain(text: str) -> str:
    """The text without control characters and without what looks like a command; its line breaks stay."""
    return "\n".join(map(terminal, text.split("\n")))


def inert(text: str) -> str:
    """A printed text of which no line can be a command."""
    return _plain(text.removesuffix("\n"))


def quoted(text: str) -> Iterator[str]:
    """The text between commands that have the runner take none of it for one, under a name that nobody can guess."""
    token = os.urandom(16).hex()
    yield f"::stop-commands::{token}"
    yield text
    yield f"::{token}::"


def told(annotations: list[Annotation], say: Callable[[str], None]) -> None:
    """Print the annotations that a step may have, the first ones of each kind."""
    for kind in ("error", "warning", "notice"):
        for annotation in [each for each in annotations if each.kind == kind][:MOST]:
            say(str(annotation))

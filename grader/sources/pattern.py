"""Submissions named by a rule of the instructor's own: a regular expression with named groups.

It must match the whole path of a file or a folder below what was given, parts joined by `/`, or its last part. The
groups: `student` (or `name` where there is no other key), `name`, `late` (late if it matches anything), `attempt` (a
number), and `file`, which is what the file is called by the student. What doesn't match is left out. The expression is
the instructor's: one that takes for ever on a name is not stopped, but only names of up to 500 characters are tried.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import ClassVar

from grader.errors import SubmissionError
from grader.sources.candidate import Candidate, of_choice, of_folder
from grader.sources.choosing import choose
from grader.sources.place import Claim, Place
from grader.sources.tree import MOST_LEVELS, Contents, Directory, File

_GROUPS = {"student", "name", "late", "file", "attempt"}
_LONGEST = 500


class Pattern:
    """Submissions whose names match an expression; it takes all of a place, and nothing without an expression."""

    order: ClassVar[int] = 0

    def __init__(self, expression: str | None = None) -> None:
        self._expression = compiled(expression) if expression is not None else None

    def claim(self, place: Place) -> Claim | None:
        """All files and folders whose names match, one candidate a student and attempt."""
        if self._expression is None:
            return None
        return Claim(_Collected(self._expression, place).candidates(), Contents())


def compiled(expression: str) -> re.Pattern[str]:
    """The expression; SubmissionError if it is none, or has not the groups that are needed."""
    try:
        pattern = re.compile(expression)
    except (re.error, RecursionError, OverflowError) as error:
        raise SubmissionError("--pattern", f"this is no regular expression: {error}") from None
    unknown = set(pattern.groupindex) - _GROUPS
    if unknown:
        raise SubmissionError("--pattern", f"unknown group {', '.join(sorted(unknown))}; {', '.join(sorted(_GROUPS))}")
    if not {"student", "name"} & set(pattern.groupindex):
        raise SubmissionError("--pattern", "a group (?P<student>...) is needed")
    return pattern


class _Collected:
    """What matches, by student and attempt."""

    def __init__(self, expression: re.Pattern[str], place: Place) -> None:
        self._expression, self._place = expression, place
        self._files: dict[tuple[str, int | None], list[tuple[dict[str, str], File]]] = {}

    def candidates(self) -> Iterator[Candidate]:
        """Folders as they are met, then the files."""
        yield from self._walk(self._place.contents, "", 0)
        for key in sorted(self._files, key=str):
            groups = [groups for groups, _ in self._files[key]]
            files = [file for _, file in self._files[key]]
            merged = {name: text for each in reversed(groups) for name, text in each.items() if text}
            choice = choose(files, self._place.latest)
            fault = next((file.fault for file in files if file.fault), "")
            yield of_choice(choice, self._blank(merged, files[0].source), fault)

    def _walk(self, contents: Contents, above: str, level: int) -> Iterator[Candidate]:
        for file in contents.files:
            groups = self._match(above, file.name)
            if groups is not None:
                key = (_key(groups), _number(groups))
                self._files.setdefault(key, []).append((groups, file.called(groups.get("file") or file.name)))
        for folder in contents.folders:
            groups = self._match(above, folder.name)
            if groups is not None:
                yield of_folder(folder, self._blank(groups, folder.source))
            elif level >= MOST_LEVELS:
                raise SubmissionError(folder.source, f"folders are nested more than {MOST_LEVELS} levels deep")
            else:
                yield from self._walk(_listed(folder), f"{above}{folder.name}/", level + 1)

    def _match(self, above: str, name: str) -> dict[str, str] | None:
        for text in (above + name, name):
            if len(text) <= _LONGEST and (match := self._expression.fullmatch(text)):
                groups = {key: value or "" for key, value in match.groupdict().items()}
                if _key(groups):
                    return groups
        return None

    def _blank(self, groups: dict[str, str], source: str) -> Candidate:
        return replace(
            self._place.blank("pattern"),
            source=source,
            key=_key(groups),
            named=True,
            name=groups.get("name", "").strip(),
            late=bool(groups.get("late")),
            attempt=_number(groups),
        )


def _key(groups: dict[str, str]) -> str:
    return (groups.get("student") or groups.get("name") or "").strip()


def _number(groups: dict[str, str]) -> int | None:
    text = groups.get("attempt", "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None


def _listed(folder: Directory) -> Contents:
    try:
        return folder.list()
    except OSError:
        return Contents()

"""Files of a clone against those of the template: what could change how work is graded, not the work itself.

Compared are all files of the template but the answers, the README and git's own; looked for are workflows and the like
that the template lacks. Nothing is run, and links are not followed.
"""

import os
from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path

from grader.errors import GraderError, SubmissionError
from grader.files import read_bytes, shown
from grader.sources.names import belongs, is_answers, is_table, stem
from grader.sources.tree import clean

_LIMIT = 4 << 20  # bytes of one file
_MOST_FILES = 50_000
_WATCHED = (".github/", "course/")  # where whatever is added may act
_WATCHED_FILES = ("action.yml", "action.yaml", ".gitlab-ci.yml")
_OWN = (".gitignore", ".gitattributes", ".gitkeep", "license", "license.md")


def template(folder: Path) -> Mapping[str, str]:
    """The digests of the files that clones must have, by path; GraderError for a folder without any file."""
    if not folder.is_dir():
        raise GraderError(f"{shown(str(folder))}: there is no such folder")
    found = dict(files(folder))
    if not found:
        raise GraderError(f"{shown(str(folder))}: there is no file in this template")
    return {path: digest(place) for path, place in found.items() if not _is_students(path)}


def differences(folder: Path, wanted: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """What differs in a clone, as pairs of a path and `changed`, `missing`, `added` or why it can't be compared."""
    try:
        there = dict(files(folder))
    except SubmissionError as error:
        return ((".", error.fault.what),)
    found = [(path, _compared(there.get(path), digest_wanted)) for path, digest_wanted in wanted.items()]
    found += [(path, "added") for path in there if path not in wanted and _acts(path)]
    return tuple(sorted((path, what) for path, what in found if what))


def files(folder: Path) -> Iterator[tuple[str, Path]]:
    """All files below a folder with their paths, git's own excepted; SubmissionError if there are too many."""
    waiting, count = [(folder, "")], 0
    while waiting:
        above, before = waiting.pop()
        with os.scandir(above) as entries:
            for entry in entries:
                count += 1
                if count > _MOST_FILES:
                    raise SubmissionError(shown(folder.name), f"more than {_MOST_FILES:,} files")
                path = f"{before}{clean(entry.name)}"
                if entry.is_dir(follow_symlinks=False):
                    if entry.name != ".git":
                        waiting.append((Path(entry.path), f"{path}/"))
                else:
                    yield path, Path(entry.path)


def digest(path: Path) -> str:
    """The SHA-256 of a file with its line ends made LF; SubmissionError for anything but a file of moderate size."""
    return sha256(read_bytes(path, shown(path.name), _LIMIT).replace(b"\r\n", b"\n")).hexdigest()


def _compared(place: Path | None, wanted: str) -> str:
    if place is None:
        return "missing"
    try:
        return "" if digest(place) == wanted else "changed"
    except SubmissionError as error:
        return error.fault.what


def _is_students(path: str) -> bool:
    """Whether a file of the template is there to be changed."""
    name = path.rpartition("/")[2]
    answers = is_answers(name) or (is_table(name) and belongs(stem(name), "answers"))
    return (answers or name.lower().startswith("readme") or name.lower() in _OWN) and not _acts(path)


def _acts(path: str) -> bool:
    return f"{path.lower()}/".startswith(_WATCHED) or path.lower() in _WATCHED_FILES

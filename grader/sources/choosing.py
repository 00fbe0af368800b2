"""Which of a student's files holds the answers, and which tables lie beside it."""

from collections.abc import Iterable, Sequence

from grader.errors import SubmissionError
from grader.files import shown
from grader.sources.names import is_table, number, plain, rank
from grader.sources.tree import MOST_LEVELS, Contents, Directory, File
from grader.values import frozen

MOST_OWN = 5_000  # entries of one student's folders that are looked at for a file called answers

_HEAD = 4096


@frozen
class Choice:
    """The file of answers and the tables beside it. No files: there is none; several: not clear which one counts."""

    files: tuple[File, ...] = ()
    attachments: tuple[File, ...] = ()
    remarks: tuple[str, ...] = ()


def choose(files: Sequence[File], latest: bool = False) -> Choice:
    """The file of answers among those in one folder: the best names count, see `names.rank`.

    With `latest`, of several the one with the highest number in its name counts, else the newest.
    """
    ranked = [(place, file) for file in files if (place := rank(file.name)) is not None]
    if not ranked:
        return Choice()
    best = min(place for place, _ in ranked)
    found = [file for place, file in ranked if place == best]
    if best == 0:
        found += [file for place, file in ranked if place == 1 and holds_answers(file)]
    if best == 4 and len(found) > 1:
        found = [file for file in found if holds_answers(file)] or found
    chosen, remarks = _latest(found) if latest and len(found) > 1 else (found, [])
    tables = [file for file in files if is_table(file.name) and file not in chosen and best < 5]
    return Choice(tuple(chosen), tuple(tables), tuple(remarks))


def search(directory: Directory, latest: bool = False) -> Choice:
    """The file of answers anywhere in a student's own folder: one called answers, the uppermost first, else another.

    OSError if the folder can't be looked at.
    """
    levels = list(_levels(directory))
    for best in (range(2), range(2, 7)):
        for files in levels:
            if any(rank(file.name) in best for file in files):
                choice = choose(files, latest)
                homes = {_home(file) for file in choice.files}
                beside = tuple(file for file in choice.attachments if _home(file) in homes)
                return Choice(choice.files, beside, choice.remarks)
    return Choice()


def holds_answers(file: File) -> bool:
    """Whether a table has the columns of answers, `part` and `response`."""
    head = header(file).lower()
    return "part" in head and any(word in head for word in ("response", "answer"))


def header(file: File) -> str:
    """The first line of a table, "" if it can't be read."""
    try:
        with file.opened() as stream:
            data = stream.read(_HEAD)
    except (SubmissionError, OSError):
        return ""
    encoding = "utf-16" if data.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig"
    lines = data.decode(encoding, "replace").splitlines()
    return lines[0] if lines else ""


def listed_names(files: Iterable[File]) -> str:
    """The names of files in a sentence, with their folders where the names alone are the same."""
    files = list(files)
    names = [shown(file.name) for file in files]
    if len(set(names)) < len(names):
        names = [shown("/".join(file.source.rsplit("/", 2)[-2:])) for file in files]
    return " and ".join(names[:10]) + (f" and {len(names) - 10} more" if len(names) > 10 else "")


def _levels(directory: Directory) -> Iterable[list[File]]:
    """The files of the folder, then those one level below, and so on, within bounds."""
    level, seen = [directory], 0
    for depth in range(MOST_LEVELS):
        contents = [folder.list() if depth == 0 else _below(folder) for folder in level]
        yield [file for each in contents for file in each.files]
        seen += sum(len(each.files) + len(each.folders) for each in contents)
        level = [folder for each in contents for folder in each.folders]
        if not level or seen > MOST_OWN:
            return


def _below(folder: Directory) -> Contents:
    try:
        return folder.list()
    except OSError:
        return Contents()


def _home(file: File) -> str:
    return file.source.rpartition("/")[0]


def _latest(files: list[File]) -> tuple[list[File], list[str]]:
    highest = max(number(file.name) for file in files)
    newest = [file for file in files if number(file.name) == highest]
    if len(newest) > 1:
        times = [file.time for file in newest]
        last = max((time for time in times if time is not None), default=None)
        newest = [file for file, time in zip(newest, times, strict=True) if time == last and None not in times]
    if len(newest) != 1:
        return files, []
    others = listed_names(file for file in files if file is not newest[0])
    return newest, [f"{shown(plain(newest[0].name))} counts as the latest, not {others}"]

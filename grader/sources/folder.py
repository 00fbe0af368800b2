"""Submissions in files and folders on disk.

A file is one submission. A folder that holds answers.yaml (.yml, .json) is one, named after the folder; in any other
folder each subfolder is one, and so is each other YAML or JSON file directly in the folder that was given.
"""

import os
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from grader.errors import SubmissionError
from grader.files import read_content, read_text, shown
from grader.results import Status
from grader.submission import Submission, read_answers
from grader.values import frozen

MOST_ENTRIES = 200_000
MOST_LEVELS = 16
MOST_ATTACHMENTS = 20

_NOTHING = "this folder holds no submission: neither an answers.yaml, .yml or .json, nor folders"
_LINK = "this is a link to a folder; links are not followed"
_ENDINGS = (".yaml", ".yml", ".json")
_IGNORED = {"__macosx", "node_modules"}  # beside what is hidden
_NOT_ANSWERS = {"results.json", "course.yaml", "mistakes.yaml", "package.json"}


@frozen(kw_only=True)
class Candidate:
    """Where one submission may be. No `files`: nothing was handed in; several: not clear which one counts.

    `named` says that `student` is the name of the student's own folder, which wins over what the file says.
    """

    student: str
    source: str
    files: tuple[Path, ...] = ()
    attachments: tuple[Path, ...] = ()
    named: bool = False
    message: str = ""


def find(paths: Iterable[Path]) -> tuple[Candidate, ...]:
    """All candidates under the paths, sorted by student; none is opened. Links are not followed.

    SubmissionError if a path doesn't exist or holds no submission, or if there is too much to walk through.
    """
    walk = _Walk()
    found: dict[str, Candidate] = {}
    for path in paths:
        candidates = tuple(walk.start(path))
        if not candidates:
            raise SubmissionError(shown(str(path)), _NOTHING)
        for candidate in candidates:
            found.setdefault(candidate.source, candidate)
    return tuple(sorted(found.values(), key=lambda candidate: (candidate.student, candidate.source)))


def load(candidate: Candidate) -> Submission:
    """The submission that the candidate holds; never raises: what can't be read has a status and a message."""
    blank = Submission(student=candidate.student, source=candidate.source)
    if candidate.message:
        return replace(blank, status=Status.UNREADABLE, message=candidate.message)
    if not candidate.files:
        return replace(blank, status=Status.MISSING, message="there is no file of answers in this folder")
    if len(candidate.files) > 1:
        names = " and ".join(shown(path.name) for path in candidate.files)
        return replace(blank, status=Status.DUPLICATE, message=f"not clear which file counts: {names}")
    path = candidate.files[0]
    try:
        content = read_content(path)
        answers = read_answers(content, shown(path.name))
    except SubmissionError as error:
        return replace(blank, status=Status.UNREADABLE, message=str(error))
    if answers.empty:
        return replace(blank, status=Status.MISSING, message=f"{shown(path.name)} is empty", digest=content.digest)
    attachments, refused = _attached(candidate.attachments)
    student = candidate.student if candidate.named else answers.student or candidate.student
    return replace(
        blank,
        student=student,
        responses=answers.responses,
        remarks=tuple(dict.fromkeys((*_mismatch(student, answers.student), *answers.remarks, *refused))),
        attachments=attachments,
        digest=content.digest,
    )


def mark_duplicates(submissions: Sequence[Submission]) -> tuple[Submission, ...]:
    """The submissions sorted by student; those of one student handed in twice are not graded, and each says so.

    Names that only look the same (another Unicode form, upper and lower case) get a remark.
    """
    ordered = sorted(submissions, key=lambda submission: (submission.student, submission.source))
    sources: dict[str, list[str]] = {}
    alike: dict[str, set[str]] = {}
    for submission in ordered:
        sources.setdefault(submission.student, []).append(submission.source)
        alike.setdefault(_folded(submission.student), set()).add(submission.student)
    return tuple(_marked(s, sources[s.student], alike[_folded(s.student)] - {s.student}) for s in ordered)


def _marked(submission: Submission, sources: list[str], others: set[str]) -> Submission:
    remarks = [f"possibly the same student as {shown(other)!r}" for other in sorted(others)]
    if len(sources) > 1:
        remarks.append(f"{submission.student} handed in {len(sources)} times: {' and '.join(sources)}")
    marked = replace(submission, remarks=(*submission.remarks, *remarks))
    if len(sources) == 1 or submission.status != Status.GRADED:
        return marked
    return replace(marked, status=Status.DUPLICATE, message=remarks[-1], responses=())


def _folded(name: str) -> str:
    return unicodedata.normalize("NFKC", name).casefold()


def _mismatch(student: str, stated: str | None) -> list[str]:
    return (
        [f"the folder is named {shown(student)}, the file says {shown(stated)}"] if stated and stated != student else []
    )


def _attached(paths: tuple[Path, ...]) -> tuple[Mapping[str, str], list[str]]:
    texts, refused = {}, []
    for path in paths[:MOST_ATTACHMENTS]:
        try:
            texts[_name(path.name)] = read_text(path)
        except SubmissionError as error:
            refused.append(str(error))
    if len(paths) > MOST_ATTACHMENTS:
        refused.append(f"only the first {MOST_ATTACHMENTS} tables beside the answers are read")
    return texts, refused


class _Walk:
    """A bounded walk through folders."""

    def __init__(self) -> None:
        self._left = MOST_ENTRIES

    def start(self, path: Path) -> Iterator[Candidate]:
        """The candidates at a path that somebody gave: here a link to a folder is what they meant."""
        if path.is_dir():
            yield from self._folder(path, _name(str(path)), 0)
        elif os.path.lexists(path):
            yield self._file(path, _name(str(path)))
        else:
            raise SubmissionError(shown(str(path)), "there is no such file or folder")

    def _file(self, path: Path, source: str) -> Candidate:
        """A file given by name: the folder is a student's own if the file has the name that answers have."""
        folder = Path(os.path.abspath(path)).parent
        own = _is_answers(path.name)
        files = self._files(folder)
        alone = own or not any(_may_be_answers(other) for other in files if other.name != path.name)
        tables = [p for p in files if _is_table(p.name) and (alone or _belongs(p.name, path.stem))]
        student = (folder.name if own else path.stem) or path.stem
        return Candidate(student=_name(student), source=source, files=(path,), attachments=tuple(tables))

    def _folder(self, folder: Path, source: str, level: int) -> Iterator[Candidate]:
        try:
            folders, files = self._list(folder)
        except OSError:
            yield self._own(folder, source, message="there is no permission to read the folder")
            return
        answers = [path for path in files if _is_answers(path.name)]
        others = [path for path in files if _may_be_answers(path)]
        if answers or (level and others) or (level and not folders):
            tables = tuple(path for path in files if _is_table(path.name))
            yield self._own(folder, source, tuple(answers or others), tables)
            return
        for path in others:
            alone = len(others) == 1
            tables = tuple(p for p in files if _is_table(p.name) and (alone or _belongs(p.name, path.stem)))
            yield Candidate(
                student=_name(path.stem), source=_join(source, path.name), files=(path,), attachments=tables
            )
        for path in files:
            if path.is_symlink() and path.is_dir():
                yield self._own(path, _join(source, path.name), message=_LINK)
        for path in folders:
            if level >= MOST_LEVELS:
                raise SubmissionError(source, f"folders are nested more than {MOST_LEVELS} levels deep")
            yield from self._folder(path, _join(source, path.name), level + 1)

    def _own(
        self, folder: Path, source: str, files: tuple[Path, ...] = (), tables: tuple[Path, ...] = (), message: str = ""
    ) -> Candidate:
        name = folder.name if folder.name not in ("", "..") else Path(os.path.abspath(folder)).name
        return Candidate(
            student=_name(name),
            source=_join(source, files[0].name) if len(files) == 1 else source,
            files=files,
            attachments=tables,
            named=True,
            message=message,
        )

    def _files(self, folder: Path) -> list[Path]:
        try:
            return self._list(folder)[1]
        except (OSError, SubmissionError):
            return []

    def _list(self, folder: Path) -> tuple[list[Path], list[Path]]:
        """The folders and the other entries, each sorted; hidden ones are left out."""
        folders: list[Path] = []
        files: list[Path] = []
        with os.scandir(folder) as entries:
            for entry in entries:
                self._left -= 1
                if self._left < 0:
                    raise SubmissionError(shown(folder.name), f"more than {MOST_ENTRIES:,} files and folders")
                if entry.name.startswith(".") or entry.name.lower() in _IGNORED:
                    continue
                path = folder / entry.name
                is_folder = entry.is_dir(follow_symlinks=False) and not _is_answers(entry.name)
                (folders if is_folder else files).append(path)
        return sorted(folders, key=lambda p: p.name), sorted(files, key=lambda p: p.name)


def _is_answers(name: str) -> bool:
    stem, ending = os.path.splitext(name.lower())
    return stem == "answers" and ending in _ENDINGS


def _may_be_answers(path: Path) -> bool:
    return path.suffix.lower() in _ENDINGS and path.name.lower() not in _NOT_ANSWERS


def _is_table(name: str) -> bool:
    return name.lower().endswith(".csv")


def _belongs(table: str, stem: str) -> bool:
    """Whether a table's name is the stem of the answers, or begins with it and a sign: s1.csv, s1_plot.csv."""
    rest = table[len(stem) :]
    return table.startswith(stem) and not rest[:1].isalnum()


def _join(source: str, name: str) -> str:
    return f"{source.rstrip('/')}/{_name(name)}" if source.rstrip("/") else _name(name)


def _name(name: str) -> str:
    """A name from the disk as text that can be encoded; bytes that are no text are escaped."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")

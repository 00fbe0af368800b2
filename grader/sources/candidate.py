"""Where one submission may be, and reading it into a Bundle."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from grader.bundle import Bundle
from grader.errors import SubmissionError
from grader.files import LIMIT, shown
from grader.results import Status
from grader.sources.choosing import Choice, listed_names, search
from grader.sources.names import is_other_archive, is_zip, plain
from grader.sources.tree import Directory, File, clean

MOST_ATTACHMENTS = 20

_CLOCK_LIMIT = 1 << 20
_NONE = "there is no file of answers in this folder"


@dataclass(frozen=True, slots=True, kw_only=True)  # made for every row of a table: its own functions run faster
class Candidate:
    """Where one submission may be; nothing of it is opened yet.

    The fields that `Bundle` has too mean the same. No `files`: nothing was handed in; several: not clear which one
    counts. `texts` are what was typed into a platform's form, which counts where no file was handed in. `clock` is a
    file that tells when it came in, and what reads it. `content` is that of a row of a table. With a `message` it
    can't be read.
    """

    source: str
    platform: str = "folder"
    key: str = ""
    named: bool = False
    name: str = ""
    members: tuple[str, ...] = ()
    attempt: int | None = None
    times: Mapping[str, str] = field(default_factory=dict)
    late: bool = False
    anonymous: bool = False
    files: tuple[File, ...] = ()
    attachments: tuple[File, ...] = ()
    texts: tuple[File, ...] = ()
    clock: tuple[File, Callable[[bytes], Mapping[str, str]]] | None = None
    latest: bool = False
    content: bytes = b""
    row: int | None = None
    message: str = ""
    remarks: tuple[str, ...] = ()

    @property
    def student(self) -> str:
        """How the source names the student."""
        return self.key

    def bundle(self) -> Bundle:
        """The submission's bytes; never raises: what can't be read has a status and a message."""
        return read(self)


def read(candidate: Candidate) -> Bundle:
    """The submission's bytes; never raises: what can't be read has a status and a message."""
    if candidate.row is not None and not candidate.message:
        return _row(candidate)
    try:
        return _read(_timed(candidate))
    except SubmissionError as error:
        return _blank(candidate, Status.UNREADABLE, str(error))
    except (OSError, MemoryError, RecursionError):
        return _blank(candidate, Status.UNREADABLE, "the files can't be read")


def of_choice(choice: Choice, blank: Candidate, fault: str = "") -> Candidate:
    """The candidate with the files that were chosen; `fault` is what is wrong with any entry of its folder."""
    return replace(
        blank,
        source=choice.files[0].source if len(choice.files) == 1 else blank.source,
        files=choice.files,
        attachments=choice.attachments,
        remarks=(*blank.remarks, *choice.remarks),
        message=fault or next((file.fault for file in choice.files if file.fault), ""),
    )


def of_folder(directory: Directory, blank: Candidate) -> Candidate:
    """The candidate whose own folder this is: its answers are looked for at any depth."""
    try:
        return of_choice(search(directory, blank.latest), blank, directory.fault)
    except OSError:
        return replace(blank, message="there is no permission to read the folder")


def _read(candidate: Candidate) -> Bundle:
    if candidate.message:
        return _blank(candidate, Status.UNREADABLE, candidate.message)
    if not candidate.files:
        return _typed(candidate)
    if len(candidate.files) > 1:
        return _blank(candidate, Status.DUPLICATE, f"not clear which file counts: {listed_names(candidate.files)}")
    file = candidate.files[0]
    if is_zip(file.name):
        return _inside(candidate, file)
    if is_other_archive(file.name):
        raise SubmissionError(shown(file.name), "archives of this kind are not opened: use a zip, or the file itself")
    attachments, refused = _attached(candidate.attachments)
    return replace(
        _blank(candidate),
        file=clean(plain(file.name)),
        content=file.read(LIMIT),
        attachments=attachments,
        remarks=(*candidate.remarks, *refused),
    )


def _row(candidate: Candidate) -> Bundle:
    """A row of a table, which is in memory already."""
    return Bundle(
        source=candidate.source,
        platform=candidate.platform,
        key=candidate.key,
        named=candidate.named,
        name=candidate.name,
        attempt=candidate.attempt,
        times=candidate.times,
        late=candidate.late,
        file="answers.json",
        content=candidate.content,
        row=candidate.row,
    )


def _inside(candidate: Candidate, file: File) -> Bundle:
    """The submission in a student's own archive."""
    from grader.sources.archive import student_archive

    archive = student_archive(file)
    try:
        found = of_folder(archive.root, replace(candidate, files=(), attachments=()))
        if any(is_zip(inner.name) for inner in found.files):
            raise SubmissionError(shown(file.name), "an archive inside an archive is not opened")
        bundle = _read(found)
    finally:
        archive.close()
    inside = bundle.status == Status.MISSING
    return replace(bundle, message="there is no file of answers in this archive") if inside else bundle


def _typed(candidate: Candidate) -> Bundle:
    """The submission typed into a platform's form, if it holds answers."""
    if not candidate.texts:
        return _blank(candidate, Status.MISSING, _NONE)
    from grader.sources.onlinetext import answers_in  # few hand in this way

    file = candidate.texts[0]
    found = answers_in(file.read(LIMIT), shown(file.name))
    if found is None:
        return _blank(candidate, Status.MISSING, f"there is no file of answers, and no answer in {shown(file.name)}")
    name, content = found
    return replace(_blank(candidate), source=file.source, file=name, content=content)


def _timed(candidate: Candidate) -> Candidate:
    if candidate.clock is None:
        return candidate
    file, times = candidate.clock
    try:
        return replace(candidate, times={**candidate.times, **times(file.read(_CLOCK_LIMIT))}, clock=None)
    except SubmissionError as error:
        return replace(candidate, remarks=(*candidate.remarks, f"when it came in is not known: {error}"), clock=None)


def _attached(files: tuple[File, ...]) -> tuple[dict[str, bytes], list[str]]:
    found: dict[str, bytes] = {}
    refused: list[str] = []
    for file in files[:MOST_ATTACHMENTS]:
        try:
            found[clean(file.name)] = file.read(LIMIT)
        except SubmissionError as error:
            refused.append(str(error))
    if len(files) > MOST_ATTACHMENTS:
        refused.append(f"only the first {MOST_ATTACHMENTS} tables beside the answers are read")
    return found, refused


def _blank(candidate: Candidate, status: Status = Status.GRADED, message: str = "") -> Bundle:
    return Bundle(
        source=candidate.source,
        platform=candidate.platform,
        key=candidate.key,
        named=candidate.named,
        name=candidate.name,
        members=candidate.members,
        attempt=candidate.attempt,
        times=candidate.times,
        late=candidate.late,
        row=candidate.row,
        remarks=candidate.remarks,
        status=status,
        message=message,
    )

"""What a student hands in: the file of answers as frozen values, every text as typed.

A broken line costs at most its own answer: its text is taken as it was plainly meant, or its response has a `fault`.
"""

import re
from collections.abc import Iterator
from collections.abc import Mapping as MappingABC
from dataclasses import dataclass, field, replace
from itertools import starmap
from typing import Any

from grader.bundle import Bundle
from grader.errors import SubmissionError
from grader.files import LIMIT, Content, bad_byte, decode, shown
from grader.formats import format_of, read_document
from grader.formats.document import Document
from grader.formats.json import read_plain
from grader.results import Status
from grader.values import frozen
from grader.yamltree import Entry, Mapping, Node, Sequence, Text

_TOO_LARGE = f"the file is larger than {LIMIT // 1024} KiB"
_CLEAR = ": clear the outputs and save it again"


# responses and submissions are made by the hundred thousand: functions of their own run faster than shared ones
@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """The text typed for one part ("" where nothing was), its line in the file, and what is wrong with the line.

    `exercise` is "" where the file gives a part without its exercise. With a `fault` the text can't be graded.
    """

    exercise: str
    part: str
    text: str
    line: int | None = None
    fault: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Submission:
    """One student's answers. `source` is the file as given, `attachments` are the texts of the files beside it by
    name, `digest` is the SHA-256 of all that was handed in, `times` are moments by clock (see `Bundle`). Without
    answers `status` and `message` say why."""

    student: str
    source: str
    responses: tuple[Response, ...] = ()
    status: Status = Status.GRADED
    message: str = ""
    remarks: tuple[str, ...] = ()
    attachments: MappingABC[str, str] = field(default_factory=dict)
    digest: str = ""
    name: str = ""
    key: str = ""
    platform: str = "folder"
    attempt: int | None = None
    times: MappingABC[str, str] = field(default_factory=dict)
    late: bool = False


@frozen(kw_only=True)
class AnswerFile:
    """What an answer file says: `student` is None where it names none."""

    student: str | None = None
    responses: tuple[Response, ...] = ()
    remarks: tuple[str, ...] = ()
    empty: bool = False


def read_answers(content: Content | str, name: str) -> AnswerFile:
    """The answers in a file called `name`, whose ending says the format (see `grader.formats`).

    SubmissionError only where no answer can be told: too deep, too many entries, no mapping.
    """
    content = Content(content) if isinstance(content, str) else content
    document = read_document(content.text, name)
    if document.root is None:
        return AnswerFile(remarks=tuple(starmap(bad_byte, content.bad_bytes.items())), empty=True)
    collected = _Collected(content, document)
    collected.file(document.root)
    return AnswerFile(
        student=collected.student, responses=tuple(collected.responses()), remarks=tuple(collected.remarks)
    )


def read_bundle(bundle: Bundle) -> Submission:
    """The submission that a source found; never raises: what can't be read has a status and a message."""
    if bundle.status != Status.GRADED:
        return described(bundle, status=bundle.status, message=_with_mend(bundle))
    try:
        answers = _plain(bundle) or _read(bundle)
    except SubmissionError as error:
        return described(bundle, status=Status.UNREADABLE, message=str(error))
    if answers.empty:
        return described(bundle, status=Status.MISSING, message=f"{shown(bundle.file)} is empty")
    attachments, refused = _attached(bundle.attachments) if bundle.attachments else ({}, ())
    remarks = (*bundle.remarks, *_mismatch(bundle, answers.student), *answers.remarks, *refused)
    return described(
        bundle,
        student=bundle.key if bundle.named else answers.student or bundle.key,
        responses=answers.responses,
        remarks=tuple(dict.fromkeys(remarks)) if remarks else (),
        attachments=attachments,
    )


def _read(bundle: Bundle) -> AnswerFile:
    name = shown(bundle.file)
    if len(bundle.content) > LIMIT:
        raise SubmissionError(name, _TOO_LARGE + (_CLEAR if format_of(bundle.file) == "notebook" else ""))
    answers = read_answers(decode(bundle.content, name), name)
    if bundle.row is None:
        return answers
    return replace(answers, responses=tuple(replace(response, line=bundle.row) for response in answers.responses))


def described(bundle: Bundle, remarks: tuple[str, ...] = (), student: str = "", **read: Any) -> Submission:
    """What the bundle says of itself, and what was `read` of it."""
    return Submission(
        student=(student or bundle.key).encode("utf-8", "backslashreplace").decode("utf-8"),
        source=bundle.source,
        digest=bundle.digest,
        name=bundle.name,
        key=bundle.key,
        platform=bundle.platform,
        attempt=bundle.attempt,
        times=bundle.times,
        late=bundle.late,
        remarks=remarks or bundle.remarks,
        **read,
    )


def _with_mend(bundle: Bundle) -> str:
    """The message of a file that wasn't read; a notebook is too large by what its outputs add."""
    too_large = bundle.message.endswith(_TOO_LARGE) and format_of(bundle.file) == "notebook"
    return bundle.message + _CLEAR if too_large else bundle.message


def _mismatch(bundle: Bundle, stated: str | None) -> list[str]:
    if not bundle.named or not stated or stated == bundle.key:
        return []
    who = "the folder is named" if bundle.platform == "folder" else "handed in by"
    return [f"{who} {shown(bundle.key)}, the file says {shown(stated)}"]


def _attached(files: MappingABC[str, bytes]) -> tuple[dict[str, str], list[str]]:
    texts, refused = {}, []
    for name, data in files.items():
        try:
            if len(data) > LIMIT:
                raise SubmissionError(shown(name), _TOO_LARGE)
            content = decode(data, shown(name))
            for line, byte in content.bad_bytes.items():
                raise SubmissionError(shown(name), bad_byte(line, byte), line)
        except SubmissionError as error:
            refused.append(str(error))
        else:
            texts[name] = content.text
    return texts, refused


def _plain(bundle: Bundle) -> AnswerFile | None:
    """The answers of one line of JSON in which nothing needs care, without a tree; None for any other file.

    A table of a whole year has a row for each submission, so that a row has to be read in microseconds.
    """
    if bundle.row is None or len(bundle.content) > LIMIT or not bundle.file.endswith((".json", ".jsonl")):
        return None
    data = read_plain(bundle.content)
    if type(data) is not dict:
        return None
    student = data.pop("student", "")
    exercises = data.pop("answers") if "answers" in data else data
    if type(student) is not str or len(student) > 200 or (data and exercises is not data):
        return None
    if exercises is data and any(key.lower() in ("student", "answers") for key in data):
        return None
    responses = _plain_responses(exercises, bundle.row)
    return None if responses is None else AnswerFile(student=student.strip() or None, responses=tuple(responses))


def _plain_responses(exercises: Any, line: int) -> list[Response] | None:
    """The responses of exercises that hold nothing but texts; None if they hold something else."""
    if type(exercises) is not dict:
        return None
    responses = []
    for exercise, parts in exercises.items():
        if type(parts) is not dict:
            return None
        for part, typed in parts.items():
            if type(typed) is not str:
                return None
            text = typed.strip()
            if text[:1] in _PLACEHOLDER_BEGINS and PLACEHOLDER.fullmatch(text):
                text = ""
            responses.append(Response(exercise=exercise, part=part, text=text, line=line))
    return responses


# --- tree to responses ------------------------------------------------------------------------------------------------

# what a template holds where an answer is due; `null` and `~` only where they are not in quotes
PLACEHOLDER = re.compile(
    r"\.{3,}|…|\?+|_{2,}|(?:#\s*)?(?:todo|tbd|tba|fixme)\b.*|#.*|<[^<>]*\b(?:your|answer|here|todo|fill)\b[^<>]*>"
    r"|(?:#\s*)?(?:your|my|put|write|type)?\s*(?:your\s*)?(?:answer|response|solution)(?:\s+goes)?(?:\s+here)?\.*",
    re.IGNORECASE,
)
_PLACEHOLDER_BEGINS = frozenset("._…?#<tfympwarsTFYMPWARSſ")
_ROW = ({"part", "id"}, {"response", "answer", "value"})


class _Collected:
    """The responses of a file, by exercise and part, in the order in which they first come."""

    def __init__(self, content: Content, document: Document) -> None:
        self._content = content
        self._source_lines = document.text.split("\n")
        self._places = document.places
        self._found: dict[tuple[str, str], list[Response]] = {}
        self.student: str | None = None
        self.remarks = list(starmap(bad_byte, content.bad_bytes.items()))
        for line, what in document.remarks:
            self._remark(line, what)

    def _remark(self, line: int | None, what: str) -> None:
        self.remarks.append(f"{self._place(line)}: {what}" if line else what)

    def _place(self, line: int) -> str:
        return self._places[line - 1] if line <= len(self._places) else f"line {line}"

    def file(self, root: Mapping) -> None:
        """Everything in the file: `student`, `answers`, and exercises that stand beside or without `answers`."""
        named = any(entry.key.lower() == "answers" for entry in root.entries)
        for entry in root.entries:
            if entry.key.lower() == "student":
                self._student(entry)
            elif entry.key.lower() == "answers":
                self._answers(entry)
            elif named and isinstance(entry.value, Text):
                self._remark(entry.line, f"not read: {entry.key}")
            else:
                self._exercise(entry)

    def responses(self) -> Iterator[Response]:
        """One response a part; of several, blank ones don't count, and two that do make a fault."""
        for same in self._found.values():
            given = [response for response in same if response.text or response.fault] or same[:1]
            first = replace(given[0], line=None) if self._places else given[0]
            if len(given) == 1:
                yield first
                continue
            fault = f"given twice{self._places_of(given)}: keep one"
            yield replace(first, text="\n".join(response.text for response in given), fault=fault)

    def _places_of(self, given: list[Response]) -> str:
        lines = [response.line for response in given if response.line]
        if not lines:
            return ""
        if self._places:
            return f" ({' and '.join(map(self._place, lines))})"
        return f" (lines {' and '.join(map(str, lines))})"

    def _student(self, entry: Entry) -> None:
        value = entry.value.value.strip() if isinstance(entry.value, Text) else ""
        if not isinstance(entry.value, Text) or len(value) > 200:
            self._remark(entry.line, "student: one short text is expected")
        elif self.student and value and value != self.student:
            self._remark(entry.line, "student: two different names are given; the first one counts")
        elif value and "\ufffd" not in value and (entry.value.style or not PLACEHOLDER.fullmatch(value)):
            self.student = value

    def _answers(self, answers: Entry) -> None:
        if isinstance(answers.value, Text):
            if answers.value.value:
                self._remark(answers.line, "answers: exercises are expected, not a text")
            return
        for entry in self._entries(answers.value):
            self._exercise(entry)

    def _exercise(self, exercise: Entry) -> None:
        if isinstance(exercise.value, Text):
            if exercise.value.value:  # a blank one is an exercise not begun
                self._respond("", exercise)
            return
        for entry in self._entries(exercise.value):
            self._respond(exercise.key, entry)

    def _entries(self, node: Mapping | Sequence) -> Iterator[Entry]:
        """The entries of a mapping; a list is taken as the mappings in it, each of them entries or one row."""
        if isinstance(node, Mapping):
            yield from node.entries
            return
        for item in node.items:
            if isinstance(item, Mapping):
                names = {entry.key: entry for entry in item.entries}
                key, value = (next((names[n] for n in sorted(row) if n in names), None) for row in _ROW)
                if key and value and isinstance(key.value, Text):
                    entry = Entry(key.value.value, value.value, key.line)
                    above = names["exercise"].value if "exercise" in names else None
                    yield Entry(above.value, Mapping((entry,)), key.line) if isinstance(above, Text) else entry
                else:
                    yield from item.entries
            else:
                self._remark(item.line, f"not read: {_typed(item)[:60]}; a part and its answer are due")

    def _respond(self, exercise: str, entry: Entry) -> None:
        text = _typed(entry.value).strip()
        fault = entry.value.fault if isinstance(entry.value, Text) else ""
        if isinstance(entry.value, Mapping | Sequence) and not text:
            fault = "one answer is expected here, not a list of several"
        elif (
            isinstance(entry.value, Text)
            and not entry.value.style
            and text[:1] in ('"', "'")
            and text.count(text[0]) == 1
        ):
            fault = "the closing quotation mark is missing"
        if "\ufffd" in text and self._content.bad_bytes:
            bad = self._content.bad_bytes
            line = entry.line if entry.line in bad and entry.line and not self._places else next(iter(bad))
            fault = bad_byte(line, bad[line])
        if not fault and PLACEHOLDER.fullmatch(text):
            text = ""
        if not text and not fault:
            self._swallowed(entry)
        response = Response(exercise=exercise, part=entry.key, text=text, line=entry.line, fault=fault)
        self._found.setdefault((exercise, entry.key), []).append(response)

    def _swallowed(self, entry: Entry) -> None:
        """An answer that was lost because it begins with #."""
        if not entry.line or entry.line > len(self._source_lines) or not isinstance(entry.value, Text):
            return
        _, sign, comment = self._source_lines[entry.line - 1].partition("#")
        if sign and comment.strip() and not PLACEHOLDER.fullmatch(comment.strip()) and not entry.value.style:
            self._remark(entry.line, "# starts a comment, so nothing was read there as an answer")


def _typed(node: Node) -> str:
    """The text typed for a value; "" for one that spans several lines of YAML as a list or a mapping."""
    if not isinstance(node, Text):
        return node.source if "\n" not in node.source else ""
    if node.style == '"' and node.source.endswith('"') and "\n" not in node.source:
        from grader.linewise import unquote  # few answers are in quotes

        return unquote(node.source)
    if node.style in ("|", ">") and not node.value.strip():
        header = node.source.split("\n", 1)[0].strip()
        return header if any(sign.isdigit() for sign in header) else ""  # `>2` was no block
    return "" if not node.style and node.value in ("null", "~") else node.value

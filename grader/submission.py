"""What a student hands in: the file of answers as frozen values, every text as typed.

A broken line costs at most its own answer: its text is taken as it was plainly meant, or its response has a `fault`.
"""

import json
import re
from collections.abc import Iterator
from collections.abc import Mapping as MappingABC
from dataclasses import field, replace
from typing import Any

from grader.errors import SubmissionError
from grader.files import Content, bad_byte
from grader.results import Status
from grader.values import frozen
from grader.yamltree import MOST_DEPTH, MOST_EVENTS, Entry, Mapping, Node, Sequence, Text, read_yaml


@frozen(kw_only=True)
class Response:
    """The text typed for one part ("" where nothing was), its line in the file, and what is wrong with the line.

    `exercise` is "" where the file gives a part without its exercise. With a `fault` the text can't be graded.
    """

    exercise: str
    part: str
    text: str
    line: int | None = None
    fault: str = ""


@frozen(kw_only=True)
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
    """The answers in a file called `name` (JSON if it ends so, else YAML).

    SubmissionError only where no answer can be told: too deep, too many entries, no mapping.
    """
    content = Content(content) if isinstance(content, str) else content
    root, remarks = _json(content.text, name) if name.lower().endswith(".json") else _yaml(content.text, name)
    remarks = [*(bad_byte(line, byte) for line, byte in content.bad_bytes.items()), *remarks]
    if root is None:
        return AnswerFile(remarks=tuple(remarks), empty=True)
    collected = _Collected(content, remarks)
    collected.file(root)
    return AnswerFile(
        student=collected.student, responses=tuple(collected.responses()), remarks=tuple(collected.remarks)
    )


# --- text to tree -----------------------------------------------------------------------------------------------------


def _yaml(text: str, name: str) -> tuple[Mapping | None, list[str]]:
    """The file's mapping, None if it is empty."""
    tree = read_yaml(text, name)
    if tree.stopped == "limit":
        raise SubmissionError(name, tree.faults[-1].what, tree.faults[-1].line)
    separators = any(sign in text for sign in "\x85\u2028\u2029")
    if isinstance(tree.root, Mapping) and not separators and not _keys_without_blank(tree.root):
        return tree.root, [_remark(f.line, f.what) for f in tree.faults if not f.field]
    if tree.root is None and not tree.stopped:
        return None, []
    from grader.linewise import read_lines  # few files are broken

    lines = read_lines(text)
    if lines.root is None:
        raise SubmissionError(name, "there are too many lines in this file")
    if isinstance(tree.root, Sequence) or not lines.root.entries:
        raise SubmissionError(name, "answers are expected as lines `part: answer` under their exercise", 1)
    remarks = [_remark(f.line, f.what) for f in tree.faults if not f.field]
    if tree.stopped:
        remarks[-1] += " (the file was read line by line instead)"
    return lines.root, remarks + [_remark(line, f"not read: {body[:60]}") for line, body in lines.unread[:20]]


def _keys_without_blank(root: Mapping) -> bool:
    """Whether a text stands where parts are due and looks like `part:answer`, for want of a blank after the colon."""
    nodes: list[Node] = [entry.value for entry in root.entries]
    nodes += [entry.value for node in nodes if isinstance(node, Mapping) for entry in node.entries]
    return any(isinstance(n, Text) and not n.style and re.search(r"[A-Za-z_]\w*\s*[:：]", n.value) for n in nodes)


_JSON_STRING = re.compile(r'"(?:[^"\\]|\\.?)*(?:"|\Z)', re.DOTALL)
_JSON_ESCAPE = re.compile(r'\\(?:["\\/]|u[0-9A-Fa-f]{4}|n(?![A-Za-z]))')


def _json(text: str, name: str) -> tuple[Mapping | None, list[str]]:
    if not text.strip():
        return None, []
    _bounded(text, name)
    try:
        data = json.loads(
            _JSON_STRING.sub(_with_latex, text),
            parse_float=str, parse_int=str, parse_constant=str, object_pairs_hook=_Pairs,
        )  # fmt: skip
    except json.JSONDecodeError as error:
        try:
            return _yaml(text, name)  # a comma too many, a quotation mark too few: YAML is more lenient
        except SubmissionError:
            raise SubmissionError(name, f"this is not JSON: {error.msg.lower()}", error.lineno) from None
    root = _node(data)
    if not isinstance(root, Mapping):
        raise SubmissionError(name, 'answers are expected as {"answers": {exercise: {part: answer}}}', 1)
    return root, []


class _Pairs(list[tuple[str, Any]]):
    """The members of a JSON object, in order and with repetitions."""


def _bounded(text: str, name: str) -> None:
    depth = most = 0
    bare = _JSON_STRING.sub("", text)
    for bracket in re.findall(r"[\[\]{}]", bare):
        depth += 1 if bracket in "[{" else -1
        most = max(most, depth)
    if most > MOST_DEPTH:
        raise SubmissionError(name, f"nested more than {MOST_DEPTH} levels deep")
    if bare.count(",") > MOST_EVENTS:
        raise SubmissionError(name, "there are too many entries in this file")


def _with_latex(string: re.Match[str]) -> str:
    """The JSON string; a backslash that can't be meant as JSON's escape is LaTeX's (`"\\frac"`), and doubled."""
    return string[0] if "\\" not in _JSON_ESCAPE.sub("", string[0]) else re.sub(r'\\(?!["\\])', r"\\\\", string[0])


def _node(data: Any) -> Node:
    if isinstance(data, _Pairs):
        return Mapping(tuple(Entry(key, _node(value)) for key, value in data))
    if isinstance(data, list):
        return Sequence(tuple(map(_node, data)))
    if isinstance(data, str):  # half of a surrogate pair is no character: it is shown as typed
        return Text(data.encode("utf-8", "backslashreplace").decode("utf-8"), style='"')
    return Text("" if data is None else str(data).lower())


# --- tree to responses ------------------------------------------------------------------------------------------------

# what a template holds where an answer is due; `null` and `~` only where they are not in quotes
PLACEHOLDER = re.compile(
    r"\.{3,}|…|\?+|_{2,}|(?:#\s*)?(?:todo|tbd|tba|fixme)\b.*|#.*|<[^<>]*\b(?:your|answer|here|todo|fill)\b[^<>]*>"
    r"|(?:#\s*)?(?:your|my|put|write|type)?\s*(?:your\s*)?(?:answer|response|solution)(?:\s+goes)?(?:\s+here)?\.*",
    re.IGNORECASE,
)
_ROW = ({"part", "id"}, {"response", "answer", "value"})


class _Collected:
    """The responses of a file, by exercise and part, in the order in which they first come."""

    def __init__(self, content: Content, remarks: list[str]) -> None:
        self._content = content
        self._source_lines = content.text.split("\n")
        self._found: dict[tuple[str, str], list[Response]] = {}
        self.student: str | None = None
        self.remarks = remarks

    def file(self, root: Mapping) -> None:
        """Everything in the file: `student`, `answers`, and exercises that stand beside or without `answers`."""
        named = any(entry.key.lower() == "answers" for entry in root.entries)
        for entry in root.entries:
            if entry.key.lower() == "student":
                self._student(entry)
            elif entry.key.lower() == "answers":
                self._answers(entry)
            elif named and isinstance(entry.value, Text):
                self.remarks.append(_remark(entry.line, f"not read: {entry.key}"))
            else:
                self._exercise(entry)

    def responses(self) -> Iterator[Response]:
        """One response a part; of several, blank ones don't count, and two that do make a fault."""
        for same in self._found.values():
            given = [response for response in same if response.text or response.fault] or same[:1]
            if len(given) == 1:
                yield given[0]
                continue
            lines = " and ".join(str(response.line) for response in given if response.line)
            fault = f"given twice (lines {lines}): keep one" if lines else "given twice: keep one"
            yield replace(given[0], text="\n".join(response.text for response in given), fault=fault)

    def _student(self, entry: Entry) -> None:
        value = entry.value.value.strip() if isinstance(entry.value, Text) else ""
        if not isinstance(entry.value, Text) or len(value) > 200:
            self.remarks.append(_remark(entry.line, "student: one short text is expected"))
        elif self.student and value and value != self.student:
            self.remarks.append(_remark(entry.line, "student: two different names are given; the first one counts"))
        elif value and "\ufffd" not in value and (entry.value.style or not PLACEHOLDER.fullmatch(value)):
            self.student = value

    def _answers(self, answers: Entry) -> None:
        if isinstance(answers.value, Text):
            if answers.value.value:
                self.remarks.append(_remark(answers.line, "answers: exercises are expected, not a text"))
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
                    yield Entry(key.value.value, value.value, key.line)
                else:
                    yield from item.entries
            else:
                self.remarks.append(_remark(item.line, f"not read: {_typed(item)[:60]}; a part and its answer are due"))

    def _respond(self, exercise: str, entry: Entry) -> None:
        text, fault = _typed(entry.value).strip(), ""
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
            line = entry.line if entry.line is not None and entry.line in bad else next(iter(bad))
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
            self.remarks.append(_remark(entry.line, "# starts a comment, so nothing was read there as an answer"))


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


def _remark(line: int | None, what: str) -> str:
    return f"line {line}: {what}" if line else what

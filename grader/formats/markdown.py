"""Answers in Markdown: a heading names the exercise, lines `part: answer` or rows of a table give the answers.

Prose in between, comments and code are passed over. Work is linear in the length of the file, or nearly.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from grader.errors import SubmissionError
from grader.formats import labels
from grader.formats.document import MOST_UNREAD, Document, Remark, chain
from grader.yamltree import MOST_EVENTS, Entry, Mapping, Text

MOST_BLOCKS = 50  # blocks of YAML or JSON in one file
MOST_FRONT = 100  # lines before the text

_FENCE = re.compile(r"[ \t]*(?:[-*+] +)?(`{3,}|~{3,})[ \t]*\{?\.?([\w+-]*)[^`]*$")
_HEADING = re.compile(r"[ ]{0,3}(#{1,6})[ \t]+(.+?)[ \t]*#*[ \t]*$")
_UNDERLINE = re.compile(r" {0,3}(=+|-+)[ \t]*$")
_RULE = re.compile(r"[-|: \t]*-[-|: \t]*$")
_BOLD = re.compile(r"(\*\*|__)(.+)\1:?$")
_SPAN_OR_COMMENT = re.compile(r"(?<!`)(`+)(?!`).+?(?<!`)\1(?!`)|<!--")
_DATA = ("yaml", "yml", "json", "toml")
_MATHS = ("math", "latex", "tex", "")
_DEEPEST = 7  # the level of a title that isn't a heading
_HEADED = re.compile(
    r"^(?:#{1,6}[ \t]+|\*\*|__)?(?:(?:question|exercise|problem|q)[ .#]*\d|[a-z]\w*\d\w*-\w)",
    re.IGNORECASE | re.MULTILINE,
)


def is_headed(text: str) -> bool:
    """Whether a line of the text looks like the title of an exercise."""
    return bool(_HEADED.search(text))


def read(text: str, name: str) -> Document:
    """The answers in a Markdown file; SubmissionError if there are none and no exercise's heading either."""
    if not text.strip():
        return Document(None)
    reader = Reader(name)
    reader.read(text)
    return Document(reader.root(), tuple(reader.remarks), text)


@dataclass(slots=True)
class _Given:
    """An answer that is being read. One behind `=` may be a step of a derivation: it counts where no other does."""

    exercise: str
    part: str
    line: int
    text: str = ""
    fault: str = ""
    weak: bool = False
    title: bool = False  # its part is a heading, which is an answer only if a value follows


class Reader:
    """Reads one text after another (the cells of a notebook): headings go on counting, all else ends with a text."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._exercise: str | None = None
        self._level = _DEEPEST
        self._found: list[_Given | Entry] = []
        self._blocks = 0
        self.headed = False
        self.remarks: list[Remark] = []

    def read(self, text: str, first_line: int = 1) -> None:
        """Read a text whose lines count from `first_line`."""
        self._lines = text.split("\n")
        self._at, self._first = 0, first_line
        self._waiting: _Given | None = None  # the answer whose value is still due
        self._columns: list[str] | None = None  # of the table that is being read
        self._never: dict[str, int] = {}  # fences that aren't closed any more, with their length
        self._front_matter()
        while self._at < len(self._lines):
            line = self._next()
            self._line(line, line.strip())

    def root(self) -> Mapping:
        """What was found; SubmissionError if nothing was."""
        if not self._found and not self.headed:
            what = "answers are expected as lines `part: answer` under a heading with the exercise's id"
            raise SubmissionError(self._name, what, 1)
        sure = {(g.exercise, g.part) for g in self._found if isinstance(g, _Given) and not g.weak}
        entries = []
        for found in self._found:
            if isinstance(found, Entry):
                entries.append(found)
            elif not found.weak or (found.exercise, found.part) not in sure:
                text = Text(found.text, found.line, "$", fault=found.fault)
                entries.append(chain(("answers", found.exercise, found.part), text, found.line))
        return Mapping(tuple(entries))

    # --- lines --------------------------------------------------------------------------------------------------------

    @property
    def _number(self) -> int:
        """The number of the line that was taken last."""
        return self._first + self._at - 1

    def _next(self) -> str:
        """The next line without its comments; a comment may go over lines."""
        line = self._lines[self._at]
        self._at += 1
        while "<!--" in line and not _FENCE.match(line):
            start = _comment(line)
            if start is None:
                break
            after = self._after_comment(line[start + 4 :])
            if after is None:
                self._remark("a comment is not closed")
                return line[:start]
            line = line[:start] + after
        return line

    def _after_comment(self, rest: str) -> str | None:
        if "-->" in rest:
            return rest.partition("-->")[2]
        if "-->" in self._never:
            return None
        for at in range(self._at, len(self._lines)):
            if "-->" in self._lines[at]:
                self._at = at + 1
                return self._lines[at].partition("-->")[2]
        self._never["-->"] = 0
        return None

    def _line(self, line: str, body: str) -> None:
        if not body:
            self._columns = None
        elif fence := _FENCE.match(line):
            self._fence(fence[1], fence[2].lower())
        elif "|" in body and self._table(body):
            return
        elif not self._titled(line, body):
            self._answer(body)

    def _remark(self, what: str) -> None:
        if len(self.remarks) < MOST_UNREAD:
            self.remarks.append((self._number, what))

    # --- titles -------------------------------------------------------------------------------------------------------

    def _titled(self, line: str, body: str) -> bool:
        """Whether the line is a title, which then counts for what follows."""
        if heading := _HEADING.match(line):
            self._title(heading[2], len(heading[1]))
            return True
        below = self._lines[self._at] if self._at < len(self._lines) else ""
        if (rule := _UNDERLINE.match(below)) and not _UNDERLINE.match(line) and labels.label_of(body) is None:
            self._at += 1
            self._title(body, 1 if rule[1][0] == "=" else 2)
            return True
        bold = _BOLD.fullmatch(body)
        title = bold[2] if bold else body.removesuffix(":")
        named = labels.exercise_of(title)
        if named and named[1] and (bold or " " not in title or labels.is_title(body)):
            self._begin(named[0], _DEEPEST)
            return True
        part = labels.part_of(title) if bold and self._exercise is not None else None
        if part:
            self._waiting = _Given(self._exercise or "", part, self._number, title=True)
        return part is not None

    def _title(self, title: str, level: int) -> None:
        self._waiting = None
        named = labels.exercise_of(title)
        deeper = self._exercise is not None and level > self._level
        if named and (named[1] or not deeper):
            self._begin(named[0], level)
        elif not deeper:
            if not (self._level == _DEEPEST and _is_solutions(title)):
                self._exercise = None
        elif part := labels.part_of(title):
            self._waiting = _Given(self._exercise or "", part, self._number, title=True)

    def _begin(self, exercise: str, level: int) -> None:
        self._exercise, self._level, self.headed = exercise, level, True
        self._waiting = None

    # --- answers ------------------------------------------------------------------------------------------------------

    def _answer(self, body: str) -> None:
        label = labels.label_of(body)
        if label and label.part.lower() == "student" and self._exercise is None and label.rest:
            self._found.append(Entry("student", Text(labels.value_of(label.rest), self._number), self._number))
        elif label and label.part.lower() in labels.SOLUTIONS and self._waiting:
            self._fill(label.rest)
        elif label and label.part.lower() in labels.PROSE:
            return
        elif label and (label.sign != "=" or label.marked or " " not in label.rest.split("=")[0].strip()):
            self._labelled(label)
        elif self._waiting:
            self._fill(body)
        elif labels.is_spoken(body):
            self._remark(f"not read: {body[:60]}; a part's id is due before the colon")

    def _labelled(self, label: labels.Label) -> None:
        exercise = label.exercise or self._exercise
        if exercise is None:
            if label.rest and label.sign != "=":
                self._remark(f"this looks like an answer but is under no exercise: {label.part}")
            return
        given = _Given(exercise, label.part, self._number, weak=label.sign == "=")
        self._add(given)
        self._waiting = given
        if label.rest:
            self._fill(label.rest)

    def _add(self, given: _Given) -> None:
        if len(self._found) >= MOST_EVENTS:
            raise SubmissionError(self._name, "there are too many answers in this file", self._number)
        self._found.append(given)

    def _fill(self, source: str) -> None:
        """Give the answer that waits its value: maths on lines of its own, or the line as it stands."""
        given = self._waiting
        if given is None:
            return
        same = given.line == self._number  # there a dash is a sign, below it may be one of a list
        plain = source if same else labels.without_bullet(source)
        near = same or (given.line == self._number - 1 and not given.title)
        if signs := labels.opened(plain):
            given.text = self._display(plain, signs[1])
        elif near or labels.delimited(plain) is not None:
            given.text = labels.value_of(self._with_rest(plain))
        else:
            return
        if given.title:
            self._add(given)
        self._waiting = None

    def _with_rest(self, source: str) -> str:
        """The value with the lines below it, as long as one of its brackets is open."""
        for _ in range(MOST_UNREAD):
            body = self._lines[self._at].strip() if self._at < len(self._lines) else ""
            if not labels.is_open(source) or self._ends(body):
                break
            self._at += 1
            source += f" {body}"
        return source

    def _ends(self, body: str) -> bool:
        """Whether a value that goes over lines ends before this line."""
        label = labels.label_of(body)
        return not body or bool(_HEADING.match(body) or _FENCE.match(body) or (label and label.sign != "="))

    def _display(self, source: str, end: str) -> str:
        """Display maths over lines; where it isn't closed, up to what is no more of it, as typed."""
        parts = [source]
        while self._at < len(self._lines):
            body = self._lines[self._at].strip()
            if self._ends(body):
                break
            self._at += 1
            parts.append(body)
            if end in body:
                break
        return labels.value_of(" ".join(parts))

    # --- tables -------------------------------------------------------------------------------------------------------

    def _table(self, body: str) -> bool:
        """Whether the line is a row of a table; a table begins with a bar, or with a line of dashes below its head."""
        below = self._lines[self._at] if self._at < len(self._lines) else ""
        if self._columns is None and "-" in below and "|" in below and _RULE.fullmatch(below.strip()):
            self._columns = [labels.bare(cell[:100]).lower() for cell in _cells(body)]
            self._at += 1
            return True
        if self._columns is None and not body.startswith("|"):
            return False
        if not _RULE.fullmatch(body):
            self._row(_cells(body))
        return True

    def _row(self, cells: list[str]) -> None:
        columns = self._columns or []
        places = [next((i for i, c in enumerate(columns) if c in names), None) for names in _COLUMNS]
        if places[1] is None or places[2] is None:
            places = [None, 0, 1]
        width = max(len(columns), 2)
        exercise, part, value = (cells[i] if i is not None and i < len(cells) else "" for i in places)
        label = labels.label_of(f"{part.rstrip(':')}: {value}")
        named = labels.exercise_of(exercise) if exercise else None
        if not label or label.part.lower() in labels.PROSE | labels.SOLUTIONS:
            return
        given = named[0] if named else label.exercise or self._exercise
        if given is None:
            self._remark(f"this looks like an answer but is under no exercise: {label.part}")
            return
        fault = ""
        if len(cells) > width and any(cells[width:]) and columns:
            fault = r"there are too many cells in this row: write | as \|"
        elif len(cells) < 2:
            fault = "there are too few cells in this row"
        self._add(_Given(given, label.part, self._number, labels.value_of(value), fault))

    # --- blocks -------------------------------------------------------------------------------------------------------

    def _fence(self, fence: str, language: str) -> None:
        """A block of code: answers if it is data, the value that is due if it is maths; else it is passed over."""
        first, number = self._at, self._number
        end = self._end_of(fence)
        if end is None:
            self._remark("a block of code is not closed")
            return
        self._at = end + 1
        lines = self._lines[first:end]
        if language in _DATA and self._blocks < MOST_BLOCKS:
            self._blocks += 1
            self._data("\n" * number + "\n".join(lines), language)
        elif language in _MATHS and self._waiting and len(lines) <= MOST_UNREAD:
            given = self._waiting
            self._fill(f"$${' '.join(line.strip() for line in lines)}$$")
            if given.text.startswith("$$") and given.text.endswith("$$"):
                given.text = given.text[2:-2].strip()

    def _end_of(self, fence: str) -> int | None:
        sign, length = fence[0], len(fence)
        if self._never.get(sign, length + 1) <= length:
            return None
        for at in range(self._at, len(self._lines)):
            body = self._lines[at].strip()
            if len(body) >= length and not body.strip(sign):
                return at
        self._never[sign] = length
        return None

    def _data(self, text: str, language: str) -> None:
        from grader.formats import read_document

        try:
            document = read_document(text, f"block.{language}")
        except SubmissionError as error:
            self._remark(f"not read: {error.fault.what}")
            return
        self.remarks += document.remarks
        for entry in document.root.entries if document.root else ():
            alone = isinstance(entry.value, Text) and entry.key.lower() not in ("student", "answers")
            under = ("answers", self._exercise) if alone and self._exercise is not None else ()
            self._found.append(chain((*under, entry.key), entry.value, entry.line))

    def _front_matter(self) -> None:
        """Between two lines of dashes at the top: of all that may stand there, `student` and `answers` count."""
        if self._lines[0].strip() != "---":
            return
        for at, line in enumerate(self._lines[1 : MOST_FRONT + 1], 1):
            if line.strip() in ("---", "..."):
                self._at = at + 1
                self._found += _of_front(self._lines[1:at], self._first)
                return


_COLUMNS = (("exercise", "question"), ("part",), ("response", "answer", "value"))


def _of_front(lines: list[str], first_line: int) -> Iterator[Entry]:
    from grader.linewise import read_lines

    root = read_lines("\n" * first_line + "\n".join(lines)).root
    yield from (entry for entry in (root.entries if root else ()) if entry.key.lower() in ("student", "answers"))


def _comment(line: str) -> int | None:
    """Where a comment begins; one in back-ticks is text."""
    if len(line) > labels.MOST_LETTERS:
        return line.find("<!--")
    return next((found.start() for found in _SPAN_OR_COMMENT.finditer(line) if found[0] == "<!--"), None)


def _cells(body: str) -> list[str]:
    r"""The cells of a row; a bar within one is written \|."""
    inner = body.strip().removeprefix("|")
    cells = [cell.strip().replace(r"\|", "|") for cell in re.split(r"(?<!\\)\|", inner)]
    return cells[:-1] if len(cells) > 1 and not cells[-1] else cells


def _is_solutions(title: str) -> bool:
    return labels.bare(title[: labels.MOST_TITLE]).rstrip(":. ").lower() in labels.SOLUTIONS

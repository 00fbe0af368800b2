"""Answers typed into a platform's text box, which hands them out as HTML: the plain text of them."""

import re
from html.parser import HTMLParser

from grader.errors import SubmissionError
from grader.files import decode

_LINES = {"p", "div", "br", "tr", "li", "ul", "ol", "table", "pre", "blockquote", "h1", "h2", "h3", "h4", "h5", "h6"}
_SILENT = {"script", "style", "head", "title"}
_QUOTES = {"code": "`", "sup": "", "sub": ""}
_ANSWER = re.compile(r"^[ \t>*\-]*[`*\"']*[A-Za-z][\w -]{0,60}[`*\"']*[ \t]*[:=][ \t]*\S", re.MULTILINE)
_YAML = re.compile(r"^(answers|student):", re.MULTILINE)


def answers_in(data: bytes, name: str) -> tuple[str, bytes] | None:
    """The file's name by the form of the text (YAML or Markdown) and its bytes; None if it holds no answer.

    SubmissionError if it is no text.
    """
    reader = _Reader()
    try:
        reader.feed(decode(data, name).text.replace("<![", "&lt;!["))  # the parser fails on some of these
        reader.close()
    except (AssertionError, ValueError):
        raise SubmissionError(name, "this is no HTML") from None
    text = reader.text()
    if not _ANSWER.search(text):
        return None
    return ("onlinetext.yaml" if _YAML.search(text) else "onlinetext.md"), text.encode("utf-8", "replace")


class _Reader(HTMLParser):
    """The text, with the line ends, headings, list items and exponents that can be seen."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._pieces: list[str] = []
        self._silent = 0
        self._verbatim = 0
        self._raised = -1

    def text(self) -> str:
        """What was read, without blank ends of lines and runs of blank lines."""
        lines = [line.rstrip() for line in "".join(self._pieces).replace("\xa0", " ").split("\n")]
        return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip("\n") + "\n"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002
        if tag in _SILENT:
            self._silent += 1
        if tag in _LINES:
            self._line()
        if tag == "pre":
            self._verbatim += 1
        elif tag == "li":
            self._pieces.append("- ")
        elif tag == "code" and not self._verbatim:
            self._pieces.append("`")
        elif tag == "sup":
            self._raised = len(self._pieces)
        elif len(tag) == 2 and tag[0] == "h" and tag[1] in "123456":
            self._pieces.append("#" * int(tag[1]) + " ")

    def handle_endtag(self, tag: str) -> None:
        if tag in _SILENT:
            self._silent = max(0, self._silent - 1)
        elif tag in _LINES and tag != "br":
            self._line()
        if tag == "pre":
            self._verbatim = max(0, self._verbatim - 1)
        elif tag == "code" and not self._verbatim:
            self._pieces.append("`")
        elif tag == "sup" and self._raised >= 0:
            power = "".join(self._pieces[self._raised :]).strip()
            self._pieces[self._raised :] = [f"^{power}" if power.isalnum() else f"^({power})"]
            self._raised = -1

    def handle_data(self, data: str) -> None:
        if self._silent:
            return
        blanks = r"[ \t\f\r]+" if self._verbatim else r"[ \t\f\r\n]+"
        text = data if self._verbatim else re.sub(blanks, " ", data)
        begins = not self._pieces or self._pieces[-1].endswith("\n")
        self._pieces.append(text.lstrip(" ") if begins and not self._verbatim else text)

    def _line(self) -> None:
        if self._pieces and not self._pieces[-1].endswith("\n"):
            self._pieces.append("\n")

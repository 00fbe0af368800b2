"""JSON Lines: one submission a line, in the same form as a file of answers, `student` among its keys.

Lines are read one after the other, so the file may be of any length; a broken one costs only its own submission. Such
a file is looked for where it, or its own folder or archive, was given: not in folders that may be a student's.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from grader.errors import SubmissionError
from grader.moments import moment
from grader.sources.candidate import Candidate
from grader.sources.names import rank
from grader.sources.place import Claim, Place
from grader.sources.rows import TOO_LONG, lines
from grader.sources.tree import File

_ENDINGS = (".jsonl", ".ndjson")
_LONGEST = 200  # characters of a student's name


class Jsonl:
    """Files of submissions in JSON Lines."""

    order: ClassVar[int] = 70

    def claim(self, place: Place) -> Claim | None:
        """The rows of all files with that ending."""
        files = [file for file in place.contents.files if file.name.lower().endswith(_ENDINGS)]
        if place.level or not files or any(rank(file.name) == 0 for file in place.contents.files):
            return None
        return Claim(_candidates(files), place.contents.without(files))


def _candidates(files: list[File]) -> Iterator[Candidate]:
    for file in files:
        with file.opened() as stream:
            for number, line in lines(stream):
                if number == 1 and line and line.startswith((b"\xff\xfe", b"\xfe\xff")):
                    raise SubmissionError(file.source, "UTF-16 is not read here; save the file as UTF-8")
                data, message = (None, TOO_LONG) if line is None else _decoded(line)
                student, times = _about(data) if data else ("", _NO_TIMES)
                yield Candidate(
                    source=f"{file.source}:{number}",
                    platform="jsonl",
                    key=student or f"{file.name}:{number}",
                    times=times,
                    content=line or b"",
                    row=number,
                    message=message,
                )


_NO_TIMES: Mapping[str, str] = {}
_load = json.JSONDecoder(parse_int=str, parse_float=str).decode


def _decoded(line: bytes) -> tuple[dict[str, Any] | None, str]:
    """The row as data, and what is wrong with it."""
    try:
        data = _load(line.decode("utf-8"))
    except UnicodeDecodeError:
        return None, "not UTF-8; save the file as UTF-8"
    except json.JSONDecodeError as error:
        if "escape" in error.msg and line.endswith(b"}"):  # LaTeX with single backslashes is read as it was meant
            return None, ""
        return None, f"this is not JSON: {error.msg.lower()} (character {error.pos + 1})"
    except (RecursionError, ValueError):
        return None, "nested too deep"
    if not isinstance(data, dict):
        return None, 'answers are expected as {"student": ..., "answers": {exercise: {part: answer}}}'
    return data, ""


def _about(data: dict[str, Any]) -> tuple[str, Mapping[str, str]]:
    """The student and the times that a row gives."""
    student = data.get("student")
    time = moment(str(data["submitted_at"])) if "submitted_at" in data else None
    name = student.strip() if isinstance(student, str) and len(student) <= _LONGEST else ""
    return name, {"lms": time} if time else _NO_TIMES

"""JSON Lines: one submission a line, in the same form as a file of answers, `student` among its keys.

Lines are read one after the other, so the file may be of any length; a broken one costs only its own submission. Such
a file is looked for where it, or its own folder or archive, was given: not in folders that may be a student's.
"""

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import ClassVar

from grader.errors import SubmissionError
from grader.moments import moment
from grader.sources.candidate import Candidate
from grader.sources.names import rank
from grader.sources.place import Claim, Place
from grader.sources.rows import TOO_LONG, lines
from grader.sources.tree import File

_ENDINGS = (".jsonl", ".ndjson")


class Jsonl:
    """Files of submissions in JSON Lines."""

    order: ClassVar[int] = 70

    def claim(self, place: Place) -> Claim | None:
        """The rows of all files with that ending."""
        files = [file for file in place.contents.files if file.name.lower().endswith(_ENDINGS)]
        if place.level or not files or any(rank(file.name) == 0 for file in place.contents.files):
            return None
        return Claim(_candidates(place, files), place.contents.without(files))


def _candidates(place: Place, files: list[File]) -> Iterator[Candidate]:
    for file in files:
        with file.opened() as stream:
            for number, line in lines(stream):
                if number == 1 and line and line.startswith((b"\xff\xfe", b"\xfe\xff")):
                    raise SubmissionError(file.source, "UTF-16 is not read here; save the file as UTF-8")
                blank = replace(
                    place.blank("jsonl"), source=f"{file.source}:{number}", key=f"{file.name}:{number}", row=number
                )
                yield _row(blank, line)


def _row(blank: Candidate, line: bytes | None) -> Candidate:
    if line is None:
        return replace(blank, message=TOO_LONG)
    try:
        data = json.loads(line.decode("utf-8"), parse_int=str, parse_float=str)
    except UnicodeDecodeError:
        return replace(blank, message="not UTF-8; save the file as UTF-8")
    except json.JSONDecodeError as error:
        if "escape" in error.msg and line.endswith(b"}"):  # LaTeX with single backslashes is read as it was meant
            return replace(blank, content=line)
        return replace(blank, message=f"this is not JSON: {error.msg.lower()} (character {error.pos + 1})")
    except (RecursionError, ValueError):
        return replace(blank, message="nested too deep")
    if not isinstance(data, dict):
        return replace(blank, message='answers are expected as {"student": ..., "answers": {exercise: {part: answer}}}')
    student = data.get("student")
    time = moment(str(data.get("submitted_at", "")))
    return replace(
        blank,
        content=line,
        key=student.strip() or blank.key if isinstance(student, str) and len(student) <= 200 else blank.key,
        times={"lms": time} if time else {},
    )

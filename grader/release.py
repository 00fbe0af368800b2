"""Writes the student edition of a course into a folder: the edition itself, the answer file, and the questions."""

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from grader.compiled import COURSE, EDITION, Exercise, Part
from grader.course import LoadedCourse
from grader.edition import NoKeys, course_of, edition, is_edition
from grader.errors import SpecError
from grader.files import read_bytes
from grader.handout import sheet_of, sheet_text
from grader.reports.files import write_atomically
from grader.sheet import Sheet, SheetPart, expected
from grader.values import frozen

ANSWERS, README = "answers.yaml", "README.md"
IN_IT = "prompts, symbols, answer types, units, regimes, points"
_LIMIT = 16 * 1024 * 1024  # bytes
LEFT_OUT = "solutions, mistakes, tolerances, credit, examples, formulas, parameters and what is drawn, the secret"


@frozen
class Released:
    """What a release wrote and what it left as it was, by file name."""

    written: tuple[str, ...]
    kept: tuple[str, ...]


def release(loaded: LoadedCourse, folder: Path) -> Released:
    """Write the student edition, or bring an earlier one in the folder up to date.

    An answer file that is there stays, and so does a README that somebody changed. SpecError if the folder holds
    anything else, before anything is written.
    """
    earlier = _earlier_readme(folder)
    data = edition(loaded.course)
    students = _students(data, folder)  # what else is written is made from the edition alone
    questions = readme(students)
    digest = _digest(questions.encode())
    texts = {EDITION: json.dumps({**data, "readme": digest}, indent=1, ensure_ascii=False) + "\n"}
    kept = []
    if (folder / README).exists() and _digest(_bytes(folder / README)) not in (earlier, digest):
        kept.append(README)
    else:
        texts[README] = questions
    if (folder / ANSWERS).exists():
        kept.append(ANSWERS)
    else:
        texts[ANSWERS] = sheet_text(students, (), None)
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        write_atomically(folder / name, text)
    return Released(tuple(texts), tuple(kept))


def _students(data: Any, folder: Path) -> LoadedCourse:
    """The edition as it will be read back."""
    course = course_of(json.loads(json.dumps(data)), str(folder / EDITION))
    return LoadedCourse(course, NoKeys(course, b""), folder, edition=True)


def _earlier_readme(folder: Path) -> str:
    """The digest of the README that an earlier release wrote here; SpecError where the folder is none of ours."""
    if not folder.exists() or (folder.is_dir() and not any(folder.iterdir())):
        return ""
    if not folder.is_dir():
        raise SpecError(f"{folder}: this is a file; name a folder")
    if (folder / COURSE).exists() or not is_edition(folder):
        raise SpecError(f"{folder}: this folder holds something else than a student edition; name an empty one")
    return str(json.loads(_bytes(folder / EDITION)).get("readme", ""))


def _bytes(file: Path) -> bytes:
    """The bytes of a file that somebody may have put there; SubmissionError for a pipe, which would never end."""
    return read_bytes(file, str(file), _LIMIT)


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


_HEAD = f"""\
The questions, and where to answer them: in `{ANSWERS}`. Formulas may be typed as plain text or as LaTeX. To see how
your answers are read, and whether something is wrong with a name, a bracket or a unit, run this in the folder of this
file (`grader` is a program; your course says how to install it):

    grader check {ANSWERS} --course .

It tells nothing of what is right: `{EDITION}` beside this file says what is asked, and holds no solutions.
"""


def readme(loaded: LoadedCourse) -> str:
    """The questions of a course in Markdown, and how answers are checked."""
    pieces = [f"# {loaded.course.title}", _HEAD.rstrip()]
    for exercise in loaded.course.exercises:
        pieces += _exercise(exercise, sheet_of(loaded, exercise, None))
    return "\n\n".join(pieces) + "\n"


def _exercise(exercise: Exercise, sheet: Sheet) -> Iterator[str]:
    yield f"## {sheet.title} (`{sheet.id}`)"
    if sheet.prompt:
        yield sheet.prompt.strip()
    facts = [f"- `{name}`: {meaning}" for name, meaning in sheet.symbols.items()]
    facts += [f"- `{name}`: {value}" for name, value in sheet.given.items()]
    facts += [f"- For approximations: `{exercise.regime}`"] if exercise.regime else []
    facts += [f"- Source: {sheet.source}"] if sheet.source else []
    if facts:
        yield "\n".join(facts)
    for part, asked in zip(exercise.parts, sheet.parts, strict=True):
        yield from _part(part, asked, sheet)


def _part(part: Part, asked: SheetPart, sheet: Sheet) -> Iterator[str]:
    points = "1 point" if part.points == 1 else f"{part.points} points"
    yield f"### {part.title or part.id} (`{part.id}`, {points})"
    if part.prompt:
        yield part.prompt.strip()
    yield expected(asked, sheet.symbols)
    if asked.options:
        yield "\n".join(f"- `{name}`: {meaning}" for name, meaning in asked.options.items())

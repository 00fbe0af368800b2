"""JUnit XML: a suite for each student, a case for each part, for CI systems and their viewers.

Correct parts pass. `partial`, `incorrect` and `missing` are failures of that type, an answer that can't be read is an
error of the type `unreadable`, an undecided or hidden one is skipped. JUnit knows no points: they are in properties
and in the messages. A submission that was not graded has one case for the file: a failure of the type `missing`, or
an error whose type is its status. Characters that XML has no form for are shown as U+FFFD.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from html import escape

from grader.exports.figures import late_days, parts, penalty
from grader.exports.options import Options
from grader.exports.words import STATUS, reason
from grader.gradebook import Column, Outline, Row
from grader.results import PartResult, Status, Verdict

ending = ".xml"
needs_template = False

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_KINDS: Mapping[Verdict | None, tuple[str, str]] = {
    None: ("skipped", ""),
    Verdict.CORRECT: ("", ""),
    Verdict.PARTIAL: ("failure", "partial"),
    Verdict.INCORRECT: ("failure", "incorrect"),
    Verdict.MISSING: ("failure", "missing"),
    Verdict.INVALID: ("error", "unreadable"),
    Verdict.UNDECIDED: ("skipped", ""),
}

Case = tuple[str, str]  # what became of it ("", "failure", "error", "skipped") and its XML


def export(rows: Iterable[Row], outline: Outline, options: Options) -> Iterator[bytes]:
    """The file, a student at a time."""
    opening = f'<?xml version="1.0" encoding="utf-8"?>\n<testsuites{_attributes(name=outline.course)}>\n'
    yield opening.encode("utf-8")
    for row in rows:
        yield _suite(row, outline, options).encode("utf-8")
    yield b"</testsuites>\n"


def _suite(row: Row, outline: Outline, options: Options) -> str:
    parts(row, outline)  # refuses points that don't add up
    seen = options.seen(row.result)
    shown = {(exercise.id, part.id): part for exercise in seen.exercises for part in exercise.parts}
    cases = [_handed_in(row, outline)] if row.result.status != Status.GRADED else []
    cases += [_case(c, shown[c.exercise, c.part], outline) for c in outline.columns if (c.exercise, c.part) in shown]
    kinds = [kind for kind, _ in cases]
    counts = {"failures": kinds.count("failure"), "errors": kinds.count("error"), "skipped": kinds.count("skipped")}
    scores = {"score": seen.points, "max_score": outline.max_points, "penalty": penalty(row)}
    known = {
        "student": row.student.id,
        "status": row.result.status,
        **(scores if seen.points is not None else {}),
        **({"late_days": late_days(row)} if row.result.late else {}),
        **outline.run,
    }
    opening = _attributes(name=row.student.id, tests=len(cases), **counts, time=0)
    body = "".join(xml for _, xml in cases)
    return f"<testsuite{opening}>\n{_properties(known)}\n{body}</testsuite>\n"


def _handed_in(row: Row, outline: Outline) -> Case:
    status = row.result.status
    kind, what = ("failure" if status == Status.MISSING else "error"), str(status)
    inner = _element(kind, what, STATUS[status], row.result.message)
    return kind, f"<testcase{_attributes(classname=outline.course, name='submission', time=0)}>\n{inner}\n</testcase>\n"


def _case(column: Column, part: PartResult, outline: Outline) -> Case:
    kind, what = _KINDS[part.verdict]
    opening = _attributes(
        classname=f"{outline.course}.{column.exercise}", name=f"{column.part} {column.title}".strip(), time=0
    )
    points = {"points": part.points, "max_points": part.max_points} if part.points is not None else {}
    lines = [_properties(points)] if points else []
    if kind:
        score = f"{part.points} of {part.max_points} points" if points else f"{part.max_points} points"
        message = ": ".join(filter(None, (score, reason(part))))
        lines.append(_element(kind, what, message, "\n".join(part.mistakes)))
    return kind, "\n".join([f"<testcase{opening}>", *lines, "</testcase>\n"])


def _properties(values: Mapping[str, object]) -> str:
    inner = "".join(f"<property{_attributes(name=name, value=value)}/>" for name, value in values.items())
    return f"<properties>{inner}</properties>"


def _element(kind: str, what: str, message: str, text: str) -> str:
    attributes = _attributes(message=message, **({"type": what} if what else {}))
    return f"<{kind}{attributes}>{_escaped(text)}</{kind}>" if text else f"<{kind}{attributes}/>"


def _attributes(**values: object) -> str:
    """Attributes; line breaks are written by number, since a reader makes blanks of any others."""
    written = ((name, _escaped(str(value))) for name, value in values.items())
    return "".join(
        f' {name}="{text}"' for name, text in ((n, t.replace("\n", "&#10;").replace("\t", "&#9;")) for n, t in written)
    )


def _escaped(text: str) -> str:
    return escape(_NOT_XML.sub("\ufffd", text)).replace("\r", "&#13;")

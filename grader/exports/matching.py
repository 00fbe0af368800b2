"""Which line of an instructor's file is whose: by exact ids, numbers, logins and addresses, never by name.

What doesn't match exactly is refused, with everything that was found wrong: a grade in another's line is worse than
none.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from grader.exports.figures import parts, settled, total
from grader.exports.options import ExportError, Options
from grader.exports.worksheet import Worksheet
from grader.gradebook import Outline, Row, Student, is_anonymous
from grader.results import Status, Verdict
from grader.values import frozen


@frozen(kw_only=True)
class Entry:
    """What is to be entered for a student: points, or None where the instructor decides; a comment where asked."""

    student: Student
    points: int | None
    status: Status
    undecided: bool
    comment: str | None = None


def entry(row: Row, outline: Outline, comment: str | None = None) -> Entry:
    """What a file gets of a student."""
    answered = parts(row, outline)
    return Entry(
        student=row.student,
        points=total(row) if settled(row) else None,
        status=row.result.status,
        undecided=any(p is not None and p.verdict is Verdict.UNDECIDED and p.override is None for p in answered),
        comment=comment,
    )


def called(student: Student) -> str:
    """A student in a message: the id, and the name where it is known."""
    return f"{student.id} ({student.name})" if student.name else student.id


def place(entries: Sequence[Entry], sheet: Worksheet, identities: Mapping[int, Iterable[str]]) -> dict[int, Entry]:
    """The entries by row of the file; `identities` are the texts by which each row names its student.

    ExportError, with all of them listed, for students who match several rows, rows that several students match, and
    students with points who match none.
    """
    if any(is_anonymous(entry.student) for entry in entries):
        raise ExportError("anonymous results can't be entered into a gradebook: no line can be told to be whose")
    rows = _by_text(identities)
    faults: list[str] = []
    takers: dict[int, list[Entry]] = {}
    for one in entries:
        found = sorted({row for text in _names(one.student) for row in rows.get(text, ())})
        for row in found:
            takers.setdefault(row, []).append(one)
        if len(found) > 1:
            faults.append(f"{called(one.student)}: matches several lines: {', '.join(_lines(sheet, found))}")
        elif not found and one.points is not None:
            faults.append(f"{called(one.student)}: {_near(one.student, sheet, rows)}")
    for row, several in sorted(takers.items()):
        if len(several) > 1:
            faults.append(f"{sheet.name}:{sheet.line(row)}: {', '.join(called(e.student) for e in several)}")
    if faults:
        raise ExportError(
            f"{sheet.name}: nothing was written, because these students can't be placed for certain:", faults
        )
    return {row: several[0] for row, several in takers.items()}


def _by_text(identities: Mapping[int, Iterable[str]]) -> dict[str, set[int]]:
    rows: dict[str, set[int]] = {}
    for row, texts in identities.items():
        for text in texts:
            if text:
                rows.setdefault(text, set()).add(row)
    return rows


def _names(student: Student) -> set[str]:
    return {text.strip() for text in (student.id, student.email, *student.aliases)} - {""}


def _lines(sheet: Worksheet, rows: Iterable[int]) -> Iterator[str]:
    return (str(sheet.line(row)) for row in rows)


def _near(student: Student, sheet: Worksheet, rows: Mapping[str, set[int]]) -> str:
    """Says that there is no line, and names those that differ by case or leading zeros only."""
    wanted = {_loose(text) for text in _names(student)}
    near = sorted((min(found), text) for text, found in rows.items() if _loose(text) in wanted)
    if not near:
        return "no line has an id, number, login or address of theirs"
    listed = ", ".join(f"{text!r} in line {sheet.line(row)}" for row, text in near[:3])
    return f"no line is exactly theirs, but near: {listed}; if it is the same person, mend the roster"


def _loose(text: str) -> str:
    return text.casefold().lstrip("0") or text


def tell_entries(entries: Sequence[Entry], options: Options) -> None:
    """Tell of those for whom nothing was graded, and of those with parts that a person must look at."""
    without = [f"{called(one.student)}: {one.status}" for one in entries if one.points is None]
    if without:
        options.tell("nothing was graded, left alone:", without)
    open_ = [called(one.student) for one in entries if one.undecided]
    if open_:
        options.tell("entered, but a person must look at some parts:", open_)

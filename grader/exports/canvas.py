"""The instructor's gradebook as exported from Canvas, with one assignment's column filled in.

The column is the one that `column` names (its header, the header without the `(id)`, or the id), else the only one
whose Points Possible are the course's. Students are matched with the columns ID, SIS User ID and SIS Login ID.

Only whole points are written, into that column; every other byte stays: mark at the beginning, delimiter, quotes,
line ends, order. Left alone are cells that say `EX` or `N/A`, lines of students who are none of ours, and students
for whom nothing was graded (missing, unreadable, duplicate, failed) unless a person gave points: what they get is
the instructor's decision. All of these but the second are told.
"""

import re
from collections.abc import Iterable, Iterator
from decimal import Decimal, InvalidOperation

from grader.exports.matching import called, entry, place, tell_entries
from grader.exports.options import ExportError, Options
from grader.exports.worksheet import Worksheet
from grader.gradebook import Outline, Row

ending = ".csv"
needs_template = True

_IDENTITIES = ("ID", "SIS User ID", "SIS Login ID")
_BEFORE = {"Student", "LastName", "FirstName", *_IDENTITIES, "Integration ID", "Root Account", "Section"}
_TITLE = re.compile(r"(.*) \((\d+)\)", re.S)
_EXCUSED = {"EX", "N/A"}


def export(rows: Iterable[Row], outline: Outline, options: Options) -> Iterator[bytes]:
    """The file in one piece; ExportError if a student or the column can't be told for certain."""
    sheet = Worksheet(options.template, "ID")
    head = sheet.header()
    if "ID" not in head or not {"Student", "LastName"} & set(head):
        raise ExportError(f"{sheet.name}: no gradebook exported from Canvas: its first line has no Student and ID")
    column = _column(sheet, head, outline, options)
    entries = [entry(row, outline) for row in rows]
    places = [head.index(name) for name in _IDENTITIES if name in head]
    placed = place(entries, sheet, {n: [sheet.text(n, at) for at in places] for n in range(1, len(sheet))})
    excused = {n for n in placed if sheet.text(n, column).upper() in _EXCUSED}
    filled = {n: one.points for n, one in placed.items() if one.points is not None and n not in excused}
    written = sheet.written({(n, column): str(points) for n, points in filled.items()})
    tell_entries(entries, options)
    if excused:
        options.tell("excused in Canvas, left alone:", [called(placed[n].student) for n in sorted(excused)])
    yield written


def _column(sheet: Worksheet, head: list[str], outline: Outline, options: Options) -> int:
    possible = next((n for n in range(1, len(sheet)) if "points possible" in sheet.text(n, 0).casefold()), None)
    worth = {c: sheet.text(possible, c) if possible is not None else "" for c in _assignments(head)}
    open_ = [c for c, points in worth.items() if "read only" not in points.casefold()]
    if options.column:
        found = [c for c in open_ if options.column == head[c]] or [
            c for c in open_ if (title := _TITLE.fullmatch(head[c])) and options.column in title.groups()
        ]
        what = f"{len(found) or 'no'} columns to fill in are called {options.column!r}"
    else:
        found = [c for c in open_ if _TITLE.fullmatch(head[c]) and _number(worth[c]) == outline.max_points]
        what = f"{len(found) or 'no'} assignments have {outline.max_points} points possible; name the column"
    if len(found) != 1:
        listed = [f"{head[c]}: {worth[c] or 'no'} points possible" for c in open_]
        raise ExportError(f"{sheet.name}: {what}. Its columns:", listed)
    if _number(worth[found[0]]) != outline.max_points:
        options.tell(
            f"{head[found[0]]} has {worth[found[0]] or 'no'} points possible in Canvas; "
            f"the points written are of {outline.max_points}"
        )
    return found[0]


def _assignments(head: list[str]) -> range:
    last = max((place for place, name in enumerate(head) if name in _BEFORE), default=-1)
    return range(last + 1, len(head))


def _number(text: str) -> Decimal | None:
    try:
        return Decimal(text.replace(",", "."))
    except InvalidOperation:
        return None

"""What would be graded: who handed in what, who is not known, who handed in twice, and who did not."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from unicodedata import normalize

from grader.bundle import Bundle
from grader.files import shown
from grader.gradebook import Student
from grader.results import Status
from grader.roster import Roster, folded
from grader.sources.candidate import Candidate
from grader.values import frozen

_STATES = {Status.GRADED: "to grade"}


@frozen(kw_only=True)
class Entry:
    """One submission of one student. `student` is the id in the roster, or what the source says; `known` tells which.

    `size` is that of all files in bytes, `time` a moment in ISO 8601, `note` what stands in the way or is odd.
    """

    student: str
    name: str = ""
    known: bool = False
    platform: str = "folder"
    source: str = ""
    files: tuple[str, ...] = ()
    size: int = 0
    time: str = ""
    late: bool = False
    status: Status = Status.GRADED
    note: str = ""


@frozen(kw_only=True)
class Unknown:
    """Somebody whom the roster does not have, and who may be meant."""

    student: str
    source: str
    near: Student | None = None


@frozen(kw_only=True)
class Listing:
    """What was found, sorted by student. `alike` are names that only look the same; `unknown` and `missing` need a
    roster."""

    entries: tuple[Entry, ...] = ()
    unknown: tuple[Unknown, ...] = ()
    twice: tuple[tuple[str, tuple[str, ...]], ...] = ()
    alike: tuple[tuple[str, ...], ...] = ()
    missing: tuple[Student, ...] = ()
    remarks: tuple[str, ...] = ()

    def lines(self) -> Iterator[str]:
        """The listing as text, one line each; whatever can't be printed is escaped."""
        yield from _table([_cells(entry) for entry in self.entries])
        yield _count(self.entries)
        for unknown in self.unknown:
            near = f"; did you mean {shown(unknown.near.id)}?" if unknown.near else ""
            yield f"not in the roster: {shown(unknown.student)} ({shown(unknown.source)}){near}"
        for student, sources in self.twice:
            yield f"handed in {len(sources)} times: {shown(student)} ({', '.join(map(shown, sources[:5]))})"
        for names in self.alike:
            yield f"possibly the same student: {', '.join(map(told_apart, names))}"
        for absent in self.missing:
            yield f"nothing from: {shown(absent.id)}" + (f" ({shown(absent.name)})" if absent.name else "")
        yield from map(shown, self.remarks)


def alike(students: Iterable[str]) -> tuple[tuple[str, ...], ...]:
    """The names that differ in nothing but capitals, blanks or the form of their characters: maybe one student's."""
    same: dict[str, dict[str, None]] = {}
    for student in students:
        same.setdefault(folded(normalize("NFKC", student)), {})[student] = None
    return tuple(tuple(names) for names in same.values() if len(names) > 1)


def told_apart(name: str) -> str:
    """The name in quotes, such that it looks different from others that look the same."""
    return ascii(name)


def listing(found: Iterable[Bundle | Candidate], roster: Roster | None = None) -> Listing:
    """What grading these submissions would do. Bytes are read, answers are not: where only the file of answers names
    the student, the student is what the source says."""
    entries: list[Entry] = []
    unknown: list[Unknown] = []
    for each in found:
        bundle = each.bundle() if isinstance(each, Candidate) else each
        for entry in _entries(bundle, roster):
            entries.append(entry)
            if roster is not None and not entry.known:
                near = roster.near(entry.student) or (roster.near(entry.name) if entry.name else None)
                unknown.append(Unknown(student=entry.student, source=entry.source, near=near))
    entries.sort(key=lambda entry: (entry.student, entry.source))
    there = {entry.student for entry in entries if entry.known}
    return Listing(
        entries=tuple(entries),
        unknown=tuple(sorted(unknown, key=lambda unknown: (unknown.student, unknown.source))),
        twice=tuple(_twice(entries)),
        alike=alike(entry.student for entry in entries),
        missing=tuple(student for student in roster.students if student.id not in there) if roster else (),
        remarks=roster.remarks if roster else (),
    )


def _entries(bundle: Bundle, roster: Roster | None) -> Iterator[Entry]:
    """An entry for each of those who handed it in."""
    files = (bundle.file, *bundle.attachments) if bundle.file and bundle.row is None else ()
    entry = Entry(
        student=bundle.key,
        name=bundle.name,
        platform=bundle.platform,
        source=bundle.source,
        files=files,
        size=len(bundle.content) + sum(map(len, bundle.attachments.values())),
        time=next((bundle.times[clock] for clock in ("release", "lms", "commit") if clock in bundle.times), ""),
        late=bundle.late,
        status=bundle.status,
        note="; ".join(filter(None, [bundle.message, *bundle.remarks])),
    )
    whose: list[tuple[str, ...]] = [(member,) for member in bundle.members]
    for texts in whose or [(bundle.key, bundle.name)]:
        student = roster.find(*texts) if roster else None
        if student is not None:
            yield replace(entry, student=student.id, name=student.name or entry.name, known=True)
        else:
            yield replace(entry, student=texts[0])


def _twice(entries: list[Entry]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Who handed in more than once, with the places."""
    same: dict[str, list[Entry]] = {}
    for entry in entries:
        same.setdefault(entry.student, []).append(entry)
    yield from ((own[0].student, tuple(entry.source for entry in own)) for own in same.values() if len(own) > 1)


def _cells(entry: Entry) -> tuple[str, ...]:
    files = ", ".join(map(shown, entry.files)) or shown(entry.source)
    size = f"{entry.size:,} bytes" if entry.size else ""
    state = _STATES.get(entry.status, str(entry.status))
    note = "; ".join(filter(None, ["late" if entry.late else "", shown(entry.note)]))
    return shown(entry.student), shown(entry.name), files, size, entry.time, state, note


def _table(rows: list[tuple[str, ...]]) -> Iterator[str]:
    """Rows in columns; columns in which nothing stands are left out."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True) if width).rstrip()


def _count(entries: tuple[Entry, ...]) -> str:
    counts = {status: sum(entry.status == status for entry in entries) for status in Status}
    parts = [f"{count} {_STATES.get(status, str(status))}" for status, count in counts.items() if count]
    return f"{len(entries)} submission{'' if len(entries) == 1 else 's'}: {', '.join(parts) or 'none'}"

"""The class page's words and drawings, made from an analysis, so that templates work nothing out."""

import shlex
from collections.abc import Iterable, Mapping, Sequence
from urllib.parse import quote

from grader.analysis.groups import Todo
from grader.analysis.parts import PartFigures
from grader.analysis.sitting import Place
from grader.analysis.summary import Analysis
from grader.reports.index import Entry, Overview
from grader.reports.view import SYMBOLS, WORDS, counted, thousands
from grader.results import Verdict
from grader.values import frozen

MOST_NAMED = 12  # students behind one thing
MOST_GROUPS = 80  # mistakes, clusters, ratios
MOST_TEXTS = 120  # to be looked at
MOST_FLAGS = 40  # of a kind
SHOWN = (Verdict.CORRECT, Verdict.PARTIAL, Verdict.INCORRECT, Verdict.INVALID, Verdict.MISSING, Verdict.UNDECIDED)
_HEIGHT, _WIDTH, _GAP = 120, 44, 6  # of the histogram's bars
_ABOVE, _BELOW = 18, 22
NONE = "–"
KINDS = {
    "unknown": "Not in the roster",
    "alike": "Names that look alike",
    "duplicate": "More than one file",
    "unreadable": "Files that could not be read",
    "failed": "Grading failed",
    "late": "Late",
    "rules": "Rules that could not be applied",
    "attempts": "Several attempts",
    "missing": "Nothing handed in",
    "override": "Points for what is there no more",
    "overridden": "Points given by a person",
    "same": "The same odd answer",
    "sheet": "Another student’s numbers",
}

Flag = tuple[str, str, str]  # kind, student, what


@frozen
class Link:
    """A student, with the address of the page if there is one."""

    student: str
    href: str = ""


@frozen(kw_only=True)
class Named:
    """Some students of many: those that are named, and how many more there are."""

    number: int
    links: tuple[Link, ...]
    more: int


@frozen(kw_only=True)
class Bar:
    """A bar of the histogram, in the units of its drawing."""

    label: str
    number: int
    x: int
    y: int
    height: int

    @property
    def middle(self) -> int:
        """Where its texts are centred."""
        return self.x + _WIDTH // 2


@frozen(kw_only=True)
class PartRow:
    """One part: figures as texts, how many answers have which verdict, and those as pieces of a bar of 100."""

    name: str
    facility: str
    discrimination: str
    counts: tuple[tuple[Verdict, int], ...]
    pieces: tuple[tuple[Verdict, float, float], ...]
    told: str


@frozen(kw_only=True)
class Group:
    """A mistake, a cluster or a ratio: what it is, where it occurs, who is behind it, and the draft of an entry."""

    what: str
    id: str = ""
    where: str
    note: str = ""
    students: Named
    draft: str = ""


@frozen(kw_only=True)
class Look:
    """A text to be looked at: where it stands, what was typed, why, and the commands that give points for it."""

    where: str
    verdict: Verdict
    response: str
    message: str
    number: int
    who: tuple[tuple[Link, str], ...]
    more: int
    commands: tuple[str, ...]


class ClassView:
    """What one class page shows. `pages` are the stems of students' pages; `store` is where commands find it, "" where
    there is none."""

    def __init__(self, analysis: Analysis, pages: Mapping[str, str], flags: Iterable[Flag], store: str) -> None:
        self.analysis, self.pages, self.store = analysis, pages, store
        self.titles = {(c.exercise, c.part): c.title or c.part for c in analysis.columns}
        self._flags = tuple(flags)

    def exercises(self) -> tuple[tuple[PartRow, tuple[PartRow, ...]], ...]:
        """Each exercise as a whole, with its parts in the course's order."""
        figures = self.analysis.figures
        return tuple(
            (self._part(whole), tuple(self._part(one) for one in figures.parts if one.place[0] == whole.place[0]))
            for whole in figures.exercises
        )

    def facts(self) -> tuple[tuple[str, str], ...]:
        """The figures of the whole class, each with its name."""
        found, scores = self.analysis, self.analysis.scores
        if scores is None:
            return (("Graded", f"{thousands(found.graded)} of {thousands(found.handed_in)}"),)
        return (
            ("Graded", f"{thousands(found.graded)} of {thousands(found.handed_in)}"),
            ("Mean", f"{scores.mean:.1f} of {found.max_points} points"),
            ("Standard deviation", NONE if scores.sd is None else f"{scores.sd:.1f}"),
            ("Median", f"{_short(scores.median)}"),
            ("Middle half", f"{_short(scores.lower)} to {_short(scores.upper)}"),
            ("Least, most", f"{scores.least} and {scores.most}"),
            ("Cronbach’s alpha", two(found.figures.alpha)),
        )

    def _part(self, part: PartFigures) -> PartRow:
        counts = tuple((verdict, part.verdicts[verdict]) for verdict in SHOWN)
        total = sum(number for _, number in counts) or 1
        pieces, x = [], 0.0
        for verdict, number in counts:
            width = round(100 * number / total, 2)
            if number:
                pieces.append((verdict, round(x, 2), width))
            x += 100 * number / total
        return PartRow(
            name=self.titles.get(part.place, part.place[0]),
            facility=per_cent(part.facility),
            discrimination=two(part.discrimination),
            counts=counts,
            pieces=tuple(pieces),
            told=", ".join(f"{WORDS[verdict].lower()} {number}" for verdict, number in counts if number),
        )

    def alarms(self) -> tuple[Group, ...]:
        """Where the key may be wrong."""
        return tuple(
            Group(
                what=alarm.answer,
                where=self.where(alarm.place),
                note=f"{alarm.agree} of the {alarm.strong} who do best in all other parts agree on this answer; "
                f"{alarm.right} of them gave what the key has.",
                students=self.named(alarm.students),
            )
            for alarm in self.analysis.alarms
        )

    def mistakes(self) -> tuple[Group, ...]:
        """Named mistakes, the most frequent first."""
        return tuple(
            Group(
                what=one.title or one.id,
                id=one.id if one.title else "",
                where=self._places(one.places),
                note=f"for {counted(one.ambiguous, 'student')} another explanation fits as well" * bool(one.ambiguous),
                students=self.named(one.students),
            )
            for one in self.analysis.mistakes[:MOST_GROUPS]
        )

    def clusters(self) -> tuple[Group, ...]:
        """Wrong answers that nothing explains."""
        return tuple(
            Group(
                what=one.answer,
                where=self.where(one.place),
                note=f"off by a factor of {one.ratio}" * bool(one.ratio),
                students=self.named(one.students),
                draft=one.draft,
            )
            for one in self.analysis.clusters[:MOST_GROUPS]
        )

    def ratios(self) -> tuple[Group, ...]:
        """Factors by which several are off."""
        return tuple(
            Group(
                what=f"{counted(len(one.students), 'student')} off by a factor of {one.ratio}",
                where=f"{one.exercise}: {self._places(one.places)}",
                students=self.named(one.students),
                draft=one.draft,
            )
            for one in self.analysis.ratios[:MOST_GROUPS]
        )

    def todo(self) -> tuple[Look, ...]:
        """What a person must look at: texts that could not be decided or read."""
        return tuple(map(self._look, self.analysis.todo[:MOST_TEXTS]))

    def _look(self, one: Todo) -> Look:
        named = one.who[:MOST_NAMED]
        return Look(
            where=self.where(one.place),
            verdict=one.verdict,
            response=one.response,
            message=one.message,
            number=len(one.who),
            who=tuple((self.link(student), f"{file}, line {line}" if line else file) for student, file, line in named),
            more=len(one.who) - len(named),
            commands=tuple(self._command(student, one.place) for student, _, _ in named) if self.store else (),
        )

    def _command(self, student: str, place: Place) -> str:
        """What gives points by hand, but for the points and the reason."""
        given = f"{shlex.quote(self.store)} {shlex.quote(student)} {place[0]}.{place[1]} POINTS"
        return f"grader override --why REASON {'-- ' if student.startswith('-') else ''}{given}"

    def flags(self) -> tuple[tuple[str, tuple[tuple[Link, str], ...], int], ...]:
        """What else to look at, by kind: the student and what, and how many more there are."""
        kinds: dict[str, list[tuple[Link, str]]] = {}
        for kind, student, what in self._flags:
            kinds.setdefault(kind, []).append((self.link(student), what))
        for student, place, points in self.analysis.given:
            what = f"{self.where(place)}: {counted(points, 'point')} given by a person"
            kinds.setdefault("overridden", []).append((self.link(student), what))
        return tuple(
            (KINDS.get(kind, kind), tuple(rows[:MOST_FLAGS]), max(len(rows) - MOST_FLAGS, 0))
            for kind, rows in kinds.items()
        )

    def cut(self) -> Mapping[str, int]:
        """How many of each list are not shown."""
        found = self.analysis
        lists = {"mistakes": found.mistakes, "clusters": found.clusters, "ratios": found.ratios}
        cut = {name: max(len(every) - MOST_GROUPS, 0) for name, every in lists.items()}
        return {**cut, "todo": max(len(found.todo) - MOST_TEXTS, 0)}

    def link(self, student: str) -> Link:
        """The student, linked to the page."""
        page = self.pages.get(student, "")
        return Link(student, quote(f"{page}.html") if page else "")

    def named(self, students: Sequence[str]) -> Named:
        """The first of some students."""
        links = tuple(map(self.link, students[:MOST_NAMED]))
        return Named(number=len(students), links=links, more=len(students) - len(links))

    def where(self, place: Place) -> str:
        """The exercise and the part in words."""
        return f"{place[0]}, {self.titles.get(place, place[1])}"

    def _places(self, places: Iterable[tuple[Place, int]]) -> str:
        found = list(places)
        several = len({exercise for (exercise, _), _ in found}) > 1
        names = [
            (self.where(place) if several else self.titles.get(place, place[1]), number) for place, number in found
        ]
        one = "" if several else f"{found[0][0][0]}: "
        return one + "; ".join(f"{name} ({number})" for name, number in names)


def _short(points: float) -> str:
    """Half and quarter points as they are, and no zeros behind the point."""
    return f"{points:.2f}".rstrip("0").rstrip(".")


def histogram(whole: Overview) -> tuple[Bar, ...]:
    """The bars of the shares of the points."""
    most = max((number for _, number, _ in whole.bars), default=0) or 1
    return tuple(
        Bar(
            label=label.removesuffix(" %"),
            number=number,
            x=place * (_WIDTH + _GAP),
            y=_ABOVE + _HEIGHT - round(_HEIGHT * number / most),
            height=round(_HEIGHT * number / most),
        )
        for place, (label, number, _) in enumerate(whole.bars)
    )


SIZE = {
    "width": 11 * (_WIDTH + _GAP) - _GAP,
    "height": _ABOVE + _HEIGHT + _BELOW,
    "bar": _WIDTH,
    "floor": _ABOVE + _HEIGHT,
}


def two(figure: float | None) -> str:
    """A figure with two digits behind the point."""
    return NONE if figure is None else f"{figure + 0.0:.2f}".replace("-0.00", "0.00").replace("-", "−")


def per_cent(share: float | None) -> str:
    """A share in per cent."""
    return NONE if share is None else f"{100 * share:.0f} %"


def legend() -> tuple[tuple[Verdict, str, str], ...]:
    """Each verdict with its sign and its word."""
    return tuple((verdict, SYMBOLS[verdict], WORDS[verdict]) for verdict in SHOWN)


def rows(entries: Sequence[Entry]) -> tuple[tuple[Entry, Link], ...]:
    """The rows of the table of students."""
    return tuple((one, Link(one.student, quote(f"{one.page}.html") if one.page else "")) for one in entries)

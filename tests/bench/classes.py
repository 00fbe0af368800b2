"""Classes as they hand in: students of different skill, each with a way to write and misconceptions of their own.

Seeded: `students(n, seed)` gives the same class every time, and student 17 is the same in a class of 20 and of 20,000.
Answers are right ones in many spellings, the course's own mistakes with all that follows from them, slips, odd answers
that nobody else gives (carried on by their author), texts that can't be read, and blanks. A few are very frequent, and
the tail is long.
"""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from random import Random
from typing import TypeVar

from grader.compiled import Exercise, Key, Part, PartKeys
from grader.course import LoadedCourse, load_course
from grader.maths.expression import symbols_of
from grader.maths.grammar import read_expression
from grader.maths.sample import value as value_at
from tests.bench.spellings import SHARES, STYLES, digits, spell

T = TypeVar("T")
ALL = "all"
FIFTEEN = (
    ("q1-int8-matmul", ("ops", "intensity", "leading", "t_comms", "lower", "critical")),
    ("q2-mixed-matmul", ("flops", "bytes", "intensity", "critical")),
    ("q4-batched-matmul", ("flops", "bytes", "intensity", "bound")),
    ("q5-h100", ("critical",)),
)
CONVENTIONS = ("", "book-constants-2026", "exact-flop-count")
_SYMBOLS = ("B", "D", "F", "T_math", "T_comms", "flops", "t_math", "t_comms", "peak", "bandwidth")
_VARIANTS = 5  # spellings of one value in one style
_BLANK = ("", "", "", "?", "...", "TODO")
_PROSE = (
    "I don't know", "no idea", "see my notes", "same as above", "2B or B", "about 240", "BD and DF", "2BDF +",
    "bd + df", "2BDF/(BD+DF+BF", "X: BD, Y: DF", "2B2DF", "it depends", "$\\frac{2BDF}{BD$", "flops/bytes",
    "~ constant", "ask me in class", "1,97e14", "roughly 120 or so", "2·B·D·Φ", "large", "=A1*B1", "see plot.png",
    "2BDF :)",
)  # fmt: skip
_FIRST = (
    "Ada", "José", "Nguyễn Văn", "Siobhán", "Łukasz", "Zoë", "小龙", "Σωκράτης", "Fatima", "Bjørn", "Anne-Marie",
    "D'Angelo", "Иван", "Óscar", "Priya", "明", "Chloé", "Jürgen", "Ines", "Mary Jane", "Ngozi", "Þór", "Null",
    "Li", "Oluwaseun", "محمد",
)  # fmt: skip
_LAST = (
    "Lovelace", "Álvarez", "O'Brien", "van der Berg", "Müller-Lüdenscheidt", "李", "Παπαδόπουλος", "al-Zahra",
    "Sørensen", "de la Cruz", "Ng", "Петров", "Öztürk", "Smith", "Smith Jr.", "Iyer", "Null", "Kowalski", "İnce",
    "Ó Súilleabháin", "Wolfeschlegelsteinhausenbergerdorff", "Kim", "Nakamura", "Okonkwo", "Weiß", "حسن",
)  # fmt: skip


@dataclass(frozen=True)
class Student:
    """One student: what was answered, by exercise and part, and perhaps a table of points beside it."""

    id: str
    name: str
    answers: Mapping[str, Mapping[str, str]]
    table: str = ""


@dataclass(frozen=True)
class Place:
    """One part, with its keys and the texts that its author stored as examples."""

    exercise: Exercise
    part: Part
    keys: PartKeys

    @cached_property
    def right(self) -> Mapping[str, Key]:
        """What is right, by the convention that it rests on ("" for the usual one)."""
        keys = {key.conventions[0]: key for key in self.keys.right if len(key.conventions) == 1}
        return {**keys, "": self.keys.right[0]}

    @cached_property
    def wrong(self) -> Mapping[str, tuple[Key, ...]]:
        """The values that each mistake gives here; those that nobody would write out are left out."""
        found: dict[str, tuple[Key, ...]] = {}
        for key in self.keys.wrong:
            long = self.part.type in ("expression", "curve") and max(map(len, _digit_runs(key.value))) > 4
            if not key.conventions and not long:
                found[key.mistakes[0]] = (*found.get(key.mistakes[0], ()), key)
        return found

    @cached_property
    def slips(self) -> tuple[str, ...]:
        """The mistakes that may happen here and nowhere else, those that the author shows examples of first."""
        return tuple(sorted(self.wrong, key=lambda name: (-len(self.quoted.get(name, ())), name)))

    @cached_property
    def quoted(self) -> Mapping[str, tuple[str, ...]]:
        """The example texts by mistake; those of right answers and of unreadable ones by their verdict."""
        found: dict[str, tuple[str, ...]] = {}
        for example in self.part.examples:
            name = example.mistakes[0] if example.mistakes else example.verdict
            found[name] = (*found.get(name, ()), example.response)
        return found


def _frequent(items: Sequence[T], draw: Random) -> T:
    """One of the items; the first are far more frequent than the last."""
    return items[int(len(items) * draw.random() ** 3)]


def _digit_runs(text: str) -> list[str]:
    return ["".join(run) for digit, run in itertools.groupby(text, str.isdigit) if digit] or [""]


@dataclass(frozen=True)
class _Mind:
    """What one student brings along: skill in 0..1, a style, a convention, misconceptions."""

    skill: float
    style: str
    convention: str
    causes: tuple[str, ...]
    carried: dict[str, str] = field(default_factory=dict)  # own odd answers that later ones build on


class ClassMaker:
    """Makes students for the packaged course. `parts` are ALL or pairs (exercise, its parts); `plots` says whether the
    plot is answered."""

    def __init__(
        self,
        parts: str | Sequence[tuple[str, Sequence[str]]] = ALL,
        *,
        plots: bool = True,
        course: LoadedCourse | None = None,
    ) -> None:
        loaded = course or load_course()
        chosen = {e.id: tuple(p.id for p in e.parts) for e in loaded.course.exercises} if parts == ALL else dict(parts)
        self.plots = plots
        self.places = tuple(
            Place(exercise, part, loaded.keyring.keys(exercise, {})[part.id])
            for exercise in loaded.course.exercises
            for part in exercise.parts
            if part.id in chosen.get(exercise.id, ())
        )
        self._causes = self._popular_causes(loaded.course.mistakes)
        self._shares = [1 / (rank + 1.5) for rank in range(len(self._causes))]
        self._texts = lru_cache(maxsize=None)(self._spellings)

    def _popular_causes(self, mistakes: Sequence[object]) -> tuple[str, ...]:
        """The causes, those that the authors show most examples of first."""
        seen = [name for place in self.places for name in place.quoted for _ in place.quoted[name]]
        causes = [m.id for m in mistakes if getattr(m, "kind", "") == "cause"]  # type: ignore[attr-defined]
        return tuple(sorted(causes, key=lambda name: (-seen.count(name), name)))

    def students(self, count: int, seed: int = 0) -> Iterator[Student]:
        """The class, one student after the other."""
        return (self.student(place, seed) for place in range(1, count + 1))

    def student(self, place: int, seed: int = 0) -> Student:
        """The student with this number."""
        draw = Random(f"{seed}/{place}")
        mind = self._mind(draw)
        answers: dict[str, dict[str, str]] = {}
        for where in self.places:
            answers.setdefault(where.exercise.id, {})[where.part.id] = self._answer(where, mind, draw)
        table = ""
        if self.plots and "q3-roofline-plot" in answers and draw.random() < 0.3:
            table = _table(mind, draw)
            plot = answers["q3-roofline-plot"].get("plot", "")
            answers["q3-roofline-plot"]["plot"] = f"{plot}; plot.csv" if plot and draw.random() < 0.7 else "plot.csv"
        name = f"{draw.choice(_FIRST)} {draw.choice(_LAST)}"
        return Student(f"s{place:06}", name, answers, table)

    def _mind(self, draw: Random) -> _Mind:
        skill = draw.betavariate(4, 2)
        count = sum(draw.random() < 0.65 * (1 - skill) for _ in range(3))
        return _Mind(
            skill=skill,
            style=draw.choices(STYLES, SHARES)[0],
            convention=draw.choices(CONVENTIONS, (86, 9, 5))[0],
            causes=tuple(dict.fromkeys(draw.choices(self._causes, self._shares, k=count))),
        )

    def _answer(self, place: Place, mind: _Mind, draw: Random) -> str:
        if place.part.type == "curve" and not self.plots:
            return ""
        weak, lot = 1 - mind.skill, draw.random()
        for share, make in (
            (0.01 + 0.12 * weak**2, lambda: draw.choice(_BLANK)),
            (0.004 + 0.04 * weak, lambda: _unreadable(place, draw)),
            (0.01 + 0.07 * weak, lambda: _odd(place, mind, draw)),
            (0.01 + 0.12 * weak, lambda: self._mistaken(place, _frequent(place.slips, draw), mind, draw)),
        ):
            if lot < share:
                return make()
            lot -= share
        if mind.carried and draw.random() < 0.8 and (text := _carried_on(place, mind)):
            return text
        # what went wrong in the two times is not seen in a bound that is given by their names
        named = place.part.id in ("lower", "upper") and draw.random() < 0.9
        for cause in mind.causes:
            if cause in place.wrong and draw.random() < 0.85 and (cause.startswith("t-") or not named):
                return self._mistaken(place, cause, mind, draw)
        quoted = place.quoted.get("correct", ())
        if quoted and draw.random() < 0.15:
            return draw.choice(quoted)
        return self._said(place, place.right.get(mind.convention, place.right[""]), mind, draw)

    def _mistaken(self, place: Place, mistake: str, mind: _Mind, draw: Random) -> str:
        quoted = place.quoted.get(mistake, ())
        if quoted and draw.random() < 0.3:
            return draw.choice(quoted)
        keys = place.wrong[mistake]
        return self._said(place, _frequent(keys, draw), mind, draw)

    def _said(self, place: Place, key: Key, mind: _Mind, draw: Random) -> str:
        if place.part.type == "choice":
            return draw.choice((key.value, key.value, key.value.capitalize(), place.part.options["options"][key.value]))
        texts = self._texts(place.exercise.id, place.part.id, key.value, key.relation, mind.style)
        return _frequent(texts, draw)

    def _spellings(self, exercise: str, part: str, value: str, relation: str, style: str) -> tuple[str, ...]:
        """Some spellings of one value in one style, the usual ones first."""
        draw = Random(f"{exercise}/{part}/{value}/{relation}/{style}")
        place = next(p for p in self.places if (p.exercise.id, p.part.id) == (exercise, part))
        tree = read_expression(value, _SYMBOLS)
        amount = None if symbols_of(tree) else value_at(tree, {})
        if place.part.type in ("threshold", "quantity") and amount is not None:
            make = _threshold if place.part.type == "threshold" else _quantity
            return tuple(dict.fromkeys(make(amount, place.part, relation, style, draw) for _ in range(2 * _VARIANTS)))
        if part in ("lower", "upper") and value in {key.value for key in place.keys.right}:
            return _short_bounds(part, style)
        texts = dict.fromkeys(_dressed(spell(tree, style, draw), place.part, draw) for _ in range(_VARIANTS))
        return tuple(f"${text}$" for text in texts) if style == "dollars" else tuple(texts)


def _short_bounds(part: str, style: str) -> tuple[str, ...]:
    """How nearly everyone writes the bounds: with the names of the two times."""
    math, comms = (r"T_{math}", r"T_{comms}") if style in ("latex", "dollars") else ("T_math", "T_comms")
    if part == "lower":
        return (f"max({math}, {comms})", f"max({comms}, {math})", f"T >= max({math}, {comms})")
    if style == "star":
        return (f"{math} + {comms}", "2*B*D*F/3.94e14 + (B*D + D*F + B*F)/8.1e11")
    return (f"{math} + {comms}", f"{comms} + {math}", f"T <= {math} + {comms}")


def _dressed(text: str, part: Part, draw: Random) -> str:
    """The formula as it stands in a sentence of formulas: with a name in front or the unit behind, now and then."""
    lot, unit = draw.random(), part.options.get("unit")
    if part.type == "threshold":
        return f"{part.options['symbol']} > {text}"
    if lot < 0.08 and unit:
        return f"{text} {unit}s" if unit in ("byte", "FLOP", "OP") else f"{text} {unit}"
    if lot < 0.16 and part.type == "expression":
        name = {"intensity": "AI", "leading": "AI", "t_math": "T_math", "t_comms": "T_comms"}.get(part.id, part.id)
        return f"{name} = {text}" if name.isalpha() or name.startswith("T_") else text
    return text


def _threshold(amount: float, part: Part, relation: str, style: str, draw: Random) -> str:
    shown, symbol = digits(amount, draw.choice((3, 4, 4, 5))), part.options.get("symbol", "B")
    sign = relation if relation in ("<", ">") else ">"
    soft = {"latex": rf"\{'geq' if sign == '>' else 'leq'}", "dollars": rf"\{'geq' if sign == '>' else 'leq'}",
            "dots": "≥" if sign == ">" else "≤"}.get(style, f"{sign}=")  # fmt: skip
    other = "<" if sign == ">" else ">"
    twice = digits(2 * amount, 4)
    forms = (f"{symbol} {sign} {shown}", f"{symbol} {soft} {shown}", f"{symbol} = {shown}", shown,
             f"{shown} {other} {symbol}", f"2{symbol} {sign} {twice}", f"{symbol}{sign}{shown}")  # fmt: skip
    return draw.choices(forms, (45, 18, 10 if sign == ">" else 0, 8 if sign == ">" else 0, 4, 4, 11))[0]


def _quantity(amount: float, part: Part, relation: str, style: str, draw: Random) -> str:
    shown, unit = digits(amount, draw.choice((3, 3, 4, 5))), part.options["unit"]
    return draw.choices((f"{shown} {unit}", shown, f"AI = {shown} {unit}", f"≈ {shown} {unit}"), (50, 30, 12, 8))[0]


def _unreadable(place: Place, draw: Random) -> str:
    quoted = place.quoted.get("invalid", ())
    return draw.choice(quoted) if quoted and draw.random() < 0.5 else draw.choice(_PROSE)


def _odd(place: Place, mind: _Mind, draw: Random) -> str:
    """A wrong answer of this student's own; its numbers make it unlikely that anyone else gives it."""
    a, b, c = (draw.randint(1, 99) for _ in range(3))
    if place.part.type in ("threshold", "quantity"):
        value = digits(draw.lognormvariate(5.3, 1.2), draw.choice((2, 3, 4)))
        return f"B > {value}" if place.part.type == "threshold" else f"{value} {place.part.options['unit']}"
    if place.part.type == "choice":
        return draw.choice(tuple(place.part.options["options"]))
    first, second, third = draw.sample(("BD", "DF", "BF", "BDF", "D", "F", "B^2", "DF^2"), 3)
    form = draw.choice((f"{a}{first} + {b}{second}", f"{first}/{second} + {a}{third}", f"{a}{first}({second} + {b})",
                        f"{a}{first}/({b}{second} + {c}{third})", f"{a}.{b}{first}"))  # fmt: skip
    if place.part.type == "curve":
        return f"min({a}e13, 8.1e11*({form}))"
    if place.part.id in ("bytes", "loaded", "flops", "ops"):
        mind.carried[f"{place.exercise.id}.{place.part.id}"] = form
    return form


def _carried_on(place: Place, mind: _Mind) -> str:
    """What follows from an odd answer that this student gave before, or "" where nothing does."""
    exercise = place.exercise.id
    work = mind.carried.get(f"{exercise}.flops") or mind.carried.get(f"{exercise}.ops")
    traffic = mind.carried.get(f"{exercise}.bytes")
    loaded = mind.carried.get(f"{exercise}.loaded")
    traffic = traffic or (loaded and f"{loaded} + BF")
    usual = {"q1-int8-matmul": "BD + DF + BF", "q2-mixed-matmul": "2BD + DF + 2BF"}.get(exercise, "BD + BDF + BF")
    if place.part.id == "intensity" and place.part.type == "expression" and (work or traffic):
        return f"({work or '2BDF'})/({traffic or usual})"
    if place.part.id == "t_math" and work:
        return f"({work})/3.94e14"
    return f"({traffic})/8.1e11" if place.part.id == "t_comms" and traffic else ""


def _table(mind: _Mind, draw: Random) -> str:
    """Points of both curves, to four digits; weaker students forget the plateau or the width of an element."""
    width, flat = draw.choices(((2, True), (1, True), (2, False)), (70 + 25 * mind.skill, 10, 10))[0]
    rows = ["B,D,F,y"]
    for size in (1024, 4096):
        for batch in (1, 2, 4, 8, 16, 32, 64, 96, 128, 160, 192, 256, 384, 512, 1024, 2048):
            work = 2 * batch * size * size
            rate = 8.1e11 * work / (2 * width * batch * size + size * size)
            rows.append(f"{batch},{size},{size},{min(1.97e14, rate) if flat else rate:.4g}")
    return "\n".join(rows) + "\n"

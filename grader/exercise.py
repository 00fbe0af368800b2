"""The files of a course as its authors write them: exercises, common mistakes, and the course itself.

Every model is a frozen value; numbers and formulas stay texts in the answer language, to be read where they are used.
"""

from collections.abc import Iterable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Discriminator, Field, Tag, WithJsonSchema

from grader.errors import SpecError, did_you_mean
from grader.results import Reveal, Verdict
from grader.spec_reader import Spec, read_spec
from grader.specs import (
    AnswerType,
    Change,
    Check,
    CheckChoice,
    Credit,
    Duration,
    Edition,
    Flag,
    Folder,
    Formula,
    Id,
    MistakeId,
    Moment,
    Name,
    NotEmpty,
    Number,
    OneOrMore,
    Package,
    Symbol,
    UnitName,
    Variable,
    Whole,
    Words,
    number,
    shape,
)  # fmt: skip

# --- an exercise ------------------------------------------------------------------------------------------------------


class Choose(Spec):
    """Values of which each student gets one."""

    choose: Annotated[tuple[Formula, ...], NotEmpty]


class Parameter(Spec):
    """A quantity that the exercise states: a `value`, or several of which each student gets one (`choose`).

    `editions` are the values of other editions of the book; an answer that fits one of them is right, too.
    """

    value: Number | None = None
    choose: tuple[Number, ...] = ()
    unit: UnitName | None = None
    editions: dict[Edition, Number] = Field(default_factory=dict)


class Model(Spec):
    """What the reference solves: an operation, on an accelerator (or one of several), and its batch axis."""

    operation: Words | None = None
    accelerator: (
        Annotated[Annotated[Words, Tag("text")] | Annotated[Choose, Tag("mapping")], Discriminator(shape)] | None
    ) = None
    batch: Symbol | None = None


class Answer(Spec):
    """What kind of answer a part asks for, and the options of that kind."""

    type: AnswerType
    unit: UnitName | None = None
    unit_required: Flag = False
    strict: Flag = False
    side: Literal["optional", "required"] = "optional"
    symbols: tuple[Symbol, ...] = ()
    symbol: Symbol | None = None
    bound: Literal["lower", "upper"] | None = None
    options: dict[Id, Words] = Field(default_factory=dict)
    x: Symbol | None = None
    x_from: Number | None = Field(default=None, alias="from")
    x_to: Number | None = Field(default=None, alias="to")
    y: UnitName | None = None


# options that make sense with some answer types only (types that are added later may use any)
_OPTIONS = {
    "strict": {"threshold", "interval"},
    "side": {"threshold"},
    "bound": {"threshold", "expression"},
    "options": {"choice"},
    "x": {"curve"},
    "x_from": {"curve"},
    "x_to": {"curve"},
    "y": {"curve"},
}
_NEEDED = {"choice": ("options",), "curve": ("x", "x_from", "x_to", "y")}
CREDITED = frozenset({"leading", "unit", "side", "follow_through"})  # for which a part may give credit, beside mistakes
_TYPES = {"expression", "quantity", "threshold", "equation", "interval", "set", "choice", "curve"}


class Example(Spec):
    """A response with the verdict that it must earn, and the mistakes that must be named."""

    response: Annotated[str, WithJsonSchema({"type": ["string", "number"]})]
    verdict: Annotated[Verdict, Field(strict=False)]
    mistakes: Annotated[tuple[MistakeId, ...], OneOrMore()] = Field(default=(), alias="mistake")


class Part(Spec):
    """One question. `solution` is a quantity of the model or a formula over its quantities, `at` fixes sizes."""

    id: Id
    title: Words | None = None
    prompt: Words | None = None
    answer: Answer
    solution: Formula
    at: Change = Field(default_factory=dict)
    check: CheckChoice = Field(default_factory=Check)
    points: Whole
    credit: dict[MistakeId, Credit] = Field(default_factory=dict)
    series: tuple[dict[Symbol, Number], ...] = ()
    hint: Words | None = None
    examples: tuple[Example, ...] = ()


class Mistake(Spec):
    """A named mistake as changes of the model (several are faces of one misconception), or as literal wrong answers
    by part (`values`). With `verdict: correct` it is a convention: right, too."""

    id: MistakeId
    title: Words
    change: Annotated[tuple[Change, ...], OneOrMore()] = ()
    values: dict[Id, Annotated[tuple[Formula, ...], OneOrMore()]] = Field(default_factory=dict)
    kind: Literal["cause", "slip", "factor"] = "cause"
    only_in: tuple[Id, ...] = Field(default=(), alias="in")
    covers: tuple[MistakeId, ...] = ()
    feedback: Words | None = None
    hint: Words | None = None
    verdict: Literal["correct"] | None = None


class Exercise(Spec):
    """One exercise: what is given, its parts, and the mistakes of its own."""

    id: Id
    title: Words
    source: Words | None = None
    prompt: Words | None = None
    symbols: dict[Symbol, Words] = Field(default_factory=dict)
    regime: Words | None = None
    model: Model = Model()
    parameters: dict[Name, Parameter] = Field(default_factory=dict)
    parts: Annotated[tuple[Part, ...], NotEmpty]
    mistakes: tuple[Mistake, ...] = ()
    follows: Id | None = None

    def problems(self) -> Iterator[tuple[str, str]]:
        """What is wrong between fields."""
        yield from _repeated("parts", self.parts)
        yield from _repeated("mistakes", self.mistakes)
        yield from self._regime_problems()
        if {"lam", "lambda"} <= set(self.symbols):
            yield "symbols.lam", "lam and lambda are the same letter"
        if self.follows == self.id:
            yield "follows", "an exercise can't follow itself"
        for name, parameter in self.parameters.items():
            if (parameter.value is None) == (not parameter.choose):
                yield f"parameters.{name}", "either a value or choose: [...] is expected"
        for number_, part in enumerate(self.parts):
            for field, what in self._part_problems(part):
                yield f"parts.{number_}.{field}", what
        part_ids = [part.id for part in self.parts]
        for number_, mistake in enumerate(self.mistakes):
            for field, what in _mistake_problems(mistake, part_ids):
                yield f"mistakes.{number_}.{field}", what

    def _regime_problems(self) -> Iterator[tuple[str, str]]:
        if self.regime is None:
            return
        from grader.maths.regime import Regime

        try:
            names = Regime.read(self.regime).names
        except SpecError as error:
            yield "regime", str(error)
            return
        for name in names:
            yield from _declared("regime", name, self.symbols)

    def _part_problems(self, part: Part) -> Iterator[tuple[str, str]]:
        answer = part.answer
        names = [*self.symbols, *answer.symbols]
        for field in ("symbol", "x"):
            name = getattr(answer, field)
            if name is not None:
                yield from _declared(f"answer.{field}", name, names)
        for name in part.at:
            yield from _declared(f"at.{name}", name, [*self.symbols, *self.parameters])
        for number_, one in enumerate(part.series):
            for name in one:
                yield from _declared(f"series.{number_}.{name}", name, names)
        yield from _answer_problems(answer)
        if part.series and answer.type in _TYPES - {"curve"}:
            yield "series", f"goes with the type curve, not with {answer.type}"
        for name, credit in part.credit.items():
            if isinstance(credit, int) and credit > part.points:
                yield f"credit.{name}", f"more than the {part.points} points of the part"
            if credit == "full" and name != "follow_through":
                yield f"credit.{name}", "full goes with follow_through only; a whole number is expected"
        for number_, example in enumerate(part.examples):
            if example.mistakes and example.verdict in (Verdict.INVALID, Verdict.MISSING):
                yield f"examples.{number_}.mistake", f"an answer that is {example.verdict} shows no mistake"


def load_exercise(path: Path) -> Exercise:
    """The exercise in a file; SpecError with all faults."""
    return read_spec(path, Exercise)


def _repeated(field: str, items: Iterable[Part | Mistake]) -> Iterator[tuple[str, str]]:
    seen: set[str] = set()
    for number_, item in enumerate(items):
        if item.id in seen:
            yield f"{field}.{number_}.id", f"{item.id} is given twice"
        seen.add(item.id)


def _declared(field: str, name: str, names: Iterable[str]) -> Iterator[tuple[str, str]]:
    names = list(names)
    if name not in names:
        close = did_you_mean(name, names)
        yield field, f"{name} is not declared in symbols" + (f"; did you mean {close}?" if close else "")


def _answer_problems(answer: Answer) -> Iterator[tuple[str, str]]:
    for name, types in _OPTIONS.items():
        field = Answer.model_fields[name].alias or name
        if name in answer.model_fields_set and answer.type in _TYPES - types:
            yield f"answer.{field}", f"goes with the type {' or '.join(sorted(types))}, not with {answer.type}"
    for name in _NEEDED.get(answer.type, ()):
        if not getattr(answer, name):
            yield f"answer.{Answer.model_fields[name].alias or name}", f"missing: a {answer.type} needs it"
    if answer.x_from and answer.x_to and not 0 < number(answer.x_from) < number(answer.x_to):
        yield "answer.from", "from must be positive and smaller than to"
    if answer.unit_required and not (answer.unit or answer.y):
        yield "answer.unit_required", "which unit? add unit: ..."


def _mistake_problems(mistake: Mistake, parts: Iterable[str]) -> Iterator[tuple[str, str]]:
    if not (mistake.change or mistake.values) or not all(mistake.change):
        yield "change", "missing: what does the mistake change?"
    for part in mistake.values:
        if part not in parts:
            close = did_you_mean(part, parts)
            yield f"values.{part}", f"there is no part {part}" + (f"; did you mean {close}?" if close else "")


# --- common mistakes --------------------------------------------------------------------------------------------------


class Mistakes(Spec):
    """What is common to a course: `conventions` are right, too; `factors` are offered when nothing else fits; `slips`
    are the words for what the grader finds by itself from the ratio and the form of an answer."""

    conventions: tuple[Mistake, ...] = ()
    mistakes: tuple[Mistake, ...] = ()
    factors: tuple[Mistake, ...] = ()
    slips: tuple[Mistake, ...] = ()

    def problems(self) -> Iterator[tuple[str, str]]:
        """What is wrong between fields."""
        seen: set[str] = set()
        for section in ("conventions", "mistakes", "factors", "slips"):
            for number_, mistake in enumerate(getattr(self, section)):
                place = f"{section}.{number_}"
                if mistake.id in seen:
                    yield f"{place}.id", f"{mistake.id} is given twice"
                seen.add(mistake.id)
                if mistake.values:
                    yield f"{place}.values", "literal wrong answers belong to a part: put the mistake into its exercise"
                elif section == "slips":
                    if mistake.change:
                        yield f"{place}.change", "a slip changes no quantity: it is found from the ratio or the form"
                elif not mistake.change or not all(mistake.change):
                    yield f"{place}.change", "missing: what does the mistake change?"
                if section == "conventions" and mistake.verdict != "correct":
                    yield f"{place}.verdict", "a convention needs verdict: correct"
                if section != "conventions" and mistake.verdict == "correct":
                    yield f"{place}.verdict", "what is correct belongs to conventions"


def load_mistakes(path: Path) -> Mistakes:
    """The course's common mistakes; SpecError with all faults."""
    return read_spec(path, Mistakes)


# --- the course -------------------------------------------------------------------------------------------------------

Level = Annotated[Reveal, Field(strict=False)]


class RevealFrom(Spec):
    """From a moment on, a level of feedback."""

    since: Moment = Field(alias="from")
    level: Level


class Due(Spec):
    """When answers are due, which clock says so, and how much later still counts as in time."""

    at: Moment
    source: Literal["release", "lms", "commit"] = Field(default="lms", alias="from")
    grace: Duration = timedelta(0)


class Late(Spec):
    """What being late costs: whole points a day begun, at most `cap`."""

    points_per_day: Whole
    cap: Whole | None = None


class CourseFile(Spec):
    """A course: its exercises in order, and its rules."""

    id: Id
    title: Words
    reference: Package
    exercises: Annotated[tuple[Id, ...], NotEmpty]
    reveal: Annotated[
        Annotated[Level, Tag("text")] | Annotated[tuple[RevealFrom, ...], Tag("list")], Discriminator(shape)
    ] = Reveal.MISTAKE
    due: Due | None = None
    late: Late | None = None
    attempts: Literal["latest", "best"] = "latest"
    extensions: dict[Words, Duration] = Field(default_factory=dict)
    secret_env: Variable | None = None
    templates: Folder | None = None

    def problems(self) -> Iterator[tuple[str, str]]:
        """What is wrong between fields."""
        for number_, name in enumerate(self.exercises):
            if name in self.exercises[:number_]:
                yield f"exercises.{number_}", f"{name} is given twice"
        if isinstance(self.reveal, tuple):
            moments = [entry.since for entry in self.reveal]
            if not moments or moments != sorted(moments):
                yield "reveal", "the dates must be in order, the earliest first"
        if self.late and self.due is None:
            yield "late", "late from when? add due: {at: ...}"
        if self.extensions and self.due is None:
            yield "extensions", "longer than what? add due: {at: ...}"


def load_course_file(path: Path) -> CourseFile:
    """The course in a file; SpecError with all faults."""
    return read_spec(path, CourseFile)

"""A course as grading needs it: plain frozen values that load from JSON in a millisecond, without pydantic or sympy.

`grader.course` makes them from the YAML files and the reference. Formulas are texts in the answer language.
"""

from collections.abc import Mapping, Sequence
from dataclasses import field, fields
from decimal import Decimal
from fractions import Fraction
from functools import cache, cached_property
from typing import Any

from grader.values import frozen

# the files by which the folder of a course, and that of its student edition, are known
COURSE, EDITION = "course.yaml", "edition.json"

Change = Mapping[str, str]  # quantity -> formula (or text, for a text quantity)
Row = Sequence[Any]
Group = tuple[str, ...]  # the ids of mistakes that together give a value
Groups = Sequence[Sequence[str]]
Pairs = Mapping[str, Groups]  # groups by fingerprint, by that of the leading term with `~` in front


@frozen(kw_only=True)
class Model:
    """One model as a graph of named quantities: formulas by name, and the quantities whose value is a text."""

    formulas: Mapping[str, str]
    texts: Mapping[str, str] = field(default_factory=dict)


@frozen(kw_only=True)
class Mistake:
    """A named mistake (or a convention) as changes of the model; several changes are faces of one misconception."""

    id: str
    title: str
    kind: str  # convention, cause, slip, factor, or generic (found from the ratio or the form alone)
    changes: tuple[Change, ...] = ()
    exercises: tuple[str, ...] = ()  # offered in these only; everywhere if empty
    values: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # part -> literal wrong answers
    covers: tuple[str, ...] = ()
    feedback: str = ""
    hint: str = ""
    line: int | None = None


@frozen(kw_only=True)
class Example:
    """A response with the verdict that it must earn, and the mistakes that must be named."""

    response: str
    verdict: str
    mistakes: tuple[str, ...] = ()
    line: int | None = None


@frozen(kw_only=True)
class Part:
    """One part of an exercise. `options` are the answer type's own, `check_options` the check's."""

    id: str
    title: str
    prompt: str
    type: str
    solution: str
    points: int
    check: str
    at: Change = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    check_options: Mapping[str, str] = field(default_factory=dict)
    credit: Mapping[str, int | str] = field(default_factory=dict)
    examples: tuple[Example, ...] = ()
    line: int | None = None


@frozen(kw_only=True)
class Exercise:
    """One exercise. `models` are by accelerator (one, or the several that may be drawn); `draws` are by parameter."""

    id: str
    title: str
    prompt: str
    file: str
    symbols: Mapping[str, str]
    models: Mapping[str, Model]
    parts: tuple[Part, ...]
    source: str = ""
    regime: str | None = None
    follows: str | None = None
    draws: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    units: Mapping[str, str] = field(default_factory=dict)  # of the quantities whose unit the exercise states
    mistakes: tuple[Mistake, ...] = ()


@frozen(kw_only=True)
class Policy:
    """The rules of the gradebook: nothing here changes what is said of an answer.

    `due_at` is in ISO 8601, `clock` says whose time stamp counts ("release", "lms" or "commit"), `grace` and
    `extensions` (by student) are in seconds. `late_points` are taken off for each day begun, at most `late_cap`.
    """

    due_at: str = ""
    clock: str = "lms"
    grace: int = 0
    late_points: int = 0
    late_cap: int | None = None
    attempts: str = "latest"  # or "best"
    extensions: Mapping[str, int] = field(default_factory=dict)


@frozen(kw_only=True)
class Course:
    """A whole course. `mistakes` are the course-wide ones, conventions first; `secret_env` names the environment
    variable from which the course's secret is read."""

    id: str
    title: str
    exercises: tuple[Exercise, ...]
    mistakes: tuple[Mistake, ...]
    reveal: tuple[tuple[str, str], ...] = (("", "mistake"),)  # moment from which it holds (ISO), level
    secret_env: str = ""
    templates: str = ""  # the folder of the course's own, within its own folder
    policy: Policy = field(default_factory=Policy)


@frozen(slots=False)
class Key:
    """One value that a part can have. `mistakes` is empty for what is right; `conventions` are those it rests on.

    `value` is the text of the value in the answer language, `relation` the direction of a threshold, `fingerprint` and
    `leading` are the look-up keys of the value and of its leading term (where there is a regime).
    """

    value: str
    fingerprint: str
    leading: str = ""
    relation: str = ""
    conventions: tuple[str, ...] = ()
    mistakes: tuple[str, ...] = ()

    @cached_property
    def number(self) -> Fraction | None:
        """The value where it is a number."""
        top, _, bottom = self.value.partition("/")
        try:
            return Fraction(Decimal(top)) / Fraction(Decimal(bottom or "1"))
        except (ArithmeticError, ValueError):
            return None

    def row(self) -> Row:
        """The key as a row of JSON data."""
        return (self.value, self.fingerprint, self.leading, self.relation, self.conventions, self.mistakes)

    @classmethod
    def of(cls, row: Row) -> "Key":
        """The key of such a row."""
        value, mark, leading, relation, conventions, mistakes = row
        return cls(value, mark, leading, relation, tuple(conventions), tuple(mistakes))


@frozen(kw_only=True, slots=False)
class PartKeys:
    """The keys of one part: `right` has the solution first; `wrong` is in the order in which mistakes are tried.

    `meanings` are the formulas for which the part's own symbols stand (T_math in a bound).
    """

    right: tuple[Key, ...]
    wrong_rows: tuple[Row, ...]
    meanings: Mapping[str, str]

    @cached_property
    def wrong(self) -> tuple[Key, ...]:
        """The values that mistakes give; made when first needed, since a right answer never asks."""
        return tuple(Key.of(row) for row in self.wrong_rows)

    @cached_property
    def wrong_mistakes(self) -> frozenset[str]:
        """The mistakes that change this part's value: a right answer here speaks against them."""
        return frozenset(name for key in self.wrong for name in key.mistakes)

    @cached_property
    def wrong_by_fingerprint(self) -> Mapping[str, tuple[Key, ...]]:
        """The wrong keys by fingerprint of their value, and by fingerprint of their leading term with `~` in front."""
        found: dict[str, list[Key]] = {}
        for key in self.wrong:
            found.setdefault(key.fingerprint, []).append(key)
            if key.leading:
                found.setdefault(f"~{key.leading}", []).append(key)
        return {mark: tuple(keys) for mark, keys in found.items()}

    @cached_property
    def wrong_numbers(self) -> tuple[tuple[float, int], ...]:
        """The wrong keys that are numbers, in order of size: the number, and the key's place in `wrong`."""
        numbers = ((key.number, place) for place, key in enumerate(self.wrong))
        return tuple(sorted((float(number), place) for number, place in numbers if number is not None))

    def to_json(self) -> dict[str, Any]:
        """The keys as JSON data."""
        return {"right": [key.row() for key in self.right], "wrong": self.wrong_rows, "meanings": dict(self.meanings)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "PartKeys":
        """The keys of such data."""
        right = tuple(Key.of(row) for row in data["right"])
        return cls(right=right, wrong_rows=data["wrong"], meanings=data["meanings"])


_NESTED: Mapping[str, Any] = {
    "exercises": Exercise,
    "parts": Part,
    "examples": Example,
    "mistakes": Mistake,
}


def from_json(kind: Any, data: Mapping[str, Any]) -> Any:
    """The value of class `kind` from the JSON data that `grader.results.to_json` made of it."""
    known = _names(kind)
    return kind(**{name: _value(kind, name, value) for name, value in data.items() if name in known})


@cache
def _names(kind: Any) -> frozenset[str]:
    return frozenset(f.name for f in fields(kind))


def _value(kind: Any, name: str, value: Any) -> Any:
    if (kind, name) in ((Mistake, "exercises"), (Example, "mistakes")):
        return tuple(value)
    if name in _NESTED:
        return tuple(from_json(_NESTED[name], item) for item in value)
    if name == "policy":
        return from_json(Policy, value)
    if name == "models":
        return {accelerator: from_json(Model, model) for accelerator, model in value.items()}
    if name == "reveal":
        return tuple((since, level) for since, level in value)
    if name in ("draws", "values"):
        return {key: tuple(items) for key, items in value.items()}
    return tuple(value) if isinstance(value, list) else value

"""The student edition of a course: what is asked and how answers are read, and nothing of what is right.

What is in it is an allow-list: a field that is not named here is not in an edition. It is one small JSON file, read
without pydantic or sympy.
"""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grader.compiled import EDITION, Change, Course, Exercise, Part, PartKeys
from grader.errors import GraderError, SpecError
from grader.files import read_bytes
from grader.keyring import Keyring
from grader.plugins import tags

if TYPE_CHECKING:
    from grader.solutions import Solver

NO_KEYS = "this is a student edition, which has no keys: answers can be checked against it, not graded"
_FORM = 1
_LIMIT = 4 * 1024 * 1024  # bytes

Kind = Callable[[Any], Any]


class NoKeys(Keyring):
    """The keyring of an edition: answers are read without any key, and the same for every student."""

    def variant(self, exercise: Exercise, student: str) -> Change:  # noqa: ARG002
        """No parameters: reading needs none."""
        return {}

    def keys(self, exercise: Exercise, variant: Change) -> Mapping[str, PartKeys]:  # noqa: ARG002
        """Nothing is right, nothing is wrong, and no symbol has a formula."""
        return {part.id: PartKeys(right=(), wrong_rows=(), meanings={}) for part in exercise.parts}

    def solver(self, exercise: Exercise, variant: Change) -> "Solver":  # noqa: ARG002
        """There is nothing to solve."""
        raise SpecError(f"{exercise.file}: {NO_KEYS}")


# what a student may see, with how each value is checked when an edition is read: it may lie in a student's folder


def _text(value: Any) -> str:
    text = str(_is(str, value))
    text.encode()  # ValueError for half a character, which JSON can hold
    return text


def _type(value: Any) -> str:
    if value not in tags("answers"):
        raise ValueError(value)
    return _text(value)


def _texts(value: Any) -> tuple[str, ...]:
    return tuple(_text(one) for one in _is(list, value))


def _named(value: Any) -> dict[str, str]:
    return {name: _text(one) for name, one in _is(dict, value).items()}


def _is(kind: type, value: Any) -> Any:
    if type(value) is not kind:
        raise TypeError
    return value


_COURSE: Mapping[str, Kind] = {"id": _text, "title": _text}
_EXERCISE: Mapping[str, Kind] = {
    **dict.fromkeys(("id", "title", "prompt", "source"), _text),
    "symbols": _named,
    "regime": lambda value: None if value is None else _text(value),
    "draws": lambda value: dict.fromkeys(_texts(value), ()),  # the names, never the values
    "units": _named,  # of the parts' own symbols
}
_PART: Mapping[str, Kind] = {
    **dict.fromkeys(("id", "title", "prompt"), _text),
    "type": _type,
    "points": lambda value: _is(int, value),
    "at": lambda value: dict.fromkeys(_texts(value), ""),  # the names of the sizes that are fixed
}
_OPTIONS: Mapping[str, Kind] = {
    **dict.fromkeys(("unit", "symbol", "bound", "x", "y", "from", "to"), _text),
    "unit_required": lambda value: _is(bool, value),
    "symbols": _texts,
    "options": _named,
    "series": lambda value: tuple(_named(one) for one in _is(list, value)),
}


def edition(course: Course) -> dict[str, Any]:
    """The student edition of a course as JSON data."""
    exercises = [{**_allowed(one, _EXERCISE), **_of_exercise(one)} for one in course.exercises]
    return {"edition": _FORM, **_allowed(course, _COURSE), "exercises": exercises}


def _allowed(value: Any, fields: Mapping[str, Kind]) -> dict[str, Any]:
    return {name: getattr(value, name) for name in fields}


def _of_exercise(exercise: Exercise) -> dict[str, Any]:
    from grader.asking import units_of

    own = [name for part in exercise.parts for name in part.options.get("symbols", ())]
    return {
        "draws": sorted(exercise.draws),
        "units": units_of(own, exercise.units),
        "parts": [_of_part(part) for part in exercise.parts],
    }


def _of_part(part: Part) -> dict[str, Any]:
    options = {name: part.options[name] for name in _OPTIONS if part.options.get(name) is not None}
    return {**_allowed(part, _PART), "at": list(part.at), "options": options}


def read_edition(folder: Path) -> Course:
    """The course of an edition, without anything by which to grade; SpecError if the file is none."""
    file = folder / EDITION
    try:
        data = json.loads(read_bytes(file, str(file), _LIMIT))
        if _is(dict, data)["edition"] != _FORM:
            raise SpecError(f"{file}: this edition is of another version of the grader; write it again with release")
        return course_of(data, str(file))
    except (ValueError, TypeError, KeyError, RecursionError):
        raise SpecError(f"{file}: this is no student edition; write it again with grader release") from None


def course_of(data: Mapping[str, Any], file: str) -> Course:
    """The course of an edition's JSON data; TypeError or KeyError if a value is missing or of another kind."""
    exercises = tuple(_exercise(one, file) for one in _is(list, data["exercises"]))
    return Course(**_read(data, _COURSE), exercises=exercises, mistakes=())


def _exercise(data: Mapping[str, Any], file: str) -> Exercise:
    parts = tuple(_part(one) for one in _is(list, data["parts"]))
    return Exercise(**_read(data, _EXERCISE), file=file, models={}, parts=parts)


def _part(data: Mapping[str, Any]) -> Part:
    given = _is(dict, data["options"])
    options = {name: kind(given[name]) for name, kind in _OPTIONS.items() if name in given}
    return Part(**_read(data, _PART), options=options, solution="", check="")


def _read(data: Mapping[str, Any], fields: Mapping[str, Kind]) -> dict[str, Any]:
    return {name: kind(data[name]) for name, kind in fields.items()}


def is_edition(folder: Path) -> bool:
    """Whether the folder holds a student edition that can be read."""
    try:
        read_edition(folder)
    except GraderError:
        return False
    return True

"""What Gradescope tells of a submission: who handed it in, when, and what the assignment is worth."""

import json
from collections.abc import Iterator
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from grader.errors import SubmissionError
from grader.files import read_bytes
from grader.moments import moment
from grader.values import frozen

METADATA = "submission_metadata.json"

_LIMIT = 16 << 20
_IDS = ("sid", "email", "id")  # as in an export: the student id where there is one, else the address


@frozen(kw_only=True)
class Person:
    """One who handed in. `ids` are all texts that name them, the best first."""

    ids: tuple[str, ...]
    name: str = ""


@frozen(kw_only=True)
class Metadata:
    """`created` and `due` (the late due date where there is one) are in ISO 8601 with their offset, "" where they are
    not known; `points` is what the assignment is worth. `notes` say what is wrong with the file."""

    created: str = ""
    people: tuple[Person, ...] = ()
    due: str = ""
    points: Decimal | None = None
    notes: tuple[str, ...] = ()


def read_metadata(path: Path) -> Metadata:
    """What the file says; never raises, since a submission is graded whatever is wrong with it."""
    try:
        data = json.loads(read_bytes(path, METADATA, _LIMIT))
    except SubmissionError as error:
        return Metadata(notes=(f"{error}; nobody's name and no time is known",))
    except (ValueError, RecursionError):
        return Metadata(notes=(f"{METADATA}: this is no JSON; nobody's name and no time is known",))
    fields = _mapping(data)
    assignment = _mapping(fields.get("assignment"))
    created, people = moment(_text(fields.get("created_at"))) or "", tuple(_people(fields.get("users")))
    return Metadata(
        created=created,
        people=people,
        due=moment(_text(assignment.get("late_due_date"))) or moment(_text(assignment.get("due_date"))) or "",
        points=_number(_text(assignment.get("total_points"))),
        notes=tuple(
            f"{METADATA}: {what}"
            for what, known in (("created_at is no time: lateness is not judged", created), ("no users", people))
            if not known
        ),
    )


def _people(users: Any) -> Iterator[Person]:
    for user in users if isinstance(users, list) else ():
        fields = {name: _text(_mapping(user).get(name)) for name in (*_IDS, "name")}
        ids = tuple(dict.fromkeys(fields[name] for name in _IDS if fields[name]))
        if ids:
            yield Person(ids=ids, name=fields["name"])


def _mapping(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _text(value: Any) -> str:
    """A text or a number as text, "" for anything else; halves of surrogate pairs are escaped."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return ""
    return str(value).encode("utf-8", "backslashreplace").decode("utf-8").strip()[:300]


def _number(text: str) -> Decimal | None:
    try:
        number = Decimal(text)
    except InvalidOperation:
        return None
    return number if number.is_finite() else None

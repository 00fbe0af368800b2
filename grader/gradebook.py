"""The gradebook: one row a student, after attempts, overrides and lateness. Everything that leaves goes through it."""

import hashlib
import hmac
import re
from collections.abc import Mapping
from dataclasses import field, replace

from grader.results import ExerciseResult, Override, PartResult, Result
from grader.values import frozen


@frozen(kw_only=True)
class Student:
    """One student as the roster knows them. `aliases` are all other texts by which files and gradebooks name them
    (logins, numbers, e-mail addresses), the student's id among them."""

    id: str
    name: str = ""
    email: str = ""
    section: str = ""
    aliases: tuple[str, ...] = ()


@frozen(kw_only=True)
class Row:
    """One student with what counts: a result whose points are the total; `attempts` says how many were handed in."""

    student: Student
    result: Result
    attempts: int = 1


@frozen(kw_only=True)
class Column:
    """One part in a gradebook. `quantity` is the one of the model that it asks for, "" where it asks for a formula."""

    exercise: str
    part: str
    title: str
    max_points: int
    quantity: str = ""


@frozen(kw_only=True)
class Outline:
    """What a gradebook must know of the course; `exercises` are titles and prompts by id, `templates` the folder of its
    own templates within its folder."""

    course: str
    title: str
    columns: tuple[Column, ...]
    exercises: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    templates: str = ""
    run: Mapping[str, str] = field(default_factory=dict)  # grader version, digests of spec and key, when graded

    @property
    def max_points(self) -> int:
        """The points of the whole course."""
        return sum(column.max_points for column in self.columns)


Overrides = Mapping[tuple[str, str], Override]  # by exercise and part; `before` is filled in when applied

_ANONYMOUS = re.compile(r"anon-[0-9a-f]{12}")


def anonymous(row: Row, key: bytes) -> Row:
    """The row under a pseudonym, the same for the same student and key; without the key it leads to nobody.

    Name, address, section and aliases are gone, and so is all free text about the submission as a whole and about
    points that a person gave: it may name people, paths and files. What was typed as answers stays as it is.
    """
    name = pseudonym(row.student.id, key)
    result = replace(
        row.result,
        student=name, name="", source="", remarks=(), message="", flags=(),
        exercises=tuple(map(_anonymous_exercise, row.result.exercises)),
    )  # fmt: skip
    return replace(row, student=Student(id=name), result=result)


def pseudonym(student: str, key: bytes) -> str:
    """What stands for a student's id where nobody should know it."""
    if not key:
        raise ValueError("a pseudonym needs a key: without one anybody could make the list of all")
    digest = hmac.new(key, student.encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest()
    return f"anon-{digest[:12]}"


def is_anonymous(student: Student) -> bool:
    """Whether this is a pseudonym that `anonymous` gave."""
    return bool(_ANONYMOUS.fullmatch(student.id)) and not (student.name or student.aliases)


def _anonymous_exercise(exercise: ExerciseResult) -> ExerciseResult:
    return replace(exercise, parts=tuple(map(_anonymous_part, exercise.parts)))


def _anonymous_part(part: PartResult) -> PartResult:
    if part.override is None:
        return part
    return replace(part, override=replace(part.override, why="", by=""))

"""The gradebook: one row a student, after attempts, overrides and lateness. Everything that leaves goes through it."""

from collections.abc import Mapping
from dataclasses import field

from grader.results import Override, Result
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
    """One part in a gradebook."""

    exercise: str
    part: str
    title: str
    max_points: int


@frozen(kw_only=True)
class Outline:
    """What a gradebook must know of the course."""

    course: str
    title: str
    columns: tuple[Column, ...]
    run: Mapping[str, str] = field(default_factory=dict)  # grader version, digests of spec and key, when graded

    @property
    def max_points(self) -> int:
        """The points of the whole course."""
        return sum(column.max_points for column in self.columns)


Overrides = Mapping[tuple[str, str], Override]  # by exercise and part; `before` is filled in when applied

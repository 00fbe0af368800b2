"""What an export may ask for beside the rows, and the error that it raises."""

from collections.abc import Callable, Sequence
from pathlib import Path

from grader.errors import GraderError
from grader.results import Result
from grader.values import frozen


@frozen(kw_only=True)
class Options:
    """`template` is the instructor's own file to fill in, `column` the column in it where there are several.

    `page` gives the HTML page of one student as the student may see it, `comment` a short plain text.
    """

    template: Path | None = None
    column: str = ""
    page: Callable[[Result], str] | None = None
    comment: Callable[[Result], str] | None = None


class ExportError(GraderError):
    """A gradebook can't be written as asked; `students` are those who can't be placed."""

    def __init__(self, what: str, students: Sequence[str] = ()) -> None:
        self.students = tuple(students)
        super().__init__("\n".join([what, *(f"  {student}" for student in students)]))

"""What an export may ask for beside the rows, and the error that it raises."""

from collections.abc import Callable, Sequence
from pathlib import Path

from grader.errors import GraderError
from grader.results import Result
from grader.values import frozen


@frozen(kw_only=True)
class Options:
    """`template` is the instructor's own file to fill in, `column` the column in it where there are several.

    `page` gives the HTML page of one student as the student may see it, `comment` a short plain text. `view` leaves
    out of a result what the student may not see; formats whose texts a student reads (gradescope, junit) show no more
    than it does. `note` is told what was left alone, a line each. `archive` asks for a zip of several files also where
    there is only one.
    """

    template: Path | None = None
    column: str = ""
    archive: bool = False
    page: Callable[[Result], str] | None = None
    comment: Callable[[Result], str] | None = None
    view: Callable[[Result], Result] | None = None
    note: Callable[[str], None] | None = None

    def seen(self, result: Result) -> Result:
        """The result as its reader may see it."""
        return result if self.view is None else self.view(result)

    def tell(self, what: str, students: Sequence[str] = ()) -> None:
        """Tell what was left alone."""
        if self.note is not None:
            self.note("\n".join([what, *(f"  {student}" for student in students)]))


class ExportError(GraderError):
    """A gradebook can't be written as asked; `students` are those who can't be placed."""

    def __init__(self, what: str, students: Sequence[str] = ()) -> None:
        self.students = tuple(students)
        super().__init__("\n".join([what, *(f"  {student}" for student in students)]))

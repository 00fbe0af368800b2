"""What a student sees at once and what later, by the course's `reveal` and the time of handing in.

The clock is never asked, so that grading again gives the same. Gradescope shows results at once, after the due date, or
when the staff publish them; a course may give any date. So the level that holds when a submission comes in is shown at
once. Where that is none, points are kept back, and the course's next level goes with them: after the due date if the
course reveals it by then, else when the staff publish. A course that never reveals anything keeps them hidden.
"""

from datetime import datetime

from grader.compiled import Course
from grader.exports.gradescope import Later
from grader.results import Result, Reveal
from grader.reveal import student_view
from grader.values import frozen


@frozen
class Shown:
    """The level that is shown at once, the one that is shown later if any, and when ("hidden": never)."""

    now: Reveal
    next: Reveal | None = None
    when: str = "hidden"

    @property
    def most(self) -> Reveal:
        """The higher of the two."""
        return self.next or self.now

    @property
    def later(self) -> Later:
        """The second of them, for results.json."""
        return Later(self.when, None if self.next is None else self._view)

    def _view(self, result: Result) -> Result:
        return student_view(result, self.next or self.now)


def shown(course: Course, created: str, due: str) -> Shown:
    """What is shown of a submission; both moments are in ISO 8601 with their offset, "" where they are not known."""
    reached = [level for since, level in course.reveal if not since or (created and _at(since) <= _at(created))]
    now = Reveal(reached[-1]) if reached else Reveal.NONE
    if now != Reveal.NONE:
        return Shown(now)
    for since, level in course.reveal[len(reached) :]:
        if level != Reveal.NONE:
            return Shown(now, Reveal(level), "after_due_date" if due and _at(since) <= _at(due) else "after_published")
    return Shown(now)


def _at(moment: str) -> datetime:
    return datetime.fromisoformat(moment)

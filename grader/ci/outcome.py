"""What came of a job: the result, what the student may see of it, and the marks that follow."""

from collections.abc import Callable
from dataclasses import replace

from grader.exports.options import Options
from grader.gradebook import Outline, Row, Student
from grader.results import PartResult, Result, Reveal, Status, Verdict
from grader.reveal import student_view
from grader.values import changed, frozen

_LONGEST_ANSWER = 1000  # characters; more is never a readable answer
_SHOWN = 200
_LONGEST_MESSAGE = 1000
_MOST_REMARKS = 20

Mark = Callable[[int, int], bool]


@frozen(kw_only=True)
class Outcome:
    """The full record of one submission, for what keeps the points; `seen` is all that is shown, and bounded in size.

    `reading` says that answers were read and not graded, since the course is a student edition. `reaches` decides
    whether points, of so many, are enough.
    """

    result: Result
    seen: Result
    outline: Outline
    reaches: Mark
    reading: bool = False

    @property
    def row(self) -> Row:
        """The submission as a gradebook has it."""
        return Row(student=Student(id=self.result.student), result=self.result)

    @property
    def options(self) -> Options:
        """What exports may show."""
        return Options(view=lambda _: self.seen)

    @property
    def scored(self) -> bool:
        """Whether there are points that may be told."""
        return self.seen.points is not None

    @property
    def passed(self) -> bool:
        """Whether there is nothing to mend: enough points, or, where there are none to tell, all answers read."""
        if self.result.status != Status.GRADED:
            return False
        if not self.scored:
            return all(part.verdict != Verdict.INVALID for part in parts(self.seen))
        return self.reaches(self.result.points or 0, self.outline.max_points)

    @property
    def status(self) -> str:
        """`pass`, `fail`, or `error` for a failure of ours."""
        return "error" if self.result.status == Status.FAILED else "pass" if self.passed else "fail"


def graded(result: Result, outline: Outline, reveal: Reveal, reaches: Mark) -> Outcome:
    """What came of grading a submission."""
    return Outcome(result=result, seen=shortened(student_view(result, reveal)), outline=outline, reaches=reaches)


def failed(reason: str, outline: Outline) -> Outcome:
    """What came of a job in which the grader failed."""
    result = Result(student="", source="", status=Status.FAILED, max_points=outline.max_points, message=reason)
    return Outcome(result=result, seen=shortened(result), outline=outline, reaches=all_points)


def all_points(points: int, most: int) -> bool:
    """The mark where none is set."""
    return points >= most


def parts(result: Result) -> tuple[PartResult, ...]:
    """All parts of a result, in order."""
    return tuple(part for exercise in result.exercises for part in exercise.parts)


def shortened(result: Result) -> Result:
    """The result with texts of a length that a log and a page can bear; what is cut says how long it was."""
    remarks = tuple(cut(remark, 2 * _SHOWN) for remark in result.remarks[:_MOST_REMARKS])
    if len(result.remarks) > _MOST_REMARKS:
        remarks += (f"and {len(result.remarks) - _MOST_REMARKS:,} more remarks",)
    exercises = tuple(replace(each, parts=tuple(map(_shortened, each.parts))) for each in result.exercises)
    return replace(
        result,
        exercises=exercises,
        remarks=remarks,
        message=cut(result.message, _LONGEST_MESSAGE),
        student=cut(result.student, _SHOWN),
        name=cut(result.name, _SHOWN),
        source=cut(result.source, _LONGEST_ANSWER),
    )


def _shortened(part: PartResult) -> PartResult:
    long = len(part.response) > _LONGEST_ANSWER
    far = long and part.position is not None and part.position > _SHOWN
    return changed(
        part,
        response=cut(part.response, _SHOWN) if long else part.response,
        position=None if far else part.position,
        message=cut(part.message, _LONGEST_MESSAGE),
        remarks=tuple(cut(remark, 2 * _SHOWN) for remark in part.remarks[:_MOST_REMARKS]),
    )


def cut(text: str, length: int) -> str:
    """The text, or its beginning and how long it was."""
    return text if len(text) <= length else f"{text[:length]}… ({len(text):,} characters)"

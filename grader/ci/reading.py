"""What can be said of answers without a solution: how each one was read, and what to mend of its form."""

from collections.abc import Mapping
from dataclasses import replace

from grader.ci.outcome import Outcome, all_points, shortened
from grader.compiled import Exercise
from grader.course import LoadedCourse, outline
from grader.grading import Grader
from grader.results import ExerciseResult, PartResult, Result, Status, Verdict
from grader.submission import Response, Submission
from grader.values import changed


def read_only(submission: Submission, loaded: LoadedCourse) -> Outcome:
    """The submission read against a student edition: neither verdicts nor points."""
    grading = Grader(loaded.keyring)
    responses, remarks = grading.matched(submission)
    result = Result(
        student=submission.student, source=submission.source, status=submission.status, message=submission.message,
        max_points=grading.max_points, remarks=(*submission.remarks, *remarks), name=submission.name,
    )  # fmt: skip
    if submission.status == Status.GRADED:
        result = replace(
            result,
            exercises=tuple(_read(exercise, submission, responses, grading) for exercise in grading.course.exercises),
        )
    seen = replace(
        result,
        points=None,
        exercises=tuple(
            replace(exercise, points=None, parts=tuple(map(_told, exercise.parts))) for exercise in result.exercises
        ),
    )
    return Outcome(
        result=result, seen=shortened(seen), outline=outline(loaded.course), reaches=all_points, reading=True
    )


def _read(
    exercise: Exercise, submission: Submission, responses: Mapping[tuple[str, str], Response], grading: Grader
) -> ExerciseResult:
    """How the answers to one exercise were read; nothing is decided of those that could be."""
    parts = tuple(
        marker.read(responses.get((exercise.id, marker.part.id)), submission.attachments)
        for marker in grading.markers(exercise, submission.student)
    )
    most = sum(part.max_points for part in parts)
    return ExerciseResult(
        id=exercise.id, title=exercise.title, prompt=exercise.prompt, points=0, max_points=most, parts=parts
    )


def _told(part: PartResult) -> PartResult:
    """A part that was read has no verdict; what could not be read keeps the word for that."""
    read = part.verdict == Verdict.UNDECIDED and part.read_as is not None
    return changed(part, verdict=None if read else part.verdict, points=None)

"""From a submission to its result: every response marked, with the student's earlier answers as evidence."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from itertools import islice

from grader.compiled import Change, Course, Exercise
from grader.diagnosis.evidence import Evidence
from grader.errors import did_you_mean
from grader.keyring import Keyring, variants
from grader.marking import Marker
from grader.maths.domain import Domain
from grader.maths.regime import Regime
from grader.results import ExerciseResult, PartResult, Result, Reveal, Status, Verdict
from grader.submission import Response, Submission

ANOTHER_SHEET = "this is right for the numbers of another sheet"
_MOST_SHEETS = 64


class Grader:
    """Grades submissions against a course."""

    def __init__(self, keyring: Keyring, reveal: Reveal = Reveal.MISTAKE) -> None:
        self.keyring = keyring
        self.course: Course = keyring.course
        self._with_solutions = reveal == Reveal.FULL  # they are not even in the result below that level
        self._markers: dict[tuple[str, tuple[tuple[str, str], ...]], tuple[Marker, ...]] = {}

    def markers(self, exercise: Exercise, student: str) -> tuple[Marker, ...]:
        """The markers of the exercise's parts for this student's sheet."""
        return self.variant_markers(exercise, self.keyring.variant(exercise, student))

    def variant_markers(self, exercise: Exercise, variant: Change) -> tuple[Marker, ...]:
        """The markers of the exercise's parts in one variant."""
        name = (exercise.id, tuple(sorted(variant.items())))
        if name not in self._markers:
            keys = self.keyring.keys(exercise, variant)
            domain = Domain(regime=Regime.read(exercise.regime) if exercise.regime else None, key=self.keyring.key)
            mistakes = {m.id: m for m in (*self.course.mistakes, *exercise.mistakes)}
            solver = partial(self.keyring.solver, exercise, variant)
            self._markers[name] = tuple(
                Marker(
                    exercise, p, keys[p.id], domain, mistakes, solver, partial(self.keyring.pairs, exercise, variant, p)
                )
                for p in exercise.parts
            )
        return self._markers[name]

    def grade(self, submission: Submission) -> Result:
        """The result of one submission; parts never answered are `missing`."""
        most = sum(part.points for exercise in self.course.exercises for part in exercise.parts)
        if submission.status != Status.GRADED:
            return Result(
                student=submission.student, source=submission.source, status=submission.status, max_points=most,
                remarks=submission.remarks, message=submission.message,
            )  # fmt: skip
        responses, remarks = self.matched(submission)
        evidence: dict[str, Evidence] = {}
        exercises = tuple(self._exercise(e, submission, responses, evidence) for e in self.course.exercises)
        return Result(
            student=submission.student,
            source=submission.source,
            status=Status.GRADED,
            points=sum(exercise.points or 0 for exercise in exercises),
            max_points=most,
            exercises=exercises,
            remarks=(*submission.remarks, *remarks),
        )

    def _exercise(
        self,
        exercise: Exercise,
        submission: Submission,
        responses: Mapping[tuple[str, str], Response],
        evidence: dict[str, Evidence],
    ) -> ExerciseResult:
        """The exercise's parts in order; what each says is evidence for those after it."""
        known = (
            evidence.get(exercise.follows, Evidence()).seen_from(exercise.follows) if exercise.follows else Evidence()
        )
        parts: list[PartResult] = []
        for marker in self.markers(exercise, submission.student):
            response = responses.get((exercise.id, marker.part.id))
            part, earlier = marker.examine(response, submission.attachments, known)
            wrong = part.verdict == Verdict.INCORRECT
            if wrong and self._fits_another_sheet(exercise, marker, response, submission.attachments):
                part = replace(part, remarks=(*part.remarks, ANOTHER_SHEET))
            parts.append(marker.solved(part) if self._with_solutions else part)
            known = known.with_answer(earlier)
        evidence[exercise.id] = known
        return ExerciseResult(
            id=exercise.id,
            title=exercise.title,
            prompt=exercise.prompt,
            points=sum(part.points or 0 for part in parts),
            max_points=sum(part.max_points for part in parts),
            parts=tuple(parts),
        )

    def _fits_another_sheet(
        self, exercise: Exercise, marker: Marker, response: Response | None, attachments: Mapping[str, str]
    ) -> bool:
        """Whether a wrong answer is right for numbers that another student may have drawn."""
        place = exercise.parts.index(marker.part)
        for variant in islice(variants(exercise), _MOST_SHEETS) if exercise.draws else ():
            if self.variant_markers(exercise, variant)[place].accepts(response, attachments):
                return True
        return False

    def matched(self, submission: Submission) -> tuple[dict[tuple[str, str], Response], list[str]]:
        """The responses by exercise and part, and remarks on those that fit none."""
        found: dict[tuple[str, str], Response] = {}
        remarks = []
        for response in submission.responses:
            exercise = find_exercise(self.course, response.exercise)
            names = [part.id for part in exercise.parts] if exercise else [e.id for e in self.course.exercises]
            name = response.part if exercise else response.exercise
            if exercise and response.part in names:
                found[exercise.id, response.part] = response
            else:
                close = did_you_mean(name, names)
                place = f"line {response.line}: " if response.line else ""
                what = f"part {name!r} of {exercise.id}" if exercise else f"exercise {name!r}"
                remarks.append(f"{place}unknown {what}" + (f"; did you mean {close}?" if close else ""))
        return found, list(dict.fromkeys(remarks))


def find_exercise(course: Course, name: str) -> Exercise | None:
    """The exercise with this id, or the only one whose id starts with it."""
    exact = [exercise for exercise in course.exercises if exercise.id == name]
    starting = [exercise for exercise in course.exercises if exercise.id.startswith(name)]
    return exact[0] if exact else starting[0] if len(starting) == 1 else None

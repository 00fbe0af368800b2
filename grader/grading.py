"""From a submission to its result: every response marked, with the student's earlier answers as evidence."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice

from grader.compiled import Change, Course, Exercise
from grader.diagnosis.evidence import Earlier, Evidence
from grader.errors import did_you_mean
from grader.explaining import explained, judged
from grader.keyring import Keyring, variants
from grader.marking import Decided, Marker
from grader.maths.domain import Domain
from grader.maths.regime import Regime
from grader.memo import Examined, Memo
from grader.results import ExerciseResult, PartResult, Result, Reveal, Status, Verdict
from grader.submission import Response, Submission
from grader.values import changed

ANOTHER_SHEET = "this is right for the numbers of another sheet"
_MOST_SHEETS = 64
_MOST_SUGGESTIONS = 20  # for one submission: looking for a close name takes a while


class Grader:
    """Grades submissions against a course. Answers that many students give are examined once."""

    def __init__(
        self, keyring: Keyring, reveal: Reveal = Reveal.MISTAKE, *, explain: bool = True, keep: bool = True
    ) -> None:
        """Without `explain` answers are decided and nothing more; for `keep` see `Memo`."""
        self.keyring = keyring
        self._explain = explain
        self.course: Course = keyring.course
        self._with_solutions = reveal == Reveal.FULL  # they are not even in the result below that level
        self._markers: dict[tuple[str, tuple[tuple[str, str], ...]], tuple[Marker, ...]] = {}
        self._memo = Memo(self._examine, keep)

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
        responses, remarks = self.matched(submission)
        result = Result(
            student=submission.student, source=submission.source, status=submission.status, max_points=self.max_points,
            remarks=(*submission.remarks, *remarks), message=submission.message, name=submission.name,
        )  # fmt: skip
        if submission.status != Status.GRADED:
            return result
        exercises = tuple(
            _exercise_result(exercise, [changed(examined.part, line=line) for examined, line in parts if examined.part])
            for exercise, parts in self.examined(submission, responses)
        )
        return changed(result, exercises=exercises, points=sum(exercise.points or 0 for exercise in exercises))

    @property
    def max_points(self) -> int:
        """The points of the whole course."""
        return sum(part.points for exercise in self.course.exercises for part in exercise.parts)

    def examined(
        self, submission: Submission, responses: Mapping[tuple[str, str], Response]
    ) -> Iterator[tuple[Exercise, list[tuple[Examined, int | None]]]]:
        """Each exercise with its parts in order, examined, and the lines of the responses; what each says is evidence
        for those after it."""
        if self._memo.full:
            self._memo.clear()
        paths: dict[str, tuple[int, ...]] = {}
        attachments = tuple(sorted(submission.attachments.items()))
        for exercise in self.course.exercises:
            path = self._memo.seen_from(exercise.follows, paths.get(exercise.follows, ())) if exercise.follows else ()
            parts = []
            for marker in self.markers(exercise, submission.student):
                response = responses.get((exercise.id, marker.part.id))
                text, fault, line = (response.text, response.fault, response.line) if response else ("", "", None)
                beside = attachments if marker.part.type == "curve" else ()
                examined = self._memo.examined(marker, path, text, fault, beside)
                parts.append((examined, line if examined.answered else None))
                path = path if examined.earlier is None else (*path, examined.earlier)
            paths[exercise.id] = path
            yield exercise, parts

    def forget(self) -> None:
        """Examine everything anew from now on; numbers go on counting."""
        self._memo.clear()

    def _examine(self, decided: Decided, evidence: Evidence) -> tuple[PartResult, Earlier | None]:
        part, earlier = explained(decided, evidence) if self._explain else (judged(decided), None)
        if part.verdict == Verdict.INCORRECT and self._fits_another_sheet(decided):
            part = changed(part, remarks=(*part.remarks, ANOTHER_SHEET))
        return (decided.marker.solved(part) if self._with_solutions else part), earlier

    def _fits_another_sheet(self, decided: Decided) -> bool:
        """Whether a wrong answer is right for numbers that another student may have drawn."""
        marker = decided.marker
        place = marker.exercise.parts.index(marker.part)
        for variant in islice(variants(marker.exercise), _MOST_SHEETS) if marker.exercise.draws else ():
            if self.variant_markers(marker.exercise, variant)[place].accepts(decided.response, decided.attachments):
                return True
        return False

    def matched(self, submission: Submission) -> tuple[dict[tuple[str, str], Response], list[str]]:
        """The responses by exercise and part, and remarks on those that fit none."""
        found: dict[tuple[str, str], Response] = {}
        unknown: dict[tuple[str, str], list[int | None]] = {}
        for response in submission.responses:
            exercise = find_exercise(self.course, response.exercise)
            if exercise and any(part.id == response.part for part in exercise.parts):
                found[exercise.id, response.part] = response
            else:
                place = (exercise.id, response.part) if exercise else ("", response.exercise or response.part)
                unknown.setdefault(place, []).append(response.line)
        return found, [
            f"{_at(lines)}unknown {self._unknown(*place, suggest=number < _MOST_SUGGESTIONS)}"
            for number, (place, lines) in enumerate(unknown.items())
        ]

    def _unknown(self, exercise: str, name: str, *, suggest: bool) -> str:
        """What to call a part of an exercise, or an exercise, that there is not."""
        known = find_exercise(self.course, exercise) if exercise else None
        if known:
            names, what = [part.id for part in known.parts], f"part {name!r} of {exercise}"
        else:
            # one with another number is another exercise, however much alike the rest of their names is
            names = [each.id for each in self.course.exercises if _numbers(each.id) == _numbers(name)]
            what = f"exercise {name!r}"
        close = did_you_mean(name, names) if suggest else None
        return what + (f"; did you mean {close}?" if close else "")


def _at(lines: Sequence[int | None]) -> str:
    """Where in the file something stands, in front of what it is."""
    known = [line for line in lines if line]
    if not known:
        return ""
    first, last = min(known), max(known)
    return f"line {first}: " if first == last else f"lines {first}-{last}: "


def _numbers(name: str) -> list[str]:
    return re.findall(r"[0-9]+", name)


def fault(reason: str) -> str:
    """What to say of a submission on which the grader failed."""
    return f"the grader failed on this submission ({reason}); a person must look"


def _exercise_result(exercise: Exercise, parts: Sequence[PartResult]) -> ExerciseResult:
    return ExerciseResult(
        id=exercise.id,
        title=exercise.title,
        prompt=exercise.prompt,
        points=sum(part.points or 0 for part in parts),
        max_points=sum(part.max_points for part in parts),
        parts=tuple(parts),
    )


def find_exercise(course: Course, name: str) -> Exercise | None:
    """The exercise with this id, or the only one whose id starts with it; a number counts as a whole: q1 is not q10."""
    exact = [exercise for exercise in course.exercises if exercise.id == name]
    starting = [
        exercise
        for exercise in course.exercises
        if exercise.id.startswith(name) and not (name[-1:].isdigit() and exercise.id[len(name) :][:1].isdigit())
    ]
    return exact[0] if exact else starting[0] if len(starting) == 1 else None


def without_others(submission: Submission, whole: Course, chosen: Course) -> Submission:
    """The submission without the answers to exercises of the whole course that are not chosen: they are not unknown."""
    asked = {exercise.id for exercise in chosen.exercises}
    if len(asked) == len(whole.exercises):
        return submission
    found = {name: find_exercise(whole, name) for name in {response.exercise for response in submission.responses}}
    others = {name for name, exercise in found.items() if exercise and exercise.id not in asked}
    return replace(submission, responses=tuple(each for each in submission.responses if each.exercise not in others))

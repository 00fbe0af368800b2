"""From a submission to its result: every part read, decided, explained and given its points."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from grader.compiled import Change, Course, Exercise, Key, Mistake, Part, PartKeys
from grader.diagnosis.mistakes import explain
from grader.errors import ResponseError, SpecError, did_you_mean
from grader.keyring import Keyring
from grader.maths.domain import Domain
from grader.maths.expression import Number
from grader.maths.grammar import read_expression
from grader.maths.regime import Regime
from grader.plugins import member
from grader.protocols import Answer, AnswerType, Check, Decision, Question
from grader.results import (
    ExerciseResult,
    Explanation,
    PartResult,
    Plot,
    Relation,
    Result,
    Reveal,
    Series,
    Status,
    Verdict,
)
from grader.submission import Response, Submission

_BEST_FIRST = (Verdict.CORRECT, Verdict.PARTIAL, Verdict.UNDECIDED, Verdict.INCORRECT, Verdict.INVALID)
_LEADING_REMARK = "right to leading order; the exact form is asked"
# a number, or a power of a symbol; any other ratio would show the solution as its denominator
_SHORT_RATIO = re.compile(r"-?[\d.e+/-]+|(1/)?[^\W\d]\w*(\^\d+)?")
_UNDECIDED = "this answer could not be checked automatically; a person will look at it"


@dataclass(frozen=True)
class Marker:
    """Marks the responses to one part, in one variant. Made once, used for every submission."""

    exercise: Exercise
    part: Part
    keys: PartKeys
    domain: Domain
    mistakes: Mapping[str, Mistake]

    @cached_property
    def kind(self) -> AnswerType[Any]:
        """The part's answer type."""
        return member("answers", self.part.type)()  # type: ignore[no-any-return]

    @cached_property
    def check(self) -> Check:
        """The part's check."""
        return member("checks", self.part.check)(**self.part.check_options)  # type: ignore[no-any-return]

    @cached_property
    def question(self) -> Question:
        """What reading needs to know of the part."""
        return question(self.exercise, self.part, self.keys.meanings, self.domain)

    @cached_property
    def right(self) -> tuple[tuple[Key, Answer], ...]:
        """Everything that is right, the solution first, read into answers."""
        return tuple((key, self.kind.read(self.key_text(key), self.question)) for key in self.keys.right)

    def key_text(self, key: Key) -> str:
        """A key's value written as a response to this part."""
        if self.part.type == "threshold":
            return f"{self.question.symbol} {key.relation} {key.value}"
        if self.part.type == "quantity" and self.part.options.get("unit"):
            return f"{key.value} {self.part.options['unit']}"
        return key.value

    def mark(self, response: Response | None, attachments: Mapping[str, str] | None = None) -> PartResult:
        """The result of one response; a fault of ours gives `undecided`, never an exception."""
        return self._guarded(response, attachments or {}, decide=True)

    def read(self, response: Response | None, attachments: Mapping[str, str] | None = None) -> PartResult:
        """How one response is read: `invalid`, `missing`, or else `undecided`, since nothing is decided."""
        return self._guarded(response, attachments or {}, decide=False)

    def _guarded(self, response: Response | None, attachments: Mapping[str, str], decide: bool) -> PartResult:
        part = self.part
        result = PartResult(
            id=part.id, verdict=Verdict.MISSING, points=0, max_points=part.points, prompt=part.prompt, title=part.title
        )
        if response is None or not (response.text.strip() or response.fault):
            return result
        result = replace(result, response=response.text, line=response.line)
        if response.fault:
            return replace(result, verdict=Verdict.INVALID, message=response.fault)
        asked = replace(self.question, attachments=attachments) if attachments else self.question
        try:
            answer = self.kind.read(response.text, asked)
            result = replace(result, read_as=answer.read_as, mathml=answer.mathml, remarks=answer.remarks)
            if self.part.type == "curve":
                result = replace(result, plot=self._plot(answer))
            return self._marked(result, answer, asked) if decide else replace(result, verdict=Verdict.UNDECIDED)
        except ResponseError as error:
            return replace(result, verdict=Verdict.INVALID, message=str(error), position=error.position)
        except Exception:
            return replace(result, verdict=Verdict.UNDECIDED, message=_UNDECIDED)

    def solved(self, result: PartResult) -> PartResult:
        """The result with the solution, for the level that reveals everything."""
        solution = self.right[0][1]
        plot = result.plot
        if self.part.type == "curve":
            reference = self._plot(solution, "reference")
            plot = replace(reference, series=(*(plot.series if plot else ()), *reference.series))
        return replace(result, solution=solution.read_as, solution_mathml=solution.mathml, plot=plot)

    def _plot(self, answer: Any, kind: str = "student") -> Plot:
        """A curve's answer for each size, for drawing."""
        from grader.answers.curve import name_of

        options = self.part.options
        series = tuple(
            Series(label=name_of(size), kind=kind, points=answer.sample(size)) for size in self.question.series
        )
        return Plot(x_label=options["x"], y_label=options["y"], series=series)

    def _marked(self, result: PartResult, answer: Answer, asked: Question) -> PartResult:
        key, decision = self._decided(answer, asked)
        result = replace(
            result,
            verdict=decision.verdict,
            relation=decision.relation,
            message=decision.message,
            remarks=(*answer.remarks, *decision.remarks, *self._convention_remarks(key, decision)),
        )
        if decision.verdict == Verdict.INCORRECT:
            result = self._diagnosed(result, answer, decision)
        return replace(result, points=self._points(result, decision))

    def _decided(self, answer: Answer, asked: Question) -> tuple[Key, Decision]:
        """The best decision over all that is right, with the key that gave it."""
        best: tuple[Key, Decision] | None = None
        for key, solution in self.right:
            decision = self.kind.compare(answer, solution, asked, self.check)
            if best is None or _BEST_FIRST.index(decision.verdict) < _BEST_FIRST.index(best[1].verdict):
                best = (key, decision)
            if decision.verdict == Verdict.CORRECT:
                break
        assert best is not None
        if best[1].verdict == Verdict.INCORRECT:
            return best[0], self._softened(answer, best[1])
        return best

    def _softened(self, answer: Answer, decision: Decision) -> Decision:
        """`partial` where the answer is the leading form of what is right, or right but for its unit."""
        if decision.unit_only:
            return replace(decision, verdict=Verdict.PARTIAL)
        candidates = getattr(answer, "candidates", ())
        for key in self.keys.right if self.part.check == "exact" else ():
            if key.leading and any(self._is(candidate, key.leading) for candidate in candidates):
                return Decision(verdict=Verdict.PARTIAL, relation=Relation.LEADING_ORDER, remarks=(_LEADING_REMARK,))
        return decision

    def _is(self, value: Any, key: str) -> bool:
        from grader.maths.fingerprint import fingerprint

        return fingerprint(value, self.domain) == key

    def _convention_remarks(self, key: Key, decision: Decision) -> Iterator[str]:
        if decision.verdict == Verdict.CORRECT:
            for name in key.conventions:
                yield f"right by another convention: {self.mistakes[name].title}"

    def _diagnosed(self, result: PartResult, answer: Answer, decision: Decision) -> PartResult:
        """The result with the mistakes that explain the answer, and its ratio to the solution."""
        value: Any = getattr(answer, "id", answer.value)  # a choice has no value but its option
        if value is None:
            return replace(result, feedback=decision.message)
        relation = getattr(answer, "relation", "")  # of a threshold
        keys = explain(value, relation if relation in "<>" else "", self.keys, self.mistakes, self.domain)
        explanations = tuple(self._explanation(key) for key in keys)
        return replace(
            result,
            ratio=self._ratio(answer),
            mistakes=explanations[0].mistakes if explanations else (),
            alternatives=tuple(e.mistakes for e in explanations[1:]),
            explanations=explanations,
            feedback=feedback(explanations),
        )

    def _explanation(self, key: Key) -> Explanation:
        found = [self.mistakes[name] for name in key.mistakes]
        return Explanation(
            mistakes=key.mistakes,
            title="; ".join(m.title for m in found),
            feedback="\n\n".join(m.feedback for m in found if m.feedback),
            hint="\n\n".join(m.hint for m in found if m.hint),
        )

    def _ratio(self, answer: Answer) -> str | None:
        solution = self.right[0][1].value
        if answer.value is None or solution is None:
            return None
        from grader.maths.ratio import ratio_text

        return ratio_text(answer.value, solution, self.domain)

    def _points(self, result: PartResult, decision: Decision) -> int:
        part = self.part
        if result.verdict == Verdict.CORRECT:
            return part.points
        if result.verdict == Verdict.PARTIAL:
            name = "leading" if result.relation == Relation.LEADING_ORDER else "unit" if decision.unit_only else "side"
            return int(part.credit.get(name, 0))
        return max((int(part.credit.get(name, 0)) for name in result.mistakes), default=0)


def feedback(explanations: tuple[Explanation, ...]) -> str:
    """The explanations as one text: asserted if there is one, offered if there are several."""
    if len(explanations) == 1:
        return ". ".join(filter(None, (explanations[0].title, explanations[0].feedback)))
    if explanations:
        return "Any of these would give your answer: " + "; or: ".join(e.title for e in explanations)
    return ""


def question(exercise: Exercise, part: Part, meanings: Mapping[str, str], domain: Domain) -> Question:
    """What is asked in a part, as answer types want to know it."""
    options = part.options
    span = (options["from"], options["to"]) if "from" in options and "to" in options else None
    own = tuple(options.get("symbols", ()))
    names = tuple(name for name in exercise.symbols if name not in part.at)
    return Question(
        symbols=(*names, *own),
        symbol=options.get("symbol"),
        unit=options.get("unit") or options.get("y"),
        unit_required=bool(options.get("unit_required", False)),
        strict=bool(options.get("strict", False)),
        side=options.get("side", "optional"),
        bound=options.get("bound"),
        options=options.get("options", {}),
        meanings={name: read_expression(meaning, names) for name, meaning in meanings.items()},
        domain=domain,
        x=options.get("x"),
        x_range=(_number(span[0]), _number(span[1])) if span else None,
        series=tuple({n: _number(v) for n, v in one.items()} for one in options.get("series", ())),
    )


def _number(source: str) -> float:
    value = read_expression(source)
    if not isinstance(value, Number):
        raise SpecError(f"{source!r} is not a number")
    return float(value.value)


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
            self._markers[name] = tuple(Marker(exercise, p, keys[p.id], domain, mistakes) for p in exercise.parts)
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
        exercises = tuple(self._exercise(exercise, submission, responses) for exercise in self.course.exercises)
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
        self, exercise: Exercise, submission: Submission, responses: Mapping[tuple[str, str], Response]
    ) -> ExerciseResult:
        markers = self.markers(exercise, submission.student)
        parts = tuple(
            marker.mark(responses.get((exercise.id, marker.part.id)), submission.attachments) for marker in markers
        )
        if self._with_solutions:
            parts = tuple(marker.solved(part) for marker, part in zip(markers, parts, strict=True))
        return ExerciseResult(
            id=exercise.id,
            title=exercise.title,
            prompt=exercise.prompt,
            points=sum(part.points or 0 for part in parts),
            max_points=sum(part.max_points for part in parts),
            parts=parts,
        )

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


def student_view(result: Result, reveal: Reveal) -> Result:
    """The result as the student may see it: what the level hides is not in it at all."""
    exercises = tuple(
        replace(exercise, parts=tuple(_part_view(part, reveal) for part in exercise.parts))
        for exercise in result.exercises
    )
    if reveal == Reveal.NONE:
        exercises = tuple(replace(exercise, points=None) for exercise in exercises)
        return replace(result, exercises=exercises, points=None)
    return replace(result, exercises=exercises)


def _part_view(part: PartResult, reveal: Reveal) -> PartResult:
    if reveal == Reveal.NONE:
        # what was typed and how it was read, and whether that could be read at all
        kept = part.verdict if part.verdict in (Verdict.INVALID, Verdict.MISSING) else None
        part = replace(part, verdict=kept, points=None, relation=None, remarks=(), message=part.message if kept else "")
    if not reveal.includes(Reveal.FULL):
        part = replace(part, solution=None, solution_mathml=None)
    if not reveal.includes(Reveal.HINT_2):
        # what deciding found out about a wrong answer is a hint, too; how the answer was read shows in its read-back
        part = replace(part, ratio=None, remarks=() if part.verdict == Verdict.INCORRECT else part.remarks)
    elif not reveal.includes(Reveal.FULL) and part.ratio and not _SHORT_RATIO.fullmatch(part.ratio):
        part = replace(part, ratio=None)
    if reveal.includes(Reveal.MISTAKE):
        return part
    hints = tuple(replace(e, mistakes=(), title="", feedback="") for e in part.explanations if e.hint)
    shown = hints if reveal.includes(Reveal.HINT_1) else ()
    return replace(part, mistakes=(), alternatives=(), explanations=shown, feedback="")

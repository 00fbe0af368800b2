"""Marking one part: a response is read, decided, explained and given its points."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from grader.asking import question
from grader.compiled import Exercise, Groups, Key, Mistake, Part, PartKeys
from grader.errors import ResponseError
from grader.maths.domain import Domain
from grader.maths.expression import Expr, Number
from grader.maths.show import text
from grader.plugins import member
from grader.protocols import Answer, AnswerType, Check, Decision, Question
from grader.recent import Recent
from grader.results import PartResult, Plot, Relation, Series, Verdict
from grader.submission import Response
from grader.values import changed, frozen

if TYPE_CHECKING:
    from grader.diagnosis.answered import Answered
    from grader.diagnosis.explain import Diagnosis
    from grader.diagnosis.follow_through import FollowThrough
    from grader.diagnosis.measure import Measure
    from grader.solutions import Solver

_BEST_FIRST = (Verdict.CORRECT, Verdict.PARTIAL, Verdict.UNDECIDED, Verdict.INCORRECT, Verdict.INVALID)
_LEADING_REMARK = "right to leading order; the exact form is asked"
_UNDECIDED = "this answer could not be checked automatically; a person will look at it"
_MOST_VALUES = 400  # of one part, for which it is remembered what is wrong with them
_DIGITS = 5  # of a solution that is known within a tolerance only


@frozen(slots=False)
class Decided:
    """A response that was read and decided: the result so far, and the answer if it could be read.

    What else there is to say of it, whatever came before it, is worked out when first needed.
    """

    result: PartResult
    marker: "Marker"
    response: Response | None
    attachments: Mapping[str, str]
    answer: Answer | None = None
    decision: Decision | None = None

    @cached_property
    def answered(self) -> "Answered | None":
        """The answer as diagnosis looks at it; None where it has no value to work on."""
        from grader.diagnosis.answered import Answered

        value: Any = getattr(self.answer, "id", self.answer.value if self.answer else None)  # of a choice, its option
        relation = getattr(self.answer, "relation", "")  # of a threshold
        return None if value is None else Answered(value, relation if relation in "<>" else "", self.marker.domain)

    @cached_property
    def measure(self) -> "Measure":
        """What the relation of a wrong answer to the solution shows."""
        from grader.diagnosis.measure import Measure, measure

        marker, answered = self.marker, self.answered
        if answered is None:
            return Measure()
        found = marker.measures.get(answered.value)
        if found is None:
            found = measure(answered.value, marker.right[0][1].value, marker.exercise.symbols, marker.domain)
            marker.measures.put(answered.value, found)
        return found

    @cached_property
    def clusters(self) -> tuple[str | None, str | None]:
        """The cluster ids of an answer that nothing explains."""
        from grader.diagnosis.measure import clusters

        value, solution = self.answer.value if self.answer else None, self.marker.right[0][1].value
        return (None, None) if value is None or solution is None else clusters(value, solution, self.marker.domain)


def undecided(result: PartResult) -> PartResult:
    """The result where the grader failed."""
    return changed(result, verdict=Verdict.UNDECIDED, points=0, message=_UNDECIDED)


@frozen(slots=False)
class Marker:
    """Marks the responses to one part, in one variant. Made once, used for every submission.

    `solver` and `pairs` are costly and made only when a wrong answer asks for them.
    """

    exercise: Exercise
    part: Part
    keys: PartKeys
    domain: Domain
    mistakes: Mapping[str, Mistake]
    solver: "Callable[[], Solver]"
    pairs: "Callable[[str, Expr], Groups]"
    __eq__ = object.__eq__  # one object for each part and variant, and looked up by it
    __hash__ = object.__hash__

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
        return tuple((key, self.right_answer(key)) for key in self.keys.right)

    def right_answer(self, key: Key) -> Answer:
        """A right key read into an answer, when first needed: most responses agree with the first one."""
        if key not in self._right_answers:
            self._right_answers[key] = self.kind.read(self.key_text(key), self.question)
        return self._right_answers[key]

    @cached_property
    def _right_answers(self) -> dict[Key, Answer]:
        return {}

    def key_text(self, key: Key) -> str:
        """A key's value written as a response to this part. Values of the model are in base units."""
        if self.part.type == "threshold":
            return f"{self.question.symbol} {key.relation or '='} {key.value}"  # a literal wrong answer has no side
        if self.part.type == "quantity" and self.part.options.get("unit"):
            from grader.maths.units import read_unit

            unit = self.part.options["unit"]
            factor = read_unit(unit).factor
            if key.number is not None:
                return f"{text(Number(key.number / factor))} {unit}"
            return f"{key.value} {unit}" if factor == 1 else f"({key.value})/({factor}) {unit}"
        return key.value

    def decided(self, response: Response | None, attachments: Mapping[str, str]) -> Decided:
        """The response read and decided, whatever came before it; a fault of ours gives `undecided`."""
        result, answer = self._read(response, attachments)
        if answer is None:
            return Decided(result, self, response, attachments)
        try:
            key, decision = self._decided(answer, self._asked(attachments))
            result = changed(
                result,
                verdict=decision.verdict,
                relation=decision.relation,
                message=decision.message,
                remarks=(*answer.remarks, *decision.remarks, *self._convention_remarks(key, decision)),
                slips=tuple(filter(None, (decision.slip,))),
            )
            return Decided(result, self, response, attachments, answer, decision)
        except Exception:
            return Decided(undecided(result), self, response, attachments)

    def accepts(self, response: Response | None, attachments: Mapping[str, str]) -> bool:
        """Whether the response is right; nothing is explained, and a fault of ours counts as no."""
        answer = self._read(response, attachments)[1]
        if answer is None:
            return False
        try:
            return self._decided(answer, self._asked(attachments))[1].verdict == Verdict.CORRECT
        except Exception:
            return False

    def _asked(self, attachments: Mapping[str, str]) -> Question:
        return replace(self.question, attachments=attachments) if attachments else self.question

    def read(self, response: Response | None, attachments: Mapping[str, str] | None = None) -> PartResult:
        """How one response is read: `invalid`, `missing`, or else `undecided`, since nothing is decided.

        What its units alone show is among the remarks.
        """
        from grader.answers.units import unit_remarks

        result, answer = self._read(response, attachments or {})
        if answer is None:
            return result
        try:
            return changed(result, remarks=(*result.remarks, *unit_remarks(answer, self.question)))
        except Exception:
            return undecided(result)

    def _read(self, response: Response | None, attachments: Mapping[str, str]) -> tuple[PartResult, Answer | None]:
        part = self.part
        result = PartResult(
            id=part.id, verdict=Verdict.MISSING, points=0, max_points=part.points, prompt=part.prompt, title=part.title
        )
        if response is None or not (response.text.strip() or response.fault):
            return result, None
        result = changed(result, response=response.text, line=response.line)
        if response.fault:
            return changed(result, verdict=Verdict.INVALID, message=response.fault), None
        asked = self._asked(attachments)
        try:
            answer: Answer = self.kind.read(response.text, asked)
            result = changed(
                result, read_as=answer.read_as, mathml=answer.mathml, remarks=answer.remarks, **self._drawn(answer)
            )
            return changed(result, verdict=Verdict.UNDECIDED), answer
        except ResponseError as error:
            return changed(result, verdict=Verdict.INVALID, message=str(error), position=error.position), None
        except Exception:
            return undecided(result), None

    def solved(self, result: PartResult) -> PartResult:
        """The result with the solution, for the level that reveals everything."""
        solution = self._readable(self.keys.right[0])
        plot, line = result.plot, result.number_line
        if self.part.type == "curve":
            reference = self._plot(solution, "reference")
            plot = replace(reference, series=(*(plot.series if plot else ()), *reference.series))
        elif self.part.type == "threshold":
            from grader.number_line import with_accepted

            right = (self.right_answer(key) for key in self.keys.right)
            line = with_accepted(line, self.part.options["symbol"], right, self.check)
        return changed(result, solution=solution.read_as, solution_mathml=solution.mathml, plot=plot, number_line=line)

    def _drawn(self, answer: Any) -> dict[str, Any]:
        """What reports draw of an answer: its curves, or where it holds."""
        if self.part.type == "curve":
            return {"plot": self._plot(answer)}
        if self.part.type == "threshold":
            from grader.number_line import said

            return {"number_line": said(answer, self.part.options["symbol"])}
        return {}

    def _readable(self, key: Key) -> Answer:
        """A right value as an answer; within a tolerance, a fraction as the decimal number that people write."""
        exact = self.right_answer(key)
        if self.part.check != "close" or key.number is None or "/" not in text(Number(key.number)):
            return exact
        rounded = self.kind.read(self.key_text(replace(key, value=f"{float(key.number):.{_DIGITS}g}")), self.question)
        same = self.kind.compare(rounded, exact, self.question, self.check).verdict == Verdict.CORRECT
        return rounded if same else exact

    def _plot(self, answer: Any, kind: str = "student") -> Plot:
        """A curve's answer for each size, for drawing."""
        from grader.answers.curve import name_of

        options = self.part.options
        series = tuple(
            Series(label=name_of(size), kind=kind, points=answer.sample(size)) for size in self.question.series
        )
        meaning, title = self.exercise.symbols.get(options["x"], ""), self.part.title
        return Plot(
            x_label=f"{meaning} {options['x']}".strip(),
            y_label=f"{title} ({options['y']})" if title else options["y"],
            series=series,
        )

    def _decided(self, answer: Answer, asked: Question) -> tuple[Key, Decision]:
        """The best decision over all that is right, with the key that gave it."""
        best: tuple[Key, Decision] | None = None
        for key in self.keys.right:
            decision = self.kind.compare(answer, self.right_answer(key), asked, self.check)
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
        candidates: tuple[Expr, ...] = getattr(answer, "candidates", ()) if self.part.check == "exact" else ()
        for key, solution in self.right:
            for candidate in candidates if key.leading else ():
                if self._is_leading_form(candidate, key, solution):
                    remarks = (_LEADING_REMARK, *self._validity(candidate, solution))
                    return Decision(verdict=Verdict.PARTIAL, relation=Relation.LEADING_ORDER, remarks=remarks)
        return decision

    def _is_leading_form(self, value: Expr, key: Key, solution: Answer) -> bool:
        """Whether the value is the leading term of what is right: found by fingerprint, then confirmed."""
        from grader.maths.equality import equal
        from grader.maths.fingerprint import fingerprint
        from grader.maths.leading import leading_term

        if fingerprint(value, self.domain) != key.leading or solution.value is None or self.domain.regime is None:
            return False
        return equal(value, leading_term(solution.value, self.domain.regime), self.domain) is True

    def _validity(self, value: Expr, solution: Answer) -> Iterator[str]:
        """Where the approximation holds."""
        from grader.maths.leading import validity

        holds = validity(value, solution.value, self.domain) if solution.value is not None else None
        if holds:
            yield f"your approximation holds {holds}"

    def _convention_remarks(self, key: Key, decision: Decision) -> Iterator[str]:
        if decision.verdict == Verdict.CORRECT:
            for name in key.conventions:
                yield f"right by another convention: {self.mistakes[name].title}"

    @cached_property
    def follow_through(self) -> "FollowThrough":
        """What follows from students' own answers."""
        from grader.diagnosis.follow_through import FollowThrough

        return FollowThrough(self.part, self.right[0][1].value, self.domain, self.solver())

    @cached_property
    def offered(self) -> frozenset[str]:
        """The mistakes that may explain a wrong answer to the part."""
        return self.keys.wrong_mistakes.union(mistake.id for mistake, _ in self.solver().reaching(self.part))

    def depends(self, quantity: str) -> bool:
        """Whether the part's value depends on a quantity, and is not that quantity itself."""
        if quantity not in self._depending:
            self._depending[quantity] = bool(quantity) and self.solver().depends(self.part, quantity)
        return self._depending[quantity]

    @cached_property
    def _depending(self) -> dict[str, bool]:
        return {}

    @cached_property
    def diagnoses(self) -> "Recent[tuple[object, ...], Diagnosis]":
        """Diagnoses by the answer as it is written, and what of the earlier answers bears on them."""
        return Recent(_MOST_VALUES)

    @cached_property
    def measures(self) -> "Recent[Expr | str, Measure]":
        """What the relation to the solution shows, by the answer as it is written."""
        return Recent(_MOST_VALUES)

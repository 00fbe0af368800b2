"""Marking one part: a response is read, decided, explained and given its points."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from grader.asking import question
from grader.compiled import Exercise, Groups, Key, Mistake, Part, PartKeys
from grader.diagnosis.evidence import Earlier, Evidence, as_in_key
from grader.errors import ResponseError
from grader.maths.domain import Domain
from grader.maths.expression import Expr, Number, symbols_of
from grader.maths.show import text
from grader.maths.terms import constant_value
from grader.plugins import member
from grader.protocols import Answer, AnswerType, Check, Decision, Question
from grader.results import Explanation, PartResult, Plot, Relation, Series, Verdict
from grader.submission import Response
from grader.values import frozen

if TYPE_CHECKING:
    from grader.diagnosis.explain import Case, Diagnosis
    from grader.solutions import Solver

_BEST_FIRST = (Verdict.CORRECT, Verdict.PARTIAL, Verdict.UNDECIDED, Verdict.INCORRECT, Verdict.INVALID)
_LEADING_REMARK = "right to leading order; the exact form is asked"
_UNDECIDED = "this answer could not be checked automatically; a person will look at it"
_NEAR_ONE = 0.01
_DIGITS = 5  # of a solution that is known within a tolerance only
# types whose answer gives the value of a quantity, from which later answers may follow
_GIVES_VALUE = ("expression", "quantity", "threshold")


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

    def mark(self, response: Response | None, attachments: Mapping[str, str] | None = None) -> PartResult:
        """The result of one response on its own; a fault of ours gives `undecided`, never an exception."""
        return self.examine(response, attachments or {}, Evidence())[0]

    def examine(
        self, response: Response | None, attachments: Mapping[str, str], evidence: Evidence
    ) -> tuple[PartResult, Earlier | None]:
        """The result of one response in the light of earlier ones, and what it says to later ones."""
        result, answer = self._read(response, attachments)
        if answer is None:
            return result, None
        asked = self._asked(attachments)
        try:
            result = self._marked(result, answer, asked, evidence)
        except Exception:
            return replace(result, verdict=Verdict.UNDECIDED, points=0, message=_UNDECIDED), None
        return result, self._said(result, answer)

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
        """How one response is read: `invalid`, `missing`, or else `undecided`, since nothing is decided."""
        return self._read(response, attachments or {})[0]

    def _read(self, response: Response | None, attachments: Mapping[str, str]) -> tuple[PartResult, Answer | None]:
        part = self.part
        result = PartResult(
            id=part.id, verdict=Verdict.MISSING, points=0, max_points=part.points, prompt=part.prompt, title=part.title
        )
        if response is None or not (response.text.strip() or response.fault):
            return result, None
        result = replace(result, response=response.text, line=response.line)
        if response.fault:
            return replace(result, verdict=Verdict.INVALID, message=response.fault), None
        asked = self._asked(attachments)
        try:
            answer: Answer = self.kind.read(response.text, asked)
            plot = self._plot(answer) if part.type == "curve" else None
            result = replace(result, read_as=answer.read_as, mathml=answer.mathml, remarks=answer.remarks, plot=plot)
            return replace(result, verdict=Verdict.UNDECIDED), answer
        except ResponseError as error:
            return replace(result, verdict=Verdict.INVALID, message=str(error), position=error.position), None
        except Exception:
            return replace(result, verdict=Verdict.UNDECIDED, message=_UNDECIDED), None

    def solved(self, result: PartResult) -> PartResult:
        """The result with the solution, for the level that reveals everything."""
        solution = self._readable(self.keys.right[0])
        plot = result.plot
        if self.part.type == "curve":
            reference = self._plot(solution, "reference")
            plot = replace(reference, series=(*(plot.series if plot else ()), *reference.series))
        return replace(result, solution=solution.read_as, solution_mathml=solution.mathml, plot=plot)

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
        return Plot(x_label=options["x"], y_label=options["y"], series=series)

    def _marked(self, result: PartResult, answer: Answer, asked: Question, evidence: Evidence) -> PartResult:
        key, decision = self._decided(answer, asked)
        result = replace(
            result,
            verdict=decision.verdict,
            relation=decision.relation,
            message=decision.message,
            remarks=(*answer.remarks, *decision.remarks, *self._convention_remarks(key, decision)),
            slips=tuple(filter(None, (decision.slip,))),
        )
        if decision.verdict == Verdict.INCORRECT or decision.unit_only:
            result = self._diagnosed(result, answer, evidence)
        elif decision.verdict == Verdict.CORRECT and evidence.wrong:
            result = self._checked_against(result, answer, evidence)
        return replace(result, points=self._points(result, decision))

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

    def _case(self, answer: Answer, evidence: Evidence) -> "Case | None":
        """The answer as a case for diagnosis; None where it has no value to work on."""
        from grader.diagnosis.explain import Case

        value: Any = getattr(answer, "id", answer.value)  # a choice has no value but its option
        if value is None:
            return None
        relation = getattr(answer, "relation", "")  # of a threshold
        return Case(
            value=value,
            relation=relation if relation in "<>" else "",
            solution=self.right[0][1].value,
            part=self.part,
            keys=self.keys,
            mistakes=self.mistakes,
            domain=self.domain,
            evidence=evidence,
            pairs=self.pairs,
            solver=self.solver,
        )

    def _diagnosed(self, result: PartResult, answer: Answer, evidence: Evidence) -> PartResult:
        """The result with what explains the answer, and what its relation to the solution shows."""
        from grader.diagnosis.explain import diagnose

        case = self._case(answer, evidence)
        if case is None:
            return result
        diagnosis = diagnose(case)
        result = self._measured(result, answer, explained=bool(diagnosis.groups or diagnosis.follows))
        if diagnosis.follows is not None:
            return self._followed(result, diagnosis)
        explanations = tuple(self._explanation(group) for group in diagnosis.groups)
        result = replace(
            result,
            mistakes=explanations[0].mistakes if explanations else (),
            alternatives=tuple(e.mistakes for e in explanations[1:]),
            explanations=explanations,
            feedback=feedback(explanations),
        )
        result = replace(result, remarks=(*result.remarks, *self._unit_remarks(answer)))
        other = case.follower.disagrees(evidence.usable) if evidence.usable else None
        if other is not None:
            remark = f"with your own answer to “{other.title or other.part}”, this one comes out differently"
            result = replace(result, remarks=(*result.remarks, remark))
        return result

    def _unit_remarks(self, answer: Answer) -> Iterator[str]:
        """What the units of the part's own symbols make of a formula, where that is not the unit that is asked for."""
        from grader.maths.dimension import DimensionError, Dimensions, dimension
        from grader.maths.units import read_unit

        links = getattr(getattr(answer, "chain", None), "links", ())
        units = {name.casefold(): unit for name, unit in self.exercise.units.items()}
        known = {n: read_unit(units[n.casefold()]).dimension for n in self.keys.meanings if n.casefold() in units}
        if not links or self.question.unit is None or not symbols_of(links[-1].expression) <= known.keys():
            return  # sizes such as B have no unit of their own, and typed constants hide theirs
        if constant_value(links[-1].expression) is not None:
            return
        try:
            found = dimension(links[-1].expression, Dimensions(known))
        except DimensionError as error:
            yield f"the units do not go together: {error}"
            return
        if found is not None and found != read_unit(self.question.unit).dimension:
            yield f"the unit of this comes out as {found}, where {self.question.unit} is asked for"

    def _followed(self, result: PartResult, diagnosis: "Diagnosis") -> PartResult:
        """The result of an answer that follows from earlier ones: what went wrong there is told there."""
        follows = diagnosis.follows
        assert follows is not None
        explanations = tuple(self._explanation((name,)) for name in (follows.mistake,) if name)
        return replace(
            result,
            mistakes=follows.mistakes,
            follow_through=tuple(source.part for source in follows.sources),
            explanations=explanations,
            feedback=feedback(explanations),
        )

    def _checked_against(self, result: PartResult, answer: Answer, evidence: Evidence) -> PartResult:
        """A right answer that does not follow from the student's own wrong ones gets a remark and keeps its points."""
        case = self._case(answer, evidence)
        other = case.follower.disagrees(evidence.wrong) if case is not None else None
        if other is None:
            return result
        remark = f"right, although it does not follow from your answer to “{other.title or other.part}”"
        return replace(result, remarks=(*result.remarks, remark))

    def _measured(self, result: PartResult, answer: Answer, explained: bool) -> PartResult:
        """The result with the ratio, a counterexample, and the clusters of an answer that nothing explains."""
        from grader.diagnosis.measure import clusters, counterexample
        from grader.maths.ratio import ratio_text

        solution = self.right[0][1].value
        if answer.value is None or solution is None:
            return result
        failing = counterexample(answer.value, solution, tuple(self.exercise.symbols))
        same, ratio = (None, None) if explained else clusters(answer.value, solution, self.domain)
        return replace(
            result,
            ratio=_telling(ratio_text(answer.value, solution, self.domain)),
            counterexample=failing[0] if failing else "",
            off_by=failing[1] if failing else "",
            cluster=same,
            ratio_cluster=ratio,
        )

    def _explanation(self, group: tuple[str, ...]) -> Explanation:
        found = [self.mistakes[name] for name in group]
        return Explanation(
            mistakes=group,
            title="; ".join(m.title for m in found),
            feedback="\n\n".join(m.feedback for m in found if m.feedback),
            hint="\n\n".join(m.hint for m in found if m.hint),
        )

    def _points(self, result: PartResult, decision: Decision) -> int:
        part = self.part
        if result.verdict == Verdict.CORRECT:
            return part.points
        if result.verdict == Verdict.PARTIAL:
            name = "leading" if result.relation == Relation.LEADING_ORDER else "unit" if decision.unit_only else "side"
            return int(part.credit.get(name, 0))
        if result.follow_through is not None and not result.explanations:
            credit = part.credit.get("follow_through", "full")
            return part.points if credit == "full" else int(credit)
        return max((int(part.credit.get(name, 0)) for name in result.mistakes), default=0)

    def _said(self, result: PartResult, answer: Answer) -> Earlier | None:
        """What this answer says to later parts."""
        value: Any = getattr(answer, "id", answer.value)
        if value is None or result.verdict not in (Verdict.CORRECT, Verdict.INCORRECT):
            return None
        gives = self.part.type in _GIVES_VALUE and not self.part.at and self.part.solution.isidentifier()
        return Earlier(
            part=self.part.id,
            title=self.part.title,
            quantity=self.part.solution if gives else "",
            value=as_in_key(value, self.keys, self.domain, (*self.question.symbols, *self.keys.meanings)),
            verdict=result.verdict,
            relation=result.relation,
            keys=self.keys,
            mistakes=result.mistakes if not result.alternatives else (),
        )


def _telling(ratio: str | None) -> str | None:
    """The ratio, unless it is so near to 1 that the answer must be wrong for another reason, such as its direction."""
    try:
        return None if ratio and abs(float(ratio) - 1) < _NEAR_ONE else ratio
    except ValueError:
        return ratio


def feedback(explanations: tuple[Explanation, ...]) -> str:
    """The explanations as one text: asserted if there is one, offered if there are several."""
    if len(explanations) == 1:
        return ". ".join(filter(None, (explanations[0].title, explanations[0].feedback)))
    if explanations:
        return "Any of these would give your answer: " + "; or: ".join(e.title for e in explanations)
    return ""

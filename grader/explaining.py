"""Explaining one decided part: why it is wrong, in the light of the student's earlier answers, and its points."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from grader.answers.units import symbol_units
from grader.diagnosis.evidence import Earlier, Evidence, as_in_key
from grader.marking import Decided, Marker, undecided
from grader.results import Explanation, PartResult, Relation, Verdict
from grader.submission import Response
from grader.values import changed

if TYPE_CHECKING:
    from grader.diagnosis.answered import Answered
    from grader.diagnosis.explain import Case, Diagnosis

# types whose answer gives the value of a quantity, from which later answers may follow
_GIVES_VALUE = ("expression", "quantity", "threshold")


def mark(marker: Marker, response: Response | None, attachments: Mapping[str, str] | None = None) -> PartResult:
    """The result of one response on its own; a fault of ours gives `undecided`, never an exception."""
    return explained(marker.decided(response, attachments or {}), Evidence())[0]


def explained(decided: Decided, evidence: Evidence) -> tuple[PartResult, Earlier | None]:
    """The result in the light of earlier answers, and what it says to later ones; a fault of ours gives `undecided`."""
    if decided.decision is None:
        return decided.result, None
    try:
        result = _explained(decided, evidence)
        return _marked(decided, result), _said(decided, result)
    except Exception:
        return undecided(decided.result), None


def judged(decided: Decided) -> PartResult:
    """The result with the points that its verdict alone earns; nothing is explained."""
    return _marked(decided, decided.result) if decided.decision else decided.result


def _explained(decided: Decided, evidence: Evidence) -> PartResult:
    result, answered = decided.result, decided.answered
    if answered is None:
        return result
    if result.verdict == Verdict.INCORRECT or (decided.decision and decided.decision.unit_only):
        return _diagnosed(decided, answered, evidence)
    if result.verdict == Verdict.CORRECT and evidence.wrong:
        return _checked_against(decided, answered, evidence)
    return result


def _case(decided: Decided, answered: "Answered", evidence: Evidence) -> "Case":
    from grader.diagnosis.explain import Case

    marker = decided.marker
    return Case(
        answered=answered,
        solution=marker.right[0][1].value,
        part=marker.part,
        keys=marker.keys,
        mistakes=marker.mistakes,
        domain=marker.domain,
        evidence=evidence,
        pairs=marker.pairs,
        follow_through=lambda: marker.follow_through,
    )


def _diagnosed(decided: Decided, answered: "Answered", evidence: Evidence) -> PartResult:
    """The result with what explains the answer, and what its relation to the solution shows."""
    from grader.diagnosis.explain import diagnose

    marker = decided.marker
    wrong = tuple(earlier for earlier in evidence.wrong if marker.depends(earlier.quantity))
    key = (
        answered.mark,
        answered.relation,
        wrong,
        evidence.shown & marker.offered,
        evidence.contradicted & marker.offered,
    )
    diagnosis = marker.diagnoses.get(key)
    if diagnosis is None:
        diagnosis = diagnose(_case(decided, answered, evidence))
        marker.diagnoses.put(key, diagnosis)
    result = _measured(decided, explained=bool(diagnosis.groups or diagnosis.follows))
    if diagnosis.follows is not None:
        return _followed(marker, result, diagnosis)
    explanations = tuple(_explanation(marker, group) for group in diagnosis.groups)
    remarks = [*result.remarks, *symbol_units(decided.answer, marker.question)]
    other = marker.follow_through.disagrees(answered, evidence.usable) if evidence.usable else None
    if other is not None:
        remarks.append(f"with your own answer to “{other.title or other.part}”, this one comes out differently")
    return changed(
        result,
        mistakes=explanations[0].mistakes if explanations else (),
        alternatives=tuple(e.mistakes for e in explanations[1:]),
        explanations=explanations,
        feedback=feedback(explanations),
        remarks=tuple(remarks),
    )


def _checked_against(decided: Decided, answered: "Answered", evidence: Evidence) -> PartResult:
    """A right answer that does not follow from the student's own wrong ones gets a remark and keeps its points."""
    result = decided.result
    other = decided.marker.follow_through.disagrees(answered, evidence.wrong)
    if other is None:
        return result
    remark = f"right, although it does not follow from your answer to “{other.title or other.part}”"
    return changed(result, remarks=(*result.remarks, remark))


def _measured(decided: Decided, *, explained: bool) -> PartResult:
    """The result with the ratio, a counterexample, and the clusters of an answer that nothing explains."""
    found = decided.measure
    same, ratio = (None, None) if explained else decided.clusters
    return changed(
        decided.result,
        ratio=found.ratio,
        counterexample=found.counterexample,
        off_by=found.off_by,
        cluster=same,
        ratio_cluster=ratio,
    )


def _followed(marker: Marker, result: PartResult, diagnosis: "Diagnosis") -> PartResult:
    """The result of an answer that follows from earlier ones: what went wrong there is told there."""
    follows = diagnosis.follows
    assert follows is not None
    explanations = tuple(_explanation(marker, (name,)) for name in (follows.mistake,) if name)
    return changed(
        result,
        mistakes=follows.mistakes,
        follow_through=tuple(source.part for source in follows.sources),
        explanations=explanations,
        feedback=feedback(explanations),
    )


def _explanation(marker: Marker, group: tuple[str, ...]) -> Explanation:
    found = [marker.mistakes[name] for name in group]
    return Explanation(
        mistakes=group,
        title="; ".join(m.title for m in found),
        feedback="\n\n".join(m.feedback for m in found if m.feedback),
        hint="\n\n".join(m.hint for m in found if m.hint),
    )


def _marked(decided: Decided, result: PartResult) -> PartResult:
    """The result with its points, and for what they are where the answer is not right."""
    part, decision = decided.marker.part, decided.decision
    if result.verdict == Verdict.CORRECT:
        return changed(result, points=part.points)
    if result.verdict == Verdict.PARTIAL:
        name = (
            "leading"
            if result.relation == Relation.LEADING_ORDER
            else "unit"
            if decision and decision.unit_only
            else "side"
        )
        return changed(result, points=int(part.credit.get(name, 0)), credit=name)
    if result.follow_through is not None and not result.explanations:
        credit = part.credit.get("follow_through", "full")
        return changed(result, points=part.points if credit == "full" else int(credit), credit="follow_through")
    points = max((int(part.credit.get(name, 0)) for name in result.mistakes), default=0)
    return changed(result, points=points, credit="mistake" if points else "")


def _said(decided: Decided, result: PartResult) -> Earlier | None:
    """What this answer says to later parts."""
    marker, answered = decided.marker, decided.answered
    if answered is None or result.verdict not in (Verdict.CORRECT, Verdict.INCORRECT):
        return None
    gives = marker.part.type in _GIVES_VALUE and not marker.part.at and marker.part.solution.isidentifier()
    return Earlier(
        part=marker.part.id,
        title=marker.part.title,
        quantity=marker.part.solution if gives else "",
        value=as_in_key(answered.value, answered.mark, marker.keys, (*marker.question.symbols, *marker.keys.meanings)),
        verdict=result.verdict,
        relation=result.relation,
        keys=marker.keys,
        mistakes=result.mistakes if not result.alternatives else (),
    )


def feedback(explanations: tuple[Explanation, ...]) -> str:
    """The explanations as one text: asserted if there is one, offered if there are several."""
    if len(explanations) == 1:
        return ". ".join(filter(None, (explanations[0].title, explanations[0].feedback)))
    if explanations:
        return "Any of these would give your answer: " + "; or: ".join(e.title for e in explanations)
    return ""

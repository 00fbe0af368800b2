"""What is said at the lines of the student's file: first what could not be read, then what is wrong and why."""

import re
from collections.abc import Iterator, Mapping

from grader.ci.commands import Annotation
from grader.ci.finding import file_of
from grader.ci.outcome import Outcome
from grader.reports.markup import paragraphs
from grader.reports.view import NEXT, STATUS, WORDS
from grader.results import PartResult, Status, Verdict

_KINDS: Mapping[Verdict | None, str] = {
    Verdict.INVALID: "error",
    Verdict.PARTIAL: "warning",
    Verdict.INCORRECT: "warning",
    Verdict.UNDECIDED: "notice",
}

_LINES = re.compile(r"lines? (\d{1,9})")


def annotations(outcome: Outcome, workspace: str) -> list[Annotation]:
    """The annotations of a submission, most useful first within each kind. They say what `seen` does and no more."""
    result = outcome.seen
    file = file_of(result.source, workspace)
    if result.status != Status.GRADED:
        return [_ungraded(outcome, file)]
    found = [_remark(remark, file) for remark in result.remarks if _LINES.match(remark)]
    told = [
        (_rank(part), _part(part, file))
        for exercise in result.exercises
        for part in exercise.parts
        if part.line and (part.verdict in _KINDS or (part.verdict is None and part.remarks))
    ]
    found += [annotation for _, annotation in sorted(told, key=lambda pair: pair[0])]
    return found + list(_unanswered(outcome, file))


def _ungraded(outcome: Outcome, file: str) -> Annotation:
    status, message = outcome.seen.status, outcome.seen.message
    place = re.match(r"[^:\s]+:(\d+): ", message)
    kind = "notice" if status == Status.MISSING else "error"
    line = int(place[1][:9]) if place else None
    return Annotation(kind=kind, title=STATUS[status], message=message or NEXT[status], file=file, line=line)


def _remark(remark: str, file: str) -> Annotation:
    """A remark on a line of the file, such as an answer to a part that there is not."""
    line = _LINES.match(remark)
    return Annotation(
        kind="warning", title="Not read as an answer", message=remark, file=file, line=int(line[1]) if line else None
    )


def _rank(part: PartResult) -> int:
    """Where an explained answer comes before one of which only the verdict is known."""
    return 0 if part.explanations else 1 if part.feedback or part.slips or part.remarks else 2


def _part(part: PartResult, file: str) -> Annotation:
    title = f"{part.title or part.id}: {WORDS[part.verdict].lower()}"
    said = "\n".join(filter(None, map(_flowing, _said(part))))
    return Annotation(
        kind=_KINDS.get(part.verdict, "notice"), title=title, message=said or title, file=file, line=part.line
    )


def _said(part: PartResult) -> Iterator[str]:
    """What is known of a part, what is wrong and why first; "" for what is not."""
    yield part.message
    several = len(part.explanations) > 1
    for why in part.explanations:
        yield ("Possible reason: " if several else "") + why.title if why.title else ""
        yield why.feedback
        yield f"Hint: {why.hint}" if why.hint else ""
    yield "" if part.explanations else part.feedback
    yield "This follows from an earlier answer of yours." if part.follow_through else ""
    yield f"Off by a factor of {part.ratio}" if part.ratio else ""
    yield f"Try it: {part.counterexample}" if part.counterexample else ""
    yield from part.slips
    yield from part.remarks
    yield f"Read as: {part.read_as}" if part.read_as else ""


def _flowing(text: str) -> str:
    """A text without the line breaks that only its author's editor has."""
    return "\n".join(paragraphs(text))


def _unanswered(outcome: Outcome, file: str) -> Iterator[Annotation]:
    """One notice for all parts without an answer."""
    titles = [
        f"{exercise.title or exercise.id}: {part.title or part.id}"
        for exercise in outcome.seen.exercises
        for part in exercise.parts
        if part.verdict == Verdict.MISSING
    ]
    if titles:
        count = f"{len(titles)} part{'s have' if len(titles) > 1 else ' has'} no answer yet"
        yield Annotation(kind="notice", title=count, message="\n".join(titles), file=file)

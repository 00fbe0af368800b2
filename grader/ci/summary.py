"""The summary of a job in Markdown: the score, a table for each exercise, and feedback on each part that needs it.

GitHub drops the whole summary of a step where it is too large, so what is less needed is left out first: feedback, then
how answers were read, then the parts. The score always stays.
"""

from collections import Counter
from collections.abc import Sequence

from grader.ci.outcome import Outcome, cut, parts
from grader.reports.environment import environment
from grader.reports.markup import Md, md_text
from grader.reports.view import WORDS, counted
from grader.results import ExerciseResult, PartResult, Verdict

STEP = 1024 * 1024 - 1  # bytes of all summaries of a step
RELEASE = 120_000  # of the text of a release, which may have 125,000 characters
_TITLE = 200
_NOTE = 400  # bytes for what is said to be left out
_ORDER = (
    Verdict.CORRECT, Verdict.PARTIAL, Verdict.INCORRECT, Verdict.INVALID, Verdict.UNDECIDED, None, Verdict.MISSING,
)  # fmt: skip
_SETTLED = (Verdict.CORRECT, Verdict.MISSING, None)
_LEFT_OUT = {
    2: "how the answers were read",
    1: "the table of the parts",
    0: "the table of the exercises",
}

Feedback = list[tuple[str, list[Md]]]


def summary(outcome: Outcome, title: str, room: int = STEP) -> bytes:
    """The summary in at most `room` bytes; nothing where not even the score has room."""
    level, text = 3, _page(outcome, title, 3)
    while len(text) + _NOTE > room and level:
        level -= 1
        text = _page(outcome, title, level, [_left(_LEFT_OUT[level])])
    if len(text) > room:
        short = f"## {_score(outcome)}\n".encode()
        return short if len(short) <= room else b""
    feedback, left = _feedback(outcome, room - len(text) - _NOTE)
    if not feedback and not left:
        return text
    notes = [_left(_LEFT_OUT[level])] if level < 3 else []
    notes += [_left(f"the feedback on {counted(left, 'part')}")] if left else []
    page = _page(outcome, title, level, notes, feedback)
    return page if len(page) <= room else text  # not even what is left out has room


def _page(
    outcome: Outcome, title: str, level: int, notes: Sequence[str] = (), feedback: Feedback | None = None
) -> bytes:
    page = environment("md").get_template("job.md")
    text = page.render(
        result=outcome.seen,
        course=cut(title, _TITLE),
        tally=tally(outcome),
        reading=outcome.reading,
        level=level,
        notes=notes,
        feedback=feedback or [],
        cut=cut,
    )
    return text.encode("utf-8", "backslashreplace")


def tally(outcome: Outcome) -> str:
    """How many parts have which verdict: `3 correct, 1 could not be read`."""
    counts = Counter(part.verdict for part in parts(outcome.seen))
    words = {**WORDS, None: "Read"} if outcome.reading else WORDS
    return ", ".join(f"{counts[verdict]} {words[verdict].lower()}" for verdict in _ORDER if counts[verdict])


def _score(outcome: Outcome) -> str:
    seen = outcome.seen
    return "Read" if seen.points is None else f"{seen.points} of {seen.max_points} points"


def _left(what: str) -> str:
    return f"Left out here for want of room: {what}. The log of this step has it."


def _feedback(outcome: Outcome, room: int) -> tuple[Feedback, int]:
    """The feedback that has room, by exercise, and on how many parts there is more."""
    found: Feedback = []
    left = 0
    for exercise in outcome.seen.exercises:
        title = exercise.title or exercise.id
        fragments: list[Md] = []
        for part in filter(_needs_feedback, exercise.parts):
            text = _part(part, exercise)
            cost = _bytes(text) + (0 if fragments else _bytes(f"### {md_text(title)}") + 20)
            if cost > room:
                left += 1
                continue
            room -= cost
            fragments.append(text)
        if fragments:
            found.append((title, fragments))
    return found, left


def _bytes(text: str) -> int:
    return len(text.encode("utf-8", "backslashreplace"))


def _needs_feedback(part: PartResult) -> bool:
    """Whether more is to be said of a part than stands in its row."""
    told = part.remarks or part.explanations or part.override or part.solution or part.slips
    return part.verdict not in _SETTLED or bool(told)


def _part(part: PartResult, exercise: ExerciseResult) -> Md:
    """What the report says of one part, one heading lower."""
    fragment = environment("md").filters["fragment"](part, exercise)
    return Md(fragment.replace("\n### ", "\n#### ", 1))

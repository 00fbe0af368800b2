"""What one student is told on GitHub: a comment with the report, and a commit status.

The report is the Markdown of `grader.reports`, where all text of a student stands in code or is escaped: it mentions
nobody, closes nothing and loads nothing. In front stands a hidden mark by which the comment is found again.
"""

import re
from collections.abc import Callable, Set
from hashlib import sha256
from pathlib import PurePath
from typing import Final

from grader.reports.markup import md_code, terminal
from grader.reports.render import render
from grader.reports.view import STATUS, points
from grader.results import PartResult, Result, Reveal, Status, to_json
from grader.reveal import student_view
from grader.values import changed, frozen

CONTEXT: Final = "grader"  # of the commit status
MOST_BYTES: Final = 60_000  # of a comment, which may have 65,536 characters
_MOST_DESCRIPTION = 140
_LEFT_OUT = "What was typed here, and what is said of it, is left out: the comment would be too long."
_ALL_LEFT_OUT = "The parts are left out: the comment would be too long."
_STATES = {Status.GRADED: "success", Status.FAILED: "error"}

Mark = Callable[[int, int], bool]


@frozen
class Words:
    """What is the same for all students: the course's id and title, and how much of a result they may see."""

    course: str
    title: str
    reveal: Reveal

    @property
    def mark(self) -> str:
        """How a comment of ours on this course begins."""
        return f"<!-- grader feedback {re.sub(r'[^A-Za-z0-9_.]', '_', self.course)} "

    @property
    def issue(self) -> tuple[str, str]:
        """The title and the text of the issue in which the comment stands, where there is no pull request for it."""
        title = terminal(f"Feedback: {self.title or self.course}")[:200]
        return title, f"{self.mark}issue -->\nFeedback on your work is kept up to date in the first comment.\n"


@frozen
class State:
    """A commit status."""

    state: str
    description: str


def comment(result: Result, words: Words, commit: str) -> str:
    """The text of the comment on a result, in full or with parts left out, at most `MOST_BYTES` long in UTF-8."""
    view = changed(student_view(result, words.reveal), source=PurePath(result.source).name)
    body, largest, left_out = _report(view, words, commit), _largest(view), 0
    while len(body.encode()) > MOST_BYTES and left_out < len(largest):
        left_out = 2 * left_out + 1  # the largest one, three, seven ...: a page of many parts is made a few times only
        body = _report(_without(view, set(largest[:left_out])), words, commit)
    if len(body.encode()) > MOST_BYTES:
        body = _report(changed(view, exercises=(), remarks=(_ALL_LEFT_OUT,)), words, commit)
    return f"{words.mark}{sha256(body.encode()).hexdigest()[:32]} -->\n{body}"


def status(result: Result, words: Words, reaches: Mark) -> State:
    """The commit status of a result: success where it was graded and `reaches` the mark, error for faults of ours."""
    view = student_view(result, words.reveal)
    state = _STATES.get(result.status, "failure")
    if result.status != Status.GRADED:
        return State(state, STATUS[result.status])
    if view.points is None:
        return State(state, "Received")  # a state by the points would tell them
    passed = reaches(view.points, view.max_points)
    return State(state if passed else "failure", points(view)[:_MOST_DESCRIPTION])


def same(text: str, body: str) -> bool:
    """Whether a comment is the body that was posted, whatever was done to line ends."""
    return text.replace("\r\n", "\n").strip() == body.strip()


def _report(view: Result, words: Words, commit: str) -> str:
    graded = f"\n---\n\nGraded: commit {md_code(commit[:12])}. This comment is kept up to date.\n" if commit else ""
    text = render(view, "md", course_title=words.title) + graded
    return text.encode("utf-8", "backslashreplace").decode("utf-8").strip() + "\n"


def _largest(view: Result) -> list[tuple[str, str]]:
    """The parts, those with the most text first."""
    found = [(len(str(to_json(part))), exercise.id, part.id) for exercise in view.exercises for part in exercise.parts]
    return [(exercise, part) for _, exercise, part in sorted(found, key=lambda row: -row[0])]


def _without(view: Result, left_out: Set[tuple[str, str]]) -> Result:
    """The view without what is said of some parts, of which the verdicts and the points stay."""

    def kept(exercise: str, part: PartResult) -> PartResult:
        bare = PartResult(id=part.id, verdict=part.verdict, points=part.points, max_points=part.max_points)
        return changed(bare, title=part.title, remarks=(_LEFT_OUT,)) if (exercise, part.id) in left_out else part

    exercises = (changed(one, parts=tuple(kept(one.id, part) for part in one.parts)) for one in view.exercises)
    return changed(view, exercises=tuple(exercises))

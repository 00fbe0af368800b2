"""Classes small enough to see through."""

from typing import Any

from grader.analysis.sitting import Answer, Sitting
from grader.gradebook import Column
from grader.results import Status, Verdict

COLUMNS = tuple(
    Column(exercise="q", part=name, title=name.upper(), max_points=2, quantity="flops" if name == "a" else "")
    for name in ("a", "b", "c")
)
RIGHT, WRONG = {"verdict": Verdict.CORRECT, "points": 2}, {"verdict": Verdict.INCORRECT, "points": 0}


def answer(part: str, **given: Any) -> Answer:
    """An answer to a part; right unless it is said otherwise."""
    return Answer(**{"place": ("q", part), "max_points": 2, **RIGHT, **given})


def sat(student: str, *answers: Answer, status: Status = Status.GRADED) -> Sitting:
    """A student with these answers, whose total is what they earn."""
    return Sitting(
        student=student, status=status, points=sum(a.points for a in answers), max_points=6, source=f"{student}.yaml",
        answers=answers, lines=tuple(range(1, len(answers) + 1)),
    )  # fmt: skip


def wrong(part: str, text: str, **given: Any) -> Answer:
    """A wrong answer that nothing explains; equal texts are equal answers."""
    cluster = given.pop("cluster", text.encode().hex()[:12])
    return answer(part, **{**WRONG, "response": text, "read_as": text, "cluster": cluster, **given})

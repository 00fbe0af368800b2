"""What is known of a run: before it begins, and as the store keeps it."""

from grader.compiled import Policy
from grader.gradebook import Outline
from grader.values import frozen


@frozen(kw_only=True)
class Task:
    """What a run is about: the kind, what it grades against, and the rules of the gradebook."""

    kind: str
    grader: str
    spec: str
    key: str
    judged: str
    reveal: str
    outline: Outline
    policy: Policy
    folder: str = ""
    explained: bool = True


@frozen(kw_only=True)
class Run:
    """One run as the store has it."""

    id: int
    kind: str
    started_at: str
    finished_at: str | None
    pid: int
    grader: str
    course: str
    title: str
    spec: str
    key: str
    judged: str
    reveal: str
    folder: str
    explained: bool
    outline: Outline
    policy: Policy

"""One student's answers as an analysis needs them: small, and shared by all who gave the same answer."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from grader.gradebook import Column
from grader.results import Gradebook, PartResult, Result, Status, Verdict
from grader.values import frozen

Place = tuple[str, str]  # exercise and part

_MOST_SHARED = 100_000


@frozen(kw_only=True)
class Answer:
    """What became of one answer. `given` says that a person gave the points; `followed`, that the answer follows from
    the student's own earlier ones; `titles` are those of mistakes by id, as far as the explanations tell them."""

    place: Place
    verdict: Verdict | None
    points: int
    max_points: int
    response: str = ""
    read_as: str | None = None
    ratio: str | None = None
    cluster: str | None = None
    ratio_cluster: str | None = None
    mistakes: tuple[str, ...] = ()
    titles: tuple[tuple[str, str], ...] = ()
    ambiguous: bool = False
    followed: bool = False
    given: bool = False
    message: str = ""


@frozen(kw_only=True)
class Sitting:
    """One student with what counts: the total after all rules (None where points are hidden), and the answers with
    their lines in the file."""

    student: str
    status: Status
    points: int | None
    max_points: int
    source: str = ""
    answers: tuple[Answer, ...] = ()
    lines: tuple[int | None, ...] = ()

    @property
    def sat(self) -> bool:
        """Whether there is something to analyse: the submission was graded."""
        return self.status == Status.GRADED and bool(self.answers)


def sitting(result: Result, answers: Iterable[Answer], lines: Iterable[int | None]) -> Sitting:
    """The sitting of a result whose parts are told apart from it."""
    return Sitting(
        student=result.student or result.source,
        status=result.status,
        points=result.points,
        max_points=result.max_points,
        source=result.source,
        answers=tuple(answers),
        lines=tuple(lines),
    )


def from_result(result: Result) -> Sitting:
    """The sitting of a whole result."""
    pairs = [(exercise.id, part) for exercise in result.exercises for part in exercise.parts]
    return sitting(result, (answer(name, part) for name, part in pairs), (part.line for _, part in pairs))


def from_gradebook(book: Gradebook) -> Iterator[Sitting]:
    """One sitting for each submission that counts."""
    return (from_result(result) for result in book.results if result.counts)


@lru_cache(maxsize=_MOST_SHARED)
def _shared(answer: Answer) -> Answer:
    """The same value for equal answers, so that a class takes little memory."""
    return answer


def answer(exercise: str, part: PartResult) -> Answer:
    """What an analysis needs of a part's result; of a right answer or a blank that is what a person gave, if any."""
    place, given = (exercise, part.id), part.override is not None
    points, most = part.points or 0, part.max_points
    if part.verdict in (Verdict.CORRECT, Verdict.MISSING):
        return _shared(Answer(place=place, verdict=part.verdict, points=points, max_points=most, given=given))
    return _shared(
        Answer(
            place=place,
            verdict=part.verdict,
            points=points,
            max_points=most,
            response=part.response,
            read_as=part.read_as,
            ratio=part.ratio,
            cluster=part.cluster,
            ratio_cluster=part.ratio_cluster,
            mistakes=part.mistakes,
            titles=titles_of((one.mistakes, one.title) for one in part.explanations),
            ambiguous=bool(part.alternatives),
            followed=part.follow_through is not None,
            given=given,
            message=part.message,
        )
    )


def titles_of(explanations: Iterable[tuple[Sequence[str], str]]) -> tuple[tuple[str, str], ...]:
    """The titles of mistakes by id, from the ids and the title of each explanation, which lists those of a pair."""
    found: dict[str, str] = {}
    for mistakes, title in explanations:
        titles = [title] if len(mistakes) == 1 else title.split("; ")
        if title and len(titles) == len(mistakes):
            found |= zip(mistakes, titles, strict=True)
    return tuple(found.items())


def columns_of(book: Gradebook) -> tuple[Column, ...]:
    """The parts of the course as the results know them, in the order in which they come."""
    found: Mapping[Place, Column] = {
        (exercise.id, part.id): Column(exercise=exercise.id, part=part.id, title=part.title, max_points=part.max_points)
        for result in book.results
        for exercise in result.exercises
        for part in exercise.parts
    }
    return tuple(found.values())

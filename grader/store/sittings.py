"""What an analysis of the class needs of a store: the answers of those that count, without making whole results."""

import json
from collections.abc import Iterable, Iterator

from grader.analysis.sitting import Answer, Sitting, from_result, sitting, titles_of
from grader.results import Result, Verdict
from grader.store.reader import Store, told

_ANSWER = "select exercise, part, verdict, points, max_points, data from record where id = ?"
_LINES = "select p.record, p.line from submission s join part p on p.result = s.result where s.id = ? order by p.place"
_BARE = (Verdict.CORRECT, Verdict.MISSING)  # of these the texts say nothing to an analysis


def sittings(store: Store, totals: Iterable[tuple[int, Result, int]]) -> Iterator[Sitting]:
    """The sitting of each student, from what `Store.totals` gives; equal answers are one value."""
    known: dict[int, Answer] = {}
    for submission, result, _ in totals:
        yield _sitting(store, submission, result, known)


def _sitting(store: Store, submission: int, result: Result, known: dict[int, Answer]) -> Sitting:
    if not result.exercises or result.exercises[0].id:
        return from_result(result)  # a person gave points, or nothing was graded: it is whole
    with told(store.path):
        rows = store.db.execute(_LINES, (submission,)).fetchall()
        for record, _ in rows:
            if record not in known:
                known[record] = _answer(*store.db.execute(_ANSWER, (record,)).fetchone())
    return sitting(result, [known[record] for record, _ in rows], [line for _, line in rows])


def _answer(exercise: str, part: str, verdict: str, points: int, most: int, data: str) -> Answer:
    """What `grader.analysis.sitting.answer` makes of the same, without the whole result."""
    place, kind = (exercise, part), Verdict(verdict)
    if kind in _BARE:
        return Answer(place=place, verdict=kind, points=points, max_points=most)
    found = json.loads(data)
    explanations = found.get("explanations", ())
    return Answer(
        place=place,
        verdict=kind,
        points=points,
        max_points=most,
        response=found.get("response", ""),
        read_as=found.get("read_as"),
        ratio=found.get("ratio"),
        cluster=found.get("cluster"),
        ratio_cluster=found.get("ratio_cluster"),
        mistakes=tuple(found.get("mistakes", ())),
        titles=titles_of((one.get("mistakes", ()), one.get("title", "")) for one in explanations),
        ambiguous=bool(found.get("alternatives")),
        followed=found.get("follow_through") is not None,
        message=found.get("message", ""),
    )

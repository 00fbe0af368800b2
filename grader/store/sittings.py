"""What an analysis of the class needs of a store: the answers of those that count, without making whole results."""

from collections.abc import Iterable, Iterator

from grader.analysis.sitting import Answer, Sitting, answer, from_result, sitting
from grader.records import part_result
from grader.results import Result
from grader.store.reader import Store, told

_ANSWER = "select exercise, data from record where id = ?"
_LINES = "select p.record, p.line from submission s join part p on p.result = s.result where s.id = ? order by p.place"


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
        for record in {record for record, _ in rows} - known.keys():
            exercise, data = store.db.execute(_ANSWER, (record,)).fetchone()
            known[record] = answer(exercise, part_result(data))
    return sitting(result, [known[record] for record, _ in rows], [line for _, line in rows])

"""What a person should look at in a class: who is unknown, late or missing, and answers that look like another's."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice

from grader.compiled import Exercise
from grader.course import LoadedCourse
from grader.grading import ANOTHER_SHEET, Grader, find_exercise
from grader.keyring import variants
from grader.listing import alike, told_apart
from grader.reports.view import counted
from grader.results import Result, Status
from grader.store import Store
from grader.submission import Response
from grader.values import frozen

KINDS = (
    "unknown", "alike", "duplicate", "unreadable", "failed", "late", "rules", "attempts", "missing", "override", "same",
    "sheet",
)  # fmt: skip
Total = tuple[int, Result, int]  # a submission's number, its result, and how many its student handed in

_MOST_NAMED = 5
_MOST_COPIES = 5  # students with one odd answer; what more give is a misconception, not a copy
_MOST_SHEETS = 64


@frozen(kw_only=True)
class Flag:
    """One thing to look at. `kind` is one of `KINDS`; copies are advice, never proof."""

    kind: str
    student: str
    what: str


def flags(store: Store, loaded: LoadedCourse | None = None, totals: Sequence[Total] | None = None) -> Iterator[Flag]:
    """What to look at, by kind; with the course also whose numbers an answer fits that is wrong for the student's.

    `totals` are those of the store, where they have been read already.
    """
    yield from _unknown(store)
    yield from by_row([(result, attempts) for _, result, attempts in (store.totals() if totals is None else totals)])
    yield from _not_again(store)
    yield from _missing(store)
    yield from _given_in_vain(store)
    yield from _copies(store)
    if loaded is not None and any(exercise.draws for exercise in loaded.course.exercises):
        yield from _of_others(store, loaded)


def _unknown(store: Store) -> Iterator[Flag]:
    (enrolled,) = store.db.execute("select count(*) from student").fetchone()
    if not enrolled:
        return
    rows = store.db.execute(
        "select distinct student, source from submission where current and student not in (select id from student) "
        "order by student, source"
    )
    for student, source in rows:
        yield Flag(kind="unknown", student=student, what=f"not in the roster ({source})")


def by_row(rows: Sequence[tuple[Result, int]]) -> Iterator[Flag]:
    """What shows in the results alone, of which each student has one; beside it how many attempts there were."""
    yield from _alike(result.student for result, _ in rows)
    for result, attempts in rows:
        yield from _of_result(result, attempts)
    yield from _rules(result for result, _ in rows)


def _alike(students: Iterable[str]) -> Iterator[Flag]:
    for names in alike(students):
        for name in names:
            others = " and ".join(told_apart(other) for other in names if other != name)
            yield Flag(kind="alike", student=name, what=f"possibly the same student as {others}")


def _of_result(result: Result, attempts: int) -> Iterator[Flag]:
    if result.status != Status.GRADED:
        yield Flag(kind=result.status, student=result.student, what=result.message)
    if result.late:
        days, less = counted(result.late.days, "day"), counted(result.late.penalty, "point")
        what = f"{days} late by the clock {result.late.clock}, less {less}"
        yield Flag(kind="late", student=result.student, what=what)
    if attempts > 1 and result.status != Status.DUPLICATE:
        yield Flag(kind="attempts", student=result.student, what=f"handed in {attempts} times; {result.source} counts")


def _rules(results: Iterable[Result]) -> Iterator[Flag]:
    """What was odd when the course's rules were applied; what holds for many students is one line."""
    whose: dict[str, list[str]] = {}
    for result in results:
        for flag in result.flags:
            whose.setdefault(flag, []).append(result.student)
    for what, students in whose.items():
        if len(students) > _MOST_NAMED:
            yield Flag(kind="rules", student=f"{len(students)} students", what=what)
        else:
            yield from (Flag(kind="rules", student=student, what=what) for student in students)


def _not_again(store: Store) -> Iterator[Flag]:
    rows = store.db.execute(
        "select s.student, s.source from submission s join result r on r.id = s.result "
        "where s.current and s.status = 'failed' and r.status = 'graded' order by 1, 2"
    )
    for student, source in rows:
        what = f"grading {source} again failed; what it got before holds"
        yield Flag(kind="failed", student=student, what=what)


def _given_in_vain(store: Store) -> Iterator[Flag]:
    rows = store.db.execute(
        "select student, exercise, part, points from override where student not in (select student from grade) "
        "order by 1, 2, 3"
    )
    for student, exercise, part, points in rows:
        what = f"{exercise} {part}: points given by hand ({points}), but nothing is handed in under this name any more"
        yield Flag(kind="override", student=student, what=what)


def _missing(store: Store) -> Iterator[Flag]:
    rows = store.db.execute(
        "select id, name from student where id not in (select student from submission where current) order by id"
    )
    for student, name in rows:
        yield Flag(kind="missing", student=student, what=" ".join(filter(None, [name, "handed in nothing"])))


def _copies(store: Store) -> Iterator[Flag]:
    """The same odd wrong answer, which nothing explains, from a few students and nobody else."""
    rows = store.db.execute(
        "select exercise, part, coalesce(cluster, response), min(response), count(*), group_concat(student, ', ') "
        "from (select * from answers where verdict = 'incorrect' and mistakes = '[]' order by student) "
        "group by 1, 2, 3 having count(*) between 2 and ? order by 1, 2, 4",
        (_MOST_COPIES,),
    )
    for exercise, part, _, response, _, students in rows:
        yield Flag(kind="same", student=students, what=f"{exercise} {part}: the same odd wrong answer {response!r}")


def _of_others(store: Store, loaded: LoadedCourse) -> Iterator[Flag]:
    """Wrong answers that are right for the numbers of other students in the class."""
    grader = Grader(loaded.keyring)
    rows = store.db.execute(
        "select a.student, a.exercise, a.part, a.response from answers a join submission s on s.source = a.source "
        "and s.student = a.student join part p on p.result = s.result join record r on r.id = p.record "
        "and r.exercise = a.exercise and r.part = a.part where instr(r.data, ?) order by 1, 2, 3",
        (ANOTHER_SHEET,),
    ).fetchall()
    everyone = [student for (student,) in store.db.execute("select student from grade order by student")]
    sheets: dict[str, Mapping[str, list[str]]] = {}
    for student, name, part, response in rows:
        exercise = find_exercise(loaded.course, name)
        if exercise is None:
            continue
        if name not in sheets:
            sheets[name] = _by_sheet(loaded, exercise, everyone)
        others = list(islice(_fitting(grader, exercise, part, response, sheets[name]), _MOST_NAMED + 1))
        named = ", ".join(o for o in others[:_MOST_NAMED] if o != student) + (
            " and more" if len(others) > _MOST_NAMED else ""
        )
        what = f"{name} {part}: {response!r} is right for the numbers of {named or 'a sheet that nobody here has'}"
        yield Flag(kind="sheet", student=student, what=what)


def _by_sheet(loaded: LoadedCourse, exercise: Exercise, students: list[str]) -> Mapping[str, list[str]]:
    found: dict[str, list[str]] = {}
    for student in students:
        found.setdefault(repr(sorted(loaded.keyring.variant(exercise, student).items())), []).append(student)
    return found


def _fitting(
    grader: Grader, exercise: Exercise, part: str, response: str, sheets: Mapping[str, list[str]]
) -> Iterator[str]:
    """The students for whose numbers the response is right."""
    place = next(i for i, one in enumerate(exercise.parts) if one.id == part)
    for variant in islice(variants(exercise), _MOST_SHEETS):
        students = sheets.get(repr(sorted(variant.items())))
        marker = grader.variant_markers(exercise, variant)[place]
        if students and marker.accepts(Response(exercise=exercise.id, part=part, text=response), {}):
            yield from students

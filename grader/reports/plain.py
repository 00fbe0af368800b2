"""Reports as plain text for a terminal, at most 80 columns wide. Written without templates, which are slow to load.

A report is a sequence of lines; whatever is not made safe for a terminal by then is escaped when the lines are joined.
"""

from collections.abc import Iterable, Iterator

from grader.reports import curves, view
from grader.reports.markup import (
    Term,
    terminal,
    terminal_caret,
    terminal_code,
    terminal_ends,
    terminal_table,
    terminal_wrap,
)
from grader.results import ExerciseResult, Explanation, Gradebook, PartResult, Result, Status

_RULE = Term("─" * 80)
_BLANK = Term()
_LABEL = 17  # columns of the name of a row


def page(result: Result, course_title: str = "", colour: bool = False) -> str:
    """The report on one submission; shows what is in `result` and nothing else."""
    return _joined(_page(result, course_title, colour))


def summary(book: Gradebook) -> str:
    """A line for each submission, with what whoever reads it should know."""
    return _joined(_summary(book))


def _joined(lines: Iterable[str]) -> str:
    return "".join(f"{line if type(line) is Term else terminal(line)}\n" for line in lines)


def _summary(book: Gradebook) -> Iterator[str]:
    yield terminal_wrap(f"Results: {book.title or book.course}")
    yield f"{len(book.results)} submission{'' if len(book.results) == 1 else 's'}"
    yield _BLANK
    for result in book.results:
        graded = result.status == Status.GRADED
        yield terminal_ends(result.student or result.source, view.points(result) if graded else _status(result))
        for note in view.notes(result):
            yield Term("  " + terminal_wrap(note, 2, first=2))


def _page(result: Result, course_title: str, colour: bool) -> Iterator[str]:
    if course_title:
        yield terminal_wrap(course_title)
    yield terminal_wrap(f"Results for {result.student}")
    yield _BLANK
    if result.status == Status.GRADED:
        yield f"{view.points(result)}  {view.bar(result)}"
    else:
        yield terminal_wrap(f"{_status(result)}. {result.message or view.NEXT[result.status]}")
    for remark in result.remarks:
        yield Term("- " + terminal_wrap(remark, 2, first=2))
    if len(result.exercises) > 1:
        yield _BLANK
        yield from map(_overview, result.exercises)
    for exercise in result.exercises:
        yield from _exercise(exercise, colour)
    if result.source:
        yield _BLANK
        yield _RULE
        yield Term("Read from " + terminal_code(result.source, 10))


def _status(result: Result) -> str:
    return view.STATUS[result.status]


def _overview(exercise: ExerciseResult) -> Term:
    marks = "".join(f"{view.SYMBOLS[part.verdict]} " for part in exercise.parts)
    return terminal_ends(exercise.title or exercise.id, f"{marks}{view.share(exercise):>10}", 2)


def _exercise(exercise: ExerciseResult, colour: bool) -> Iterator[str]:
    yield _BLANK
    yield _RULE
    yield terminal_ends(exercise.title or exercise.id, view.points(exercise))
    if exercise.prompt:
        yield _BLANK
        yield terminal_wrap(exercise.prompt)
    for part in exercise.parts:
        yield _BLANK
        yield terminal_ends(part.title or part.id, view.score(part, colour))
        if part.prompt:
            yield terminal_wrap(part.prompt, 2)
        for row in view.rows(part, exercise):
            yield Term(f"  {terminal(row.label):{_LABEL}}{_content(row, part)}")
            if row.kind == "plot" and part.plot is not None:
                yield from _points(part)


def _content(row: view.Row, part: PartResult) -> Term:
    """What a row shows, hung under where it begins."""
    indent = 2 + _LABEL
    if row.kind == "response" and part.position is not None:
        return terminal_caret(part.response, part.position, indent)
    if row.kind in ("response", "reading", "solution"):
        shown = {"response": part.response, "reading": part.read_as, "solution": part.solution}[row.kind]
        return terminal_code(shown or "", indent)
    return terminal_wrap(_text(row, part), indent, first=indent)


def _text(row: view.Row, part: PartResult) -> str:
    if row.explanation is not None:
        return _explanation(row.explanation)
    if row.kind == "plot" and part.plot is not None:
        return curves.describe(part.plot)
    return part.message if row.kind == "message" else row.text


def _explanation(why: Explanation) -> str:
    hint = f"Hint: {why.hint}" if why.hint and (why.title or why.feedback) else why.hint
    return "\n\n".join(filter(None, (why.title, why.feedback, hint)))


def _points(part: PartResult) -> Iterator[Term]:
    assert part.plot is not None
    head, body = curves.table(part.plot)
    if body:
        yield terminal_table((head, *body), 4)

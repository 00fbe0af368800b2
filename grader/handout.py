"""The answer file of a course to hand out: what its students see of each exercise, written by `grader.sheet`."""

from collections.abc import Iterable, Mapping

from grader.compiled import Exercise
from grader.course import LoadedCourse, find_exercises, require_secret
from grader.sheet import Sheet, SheetPart, sheet


def sheet_text(loaded: LoadedCourse, names: Iterable[str], student: str | None) -> str:
    """The answer file to fill in for these exercises, with the questions as comments."""
    require_secret(loaded.course)
    exercises = find_exercises(loaded.course, names)
    return sheet([sheet_of(loaded, exercise, student) for exercise in exercises], student)


def sheet_of(loaded: LoadedCourse, exercise: Exercise, student: str | None) -> Sheet:
    """What a student sees of one exercise."""
    parts = tuple(
        SheetPart(
            id=part.id,
            type=part.type,
            title=part.title,
            prompt=part.prompt,
            unit=part.options.get("unit") or part.options.get("y"),
            symbols=tuple(part.options.get("symbols", ())),
            symbol=part.options.get("symbol"),
            options=part.options.get("options", {}),
        )
        for part in exercise.parts
    )
    return Sheet(
        id=exercise.id,
        title=exercise.title,
        parts=parts,
        prompt=exercise.prompt,
        source=exercise.source,
        symbols=exercise.symbols,
        given=_given(loaded, exercise, student),
    )


def _given(loaded: LoadedCourse, exercise: Exercise, student: str | None) -> Mapping[str, str]:
    """What is drawn for the student, with its unit; without a student or without the values, that it is drawn."""
    if loaded.edition:
        return dict.fromkeys(sorted(exercise.draws), "(drawn for each student: ask for yours)")
    if student is None:
        return dict.fromkeys(sorted(exercise.draws), "(drawn for each student: name one with --student)")
    drawn = loaded.keyring.variant(exercise, student)
    return {name: f"{value} {exercise.units.get(name, '')}".rstrip() for name, value in drawn.items()}

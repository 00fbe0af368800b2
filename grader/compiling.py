"""From the YAML files of a course to the plain values that grading works on, with every fault found on the way.

The reference package is handed in: it gives the model of each exercise as formulas, which become texts of the answer
language here and stay so.
"""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

from grader.compiled import COURSE, Course, Example, Exercise, Mistake, Model, Part, Policy
from grader.errors import Fault, GraderError, SpecError, did_you_mean
from grader.exercise import (
    CREDITED,
    Choose,
    CourseFile,
    Mistakes,
    load_course_file,
    load_exercise,
    load_mistakes,
)
from grader.exercise import Exercise as ExerciseSpec
from grader.exercise import Mistake as MistakeSpec
from grader.exercise import Part as PartSpec
from grader.maths.regime import Regime
from grader.maths.show import text
from grader.maths.symbolic import from_sympy
from grader.solutions import unknown_names
from grader.specs import number

MISTAKES = "mistakes.yaml"


def reference_of(folder: Path) -> str:
    """The name of the reference package that the course is solved with."""
    return load_course_file(folder / COURSE).reference


def compile_course(folder: Path, reference: ModuleType) -> Course:
    """The course in the folder; SpecError with all faults of all its files."""
    file = load_course_file(folder / COURSE)
    faults: list[Fault] = []
    mistakes = _tried(faults, lambda: load_mistakes(folder / MISTAKES)) if (folder / MISTAKES).exists() else None
    specs = _exercise_specs(folder, file, faults)
    if faults:
        raise SpecError(faults)
    # also the exercises that this course leaves out: what mistakes may name is what any file of the folder knows
    known = {
        spec.id: exercise
        for spec in specs.values()
        if (exercise := _tried(faults, lambda spec=spec: _exercise(spec, reference)))
    }
    common = tuple(_common(mistakes or Mistakes()))
    faults += _unknown(mistakes or Mistakes(), specs, known)
    faults += _unknown_ids(mistakes or Mistakes(), specs)
    if faults:
        raise SpecError(faults)
    return Course(
        id=file.id,
        title=file.title,
        exercises=tuple(known[name] for name in file.exercises),
        mistakes=common,
        reveal=_reveal(file),
        secret_env=file.secret_env or "",
        templates=file.templates or "",
        policy=_policy(file),
    )


def _tried(faults: list[Fault], step: Any) -> Any:
    """What the step gives; None if it raises, with its faults kept."""
    try:
        return step()
    except SpecError as error:
        faults.extend(error.faults or [Fault("", None, "", str(error))])
        return None


def _exercise_specs(folder: Path, file: CourseFile, faults: list[Fault]) -> dict[str, ExerciseSpec]:
    """The exercises of the folder by id; a fault for each that the course names and that is not there."""
    found: dict[str, ExerciseSpec] = {}
    for path in sorted(folder.glob("*.yaml")):
        spec = None if path.name in (COURSE, MISTAKES) else _tried(faults, lambda path=path: load_exercise(path))
        if spec is not None and spec.id in found:
            faults.append(spec.fault("id", f"{spec.id} is also the id of {Path(found[spec.id].source_file).name}"))
        elif spec is not None:
            found[spec.id] = spec
    for index, name in enumerate(file.exercises):
        if name not in found and not faults:
            close = did_you_mean(name, found)
            faults.append(
                file.fault(f"exercises.{index}", f"no file has {name}" + (f"; did you mean {close}?" if close else ""))
            )
    return found


def _exercise(spec: ExerciseSpec, reference: ModuleType) -> Exercise:
    models = {name: _model(spec, name, reference) for name in _accelerators(spec)}
    draws = {name: parameter.choose for name, parameter in spec.parameters.items() if parameter.choose}
    if isinstance(spec.model.accelerator, Choose):
        draws["accelerator"] = spec.model.accelerator.choose
    return Exercise(
        id=spec.id,
        title=spec.title,
        prompt=spec.prompt or "",
        file=Path(spec.source_file).name,
        source=spec.source or "",
        symbols=spec.symbols,
        regime=spec.regime,
        follows=spec.follows,
        models=models,
        draws=draws,
        units=_units(spec),
        parts=tuple(_part(spec, index, part) for index, part in enumerate(spec.parts)),
        mistakes=tuple(
            _mistake(mistake, spec.lines.get(f"mistakes.{index}")) for index, mistake in enumerate(spec.mistakes)
        ),
    )


def _units(spec: ExerciseSpec) -> dict[str, str]:
    """The units of quantities, from the parts that ask for them and from the parameters."""
    asked = {p.solution: p.answer.unit for p in spec.parts if p.answer.unit and p.solution.isidentifier()}
    return asked | {name: parameter.unit for name, parameter in spec.parameters.items() if parameter.unit}


def _accelerators(spec: ExerciseSpec) -> tuple[str, ...]:
    given = spec.model.accelerator
    if isinstance(given, Choose):
        return given.choose
    return (given,) if given else ()


def _model(spec: ExerciseSpec, accelerator: str, reference: ModuleType) -> Model:
    """The formulas of the reference's model, as texts; parameters and the editions' values are quantities, too."""
    parameters = {}
    for name, parameter in spec.parameters.items():
        parameters[name] = number(parameter.value or parameter.choose[0])
        for edition, value in parameter.editions.items():
            parameters[f"{name}_{edition}"] = number(value)
    batch = {"batch": spec.model.batch} if spec.model.batch else {}
    try:
        model = reference.model(spec.model.operation, accelerator, regime=spec.regime, parameters=parameters, **batch)
    except ValueError as error:
        raise SpecError([spec.fault("model", str(error))]) from error
    formulas = {name: formula for name, formula in model.formulas.items() if not isinstance(formula, str)}
    return Model(
        formulas={name: text(from_sympy(formula)) for name, formula in formulas.items()},
        texts={name: formula for name, formula in model.formulas.items() if isinstance(formula, str)},
    )


def _part(spec: ExerciseSpec, index: int, part: PartSpec) -> Part:
    place = f"parts.{index}"
    options = part.answer.model_dump(exclude_defaults=True, exclude={"type"}, by_alias=True, mode="json")
    if part.series:
        options["series"] = [dict(one) for one in part.series]
    if part.answer.type == "threshold":
        options.setdefault("symbol", next(iter(spec.symbols), None))
    return Part(
        id=part.id,
        title=part.title or "",
        prompt=part.prompt or "",
        type=part.answer.type,
        solution=part.solution,
        at=dict(part.at),
        options=options,
        check=part.check.tag,
        check_options=part.check.options,
        points=part.points,
        credit=dict(part.credit),
        examples=tuple(
            Example(
                response=example.response,
                verdict=str(example.verdict),
                mistakes=example.mistakes,
                line=spec.lines.get(f"{place}.examples.{number_}"),
            )
            for number_, example in enumerate(part.examples)
        ),
        line=spec.lines.get(place),
    )


def _mistake(mistake: MistakeSpec, line: int | None, kind: str | None = None) -> Mistake:
    return Mistake(
        id=mistake.id,
        title=mistake.title,
        kind=kind or ("convention" if mistake.verdict else mistake.kind),
        changes=tuple(dict(change) for change in mistake.change),
        exercises=mistake.only_in,
        values=dict(mistake.values),
        covers=mistake.covers,
        feedback=(mistake.feedback or "").strip(),
        hint=(mistake.hint or "").strip(),
        line=line,
    )


def _common(file: Mistakes) -> Iterator[Mistake]:
    for section, kind in (
        ("conventions", "convention"),
        ("mistakes", None),
        ("factors", "factor"),
        ("slips", "generic"),
    ):
        for index, mistake in enumerate(getattr(file, section)):
            yield _mistake(mistake, file.lines.get(f"{section}.{index}"), kind)


def _unknown(file: Mistakes, specs: Mapping[str, ExerciseSpec], exercises: Mapping[str, Exercise]) -> Iterator[Fault]:
    """Names in changes that no model of the course has, and exercises in `in` that the course lacks."""
    models = {f"{e.id} {name}": model for e in exercises.values() for name, model in e.models.items()}
    symbols = {name: "" for e in exercises.values() for name in e.symbols}
    owners: list[Any] = [(file, section) for section in ("conventions", "mistakes", "factors")]
    owners += [(spec, "mistakes") for spec in specs.values()]
    for owner, section in owners:
        for index, mistake in enumerate(getattr(owner, section)):
            place = f"{section}.{index}"
            for what in _change_faults(mistake, models, symbols):
                yield owner.fault(f"{place}.change", what)
            for name in mistake.only_in:
                if name not in specs:
                    yield owner.fault(f"{place}.in", _lacking("exercise", name, specs))


def _unknown_ids(file: Mistakes, specs: Mapping[str, ExerciseSpec]) -> Iterator[Fault]:
    """Exercises that are followed and mistakes that earn credit, where the course has none of that name."""
    common = {mistake.id for mistake in (*file.conventions, *file.mistakes, *file.factors, *file.slips)}
    for spec in specs.values():
        if spec.follows is not None and spec.follows not in specs:
            yield spec.fault("follows", _lacking("exercise", spec.follows, specs))
        known = common | CREDITED | {mistake.id for mistake in spec.mistakes}
        for index, part in enumerate(spec.parts):
            for name in part.credit:
                if name not in known:
                    yield spec.fault(f"parts.{index}.credit.{name}", _lacking("mistake", name, known))


def _lacking(kind: str, name: str, known: Iterable[str]) -> str:
    close = did_you_mean(name, known)
    return f"the course has no {kind} {name}" + (f"; did you mean {close}?" if close else "")


def _change_faults(mistake: MistakeSpec, models: Mapping[str, Model], symbols: Mapping[str, str]) -> Iterator[str]:
    for change in mistake.change:
        try:
            names = unknown_names(change, models, symbols)
            if "regime" in change:
                Regime.read(change["regime"])
        except GraderError as error:
            yield str(error)
            continue
        known = {name for model in models.values() for name in (*model.formulas, *model.texts)}
        for name in sorted(names):
            close = did_you_mean(name, known)
            yield f"no model of the course has a quantity {name}" + (f"; did you mean {close}?" if close else "")


def _policy(file: CourseFile) -> Policy:
    due, late = file.due, file.late
    return Policy(
        due_at=due.at.isoformat() if due else "",
        clock=due.source if due else "lms",
        grace=int(due.grace.total_seconds()) if due else 0,
        late_points=late.points_per_day if late else 0,
        late_cap=late.cap if late else None,
        attempts=file.attempts,
        extensions={student: int(more.total_seconds()) for student, more in file.extensions.items()},
    )


def _reveal(file: CourseFile) -> tuple[tuple[str, str], ...]:
    """The levels of feedback with the moments from which they hold, the earliest first."""
    if isinstance(file.reveal, tuple):
        return tuple((entry.since.isoformat(), str(entry.level)) for entry in file.reveal)
    return (("", str(file.reveal)),)

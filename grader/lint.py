"""What an exercise must prove before it is published: every key passes its own check however it is written, every
example earns what it says, no mistake passes for right, and the check refuses every mutant of the key."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from grader.compiled import Exercise, Key
from grader.course import LoadedCourse, load_course, require_keys
from grader.diagnosis.mutation import mutants
from grader.errors import Fault, GraderError, SpecError
from grader.explaining import mark as mark_one
from grader.grading import Grader
from grader.keyring import variants
from grader.marking import Marker
from grader.maths.expression import Expr
from grader.maths.fingerprint import fingerprint
from grader.maths.polynomial import RationalFunction
from grader.maths.show import text
from grader.protocols import Answer
from grader.results import PartResult, Verdict
from grader.submission import Response
from grader.values import frozen

_MOST_VARIANTS = 64
SNAPSHOT = "coincidences.json"


@frozen
class Report:
    """What lint found: faults, and the lines to print."""

    faults: tuple[Fault, ...]
    lines: tuple[str, ...]


class _Counts:
    """What was tried, for the score."""

    def __init__(self) -> None:
        self.parts = self.keys = self.examples = self.mutants = self.refused = 0


def lint(course: str | Path | None = None, files: Sequence[Path] = (), *, update: bool = False) -> Report:
    """Lint a course, or only the named exercise files of it; `update` accepts the coincidences as they are now."""
    for file in files:
        if not file.exists():
            raise SpecError(f"{file}: there is no such file")
    folder = files[0].parent if files and course is None else course
    loaded = load_course(folder)
    require_keys(loaded)
    chosen = [e for e in loaded.course.exercises if not files or Path(e.file).name in {f.name for f in files}]
    if not chosen:
        raise SpecError(f"no exercise of the course is in {', '.join(map(str, files))}")
    counts = _Counts()
    faults = [fault for exercise in chosen for fault in _exercise(loaded, exercise, counts)]
    if not files:
        faults += [*_snapshot(loaded, update), *_templates(loaded)]
    score = f"{counts.refused} of {_counted(counts.mutants, 'mutant')} refused"
    tried = (_counted(len(chosen), "exercise"), _counted(counts.parts, "part"), _counted(counts.examples, "example"))
    lines = [*map(str, faults), ", ".join((*tried, score)), _counted(len(faults), "fault") if faults else "no faults"]
    return Report(tuple(faults), tuple(lines))


def _templates(loaded: LoadedCourse) -> Sequence[Fault]:
    """The faults of the course's own templates."""
    if not loaded.course.templates:
        return ()
    from grader.reports.overrides import of_course
    from grader.reports.sandbox import check

    try:
        check(of_course(loaded.folder, loaded.course.templates))
    except SpecError as error:
        return error.faults
    return ()


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _exercise(loaded: LoadedCourse, exercise: Exercise, counts: _Counts) -> Iterator[Fault]:
    reached: set[str] = set()
    for number, variant in enumerate(variants(exercise)):
        if number == _MOST_VARIANTS:
            break
        markers = Grader(loaded.keyring).variant_markers(exercise, variant)
        for marker in markers:
            counts.parts += 1
            place = f"{marker.part.id} ({', '.join(variant.values())})" if variant else marker.part.id
            yield from (
                Fault(exercise.file, line or marker.part.line, place, what) for line, what in _part(marker, counts)
            )
        reached |= {name for marker in markers for name in _reached(marker)}
    for mistake in exercise.mistakes:
        if mistake.id not in reached:
            what = "this mistake gives no part a wrong value: none depends on what it changes, or it can't be solved"
            yield Fault(exercise.file, mistake.line, mistake.id, what)


def _reached(marker: Marker) -> Iterator[str]:
    """The mistakes and conventions from which this part has a value."""
    for key in (*marker.keys.right, *marker.keys.wrong):
        yield from (*key.conventions, *key.mistakes)


def _part(marker: Marker, counts: _Counts) -> Iterator[tuple[int | None, str]]:
    try:
        marker.right  # noqa: B018  reads every right value, or tells why it is none for this type of answer
    except GraderError as error:
        yield None, f"the solution {marker.keys.right[0].value} is no answer of this type: {error}"
        return
    yield from ((None, what) for what in _keys(marker, counts))
    yield from _examples(marker, counts)
    yield from ((None, what) for what in _mistakes(marker))
    yield from ((None, what) for what in _mutation(marker, counts))


def _mark(marker: Marker, response: str) -> PartResult:
    return mark_one(marker, _response(marker, response))


def _decide(marker: Marker, response: str) -> PartResult:
    """The verdict alone: explaining takes longer than all else."""
    return marker.decided(_response(marker, response), {}).result


def _response(marker: Marker, text_: str) -> Response:
    return Response(exercise=marker.exercise.id, part=marker.part.id, text=text_)


def _keys(marker: Marker, counts: _Counts) -> Iterator[str]:
    """Every right value is right in each way of writing it."""
    for key, answer in marker.right:
        for form, response in _forms(marker, key, answer):
            counts.keys += 1
            result = _decide(marker, response)
            if result.verdict != Verdict.CORRECT:
                yield f"the key {form} ({response}) is {result.verdict} by its own check: {result.message}"


def _forms(marker: Marker, key: Key, answer: Answer) -> Iterator[tuple[str, str]]:
    yield "as stored", marker.key_text(key)
    yield "as read back", answer.read_as
    if marker.part.type != "choice":
        yield "in LaTeX", answer.latex
    if marker.part.type == "expression":
        rational = RationalFunction.from_expr(answer.value) if answer.value is not None else None
        if rational is not None:
            yield "expanded", text(rational.to_expr())
            yield "factored", text(rational.cancel().to_expr())


def _examples(marker: Marker, counts: _Counts) -> Iterator[tuple[int | None, str]]:
    for example in marker.part.examples:
        counts.examples += 1
        result = _mark(marker, example.response)
        named = {*result.mistakes, *(name for group in result.alternatives for name in group)}
        shown = f"the example {example.response!r}"
        if result.verdict != example.verdict:
            reason = result.message or (f"read as {result.read_as}" if result.read_as else "")
            yield example.line, f"{shown} should be {example.verdict} and is {result.verdict} ({reason})"
        elif not named.issuperset(example.mistakes):
            wanted, found = ", ".join(example.mistakes), ", ".join(sorted(named)) or "none"
            yield example.line, f"{shown} should name {wanted} and names {found}"


def _mistakes(marker: Marker) -> Iterator[str]:
    """No mistake that changes the value passes the check."""
    for key in marker.keys.wrong:
        result = _mark(marker, marker.key_text(key))
        if result.verdict == Verdict.CORRECT:
            yield f"the mistake {', '.join(key.mistakes)} gives {marker.key_text(key)}, which passes as right"
        elif result.verdict in (Verdict.INVALID, Verdict.UNDECIDED):
            yield f"the mistake {', '.join(key.mistakes)} gives {marker.key_text(key)}: {result.message}"


def _mutation(marker: Marker, counts: _Counts) -> Iterator[str]:
    value = marker.right[0][1].value
    if value is None or marker.part.type in ("choice", "curve"):
        return
    right = {key.fingerprint for key in marker.keys.right}
    for mutant in mutants(value):
        if fingerprint(mutant, marker.domain) in right:
            continue
        counts.mutants += 1
        response = marker.key_text(_as_key(marker.keys.right[0], mutant))
        verdict = _decide(marker, response).verdict
        counts.refused += verdict in (Verdict.INCORRECT, Verdict.PARTIAL)
        if verdict not in (Verdict.INCORRECT, Verdict.PARTIAL, Verdict.INVALID):
            yield f"the mutant {response} of the key is {verdict}"


def _as_key(key: Key, value: Expr) -> Key:
    return Key(value=text(value), fingerprint="", relation=key.relation)


def _coincidences(loaded: LoadedCourse) -> dict[str, list[list[str]]]:
    """The groups of mistakes that give the same value in a part, by exercise and part."""
    found: dict[str, list[list[str]]] = {}
    for exercise in loaded.course.exercises:
        for part, keys in loaded.keyring.keys(exercise, next(variants(exercise))).items():
            groups: dict[tuple[str, str], list[str]] = {}
            for key in keys.wrong:
                if not key.conventions:
                    groups.setdefault((key.fingerprint, key.relation), []).append(key.mistakes[0])
            shared = sorted(sorted(set(group)) for group in groups.values() if len(set(group)) > 1)
            if shared:
                found[f"{exercise.id}.{part}"] = shared
    return found


def _snapshot(loaded: LoadedCourse, update: bool) -> list[Fault]:
    """Which mistakes can't be told apart changes only on purpose."""
    path = loaded.folder / SNAPSHOT
    now = _coincidences(loaded)
    if update:
        path.write_text(json.dumps(now, indent=1) + "\n", encoding="utf-8")
        return []
    if not path.exists():
        return []
    asked = {exercise.id for exercise in loaded.course.exercises}  # a course may ask only some of what is in its folder
    stored = json.loads(path.read_text(encoding="utf-8"))
    before = {name: mistakes for name, mistakes in stored.items() if name.partition(".")[0] in asked}
    changed = sorted(name for name in before.keys() | now.keys() if before.get(name) != now.get(name))
    what = "the mistakes that share a value here have changed; accept it with `grader lint --update`"
    return [Fault(str(path), None, name, what) for name in changed]

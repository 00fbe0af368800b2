"""Every mistake of the packaged course is applied to its model, and the answers that follow from it must lead back."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import combinations

import pytest

from grader.compiled import Exercise, Key
from grader.course import LoadedCourse
from grader.explaining import mark as mark_one
from grader.grading import Grader
from grader.keyring import variants
from grader.marking import Marker
from grader.maths.fingerprint import fingerprint
from grader.maths.grammar import read_expression
from grader.maths.show import text
from grader.results import PartResult, Verdict
from grader.submission import Response, Submission

Names = frozenset[str]


@pytest.fixture
def loaded(packaged: LoadedCourse) -> LoadedCourse:
    return packaged


@pytest.fixture
def grader(packaged_grader: Grader) -> Grader:
    return packaged_grader


def markers(grader: Grader) -> Iterator[Marker]:
    for exercise in grader.course.exercises:
        yield from grader.variant_markers(exercise, {})


def mark(marker: Marker, response: str) -> PartResult:
    return mark_one(marker, Response(exercise=marker.exercise.id, part=marker.part.id, text=response))


def offered(result: PartResult) -> set[Names]:
    """The explanations of a result, each as a set of mistakes."""
    return {frozenset(group) for group in (result.mistakes, *result.alternatives) if group}


def is_leading_form(result: PartResult) -> bool:
    """A declared coincidence: the mistake gives the leading form of the right answer, which is `partial` by itself."""
    return result.verdict == Verdict.PARTIAL and result.relation == "leading_order"


def test_every_single_mistake_is_recognised_in_every_part_that_it_changes(grader: Grader) -> None:
    missed = []
    for marker in markers(grader):
        sharing: dict[tuple[str, str], set[Names]] = defaultdict(set)
        for key in marker.keys.wrong:
            sharing[key.fingerprint, key.relation].add(frozenset(key.mistakes))
        for key in (key for key in marker.keys.wrong if not key.conventions):
            result = mark(marker, marker.key_text(key))
            if not is_leading_form(result) and not offered(result) & sharing[key.fingerprint, key.relation]:
                missed.append((marker.exercise.id, marker.part.id, key.mistakes, key.value, offered(result)))
    assert not missed


def test_nearly_every_pair_of_mistakes_is_recognised_in_formulas(grader: Grader) -> None:
    seen: Counter[str] = Counter()
    for marker in markers(grader):
        if marker.part.type == "expression":
            for values, result in pairs(marker):
                if not is_leading_form(result):
                    seen["all"] += len(values)
                    seen["recognised"] += len(values) if offered(result) & values else 0
    assert seen["all"] > 3500
    assert seen["recognised"] >= 0.95 * seen["all"], seen


def pairs(marker: Marker) -> Iterator[tuple[set[Names], PartResult]]:
    """The groups of mistakes that give one wrong value (pairs, and singles of the same value), and its result."""
    solver, part = marker.solver(), marker.part
    faces = [(m, face) for m, face in solver.reaching(part) if m.kind in ("cause", "slip")]
    right = {key.value for key in marker.keys.right}
    groups: dict[str, set[Names]] = defaultdict(set)
    for (first, one), (second, other) in combinations(faces, 2):
        admissible = "cause" in (first.kind, second.kind) and first.id != second.id
        if admissible and not one.changes.keys() & other.changes.keys():
            solved = solver.tried(part, (*solver.base(part), one, other))
            if solved is not None and not isinstance(solved[0], str) and text(solved[0]) not in right:
                groups[text(solved[0])].add(frozenset((first.id, second.id)))
    singles: dict[str, set[Names]] = defaultdict(set)
    for key in marker.keys.wrong:
        singles[key.value].add(frozenset(key.mistakes))
    # a maximum takes long to decide: of those, every third is tried
    for value, found in list(groups.items())[:: 3 if part.solution in ("t_lower", "t_upper") else 1]:
        yield found | singles[value], mark(marker, value)


def test_what_follows_from_a_mistake_earns_follow_through_or_shows_the_same_mistake(grader: Grader) -> None:
    total, missed = 0, []
    for exercise in grader.course.exercises:
        for mistake in {key.mistakes[0] for m in grader.variant_markers(exercise, {}) for key in m.keys.wrong}:
            for part, ok in later_parts(grader, exercise, mistake):
                total += 1
                if not ok:
                    missed.append((exercise.id, mistake, part.id, part.response, part.mistakes, part.alternatives))
    assert total > 150
    assert len(missed) <= 0.05 * total, (total, missed)


def later_parts(grader: Grader, exercise: Exercise, mistake: str) -> Iterator[tuple[PartResult, bool]]:
    """The wrong parts after the first one, in a submission that follows from the mistake throughout."""
    responses = []
    for marker in grader.variant_markers(exercise, {}):
        key = first_key(marker, mistake) or marker.keys.right[0]
        responses.append(Response(exercise=exercise.id, part=marker.part.id, text=marker.key_text(key)))
    result = grader.grade(Submission(student="s", source="s", responses=tuple(responses)))
    parts = next(e for e in result.exercises if e.id == exercise.id).parts
    wrong = [part for part in parts if part.verdict == Verdict.INCORRECT]
    for part in wrong[1:]:
        yield part, part.follow_through is not None or any(mistake in group for group in offered(part))


def first_key(marker: Marker, mistake: str) -> Key | None:
    return next((key for key in marker.keys.wrong if key.mistakes == (mistake,) and not key.conventions), None)


def test_an_error_that_is_carried_through_costs_once_and_is_told_once(grader: Grader) -> None:
    answers = {"flops": "2B^2DF", "bytes": "BD + BDF + BF", "intensity": "2B^2DF/(BD + BDF + BF)", "leading": "2B",
               "bound": "above"}  # fmt: skip
    responses = tuple(Response(exercise="q4-batched-matmul", part=p, text=t) for p, t in answers.items())
    result = grader.grade(Submission(student="s", source="s", responses=responses))
    exercise = next(e for e in result.exercises if e.id == "q4-batched-matmul")
    parts = {part.id: part for part in exercise.parts}
    assert exercise.points == exercise.max_points - parts["flops"].max_points
    assert parts["flops"].explanations
    assert [part.id for part in exercise.parts if part.explanations] == ["flops"]
    assert parts["intensity"].follow_through == ("flops",)
    assert all(parts[name].points == parts[name].max_points for name in ("intensity", "leading", "bound"))


@pytest.mark.parametrize("name", ["q4-batched-matmul.intensity", "q1-int8-matmul.lower", "q2-mixed-matmul.bytes"])
def test_a_search_for_pairs_finds_what_their_table_holds(loaded: LoadedCourse, name: str) -> None:
    exercise = next(e for e in loaded.course.exercises if name.startswith(e.id))
    part = next(p for p in exercise.parts if name.endswith(f".{p.id}"))
    solver, table = loaded.keyring.solver(exercise, {}), loaded.keyring.pair_table(exercise, part)
    hits = 0
    for value in ("2B^2DF/(2BD + BDF + 2BF)", "max(BDF/3.94e14, (BD + DF)/8.1e11)", "2BD + 2DF", "17B^3"):
        tree = read_expression(value, list(exercise.symbols))
        held = {tuple(group) for group in table.get(fingerprint(tree, solver.domain), ())}
        assert set(solver.search_pairs(part, tree)) == held
        hits += len(held)
    assert hits


def test_pairs_are_found_for_drawn_parameters_too(tiny_grader: Grader) -> None:
    exercise = next(e for e in tiny_grader.course.exercises if e.draws)
    for marker in tiny_grader.variant_markers(exercise, dict(next(variants(exercise)))):
        if marker.part.type == "expression":
            for values, result in pairs(marker):
                assert offered(result) & values or is_leading_form(result), (marker.part.id, result.response)

"""The keys of a part: the solution, what is right by convention, and what each mistake makes of it."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from grader.compiled import Change, Course, Exercise, Key, Mistake, Part, PartKeys
from grader.course import LoadedCourse, chosen, load_course
from grader.errors import ResponseError, SolutionError, SpecError
from grader.grading import Grader, find_exercise
from grader.handout import sheet_text
from grader.keyring import Keyring, drawn, sample_key, variants
from grader.lint import lint
from grader.maths.grammar import read_expression
from grader.maths.polynomial import simplified
from grader.solutions import Solver, unknown_names
from tests import tiny as small
from tests.tiny import mark

SECRET = b"not the public one"


def exercise(course: Course, name: str) -> Exercise:
    found = find_exercise(course, name)
    assert found
    return found


def bare(course: Course) -> Exercise:
    """The exercise with fixed numbers, without mistakes of its own."""
    return replace(exercise(course, "fixed"), mistakes=())


def part(course: Course, place: str) -> Part:
    name, _, wanted = place.partition(".")
    (found,) = (part for part in exercise(course, name).parts if part.id == wanted)
    return found


def keys(loaded: LoadedCourse, place: str, variant: Change | None = None) -> PartKeys:
    name, _, wanted = place.partition(".")
    return loaded.keyring.keys(exercise(loaded.course, name), variant or {})[wanted]


def solver(loaded: LoadedCourse, name: str, variant: Change, mistakes: Iterable[Mistake] = ()) -> Solver:
    return Solver(exercise(loaded.course, name), variant, tuple(mistakes), b"k")


def same(key: Key, formula: str) -> bool:
    return simplified(read_expression(key.value, "BDF")) == simplified(read_expression(formula, "BDF"))


def of(found: Iterable[Key], mistake: str, conventions: tuple[str, ...] = ()) -> Key:
    (key,) = (key for key in found if key.mistakes == (mistake,) and key.conventions == conventions)
    return key


# --- what is right, and what mistakes make of it ----------------------------------------------------------------------


def test_the_solution_comes_first_and_rests_on_no_convention(tiny: LoadedCourse) -> None:
    first, second = keys(tiny, "fixed.ops").right
    assert same(first, "2*B*D*F")
    assert (first.conventions, second.conventions) == ((), ("exact-count",))
    assert same(second, "B*F*(2*D - 1)")


def test_a_mistake_reaches_the_parts_that_depend_on_what_it_changes(tiny: LoadedCourse) -> None:
    assert same(of(keys(tiny, "fixed.ops").wrong, "half-count"), "B*D*F")
    assert same(of(keys(tiny, "fixed.intensity").wrong, "half-count"), "B*D*F/(B*D + B*F + D*F)")
    assert of(keys(tiny, "fixed.critical").wrong, "half-count").number == Fraction(39400, 81)


def test_a_mistake_that_leaves_a_part_as_it_is_has_no_key_there(tiny: LoadedCourse) -> None:
    names = {name for key in keys(tiny, "fixed.ops").wrong for name in key.mistakes}
    assert names == {"half-count", "guess"}


def test_mistakes_are_solved_on_top_of_every_convention(tiny: LoadedCourse) -> None:
    wrong = keys(tiny, "fixed.ops").wrong
    assert same(of(wrong, "half-count", ("exact-count",)), "B*F*(2*D - 1)/2")
    both = of(keys(tiny, "fixed.ridge_1024").wrong, "no-output", ("exact-count", "other-edition"))
    assert both.number is not None


def test_conventions_that_change_different_quantities_combine(tiny: LoadedCourse) -> None:
    found = [key.conventions for key in keys(tiny, "fixed.ridge_1024").right]
    assert found == [(), ("exact-count",), ("other-edition",), ("exact-count", "other-edition")]


def test_a_wrong_value_that_is_right_by_a_convention_is_not_wrong(tiny: LoadedCourse) -> None:
    course = bare(tiny.course)
    twice = Mistake(id="twice", title="T", kind="cause", changes=({"flops": "2 * flops"}, {"flops": "flops - z_size"}))
    convention = Mistake(id="c", title="C", kind="convention", changes=({"flops": "2 * flops"},))
    found = Solver(course, {}, (convention, twice), b"k").keys(course.parts[0])
    assert [key.conventions for key in found.right] == [(), ("c",)]
    values = [key for key in found.wrong if not key.conventions]
    assert len(values) == 1
    assert same(values[0], "B*F*(2*D - 1)")


def test_a_mistake_that_names_what_a_model_lacks_is_not_offered_there(tiny: LoadedCourse) -> None:
    for accelerator, offered in (("tpu-v5e", False), ("h100-sxm", True)):
        found = keys(tiny, "drawn.ridge", {"accelerator": accelerator, "bandwidth": "8e11"})
        assert any(key.mistakes == ("fp8",) for key in found.wrong) is offered


def test_a_mistake_is_offered_only_in_the_exercises_that_it_names(tiny: LoadedCourse) -> None:
    course = bare(tiny.course)
    mistake = Mistake(id="m", title="M", kind="cause", changes=({"flops": "3 * flops"},), exercises=("drawn",))
    assert not Solver(course, {}, (mistake,), b"k").keys(course.parts[0]).wrong
    assert Solver(course, {}, (replace(mistake, exercises=("fixed",)),), b"k").keys(course.parts[0]).wrong


def test_each_face_of_a_mistake_has_a_value_of_its_own(tiny: LoadedCourse) -> None:
    course = bare(tiny.course)
    mistake = Mistake(id="m", title="M", kind="cause", changes=({"flops": "3 * flops"}, {"flops": "5 * flops"}))
    found = Solver(course, {}, (mistake,), b"k").keys(course.parts[0]).wrong
    assert [same(key, value) for key, value in zip(found, ("6*B*D*F", "10*B*D*F"), strict=True)] == [True, True]


def test_literal_wrong_answers_belong_to_the_part_that_they_name(tiny: LoadedCourse, tiny_grader: Grader) -> None:
    found = [key.value for key in keys(tiny, "fixed.ops").wrong if key.mistakes == ("guess",)]
    assert found == ["B*D", "7"]
    assert mark(tiny_grader, "fixed.ops", "D*B").mistakes == ("guess",)
    assert mark(tiny_grader, "fixed.ops", "7").mistakes == ("guess",)
    assert not any(key.mistakes == ("guess",) for key in keys(tiny, "fixed.intensity").wrong)


def test_literal_wrong_answers_may_be_bounds_and_options(tmp_path: Path, own_cache: Path) -> None:
    part_ = (
        "  - {id: bound, answer: {type: choice, options: {above: a, below: b, never: n}}, solution: bound, points: 1}\n"
    )
    guesses = part_ + 'mistakes:\n  - {id: guess, title: A guess, values: {critical: ["100"], bound: [never]}}\n'
    before = 'mistakes:\n  - {id: guess, title: A guess, values: {ops: [BD, "7"]}}\n'
    folder = small.write(tmp_path / "c", fixed=(before, guesses))
    grader = Grader(load_course(folder).keyring)
    assert mark(grader, "fixed.critical", "B > 100").mistakes == ("guess",)
    assert mark(grader, "fixed.bound", "never").mistakes == ("guess",)
    assert lint(folder).faults == ()


def test_sizes_that_a_part_fixes_reach_into_every_formula(tiny: LoadedCourse) -> None:
    found = keys(tiny, "fixed.ridge_1024")
    ridge = Fraction(394, 1) * 1000 / Fraction(810)
    assert found.right[0].number == ridge * 1024 / (2048 - 2 * ridge)
    assert all(key.number is not None for key in found.wrong)


def test_a_threshold_has_a_side_and_the_wrong_side_is_a_value_of_its_own(tiny: LoadedCourse) -> None:
    found = keys(tiny, "fixed.critical")
    assert found.right[0].relation == ">"
    wrong = of(found.wrong, "wrong-side")
    assert (wrong.relation, wrong.number) == ("<", found.right[0].number)


def test_a_threshold_that_never_exists_under_a_mistake_is_no_key(tiny: LoadedCourse) -> None:
    course = exercise(tiny.course, "fixed")
    constant = Mistake(id="m", title="M", kind="cause", changes=({"intensity": "1"},))
    assert not Solver(course, {}, (constant,), b"k").keys(part(tiny.course, "fixed.critical")).wrong


def test_symbols_of_a_part_mean_the_quantity_whose_name_agrees(tiny: LoadedCourse) -> None:
    meanings = keys(tiny, "fixed.lower").meanings
    assert set(meanings) == {"T_math", "T_comms"}
    assert simplified(read_expression(meanings["T_math"], "BDF")) == simplified(
        read_expression("2*B*D*F/3.94e14", "BDF")
    )


def test_a_symbol_that_no_quantity_is_called_is_a_fault_of_the_exercise(tiny: LoadedCourse) -> None:
    bad = replace(part(tiny.course, "fixed.lower"), options={"symbols": ["T_mem"]})
    with pytest.raises(SpecError, match=r"fixed.yaml.*T_mem"):
        solver(tiny, "fixed", {}).keys(bad)


def test_a_solution_that_goes_round_in_a_circle_is_the_maintainers_fault(tiny: LoadedCourse) -> None:
    course = exercise(tiny.course, "fixed")
    model = next(iter(course.models.values()))
    formulas = {**model.formulas, "flops": "macs", "macs": "flops"}
    looped = replace(course, models={"tpu-v5e": replace(model, formulas=formulas)})
    with pytest.raises(SolutionError, match="circle"):
        Solver(looped, {}, (), b"k").keys(course.parts[0])


def test_only_names_that_no_model_has_are_unknown(tiny: LoadedCourse) -> None:
    course = exercise(tiny.course, "fixed")
    assert unknown_names({"flops": "B * flops"}, course.models, course.symbols) == frozenset()
    assert unknown_names({"flop": "B * flops"}, course.models, course.symbols) == {"flop"}
    with pytest.raises(ResponseError, match="did you mean peak"):
        unknown_names({"flops": "B * peek"}, course.models, course.symbols)
    assert unknown_names({"regime": "B << D"}, course.models, course.symbols) == frozenset()


# --- the key of a row -------------------------------------------------------------------------------------------------


def test_a_key_is_a_number_only_if_its_text_is_one() -> None:
    assert Key("19700/81", "f").number == Fraction(19700, 81)
    assert Key("2.5e3", "f").number == 2500
    for text in ("B/2", "never", "1/0", "2*3", ""):
        assert Key(text, "f").number is None


def test_keys_survive_their_json_form(tiny: LoadedCourse) -> None:
    for exercise_ in tiny.course.exercises:
        for found in tiny.keyring.keys(exercise_, next(variants(exercise_))).values():
            again = PartKeys.from_json(found.to_json())
            assert (again.right, again.wrong, again.meanings) == (found.right, found.wrong, found.meanings)


# --- parameters drawn for a student -----------------------------------------------------------------------------------


def test_each_student_draws_the_same_numbers_every_time(tiny: LoadedCourse) -> None:
    sheet = exercise(tiny.course, "drawn")
    assert drawn(sheet, "ada", SECRET) == drawn(sheet, "ada", SECRET)


def test_draws_depend_on_the_secret_the_student_and_the_exercise(tiny: LoadedCourse) -> None:
    sheet = exercise(tiny.course, "drawn")
    students = [f"s{number}" for number in range(60)]
    usual = [drawn(sheet, student, SECRET) for student in students]
    assert usual != [drawn(sheet, student, b"another") for student in students]
    assert usual != [drawn(replace(sheet, id="other"), student, SECRET) for student in students]
    assert len({tuple(found.items()) for found in usual}) > 1


def test_every_choice_is_drawn_by_somebody_and_each_about_as_often(tiny: LoadedCourse) -> None:
    sheet = exercise(tiny.course, "drawn")
    found = [tuple(sorted(drawn(sheet, f"s{number}", SECRET).items())) for number in range(600)]
    assert set(found) == {tuple(sorted(variant.items())) for variant in variants(sheet)}
    assert all(60 <= found.count(variant) <= 140 for variant in set(found))


def test_nothing_is_drawn_where_the_numbers_are_fixed(tiny: LoadedCourse) -> None:
    sheet = exercise(tiny.course, "fixed")
    assert drawn(sheet, "s1", SECRET) == {}
    assert list(variants(sheet)) == [{}]


def test_variants_are_all_combinations_of_what_can_be_drawn(tiny: LoadedCourse) -> None:
    found = list(variants(exercise(tiny.course, "drawn")))
    assert len(found) == 6
    assert len({tuple(sorted(variant.items())) for variant in found}) == 6
    assert {variant["accelerator"] for variant in found} == {"tpu-v5e", "tpu-v5p", "h100-sxm"}


def test_the_solution_of_a_variant_follows_from_its_numbers(tiny: LoadedCourse) -> None:
    peaks = {"tpu-v5e": 197, "tpu-v5p": 459, "h100-sxm": Fraction(1979, 2)}
    for variant in variants(exercise(tiny.course, "drawn")):
        bandwidth = Fraction(float(variant["bandwidth"]))
        expected = peaks[variant["accelerator"]] * 10**12 / bandwidth
        assert keys(tiny, "drawn.ridge", variant).right[0].number == expected, variant


def test_an_answer_is_marked_with_the_numbers_on_the_students_own_sheet(
    tiny: LoadedCourse, tiny_grader: Grader
) -> None:
    sheet = exercise(tiny.course, "drawn")
    first = "s1"
    other = next(
        f"s{n}" for n in range(2, 99) if tiny.keyring.variant(sheet, f"s{n}") != tiny.keyring.variant(sheet, first)
    )
    value = keys(tiny, "drawn.ridge", tiny.keyring.variant(sheet, first)).right[0].value
    assert mark(tiny_grader, "drawn.ridge", f"{value} FLOP/byte", first).verdict == "correct"
    assert mark(tiny_grader, "drawn.ridge", f"{value} FLOP/byte", other).verdict == "incorrect"


def test_a_sheet_states_the_students_own_numbers_and_nobodys_without_a_name(
    tiny: LoadedCourse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TINY_SECRET", "s")
    assert re.search(r"Given: accelerator = \S+, bandwidth = \S+ byte/s\n", sheet_text(tiny, ["drawn"], "s1"))
    nobodys = sheet_text(tiny, ["drawn"], None)
    assert "drawn for each student" in nobodys
    assert not any(value in nobodys for values in exercise(tiny.course, "drawn").draws.values() for value in values)


def test_a_course_may_be_cut_to_some_exercises_which_keep_their_order_and_their_keys(packaged: LoadedCourse) -> None:
    some = chosen(packaged, ["q4", "q1"])
    assert [one.id for one in some.course.exercises] == ["q1-int8-matmul", "q4-batched-matmul"]
    assert keys(some, "q4.flops", {}) == keys(packaged, "q4.flops", {})
    assert Grader(some.keyring).max_points < Grader(packaged.keyring).max_points
    assert chosen(packaged, []) is packaged
    with pytest.raises(SpecError, match="no exercise 'q9'"):
        chosen(packaged, ["q9"])


# --- the keyring ------------------------------------------------------------------------------------------------------


def contents(found: Mapping[str, PartKeys]) -> dict[str, object]:
    return {name: (keys_.right, keys_.wrong, keys_.meanings) for name, keys_ in found.items()}


def test_stored_keys_are_those_that_solving_anew_gives(packaged: LoadedCourse) -> None:
    fresh = Keyring(packaged.course, b"")
    for exercise_ in packaged.course.exercises:
        if exercise_.id.startswith(("q4", "q5")):
            assert contents(packaged.keyring.keys(exercise_, {})) == contents(fresh.keys(exercise_, {}))


def test_keys_are_solved_once(tiny: LoadedCourse) -> None:
    sheet = exercise(tiny.course, "fixed")
    assert tiny.keyring.keys(sheet, {}) is tiny.keyring.keys(sheet, {})


def test_a_secret_changes_the_fingerprints_and_no_value(tiny: LoadedCourse) -> None:
    sheet = exercise(tiny.course, "fixed")
    public, secret = (Keyring(tiny.course, key).keys(sheet, {}) for key in (b"", SECRET))
    for name in public:
        assert [key.value for key in public[name].wrong] == [key.value for key in secret[name].wrong]
    assert public["intensity"].right[0].fingerprint != secret["intensity"].right[0].fingerprint


def test_a_secret_changes_no_verdict_and_no_diagnosis(tiny: LoadedCourse) -> None:
    graders = [Grader(Keyring(tiny.course, key)) for key in (b"", SECRET)]
    for place, response in (
        ("fixed.ops", "2BDF"),
        ("fixed.ops", "BDF"),
        ("fixed.intensity", "2B"),
        ("fixed.intensity", "(BD + DF + BF)/(2BDF)"),
        ("fixed.critical", "B < 243"),
        ("fixed.lower", "max(T_math, T_comms)"),
    ):
        first, second = (mark(grader, place, response) for grader in graders)
        assert first == second, place


def test_the_key_of_the_sample_points_is_not_the_secret_itself() -> None:
    assert sample_key(SECRET) != SECRET
    assert sample_key(SECRET) == sample_key(SECRET)
    assert sample_key(SECRET) != sample_key(b"another")

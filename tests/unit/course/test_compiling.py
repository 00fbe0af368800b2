"""Faults of a course: all of them are told at once, each with its file and line."""

import re
from pathlib import Path

import pytest

from grader.course import find_exercises, load_course, reveal_level
from grader.errors import Fault, SpecError
from grader.results import Reveal
from tests import tiny as small
from tests.tiny import FILES


def faults(folder: Path) -> list[str]:
    with pytest.raises(SpecError) as caught:
        load_course(folder)
    return [str(fault) for fault in caught.value.faults]


def line_of(name: str, text: str) -> int:
    """The line of a file of the small course on which this text is."""
    return next(number for number, line in enumerate(FILES[name].splitlines(), 1) if text in line)


def test_a_sound_course_has_no_fault(tmp_path: Path, own_cache: Path) -> None:
    loaded = small.load(tmp_path / "c")
    assert [exercise.id for exercise in loaded.course.exercises] == ["fixed", "drawn"]
    assert loaded.course.mistakes[0].kind == "convention"
    assert loaded.course.mistakes[-1].kind == "factor"


def test_an_unknown_quantity_in_a_change_is_told_with_a_suggestion(tmp_path: Path, own_cache: Path) -> None:
    folder = small.write(tmp_path / "c", mistakes=("{bytes_written: 0}", "{bytes_writen: 0}"))
    (fault,) = faults(folder)
    line = line_of("mistakes.yaml", "id: no-output")
    assert re.search(rf"mistakes.yaml:{line}: .*bytes_writen.*did you mean bytes_written\?", fault)


def test_an_unknown_name_on_the_right_of_a_change_is_told_too(tmp_path: Path, own_cache: Path) -> None:
    (fault,) = faults(small.write(tmp_path / "c", mistakes=("flops / 2", "flop / 2")))
    assert re.search(rf"mistakes.yaml:{line_of('mistakes.yaml', 'flops / 2')}: .*flop.*did you mean flops", fault)


def test_a_change_of_the_exercises_own_mistakes_is_checked_as_well(tmp_path: Path, own_cache: Path) -> None:
    change = ('values: {ops: [BD, "7"]}', "change: {flps: 2}")
    (fault,) = faults(small.write(tmp_path / "c", fixed=change))
    assert re.search(rf"fixed.yaml:{line_of('fixed.yaml', 'id: guess')}: .*flps.*did you mean flops", fault)


def test_an_exercise_that_the_course_lacks_is_told_with_a_suggestion(tmp_path: Path, own_cache: Path) -> None:
    change = ("{flops: flops / 2}}", "{flops: flops / 2}, in: [fxied]}")
    (fault,) = faults(small.write(tmp_path / "c", mistakes=change))
    assert re.search(r"mistakes.yaml:\d+: mistakes.2.in: .*no exercise fxied; did you mean fixed\?", fault)


def test_a_listed_exercise_without_a_file_is_told_with_its_line(tmp_path: Path, own_cache: Path) -> None:
    (fault,) = faults(small.write(tmp_path / "c", course=("[fixed, drawn]", "[fixed, drwan]")))
    line = line_of("course.yaml", "exercises:")
    assert re.search(rf"course.yaml:{line}: exercises.1: no file has drwan; did you mean drawn\?", fault)


def test_two_exercises_with_one_id_are_told(tmp_path: Path, own_cache: Path) -> None:
    (fault,) = faults(small.write(tmp_path / "c", fixed=("id: fixed", "id: drawn")))
    assert re.search(r"fixed.yaml:1: id: drawn is also the id of drawn.yaml", fault)


def test_an_unknown_accelerator_is_told_with_the_exercise(tmp_path: Path, own_cache: Path) -> None:
    (fault,) = faults(small.write(tmp_path / "c", fixed=("accelerator: tpu-v5e", "accelerator: tpu-v5x")))
    assert re.search(rf"fixed.yaml:{line_of('fixed.yaml', 'model:')}: model: .*tpu-v5x", fault)


def test_faults_of_several_files_are_told_at_once(tmp_path: Path, own_cache: Path) -> None:
    folder = small.write(
        tmp_path / "c",
        fixed=("points: 2", "points: two"),
        drawn=("title: Drawn", "titel: Drawn"),
        mistakes=("kind: slip", "kind: slop"),
    )
    found = faults(folder)
    for place in ("fixed.yaml:", "drawn.yaml:", "mistakes.yaml:"):
        assert any(place in fault for fault in found), found


def test_faults_of_meaning_are_told_at_once_too(tmp_path: Path, own_cache: Path) -> None:
    folder = small.write(
        tmp_path / "c",
        mistakes=("{bytes_written: 0}", "{bytes_writen: 0}"),
        fixed=('values: {ops: [BD, "7"]}', "change: {flps: 2}"),
    )
    found = faults(folder)
    assert [bool(re.search("mistakes.yaml|fixed.yaml", fault)) for fault in found] == [True, True]


@pytest.mark.parametrize(
    ("change", "place"),
    [
        (("value: 3.94e14", "value: 394 T"), "parameters.peak.value: '394 T' is no number"),
        (("{2026: 8.2e11}", "{2026: none}"), "parameters.bandwidth.editions.2026: 'none' is no number"),
        (("unit: OP/s", "unit: OPP/s"), 'parameters.peak.unit: unknown unit "OPP"'),
        (("unit: OP}", "unit: parsec}"), 'parts.0.answer.unit: unknown unit "parsec"'),
        (("regime: B", "follows: fxied\nregime: B"), "follows: the course has no exercise fxied"),
        (("upside-down: 2", "upsidedown: 2"), "credit.upsidedown: the course has no mistake upsidedown; did you mean"),
        (('values: {ops: [BD, "7"]}', "change: {regime: nevr}"), "mistakes.0.change: the regime 'nevr' can't be read"),
        (("solution: flops", "solution: flps"), "ops: unknown name flps: did you mean flops?"),
        (("at: {D: 1024", "at: {D: abc"), "D: 'abc' can't be read"),
    ],
)
def test_what_no_number_unit_or_name_is_is_told_in_its_place(
    tmp_path: Path, own_cache: Path, change: tuple[str, str], place: str
) -> None:
    (fault,) = faults(small.write(tmp_path / "c", fixed=change))
    assert re.search(rf"fixed\.yaml:\d+: .*{re.escape(place)}", fault), fault


def test_all_solutions_that_cannot_be_solved_are_told_at_once(tmp_path: Path, own_cache: Path) -> None:
    folder = small.write(
        tmp_path / "c",
        fixed=("solution: intensity", "solution: intensty"),
        drawn=("solution: ridge", "solution: ridge *"),
    )
    ours, theirs = faults(folder)
    assert re.search(r"fixed\.yaml:\d+: intensity: .*intensty", ours)
    assert re.search(r"drawn\.yaml:\d+: ridge: .*missing after \*", theirs)


def test_a_fault_says_where_it_is_and_what_is_wrong() -> None:
    assert str(Fault("a.yaml", 3, "parts.0", "no")) == "a.yaml:3: parts.0: no"
    assert str(Fault("a.yaml", None, "", "no")) == "a.yaml: no"


def test_a_folder_without_a_course_is_told(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match=r"no course.yaml"):
        load_course(tmp_path)


def test_a_course_may_be_named_by_its_file(tmp_path: Path, own_cache: Path) -> None:
    folder = small.write(tmp_path / "c")
    assert load_course(folder / "course.yaml").course == load_course(folder).course


# --- what a course says -----------------------------------------------------------------------------------------------


def test_the_level_of_feedback_is_the_last_one_that_has_begun(tmp_path: Path, own_cache: Path) -> None:
    levels = "[{from: 2001-01-01T00:00Z, level: hint-1}, {from: 2002-01-01T00:00Z, level: mistake}, %s]"
    later = levels % "{from: 2999-01-01T00:00Z, level: full}"
    change = ("secret_env: TINY_SECRET", f"reveal: {later}")
    assert reveal_level(small.load(tmp_path / "c", course=change).course) is Reveal.MISTAKE


def test_before_the_first_level_begins_nothing_is_revealed(tmp_path: Path, own_cache: Path) -> None:
    change = ("secret_env: TINY_SECRET", "reveal: [{from: 2999-01-01T00:00Z, level: full}]")
    assert reveal_level(small.load(tmp_path / "c", course=change).course) is Reveal.NONE


def test_one_level_holds_always(tmp_path: Path, own_cache: Path) -> None:
    change = ("secret_env: TINY_SECRET", "reveal: hint-2")
    assert reveal_level(small.load(tmp_path / "c", course=change).course) is Reveal.HINT_2


def test_exercises_are_found_by_any_beginning_that_no_other_shares(tmp_path: Path, own_cache: Path) -> None:
    course = small.load(tmp_path / "c").course
    assert [exercise.id for exercise in find_exercises(course, ["dr", "fixed"])] == ["drawn", "fixed"]
    assert find_exercises(course, []) == course.exercises
    with pytest.raises(SpecError, match="did you mean drawn"):
        find_exercises(course, ["drwan"])
    with pytest.raises(SpecError, match="fixed, drawn"):
        find_exercises(course, [""])

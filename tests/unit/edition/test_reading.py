"""Against a student edition every answer is read as against the full course, and problems of its unit are told."""

from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.course import LoadedCourse, load_course
from grader.grading import Grader, find_exercise
from grader.marking import Marker
from grader.release import release
from grader.results import PartResult, Verdict
from grader.submission import Response
from tests import tiny as small

Both = dict[tuple[str, str], tuple[Marker, Marker]]


@pytest.fixture(scope="module")
def both(packaged: LoadedCourse, tmp_path_factory: pytest.TempPathFactory) -> Both:
    """What reads each part: with the full course, and with its edition."""
    folder = tmp_path_factory.mktemp("edition")
    release(packaged, folder)
    return paired(packaged, load_course(folder))


def paired(full: LoadedCourse, edition: LoadedCourse) -> Both:
    assert edition.edition
    assert not full.edition
    found = {}
    for whole, short in zip(full.course.exercises, edition.course.exercises, strict=True):
        pairs = zip(
            Grader(full.keyring).markers(whole, "s1"), Grader(edition.keyring).markers(short, "s1"), strict=True
        )
        found |= {(whole.id, one.part.id): (one, other) for one, other in pairs}
    return found


def read(marker: Marker, text: str) -> PartResult:
    return marker.read(Response(exercise=marker.exercise.id, part=marker.part.id, text=text))


def differing(pair: tuple[Marker, Marker], text: str) -> set[str]:
    """The fields in which the two readings differ."""
    whole, short = (read(marker, text) for marker in pair)
    return {f.name for f in fields(PartResult) if getattr(whole, f.name) != getattr(short, f.name)}


def examples(both: Both) -> Iterator[tuple[tuple[Marker, Marker], str]]:
    for pair in both.values():
        yield from ((pair, example.response) for example in pair[0].part.examples)


def test_every_example_of_the_packaged_course_is_read_as_with_the_full_course(both: Both) -> None:
    tried = 0
    for pair, response in examples(both):
        curve = pair[0].part.type == "curve"
        undrawn = curve and response in ("flops / max(t_math, t_comms)", "min(peak, bandwidth*2BDF/(2BD + DF + 2BF))")
        assert differing(pair, response) == ({"plot"} if undrawn else set()), response  # for lack of their formulas
        tried += 1
    assert tried >= 380


def test_so_is_every_example_of_a_course_whose_numbers_are_drawn(tiny: LoadedCourse, tmp_path: Path) -> None:
    release(tiny, tmp_path)
    for pair, response in examples(paired(tiny, load_course(tmp_path))):
        assert differing(pair, response) == set(), response


NAMES = st.sampled_from(["T_math", "T_comms", "B", "D", "F", "2", "1e12"])
SIGNS = st.sampled_from(["+", "*", "/", "-", " = ", " ≈ ", ", ", " < ", " or "])


@settings(max_examples=150)
@given(st.lists(st.tuples(NAMES, SIGNS), min_size=1, max_size=4), NAMES)
def test_any_answer_differs_at_most_in_a_relation_that_only_withheld_formulas_show_to_be_false(
    both: Both, pieces: list[tuple[str, str]], last: str
) -> None:
    text = "".join(name + sign for name, sign in pieces) + last
    for part in ("lower", "upper"):
        pair = both["q1-int8-matmul", part]
        found = differing(pair, text)
        assert found <= {"read_as", "mathml", "remarks"}
        if found:
            assert "T_" in text
            assert any("does not hold" in remark for remark in read(pair[0], text).remarks)


def test_what_only_withheld_formulas_show_is_not_said_against_an_edition(both: Both) -> None:
    whole, short = both["q1-int8-matmul", "upper"]
    wrong = "T_math + T_comms = 2BDF/3.94e14"
    assert read(whole, wrong).read_as == "2*B*D*F/3.94e14"
    assert read(whole, wrong).remarks == ("T_math + T_comms = 2*B*D*F/3.94e14 does not hold",)
    assert read(short, wrong).read_as == "T_math + T_comms = 2*B*D*F/3.94e14"
    assert read(short, wrong).remarks == ()
    right = "T_math + T_comms = 2BDF/3.94e14 + (BD + DF + BF)/8.1e11"
    assert differing((whole, short), right) == set()
    nowhere = "1/(T_math - 2BDF/3.94e14)"
    assert (read(whole, nowhere).verdict, read(short, nowhere).verdict) == (Verdict.INVALID, Verdict.UNDECIDED)


UNITS = [
    ("q2", "flops", "2BDF bytes", "the unit is FLOP, not bytes"),
    ("q1", "t_math", "2BDF/3.94e14 FLOPs", "the unit is s, not FLOPs"),
    ("q1", "t_math", "2BDF/3.94e14 ms", ""),
    ("q3", "plot", "min(peak, 5) bytes", "the unit is FLOP/s, not bytes"),
    ("q5", "intensity", "295 s", "the unit s does not fit what is asked"),
    ("q5", "intensity", "295 byte/FLOP", "the unit byte/FLOP is upside down"),
    ("q5", "intensity", "295 FLOP/s", "the unit FLOP/s does not fit what is asked"),
    ("q5", "intensity", "989 TFLOP/s / (3.35 TB/s) = 295 FLOP/byte", ""),
    ("q5", "intensity", "295", ""),
    ("q1", "lower", "T_math * T_comms", "the unit of this comes out as s^2, where s is asked for"),
    ("q1", "upper", "T_math + T_comms", ""),
    ("q1", "upper", "T_math + T_comms/T_math", "the units do not go together: can't add s and a plain number"),
]


@pytest.mark.parametrize(("exercise", "part", "response", "note"), UNITS)
def test_check_tells_what_the_unit_alone_shows_with_the_course_and_with_its_edition(
    both: Both, exercise: str, part: str, response: str, note: str
) -> None:
    (pair,) = (pair for (one, other), pair in both.items() if one.startswith(exercise) and other == part)
    for marker in pair:
        result = read(marker, response)
        assert result.verdict == Verdict.UNDECIDED
        assert result.remarks == ((note,) if note else ())


def test_a_number_without_its_unit_is_told_where_the_unit_is_required(tmp_path: Path, own_cache: Path) -> None:
    full = small.load(tmp_path / "c", drawn=("unit: FLOP/byte}", "unit: FLOP/byte, unit_required: true}"))
    release(full, tmp_path / "edition")
    for loaded in (full, load_course(tmp_path / "edition")):
        exercise = find_exercise(loaded.course, "drawn")
        assert exercise
        result = read(Grader(loaded.keyring).markers(exercise, "s1")[0], "295")
        assert (result.verdict, result.message) == (Verdict.INVALID, "the unit is missing: add the unit")

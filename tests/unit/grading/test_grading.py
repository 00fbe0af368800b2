"""From responses to verdicts and points, and what a student may see of them."""

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from grader.answers.expression import Expression
from grader.checks.exact import Exact
from grader.compiled import Change
from grader.course import LoadedCourse
from grader.errors import SolutionError
from grader.explaining import mark as mark_one
from grader.grading import ANOTHER_SHEET, Grader, find_exercise
from grader.keyring import Keyring
from grader.results import PartResult, Result, Reveal, Status, Verdict
from grader.reveal import student_view
from grader.submission import Response, Submission
from tests import tiny as small
from tests.tiny import mark, marker, submission

BELOW_FULL = [level for level in Reveal if level != Reveal.FULL]


def parts(result: Result) -> dict[str, PartResult]:
    return {f"{exercise.id}.{part.id}": part for exercise in result.exercises for part in exercise.parts}


def graded(grader: Grader, answers: dict[str, str]) -> dict[str, PartResult]:
    return parts(grader.grade(submission(answers)))


def test_what_is_right_but_for_its_unit_shows_no_other_mistake(packaged_grader: Grader) -> None:
    found = mark(packaged_grader, "q1-int8-matmul.intensity", "2BDF/(BD + DF + BF) byte/OP")
    assert (found.verdict, found.mistakes, found.alternatives) == (Verdict.PARTIAL, (), ())
    assert any("unit" in remark for remark in (*found.remarks, *found.slips)), found


def test_an_answer_for_the_numbers_of_another_sheet_is_reported_as_such(tiny_grader: Grader) -> None:
    mine = tiny_grader.keyring.keys(tiny_grader.course.exercises[1], sheet(tiny_grader, "s1"))["ridge"].right[0]
    others = (sheet(tiny_grader, f"s{n}") for n in range(2, 60))
    keys = (tiny_grader.keyring.keys(tiny_grader.course.exercises[1], other)["ridge"].right[0] for other in others)
    foreign = next(key for key in keys if key.value != mine.value)
    found = graded(tiny_grader, {"drawn.ridge": f"{foreign.value} FLOP/byte"})["drawn.ridge"]
    assert found.verdict == Verdict.INCORRECT
    assert ANOTHER_SHEET in found.remarks
    plainly_wrong = graded(tiny_grader, {"drawn.ridge": "17 FLOP/byte"})["drawn.ridge"]
    assert ANOTHER_SHEET not in plainly_wrong.remarks


def sheet(grader: Grader, student: str) -> Change:
    return grader.keyring.variant(grader.course.exercises[1], student)


# --- points ---


@pytest.mark.parametrize(
    ("place", "response", "verdict", "points"),
    [
        ("fixed.ops", "2BDF", "correct", 2),
        ("fixed.ops", "BF(2D - 1)", "correct", 2),  # by a convention
        ("fixed.ops", "3BDF", "incorrect", 0),
        ("fixed.ops", "BDF", "incorrect", 0),  # a mistake without credit
        ("fixed.intensity", "2BDF/(BD + DF + BF)", "correct", 3),
        ("fixed.intensity", "2B", "partial", 1),  # credit: leading
        ("fixed.intensity", "(BD + DF + BF)/(2BDF)", "incorrect", 2),  # credit: upside-down
        ("fixed.intensity", "2BDF/(BD + DF)", "incorrect", 0),
        ("fixed.intensity", "2B*", "invalid", 0),
        ("fixed.critical", "B > 243", "correct", 2),
    ],
)
def test_points_follow_from_the_verdict_and_the_credit(
    tiny_grader: Grader, place: str, response: str, verdict: str, points: int
) -> None:
    found = mark(tiny_grader, place, response)
    assert (found.verdict, found.points) == (verdict, points), found.message


def test_points_add_up_from_parts_to_the_submission(tiny_grader: Grader) -> None:
    result = tiny_grader.grade(submission({"fixed.ops": "2BDF", "fixed.intensity": "2B", "fixed.critical": "B > 1"}))
    assert result.points == 3 == sum(exercise.points or 0 for exercise in result.exercises)
    assert result.max_points == 12 == sum(exercise.max_points for exercise in result.exercises)


def test_what_is_right_by_a_convention_says_so(tiny_grader: Grader) -> None:
    assert mark(tiny_grader, "fixed.ops", "BF(2D - 1)").remarks == ("right by another convention: Exact count",)
    assert mark(tiny_grader, "fixed.ops", "2BDF").remarks == ()


def test_a_mistake_on_top_of_a_convention_is_recognised(tiny_grader: Grader) -> None:
    assert mark(tiny_grader, "fixed.ops", "BF(2D - 1)/2").mistakes == ("half-count",)


def test_the_leading_form_is_no_mistake(tiny_grader: Grader) -> None:
    found = mark(tiny_grader, "fixed.intensity", "2B")
    assert (found.mistakes, found.alternatives, found.relation) == ((), (), "leading_order")


def test_symbols_of_a_part_stand_for_their_quantities(tiny_grader: Grader) -> None:
    for response in ("max(T_math, T_comms)", "max(2BDF/3.94e14, T_comms)", "max(T_math, (BD+DF+BF)/8.1e11)"):
        assert mark(tiny_grader, "fixed.lower", response).verdict == "correct", response


# --- what is not there ---


@pytest.mark.parametrize("text", ["", " ", "\n\t "])
def test_a_blank_answer_is_missing(tiny_grader: Grader, text: str) -> None:
    assert mark(tiny_grader, "fixed.ops", text) == mark(tiny_grader, "fixed.ops", None)
    assert mark(tiny_grader, "fixed.ops", text).verdict == "missing"


def test_parts_without_an_answer_are_listed_as_missing(tiny_grader: Grader) -> None:
    found = graded(tiny_grader, {"fixed.ops": "2BDF"})
    assert len(found) == 7
    assert {part.verdict for place, part in found.items() if place != "fixed.ops"} == {"missing"}


def test_a_line_that_could_not_be_read_makes_its_answer_invalid(tiny_grader: Grader) -> None:
    made = marker(tiny_grader, "fixed", "ops")
    found = mark_one(made, Response(exercise="fixed", part="ops", text="2BDF", line=4, fault="the line is broken"))
    assert (found.verdict, found.message, found.line, found.points) == ("invalid", "the line is broken", 4, 0)


def test_an_answer_that_cannot_be_read_says_where_and_names_no_mistake(tiny_grader: Grader) -> None:
    found = mark(tiny_grader, "fixed.ops", "2*B*x")
    assert (found.verdict, found.position) == ("invalid", 4)
    assert "x" in found.message
    assert not found.mistakes


@pytest.mark.parametrize("status", [Status.MISSING, Status.UNREADABLE, Status.DUPLICATE, Status.FAILED])
def test_a_submission_that_is_not_to_be_graded_keeps_its_status_and_reason(tiny_grader: Grader, status: Status) -> None:
    given = Submission(student="s1", source="a.yaml", status=status, message="why", remarks=("and",))
    found = tiny_grader.grade(given)
    assert (found.status, found.message, found.remarks) == (status, "why", ("and",))
    assert (found.points, found.max_points, found.exercises) == (0, 12, ())


# --- names ---


def test_an_exercise_may_be_named_by_a_beginning_that_no_other_shares(tiny_grader: Grader) -> None:
    assert graded(tiny_grader, {"fix.ops": "2BDF"})["fixed.ops"].verdict == "correct"
    assert find_exercise(tiny_grader.course, "") is None
    assert find_exercise(tiny_grader.course, "f") is find_exercise(tiny_grader.course, "fixed")


def test_an_id_that_begins_like_another_one_is_still_found(tiny: LoadedCourse) -> None:
    first, second = tiny.course.exercises
    course = replace(tiny.course, exercises=(replace(first, id="q1"), replace(second, id="q10")))
    found = find_exercise(course, "q1")
    assert found
    assert found.id == "q1"
    assert find_exercise(course, "q") is None


def test_unknown_names_are_remarked_on_with_a_suggestion(tiny_grader: Grader) -> None:
    result = tiny_grader.grade(submission({"fixd.ops": "1", "fixed.opps": "2", "nothing.at_all": "3"}))
    assert result.remarks[0] == "line 1: unknown exercise 'fixd'; did you mean fixed?"
    assert result.remarks[1] == "line 2: unknown part 'opps' of fixed; did you mean ops?"
    assert result.remarks[2] == "line 3: unknown exercise 'nothing'"
    assert result.points == 0


def test_an_exercise_of_another_sheet_is_told_once_and_taken_for_none_of_this_one(tiny: LoadedCourse) -> None:
    first, second = tiny.course.exercises
    course = replace(tiny.course, exercises=(replace(first, id="q4-batched-matmul"), replace(second, id="q5-h100")))
    handed_in = submission({"q1-int8-matmul.ops": "1", "q4-batched-matmull.ops": "2", "q1-int8-matmul.bytes": "3"})
    assert Grader(tiny.keyring.of_course(course)).matched(handed_in)[1] == [
        "lines 1-3: unknown exercise 'q1-int8-matmul'",
        "line 2: unknown exercise 'q4-batched-matmull'; did you mean q4-batched-matmul?",
    ]


# --- a fault of ours ---


def fail(*_: object) -> None:
    raise RuntimeError("a bug")


def overflow(*_: object) -> None:
    raise RecursionError


def unsolved(*_: object) -> None:
    raise SolutionError("could not decide")


@pytest.mark.parametrize("fault", [fail, overflow, unsolved])
@pytest.mark.parametrize(("room", "name"), [(Exact, "match"), (Expression, "compare")])
def test_a_fault_of_the_grader_is_undecided_and_never_the_students_error(
    tiny: LoadedCourse, monkeypatch: pytest.MonkeyPatch, room: type, name: str, fault: Callable[..., None]
) -> None:
    grader = Grader(tiny.keyring)
    monkeypatch.setattr(room, name, fault)
    for response in ("2BDF", "3BDF", "2B"):
        found = mark(grader, "fixed.ops", response)
        assert (found.verdict, found.points, found.mistakes) == ("undecided", 0, ())
        assert "a person will look" in found.message
        assert found.response == response


def test_a_fault_while_reading_is_undecided_too(tiny: LoadedCourse, monkeypatch: pytest.MonkeyPatch) -> None:
    grader = Grader(tiny.keyring)
    made = marker(grader, "fixed", "ops")
    assert made.right
    monkeypatch.setattr(Expression, "read", fail)
    found = mark_one(made, Response(exercise="fixed", part="ops", text="2BDF"))
    assert (found.verdict, found.points) == ("undecided", 0)


def test_a_fault_in_one_part_leaves_the_others_as_they_are(tiny: LoadedCourse, monkeypatch: pytest.MonkeyPatch) -> None:
    grader = Grader(tiny.keyring)
    monkeypatch.setattr(Exact, "match", fail)
    found = graded(grader, {"fixed.ops": "2BDF", "fixed.critical": "B > 243"})
    assert [found["fixed.ops"].verdict, found["fixed.critical"].verdict] == ["undecided", "correct"]


def test_a_fault_while_explaining_does_not_make_a_wrong_answer_right(
    tiny: LoadedCourse, monkeypatch: pytest.MonkeyPatch
) -> None:
    grader = Grader(tiny.keyring)
    monkeypatch.setattr("grader.diagnosis.explain.diagnose", fail)
    assert mark(grader, "fixed.ops", "3BDF").verdict in ("undecided", "incorrect")
    assert mark(grader, "fixed.ops", "2BDF").verdict == "correct"


# --- what a student may see ---


def views(grader: Grader, level: Reveal) -> dict[str, PartResult]:
    answers = {
        "fixed.ops": "BDF",
        "fixed.intensity": "(BD + DF + BF)/(2BDF)",
        "fixed.critical": "B > 243",
        "fixed.ridge_1024": "B > 9^",
    }
    return parts(student_view(grader.grade(submission(answers)), level))


@pytest.fixture(scope="module")
def full_grader(tiny: LoadedCourse) -> Grader:
    """Puts the solutions into the results."""
    return Grader(Keyring(tiny.course, b""), Reveal.FULL)


def test_at_none_only_the_reading_is_shown(full_grader: Grader) -> None:
    found = views(full_grader, Reveal.NONE)
    for part in found.values():
        assert part.points is None
        assert part.verdict in (None, Verdict.INVALID, Verdict.MISSING)
        assert (part.relation, part.ratio, part.remarks, part.feedback, part.explanations) == (None, None, (), "", ())
    assert found["fixed.ops"].read_as == "B*D*F"
    assert found["fixed.ridge_1024"].message
    followed = full_grader.grade(submission({"fixed.ops": "BDF", "fixed.intensity": "BDF/(BD + DF + BF)"}))
    assert parts(followed)["fixed.intensity"].follow_through == ("ops",)
    assert parts(student_view(followed, Reveal.NONE))["fixed.intensity"].follow_through is None
    result = student_view(full_grader.grade(submission({"fixed.ops": "2BDF"})), Reveal.NONE)
    assert result.points is None
    assert {exercise.points for exercise in result.exercises} == {None}


def test_at_verdict_the_verdict_and_the_points_are_shown_and_no_reason(full_grader: Grader) -> None:
    part = views(full_grader, Reveal.VERDICT)["fixed.ops"]
    assert (part.verdict, part.points) == ("incorrect", 0)
    assert (part.ratio, part.mistakes, part.alternatives, part.explanations, part.feedback) == (None, (), (), (), "")


def test_at_the_first_hint_the_hint_is_shown_and_not_the_mistake(full_grader: Grader) -> None:
    part = views(full_grader, Reveal.HINT_1)["fixed.intensity"]
    (hint,) = part.explanations
    assert hint.hint == "Which of the two goes below?"
    assert (hint.title, hint.feedback, hint.mistakes, part.mistakes, part.ratio) == ("", "", (), (), None)


def test_at_the_second_hint_the_ratio_is_shown(full_grader: Grader) -> None:
    found = views(full_grader, Reveal.HINT_2)
    assert found["fixed.ops"].ratio == "1/2"
    assert found["fixed.ops"].mistakes == ()


def test_at_mistake_the_mistake_is_shown_and_not_the_solution(full_grader: Grader) -> None:
    part = views(full_grader, Reveal.MISTAKE)["fixed.intensity"]
    assert part.mistakes == ("upside-down",)
    assert part.explanations[0].feedback == "The fraction is upside down."
    assert part.solution is None


@pytest.mark.parametrize("level", BELOW_FULL)
def test_the_solution_is_shown_at_full_only(full_grader: Grader, level: Reveal) -> None:
    for part in views(full_grader, level).values():
        assert (part.solution, part.solution_mathml) == (None, None)


def test_a_solution_within_a_tolerance_is_shown_as_the_number_that_people_write(
    full_grader: Grader, tmp_path: Path, own_cache: Path
) -> None:
    assert views(full_grader, Reveal.FULL)["fixed.critical"].solution == "B > 243.21"  # 19700/81
    asked = "FLOP/byte}, solution: ridge, check: {close: {rel: 1%}}"
    narrow = (asked, "TFLOP/kB}, solution: ridge / 7, check: {close: {rel: 1e-9}}")
    loaded = small.load(tmp_path / "c", drawn=narrow)
    shown = graded(Grader(loaded.keyring, Reveal.FULL), {})["drawn.ridge"].solution
    assert shown is not None
    assert re.fullmatch(r"[0-9.e]+/[0-9.e]+ TFLOP/kB", shown)  # five digits are not enough here


def test_at_full_the_solution_is_shown_even_for_parts_never_answered(full_grader: Grader) -> None:
    found = views(full_grader, Reveal.FULL)
    assert all(part.solution and part.solution_mathml for part in found.values())


@pytest.mark.parametrize("level", [level for level in BELOW_FULL if level.includes(Reveal.HINT_2)])
def test_a_ratio_that_would_show_the_solution_is_the_staffs(tiny_grader: Grader, level: Reveal) -> None:
    result = tiny_grader.grade(submission({"fixed.intensity": "2BDF/(BD + BF)", "fixed.ops": "6BDF"}))
    assert parts(result)["fixed.intensity"].ratio
    assert parts(student_view(result, level))["fixed.intensity"].ratio is None
    assert parts(student_view(result, level))["fixed.ops"].ratio == "3"


@pytest.mark.parametrize("ratio", ["2", "1/2", "-3", "0.9976", "1.024e+9", "B", "B^2", "1/D", "1/D^3", "T_math"])
def test_numbers_and_powers_of_a_symbol_are_for_students_too(ratio: str) -> None:
    part = PartResult(id="a", verdict=Verdict.INCORRECT, points=0, max_points=1, ratio=ratio)
    assert _seen(part, Reveal.HINT_2).ratio == ratio


@pytest.mark.parametrize("ratio", ["B/(B + 1)", "F/(2*B)", "(D + 1)/D", "D*F/(2*B)", "2*B*D"])
def test_other_ratios_are_not(ratio: str) -> None:
    part = PartResult(id="a", verdict=Verdict.INCORRECT, points=0, max_points=1, ratio=ratio)
    assert _seen(part, Reveal.MISTAKE).ratio is None
    assert _seen(part, Reveal.FULL).ratio == ratio


@pytest.mark.parametrize("level", [Reveal.NONE, Reveal.VERDICT, Reveal.HINT_1])
def test_remarks_on_a_wrong_value_are_kept_back_with_the_ratio(level: Reveal) -> None:
    part = PartResult(
        id="a", verdict=Verdict.INCORRECT, points=0, max_points=1, off_by="2", slips=("off by a factor 2",),
        remarks=("the bound is right, the side is not",),
    )  # fmt: skip
    hidden = _seen(part, level)
    assert (hidden.remarks, hidden.slips, hidden.off_by) == ((), (), "")
    shown = _seen(part, Reveal.HINT_2)
    assert (shown.remarks, shown.slips, shown.off_by) == (part.remarks, part.slips, "2")


@pytest.mark.parametrize("level", list(Reveal))
def test_clusters_are_for_the_staff(level: Reveal) -> None:
    part = PartResult(id="a", verdict=Verdict.INCORRECT, points=0, max_points=1, cluster="1", ratio_cluster="2")
    assert (_seen(part, level).cluster, _seen(part, level).ratio_cluster) == (None, None)


def test_a_counterexample_is_shown_from_the_first_hint_on() -> None:
    part = PartResult(id="a", verdict=Verdict.INCORRECT, points=0, max_points=1, counterexample="for B = 2 ...")
    assert [bool(_seen(part, level).counterexample) for level in Reveal] == [False, False, True, True, True, True]


def _seen(part: PartResult, level: Reveal) -> PartResult:
    from grader.results import ExerciseResult

    exercise = ExerciseResult(id="q", title="Q", points=0, max_points=1, parts=(part,))
    result = Result(student="s", source="s", status=Status.GRADED, exercises=(exercise,))
    return student_view(result, level).exercises[0].parts[0]


def test_marking_twice_gives_the_same(tiny_grader: Grader, tiny: LoadedCourse) -> None:
    answers = {"fixed.ops": "BDF", "fixed.intensity": "2B", "fixed.critical": "B < 243", "drawn.ridge": "1 FLOP/byte"}
    first = tiny_grader.grade(submission(answers))
    assert first == tiny_grader.grade(submission(answers))
    assert first == Grader(Keyring(tiny.course, b"")).grade(submission(answers))


def test_a_beginning_of_an_id_that_ends_in_a_number_means_that_number(tiny_grader: Grader) -> None:
    exercise = tiny_grader.course.exercises[0]
    course = replace(tiny_grader.course, exercises=(replace(exercise, id="q1-a"), replace(exercise, id="q10-b")))
    assert [found.id if (found := find_exercise(course, name)) else None for name in ("q1", "q10", "q", "q1-")] == [
        "q1-a", "q10-b", None, "q1-a",
    ]  # fmt: skip

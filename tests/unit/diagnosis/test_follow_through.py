"""An answer that follows from an earlier wrong one is not marked down twice, and a right one keeps its points."""

import pytest

from grader.course import LoadedCourse
from grader.grading import Grader
from grader.keyring import Keyring
from grader.results import PartResult
from tests import tiny as small
from tests.tiny import submission


def graded(grader: Grader, answers: dict[str, str]) -> dict[str, PartResult]:
    (exercise, *_) = grader.grade(submission({f"fixed.{part}": text for part, text in answers.items()})).exercises
    return {part.id: part for part in exercise.parts}


def test_what_follows_from_a_wrong_answer_earns_its_points_and_stays_incorrect(tiny_grader: Grader) -> None:
    part = graded(tiny_grader, {"ops": "BDF", "intensity": "BDF/(BD + DF + BF)"})["intensity"]
    assert (part.verdict, part.points, part.follow_through) == ("incorrect", 3, ("ops",))
    assert part.mistakes == ("half-count",)
    assert part.explanations == ()


def test_what_follows_from_a_wrong_answer_without_a_known_reason_earns_them_too(tiny_grader: Grader) -> None:
    part = graded(tiny_grader, {"ops": "5BDF", "intensity": "5BDF/(BD + DF + BF)", "critical": "B > 97.28"})
    assert [part[name].follow_through for name in ("intensity", "critical")] == [("ops",), ("intensity",)]
    assert [part[name].points for name in ("ops", "intensity", "critical")] == [0, 3, 2]


def test_the_same_answer_alone_earns_nothing(tiny_grader: Grader) -> None:
    part = graded(tiny_grader, {"intensity": "5BDF/(BD + DF + BF)"})["intensity"]
    assert (part.points, part.follow_through) == (0, None)


def test_it_also_follows_by_a_convention(tiny_grader: Grader) -> None:
    part = graded(tiny_grader, {"intensity": "BDF/(BD + DF + BF)", "critical": "B > 480.5"})["critical"]
    assert (part.points, part.follow_through) == (2, ("intensity",))  # with the bandwidth of the other edition


def test_a_right_answer_keeps_its_points_and_is_told_that_it_does_not_follow(tiny_grader: Grader) -> None:
    part = graded(tiny_grader, {"ops": "BDF", "intensity": "2BDF/(BD + DF + BF)"})["intensity"]
    assert (part.verdict, part.points, part.follow_through) == ("correct", 3, None)
    assert any("does not follow" in remark for remark in part.remarks)


def test_a_new_mistake_on_top_of_what_follows_is_named_and_earns_nothing(tiny_grader: Grader) -> None:
    part = graded(tiny_grader, {"ops": "5BDF", "intensity": "5BDF/(2*(BD + DF + BF))"})["intensity"]
    assert (part.points, part.follow_through) == (0, ("ops",))
    assert "wide" in part.mistakes
    assert [explanation.mistakes for explanation in part.explanations] == [("wide",)]


def test_the_wrong_value_itself_follows_from_nothing(tiny_grader: Grader) -> None:
    part = graded(tiny_grader, {"ops": "5BDF", "intensity": "5BDF"})["intensity"]
    assert (part.points, part.follow_through) == (0, None)


@pytest.mark.parametrize("first", ["5BDF*", "", "0", "1"])
def test_nothing_follows_from_what_was_not_read_or_says_nothing(tiny_grader: Grader, first: str) -> None:
    part = graded(tiny_grader, {"ops": first, "intensity": "5BDF/(BD + DF + BF)"})["intensity"]
    assert (part.points, part.follow_through) == (0, None)


def test_a_wrong_answer_that_disagrees_with_an_earlier_right_one_is_told_so(tiny_grader: Grader) -> None:
    part = graded(tiny_grader, {"ops": "2BDF", "intensity": "BDF/(BD + DF + BF)"})["intensity"]
    assert any("comes out differently" in remark for remark in part.remarks)


def test_a_right_answer_rules_out_the_mistakes_that_would_have_changed_it(tiny_grader: Grader) -> None:
    part = graded(tiny_grader, {"ops": "2BDF", "intensity": "BDF/(BD + DF + BF)"})["intensity"]
    assert part.mistakes == ("wide",)
    assert ("half-count",) not in part.alternatives
    alone = graded(tiny_grader, {"intensity": "BDF/(BD + DF + BF)"})["intensity"]
    assert {alone.mistakes, *alone.alternatives} == {("wide",), ("half-count",)}


def test_how_much_follow_through_earns_is_the_courses_choice(
    tmp_path_factory: pytest.TempPathFactory, tiny: LoadedCourse, own_cache: object
) -> None:
    change = ("credit: {leading: 1,", "credit: {follow_through: 2, leading: 1,")
    loaded = small.load(tmp_path_factory.mktemp("credit"), fixed=change)
    answers = {"ops": "BDF", "intensity": "BDF/(BD + DF + BF)"}
    assert graded(Grader(Keyring(loaded.course, b"")), answers)["intensity"].points == 2
    assert graded(Grader(Keyring(tiny.course, b"")), answers)["intensity"].points == 3

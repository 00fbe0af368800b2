"""What the answers of a class come to: figures of parts, groups of answers, what to look at."""

from dataclasses import replace

import pytest

from grader.analysis.groups import clusters, factor, mistakes, ratio_groups, todo
from grader.analysis.parts import figures
from grader.analysis.sitting import titles_of
from grader.analysis.summary import analyse
from grader.results import Status, Verdict
from tests.unit.analysis.made import COLUMNS, WRONG, answer, sat, wrong


def test_a_missing_answer_has_no_points_and_an_undecided_one_is_left_out() -> None:
    undecided = answer("a", verdict=Verdict.UNDECIDED, points=0)
    blank = answer("a", verdict=Verdict.MISSING, points=0)
    found = figures(
        [
            sat("s1", answer("a"), answer("b"), answer("c", **WRONG)),
            sat("s2", blank, answer("b", **WRONG), answer("c")),
            sat("s3", undecided, answer("b"), answer("c")),
            sat("s4", status=Status.UNREADABLE),
        ],
        COLUMNS,
    )
    a, b, _ = found.parts
    assert (a.facility, b.facility, found.complete) == (0.5, pytest.approx(2 / 3), 2)
    assert {verdict: n for verdict, n in a.verdicts.items() if n} == {
        Verdict.CORRECT: 1, Verdict.MISSING: 1, Verdict.UNDECIDED: 1
    }  # fmt: skip
    (whole,) = found.exercises
    assert whole.column.max_points == 6
    assert sum(whole.verdicts.values()) == 9


def test_points_given_by_a_person_decide_an_answer() -> None:
    given = answer("a", verdict=Verdict.UNDECIDED, points=2, given=True)
    sittings = [sat("s1", given, answer("b"), answer("c"))]
    assert figures(sittings, COLUMNS).parts[0].facility == 1.0
    assert todo(sittings) == ()
    assert analyse(sittings, COLUMNS).given == (("s1", ("q", "a"), 2),)


def test_mistakes_come_by_frequency_with_the_students_behind_them() -> None:
    twice = answer("a", **WRONG, mistakes=("twice",), titles=(("twice", "Counted twice"),))
    pair = answer("b", **WRONG, mistakes=("twice", "half"), titles=(("half", "Half"),), ambiguous=True)
    first, second = mistakes([sat("s1", twice, pair), sat("s2", twice)])
    assert (first.id, first.title, first.students, first.ambiguous) == ("twice", "Counted twice", ("s1", "s2"), 1)
    assert first.places == ((("q", "a"), 2), (("q", "b"), 1))
    assert (second.id, second.title, second.students) == ("half", "Half", ("s1",))


def test_equal_answers_stand_together_however_they_are_written() -> None:
    one, other = wrong("b", "2*B*F"), replace(wrong("b", "2*B*F"), response="F 2B", read_as="F*2*B")
    few, many = clusters([sat("s1", one), sat("s2", other), sat("s3", wrong("b", "7"))], COLUMNS)[::-1]
    assert (many.answer, many.students) == ("2*B*F", ("s1", "s2"))
    assert (few.answer, few.students) == ("7", ("s3",))
    assert "values: {b: ['2*B*F']}" in many.draft


def test_the_same_factor_is_one_group_across_the_parts_of_an_exercise() -> None:
    sittings = [
        sat(f"s{n}", wrong(part, f"{part}{n}", ratio="B/2", ratio_cluster="r")) for n, part in enumerate("aab", 1)
    ]
    (group,) = ratio_groups(sittings, COLUMNS)
    assert (group.ratio, group.students) == ("B/2", ("s1", "s2", "s3"))
    assert group.places == ((("q", "a"), 2), (("q", "b"), 1))
    assert "change: {flops: '(B/2) * flops'}" in group.draft


def test_a_ratio_that_would_show_the_solution_is_no_factor() -> None:
    assert [factor(text) for text in ("1/2", "B", "B/2", "2*B^2", "0.9976")] == ["1/2", "B", "B/2", "2*B^2", "0.9976"]
    assert factor("47*(B*D + B*F + D*F)/(2*B*F)") == factor(None) == ""


def test_undecided_answers_are_to_be_looked_at_before_unreadable_ones_and_frequent_ones_first() -> None:
    def bad(text: str) -> object:
        return answer("a", verdict=Verdict.INVALID, points=0, response=text, message="why")

    undecided = answer("b", verdict=Verdict.UNDECIDED, points=0, response="log(B)")
    found = todo([sat("s1", bad("x+")), sat("s2", bad("y+"), undecided), sat("s3", bad("y+"))])  # type: ignore[arg-type]
    assert [(one.response, len(one.who)) for one in found] == [("log(B)", 1), ("y+", 2), ("x+", 1)]
    assert found[0].who == (("s2", "s2.yaml", 2),)


def test_the_title_of_each_mistake_is_known_from_any_explanation_that_tells_it() -> None:
    told = [(("half",), "Half; of it"), (("a", "b"), "A; B"), (("c", "d"), "C"), (("e",), "")]
    assert titles_of(told) == (("half", "Half; of it"), ("a", "A"), ("b", "B"))


def test_hidden_points_are_no_points_of_nothing() -> None:
    hidden = sat("s1", answer("a", verdict=None, points=0), answer("b", verdict=None, points=0))
    found = analyse([replace(hidden, points=None)], COLUMNS)
    assert (found.graded, found.scores, found.figures.alpha) == (1, None, None)
    assert [part.facility for part in found.figures.parts[:2]] == [None, None]

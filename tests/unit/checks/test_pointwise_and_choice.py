"""The checks of curves and of choices, as they are found by their tags."""

from fractions import Fraction

import pytest

from grader.errors import SpecError
from grader.maths.domain import Domain
from grader.maths.expression import Number, Symbol
from grader.maths.traces import Trace
from grader.plugins import member
from grader.results import Relation


def test_a_point_on_the_edge_of_the_share_is_right():
    check = member("checks", "pointwise")(rel="3%")
    points = tuple((float(x), 1.03 * x, float(x)) for x in range(1, 9))
    assert check.faults([Trace("", points)], None) == ()
    assert check.faults([Trace("", (*points, (9.0, 9.2801, 9.0)))], None)


def test_the_share_is_written_as_a_number_or_in_percent():
    pointwise = member("checks", "pointwise")
    assert pointwise(rel="3%") == pointwise(rel=0.03)
    with pytest.raises(SpecError):
        pointwise(rel="much")


def test_formulas_match_only_exactly():
    check = member("checks", "pointwise")()
    assert check.match(Number(1), Number(1), Domain()).relation is Relation.EXACT
    assert check.match(Number(Fraction(101, 100)), Number(1), Domain()).relation is None


def test_a_choice_matches_itself_alone():
    check = member("checks", "choice")()
    assert check.match("never", "never", Domain()).relation is Relation.EXACT
    assert check.match("never", "always", Domain()).relation is None
    assert check.match(Symbol("B"), Symbol("D"), Domain()).relation is None

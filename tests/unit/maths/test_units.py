"""Units: every spelling of the closed list, the small grammar, and what is refused."""

from fractions import Fraction
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.errors import ResponseError
from grader.maths.unit_list import unit_named
from grader.maths.units import read_unit

CASES = Path(__file__).parents[2] / "cases"
READ = [
    (str(typed), str(dimension), Fraction(str(factor)))
    for group in yaml.safe_load((CASES / "units_read.yaml").read_text("utf-8"))
    for typed, dimension, factor in group["cases"]
]
REFUSED = yaml.safe_load((CASES / "units_refused.yaml").read_text("utf-8"))


@pytest.mark.parametrize(("typed", "dimension", "factor"), READ, ids=[typed for typed, _, _ in READ])
def test_a_spelling_has_its_dimension_and_its_exact_factor(typed, dimension, factor):
    unit = read_unit(typed)
    assert (str(unit.dimension), unit.factor) == (dimension, factor)


@pytest.mark.parametrize("typed", [typed for typed, _, _ in READ])
def test_the_text_and_the_latex_of_a_unit_read_back_to_it(typed):
    unit = read_unit(typed)
    assert read_unit(unit.text) == read_unit(unit.latex) == unit


@pytest.mark.parametrize(("typed", "position", "says"), REFUSED)
def test_what_is_no_unit_is_refused_with_its_position_and_the_mend(typed, position, says):
    with pytest.raises(ResponseError) as caught:
        read_unit(typed)
    assert caught.value.position == position
    assert says in str(caught.value)


def test_two_letters_that_differ_by_case_alone_are_never_mixed_up():
    assert read_unit("GB").factor == 8 * read_unit("Gb").factor
    assert read_unit("MW").factor == 10**9 * read_unit("mW").factor
    assert unit_named("mw") is None


def test_a_count_of_operations_may_stand_for_the_rate_only_in_the_plural():
    assert read_unit("TFLOPs").count_or_rate
    assert not read_unit("TFLOP").count_or_rate
    assert not read_unit("TFLOPS").count_or_rate
    assert not read_unit("TFLOPs/s").count_or_rate
    assert read_unit("TFLOPs").as_rate() == read_unit("TFLOP/s")


def test_capitals_are_free_where_they_do_not_change_the_meaning():
    assert read_unit("mflops") == read_unit("MFLOPs")
    assert read_unit("KBYTES") == read_unit("kB")
    assert read_unit("Seconds") == read_unit("s")


SYMBOLS = st.sampled_from(["GB", "b", "FLOP", "s", "kg", "m", "A", "token", "W", "µs"])


@settings(deadline=None)
@given(st.lists(st.tuples(SYMBOLS, st.integers(-3, 3).filter(bool)), min_size=1, max_size=5))
def test_a_product_of_powers_is_the_product_whatever_stands_between(factors):
    written = [f"{name}^{power}" for name, power in factors]
    unit = read_unit(" ".join(written))
    assert read_unit("*".join(written)) == unit
    assert read_unit("".join(f"({piece})" for piece in written)) == unit
    quotient = "1" + "".join(f"/{name}^{-power}" for name, power in factors)
    assert read_unit(quotient) == unit
    for name, power in factors:
        unit = unit / read_unit(name) ** power
    assert (unit.dimension.exponents, unit.factor) == ((), 1)


@settings(deadline=None)
@given(st.text(alphabet="GBbskm/*^()1-² per\\{}text_", max_size=30))
def test_any_text_is_a_unit_or_is_refused(typed):
    try:
        factor, position = read_unit(typed).factor, 0
    except ResponseError as error:
        factor, position = Fraction(1), error.position
    assert factor > 0
    assert position is None or 0 <= position <= len(typed)

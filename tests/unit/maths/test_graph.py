"""The graph of named quantities and the semantics of its overrides."""

import pytest

from grader.errors import SolutionError
from grader.maths.crossing import NEVER, crossing, kind, side, significant
from grader.maths.expression import Expr, Number
from grader.maths.grammar import read_expression
from grader.maths.graph import MODEL_FUNCTIONS, Formula, Graph, Layer, Value
from grader.maths.polynomial import simplified
from grader.maths.show import text

NAMES = [
    "a",
    "b",
    "c",
    "total",
    "x",
    "y",
    "B",
    "D",
    "F",
    "low",
    "high",
    "flops",
    "bytes",
    "intensity",
    "ridge",
    "regime",
]


def read(source: str) -> Expr:
    return read_expression(source, NAMES, functions=MODEL_FUNCTIONS)


def graph(**formulas: str) -> Graph:
    made: dict[str, Formula] = {n: f if n == "regime" else read(f) for n, f in formulas.items()}
    return Graph(made)


def layer(**changes: str) -> Layer:
    return Layer({n: f if n == "regime" else read(f) for n, f in changes.items()})


def shown(value: Value) -> str:
    return value if isinstance(value, str) else text(value)


def same(value: Value, source: str) -> bool:
    return not isinstance(value, str) and simplified(value) == simplified(read(source))


def test_a_quantity_is_solved_down_to_the_free_symbols() -> None:
    assert same(graph(total="a + b", a="2*B", b="B*D").value("total"), "2*B + B*D")


def test_an_override_reaches_everything_that_depends_on_it() -> None:
    model = graph(total="a + b", a="2*B", b="a*D")
    assert same(model.value("total", (layer(a="B"),)), "B + B*D")


def test_on_the_right_a_changed_name_means_its_value_before_the_change() -> None:
    assert same(graph(a="2*B").value("a", (layer(a="3*a"),)), "6*B")


def test_two_names_can_be_exchanged() -> None:
    model = graph(low="B", high="D", total="low/high")
    swapped = (layer(low="high", high="low"),)
    assert same(model.value("low", swapped), "D")
    assert same(model.value("total", swapped), "D/B")


def test_the_value_before_is_that_of_the_old_model_for_all_names_of_the_same_change() -> None:
    model = graph(a="B", total="a*D")
    assert same(model.value("total", (layer(a="2*a", total="3*total"),)), "3*B*D")


def test_every_other_name_on_the_right_is_looked_up_in_the_changed_model() -> None:
    model = graph(a="B", b="a + D", total="b")
    assert same(model.value("total", (layer(a="F"), layer(total="2*b"))), "2*F + 2*D")


def test_layers_that_change_different_quantities_commute() -> None:
    model = graph(a="B", b="a*D", total="a + b")
    one, two = layer(a="2*a"), layer(b="b + F")
    assert model.value("total", (one, two)) == model.value("total", (two, one))


def test_a_size_given_for_a_part_reaches_into_overrides() -> None:
    model = graph(a="B*D")
    assert same(model.value("a", (layer(D="1024"), layer(a="a + D"))), "1024*B + 1024")


def test_what_a_layer_does_not_touch_is_solved_once() -> None:
    model = graph(a="B", b="D", total="a + b")
    model.value("b")
    assert model.value("b", (layer(a="2*a"),)) is model.value("b")


def test_formulas_that_go_round_in_a_circle_are_refused() -> None:
    with pytest.raises(SolutionError, match="circle: a -> b -> a"):
        graph(a="b", b="a + 1").value("a")


def test_an_override_may_make_a_circle_and_it_is_found() -> None:
    with pytest.raises(SolutionError, match="circle"):
        graph(a="B", b="a").value("b", (layer(a="b + 1"),))


def test_a_leading_term_follows_the_regime_of_the_changed_model() -> None:
    model = graph(bytes="B*D + D*F + B*F", a="leading_term(bytes)", regime="B << D, F")
    assert shown(model.value("a")) == "D*F"
    assert shown(model.value("a", (layer(regime="D, F << B"),))) in ("B*D + B*F", "B*(D + F)")


def test_which_term_leads_is_decided_before_sizes_are_given() -> None:
    model = graph(bytes="B*D + D*F + B*F", a="leading_term(bytes)", regime="B << D, F")
    assert shown(model.value("a", (layer(D="8", F="4"),))) == "32"


def test_a_quantity_that_never_happens_stays_never_where_it_is_used() -> None:
    model = graph(a="crossing(2, 5, B)", b="a/2")
    assert model.value("a") == NEVER
    assert model.value("b") == NEVER


def test_division_by_zero_gives_never() -> None:
    assert graph(a="B", b="D/a").value("b", (layer(a="0"),)) == NEVER


def test_a_change_that_names_what_the_model_lacks_is_not_offered() -> None:
    model = graph(a="B")
    assert model.knows(layer(a="2*a*B"), ["B", "D"])
    assert not model.knows(layer(b="a"), ["B"])
    assert not model.knows(layer(a="c"), ["B"])


@pytest.mark.parametrize(
    ("first", "second", "where", "direction", "which"),
    [
        ("2*B", "480", "240", ">", "above"),
        ("480", "2*B", "240", "<", "below"),
        ("100/B", "5", "20", "<", "below"),
        ("B^2", "16", "4", ">", "above"),
        ("2*B*D/(B + D)", "D", "D", ">", "above"),
        ("2", "5", NEVER, NEVER, "never"),
        ("7", "5", NEVER, NEVER, "always"),
        ("B + 8", "5", NEVER, NEVER, "always"),
    ],
)
def test_crossings_are_solved_with_their_side(first: str, second: str, where: str, direction: str, which: str) -> None:
    a, b = read(first), read(second)
    assert shown(crossing(a, b, "B")) == where
    assert side(a, b, "B") == direction
    assert kind(a, b, "B") == which


def test_a_crossing_that_cannot_be_solved_is_not_called_never() -> None:
    with pytest.raises(SolutionError, match="degree"):
        crossing(read("B^3 + B"), read("D"), "B")
    with pytest.raises(SolutionError, match="rational"):
        crossing(read("log(B)"), read("D"), "B")


@pytest.mark.parametrize(
    ("number", "digits", "rounded"),
    [("3.94e14", 1, "4e14"), ("8.1e11", 1, "8e11"), ("0.00234", 2, "0.0023"), ("999", 1, "1000"), ("-15", 1, "-20"),
     ("1/3", 2, "0.33"), ("0", 3, "0")],
)  # fmt: skip
def test_numbers_are_rounded_to_significant_digits(number: str, digits: int, rounded: str) -> None:
    assert significant(simplified(read(number)), Number(digits)) == simplified(read(rounded))

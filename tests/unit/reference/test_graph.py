"""How a graph of quantities is solved, as it is and changed."""

from dataclasses import FrozenInstanceError
from fractions import Fraction
from typing import Any

import pytest
import sympy

import reference
from reference import NEVER, ReferenceFault
from reference.graph import crossing, leading_term, sig, symbol

B, D, F = (symbol(name) for name in "BDF")
MODEL = reference.model(
    "int8[B, D] * int8[D, F] -> int8[B, F]", "tpu-v5e", regime="B << D, F", parameters={"bandwidth": 8.1e11}
)


def same(a: Any, b: Any) -> bool:
    return bool(sympy.simplify(a - b) == 0)


def names(text: str) -> list[Any]:
    return [symbol(name) for name in text.split()]


def test_a_name_that_the_mapping_changes_means_its_value_before() -> None:
    lower, upper = names("t_lower t_upper")
    swapped = {"t_lower": upper, "t_upper": lower}
    assert MODEL.solve("t_lower", swapped) == MODEL.solve("t_upper")
    assert MODEL.solve("t_upper", swapped) == MODEL.solve("t_lower")


def test_the_value_before_is_that_of_the_model_without_the_mapping() -> None:
    z_bytes, z_itemsize = names("z_bytes z_itemsize")
    change = {"z_bytes": 3 * z_bytes, "z_itemsize": 2 * z_itemsize}
    assert MODEL.solve("z_bytes", change) == 3 * B * F


def test_every_other_name_is_looked_up_in_the_changed_model() -> None:
    flops, z_size = names("flops z_size")
    change = {"flops": flops + z_size, "intensity": z_size}
    later = {"z_size": D * F}
    assert same(MODEL.solve("flops", [change, later]), 2 * B * D * F + D * F)
    assert MODEL.solve("intensity", [change, later]) == D * F


def test_everything_that_depends_on_a_changed_quantity_follows() -> None:
    change = {"bytes_written": 0}
    assert same(MODEL.solve("intensity", change), 2 * B * F / (B + F))
    assert same(MODEL.solve("t_comms", change), (B * D + D * F) / sympy.Integer(81 * 10**10))


def test_mappings_of_different_quantities_commute() -> None:
    one, other = {"flops": symbol("flops") - symbol("z_size")}, {"z_size": D * F, "peak": symbol("peak_bf16")}
    for quantity in ("flops", "intensity", "t_lower", "critical_batch", "crossover"):
        assert MODEL.solve(quantity, [one, other]) == MODEL.solve(quantity, [other, one])


def test_the_uppermost_of_two_mappings_of_one_quantity_builds_on_the_lower() -> None:
    flops = symbol("flops")
    assert MODEL.solve("flops", [{"flops": flops - 1}, {"flops": 3 * flops}]) == 3 * (2 * B * D * F - 1)
    assert MODEL.solve("flops", [{"flops": 3 * flops}, {"flops": flops - 1}]) == 6 * B * D * F - 1


def test_a_cycle_is_a_fault_that_names_its_quantities() -> None:
    with pytest.raises(ReferenceFault, match="a cycle: flops <- intensity <- flops"):
        MODEL.solve("flops", {"flops": symbol("intensity")})
    with pytest.raises(ReferenceFault, match="a cycle"):
        MODEL.solve("leading", [{"peak": symbol("ridge")}, {"leading": symbol("peak")}])


def test_a_mapping_that_closes_a_loop_within_itself_is_no_cycle() -> None:
    flops, intensity = names("flops intensity")
    assert same(MODEL.solve("flops", {"flops": intensity, "intensity": flops}), MODEL.solve("intensity"))


def test_lengths_of_axes_reach_into_every_formula() -> None:
    lengths = {"D": 4096, "F": 4096}
    assert MODEL.solve("y_bytes", lengths) == 4096**2
    assert MODEL.solve("flops", {"D": 4 * F}) == 8 * B * F**2
    assert MODEL.solve("x_size", [{"x_size": 2 * symbol("x_size")}, lengths]) == 8192 * B


def test_the_leading_term_is_taken_before_axes_get_their_lengths() -> None:
    lengths = {"D": 128, "F": 128}
    assert MODEL.solve("leading", lengths) == 2 * B
    assert MODEL.solve("leading", [{"regime": "D, F << B"}, lengths]) == 128
    assert MODEL.solve("leading", {"B": 7}) == 14


def test_a_crossing_solves_for_the_batch_whatever_its_length() -> None:
    assert MODEL.solve("critical_batch", {"B": 7}) == sympy.Rational(19700, 81)
    assert MODEL.solve("relation", {"B": 7}) == ">"


def test_the_exact_crossing_knows_the_lengths_of_the_axes() -> None:
    assert MODEL.solve("crossover", {"D": 512, "F": 512}) == sympy.Rational(19700 * 512, 81 * 512 - 2 * 19700)
    assert MODEL.solve("crossover", {"D": 400, "F": 400}) is NEVER
    assert same(MODEL.solve("crossover").subs({D: 512, F: 512}), MODEL.solve("crossover", {"D": 512, "F": 512}))


def test_never_spreads_to_what_is_calculated_with_it() -> None:
    change = [{"leading": 2}, {"critical_batch": symbol("critical_batch") / 2}]
    assert MODEL.solve("critical_batch", change) is NEVER
    assert MODEL.solve("leading", {"leading": leading_term(symbol("crossover")), "crossover": NEVER}) is not NEVER
    assert MODEL.solve("leading", [{"leading": leading_term(symbol("crossover"))}, {"crossover": NEVER}]) is NEVER
    assert MODEL.solve("bound", {"leading": NEVER}) == "never"
    assert MODEL.solve("relation", {"leading": NEVER}) is NEVER


def test_a_division_by_zero_has_no_value_and_meets_nothing() -> None:
    nothing = [{"x_bytes": 0}, {"leading": symbol("flops") / symbol("x_bytes")}]
    assert MODEL.solve("leading", nothing) is sympy.nan
    assert MODEL.solve("time_ratio", nothing) is sympy.nan
    assert MODEL.solve("critical_batch", nothing) is NEVER
    assert MODEL.solve("bound", nothing) == "never"
    assert MODEL.solve("t_lower", {"bandwidth": 0}) is sympy.nan


def test_texts_are_overridden_by_texts_only() -> None:
    assert MODEL.solve("bound", {"bound": "always"}) == "always"
    assert MODEL.solve("relation", {"relation": symbol("bound")}) == "above"
    with pytest.raises(ReferenceFault, match="bound is text, not 3"):
        MODEL.solve("bound", {"bound": 3})
    with pytest.raises(ReferenceFault, match="flops is a formula or a number, not '2BDF'"):
        MODEL.solve("flops", {"flops": "2BDF"})
    with pytest.raises(ReferenceFault, match="can't calculate with the text 'above'"):
        MODEL.solve("t_upper", {"t_upper": 2 * symbol("bound")})


def test_an_unknown_name_gets_a_suggestion() -> None:
    assert MODEL.lacks({"peak": symbol("peak_fp8"), "flops": B * D}) == {"peak_fp8"}
    assert not MODEL.lacks({"peak": symbol("peak_int4"), "D": 3})
    with pytest.raises(ReferenceFault, match="no quantity peak_fp8: did you mean peak_int8"):
        MODEL.solve("ridge", {"peak": symbol("peak_fp8")})
    with pytest.raises(ReferenceFault, match="no quantity intensty: did you mean intensity"):
        MODEL.solve("intensty")


@pytest.mark.parametrize(
    ("given", "exact"),
    [(8.1e11, 810_000_000_000), (0.1, Fraction(1, 10)), (Fraction(1, 3), Fraction(1, 3)), (7, 7)],
)
def test_numbers_are_kept_exact(given: float | Fraction, exact: Fraction) -> None:
    assert MODEL.solve("bandwidth", {"bandwidth": given}) == sympy.Rational(exact)


@pytest.mark.parametrize("given", [True, None, [1], b"1"])
def test_what_is_no_formula_is_refused(given: object) -> None:
    with pytest.raises(ReferenceFault):
        MODEL.solve("peak", {"peak": given})


def test_symbols_are_known_by_their_names_whatever_they_assume() -> None:
    assert MODEL.solve("x_size", {"x_size": sympy.Symbol("B") * sympy.Symbol("macs")}) == B**2 * D * F


@pytest.mark.parametrize(
    ("value", "digits", "rounded"),
    [
        ("8.1e11", 1, "8e11"), ("1.97e14", 1, "2e14"), ("1.97e14", 2, "2e14"), ("9.895e14", 3, "9.9e14"),
        ("3.35e12", 1, "3e12"), ("243.2098", 3, "243"), ("9.96", 2, "10"), ("2.5", 1, "3"), ("-2.5", 1, "-3"),
        ("0.0123", 1, "0.01"), ("0.001", 1, "0.001"), ("0.0999", 1, "0.1"), ("1", 1, "1"), ("0", 3, "0"),
        ("10", 1, "10"),
    ],
)  # fmt: skip
def test_sig_rounds_to_significant_digits(value: str, digits: int, rounded: str) -> None:
    assert MODEL.solve("peak", {"peak": sig(sympy.Rational(value), digits)}) == sympy.Rational(rounded)


def test_sig_needs_a_number() -> None:
    with pytest.raises(ReferenceFault, match="it is not a number"):
        MODEL.solve("peak", {"peak": sig(symbol("flops"), 1)})


def test_any_two_quantities_can_be_crossed() -> None:
    change = {"crossover": crossing(symbol("t_math"), symbol("t_comms"), B)}
    assert same(MODEL.solve("crossover", change), MODEL.solve("crossover"))


def test_a_crossing_is_solved_for_an_axis() -> None:
    with pytest.raises(ReferenceFault, match=r"can't solve for 2\*B"):
        MODEL.solve("crossover", {"crossover": crossing(symbol("t_math"), symbol("t_comms"), 2 * B)})


def test_models_and_their_formulas_cannot_be_changed_in_place() -> None:
    with pytest.raises(TypeError):
        MODEL.formulas["flops"] = 0  # type: ignore[index]
    with pytest.raises((FrozenInstanceError, AttributeError)):
        MODEL.axes = ()  # type: ignore[misc]

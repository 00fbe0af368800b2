from itertools import product

import pytest

from grader.errors import SpecError
from grader.maths.regime import Regime


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        ("B << D, F", {("B", "D"), ("B", "F")}),
        ("D, F >> 1", {(None, "D"), (None, "F")}),
        ("1 << D", {(None, "D")}),
        ("B << D << F", {("B", "D"), ("D", "F")}),
        ("F >> D >> B", {("B", "D"), ("D", "F")}),
        ("S >> T", {("T", "S")}),
        ("B ≪ D_model", {("B", "D_model")}),
        ("B << D; F >> 1", {("B", "D"), (None, "F")}),
    ],
)
def test_a_regime_says_which_symbol_is_far_below_which(text: str, pairs: set[tuple[str | None, str]]) -> None:
    assert set(Regime.read(text).pairs) == pairs


@pytest.mark.parametrize("text", ["", "B", "B < D", "B <<", "B << 2", "B << 1", "B << B", "B << D << B", "B D << F"])
def test_a_regime_that_says_nothing_or_contradicts_itself_is_refused(text: str) -> None:
    with pytest.raises(SpecError):
        Regime.read(text)


def test_the_text_of_a_regime_reads_back() -> None:
    regime = Regime.read("B  <<  D, F")
    assert str(regime) == "B << D, F"
    assert Regime.read(str(regime)) == regime


@pytest.mark.parametrize(
    ("exponents", "vanishes"),
    [
        ({"D": -1}, True),
        ({"B": 1, "D": -1}, True),
        ({"B": 2, "D": -1}, False),
        ({"B": 2, "D": -1, "F": -1}, True),
        ({"D": 1, "F": -2}, False),
        ({"B": -1}, False),
        ({}, False),
        ({"x": -5}, False),
        ({"x": 5, "D": -1}, True),
    ],
)
def test_a_monomial_vanishes_only_if_it_does_on_every_path(exponents: dict[str, int], vanishes: bool) -> None:
    assert Regime.read("B << D, F").vanishes(exponents) is vanishes


@pytest.mark.parametrize(
    ("exponents", "vanishes"),
    [({"D": 1, "F": -1}, True), ({"D": 1, "E": 1, "F": -1}, False), ({"D": 1, "E": 1, "F": -2}, True)],
)
def test_a_symbol_may_be_far_above_several(exponents: dict[str, int], vanishes: bool) -> None:
    assert Regime.read("D, E << F").vanishes(exponents) is vanishes


@pytest.mark.parametrize("text", ["B << D, F", "D, F >> 1", "B << D << F", "D, E << F"])
def test_every_growth_rate_is_a_path_of_the_regime(text: str) -> None:
    regime = Regime.read(text)
    for rate in regime.growth_rates():
        assert all(rate[high] > (rate[low] if low else 0) for low, high in regime.pairs)


@pytest.mark.parametrize("text", ["B << D, F", "D, F >> 1", "B << D << F", "D, E << F", "S >> T", "B << D; F >> 1"])
def test_a_monomial_vanishes_if_and_only_if_it_falls_at_every_growth_rate(text: str) -> None:
    regime = Regime.read(text)
    for powers in product(range(-3, 4), repeat=len(regime.names)):
        exponents = dict(zip(regime.names, powers, strict=True))
        fastest = max(sum(e * rate[name] for name, e in exponents.items()) for rate in regime.growth_rates())
        assert regime.vanishes(exponents) is (fastest < 0)

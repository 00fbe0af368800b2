"""The reference against a program that runs the loops, and against what must hold whatever is changed."""

from dataclasses import dataclass
from itertools import pairwise, product
from math import prod
from typing import Any

import pytest
import sympy
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import reference
from reference import Operation, read_operation
from reference.graph import symbol
from reference.leading import leading_term, read_regime

BITS = {"int4": 4, "int8": 8, "fp8": 8, "bfloat16": 16, "fp16": 16, "fp32": 32}
INT8 = reference.model("int8[B, D] * int8[D, F] -> int8[B, F]", "tpu-v5e", regime="B << D, F")
B, D, F = (symbol(name) for name in "BDF")

# where an axis occurs: in x, in y, in z
PLACES = [(True, False, True), (False, True, True), (True, True, True), (True, True, False)]


@dataclass
class Spent:
    """What a run of the loops took."""

    multiplications: int
    additions: int
    loaded: float
    written: float


@st.composite
def contractions(draw: st.DrawFn) -> tuple[str, dict[str, int]]:
    """An operation and the lengths of its axes."""
    axes = draw(st.lists(st.sampled_from("ABCDEFGHK"), min_size=1, max_size=4, unique=True))
    places = {axis: draw(st.sampled_from(PLACES)) for axis in axes}
    arrays = [
        f"{draw(st.sampled_from(sorted(BITS)))}[{', '.join(draw(st.permutations([a for a in axes if places[a][i]])))}]"
        for i in range(3)
    ]
    return f"{arrays[0]} * {arrays[1]} -> {arrays[2]}", {axis: draw(st.integers(1, 4)) for axis in axes}


def run(text: str, lengths: dict[str, int]) -> Spent:
    """Runs the loops over all axes, counting operations and the elements that are touched.

    Every product that belongs to a sum is added to it: the first one to zero, as hardware does.
    """
    left, right = text.split("->")
    x, y = (part.strip() for part in left.split(" * "))
    dtypes, axes = zip(*((part.split("[")[0], axes_of(part)) for part in (x, y, right.strip())), strict=True)
    names = sorted(lengths)
    summed = any(name not in axes[2] for name in names)
    touched: list[set[tuple[int, ...]]] = [set(), set(), set()]
    multiplications = additions = 0
    for point in product(*(range(lengths[name]) for name in names)):
        at = dict(zip(names, point, strict=True))
        for i in range(3):
            touched[i].add(tuple(at[name] for name in axes[i]))
        multiplications += 1
        additions += summed
    sizes = [len(touched[i]) * BITS[dtypes[i]] / 8 for i in range(3)]
    return Spent(multiplications, additions, sizes[0] + sizes[1], sizes[2])


def axes_of(array: str) -> list[str]:
    inside = array.split("[")[1].rstrip("]")
    return inside.split(", ") if inside else []


@given(contractions())
@settings(max_examples=60, deadline=None)
def test_operations_and_bytes_are_those_of_the_loops(case: tuple[str, dict[str, int]]) -> None:
    text, lengths = case
    spent = run(text, lengths)
    model = reference.model(text, "h100-sxm", batch=None, parameters={"peak": 10**15, **lengths})
    assert model.solve("macs") == spent.multiplications == prod(lengths.values())
    assert model.solve("flops") == spent.multiplications + spent.additions
    assert float(model.solve("bytes_loaded")) == spent.loaded
    assert float(model.solve("bytes_written")) == spent.written
    assert float(model.solve("bytes_moved")) == spent.loaded + spent.written


@given(contractions())
@settings(max_examples=60, deadline=None)
def test_an_operation_reads_back_from_its_text(case: tuple[str, dict[str, int]]) -> None:
    operation: Operation = read_operation(case[0])
    assert read_operation(str(operation)) == operation


REGIMES = ["B << D, F", "D, F << B", "D, F >> 1", "B << D << F", "D >> B"]


def growths(text: str) -> list[dict[str, int]]:
    """Powers of one large number that the symbols may grow like, on many paths of the regime."""
    groups = read_regime(text).groups
    named = [name for group in groups for name in group]
    paths = []
    for powers in product((0, 1, 2, 40, 41, 42), repeat=len(named)):
        path = dict(zip(named, powers, strict=True)) | {name: 0 for name in "BDF" if name not in named}
        steps = pairwise(groups)
        if all(path[small] < path[large] for low, high in steps for small in low for large in high) and (
            groups[0] or all(path[name] > 0 for name in groups[1])
        ):
            paths.append(path)
    return paths


@given(st.sampled_from(REGIMES), st.tuples(*[st.integers(-3, 3)] * 3))
@settings(max_examples=200, deadline=None)
def test_a_term_is_negligible_if_and_only_if_it_vanishes_on_every_path(text: str, powers: tuple[int, ...]) -> None:
    exponents = dict(zip("BDF", powers, strict=True))
    vanishes = all(sum(path[name] * exponents[name] for name in exponents) < 0 for path in growths(text))
    assert read_regime(text).negligible(exponents) == vanishes


MONOMIALS = st.tuples(*[st.integers(0, 2)] * 3, st.integers(1, 9))
POLYNOMIALS = st.lists(MONOMIALS, min_size=1, max_size=4).map(
    lambda terms: sum(c * B**b * D**d * F**f for b, d, f, c in terms)
)


@given(POLYNOMIALS, POLYNOMIALS, st.sampled_from(REGIMES))
@settings(max_examples=60, deadline=None)
def test_the_ratio_to_the_leading_term_tends_to_one(above: Any, below: Any, text: str) -> None:
    leading = leading_term(above / below, read_regime(text))
    for path in growths(text)[::7]:
        point = {symbol(name): sympy.Integer(10) ** (9 * power) for name, power in path.items()}
        assert abs(float((above / below / leading).subs(point)) - 1) < 1e-6


@given(POLYNOMIALS, POLYNOMIALS, st.sampled_from(REGIMES))
@settings(max_examples=60, deadline=None)
def test_a_leading_term_is_its_own_leading_term(above: Any, below: Any, text: str) -> None:
    leading = leading_term(above / below, read_regime(text))
    assert sympy.simplify(leading_term(leading, read_regime(text)) - leading) == 0


@given(st.integers(1, 20000), st.integers(1, 20000))
@settings(max_examples=60, deadline=None)
def test_at_the_crossover_the_intensity_is_the_ridge(d: int, f: int) -> None:
    lengths = {"D": d, "F": f}
    crossover = INT8.solve("crossover", lengths)
    intensity, ridge = INT8.solve("intensity", lengths), INT8.solve("ridge")
    if crossover is reference.NEVER:
        assert sympy.limit(intensity, B, sympy.oo) <= ridge
    else:
        assert intensity.subs(B, crossover) == ridge
        assert intensity.subs(B, 2 * crossover) > ridge


CHANGES: list[dict[str, Any]] = [
    {"flops": symbol("flops") / 2},
    {"bytes_written": 2 * symbol("bytes_written")},
    {"x_itemsize": symbol("y_itemsize") * 2, "y_itemsize": symbol("x_itemsize")},
    {"z_size": D * F},
    {"x_size": symbol("x_size") + symbol("z_size")},
    {"peak": symbol("peak_bf16")},
    {"bandwidth": symbol("bandwidth") / 1000},
    {"t_math": symbol("t_math") / 2},
    {"t_lower": symbol("t_upper"), "t_upper": symbol("t_lower")},
    {"leading": symbol("flops") / symbol("z_bytes")},
    {"intensity": symbol("intensity") / 2},
    {"regime": "D, F << B"},
    {"D": 4 * F},
]


@pytest.mark.usefixtures("worked_out_once")
@given(st.lists(st.sampled_from(CHANGES), min_size=2, max_size=3), st.data())
@settings(max_examples=60, deadline=None)
def test_changes_of_different_quantities_commute(layers: list[dict[str, Any]], data: st.DataObject) -> None:
    touched = [name for layer in layers for name in layer]
    assume(len(touched) == len(set(touched)))
    other = data.draw(st.permutations(layers))
    for quantity in ("bytes_moved", "leading", "t_lower", "critical_batch", "relation"):
        assert INT8.solve(quantity, layers) == INT8.solve(quantity, other)

"""Changes of the graph, on the models of five exercises."""

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import sympy
import yaml
from sympy.parsing.sympy_parser import parse_expr, rationalize, standard_transformations

import reference
from reference import NEVER, ReferenceFault
from reference.graph import FUNCTIONS, TEXTS

pytestmark = pytest.mark.usefixtures("worked_out_once")

CASES = yaml.safe_load((Path(__file__).parents[2] / "cases" / "reference_overrides.yaml").read_text(encoding="utf-8"))
ANSWERS = (
    "bytes_loaded", "bytes_written", "flops", "intensity", "leading", "t_math", "t_comms", "t_lower", "t_upper",
    "time_ratio", "attainable", "critical_batch", "crossover", "relation", "bound",
)  # fmt: skip


@cache
def model(name: str) -> reference.Model:
    spec = dict(CASES["models"][name])
    operation, accelerator, regime = spec.pop("operation"), spec.pop("accelerator"), spec.pop("regime")
    numbers = {quantity: Fraction(value) for quantity, value in spec.items()}
    return reference.model(operation, accelerator, regime=regime, parameters=numbers)


def read(quantity: str, text: Any) -> Any:
    if text == "never" and quantity != "bound":
        return NEVER
    if quantity in TEXTS:
        return text
    names = {n: sympy.Symbol(n, positive=True) for n in (*model("q5").formulas, *model("q1").formulas, "B", "D", "F")}
    functions = {"min": sympy.Min, "max": sympy.Max, **FUNCTIONS}
    return parse_expr(str(text), local_dict=names | functions, transformations=(*standard_transformations, rationalize))


def mappings(entry: Mapping[str, Any]) -> list[dict[str, Any]]:
    faces = entry["change"] if isinstance(entry["change"], list) else [entry["change"]]
    return [{quantity: read(quantity, text) for quantity, text in face.items()} for face in faces]


def expected_values() -> list[Any]:
    return [
        pytest.param(entry, name, quantity, text, id=f"{name}-{quantity}-{entry['change']}")
        for entry in CASES["changes"]
        for name, values in entry["values"].items()
        for quantity, text in values.items()
    ]


def equal(a: Any, b: Any) -> bool:
    if not isinstance(a, sympy.Basic) or not isinstance(b, sympy.Basic):
        return bool(a == b)
    if a.atoms(sympy.Max, sympy.Min) or b.atoms(sympy.Max, sympy.Min):
        points = ({"B": 1, "D": 64, "F": 512}, {"B": 300, "D": 4096, "F": 8192}, {"B": 90000, "D": 1024, "F": 10**6})
        at = [{sympy.Symbol(n, positive=True): v for n, v in point.items()} for point in points]
        return all(a.subs(point) == b.subs(point) for point in at)
    return bool(sympy.simplify(a - b) == 0)


@pytest.mark.parametrize(("entry", "name", "quantity", "text"), expected_values())
def test_a_change_gives_the_value_worked_out_by_hand(entry: Any, name: str, quantity: str, text: Any) -> None:
    change = mappings(entry)[0]
    assert not model(name).lacks(change)
    assert equal(model(name).solve(quantity, change), read(quantity, text))


@pytest.mark.parametrize("name", ["q1", "q4", "q5"])  # the others have the graphs of q1 and q5 with other types
def test_every_change_that_the_model_offers_can_be_solved_for_every_answer(name: str) -> None:
    offered = [change for entry in CASES["changes"] for change in mappings(entry) if not model(name).lacks(change)]
    assert len(offered) > 60
    unsolved = []
    for change in offered:
        for quantity in ANSWERS:
            try:
                value = model(name).solve(quantity, change)
            except ReferenceFault:
                unsolved.append((quantity, change))
            else:
                assert value is NEVER or isinstance(value, str if quantity in ("relation", "bound") else sympy.Expr)
                assert value is not sympy.nan
    # for a large batch the leading intensity is DF/(D + F): whether that exceeds the ridge depends on D and F alone
    assert unsolved == ([] if name == "q4" else [("bound", {"regime": "D, F << B"})])


def test_every_change_is_offered_by_some_model() -> None:
    for entry in CASES["changes"]:
        for change in mappings(entry):
            assert any(not model(name).lacks(change) for name in CASES["models"])

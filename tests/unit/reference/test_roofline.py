"""The roofline model and the book's own numbers."""

from typing import Any

import pytest
import sympy

import reference
from reference import NEVER, ReferenceFault
from reference.graph import symbol

B, D, F = (symbol(name) for name in "BDF")
INT8 = "int8[B, D] * int8[D, F] -> int8[B, F]"
MIXED = "bfloat16[B, D] * int8[D, F] -> bfloat16[B, F]"
BATCHED = "int8[B, D] *_D int8[B, D, F] -> int8[B, F]"
BF16 = "bfloat16[B, D] * bfloat16[D, F] -> bfloat16[B, F]"
WIDE = "B << D, F"


def same(a: Any, b: Any) -> bool:
    return bool(sympy.simplify(a - b) == 0)


@pytest.mark.parametrize(
    ("operation", "accelerator", "bandwidth", "critical"),
    [
        (INT8, "tpu-v5e", "8.1e11", 243.21), (INT8, "tpu-v5e", "8.2e11", 240.24),
        (MIXED, "tpu-v5e", "8.1e11", 121.60), (MIXED, "tpu-v5e", "8.2e11", 120.12),
        (BF16, "tpu-v5e", "8.2e11", 240.24), (BF16, "tpu-v5e", "8.1e11", 243.21),
        (BF16, "h100-sxm", "3.35e12", 295.37),
        ("int4[D, F] * bf16[B, D] -> bf16[B, F]", "tpu-v5e", "8.2e11", 60.06),
        ("fp8[B, D] * fp8[D, F] -> bf16[B, F]", "h100-sxm", "3.35e12", 295.37),
    ],
)  # fmt: skip
def test_the_books_critical_batch_sizes(operation: str, accelerator: str, bandwidth: str, critical: float) -> None:
    model = reference.model(operation, accelerator, regime=WIDE, parameters={"bandwidth": sympy.Rational(bandwidth)})
    assert float(model.solve("critical_batch")) == pytest.approx(critical, abs=0.005)
    assert model.solve("relation") == ">"
    assert model.solve("bound") == "above"


@pytest.mark.parametrize(
    ("length", "bandwidth", "crossover"),
    [(4096, 8.1e11, 138.0), (4096, 8.2e11, 136.1), (1024, 8.1e11, 231.6), (1024, 8.2e11, 226.3)],
)
def test_the_exact_crossover_of_the_mixed_product(length: int, bandwidth: float, crossover: float) -> None:
    model = reference.model(MIXED, "tpu-v5e", regime=WIDE, parameters={"bandwidth": bandwidth})
    assert float(model.solve("crossover", {"D": length, "F": length})) == pytest.approx(crossover, abs=0.05)


def test_the_exact_crossover_of_the_weights_of_part_two() -> None:
    model = reference.model(INT8, "tpu-v5e", regime=WIDE)
    assert float(model.solve("crossover", {"D": 4096, "F": 16384})) == pytest.approx(259.25, abs=0.005)


def test_the_batched_product_is_never_compute_bound() -> None:
    model = reference.model(BATCHED, "tpu-v5e", regime="D, F >> 1")
    assert model.solve("flops") == 2 * B * D * F
    assert same(model.solve("intensity"), 2 * D * F / (D + D * F + F))
    assert model.solve("leading") == 2
    assert model.solve("critical_batch") is NEVER
    assert model.solve("relation") is NEVER
    assert model.solve("bound") == "never"


def test_the_ridge_of_the_h100_is_295_dense_and_591_with_sparsity() -> None:
    model = reference.model(BF16, "h100-sxm", regime=WIDE)
    assert float(model.solve("ridge")) == pytest.approx(295.37, abs=0.005)
    assert float(model.solve("ridge", {"peak": symbol("peak_bf16_sparse")})) == pytest.approx(590.75, abs=0.005)
    assert model.solve("leading") == B


def test_the_times_bound_the_whole_from_below_and_above() -> None:
    model = reference.model(INT8, "tpu-v5e", parameters={"peak": 3.94e14, "bandwidth": 8.1e11})
    math, comms = 2 * B * D * F / sympy.Integer(394 * 10**12), (B * D + D * F + B * F) / sympy.Integer(81 * 10**10)
    assert same(model.solve("t_math"), math)
    assert same(model.solve("t_comms"), comms)
    assert same(model.solve("t_lower"), sympy.Max(math, comms))
    assert same(model.solve("t_upper"), math + comms)


def test_the_ratio_of_the_times_is_the_leading_intensity_over_the_ridge() -> None:
    model = reference.model(INT8, "tpu-v5e", regime=WIDE, parameters={"bandwidth": 8.1e11})
    assert model.solve("time_ratio") == 2 * B * sympy.Rational(81, 39400)


@pytest.mark.parametrize(("batch", "share"), [(8, "memory"), (4000, "compute")])
def test_what_is_attainable_is_the_lower_roof(batch: int, share: str) -> None:
    model = reference.model(MIXED, "tpu-v5e", parameters={"D": 4096, "F": 4096, "B": batch})
    roof = model.solve("peak") if share == "compute" else model.solve("intensity") * model.solve("bandwidth")
    assert model.solve("attainable") == roof


@pytest.mark.parametrize(
    ("operation", "row"), [(INT8, "peak_int8"), (MIXED, "peak_bf16"), (BATCHED, "peak_int8"), (BF16, "peak_bf16")]
)
def test_the_peak_is_the_row_of_the_compute_dtype(operation: str, row: str) -> None:
    assert reference.model(operation, "tpu-v5e").formulas["peak"] == symbol(row)


def test_a_product_that_sums_nothing_has_no_additions() -> None:
    outer = reference.model("bf16[N] * bf16[M] -> bf16[N, M]", "tpu-v5e", batch=None, regime="N, M >> 1")
    assert outer.solve("flops") == symbol("M") * symbol("N")
    assert outer.solve("leading") == sympy.Rational(1, 2)


def test_the_batch_axis_can_have_any_name_or_none() -> None:
    square = "fp32[M, K] * fp32[K, N] -> fp32[M, N]"
    model = reference.model(square, "h100-sxm", batch="M", regime="M << K, N")
    assert model.solve("critical_batch") == 40
    assert "critical_batch" not in reference.model(square, "h100-sxm", batch=None).formulas
    with pytest.raises(ReferenceFault, match="the batch axis B is none of the operation's: name one of M, K, N"):
        reference.model(square, "h100-sxm")


def test_without_a_regime_nothing_is_dropped() -> None:
    model = reference.model(INT8, "tpu-v5e")
    assert "regime" not in model.formulas
    assert model.solve("leading") == model.solve("intensity")
    with pytest.raises(ReferenceFault, match="made without a regime"):
        model.solve("intensity", {"intensity": sympy.Function("leading_term")(symbol("intensity"))})


def test_parameters_set_quantities_add_rows_and_may_be_formulas() -> None:
    given = {"bandwidth": symbol("bandwidth_2024"), "bandwidth_2024": 8e11}
    model = reference.model(INT8, "tpu-v5e", regime=WIDE, parameters=given)
    assert model.solve("critical_batch") == sympy.Rational(394, 8) * 5
    assert not model.lacks({"bandwidth": symbol("bandwidth_2024")})


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"operation": INT8, "accelerator": "h100-sxm5"}, "did you mean h100-sxm"),
        ({"operation": "fp32[B, D] * fp32[D, F] -> fp32[B, F]", "accelerator": "tpu-v5e"}, "no peak for fp32"),
        ({"operation": INT8, "accelerator": "tpu-v5e", "regime": "B << D, G"}, "names G"),
        ({"operation": INT8, "accelerator": "tpu-v5e", "regime": "B < D"}, "can't read the regime"),
        ({"operation": INT8, "accelerator": "tpu-v5e", "parameters": {"peak": symbol("peek_int8")}}, "peek_int8"),
        ({"operation": "int8[B, peak] * int8[peak, F] -> int8[B, F]", "accelerator": "tpu-v5e"}, "is a quantity"),
    ],
)
def test_what_cannot_be_modelled_is_refused_with_the_reason(arguments: dict[str, Any], says: str) -> None:
    with pytest.raises(ReferenceFault, match=says):
        reference.model(arguments.pop("operation"), arguments.pop("accelerator"), **arguments)


def test_a_missing_peak_can_be_given() -> None:
    model = reference.model("fp32[B, D] * fp32[D, F] -> fp32[B, F]", "tpu-v5e", parameters={"peak": 10**13})
    assert model.solve("ridge") == sympy.Rational(10**13, 82 * 10**10)

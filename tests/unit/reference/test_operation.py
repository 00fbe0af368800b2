"""Reading operations and dtypes."""

import re
from fractions import Fraction

import pytest

from reference import ReferenceFault, dtype, read_operation


@pytest.mark.parametrize(
    "text",
    [
        "bfloat16[B, D] * int8[D, F] -> bfloat16[B, F]",
        "bf16[B,D]*int8[D,F]->bf16[B,F]",
        "bf16[B, D] *_D int8[D, F] -> bf16[B, F]",
        "bf16[B, D] · int8[D, F] → bf16[B, F]",
        "bf16[B, D] ⋅_{D} s8[D, F] → BFloat16[B, F]",
    ],
)
def test_one_operation_is_read_from_many_spellings(text: str) -> None:
    assert str(read_operation(text)) == "bf16[B, D] * int8[D, F] -> bf16[B, F]"


def test_the_batched_product_keeps_the_batch_axis_and_contracts_the_inner_one() -> None:
    operation = read_operation("int8[B, D] *_D int8[B, D, F] -> int8[B, F]")
    assert operation.axes == ("B", "D", "F")
    assert operation.contracted == ("D",)
    assert operation.y.axes == ("B", "D", "F")


def test_several_contracted_axes_are_named_in_braces() -> None:
    operation = read_operation("fp8[B, N, H] *_{N, H} fp8[N, H, D] -> bf16[B, D]")
    assert operation.contracted == ("N", "H")


def test_scalars_and_long_axis_names_are_read() -> None:
    assert read_operation("fp32[] * fp32[d_model] -> fp32[d_model]").axes == ("d_model",)


@pytest.mark.parametrize(
    ("name", "size"),
    [("int4", "1/2"), ("fp4", "1/2"), ("int8", "1"), ("fp8", "1"), ("e4m3", "1"), ("bf16", "2"), ("bfloat16", "2"),
     ("fp16", "2"), ("float16", "2"), ("fp32", "4"), ("f32", "4"), ("int32", "4"), ("float64", "8")],
)  # fmt: skip
def test_itemsizes_are_bytes(name: str, size: str) -> None:
    assert dtype(name).itemsize == Fraction(size)


@pytest.mark.parametrize(
    ("x", "y", "compute"),
    [("bf16", "int8", "bf16"), ("int4", "bf16", "bf16"), ("int8", "int8", "int8"), ("int8", "fp8", "fp8"),
     ("int4", "int8", "int8"), ("fp16", "bf16", "fp16")],
)  # fmt: skip
def test_the_product_is_computed_in_the_widest_format(x: str, y: str, compute: str) -> None:
    assert read_operation(f"{x}[B, D] * {y}[D, F] -> int8[B, F]").compute_dtype.name == compute


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("int8[B, D] * int8[D, F]", "no arrow"),
        ("int8[B, D] int8[D, F] -> int8[B, F]", "no product"),
        ("int8[B, D] + int8[D, F] -> int8[B, F]", "no product"),
        ("int8[B, D] * int8[D, F] -> int8[B, F] twice", "can't read 'twice'"),
        ("int8[B, D] * int8[D, F] * int8[F, K] -> int8[B, K]", "can't read"),
        ("[B, D] * int8[D, F] -> int8[B, F]", "no array"),
        ("bf61[B, D] * int8[D, F] -> int8[B, F]", "did you mean bf16"),
        ("int8[B, B] * int8[B, F] -> int8[B, F]", "axis B twice"),
        ("int8[B, D] * int8[D, F] -> int8[B, G]", "axis G that neither operand has"),
        ("int8[B, D] * int8[F] -> int8[B, F]", "axis D is in one operand only"),
        ("int8[B, 2D] * int8[D, F] -> int8[B, F]", "'2D' can't name an axis"),
        ("int8[B, ] * int8[D, F] -> int8[B, F]", "'' can't name an axis"),
        ("int8[B, D] *_F int8[D, F] -> int8[B, F]", "names F as contracted, but the result lacks D"),
        ("int8[B, D] *_B int8[B, D] -> int8[B, D]", "but the result lacks none"),
    ],
)
def test_what_is_no_operation_is_refused_with_the_reason(text: str, says: str) -> None:
    with pytest.raises(ReferenceFault, match=re.escape(says)):
        read_operation(text)


def test_a_fault_is_a_value_error() -> None:
    with pytest.raises(ValueError, match="unknown dtype"):
        dtype("decimal")

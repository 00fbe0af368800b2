"""The table of accelerators."""

import subprocess
import sys
from fractions import Fraction

import pytest

from reference import ReferenceFault, accelerator
from reference.accelerators import accelerators, number


@pytest.mark.parametrize(
    ("name", "row", "value"),
    [
        ("tpu-v5e", "peak_bf16", 197 * 10**12), ("tpu-v5e", "peak_int8", 394 * 10**12),
        ("tpu-v5e", "bandwidth", 82 * 10**10), ("tpu-v5e", "bandwidth_2025", 81 * 10**10),
        ("tpu-v5e", "bandwidth_2026", 82 * 10**10), ("tpu-v5e", "bandwidth_gib", 800 * 2**30),
        ("tpu-v5e", "capacity", 16 * 2**30), ("h100-sxm", "peak_bf16", 9895 * 10**11),
        ("h100-sxm", "peak_bf16_sparse", 1979 * 10**12), ("h100-sxm", "peak_fp8", 1979 * 10**12),
        ("h100-sxm", "peak_fp8_sparse", 3958 * 10**12), ("h100-sxm", "bandwidth", 335 * 10**10),
        ("h100-sxm", "link_bandwidth", 9 * 10**11), ("h100-sxm", "capacity", 8 * 10**10),
        ("h100-sxm", "peak_2025", 10**15), ("h100-sxm", "peak_2026", 989 * 10**12),
        ("h100-sxm", "achieved", 7945 * 10**11), ("h100-sxm", "h100_pcie_peak_bf16", 756 * 10**12),
        ("h100-sxm", "h100_pcie_bandwidth", 2 * 10**12),
    ],
)  # fmt: skip
def test_rows_have_the_exact_published_values(name: str, row: str, value: int) -> None:
    assert accelerator(name).rows[row].value == value


@pytest.mark.parametrize("name", accelerators())
def test_every_accelerator_has_a_peak_a_bandwidth_and_a_capacity_in_units_with_sources(name: str) -> None:
    rows = accelerator(name).rows
    assert {"peak_bf16", "bandwidth", "capacity"} <= set(rows)
    for key, row in rows.items():
        assert row.source
        assert row.unit == unit_of(key)
        assert row.value > 0


def unit_of(row: str) -> str:
    if row == "capacity":
        return "byte"
    if "bandwidth" in row:
        return "byte/s"
    return "OP/s" if "int" in row else "FLOP/s"


def test_a_peak_with_sparsity_is_above_the_dense_one() -> None:
    ratios = {
        (name, key): row.value / rows[key.removesuffix("_sparse")].value
        for name in accelerators()
        for rows in [accelerator(name).rows]
        for key, row in rows.items()
        if key.endswith("_sparse") and key.removesuffix("_sparse") in rows
    }
    assert len(ratios) >= 12
    assert {place: ratio for place, ratio in ratios.items() if not Fraction(19, 10) < ratio < 4} == {}


@pytest.mark.parametrize(
    ("text", "value"),
    [("8.1e11", 810_000_000_000), ("16 * 2^30", 2**34), ("95*2^30", 95 * 2**30), ("0.5", Fraction(1, 2)),
     ("1.5e-3", Fraction(3, 2000)), (" 4096 ", 4096)],
)  # fmt: skip
def test_numbers_are_exact(text: str, value: Fraction) -> None:
    assert number(text) == value


@pytest.mark.parametrize("text", ["", "fast", "1/3", "-5", "2^30", "8,1e11", "nan", "1e", "0x10"])
def test_what_is_no_number_is_refused(text: str) -> None:
    with pytest.raises(ReferenceFault, match="is not a number"):
        number(text)


def test_an_unknown_accelerator_gets_a_suggestion() -> None:
    with pytest.raises(ReferenceFault, match="did you mean tpu-v5e"):
        accelerator("tpu_v5e")


def test_data_and_operations_do_not_need_sympy() -> None:
    code = (
        "import sys, reference; reference.accelerator('tpu-v5e'); reference.dtype('int8'); "
        "assert 'sympy' not in sys.modules; reference.model; assert 'sympy' in sys.modules"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0

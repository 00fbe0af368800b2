"""The roofline model of an operation on an accelerator."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType

import sympy

from reference.accelerators import Accelerator
from reference.accelerators import accelerator as find_accelerator
from reference.faults import ReferenceFault, one_of
from reference.graph import Expr, Formula, Model, crossing, formula, kind, leading_term, side, symbol
from reference.leading import read_regime
from reference.operation import Array, Operation, read_operation


def model(
    operation: Operation | str,
    accelerator: Accelerator | str,
    *,
    batch: str | None = "B",
    regime: str | None = None,
    parameters: Mapping[str, Formula] | None = None,
) -> Model:
    """The quantities of an operation on an accelerator.

    `batch` is the axis that crossings are solved for (None: there are no crossings); `regime` says which axes are long
    (without one, `leading` is the intensity itself); `parameters` sets quantities (peak, bandwidth ...), lengths of
    axes, and further rows such as `bandwidth_2026`. Raises ReferenceFault.
    """
    operation = read_operation(operation) if isinstance(operation, str) else operation
    machine = find_accelerator(accelerator) if isinstance(accelerator, str) else accelerator
    given = {name: formula(name, value) for name, value in (parameters or {}).items()}
    rows = {name: sympy.Rational(row.value) for name, row in machine.rows.items()}
    formulas: dict[str, Formula] = rows | _work(operation) | _traffic(operation) | _roofs(operation)
    if "peak" not in given:
        _check_peak(operation, machine)
    if regime is None:
        formulas["leading"] = symbol("intensity")
    else:
        _check_regime(regime, operation)
        formulas |= {"regime": regime, "leading": leading_term(symbol("intensity"))}
    if batch is not None:
        _check_batch(batch, operation)
        formulas |= _crossings(symbol(batch))
    _check_names(operation.axes, formulas)
    return _checked(Model(MappingProxyType(formulas | given), operation.axes))


def _work(operation: Operation) -> dict[str, Expr]:
    """Multiplications, and operations: a product that sums nothing up has no additions."""
    macs = _size(operation.axes)
    return {"macs": macs, "flops": (2 if operation.contracted else 1) * symbol("macs")}


def _traffic(operation: Operation) -> dict[str, Expr]:
    """Sizes in elements and bytes: each operand is loaded once, the result is written once."""
    formulas: dict[str, Expr] = {}
    for name, array in (("x", operation.x), ("y", operation.y), ("z", operation.z)):
        formulas |= _array(name, array)
    return formulas | {
        "bytes_loaded": symbol("x_bytes") + symbol("y_bytes"),
        "bytes_written": symbol("z_bytes"),
        "bytes_moved": symbol("bytes_loaded") + symbol("bytes_written"),
    }


def _array(name: str, array: Array) -> dict[str, Expr]:
    size, itemsize = symbol(f"{name}_size"), symbol(f"{name}_itemsize")
    return {
        f"{name}_size": _size(array.axes),
        f"{name}_itemsize": sympy.Rational(array.dtype.itemsize),
        f"{name}_bytes": size * itemsize,
    }


def _roofs(operation: Operation) -> dict[str, Expr]:
    """Intensity, ridge, times and throughput.

    `time_ratio` is T_math / T_comms to leading order: exactly, it would be the intensity over the ridge.
    """
    flops, moved, intensity = symbol("flops"), symbol("bytes_moved"), symbol("intensity")
    peak, bandwidth, ridge = symbol("peak"), symbol("bandwidth"), symbol("ridge")
    t_math, t_comms = symbol("t_math"), symbol("t_comms")
    return {
        "intensity": flops / moved,
        "peak": symbol(f"peak_{operation.compute_dtype.name}"),
        "ridge": peak / bandwidth,
        "t_math": flops / peak,
        "t_comms": moved / bandwidth,
        "t_lower": sympy.Max(t_math, t_comms),
        "t_upper": t_math + t_comms,
        "time_ratio": symbol("leading") / ridge,
        "attainable": sympy.Min(peak, intensity * bandwidth),
    }


def _crossings(batch: Expr) -> dict[str, Expr]:
    leading, intensity, ridge = symbol("leading"), symbol("intensity"), symbol("ridge")
    return {
        "critical_batch": crossing(leading, ridge, batch),
        "crossover": crossing(intensity, ridge, batch),
        "relation": side(leading, ridge, batch),
        "bound": kind(leading, ridge, batch),
    }


def _size(axes: Iterable[str]) -> Expr:
    return sympy.Mul(*map(symbol, axes))


def _check_peak(operation: Operation, machine: Accelerator) -> None:
    wanted = operation.compute_dtype.name
    if f"peak_{wanted}" not in machine.rows:
        known = [row.removeprefix("peak_") for row in machine.rows if row.startswith("peak_")]
        raise ReferenceFault(f"{machine.name} has no peak for {wanted} (it has {', '.join(known)}): set peak")


def _check_regime(regime: str, operation: Operation) -> None:
    names = [name for group in read_regime(regime).groups for name in group]
    if unknown := [name for name in names if name not in operation.axes]:
        raise ReferenceFault(f"the regime {regime!r} names {unknown[0]}: {one_of(unknown[0], operation.axes)}")


def _check_batch(batch: str, operation: Operation) -> None:
    if batch not in operation.axes:
        axes = ", ".join(operation.axes)
        raise ReferenceFault(f"the batch axis {batch} is none of the operation's: name one of {axes}, or none")


def _check_names(axes: Iterable[str], formulas: Mapping[str, Formula]) -> None:
    if clash := [axis for axis in axes if axis in formulas]:
        raise ReferenceFault(f"{clash[0]} is a quantity and can't name an axis")


def _checked(made: Model) -> Model:
    """The model, if every name in its formulas is its own; cycles show when it is solved."""
    if unknown := made.lacks(made.formulas):
        wrong = min(unknown)
        raise ReferenceFault(f"the model has no quantity {wrong}: {one_of(wrong, made.formulas)}")
    return made

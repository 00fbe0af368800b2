"""The roofline model: what an operation costs on an accelerator, as a graph of formulas that can be solved.

    >>> import reference
    >>> model = reference.model("int8[B, D] * int8[D, F] -> int8[B, F]", "tpu-v5e", regime="B << D, F")
    >>> model.solve("leading")
    2*B

`model`, `Model` and `NEVER` need sympy, which is imported when one of them is first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from reference.accelerators import Accelerator, Row, accelerator
from reference.faults import ReferenceFault
from reference.operation import Array, DType, Operation, dtype, read_operation

if TYPE_CHECKING:
    from reference.crossing import NEVER
    from reference.graph import Model
    from reference.roofline import model

__all__ = [
    "NEVER", "Accelerator", "Array", "DType", "Model", "Operation", "ReferenceFault", "Row", "accelerator", "dtype",
    "model", "read_operation",
]  # fmt: skip

_HOMES = {"model": "roofline", "Model": "graph", "NEVER": "crossing"}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'reference' has no attribute {name!r}")
    return getattr(import_module(f"reference.{_HOMES[name]}"), name)

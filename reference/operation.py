"""An operation on arrays, as the book writes it: `bfloat16[B, D] * int8[D, F] -> bfloat16[B, F]`."""

import re
from dataclasses import dataclass
from fractions import Fraction

from reference.faults import ReferenceFault, one_of

_FLOATS = {"fp4": 4, "fp8": 8, "fp16": 16, "bf16": 16, "fp32": 32, "fp64": 64}
_INTEGERS = {"int4": 4, "int8": 8, "int16": 16, "int32": 32}
_BITS = _FLOATS | _INTEGERS
_ALIASES = {
    "bfloat16": "bf16", "half": "fp16", "e4m3": "fp8", "e5m2": "fp8",
    **{f"{prefix}{bits}": f"fp{bits}" for prefix in ("float", "f") for bits in (4, 8, 16, 32, 64)},
    **{f"{prefix}{bits}": f"int{bits}" for prefix in ("uint", "s", "u", "i") for bits in (4, 8, 16, 32)},
}  # fmt: skip

_ARRAY = re.compile(r"\s*(\w+)\s*\[([^\[\]]*)\]\s*")
_PRODUCT = re.compile(r"[*·⋅]\s*(?:_\s*(?:\{([^{}]*)\}|(\w+?))(?=\s|\w+\s*\[))?")
_AXIS = re.compile(r"[A-Za-z][A-Za-z0-9]*(_[A-Za-z0-9]+)*")
_EXAMPLE = "write it like int8[B, D] * int8[D, F] -> int8[B, F]"


@dataclass(frozen=True, slots=True)
class DType:
    """A number format; `name` is its short name (`bfloat16` is `bf16`)."""

    name: str

    @property
    def bits(self) -> int:
        """Bits per element."""
        return _BITS[self.name]

    @property
    def itemsize(self) -> Fraction:
        """Bytes per element; half a byte for a 4-bit format."""
        return Fraction(self.bits, 8)

    @property
    def is_float(self) -> bool:
        """Whether it is a floating point format."""
        return self.name in _FLOATS


@dataclass(frozen=True, slots=True)
class Array:
    """An array: its dtype and its axes in order; a scalar has none."""

    dtype: DType
    axes: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.dtype.name}[{', '.join(self.axes)}]"


@dataclass(frozen=True, slots=True)
class Operation:
    """A product x * y -> z of two arrays, summed over the axes that z lacks.

    An axis is an array's at most once; z has no axis of its own; an axis that z lacks is in both x and y. Anything else
    raises ReferenceFault.
    """

    x: Array
    y: Array
    z: Array

    def __post_init__(self) -> None:
        for array in (self.x, self.y, self.z):
            if twice := [axis for axis in array.axes if array.axes.count(axis) > 1]:
                raise ReferenceFault(f"{array} has the axis {twice[0]} twice: give each axis a name of its own")
        for axis in self.z.axes:
            if axis not in self.axes:
                raise ReferenceFault(f"the result {self.z} has an axis {axis} that neither operand has")
        for axis in self.contracted:
            if axis not in self.x.axes or axis not in self.y.axes:
                raise ReferenceFault(
                    f"the axis {axis} is in one operand only, so it can't be contracted: keep it in the result"
                )

    @property
    def axes(self) -> tuple[str, ...]:
        """The distinct axes of the operands, in order of appearance: the loops of the naive program."""
        return tuple(dict.fromkeys(self.x.axes + self.y.axes))

    @property
    def contracted(self) -> tuple[str, ...]:
        """The axes that are summed over."""
        return tuple(axis for axis in self.axes if axis not in self.z.axes)

    @property
    def compute_dtype(self) -> DType:
        """The format in which the product is computed: the widest operand's, a float before an integer as wide."""
        return max(self.x.dtype, self.y.dtype, key=lambda dtype: (dtype.bits, dtype.is_float))

    def __str__(self) -> str:
        return f"{self.x} * {self.y} -> {self.z}"


def dtype(name: str) -> DType:
    """The number format of that name: bf16, bfloat16, fp8, float32, int4 ...; ReferenceFault if there is none."""
    short = _ALIASES.get(name.lower(), name.lower())
    if short not in _BITS:
        raise ReferenceFault(f"unknown dtype {name!r}: {one_of(short, [*_BITS, *_ALIASES])}")
    return DType(short)


def read_operation(text: str) -> Operation:
    """The operation that a text such as `int8[B, D] *_D int8[B, D, F] -> int8[B, F]` describes.

    The product is `*` or a raised dot; the contracted axes may be named below it, and then must agree with the axes
    that the result lacks. The arrow is `->` or `→`. Raises ReferenceFault.
    """
    operands, arrow, result = text.replace("→", "->").partition("->")
    if not arrow:
        raise ReferenceFault(f"no arrow in {text!r}: {_EXAMPLE}")
    x, rest = _array(operands)
    product = _PRODUCT.match(rest)
    if product is None:
        raise ReferenceFault(f"no product after {x} in {text!r}: {_EXAMPLE}")
    y, after = _array(rest[product.end() :])
    z, end = _array(result)
    if after or end:
        raise ReferenceFault(f"can't read {after or end!r} in {text!r}: {_EXAMPLE}")
    operation = Operation(x, y, z)
    _check_subscript(product[1] or product[2], operation)
    return operation


def _array(text: str) -> tuple[Array, str]:
    """The array at the start of the text, and what follows it."""
    found = _ARRAY.match(text)
    if found is None:
        raise ReferenceFault(f"no array such as int8[B, D] at {text.strip()!r}: {_EXAMPLE}")
    return Array(dtype(found[1]), _axes(found[2])), text[found.end() :]


def _axes(text: str) -> tuple[str, ...]:
    names = tuple(name.strip() for name in text.split(",")) if text.strip() else ()
    for name in names:
        if not _AXIS.fullmatch(name):
            raise ReferenceFault(f"{name!r} can't name an axis: use letters and digits, such as B or d_model")
    return names


def _check_subscript(subscript: str | None, operation: Operation) -> None:
    if subscript is not None and set(_axes(subscript)) != set(operation.contracted):
        lacking = ", ".join(operation.contracted) or "none"
        raise ReferenceFault(f"the product names {subscript} as contracted, but the result lacks {lacking}")

"""Accelerators: peaks, bandwidths and capacities, each with its source, read from accelerators.yaml."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any

import yaml

from reference.faults import ReferenceFault, one_of

_NUMBER = re.compile(r"\d+(\.\d+)?(e[+-]?\d+)?")
_BINARY = re.compile(r"(?P<factor>[^*]+)\*\s*2\^(?P<exponent>\d+)")


@dataclass(frozen=True, slots=True)
class Row:
    """One number of a data sheet: its exact value in `unit`, where it stands, and what to know about it."""

    value: Fraction
    unit: str
    source: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Accelerator:
    """One accelerator as a program sees it (`per` says what that is). Rows are dense peaks unless named `_sparse`."""

    id: str
    name: str
    per: str
    rows: Mapping[str, Row]


class _TextLoader(yaml.SafeLoader):
    """Reads every scalar as text, so that 8.1e11 stays exact (YAML 1.1 makes a string or a float of it)."""

    yaml_implicit_resolvers: dict[str, list[tuple[str, re.Pattern[str]]]] = {}  # noqa: RUF012  (PyYAML's own attribute)


def number(text: str) -> Fraction:
    """The exact value of a plain number, or of one times a power of two: `8.1e11`, `800 * 2^30`.

    Raises ReferenceFault.
    """
    binary = _BINARY.fullmatch(text.strip())
    plain, scale = (binary["factor"].strip(), 2 ** int(binary["exponent"])) if binary else (text.strip(), 1)
    if not _NUMBER.fullmatch(plain):
        raise ReferenceFault(f"{text!r} is not a number: write it like 8.1e11 or 800 * 2^30")
    return Fraction(plain) * scale


@cache
def accelerators() -> Mapping[str, Accelerator]:
    """All accelerators by id."""
    text = files("reference").joinpath("accelerators.yaml").read_text(encoding="utf-8")
    loader = _TextLoader(text)
    try:
        data = loader.get_single_data()
    finally:
        loader.dispose()
    return MappingProxyType({key: _accelerator(key, entry) for key, entry in data["accelerators"].items()})


def accelerator(name: str) -> Accelerator:
    """The accelerator of that id, such as `tpu-v5e`; ReferenceFault if there is none."""
    known = accelerators()
    if name not in known:
        raise ReferenceFault(f"unknown accelerator {name!r}: {one_of(name, known)}")
    return known[name]


def _accelerator(key: str, entry: Mapping[str, Any]) -> Accelerator:
    rows = {
        name: Row(number(row["value"]), row["unit"], row["source"], row.get("note", ""))
        for name, row in entry["rows"].items()
    }
    return Accelerator(key, entry["name"], entry["per"], MappingProxyType(rows))

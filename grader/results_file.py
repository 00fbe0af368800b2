"""Reads `results.json` back: what `grader.results.to_json` wrote, as the same values."""

import json
import types
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any, Union, get_args, get_origin, get_type_hints

from grader.errors import GraderError
from grader.results import SCHEMA, Gradebook


class ResultsError(GraderError):
    """A file of results can't be read; what to do about it is said."""


def read_results(path: Path) -> Gradebook:
    """The results in a file; names that this version doesn't know are passed over. ResultsError if they aren't such."""
    try:
        data = json.loads(path.read_bytes())
    except (ValueError, RecursionError):
        raise ResultsError(f"{path}: this is no JSON; name a folder of grader grade -o, or its results.json") from None
    if not isinstance(data, dict) or "results" not in data:
        raise ResultsError(f"{path}: these are no results of the grader; name the results.json of grader grade -o")
    if data.get("schema", SCHEMA) != SCHEMA:
        raise ResultsError(f"{path}: results of schema {data['schema']!r}; this grader reads {SCHEMA}")
    try:
        book: Gradebook = _made(Gradebook, data)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise ResultsError(f"{path}: these results are damaged ({error}); grade again to make them anew") from None
    return book


def _made(kind: Any, data: Any) -> Any:
    """The value of this type that the JSON data stands for; one of ValueError, TypeError, KeyError if it is none."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        return None if data is None else _made(next(one for one in inner if one is not type(None)), data)
    if origin is tuple:
        each = inner[:1] * len(data) if inner[-1] is Ellipsis else inner
        return tuple(_made(one, item) for one, item in zip(each, _list(data), strict=True))
    if is_dataclass(kind):
        return _value(kind, data)
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        return kind(data)
    if kind is float and type(data) in (int, float):
        return float(data)
    if not isinstance(data, kind) or (kind is int and isinstance(data, bool)):
        raise ValueError(f"{data!r:.40} where a value of the kind {kind.__name__} is expected")
    return data


def _list(data: Any) -> list[Any]:
    if not isinstance(data, list):
        raise ValueError(f"{data!r:.40} where a list is expected")
    return data


def _value(kind: Any, data: Mapping[str, Any]) -> Any:
    types_ = _types(kind)
    return kind(**{name: _made(types_[name], item) for name, item in data.items() if name in types_})


@cache
def _types(kind: Any) -> Mapping[str, Any]:
    hints = get_type_hints(kind)
    return {field.name: hints[field.name] for field in fields(kind)}

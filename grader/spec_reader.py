"""Reading the files that authors write: strict models, and every fault at once as `file:line: field: what`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, PrivateAttr, ValidationError, ValidationInfo, model_validator
from pydantic_core import ErrorDetails

from grader import yamltree
from grader.errors import Fault, SpecError, SubmissionError, did_you_mean
from grader.files import read_text, shown
from grader.values import frozen

LIMIT = 1024 * 1024  # bytes
MOST_EVENTS = 40_000


@frozen
class Place:
    """Where a spec was read; `lines` gives the line of each field by its path ("parts.0.solution"). All places are
    equal, so that two specs which say the same are equal wherever they stand."""

    file: str = field(default="", compare=False)
    lines: Mapping[str, int] = field(default_factory=dict, compare=False)


class Spec(BaseModel):
    """Base of everything that authors write. Keys are checked, nothing is coerced, values are frozen."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, populate_by_name=False)

    _place: Place = PrivateAttr(default_factory=Place)

    @property
    def source_file(self) -> str:
        """The file that was read, as it was given."""
        return self._place.file

    @property
    def lines(self) -> Mapping[str, int]:
        """The line of each field, by path ("parts.0.solution")."""
        return self._place.lines

    def fault(self, path: str, what: str) -> Fault:
        """A fault in the field at `path`, with the line of the field or of what it should be in."""
        return Fault(self._place.file, _line(self._place.lines, path), path, what)

    def problems(self) -> Iterable[tuple[str, str]]:
        """What is wrong between fields, as pairs of path and text; asked of the root once all fields are valid."""
        return ()

    @model_validator(mode="before")
    @classmethod
    def _remember_keys(cls, data: Any, info: ValidationInfo) -> Any:
        if isinstance(info.context, dict):
            info.context[id(data)] = [f.alias or name for name, f in cls.model_fields.items()]
        return data


S = TypeVar("S", bound=Spec)


def read_spec(path: Path, model: type[S]) -> S:
    """The spec in a YAML file; SpecError with all faults if it isn't one."""
    file = shown(str(path))
    try:
        text = read_text(path, file, LIMIT)
    except SubmissionError as error:
        raise SpecError([error.fault]) from None
    tree = yamltree.read_yaml(text, file, MOST_EVENTS)
    faults = list(tree.faults)
    if not isinstance(tree.root, yamltree.Mapping):
        raise SpecError(faults or [Fault(file, 1, "", "a mapping of keys is expected")])
    lines: dict[str, int] = {}
    data = _plain(tree.root, "", lines)
    known: dict[int, list[str]] = {}
    try:
        spec = model.model_validate(data, context=known)
    except ValidationError as error:
        faults += _faults(error, data, known, Place(file, lines))
    else:
        spec._place = Place(file, lines)
        faults += [spec.fault(where, what) for where, what in spec.problems()]
        if not faults:
            return spec
    raise SpecError(sorted(dict.fromkeys(faults), key=lambda fault: fault.line or 0))


def _plain(node: yamltree.Node, path: str, lines: dict[str, int]) -> Any:
    """The node as texts, dicts and tuples; notes the line of everything in it."""
    lines.setdefault(path, node.line or 1)
    if isinstance(node, yamltree.Text):
        return node.value
    if isinstance(node, yamltree.Sequence):
        return tuple(_plain(item, _joined(path, i), lines) for i, item in enumerate(node.items))
    data: dict[str, Any] = {}
    for entry in node.entries:
        lines[_joined(path, entry.key)] = entry.line or 1
        data.setdefault(entry.key, _plain(entry.value, _joined(path, entry.key), lines))
    return data


def _joined(path: str, key: str | int) -> str:
    return f"{path}.{key}" if path else str(key)


def _line(lines: Mapping[str, int], path: str) -> int | None:
    while path and path not in lines:
        path = path.rpartition(".")[0]
    return lines.get(path)


# --- pydantic's errors in plain words ---------------------------------------------------------------------------------

_EXPECTED = {
    "string_type": "a text is expected",
    "dict_type": "a mapping is expected",
    "model_type": "a mapping is expected",
    "model_attributes_type": "a mapping is expected",
    "tuple_type": "a list is expected",
    "missing": "missing",
}


def _faults(error: ValidationError, data: Any, known: Mapping[int, list[str]], place: Place) -> Iterator[Fault]:
    for detail in error.errors(include_url=False):
        path, parent = _walked(detail["loc"], data)
        yield Fault(place.file, _line(place.lines, path), path, _what(detail, known.get(id(parent), [])))


def _walked(location: tuple[int | str, ...], data: Any) -> tuple[str, Any]:
    """The path in the file, and the last mapping on the way; names that pydantic adds (union members) drop out."""
    path, node, parent = "", data, data
    for number, step in enumerate(location):
        last = number == len(location) - 1
        inside = (isinstance(node, dict) and (step in node or (last and step != "[key]"))) or (
            isinstance(node, tuple) and isinstance(step, int) and step < len(node)
        )
        if inside:
            path, parent = _joined(path, step), node
            node = node.get(step) if isinstance(node, dict) else node[step]
    return path, parent


def _what(detail: ErrorDetails, known: list[str]) -> str:
    kind, given, context = detail["type"], detail["input"], detail.get("ctx", {})
    if kind == "extra_forbidden":
        return "unknown key" + suggestion(str(detail["loc"][-1]), known)
    if kind in ("literal_error", "enum"):
        options = re.findall(r"'([^']*)'", str(context["expected"]))
        return f"{given!r} is not known" + suggestion(str(given), options)
    if kind == "value_error":
        return str(context["error"])
    if kind == "union_tag_invalid":
        tags = re.findall(r"'([^']*)'", str(context["expected_tags"]))
        return " or ".join(f"a {tag}" for tag in tags) + " is expected"
    what = _EXPECTED.get(kind, "not valid here")
    return what if kind == "missing" else f"{what}, not {_kind(given)}"


def _kind(value: Any) -> str:
    return "a mapping" if isinstance(value, dict) else "a list" if isinstance(value, tuple) else f"the text {value!r}"


def suggestion(name: str, options: Iterable[str]) -> str:
    """ "; did you mean ...?" where an option is close, else what there is."""
    options = list(options)
    close = did_you_mean(name, options)
    return f"; did you mean {close}?" if close else "; there is " + ", ".join(options) if options else ""

"""The results of parts as texts, for the store and between processes: what is as usual is left out."""

import json
from collections.abc import Mapping
from dataclasses import MISSING, fields
from functools import cache
from hashlib import blake2b
from json.encoder import encode_basestring_ascii
from typing import Any

from grader.results import Explanation, NumberLine, PartResult, Plot, Relation, Series, Verdict, to_json
from grader.values import frozen

Json = Mapping[str, Any]
_OF_THE_SUBMISSION = ("line", "override")  # and not of the answer


@frozen(kw_only=True)
class Record:
    """One result of one part, shared by all who gave that answer after the same earlier ones.

    `data` is the whole result as JSON, but for its line; `digest` tells records apart.
    """

    exercise: str
    part: str
    verdict: str
    points: int
    max_points: int
    response: str
    read_as: str | None
    ratio: str | None
    cluster: str | None
    mistakes: tuple[str, ...]
    data: str

    @property
    def digest(self) -> str:
        """What tells it from all others."""
        return blake2b(f"{self.exercise}\0{self.data}".encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def record(exercise: str, part: PartResult) -> Record:
    """The record of a part's result."""
    usual = _usual()
    given = {name: getattr(part, name) for name in usual}
    data = {name: to_json(value) for name, value in given.items() if value != usual[name]}
    return Record(
        exercise=exercise,
        part=part.id,
        verdict=str(part.verdict),
        points=part.points or 0,
        max_points=part.max_points,
        response=part.response,
        read_as=part.read_as,
        ratio=part.ratio,
        cluster=part.cluster,
        mistakes=part.mistakes,
        data=json.dumps(data, separators=(",", ":"), ensure_ascii=True, allow_nan=False),
    )


def part_result(data: str) -> PartResult:
    """The result that a record's `data` stands for, without its line."""
    found: dict[str, Any] = json.loads(data)
    return PartResult(**{name: _MADE.get(name, _plain)(value) for name, value in found.items()})


def full_text(data: str) -> str:
    """The JSON of the result that a record's `data` stands for, as `results.json` has it: with all its fields."""
    found = json.loads(data)
    return indented({name: found.get(name, usual) for name, usual in _all_fields().items()})


def indented(value: Any, depth: int = 0) -> str:
    """JSON data as `json.dumps(value, indent=1)` writes it, in less time."""
    if isinstance(value, str):
        return encode_basestring_ascii(value)
    if not value or not isinstance(value, list | dict):
        return json.dumps(value)
    inside, after = "\n" + " " * (depth + 1), "\n" + " " * depth
    if isinstance(value, list):
        return "[" + ",".join([inside + indented(item, depth + 1) for item in value]) + after + "]"
    items = [f"{inside}{encode_basestring_ascii(name)}: {indented(item, depth + 1)}" for name, item in value.items()]
    return "{" + ",".join(items) + after + "}"


@cache
def _all_fields() -> Mapping[str, Any]:
    """Every field of a part's result with what it is where nothing was said, as JSON data."""
    return {f.name: None if f.default is MISSING else to_json(f.default) for f in fields(PartResult)}


@cache
def _usual() -> Mapping[str, Any]:
    """What each field is where nothing was said; `MISSING` where something always is."""
    return {f.name: f.default if f.default is not MISSING else MISSING for f in _kept()}


def _kept() -> list[Any]:
    return [f for f in fields(PartResult) if f.name not in _OF_THE_SUBMISSION]


def _plain(value: Any) -> Any:
    return tuple(map(_plain, value)) if isinstance(value, list) else value


def _explanation(data: Json) -> Explanation:
    return Explanation(**{name: _plain(value) for name, value in data.items()})


def _plot(data: Json) -> Plot:
    series = tuple(Series(**{**one, "points": _plain(one["points"])}) for one in data["series"])
    return Plot(x_label=data["x_label"], y_label=data["y_label"], series=series)


_MADE: Mapping[str, Any] = {
    "verdict": Verdict,
    "relation": Relation,
    "explanations": lambda items: tuple(map(_explanation, items)),
    "plot": _plot,
    "number_line": lambda data: NumberLine(**{name: _plain(value) for name, value in data.items()}),
}

"""JSON Schemas of all that people and programs write, so that editors can complete and check."""

from collections.abc import Callable
from typing import Any

_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_SCALAR = {"type": ["string", "number", "null"]}


def json_schema(what: str) -> dict[str, Any]:
    """The schema of an "exercise", "course", "mistakes" or "submission" file, or of the "result"; KeyError otherwise.

    Answer types and checks are listed as they are found, so a new one shows up by itself.
    """
    return {"$schema": _DIALECT, **_SCHEMAS[what]()}


def _exercise() -> dict[str, Any]:
    from grader.exercise import Exercise

    return Exercise.model_json_schema()


def _course() -> dict[str, Any]:
    from grader.exercise import CourseFile

    return CourseFile.model_json_schema()


def _mistakes() -> dict[str, Any]:
    from grader.exercise import Mistakes

    return Mistakes.model_json_schema()


def _submission() -> dict[str, Any]:
    parts = {"type": ["object", "null"], "additionalProperties": _SCALAR, "description": "part: answer"}
    return {
        "title": "Submission",
        "type": "object",
        "properties": {
            "student": _SCALAR,
            "answers": {"type": "object", "additionalProperties": parts, "description": "exercise: parts"},
        },
        "additionalProperties": parts,
    }


def _result() -> dict[str, Any]:
    from pydantic import TypeAdapter

    from grader.results import Gradebook

    return TypeAdapter(Gradebook).json_schema(mode="serialization")


_SCHEMAS: dict[str, Callable[[], dict[str, Any]]] = {
    "exercise": _exercise,
    "course": _course,
    "mistakes": _mistakes,
    "submission": _submission,
    "result": _result,
}

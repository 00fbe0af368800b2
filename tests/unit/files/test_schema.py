"""Schemas let editors complete and check; they list what there is."""

import json
from typing import Any

import pytest

from grader.plugins import tags
from grader.results import Gradebook, Result, Status, to_json
from grader.schema import json_schema

KINDS = ["exercise", "course", "mistakes", "submission", "result"]


@pytest.mark.parametrize("what", KINDS)
def test_every_schema_is_plain_json_with_its_dialect(what: str) -> None:
    schema = json_schema(what)
    assert json.loads(json.dumps(schema)) == schema
    assert schema["$schema"].endswith("2020-12/schema")


@pytest.mark.parametrize("what", ["exercise", "course", "mistakes"])
def test_unknown_keys_are_refused_by_the_schemas_of_specs(what: str) -> None:
    schema = json_schema(what)
    models = [schema, *(model for model in schema.get("$defs", {}).values() if "properties" in model)]
    assert all(model["additionalProperties"] is False for model in models)


def test_answer_types_and_checks_are_those_that_there_are() -> None:
    schema = json_schema("exercise")
    assert schema["$defs"]["Answer"]["properties"]["type"]["enum"] == list(tags("answers"))
    simple, mapping = schema["$defs"]["Part"]["properties"]["check"]["anyOf"]
    assert simple["enum"] == list(tags("checks"))
    assert "rel" in mapping["properties"]["close"]["properties"]


def test_keys_are_those_that_authors_write() -> None:
    definitions = json_schema("exercise")["$defs"]
    assert {"from", "to", "x", "y"} <= set(definitions["Answer"]["properties"])
    assert {"in", "covers", "change"} <= set(definitions["Mistake"]["properties"])
    assert not [key for model in definitions.values() for key in model.get("properties", {}) if key.startswith("_")]


def test_a_single_change_needs_no_list() -> None:
    change = json_schema("mistakes")["$defs"]["Mistake"]["properties"]["change"]
    assert {member.get("type") for member in change["anyOf"]} == {"object", "array"}


def test_the_schema_of_the_result_has_the_fields_of_the_result() -> None:
    schema = json_schema("result")
    data: dict[str, Any] = to_json(
        Gradebook(course="c", grader="1", results=(Result(student="s", source="f", status=Status.GRADED),))
    )
    assert set(schema["properties"]) == set(data)
    assert set(schema["$defs"]["Result"]["properties"]) == set(data["results"][0])
    assert schema["$defs"]["Status"]["enum"] == [str(status) for status in Status]


def test_there_is_no_schema_of_anything_else() -> None:
    with pytest.raises(KeyError):
        json_schema("grades")

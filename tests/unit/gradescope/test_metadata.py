"""What Gradescope tells of a submission, and what is made of it where it is broken."""

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grader.gradescope.metadata import Metadata, Person, read_metadata

FIELDS: dict[str, Any] = {
    "id": 7,
    "created_at": "2026-10-02T02:14:41.365935-07:00",
    "assignment": {"due_date": "2026-10-03T23:00:00-07:00", "late_due_date": None, "total_points": "12.0"},
    "users": [{"email": "ada@example.org", "id": 42, "name": "Ada"}, {"sid": "007", "email": "", "id": 43}],
    "previous_submissions": [{"score": 4.0, "results": {"tests": []}}],
}


def read(folder: Path, data: Any) -> Metadata:
    path = folder / "submission_metadata.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    return read_metadata(path)


def test_time_people_and_points_are_read(tmp_path: Path) -> None:
    assert read(tmp_path, FIELDS) == Metadata(
        created="2026-10-02T02:14:41.365935-07:00",
        people=(
            Person(ids=("ada@example.org", "42"), name="Ada"),
            Person(ids=("007", "43")),
        ),
        due="2026-10-03T23:00:00-07:00",
        points=Decimal(12),
    )


def test_the_late_due_date_is_what_results_wait_for(tmp_path: Path) -> None:
    late = {**FIELDS["assignment"], "late_due_date": "2026-10-05T23:00:00Z"}
    assert read(tmp_path, {**FIELDS, "assignment": late}).due == "2026-10-05T23:00:00+00:00"


@pytest.mark.parametrize("content", [None, "", "{", "[" * 100_000, "\x00"])
def test_metadata_that_are_missing_or_broken_are_told_in_one_note(tmp_path: Path, content: str | None) -> None:
    path = tmp_path / "submission_metadata.json"
    if content is not None:
        path.write_text(content, encoding="utf-8")
    found = read_metadata(path)
    (note,) = found.notes
    assert note.startswith("submission_metadata.json: ")
    assert found == Metadata(notes=(note,))


ANY = st.recursive(st.none() | st.booleans() | st.integers() | st.floats() | st.text(), lambda inner: (
    st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from([*FIELDS, "sid", "email", "due_date"]), inner)
), max_leaves=8)  # fmt: skip


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.fixed_dictionaries({}, optional=dict.fromkeys(FIELDS, ANY)) | ANY)
def test_whatever_the_metadata_are_they_can_be_read(tmp_path: Path, data: Any) -> None:
    found = read(tmp_path, data)
    assert bool(found.created and found.people) == (not found.notes)

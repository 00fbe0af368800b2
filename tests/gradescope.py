"""What the documentation of Gradescope's results.json asks for."""

from typing import Any

_FORMATS = {"text", "html", "simple_format", "md", "ansi"}
_VISIBILITIES = {"visible", "hidden", "after_due_date", "after_published"}
_TOP = {
    "score", "execution_time", "output", "output_format", "test_output_format", "test_name_format", "visibility",
    "stdout_visibility", "extra_data", "tests", "leaderboard",
}  # fmt: skip
_TEST = {
    "score", "max_score", "status", "name", "name_format", "number", "output", "output_format", "tags", "visibility",
    "extra_data",
}  # fmt: skip


def valid(data: Any, points: int) -> dict[str, Any]:
    """The results, which keep the rules and add up to what the assignment is worth."""
    assert set(data) <= _TOP
    assert {data["output_format"], data["test_output_format"], data["test_name_format"]} <= _FORMATS
    assert {data["visibility"], data["stdout_visibility"]} <= _VISIBILITIES
    assert type(data["score"]) is int
    assert "leaderboard" not in data
    for test in data["tests"]:
        _valid(test)
    assert sum(test.get("max_score", 0) for test in data["tests"]) == points
    found: dict[str, Any] = data
    return found


def _valid(test: Any) -> None:
    assert set(test) <= _TEST
    assert test.get("output_format", "md") in _FORMATS
    assert test["visibility"] in _VISIBILITIES
    assert test.get("status", "passed") in {"passed", "failed"}
    assert isinstance(test["name"], str)
    assert isinstance(test["output"], str)
    assert all(isinstance(tag, str) for tag in test.get("tags", []))
    if "score" in test:
        assert 0 <= test["score"] <= test["max_score"]


def shown(data: Any) -> list[dict[str, Any]]:
    """The tests that a student sees at once."""
    return [test for test in data["tests"] if test["visibility"] == "visible"]


def total_is_shown(data: Any) -> bool:
    """Whether students see the total: a single hidden test hides it."""
    return {test["visibility"] for test in data["tests"]} <= {"visible"}

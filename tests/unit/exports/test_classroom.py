"""The result that GitHub Classroom's reporter reads, and Classroom 50's: the same points wherever they are shown."""

import io
import json
from typing import Any
from zipfile import ZipFile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.exports.classroom50 import Handed
from grader.exports.classroom50 import results as results50
from grader.exports.options import Options
from grader.gradebook import Row
from grader.results import Reveal, Status, Verdict
from grader.reveal import student_view
from tests.actions import commands, refused_by_classroom50, reported
from tests.unit.exports.made import CLASS, HOSTILE, OUTLINE, answered, of, part, row, ungraded, written

HANDED = Handed(
    classroom="mlsys-f26", assignment="rooflines-1", assignment_type="individual", owner="ada-example",
    submission="submit/2026-10-02T09-15-00Z-0a1b2c3", commit="https://example.org/c", release="https://example.org/r",
    review="https://example.org/v", datetime="2026-10-02T09:14:41Z", graded_at="2026-10-02T09:16:03Z",
)  # fmt: skip


def classroom(row: Row, **options: Any) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(written("classroom", [row], **options))
    return found


def fifty(row: Row, level: Reveal = Reveal.MISTAKE) -> dict[str, Any]:
    found = results50(row, OUTLINE, Options(view=lambda result: student_view(result, level)), HANDED)
    assert refused_by_classroom50(found) == ""
    return json.loads(json.dumps(found))  # type: ignore[no-any-return]


points = st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 4))


@given(points, st.sampled_from([None, *Verdict]), st.integers(0, 12))
def test_the_reporters_table_and_annotation_show_the_total(
    earned: tuple[int, int, int], verdict: Verdict | None, late: int
) -> None:
    late = min(late, sum(earned))
    asked = (("flops", 3), ("bytes", 3), ("ridge", 4))
    found = of(
        "s1", *(part(name, p, most, verdict) for (name, most), p in zip(asked, earned, strict=True)), late=late, days=1
    )
    total = sum(earned) - late
    table, annotation, most = reported(classroom(found))
    assert (round(table, 9), annotation, most) == (total, total, 10)
    assert classroom(found)["status"] == ("pass" if total == 10 else "fail")
    assert fifty(found)["score"] == sum(earned), "Classroom 50 tells lateness itself"


def test_a_part_is_a_test_for_each_point_and_the_first_that_fails_says_why() -> None:
    tests = classroom(of("s1", part("flops", 1, 3, message="off by two"), part("bytes", 3, 3), part("ridge", 0, 4)))[
        "tests"
    ]
    assert [test["name"] for test in tests[:4]] == [
        *(f"q1 Operations ({n}/3)" for n in (1, 2, 3)),
        "q1 Bytes moved (1/3)",
    ]
    assert [test["message"] for test in tests[:3]] == [None, "off by two", None]


@pytest.mark.parametrize("status", [status for status in Status if status != Status.GRADED])
def test_what_was_not_graded_has_one_test_that_says_why(status: Status) -> None:
    found = classroom(ungraded("s1", status, message="line 7: unfinished"))
    (test,) = found["tests"]
    expected = "error" if status == Status.FAILED else "fail"
    assert (found["status"], test["status"], test["message"]) == (expected, expected, "line 7: unfinished")
    assert reported(found) == (0, 0, 10)


def test_hidden_points_are_nowhere() -> None:
    hidden = of(
        "s1",
        part("flops", 2, 3),
        part("bytes", 0, 3, Verdict.INVALID, message="a bracket is open"),
        part("ridge", 4, 4),
    )
    found = classroom(hidden, view=lambda result: student_view(result, Reveal.NONE))
    assert reported(found) == (0, 0, 0)
    assert [test["status"] for test in found["tests"]] == ["pass", "fail", "pass"]
    there = fifty(hidden, Reveal.NONE)
    assert (there["score"], there["max-score"]) == (0, 0)
    assert [test["passed"] for test in there["tests"]] == [True, False, True]


@pytest.mark.parametrize("text", HOSTILE)
def test_no_text_gets_out_of_its_place(text: str) -> None:
    found = classroom(answered("s1", text))
    assert reported(found)[:2] == (5, 5)
    for shown in (found, fifty(answered("s1", text))):
        for test in shown["tests"]:
            for value in filter(None, (test.get("name"), test.get("test-name"), test.get("message"))):
                assert value.isprintable()
                assert commands(value) == []
                assert len(value) < 12_000


def test_several_students_have_a_result_each_in_a_zip() -> None:
    with ZipFile(io.BytesIO(written("classroom", CLASS))) as archive:
        scores = {name: reported(json.loads(archive.read(name)))[1:] for name in archive.namelist()}
    assert list(scores.values()) == [(7, 10), (3, 10), (0, 10), (0, 10)]
    assert next(iter(scores)) == "000001-0429/result.json"


def test_a_named_mistake_and_the_verdict_are_beside_each_part_of_classroom_50() -> None:
    first, second, third = fifty(
        of(
            "s1",
            part("flops", 0, 3, mistakes=("batch-twice",)),
            part("bytes", 3, 3, Verdict.INCORRECT),
            part("ridge", 4, 4),
        )
    )["tests"]
    assert (first["mistake"], first["verdict"], first["passed"]) == ("batch-twice", "incorrect", False)
    assert (second["verdict"], second["passed"]) == ("incorrect", True), "it earned all points by following"
    assert "mistake" not in third


def test_fractions_are_refused_by_the_rules_that_the_tests_apply() -> None:
    good = fifty(row("s1", 3, 2, 0))
    halves = [{**test, "score": test["score"] - 0.5} for test in good["tests"][:1]] + good["tests"][1:]
    assert refused_by_classroom50({**good, "score": 4.5, "tests": halves}) == "scores"
    assert refused_by_classroom50({**good, "score": 6}) == "sum"
    assert refused_by_classroom50({**good, "submission": "v1"}) == "tag"
    assert refused_by_classroom50({**good, "extra": 1}) == "keys"
    assert refused_by_classroom50({**good, "datetime": "2026-10-02T09:14:41+00:00"}) == "times"

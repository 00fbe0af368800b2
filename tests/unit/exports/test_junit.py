"""JUnit XML."""

import xml.etree.ElementTree as ET
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.results import Explanation, Reveal, Status, Verdict
from grader.reveal import student_view
from tests.unit.exports.made import CLASS, HOSTILE, answered, of, part, row, ungraded, written


def suites(rows: Any, **options: Any) -> list[ET.Element]:
    root = ET.fromstring(written("junit", rows, **options))
    assert (root.tag, root.get("name")) == ("testsuites", "rooflines")
    found = list(root)
    for suite in found:
        cases = suite.findall("testcase")
        assert int(suite.attrib["tests"]) == len(cases)
        for count, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            assert int(suite.attrib[count]) == len(suite.findall(f"testcase/{tag}"))
    return found


def properties(element: ET.Element) -> dict[str, str]:
    return {p.attrib["name"]: p.attrib["value"] for p in element.findall("properties/property")}


def outcome(case: ET.Element) -> tuple[str, str | None, str | None]:
    for tag in ("failure", "error", "skipped"):
        if (found := case.find(tag)) is not None:
            return tag, found.get("type"), found.get("message")
    return "", None, None


def test_a_student_is_a_suite_with_a_case_for_each_part() -> None:
    first, *_ = suites(CLASS)
    assert first.attrib == {"name": "0429", "tests": "3", "failures": "1", "errors": "0", "skipped": "0", "time": "0"}
    assert properties(first) == {
        "student": "0429", "status": "graded", "score": "7", "max_score": "10", "penalty": "0",
        "grader_version": "0.1.0", "spec_sha256": "ab" * 32,
    }  # fmt: skip
    case = first.findall("testcase")[1]
    assert case.attrib == {"classname": "rooflines.q1", "name": "bytes Bytes moved", "time": "0"}
    assert properties(case) == {"points": "0", "max_points": "3"}
    assert outcome(case) == ("failure", "incorrect", "0 of 3 points")


@pytest.mark.parametrize(
    ("verdict", "points", "expected"),
    [
        (Verdict.CORRECT, 3, ("", None, None)),
        (Verdict.PARTIAL, 1, ("failure", "partial", "1 of 3 points: why")),
        (Verdict.INCORRECT, 0, ("failure", "incorrect", "0 of 3 points: why")),
        (Verdict.MISSING, 0, ("failure", "missing", "0 of 3 points: why")),
        (Verdict.INVALID, 0, ("error", "unreadable", "0 of 3 points: why")),
        (Verdict.UNDECIDED, 0, ("skipped", None, "0 of 3 points: why")),
    ],
)
def test_verdicts_have_their_outcomes(verdict: Verdict, points: int, expected: Any) -> None:
    told = part("bytes", points, 3, verdict, message="why", mistakes=("a", "b"))
    (suite,) = suites([of("s1", part("flops", 3, 3), told, part("ridge", 4, 4))])
    case = suite.findall("testcase")[1]
    assert outcome(case) == expected
    if expected[0]:
        assert case.findtext(expected[0]) == "a\nb"


@pytest.mark.parametrize("status", [s for s in Status if s != Status.GRADED])
def test_a_submission_that_was_not_graded_is_one_case(status: Status) -> None:
    (suite,) = suites([ungraded("s1", status, message="line 7")])
    (case,) = suite.findall("testcase")
    kind, type_, _ = outcome(case)
    assert (kind, type_) == ("failure" if status == Status.MISSING else "error", str(status))
    assert case.findtext(kind) == "line 7"
    assert properties(suite)["score"] == "0"


@pytest.mark.parametrize("text", HOSTILE)
def test_no_text_adds_an_element_and_none_is_lost_that_xml_has(text: str) -> None:
    (suite,) = suites([answered("s1", text)])
    assert len(suite.findall("testcase")) == 3
    message = outcome(suite.findall("testcase")[0])[2] or ""
    shown = "".join(
        c if c in "\t\n\r" or (c >= " " and not "\ud800" <= c <= "\udfff" and c not in "\ufffe\uffff") else "\ufffd"
        for c in text
    )
    assert message == (f"1 of 3 points: {shown}" if text else "1 of 3 points")


def test_a_student_s_view_shows_no_more_than_it_holds() -> None:
    why = Explanation(mistakes=("m",), title="SECRET")
    wrong = of(
        "s1", part("flops", 3, 3), part("bytes", 0, 3, explanations=(why,), mistakes=("m",)), part("ridge", 4, 4)
    )
    assert b"SECRET" in written("junit", [wrong])
    assert b"SECRET" not in written("junit", [wrong], view=lambda r: student_view(r, Reveal.VERDICT))
    (suite,) = suites([wrong], view=lambda r: student_view(r, Reveal.NONE))
    assert [outcome(case)[0] for case in suite.findall("testcase")] == ["skipped"] * 3
    assert not {"score", "points"} & set(properties(suite))


@settings(max_examples=25)
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 4)), max_size=4))
def test_the_cases_less_the_penalty_are_the_score(drawn: list[tuple[int, int, int]]) -> None:
    rows = [row(f"s{n}", *points, late=min(2, sum(points)), days=1) for n, points in enumerate(drawn)]
    for one, suite in zip(rows, suites(rows), strict=True):
        told = properties(suite)
        earned = sum(int(properties(case)["points"]) for case in suite.findall("testcase"))
        assert earned - int(told["penalty"]) == int(told["score"]) == one.result.points

"""Gradescope's results.json, and a zip of them."""

import io
import json
from dataclasses import replace
from typing import Any
from zipfile import ZipFile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from grader.exports.gradescope import Later, failed
from grader.exports.gradescope import results as of_row
from grader.exports.options import Options
from grader.gradebook import Row
from grader.results import Explanation, Override, Result, Reveal, Status, Verdict
from grader.reveal import student_view
from tests.gradescope import shown, total_is_shown, valid
from tests.unit.exports.made import CLASS, HOSTILE, OUTLINE, answered, of, part, row, ungraded, written

POINTS = OUTLINE.max_points


def results(one: Row, **options: Any) -> dict[str, Any]:
    return valid(json.loads(written("gradescope", [one], **options)), POINTS)


def test_one_submission_is_plain_json_with_a_test_for_each_part() -> None:
    found = results(CLASS[0])
    assert found["score"] == 7
    assert found["extra_data"] == {"student": "0429", "status": "graded", **OUTLINE.run}
    assert [(t["number"], t["name"], t["score"], t["max_score"], t["status"]) for t in found["tests"]] == [
        ("1.1", "Operations", 3, 3, "passed"),
        ("1.2", "Bytes moved", 0, 3, "failed"),
        ("2.1", "Ridge", 4, 4, "passed"),
    ]


def test_a_test_tells_what_the_student_sees() -> None:
    why = Explanation(mistakes=("no-output",), title="No output", feedback="The *output* is missing.")
    told = part(
        "bytes", 1, 3, Verdict.INCORRECT, response="2*B", read_as="2·B", mistakes=("no-output",), explanations=(why,),
        follow_through=("flops",), ratio="1/2", remarks=("rounded",),
        override=Override(points=1, before=0, why="effort"),
    )  # fmt: skip
    test = results(of("s1", part("flops", 3, 3), told, part("ridge", 4, 4)))["tests"][1]
    assert test["tags"] == ["no-output"]
    assert test["extra_data"] == {"verdict": "incorrect"}
    assert test["output"].split("\n\n") == [
        "**Incorrect**", "You typed: ` 2*B `", "Read as: ` 2·B `", "Follows from your answer to ` flops `",
        "**No output** The *output* is missing.", "Off by a factor of ` 1/2 `", "` rounded `",
        "Points given by a person: 1 ` effort `",
    ]  # fmt: skip


def test_a_part_that_nobody_decided_has_no_score() -> None:
    open_ = part("bytes", 0, 3, Verdict.UNDECIDED, message="took too long")
    undecided, first, third = results(of("s1", part("flops", 3, 3), open_, part("ridge", 4, 4)))["tests"]
    assert undecided["number"] == "1.2"
    assert not {"score", "status"} & undecided.keys()
    assert "a person must look" in undecided["output"]
    assert "took too long" in undecided["output"]
    assert first["score"] + third["score"] == 7
    decided = replace(open_, points=2, override=Override(points=2, before=0))
    assert results(of("s1", part("flops", 3, 3), decided, part("ridge", 4, 4)))["tests"][0]["score"] == 2


def test_what_must_be_mended_comes_first_then_what_awaits_a_person() -> None:
    unread = part("ridge", 0, 4, Verdict.INVALID, message="unknown name Bf")
    one = of("s1", part("flops", 3, 3), part("bytes", 0, 3, Verdict.UNDECIDED), unread)
    found = results(one)
    assert [test["number"] for test in found["tests"]] == ["2.1", "1.2", "1.1"]
    assert "could not be read: 1" in found["output"]
    blind = results(one, view=lambda result: student_view(result, Reveal.NONE))
    assert [test["number"] for test in blind["tests"]] == ["2.1", "1.1", "1.2", "2.1", "1.2", "1.1"]
    assert "person" not in blind["output"] + "".join(test["output"] for test in shown(blind))


def test_remarks_on_the_submission_are_in_code() -> None:
    told = results(row("s1", 3, 3, 4, remarks=("line 3: unknown `part`",)))["output"]
    assert told == "`` line 3: unknown `part` ``"


def test_being_late_is_told_and_taken_from_the_score() -> None:
    found = results(CLASS[1])
    late, *parts = found["tests"]
    assert late["name"] == "Late"
    assert late["output"] == "-2 points for being 1 day late; the total has it"
    assert found["score"] == sum(test["score"] for test in parts) - 2 == 3


@pytest.mark.parametrize("status", [s for s in Status if s != Status.GRADED])
def test_what_was_not_graded_says_so_first(status: Status) -> None:
    found = results(ungraded("s1", status, message="line 7: `x"))
    why, *rest = found["tests"]
    assert (found["score"], why["status"], why["output"]) == (0, "failed", "`` line 7: `x ``")
    assert "score" not in why
    assert found["output"]
    nobody_earned_nothing = status in (Status.FAILED, Status.DUPLICATE)
    assert [test.get("score") for test in rest] == [None if nobody_earned_nothing else 0] * 3


def test_where_we_failed_no_part_has_a_score() -> None:
    why, *rest = valid(failed(OUTLINE, "it broke"), POINTS)["tests"]
    assert (why["output"], why["visibility"]) == ("` it broke `", "visible")
    assert [test.get("score") for test in rest] == [None] * 3


def test_several_submissions_are_a_zip_in_the_order_of_the_rows() -> None:
    own = row("é/../x", 3, 3, 4, source="assignment_5001_export/submission_900001/answers.yaml")
    with ZipFile(io.BytesIO(written("gradescope", [*CLASS, own, row("é/../x", 0, 0, 0)]))) as archive:
        assert archive.namelist() == [
            "000001-0429/results.json", "000002-s2/results.json", "000003-s3/results.json", "000004-s4/results.json",
            "submission_900001/results.json", "000006-x/results.json",
        ]  # fmt: skip
        scores = [valid(json.loads(archive.read(name)), POINTS)["score"] for name in archive.namelist()]
    assert scores == [7, 3, 0, 0, 10, 0]


def test_nobody_is_an_empty_zip() -> None:
    assert ZipFile(io.BytesIO(written("gradescope", []))).namelist() == []


@pytest.mark.parametrize("reveal", list(Reveal))
def test_no_more_is_told_than_the_student_may_see(reveal: Reveal) -> None:
    def view(result: Result) -> Result:
        return student_view(result, reveal)

    why = Explanation(mistakes=("no-output",), title="SECRET", feedback="SECRET", hint="the hint")
    wrong = part("bytes", 0, 3, mistakes=("no-output",), explanations=(why,), feedback="SECRET", slips=("SLIP",))
    found = results(of("s1", part("flops", 3, 3), wrong, part("ridge", 4, 4)), view=view)
    told = json.dumps(found)
    assert ("SECRET" in told) == reveal.includes(Reveal.MISTAKE)
    assert ("no-output" in told) == reveal.includes(Reveal.MISTAKE)
    assert ("SLIP" in told) == reveal.includes(Reveal.HINT_2)
    hidden = reveal == Reveal.NONE
    assert found["score"] == 7
    assert total_is_shown(found) == (not hidden)
    assert [test["number"] for test in shown(found)] == ["1.1", "1.2", "2.1"]
    assert not (hidden and any({"score", "status", "tags"} & test.keys() for test in shown(found)))
    assert {test["visibility"] for test in found["tests"]} == ({"visible", "hidden"} if hidden else {"visible"})


def test_points_may_be_shown_later_with_all_that_is_revealed_then() -> None:
    def view(level: Reveal) -> Any:
        return lambda result: student_view(result, level)

    wrong = part("bytes", 0, 3, mistakes=("no-output",), solution="2*B")
    one = of("s1", part("flops", 3, 3), wrong, part("ridge", 4, 4), late=1, days=1)
    later = Later("after_published", view(Reveal.FULL))
    found = valid(of_row(one, OUTLINE, Options(view=view(Reveal.NONE)), later), POINTS)
    assert not total_is_shown(found)
    assert "no-output" not in json.dumps(shown(found))
    assert "Late" not in {test["name"] for test in shown(found)}
    after = [test for test in found["tests"] if test["visibility"] == "after_published"]
    assert [test.get("score") for test in after] == [None, 3, 0, 4]
    assert after[2]["tags"] == ["no-output"]
    assert "Solution: ` 2*B `" in after[2]["output"]


@pytest.mark.parametrize("text", HOSTILE)
def test_what_was_typed_stays_inside_its_code(text: str) -> None:
    typed = part("bytes", 0, 3, response=text, read_as=text, message=text, remarks=(text,), ratio=text)
    output = results(of("s1", part("flops", 3, 3), typed, part("ridge", 4, 4)))["tests"][1]["output"]
    tokens = MarkdownIt("commonmark").parse(output)
    assert {token.type for token in tokens} == {"paragraph_open", "inline", "paragraph_close"}
    inner = {child.type for token in tokens for child in token.children or ()}
    assert inner <= {"text", "code_inline", "strong_open", "strong_close"}


@settings(max_examples=25)
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 4)), min_size=1, max_size=4))
def test_the_tests_less_the_penalty_are_the_score(drawn: list[tuple[int, int, int]]) -> None:
    for points in drawn:
        late = min(2, sum(points))
        found = results(row("s1", *points, late=late, days=1))
        assert sum(test.get("score", 0) for test in found["tests"]) - late == found["score"] == sum(points) - late


def test_hostile_rows_are_valid() -> None:
    for text in HOSTILE:
        results(answered("s1", text))

"""Answer files in every format say what they say, and a broken line costs at most its own answer."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from grader.errors import SubmissionError
from grader.files import decode
from grader.formats import format_of
from grader.submission import AnswerFile, Response, read_answers
from tests.formats import WRITERS, notebook

CASES = Path(__file__).parents[2] / "cases"


def cases(kind: str) -> list[dict[str, Any]]:
    loaded: list[dict[str, Any]] = yaml.safe_load((CASES / f"formats_{kind}.yaml").read_text("utf-8"))
    return loaded


def given(answers: AnswerFile) -> dict[str, Response]:
    return {f"{response.exercise}/{response.part}": response for response in answers.responses}


def says(case: dict[str, Any], text: str, name: str) -> None:
    """The file says what the case expects."""
    if "refused" in case:
        with pytest.raises(SubmissionError, match=case["refused"]):
            read_answers(text, name)
        return
    answers = read_answers(text, name)
    found = given(answers)
    assert answers.empty == case.get("empty", False)
    assert {key: r.text for key, r in found.items() if not r.fault} == case.get("answers", {})
    assert {key for key, r in found.items() if r.fault} == set(case.get("faults", {}))
    for key, fault in case.get("faults", {}).items():
        assert fault in found[key].fault
    assert answers.student == case.get("student")
    remarks = "\n".join(answers.remarks)
    assert case["remark"] in remarks if "remark" in case else not remarks


@pytest.mark.parametrize("case", cases("markdown"), ids=lambda case: repr(case["text"]))
def test_a_markdown_file_says_what_it_says(case: dict[str, Any]) -> None:
    says(case, case["text"], "a.md")


@pytest.mark.parametrize("case", cases("toml"), ids=lambda case: repr(case["text"]))
def test_a_toml_file_says_what_it_says(case: dict[str, Any]) -> None:
    says(case, case["text"], "a.toml")


@pytest.mark.parametrize("case", cases("csv"), ids=lambda case: repr(case["text"]))
def test_a_csv_file_says_what_it_says(case: dict[str, Any]) -> None:
    text = decode(case["text"].encode(), "a.csv").text
    says(case, text, "a.csv")


@pytest.mark.parametrize("case", cases("notebook"), ids=lambda case: repr(case["cells"]))
def test_a_notebook_says_what_it_says(case: dict[str, Any]) -> None:
    says(case, notebook(*case["cells"]), "a.ipynb")


# --- which format -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("answers.yaml", "yaml"), ("Answers.YML", "yaml"), ("a.JSON", "json"), ("a.toml", "toml"), ("a.csv", "csv"),
        ("a.tsv", "csv"), ("a.md", "markdown"), ("a.markdown", "markdown"), ("a.ipynb", "notebook"),
        ("answers.yaml.txt", "yaml"), ("answers.md.TXT", "markdown"), ("answers.txt", "text"), ("my.notes.txt", "text"),
        ("answers.yaml.txt.txt", "yaml"), ("answers (1).yaml", "yaml"), ("answers", ""), ("a.docx", ""), (".txt", ""),
    ],
)  # fmt: skip
def test_the_ending_says_the_format(name: str, kind: str) -> None:
    assert format_of(name) == kind


@pytest.mark.parametrize("name", ["answers.yaml.txt", "Answers.YAML", "answers.txt", "answers", "answers.text"])
def test_yaml_is_read_under_any_name_it_may_have(name: str) -> None:
    (response,) = read_answers("# Question 4\nq4:\n  a: *2\n", name).responses
    assert (response.exercise, response.part, response.text, response.line) == ("q4", "a", "*2", 3)


@pytest.mark.parametrize(
    "text",
    ["# Question 4\na: *2\n", "Question 4\na: *2\n", "## q4-x\n\nSo: 'it is\n\n- **a**: `*2`\n", "**Q4**\na: *2\n"],
)
def test_a_plain_text_that_is_headed_like_markdown_is_read_so(text: str) -> None:
    (response,) = read_answers(text, "answers.txt").responses
    assert (response.exercise[:2], response.part, response.text) == ("q4", "a", "*2")


def test_a_plain_text_in_which_no_answer_can_be_told_is_refused() -> None:
    with pytest.raises(SubmissionError, match="answers are expected"):
        read_answers("see the attached pages", "answers.txt")


# --- lines ------------------------------------------------------------------------------------------------------------

ANSWERS = {"q4-batched": {"flops": "2BDF", "bytes": "BD + BF", "bound": "never"}, "q5": {"critical": "> 243"}}


@pytest.mark.parametrize("ending", [ending for ending in WRITERS if ending != "ipynb"])
def test_a_response_knows_its_line_in_every_format(ending: str) -> None:
    text = WRITERS[ending](ANSWERS, "s1")
    lines = text.split("\n")
    answers = read_answers(text, f"a.{ending}")
    assert len(answers.responses) == 4
    for response in answers.responses:
        assert response.line is not None
        assert response.text in lines[response.line - 1]


def test_a_response_in_a_notebook_has_no_line_of_the_file() -> None:
    answers = read_answers(WRITERS["ipynb"](ANSWERS, "s1"), "a.ipynb")
    assert [response.line for response in answers.responses] == [None] * 4


def test_json_on_one_line_has_no_lines() -> None:
    (response,) = read_answers('{"q4": {"a": 1}}', "a.json").responses
    assert response.line is None


@pytest.mark.parametrize("ending", WRITERS)
def test_a_bad_byte_costs_its_own_answer_in_every_format(ending: str) -> None:
    data = WRITERS[ending](ANSWERS, "s1").encode().replace(b"BD + BF", b"BD \xe9 BF")
    answers = read_answers(decode(data, f"a.{ending}"), f"a.{ending}")
    found = given(answers)
    assert {key for key, response in found.items() if response.fault} == {"q4-batched/bytes"}
    assert "not UTF-8: byte 0xE9 in line" in found["q4-batched/bytes"].fault
    assert len(found) == 4


@pytest.mark.parametrize("ending", WRITERS)
@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
@pytest.mark.parametrize("line_end", ["\r\n", "\r"])
def test_marks_and_line_ends_change_nothing_in_any_format(ending: str, encoding: str, line_end: str) -> None:
    text = WRITERS[ending](ANSWERS, "s1")
    content = decode(text.replace("\n", line_end).encode(encoding), f"a.{ending}")
    assert read_answers(content, f"a.{ending}") == read_answers(text, f"a.{ending}")


# --- broken notebooks and JSON ----------------------------------------------------------------------------------------


def test_a_notebook_without_cells_is_refused() -> None:
    for text in ("{}", "[]", "1", '{"cells": 1}', '{"cells": '):
        with pytest.raises(SubmissionError, match="this is not a notebook"):
            read_answers(text, "a.ipynb")
    assert read_answers(" \n", "a.ipynb").empty


def test_what_was_run_in_a_notebook_is_not_read() -> None:
    text = json.dumps(
        {
            "cells": [
                {"cell_type": "code", "source": "flops: 1", "outputs": [{"text": ["## Question 4\n", "flops: 2\n"]}]},
                {"cell_type": "markdown", "source": ["## Question 4\n", "flops: 3\n"]},
                5,
                {"cell_type": "markdown", "source": {"x": 1}, "metadata": []},
            ]
        }
    )
    assert [(r.part, r.text) for r in read_answers(text, "a.ipynb").responses] == [("flops", "3")]


def test_a_row_of_json_may_name_its_exercise_and_part() -> None:
    rows = [{"exercise": "q4", "part": "a", "response": "2B"}, {"exercise": "q5", "id": "b", "value": 3}]
    answers = read_answers(json.dumps({"answers": rows}), "a.json")
    assert [(r.exercise, r.part, r.text) for r in answers.responses] == [("q4", "a", "2B"), ("q5", "b", "3")]


# --- the manual -------------------------------------------------------------------------------------------------------


def test_the_manual_s_examples_are_the_same_answers() -> None:
    manual = (Path(__file__).parents[3] / "grader/README.md").read_text("utf-8")
    section = manual[manual.index("\n## Answer files\n") : manual.index("\n## How answers are typed\n")]
    examples = re.findall(r"^```(\w+)\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)
    assert [language for language, _ in examples] == ["json", "toml", "csv", "markdown"]
    for language, text in examples:
        answers = read_answers(text, f"answers.{language}")
        assert answers.student == "s1024"
        assert not answers.remarks
        assert {r.part: r.text for r in answers.responses} == {"flops": "2BDF", "leading": "2", "bound": "never"}
        assert {r.exercise for r in answers.responses} <= {"q4-batched-matmul", "q4"}

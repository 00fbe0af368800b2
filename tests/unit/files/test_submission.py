"""What is read of the files that students hand in."""

import time
from pathlib import Path
from typing import Any

import pytest
import yaml

from grader.errors import SubmissionError
from grader.files import decode
from grader.submission import AnswerFile, Response, read_answers

CASES = Path(__file__).parents[2] / "cases"
LINES = yaml.safe_load((CASES / "files_lines.yaml").read_text("utf-8"))
DOCUMENTS = yaml.safe_load((CASES / "files_documents.yaml").read_text("utf-8"))
FILE = "student: s1\nanswers:\n  q4-batched:\n    before: 2BDF\n    {line}\n    after: never\n"


def given(answers: AnswerFile) -> dict[str, Response]:
    return {f"{response.exercise}/{response.part}": response for response in answers.responses}


@pytest.mark.parametrize("case", LINES, ids=lambda case: repr(case["line"]))
def test_a_line_costs_at_most_its_own_answer(case: dict[str, Any]) -> None:
    answers = read_answers(FILE.replace("{line}", case["line"]), "answers.yaml")
    found = given(answers)
    assert answers.student == "s1"
    assert found["q4-batched/before"].text == "2BDF"
    assert found["q4-batched/after"].text == "never"
    response = found["q4-batched/x"]
    if "fault" in case:
        assert case["fault"] in response.fault
    else:
        assert (response.text, response.fault) == (case["text"], "")
    assert case.get("remark", "") in "\n".join(answers.remarks)
    assert len(found) == 3


@pytest.mark.parametrize("line", ["x: 2B", "x: *2", "x: > 243", 'x: "2B', "x: {2B}", "\tx: 2B"])
def test_a_response_knows_its_line(line: str) -> None:
    found = given(read_answers(FILE.replace("{line}", line), "answers.yaml"))
    assert [found[f"q4-batched/{part}"].line for part in ("before", "x", "after")] == [4, 5, 6]


@pytest.mark.parametrize("case", DOCUMENTS, ids=lambda case: repr(case.get("text", case.get("json"))))
def test_a_file_says_what_it_says(case: dict[str, Any]) -> None:
    text, name = (case["text"], "answers.yaml") if "text" in case else (case["json"], "answers.json")
    if "refused" in case:
        with pytest.raises(SubmissionError, match=case["refused"]):
            read_answers(text, name)
        return
    answers = read_answers(text, name)
    found = given(answers)
    assert answers.empty == case.get("empty", False)
    assert {k: r.text for k, r in found.items() if not r.fault} == case.get("answers", {})
    assert {k for k, r in found.items() if r.fault} == set(case.get("faults", {}))
    for key, fault in case.get("faults", {}).items():
        assert fault in found[key].fault
    if "student" in case:
        assert answers.student == case["student"]
    assert case.get("remark", "") in "\n".join(answers.remarks)


def test_a_bad_byte_costs_its_own_answer_and_is_named_with_its_line() -> None:
    content = decode("answers:\n  q4:\n    a: 2B\n    b: é\n    c: 3\n".encode("latin-1"), "answers.yaml")
    answers = read_answers(content, "answers.yaml")
    found = given(answers)
    assert (found["q4/a"].text, found["q4/c"].text) == ("2B", "3")
    assert found["q4/b"].fault == "not UTF-8: byte 0xE9 in line 4; save the file as UTF-8"
    assert answers.remarks == (found["q4/b"].fault,)


def test_a_bad_byte_outside_the_answers_costs_none() -> None:
    answers = read_answers(decode(b"student: Jos\xe9\nq4:\n  a: 2B\n", "a.yaml"), "a.yaml")
    assert answers.student is None
    assert [(r.text, r.fault) for r in answers.responses] == [("2B", "")]
    assert "byte 0xE9 in line 1" in answers.remarks[0]


def test_a_replacement_character_that_was_typed_is_no_fault() -> None:
    (response,) = read_answers("q4:\n  a: \ufffd\n", "a.yaml").responses
    assert (response.text, response.fault) == ("\ufffd", "")


def test_the_order_of_the_file_is_kept() -> None:
    answers = read_answers("b:\n  z: 1\n  a: 2\na:\n  x: 3\n", "a.yaml")
    assert [(r.exercise, r.part) for r in answers.responses] == [("b", "z"), ("b", "a"), ("a", "x")]


def test_yaml_that_another_program_wrote_is_read_back_as_it_was() -> None:
    texts = [
        "2*B",
        "> 243",
        "*2",
        "no",
        "1e-06",
        "\\frac{1}{2}",
        "B²",
        'a "quoted" one',
        "it's",
        "- B",
        "12:30",
        "{2B}",
    ]
    data = {"answers": {"q": {f"p{i}": text for i, text in enumerate(texts)}}}
    for wide in (True, False):
        answers = read_answers(yaml.safe_dump(data, allow_unicode=wide, sort_keys=False), "a.yaml")
        assert [response.text for response in answers.responses] == texts
        assert not answers.remarks


BOMBS = {
    "aliases": "a0: &a0 [x,x,x,x,x,x,x,x,x]\n"
    + "".join(f"a{i}: &a{i} [{','.join([f'*a{i - 1}'] * 9)}]\n" for i in range(1, 10)),
    "merge keys": "a: &a {x: 1}\n"
    + "".join(f"{c}: &{c} {{<<: [{','.join(['*' + p] * 9)}]}}\n" for p, c in zip("abcdefgh", "bcdefghi", strict=True)),
    "flow depth": "a: " + "[" * 1000 + "]" * 1000,
    "open brackets": "[" * 20_000,
    "open braces": "{" * 60_000,
    "open keys": "{a: " * 15_000,
    "dashes": "- " * 20_000 + "a",
    "question marks": "? " * 30_000,
    "keys": "".join(f"k{i}: 1\n" for i in range(9000)),
    "binary number": "a: 0b" + "1" * 60_000,
    "base sixty": "a: " + ":".join(["59"] * 20_000),
    "escapes": 'a: "' + "\\x" * 30_000,
    "quotes": '"' * 60_000,
    "comments": "#" * 60_000,
    "blank lines": "\n" * 65_000,
    "blanks in a key": "a" + " " * 60_000 + "b",
    "colons": ":" * 60_000,
    "full-width colons": "：" * 20_000,
    "short lines": "a:\n" * 20_000,
    "broken short lines": "a: *\n" * 13_000,
    "steps": "".join(" " * i + f"k{i}:\n" for i in range(350)),
    "broken steps": "@\n" + "".join(" " * i + f"k{i}:\n" for i in range(350)),
    "flow lines": "@: @\n" + "a: {b: 1, c: {d: 2}}\n" * 1_900,
    "quoted lines": "@: @\n" + "a: '" + "''" * 30_000,
    "block": "@: @\na: |\n" + "  x\n" * 15_000,
}


@pytest.mark.parametrize("name", BOMBS)
@pytest.mark.parametrize("ending", ["yaml", "json"])
def test_a_bomb_is_read_or_refused_and_stays_small(name: str, ending: str) -> None:
    text = BOMBS[name][: 64 * 1024]
    answers, message = AnswerFile(), ""
    start = time.process_time()
    try:
        answers = read_answers(text, f"answers.{ending}")
    except SubmissionError as error:
        message = str(error)
    assert time.process_time() - start < 0.5  # ten times what is promised: this machine may be busy
    assert len(message) < 300
    assert sum(len(r.text) + len(r.fault) for r in answers.responses) <= 2 * len(text)
    assert len(answers.responses) <= 2_000


def test_what_is_nested_too_deeply_is_refused() -> None:
    with pytest.raises(SubmissionError, match="20 levels"):
        read_answers("- " * 30 + "a", "a.yaml")
    with pytest.raises(SubmissionError, match="20 levels"):
        read_answers('{"a":' * 30 + "1" + "}" * 30, "a.json")


def test_a_file_with_too_many_entries_is_refused() -> None:
    many = "".join(f"k{i}: 1\n" for i in range(3000))
    with pytest.raises(SubmissionError, match="too many"):
        read_answers(many, "a.yaml")
    with pytest.raises(SubmissionError, match="too many"):
        read_answers("@: @\n" + many, "a.yaml")
    with pytest.raises(SubmissionError, match="too many"):
        read_answers("{" + ",".join(f'"k{i}": 1' for i in range(3000)) + "}", "a.json")

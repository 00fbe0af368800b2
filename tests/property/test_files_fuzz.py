"""Whatever the bytes, a file is read or refused with a message: no other exception, and nothing grows."""

import json

import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st

from grader.errors import SubmissionError
from grader.files import decode
from grader.sheet import Sheet, SheetPart, sheet
from grader.submission import PLACEHOLDER, AnswerFile, read_answers

SIGNS = st.sampled_from(
    [
        *"{}[]:,&*!|>%@`'\"\\#?-=~<\n\t ab1",
        "\n  ",
        ": ",
        "- ",
        "? ",
        "---\n",
        "answers:",
        "student: ",
        "\r",
        "\x85",
        "\ud800",
    ]
)
YAML_LIKE = st.lists(SIGNS, max_size=60).map("".join)
NAME = st.from_regex(r"[a-z][a-z0-9_-]{0,8}", fullmatch=True)
LINE = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]), max_size=30).map(str.strip)


def read(data: bytes, name: str) -> AnswerFile | None:
    try:
        answers = read_answers(decode(data, name), name)
    except SubmissionError as error:
        message = str(error)
    else:
        message = ""
    if message:
        assert message.startswith(name)
        assert "Error" not in message
        return None
    for text in [r.text + r.fault for r in answers.responses] + list(answers.remarks):
        text.encode("utf-8")
    return answers


@settings(max_examples=800, deadline=None)
@given(st.binary(max_size=200), st.sampled_from(["a.yaml", "a.json"]))
@example(b'a: "\\UFFFFFFFF"', "a.yaml")
@example(b'a: "\\UFFFFFFFF', "a.yaml")
@example(b'{"a": {"b": "\\ud800"}}', "a.json")
def test_any_bytes_are_read_or_refused(data: bytes, name: str) -> None:
    read(data, name)


@settings(max_examples=1200, deadline=None)
@given(YAML_LIKE, st.sampled_from(["a.yaml", "a.json"]))
def test_any_signs_are_read_or_refused(text: str, name: str) -> None:
    read(text.encode("utf-8", "surrogatepass"), name)


@settings(max_examples=500, deadline=None)
@given(YAML_LIKE.map(lambda text: text.translate(dict.fromkeys(map(ord, "\n\r\ud800")))))
def test_a_line_of_any_signs_leaves_the_line_before_it_alone(line: str) -> None:
    answers = read(f"q:\n  a: 2B\n  x: {line}\n".encode("utf-8", "surrogatepass"), "a.yaml")
    assert answers is not None
    (first,) = [response for response in answers.responses if response.part == "a" and response.line == 2]
    assert first.text == "2B" or "given twice" in first.fault


@settings(max_examples=150, deadline=None)
@given(st.dictionaries(NAME, st.dictionaries(NAME, LINE, min_size=1, max_size=4), max_size=4))
def test_what_programs_write_is_read_as_it_was(answers: dict[str, dict[str, str]]) -> None:
    expected = {(e, p): t for e, parts in answers.items() for p, t in parts.items()}
    for data, name in (
        (yaml.safe_dump({"answers": answers}, allow_unicode=True, width=10**6), "a.yaml"),
        (json.dumps({"answers": answers}), "a.json"),
        (json.dumps({"answers": answers}, ensure_ascii=False), "a.json"),
    ):
        found = read_answers(data, name)
        for response in found.responses:
            typed = expected[response.exercise, response.part]
            assert response.text == ("" if PLACEHOLDER.fullmatch(typed) else typed)
        assert {(r.exercise, r.part) for r in found.responses} == set(expected)
        assert not [r for r in found.responses if r.fault]


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=80), st.text(max_size=40), st.text(st.characters(exclude_categories=["Cs"]), max_size=20))
def test_no_text_of_an_author_gets_out_of_a_sheet_s_comments(prompt: str, meaning: str, student: str) -> None:
    part = SheetPart(id="a", type="choice", prompt=prompt, title=meaning, options={"yes": meaning})
    text = sheet([Sheet(id="q", title=prompt, prompt=prompt, symbols={"B": meaning}, parts=(part,))], student)
    answers = read_answers(text, "answers.yaml")
    assert [(r.exercise, r.part, r.text, r.fault) for r in answers.responses] == [("q", "a", "", "")]

"""Workflow commands: written as the runner reads them, and never where a student's text is printed."""

import os
import unicodedata
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from grader.ci.commands import LONGEST, MOST, Annotation, escaped_data, escaped_property, inert, quoted, told
from grader.ci.outputs import append, set_outputs
from tests.actions import command, commands, outputs, unescaped

CASES = yaml.safe_load((Path(__file__).parents[2] / "cases/ci_commands.yaml").read_text(encoding="utf-8"))
pieces = st.sampled_from(["::", ":", "##[", "#", "[", "]", "error", "stop-commands", " ", "\n", "\r", "%0A", ",", "x"])
texts = st.lists(pieces | st.text(max_size=3), max_size=12).map("".join) | st.sampled_from(CASES["texts"])


@pytest.mark.parametrize("case", CASES["lines"], ids=lambda case: case["line"])
def test_a_line_that_the_runner_takes_for_a_command_is_none_when_it_is_printed(case: dict[str, object]) -> None:
    line = str(case["line"])
    assert (command(line) is not None) == case["command"]
    assert command(inert(line)) is None


@given(texts)
def test_no_printed_text_is_a_command(text: str) -> None:
    assert commands(inert(text)) == []


@pytest.mark.parametrize("case", CASES["escapes"], ids=lambda case: case["text"])
def test_texts_are_escaped_as_the_runner_reads_them(case: dict[str, str]) -> None:
    escaped = escaped_data if case["kind"] == "data" else escaped_property
    assert escaped(case["text"]) == case["written"]
    assert unescaped(case["written"], data=case["kind"] == "data") == case["text"]


@given(texts, texts, st.integers(1, 10**6))
def test_an_annotation_is_one_command_with_its_own_place(title: str, message: str, line: int) -> None:
    written = str(Annotation(kind="error", title=title or "x", message=message, file="a/answers, 1.yaml", line=line))
    (found,) = commands(written)
    name, properties, data = found
    assert (name, properties["file"], properties["line"]) == ("error", "a/answers, 1.yaml", str(line))
    assert set(properties) <= {"file", "line", "title"}
    assert len(data) <= LONGEST
    assert command(data) is None
    assert not {char for char in written if unicodedata.category(char) in {"Cc", "Cf", "Cs", "Zl", "Zp"}}


def test_at_most_ten_of_a_kind_are_told_and_the_first_ones_win() -> None:
    kinds = ("notice", "error", "warning")
    lines: list[str] = []
    told([Annotation(kind=k, title="t", message=f"{k} {n}") for n in range(12) for k in kinds], lines.append)
    found = [(name, data) for name, _, data in commands("\n".join(lines))]
    assert found == [(k, f"{k} {n}") for k in ("error", "warning", "notice") for n in range(MOST)]


def test_a_quoted_text_can_not_switch_commands_on_again() -> None:
    text = "::stop-commands::a\n::a::\n::error::forged\n##[error]forged"
    one, two = ("\n".join(quoted(text)) for _ in range(2))
    assert next(name for name, _, _ in commands(one)) == "stop-commands"
    assert len(commands(one)) == 2
    assert one.split("\n")[0] != two.split("\n")[0], "the token can't be known before"


@pytest.mark.parametrize("value", ["x\nEOF\npoints=40", "a\rb", "<<EOF", "ü", "a%0Ab"])
def test_an_output_is_one_plain_line_or_refused(tmp_path: Path, value: str) -> None:
    with pytest.raises(ValueError, match="not plain"):
        set_outputs(str(tmp_path / "outputs"), {"points": 1, "result": value})
    assert not (tmp_path / "outputs").exists()


def test_outputs_begin_on_a_line_of_their_own(tmp_path: Path) -> None:
    file = tmp_path / "outputs"
    file.write_bytes(b"earlier=1")
    set_outputs(str(file), {"points": 3, "max-points": 4})
    append(os.devnull, b"x")
    assert outputs(file.read_text()) == {"earlier": "1", "points": "3", "max-points": "4"}
    set_outputs("", {"points": 3})

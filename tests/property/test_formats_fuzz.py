"""Every format: the same answers are read the same, a broken line costs only its own, and no text does harm."""

import json
import time
import tomllib

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from grader.bundle import Bundle
from grader.errors import SubmissionError
from grader.files import LIMIT, decode
from grader.results import Status
from grader.submission import PLACEHOLDER, AnswerFile, read_answers, read_bundle
from tests.formats import WRITERS

ENDINGS = (*WRITERS, "txt")
PIECES = st.sampled_from(
    [
        *"{}[]()|:,;&*!>%@`'\"\\#?-=~<$\n\t ab1.+_/^é",
        "\n", "\n\n", "\n  ", ": ", "- ", "---\n", "```", "```yaml\n", "~~~", "<!--", "-->", "$$", "\\[",
        "\\]", "**",
        "## Question 4\n", "# q4-batched\n", "[q4]\n", "[[answers]]\n", '"""', "'''", "flops: ", "flops = ",
        "| a | b |\n",
        "|---|---|\n", "exercise,part,response\n", "q4,flops,", "q4.flops,q4.bytes\n", "student",
        "answers:", '{"cells": [',
        '{"cell_type": "markdown", "source": ["', '"source": [\n', "\\frac", "\x85", "\ud800", "\r",
        "sep=;\n", "1e5", "TODO",
    ]
)  # fmt: skip
TEXTS = st.lists(PIECES, max_size=60).map("".join)
ID = st.from_regex(r"q[1-9]{1,2}-[a-z]{1,6}(-[a-z0-9]{1,4})?", fullmatch=True)
PART = st.from_regex(r"[a-z]{2,8}(_[a-z0-9]{1,4})?", fullmatch=True).filter(
    lambda part: read_answers(f"# q1-x\n{part}: 1", "a.md").responses != () and part not in ("null", "student", "id")
)
TYPED = (
    st.text(st.sampled_from("BDF2+-*/^(){}[]=<>$\\ .,;:'|#@²≈·µé_`!&%?"), max_size=24)
    .map(str.strip)
    .filter(
        lambda text: text[:1] != "'" or text[1:2] not in ("-", "=", "+", "@")  # in CSV that is a spreadsheet's own mark
    )
)
ANSWERS = st.dictionaries(ID, st.dictionaries(PART, TYPED, min_size=1, max_size=4), min_size=1, max_size=3)


def read(text: str, name: str) -> AnswerFile | None:
    """The answers, or None if the file is refused, which it has to be in words."""
    try:
        answers = read_answers(decode(text.encode("utf-8", "surrogatepass"), name), name)
    except SubmissionError as error:
        message = str(error)
    else:
        for said in [r.exercise + r.part + r.text + r.fault for r in answers.responses] + list(answers.remarks):
            said.encode("utf-8")
        return answers
    assert message.startswith(name)
    assert "Error" not in message
    return None


@settings(max_examples=800, deadline=None)
@given(TEXTS, st.sampled_from(ENDINGS))
def test_any_text_is_read_or_refused_in_every_format(text: str, ending: str) -> None:
    read(text, f"a.{ending}")


@settings(max_examples=60, deadline=None)
@given(st.lists(TEXTS, max_size=3), st.sampled_from(["markdown", "raw", "code"]), st.booleans(), st.booleans())
def test_any_cells_of_a_notebook_are_read_or_refused(cells: list[str], kind: str, tagged: bool, split: bool) -> None:
    listed = [
        {
            "cell_type": kind,
            "metadata": {"tags": ["answers"] if tagged else []},
            "source": cell.splitlines(keepends=True) if split else cell,
        }
        for cell in cells
    ]
    read(json.dumps({"cells": listed}, indent=1), "a.ipynb")


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=200), st.sampled_from(ENDINGS), st.none() | st.integers(1, 9))
def test_a_bundle_of_any_bytes_becomes_a_submission(data: bytes, ending: str, row: int | None) -> None:
    bundle = Bundle(source="s", key="k", file=f"a.{ending}", content=data, row=row, attachments={"p.csv": data})
    submission = read_bundle(bundle)
    assert submission.status in (Status.GRADED, Status.MISSING, Status.UNREADABLE)
    assert bool(submission.message) == (submission.status != Status.GRADED)


@settings(max_examples=60, deadline=None)
@given(
    ANSWERS, st.from_regex(r"[a-z][a-z0-9]{0,8}", fullmatch=True).filter(lambda name: not PLACEHOLDER.fullmatch(name))
)
def test_the_same_answers_are_the_same_in_all_formats(answers: dict[str, dict[str, str]], student: str) -> None:
    assume(student not in ("null", "true", "false", "yes", "no", "on", "off", "y", "n"))
    expected = {
        (exercise, part): "" if PLACEHOLDER.fullmatch(text) else text
        for exercise, parts in answers.items()
        for part, text in parts.items()
    }
    for ending, written in WRITERS.items():
        text = written(answers, student)
        found = read_answers(text, f"a.{ending}")
        assert {(r.exercise, r.part): r.text for r in found.responses} == expected, (ending, text)
        assert not [r.fault for r in found.responses if r.fault], (ending, text)
        assert found.student == student, ending


@settings(max_examples=40, deadline=None)
@given(ANSWERS)
def test_what_is_written_here_as_toml_is_toml(answers: dict[str, dict[str, str]]) -> None:
    text = WRITERS["toml"](answers, "s1")
    loaded = tomllib.loads(text)
    assert loaded["answers"] == answers


# --- one broken line --------------------------------------------------------------------------------------------------

SIGNS = st.lists(st.sampled_from([*"{}[]()|:,;&*!>%@'\"\\?-=~<$ ab1.+_/^é", "\\frac", "$$", "\\["]), max_size=14)
BROKEN = SIGNS.map("".join)
FILES = {
    "yaml": "q4-x:\n  before: 2BDF\n  mid: {}\n  after: never\n",
    "json": '{\n"q4-x": {\n"before": "2BDF",\n"mid": {},\n"after": "never"\n}\n}\n',
    "toml": "[q4-x]\nbefore = 2BDF\nmid = {}\nafter = 'never'\n",
    "csv": "exercise,part,response\nq4-x,before,2BDF\nq4-x,mid,{}\nq4-x,after,never\n",
    "md": "## q4-x\n\nbefore: 2BDF\n\nmid: {}\n\nafter: never\n",
    "ipynb": '{\n "cells": [\n  {\n   "cell_type": "markdown",\n   "metadata": {},\n   "source": [\n    "## q4-x\\n",\n'
    '    "before: 2BDF\\n",\n    "mid: {}\\n",\n    "after: never\\n"\n   ]\n  }\n ]\n}\n',
}  # fmt: skip


@pytest.mark.parametrize("ending", FILES)
@settings(max_examples=60, deadline=None)
@given(broken=BROKEN)
def test_a_broken_value_costs_only_its_own_answer(ending: str, broken: str) -> None:
    found = read(FILES[ending].replace("{}", broken, 1), f"a.{ending}")
    assert found is not None
    kept = {response.part: response.text for response in found.responses if not response.fault}
    assert kept.get("before") == "2BDF"
    assert kept.get("after") == "never"


@pytest.mark.parametrize("ending", FILES)
@settings(max_examples=60, deadline=None)
@given(broken=BROKEN)
def test_a_line_of_nonsense_costs_only_itself(ending: str, broken: str) -> None:
    lines = FILES[ending].split("\n")
    (place,) = [at for at, line in enumerate(lines) if "mid" in line]
    indent = len(lines[place]) - len(lines[place].lstrip())  # what is indented more goes on with the value above
    lines[place] = " " * indent + broken.strip()
    found = read("\n".join(lines), f"a.{ending}")
    assert found is not None
    kept = {response.part: response.text for response in found.responses if not response.fault}
    assert kept.get("before") == "2BDF"
    assert kept.get("after") == "never"


# --- bounds -----------------------------------------------------------------------------------------------------------

REPEATED = [
    "`", "` ", "`a``b", "$", "$$", "$$\n", "[", "[[", "[a\n", "](", "[a](", "<!--", "<!--\n", "<!-- -->",
    "```\n", "```yaml\n",
    "````\n~~~\n", "```yaml\na: 1\n```\n", "**", "**a", "__a", "*", "#", "# a\n", "## Q4\n", "a: ", "a:\n",
    "a: $$\n", "a: \\[\n",
    "a = [\n", "a = [1,\n", 'a = """\n', "a = '''\n", "a = {", "a = {b = ", '"', "'", '""', "\"'", "\\",
    '\\"', ",", ",\n", '","',
    '"\n', 'q4,a,"\n', "q4,a,(\n", "(,", "|", "|\n", "| a |\n", "|---|\n", "a|b\n-|-\n", "-", "---\n",
    "=\n", "a\n=\n", " ", " \n",
    "a ", "a.", "a-", "\t", "\\|", "&lt;", "1. ", "- ", "<!", "-->", '"source": [\n',
    '"cell_type": "markdown"\n"source": "a"\n',
    "a ", "[ ", "[a ", "q4.a,", "student: s\n", "é", "= ", ". ", '{"', "{'a': ", "Question 4 ", "q4-",
    "q4-a-",
]  # fmt: skip


BEFORE = {
    "yaml": "q4:\n  a: ",
    "json": '{"q4": {"a": "',
    "toml": "[q4]\na = ",
    "csv": "exercise,part,response\nq4,a,",
    "md": "## Q4\na: ",
    "ipynb": '{"cells": [{"cell_type": "markdown", "source": ["## Q4\\na: ',
    "txt": "# Q4\n",
}


@pytest.mark.parametrize("ending", ENDINGS)
def test_what_is_repeated_without_end_is_read_or_refused_soon(ending: str) -> None:
    for piece in REPEATED:
        for before in ("", BEFORE[ending]):
            text = before + piece * ((LIMIT - len(before)) // 2 // len(piece.encode()))
            start = time.process_time()
            found = read(text, f"a.{ending}")
            assert time.process_time() - start < 1, (before, piece)  # far above what is usual: machines may be busy
            assert found is None or len(found.responses) <= 4_000, (before, piece)


@pytest.mark.parametrize("tags", [[], ["answers"]])
def test_a_cell_that_repeats_without_end_is_read_or_refused_soon(tags: list[str]) -> None:
    for piece in REPEATED:
        source = "## Q4\na: " + piece * (LIMIT // 2 // len(json.dumps(piece)))
        text = json.dumps({"cells": [{"cell_type": "markdown", "metadata": {"tags": tags}, "source": source}]})
        start = time.process_time()
        read(text, "a.ipynb")
        assert time.process_time() - start < 1, piece


# --- rows of a large table --------------------------------------------------------------------------------------------

VALUE = (
    TYPED
    | st.sampled_from(["TODO", "...", "null", "\ufffd", "\u017folution", "your answer"])
    | st.integers()
    | st.none()
)
ROWS = st.fixed_dictionaries(
    {
        "answers": st.dictionaries(
            ID, st.dictionaries(PART, VALUE | st.booleans() | st.just([1]), max_size=3), max_size=3
        )
    },
    optional={"student": st.text(max_size=5) | st.integers() | st.none(), "note": st.just("x")},
)


@settings(max_examples=60, deadline=None)
@given(ROWS, st.booleans(), st.booleans())
def test_a_row_is_read_as_the_same_file_is(row: dict[str, object], flat: bool, ascii_only: bool) -> None:
    answers = row["answers"]
    assert isinstance(answers, dict)
    data = {**{key: value for key, value in row.items() if key != "answers"}, **answers} if flat else row
    content = json.dumps(data, ensure_ascii=ascii_only).encode("utf-8", "surrogatepass")
    one = read_bundle(Bundle(source="s", file="t.jsonl", key="k", content=content, row=7))
    other = read_bundle(Bundle(source="s", file="t.jsonl", key="k", content=content + b"\n ", row=None))
    assert (one.student, one.status, one.remarks) == (other.student, other.status, other.remarks)
    assert [(r.exercise, r.part, r.text, r.fault) for r in one.responses] == [
        (r.exercise, r.part, r.text, r.fault) for r in other.responses
    ]
    assert {response.line for response in one.responses} <= {7}

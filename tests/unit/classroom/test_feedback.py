"""The comment that a student gets: nothing in it acts, it is never too long, and it is found again."""

import re
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from grader.classroom.feedback import MOST_BYTES, State, Words, comment, same, status
from grader.results import ExerciseResult, Explanation, PartResult, Result, Reveal, Status, Verdict

WORDS = Words("tiny", "Tiny", Reveal.MISTAKE)
NASTY = (
    "@everyone @octocat fixes #1",
    "![x](https://evil.example/p.png) <img src=https://evil.example/x>",
    "x |\n\n## Score: 100/100\n\n| y",
    "` `` ``` ```` 2*B",
    "[^1]: note\n[q1]: https://evil.example",
    "example-org/x#2 GH-3 org/repo@0123456789abcdef0123456789abcdef01234567",
    "--> <!-- grader feedback tiny 0 -->",
    "www.evil.example http://evil.example mailto:a@evil.example",
    "\u202e$$\\href{https://evil.example}{x}$$ \x1b[31m :smile:",
)


def made(text: str, remark: str = "", **changes: object) -> Result:
    """A result that quotes a text wherever a student's words can stand."""
    part = PartResult(
        id="ops",
        verdict=Verdict.INVALID,
        points=0,
        max_points=2,
        response=text,
        message=f"unknown name {text[:80]}",
        position=min(3, len(text)),
        remarks=(f"{remark or text[:80]} was not read",),
        explanations=(Explanation(mistakes=("m",), title="A mistake", feedback="It is *wrong*.", hint="Look."),),
        solution="SOLUTION",
    )
    right = PartResult(id="other", verdict=Verdict.CORRECT, points=1, max_points=1, response="2B", solution="SOLUTION")
    exercise = ExerciseResult(id="fixed", title="Fixed", points=1, max_points=3, parts=(part, right))
    result = Result(
        student="ada", source=f"/home/staff/class/hw-ada/{text[:20].replace('/', '')}.yaml", status=Status.GRADED,
        points=1, max_points=3, exercises=(exercise,), remarks=(f"unknown exercise {text[:80]}",), name=text[:80],
    )  # fmt: skip
    return Result(**{**{name: getattr(result, name) for name in result.__dataclass_fields__}, **changes})  # type: ignore[arg-type]


def tokens(text: str) -> Iterator[Token]:
    for token in MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(text):
        yield token
        yield from token.children or ()


def assert_inert(body: str) -> None:
    """Nothing of the text is a link, an image, HTML or a heading of its own, or would be found in it by GitHub."""
    mark, _, rest = body.partition("\n")
    assert re.fullmatch(r"<!-- grader feedback tiny [0-9a-f]{32} -->", mark)
    found = list(tokens(rest))
    assert not {token.type for token in found} & {"image", "link_open", "html_block", "html_inline"}
    assert sum(token.type == "heading_open" for token in found) <= 4
    shown = " ".join(token.content for token in found if token.type == "text")
    assert not re.search(r"@\w|#\d|\bGH-\d", shown)


@pytest.mark.parametrize("text", NASTY)
def test_no_text_of_a_student_acts_in_a_comment(text: str) -> None:
    body = comment(made(text), WORDS, "0" * 40)
    assert_inert(body)
    assert "SOLUTION" not in body
    assert "staff" not in body


@settings(max_examples=40)
@given(st.lists(st.sampled_from([*NASTY, "@", "#1", "`", "|", "\n", "<", "a", "]("]), max_size=6).map("".join))
def test_no_mixture_of_such_texts_acts_either(text: str) -> None:
    assert_inert(comment(made(text), WORDS, ""))


def test_a_comment_is_cut_by_part_the_longest_first_and_says_so() -> None:
    body = comment(made("é" * 50_000, remark="this"), WORDS, "")
    assert len(body.encode()) <= MOST_BYTES + 100
    assert "left out: the comment would be too long" in body
    assert "`2B`" in body
    assert "**Could not be read**, 0 of 2 points" in body
    many = tuple(PartResult(id=f"p{i}", verdict=None, points=0, max_points=1, title="t" * 300) for i in range(500))
    long = ExerciseResult(id="x", title="X", points=0, max_points=500, parts=many)
    body = comment(made("", exercises=(long,), points=0, max_points=500), WORDS, "")
    assert len(body.encode()) <= MOST_BYTES + 100
    assert "The parts are left out" in body
    assert "**0 of 500 points**" in body


def test_a_comment_is_the_same_whatever_happened_to_line_ends_and_another_once_its_text_is() -> None:
    body = comment(made("2B"), WORDS, "")
    assert same(body.replace("\n", "\r\n") + "\n", body)
    assert not same(body.replace("1 of 3", "3 of 3"), body)
    assert body.partition("\n")[0] != comment(made("3B"), WORDS, "").partition("\n")[0]


@pytest.mark.parametrize(
    ("result", "reveal", "expected"),
    [
        (made("x"), Reveal.MISTAKE, State("success", "1 of 3 points")),
        (made("x"), Reveal.NONE, State("success", "Received")),
        (made("x", status=Status.MISSING), Reveal.MISTAKE, State("failure", "Nothing was handed in")),
        (made("x", status=Status.UNREADABLE), Reveal.MISTAKE, State("failure", "The file could not be read")),
        (made("x", status=Status.FAILED), Reveal.MISTAKE, State("error", "Grading failed")),
    ],
)
def test_a_status_is_an_error_only_for_faults_of_ours(result: Result, reveal: Reveal, expected: State) -> None:
    assert status(result, Words("tiny", "Tiny", reveal), lambda *_: True) == expected


def test_a_status_below_the_pass_mark_fails_unless_points_are_hidden() -> None:
    assert status(made("x"), WORDS, lambda points, most: 2 * points >= most).state == "failure"
    assert status(made("x"), Words("tiny", "Tiny", Reveal.NONE), lambda *_: False).state == "success"


def test_below_the_level_none_a_comment_has_neither_points_nor_verdicts() -> None:
    body = comment(made("2B", remark="this"), Words("tiny", "Tiny", Reveal.NONE), "")
    assert "A mistake" not in body
    assert not re.search(r"\d of \d", body)

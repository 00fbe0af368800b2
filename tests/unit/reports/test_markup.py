"""Every sink shows a text literally: no markup, no control character, no command gets through."""

import re
import unicodedata
from html import unescape
from pathlib import Path

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from grader.reports import markup, rich

CASES = Path(__file__).parents[2] / "cases" / "reports_hostile.yaml"
HOSTILE = [case["text"] for case in yaml.safe_load(CASES.read_text(encoding="utf-8"))]
CONTROL = {"Cc", "Cf", "Cs", "Zl", "Zp"}
texts = st.text(max_size=60) | st.sampled_from(HOSTILE) | st.text(alphabet="`*_[]()<>|#-+\\~$@&:\n 1.ab", max_size=40)


def flat(source: str) -> list[Token]:
    reader = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    return [t for token in reader.parse(source) for t in (token, *(token.children or []))]


def kinds(source: str) -> list[str]:
    return [token.type for token in flat(source)]


def controls(text: str, keep: str = "\n") -> set[str]:
    return {c for c in text if unicodedata.category(c) in CONTROL and c not in keep}


@pytest.mark.parametrize("text", HOSTILE)
def test_nothing_invisible_is_left(text: str) -> None:
    assert not controls(markup.visible(text))
    assert not controls(markup.one_line(text), keep="")


def test_a_hidden_character_is_shown_by_its_code() -> None:
    assert markup.visible("\x1b[31m\u202e\U000e0041") == r"\x1b[31m\u202e\U000e0041"
    assert markup.one_line("a\r\nb\tc") == r"a\r\nb\tc"


def test_letters_of_any_script_and_their_accents_stay() -> None:
    for name in ("Zoë", "Zoe\u0308", "李雷", "किरण", "Ольга"):
        assert markup.visible(name) == name


@given(texts)
def test_a_code_span_holds_exactly_the_text(text: str) -> None:
    tokens = flat(f"- **x:** {markup.md_code(text)} end")
    found = [token.content for token in tokens if token.type == "code_inline"]
    assert found == ([markup.one_line(text)] if text else [])


@given(texts)
def test_a_code_span_in_a_cell_never_ends_the_cell(text: str) -> None:
    row = f"| a | b |\n|---|---|\n| {markup.md_cell(text)} | end |\n"
    assert kinds(row).count("td_open") == 2
    assert [token.content for token in flat(row) if token.type == "text"][-1] == "end"


@given(texts)
def test_prose_in_markdown_is_only_text_and_says_the_same(text: str) -> None:
    source = str(markup.md_text(text))
    tokens = [token for token in flat(source) if token.type != "inline"]
    assert {token.type for token in tokens} <= {
        "paragraph_open",
        "paragraph_close",
        "text",
        "text_special",
        "code_inline",
    }
    assert "".join(token.content for token in tokens) == " ".join(markup.visible(" ".join(text.split())).split(" "))


@given(texts)
def test_prose_in_a_table_of_markdown_stays_in_its_cell(text: str) -> None:
    row = f"| a | b |\n|---|---|\n| {markup.md_text(text)} | end |\n"
    assert kinds(row).count("td_open") == 2
    assert [token.content for token in flat(row) if token.type == "text"][-1] == "end"


@pytest.mark.parametrize("text", ["@everyone", "see #12", "GH-3", "$x$"])
def test_mentions_references_and_mathematics_are_in_code_spans(text: str) -> None:
    left = re.sub(r"`[^`]*`", "", markup.md_text(text))
    assert not re.search(r"[@$]|#\d|GH-\d", left)


def test_numbers_and_names_keep_their_looks_in_markdown() -> None:
    for text in ("5.5 of 7", "T_math and T_comms", "B > 243", "zoe.yaml:3: not text"):
        assert markup.md_text(text) == text


@example("[here]()")
@example("[]( )")
@given(texts)
def test_an_author_s_text_gives_only_the_subset_in_html(text: str) -> None:
    html = str(rich.html_rich(text))
    tags = set(re.findall(r"</?([a-z0-9]+)", html))
    assert tags <= {"p", "ul", "ol", "li", "code", "pre", "em", "strong", "a", "br"}
    assert all(re.match(r"https?://", unescape(link)) for link in re.findall(r'href="([^"]*)"', html))
    assert not re.search(r"<[^>]*\son\w+=", html)


@given(texts)
def test_an_author_s_text_gives_only_the_subset_in_markdown(text: str) -> None:
    tokens = flat(str(rich.md_rich(text)))
    allowed = {"paragraph", "bullet_list", "ordered_list", "list_item", "em", "strong", "link"}
    found = {re.sub("_(open|close)$", "", token.type) for token in tokens}
    assert found <= allowed | {"inline", "text", "text_special", "code_inline", "fence", "softbreak"}
    assert all(re.match(r"(?i)https?://", str(t.attrs["href"])) for t in tokens if t.type == "link_open")


RICH = """Two *axes*, **one** `D`:

- first
  goes on
- [book](https://example.org/a?b=1&c=2)

1. one

```
code
```"""


def test_an_author_s_markup_survives_in_markdown() -> None:
    def shape(source: str) -> list[tuple[str, str]]:
        reader = MarkdownIt("commonmark")
        return [
            (t.type, t.content.strip())
            for token in reader.parse(source)
            for t in (token.children or [token])
            if not t.type.startswith("paragraph") and t.type not in {"softbreak", "text"}
        ]

    assert shape(str(rich.md_rich(RICH))) == shape(RICH)


def test_an_author_s_markup_becomes_html() -> None:
    html = rich.html_rich(RICH)
    assert "<em>axes</em>" in html
    assert "<strong>one</strong>" in html
    assert '<a href="https://example.org/a?b=1&amp;c=2">book</a>' in html
    assert html.count("<li>") == 3


@given(st.text(alphabet="ab \n,.T_1", max_size=60))
def test_a_text_without_markup_reads_the_same_with_and_without_the_markdown_reader(text: str) -> None:
    def words(html: str) -> list[list[str]]:
        assert "<br" not in html
        return [block.split() for block in re.findall(r"<p>(.*?)</p>", html, re.S)]

    if not rich._MARKED.search(text):
        assert words(str(rich.html_rich(text))) == words(rich._markdown().render(text))


@given(texts, st.integers(0, 60))
def test_a_response_in_html_is_the_text_with_one_mark(text: str, position: int) -> None:
    html = str(markup.html_response(text, position if position <= len(text) else None))
    assert set(re.findall(r"</?(\w+)", html)) <= {"mark"}
    shown = unescape(re.sub(r"</?mark>", "", html)).replace("\u00a0", " ").strip()
    expected = markup.visible(text).replace("\u00a0", " ").strip()
    assert "".join(shown.split()) == "".join(expected.split())


def test_mathml_of_ours_passes_and_anything_else_falls_back_to_text() -> None:
    ours = '<math display="block"><mfrac><mn>1</mn><msup><mi>B</mi><mn>2</mn></msup></mfrac></math>'
    assert markup.html_math(ours, "1/B^2") == ours.replace("<math", '<math alttext="1/B^2"')
    assert markup.html_math(ours, '"><b>').count("<") == ours.count("<")
    for other in (
        "<math><mtext><script>x</script></mtext></math>",
        '<math onclick="x"><mi>B</mi></math>',
        '<math><mi href="javascript:x">B</mi></math>',
        "<math><mi>B</math",
        "<p>B</p>",
        None,
    ):
        assert markup.html_math(other, "<b>") == "<code>&lt;b&gt;</code>"


@given(texts)
def test_a_terminal_gets_no_control_character_and_a_log_no_command(text: str) -> None:
    for shown in (markup.terminal(text), markup.terminal_wrap(text, 4), markup.terminal_code(text, 4)):
        assert not controls(shown)
        assert "##[" not in shown
        assert "::" not in shown


@given(texts, st.integers(0, 30))
def test_wrapped_lines_are_never_too_wide_and_lose_no_word(text: str, indent: int) -> None:
    lines = markup.terminal_wrap(text, indent, 60).split("\n")
    assert all(markup.cells(line) <= 60 for line in lines)
    together = "".join("".join(lines).split())
    if not set(text) & set("\t:#") and not controls(text):
        assert together == "".join(markup.terminal(" ".join(text.split())).split())


def test_a_list_keeps_its_lines_on_a_terminal() -> None:
    assert markup.terminal_wrap("Two:\n- one\n- two\n\nEnd", 2) == "  Two:\n  - one\n  - two\n  End"


@given(texts.filter(bool), st.data())
def test_the_caret_stands_under_the_fault(text: str, data: st.DataObject) -> None:
    position = data.draw(st.integers(0, len(text) - 1))
    shown, pointer = markup.caret(text, position, 40)
    assert markup.cells(shown) <= 40
    assert pointer.strip() == "^"
    fault = markup.one_line(text[position])
    column, at = len(pointer) - 1, 0
    for index, char in enumerate(shown):
        if at == column:
            if markup.cells(fault) and not unicodedata.combining(text[position]):
                assert shown[index:].startswith(fault[:1])
            break
        at += markup.cells(char)


def test_the_caret_of_a_long_response_shows_its_neighbourhood() -> None:
    shown, pointer = markup.caret("1+" * 100 + "?" + "+2" * 100, 200, 40)
    assert shown[len(pointer) - 1] == "?"
    assert shown[0] == shown[-1] == "…"


def test_the_caret_may_stand_behind_the_last_character() -> None:
    assert markup.caret("2*(B", 4, 40) == ("2*(B", "    ^")
    assert markup.html_response("2*(B", 4) == "2*(B<mark>\u00a0</mark>"


@given(texts)
def test_the_ascii_form_is_ascii(text: str) -> None:
    assert markup.ascii_only(markup.terminal(text)).isascii()


def test_the_ascii_form_spells_symbols_out() -> None:
    assert markup.ascii_only("✓ ◐ ✗ 2×10³ ≤ π, Zoë") == r"+ ~ x 2x10^3 <= pi, Zo\xeb"


@given(texts, texts)
def test_two_ends_of_a_line_fit_it(left: str, right: str) -> None:
    shown = markup.terminal_ends(left, right[:30], 2, 60)
    assert not controls(shown)

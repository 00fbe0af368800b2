"""What was typed into a platform's text box is read as the text that it shows."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.errors import SubmissionError
from grader.sources.onlinetext import answers_in


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p>flops: B*D + D*F</p>", "flops: B*D + D*F\n"),
        ("<h2>Question 4</h2><ul><li>flops: 2BDF</li><li><b>bound</b>: never</li></ul>",
         "## Question 4\n- flops: 2BDF\n- bound: never\n"),
        ("flops: 2BDF<br>bound: never<br/>", "flops: 2BDF\nbound: never\n"),
        ("<p>flops: 2B<sup>2</sup>D<sup>n+1</sup></p>", "flops: 2B^2D^(n+1)\n"),
        ("<p>flops: &lt;b&gt; &amp; 2&nbsp;B</p>", "flops: <b> & 2 B\n"),
        ("<p>flops: <code>2*B</code></p>", "flops: `2*B`\n"),
        ("<style>a: b</style><script>x: 1</script><p>flops: 1\n 2</p>", "flops: 1 2\n"),
        ("<div><div><p>flops: 1</p></div></div><div>bound: 2</div>", "flops: 1\nbound: 2\n"),
    ],
)  # fmt: skip
def test_html_becomes_markdown(html: str, text: str) -> None:
    assert answers_in(html.encode(), "x.html") == ("onlinetext.md", text.encode())


@pytest.mark.parametrize("html", ["<pre>answers:\n  q4:\n    flops: 2\n</pre>",
                                  "answers:<br>&nbsp; q4:<br>&nbsp;&nbsp;&nbsp; flops: 2"])  # fmt: skip
def test_yaml_stays_yaml(html: str) -> None:
    found = answers_in(html.encode(), "x.html")
    assert found is not None
    assert found[0] == "onlinetext.yaml"
    assert found[1].decode().splitlines()[0] == "answers:"
    assert found[1].decode().splitlines()[2] == "    flops: 2"


@pytest.mark.parametrize("html", ["", "<p>see file</p>", "<p></p>", "<script>flops: 1</script>", "<p>!!! ???</p>"])
def test_a_text_without_answers_is_none(html: str) -> None:
    assert answers_in(html.encode(), "x.html") is None


def test_what_is_no_text_is_refused() -> None:
    with pytest.raises(SubmissionError, match="NUL"):
        answers_in(b"<p>\0</p>", "x.html")


PIECES = [
    "<p>", "</p>", "<sup>", "</sup>", "<pre>", "</pre>", "<", ">", "&", "&#x110000;", "<li>", "<!--", "-->",
    "<![CDATA[", "]]>", "<code>", "a: 1", "\n", "<h1>", "<script>", "</h9>", "<![", "<?", "</",
]  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), max_size=30).map("".join))
def test_any_html_is_read(html: str) -> None:
    found = answers_in(html.encode(), "x.html")
    assert found is None or found[1].decode().endswith("\n")

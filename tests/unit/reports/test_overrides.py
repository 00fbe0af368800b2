"""A course's own templates: they change what they say they change, read nothing else, and are told where they fail."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from grader.errors import SpecError
from grader.reports import sandbox
from grader.reports.overrides import Overrides, read_overrides
from grader.reports.render import render
from grader.reports.sandbox import check
from grader.results import Result

Made = Callable[..., Overrides]


@pytest.fixture
def made(tmp_path: Path) -> Made:
    """The templates of a folder with these files."""

    def write(files: Mapping[str, str]) -> Overrides:
        for name, text in files.items():
            (tmp_path / name).write_text(text, encoding="utf-8")
        return read_overrides(tmp_path)

    return write


def faults(action: Callable[[], object]) -> list[str]:
    with pytest.raises(SpecError) as caught:
        action()
    return [f"{Path(f.file).name}:{f.line}: {f.what}" for f in caught.value.faults]


def test_a_block_a_style_and_a_part_are_changed_and_all_else_stays(made: Made, result: Result) -> None:
    files = {
        "result.html": '{% extends "original/result.html" %}\n{% block foot %}<p>Office hours</p>{% endblock %}',
        "style.css": '{% include "original/style.css" %}\n:root { --link: #123456; }\n',
        "part.md": "{{ part.title or part.id }}: {{ part | points }}, {{ part.response }}\n",
    }
    own = made(files)
    check(own)
    html, plain = render(result, "html", overrides=own), render(result, "html")
    assert "Office hours" in html
    assert "--link: #123456" in html
    assert html.split("<header>")[1].split("<footer>")[0] == plain.split("<header>")[1].split("<footer>")[0]
    assert "Peak rate: 0 of 1 point, 591 TFLOP/s" in render(result, "md", overrides=own)
    assert render(result, "txt", overrides=own) == render(result, "txt")
    assert render(result, "html") == plain  # others are as they were


def test_what_students_typed_is_escaped_whatever_a_template_does_with_it(made: Made, result: Result) -> None:
    first = result.exercises[0]
    hostile = replace(first.parts[0], response="<b>*x*</b>", title="<i>{{ 7*7 }}</i>")
    shown = replace(result, exercises=(replace(first, parts=(hostile,)),))
    part = '<p>{{ "a " ~ part.response ~ " " ~ [part.title] | join }}</p>'
    text = render(shown, "html", overrides=made({"part.html": part, "part.md": "{{ 'a ' ~ part.response }}\n"}))
    assert "<p>a &lt;b&gt;*x*&lt;/b&gt; &lt;i&gt;{{ 7*7 }}&lt;/i&gt;</p>" in text
    assert "a &lt;b>\\*x\\*&lt;/b>" in render(shown, "md", overrides=made({}))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{{ part.responze }}", "no attribute 'responze'"),
        ("{{ nothing }}", "'nothing' is undefined"),
        ("{{ part.__class__.__mro__ }}", "unsafe"),
        ("{{ range.__globals__ }}", "unsafe"),
        ("{{ ''.__class__ }}", "unsafe"),
        ("{{ words.clear() }}", "unsafe"),
        ("{{ part.response * 1000000000 }}", "small numbers only"),
        ("{{ 2 ** 100000 }}", "small numbers only"),
        ("{{ '%1000000000s' | format('x') }}", "more than 99 characters"),
        ("{{ part.response.ljust(1000000000) }}", "unsafe"),
        ("{% for n in range(1000000) %}{% endfor %}", "more than 1,000 steps"),
        ('{% include "../course.yaml" %}', "../course.yaml"),
        ('{% include "part.html" %}', "recursion"),
        ("{{ ('a' * 1000) | replace('a', 'b' * 1000) | replace('b', 'c' * 1000) }}", "more than 4,000,000"),
        ("{% set s = 'a' * 1000 %}{{ (s | list | join(s) | list) | join(s) }}", "more than 4,000,000"),
        ("{{ part.response.replace('B', 'b') }}", "unsafe"),
        ("{{ 1 / 0 }}", "ZeroDivisionError"),
    ],
)
def test_a_template_that_fails_is_told_with_its_line_before_a_page_is_made(made: Made, text: str, said: str) -> None:
    (found,) = faults(lambda: check(made({"part.html": f"<p>\n{text}</p>"})))
    assert found.startswith("part.html:2: ")
    assert said in found


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("part.html", "<p>\n{{ part.response | safe }}", "part.html:2: No filter named 'safe'."),
        ("part.html", "<p>\n{% autoescape false %}x{% endautoescape %}", "part.html:2: escaping can't be switched off"),
        ("part.html", "<p>\n{% if part %}", "part.html:2: Unexpected end of template"),
        (
            "result.html",
            "<h1>{{ result.student }}</h1>",
            'result.html:1: begin with {% extends "original/result.html" %}',
        ),
        (
            "result.html",
            '{% extends "base.html" %}\n{% block policy %} script-src *;{% endblock %}',
            "result.html:2: what a page may load",
        ),
        ("base.html", "", "base.html:None: no template has this name"),
        ("reslut.html", "", "did you mean result.html?"),
        ("part.html", "x" * 70_000, "part.html:None: "),
        ("icons.html", "", "macro"),
    ],
)
def test_what_is_no_template_is_refused(made: Made, name: str, text: str, said: str) -> None:
    found = faults(lambda: check(made({name: text})))
    assert len(found) == 1
    assert said in found[0] or name == "icons.html"


def test_all_faults_of_a_folder_are_told_at_once(made: Made) -> None:
    assert len(faults(lambda: check(made({"part.html": "{{", "part.md": "{% x %}", "style.css": "{{ a b }}"})))) == 3


def test_a_link_out_of_the_folder_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("mine", encoding="utf-8")
    folder = tmp_path / "pages"
    folder.mkdir()
    (folder / "style.css").symlink_to(tmp_path / "secret")
    assert faults(lambda: read_overrides(folder))


def test_a_page_may_not_grow_without_end(made: Made, result: Result, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "MOST_OUTPUT", 10_000)
    endless = "{% for a in range(1000) %}{% for b in range(1000) %}{{ a }}{% endfor %}{% endfor %}"
    (found,) = faults(lambda: render(result, "md", overrides=made({"part.md": endless})))
    assert "more than 10,000 characters" in found

"""The reports: what they say, in which order, that they are sound documents and that nothing gets out of its place."""

import os
import re
import subprocess
import sys
import unicodedata
from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from functools import cache
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import yaml
from jinja2 import UndefinedError
from markdown_it import MarkdownIt

from grader.reports.environment import environment
from grader.reports.index import entry, whole_index
from grader.reports.markup import ascii_only, cells, visible
from grader.reports.names import file_stem
from grader.reports.render import render, render_summary, write_index, write_page
from grader.reports.view import STATUS, SYMBOLS, WORDS
from grader.results import Gradebook, Result, Status, Verdict

HERE = Path(__file__).parent
HOSTILE = [
    case["text"]
    for case in yaml.safe_load((HERE.parents[1] / "cases/reports_hostile.yaml").read_text(encoding="utf-8"))
]
VOID = {"meta", "br", "hr", "img", "link", "input", "path", "circle", "rect"}


class Page(HTMLParser):
    """The elements of a page, checked to be nested properly."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.text: list[tuple[str, str]] = []
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append((self.open[-1] if self.open else "", data))

    def all(self, *names: str) -> list[dict[str, str | None]]:
        return [attributes for tag, attributes in self.tags if tag in names]


def with_text(value: Any, text: str, skip: tuple[str, ...]) -> Any:
    """The value with `text` in place of every text in it, but for the fields that authors write."""
    if is_dataclass(value) and not isinstance(value, type):
        names = [f.name for f in fields(value) if f.name not in skip]
        return replace(value, **{name: with_text(getattr(value, name), text, skip) for name in names})
    if isinstance(value, tuple):
        return tuple(with_text(item, text, skip) for item in value)
    return text if type(value) is str and value else value


# Markdown is for authors: a response can't get there. The rest may hold what a student typed.
AUTHORS = ("prompt", "feedback", "hint", "mathml", "solution_mathml", "kind")


def hostile(result: Result, text: str) -> Result:
    changed: Result = with_text(result, text, AUTHORS)
    exercises = tuple(replace(e, parts=tuple(replace(p, position=None) for p in e.parts)) for e in changed.exercises)
    return replace(changed, exercises=exercises)


@pytest.mark.parametrize("form", ["txt", "md", "html"])
def test_a_report_is_as_it_was(result: Result, form: str) -> None:
    report = render(result, form, course_title="All about rooflines")
    report = re.sub(r"<style>.*?</style>", "<style></style>", report, flags=re.S)
    path = HERE / "snapshots" / f"report.{form}"
    if os.environ.get("UPDATE_SNAPSHOTS"):
        path.write_text(report, encoding="utf-8")
    assert report == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("form", ["txt", "md", "html"])
def test_a_report_shows_everything_in_one_order(result: Result, form: str) -> None:
    report = re.sub(
        r"\s+", " ", re.sub(r"<[^>]+>|[*\\`]", "", render(result, form, course_title="All about rooflines"))
    )
    report = report.replace("&gt;", ">")
    wanted = [
        "All about rooflines", "s1024", "5 of 15 points", "1 day late", "How many operations", "You typed", "2BDF",
        "Read as", "intensity", "Within 1% when D, F >= 200 B.", "Solution", "your answer to “flops” and “intensity”",
        "How many output elements", "The batch axis was counted twice", "is one axis", "Peak rate",
        "The peak with sparsity", "The row of another", "critical", "B > 240(1 + 2", "never closed", "lower", "upper",
        "a person will look", "The roofline plot", "too low", "reference", "answers.yaml",
    ]  # fmt: skip
    at = 0
    for text in wanted:
        at = report.find(text, at)
        assert at >= 0, text


@pytest.mark.parametrize("form", ["txt", "md", "html"])
@pytest.mark.parametrize("verdict", list(Verdict))
def test_each_verdict_has_a_word_and_a_shape_of_its_own(result: Result, form: str, verdict: Verdict) -> None:
    part = replace(result.exercises[0].parts[0], verdict=verdict)
    report = render(replace(result, exercises=(replace(result.exercises[0], parts=(part,)),)), form)
    assert WORDS[verdict] in report
    if form != "html":
        assert SYMBOLS[verdict] in report
    assert len(set(WORDS.values())) == len(set(SYMBOLS.values())) == len(Verdict) + 1


def test_the_icons_differ_in_shape() -> None:
    icon = environment("html").get_template("icons.html").module.icon  # type: ignore[attr-defined]
    assert len({str(icon(verdict)) for verdict in Verdict}) == len(Verdict)


@pytest.mark.parametrize("form", ["txt", "md", "html"])
@pytest.mark.parametrize("status", [status for status in Status if status is not Status.GRADED])
def test_a_submission_that_was_not_graded_says_why(form: str, status: Status) -> None:
    report = render(Result(student="s1", source="a.yaml", status=status, message="it is a photograph"), form)
    assert STATUS[status] in report
    assert "it is a photograph" in report
    assert "points" not in re.sub(r"<style>.*?</style>", "", report, flags=re.S)


@pytest.mark.parametrize("form", ["txt", "md", "html"])
def test_what_was_withheld_has_no_trace(result: Result, form: str) -> None:
    def bare(part: Any) -> Any:
        return replace(
            part, explanations=(), ratio=None, solution=None, solution_mathml=None, follow_through=None, plot=None
        )

    exercises = tuple(replace(e, parts=tuple(map(bare, e.parts))) for e in result.exercises)
    report = render(replace(result, exercises=exercises), form)
    report = re.sub(r"<style>.*?</style>", "", report, flags=re.S)
    for word in ("Solution", "Off by", "Why:", "Hint", "hint", "Follows", "counted twice", "svg-", "None"):
        assert word not in report


def test_an_answer_that_follows_from_others_names_them_by_their_titles(result: Result) -> None:
    exercise = result.exercises[0]
    part = replace(exercise.parts[0], follow_through=("peak", "q2-mixed-matmul/flops"))
    report = render(replace(result, exercises=(replace(exercise, parts=(part, *exercise.parts[3:])),)), "txt")
    assert "your answer to “Peak rate” and “q2-mixed-matmul/flops”" in report


def test_an_undefined_name_is_an_error() -> None:
    for form in ("txt", "md", "html"):
        with pytest.raises(UndefinedError):
            environment(form).get_template(f"result.{form}").render(course="", colour=False)


def test_the_page_is_a_sound_document(result: Result) -> None:
    page = Page(render(result, "html", course_title="All about rooflines"))
    names = [tag for tag, _ in page.tags]
    assert [names.count(name) for name in ("html", "h1", "header", "main", "footer", "nav")] == [1] * 6
    assert page.all("html")[0]["lang"] == "en"
    levels = [int(name[1]) for name in names if re.fullmatch("h[1-6]", name)]
    assert levels[0] == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    ids = [attributes["id"] for _, attributes in page.tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    references = {a["href"] for a in page.all("a") if (a.get("href") or "").startswith("#")}
    assert references <= {f"#{name}" for name in ids}
    labels = {name for _, a in page.tags for name in (a.get("aria-labelledby") or "").split()}
    assert labels <= set(ids)


def test_the_page_needs_no_network_and_no_script(result: Result) -> None:
    page = Page(render(result, "html"))
    assert not page.all("script", "link", "iframe", "object", "embed", "img", "form")
    assert not [a for _, attributes in page.tags for a in attributes if a in {"src", "srcset"} or a.startswith("on")]
    policy = next(a["content"] for a in page.all("meta") if a.get("http-equiv") == "Content-Security-Policy")
    assert (policy or "").startswith("default-src 'none'; style-src 'unsafe-inline'; img-src data:")
    assert not re.search(r"url\(|@import", environment("html").get_template("style.css").render())


def test_every_drawing_is_named_or_hidden_and_every_header_cell_has_a_scope(result: Result) -> None:
    page = Page(render(result, "html"))
    for svg in page.all("svg"):
        assert svg.get("aria-hidden") == "true" or (svg.get("role") == "img" and svg.get("aria-labelledby"))
    assert all(cell.get("scope") for cell in page.all("th"))
    links = re.findall(r'<li><a class="\w+" href="#part-\d-\d">(.*?)</a></li>', render(result, "html"), re.S)
    assert len(links) == 8
    assert all(re.search(r'<span class="sr">[^<]+: [^<]+</span>', link) for link in links)


def _luminance(colour: str) -> float:
    digits = colour.lstrip("#")
    digits = "".join(d * 2 for d in digits) if len(digits) == 3 else digits
    channels = [int(digits[i : i + 2], 16) / 255 for i in (0, 2, 4)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def _contrast(one: str, other: str) -> float:
    high, low = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
def test_every_colour_of_text_stands_out_from_its_ground(scheme: int) -> None:
    css = environment("html").get_template("style.css").render()
    block = re.findall(r":root \{(.*?)\}", css, re.S)[scheme]
    colours = dict(re.findall(r"--(\w+): (#[0-9a-f]+);", block))
    grounds = {"paper", "card", "code", "rule"}
    assert len(colours) > 15
    for name, colour in colours.items():
        if name not in grounds:
            assert _contrast(colour, colours["paper"]) >= 4.5, name
    for name in ("ink", "invalid"):
        assert _contrast(colours[name], colours["code"]) >= 4.5, name


def elements(page: Page) -> list[tuple[str, dict[str, str | None]]]:
    moved = {"d", "x", "y", "cx", "cy", "points", "alttext"}  # a drawing makes room for long labels
    return [(tag, {k: None if k in moved else v for k, v in attributes.items()}) for tag, attributes in page.tags]


def structure(source: str) -> list[str]:
    blocks = MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(source)
    inner = {"text", "text_special", "code_inline"}
    return [t.type for b in blocks for t in (b, *(b.children or [])) if t.type not in inner]


@cache
def harmless(result: Result, form: str) -> Any:
    """The elements of a page, or the structure of a Markdown report, with a harmless text everywhere."""
    report = render(hostile(result, "benign"), form, course_title="benign")
    return elements(Page(report)) if form == "html" else structure(report)


@pytest.mark.parametrize("text", HOSTILE)
def test_no_text_changes_the_elements_of_a_page(result: Result, text: str) -> None:
    page = Page(render(hostile(result, text), "html", course_title=text))
    assert elements(page) == harmless(result, "html")
    assert visible(text) in [data for tag, data in page.text if tag == "code"]


@pytest.mark.parametrize("text", HOSTILE)
def test_no_text_changes_the_structure_of_a_markdown_report(result: Result, text: str) -> None:
    assert structure(render(hostile(result, text), "md", course_title=text)) == harmless(result, "md")


@pytest.mark.parametrize("text", HOSTILE)
def test_no_text_reaches_a_terminal_as_a_command(result: Result, text: str) -> None:
    report = render(hostile(result, text), "txt", course_title=text)
    assert not [c for c in report if unicodedata.category(c) in {"Cc", "Cf", "Cs", "Zl", "Zp"} and c != "\n"]
    assert "::" not in report
    assert "##[" not in report
    assert ascii_only(report).isascii()


@pytest.mark.parametrize("text", HOSTILE)
def test_no_text_changes_the_rows_of_a_summary(text: str) -> None:
    def made(shown: str, form: str) -> str:
        result = Result(
            student=shown, name=f"{shown}.", source=shown, status=Status.GRADED, remarks=(shown,), flags=(f"{shown}!",)
        )
        return whole_index([entry(result, page="a")], form, title=shown, grader=shown)

    assert Page(made(text, "html")).tags == Page(made("benign", "html")).tags
    reader = MarkdownIt("commonmark").enable("table")
    assert [t.type for t in reader.parse(made(text, "md"))] == [t.type for t in reader.parse(made("benign", "md"))]
    assert not [c for c in made(text, "txt") if unicodedata.category(c) in {"Cc", "Cf"} and c != "\n"]


@pytest.mark.parametrize("form", ["txt", "md", "html"])
@pytest.mark.parametrize("text", HOSTILE)
def test_no_author_s_text_breaks_a_report(result: Result, form: str, text: str) -> None:
    report = render(with_text(result, text, ("mathml", "solution_mathml", "kind")), form)
    if form == "html":
        page = Page(report)
        assert [tag for tag, _ in page.tags].count("h1") == 1
        assert not page.all("script", "img", "iframe", "b", "i")
        assert len(page.all("meta")) == 6
        assert not [a for _, attributes in page.tags for a in attributes if a.startswith("on")]
        assert all(re.match(r"#|https?://", a["href"] or "") for a in page.all("a"))
    if form == "md":
        headings = [t for t in MarkdownIt("commonmark").parse(report) if t.type == "heading_open"]
        assert len(headings) == 1 + len(result.exercises) + sum(len(e.parts) for e in result.exercises)


def test_a_terminal_report_is_at_most_eighty_columns_wide(result: Result) -> None:
    assert max(map(cells, render(result, "txt", course_title="All about rooflines " * 9).splitlines())) == 80


def test_colour_touches_the_verdicts_alone(result: Result) -> None:
    plain, coloured = render(result, "txt"), render(result, "txt", colour=True)
    assert "\x1b" not in plain
    assert re.sub(r"\x1b\[\d+m", "", coloured) == plain
    words = re.findall(r"\x1b\[\d+m(.*?)\x1b\[0m", coloured)
    assert {word.split(" ", 1)[1] for word in words} == set(WORDS.values()) - {WORDS[None]}


@pytest.mark.parametrize("form", ["txt", "md", "html"])
def test_a_summary_has_a_line_for_each_submission(book: Gradebook, form: str) -> None:
    summary = render_summary(book, form)
    for text in ("All about rooflines", "3 submissions", "s1024", "5 of 15", "Zoë", "1 to be reviewed", "not text"):
        assert text in summary


def test_a_page_that_can_t_be_replaced_stays_and_no_temporary_file_is_left(
    book: Gradebook, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "s1024.html").write_text("before", encoding="utf-8")

    def full(self: Path, target: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(OSError, match="No space"):
        write_page(tmp_path, "s1024", book.results[0], ["html"], course_title="")
    assert os.listdir(tmp_path) == ["s1024.html"]
    assert (tmp_path / "s1024.html").read_text(encoding="utf-8") == "before"


def test_the_index_links_to_the_page_of_each_student(book: Gradebook, tmp_path: Path) -> None:
    entries = [entry(result, page=file_stem(result.student)) for result in book.results]
    (written,) = write_index(tmp_path, entries, ["html"], title="", grader="")
    links = {a["href"] for a in Page(written.read_text(encoding="utf-8")).all("a")}
    assert {f"{each.page}.html" for each in entries} <= links


def test_odd_names_of_students_have_files_of_their_own_that_can_be_written(book: Gradebook, tmp_path: Path) -> None:
    names = ("../up", "CON", "a/b", "s1", "S1", "\u00e9", "e\u0301", "\udcff", "x" * 400, "index", "class", "results")
    for name in names:
        blank = Result(student=name, source="a", status=Status.MISSING)
        (path,) = write_page(tmp_path, file_stem(name), blank, ["html"], course_title="")
        assert path.parent == tmp_path
    stems = {path.stem.lower() for path in tmp_path.iterdir()}
    assert len(stems) == len(names)
    assert not stems & {"con", "index", "class", "results"}


@pytest.fixture
def fresh_environments() -> Iterator[None]:
    environment.cache_clear()
    yield
    environment.cache_clear()


@pytest.fixture
def cache_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fresh_environments: None) -> Path:
    import platformdirs

    monkeypatch.setattr(platformdirs, "user_cache_path", lambda *_, **__: tmp_path / "cache")
    return tmp_path / "cache"


@pytest.mark.skipif(os.name == "nt", reason="Windows has no modes of files")
def test_compiled_templates_are_kept_in_a_private_folder(result: Result, cache_home: Path) -> None:
    before = render(result, "md")
    assert (cache_home / "templates").stat().st_mode & 0o777 == 0o700
    assert list((cache_home / "templates").iterdir())
    environment.cache_clear()
    assert render(result, "md") == before


@pytest.mark.parametrize("broken", ["unwritable", "a file", "open to all", "rubbish"])
def test_a_cache_that_can_t_be_used_is_no_reason_to_fail(result: Result, cache_home: Path, broken: str) -> None:
    folder = cache_home / "templates"
    if broken == "a file":
        cache_home.write_text("", encoding="utf-8")
    elif broken == "rubbish":
        render(result, "md")
        for path in folder.iterdir():
            path.write_bytes(path.read_bytes()[:40])
    else:
        folder.mkdir(parents=True)
        folder.chmod(0o500 if broken == "unwritable" else 0o777)
    environment.cache_clear()
    assert "5 of 15 points" in render(result, "md")
    if broken == "open to all" and os.name != "nt":
        assert not list(folder.iterdir())


def test_a_plain_report_loads_nothing_that_is_slow_to_import() -> None:
    code = (
        "import sys; from grader.reports.render import render; from grader.results import Result, Status;"
        "render(Result(student='s', source='a', status=Status.MISSING), 'txt');"
        "print([m for m in ('markdown_it', 'sympy', 'numpy', 'pydantic', 'rich', 'asyncio') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=HERE.parents[2])
    assert done.stdout.strip() == "[]"

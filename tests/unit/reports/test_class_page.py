"""The page of a class: everything in it, nothing that a text of a student adds, and one analysis whatever feeds it."""

import json
import re
from base64 import b64encode
from dataclasses import replace
from functools import cache
from hashlib import sha256
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from grader.analysis.summary import analyse
from grader.class_report import of_gradebook, of_store
from grader.publish import Form, Here, publish
from grader.reports import class_page as class_page_module
from grader.reports import index as index_module
from grader.reports.class_page import Class, class_page, class_pages
from grader.reports.index import MOST_ROWS, entry
from grader.results import Gradebook, Override, PartResult, Result, Reveal, Status, Verdict, to_json
from grader.results_file import ResultsError, read_results
from grader.store import open_journal, open_store
from tests.unit.analysis.made import COLUMNS, WRONG, answer, sat, wrong
from tests.unit.reports.test_render import HOSTILE, Page
from tests.unit.store.made import OUTLINE, graded, marked, part, told

HOSTILE_NAMES = [*HOSTILE, "-rf", "'; rm -rf ~", "</script><script>alert(1)</script>", "=cmd()"]


def of_class(text: str = "", count: int = 4, **more: object) -> Class:
    """A class in which something is in every section; `text` stands in all that students write."""
    sittings = [
        sat(
            f"{text}s{number}",
            wrong("a", text or "2*B", ratio="B/2", ratio_cluster="r", cluster="c"),
            answer("b", verdict=Verdict.INVALID, points=0, response=text or "2B +", message=text or "unfinished"),
            answer("c", **WRONG, mistakes=("twice",), titles=(("twice", "Counted twice"),)),
        )
        for number in range(count)
    ]
    results = [
        Result(student=one.student, source="", name=text, status=Status.GRADED, points=2, max_points=6)
        for one in sittings
    ]
    return Class(
        title="All",
        grader="1",
        analysis=analyse(sittings, COLUMNS),
        entries=tuple(entry(result, page="s") for result in results),
        flags=(("late", f"{text}s1", text or "2 days late"), ("unknown", text or "who", text)),
        store=".",
        beside=True,
        **more,  # type: ignore[arg-type]
    )


def skeleton(page: Page) -> list[tuple[str, list[str]]]:
    return [(tag, sorted(attributes)) for tag, attributes in page.tags]


@cache
def plain(form: str) -> str:
    """The page of a class that writes nothing odd."""
    return class_page(of_class("x"), form)


@pytest.mark.parametrize("text", HOSTILE_NAMES, ids=range(len(HOSTILE_NAMES)))
def test_no_text_of_a_student_changes_the_elements_of_the_page(text: str) -> None:
    page = Page(class_page(of_class(text), "html"))
    # a student whose name begins with a dash has another command, which is text as well
    assert skeleton(page) == skeleton(Page(plain("html")))
    addresses = {str(a["href"]) for a in page.all("a")}
    assert all(address.startswith("#") or address in ("index.html", "s.html") for address in addresses)
    markdown = class_page(of_class(text), "md")
    reader = MarkdownIt("commonmark").enable("table")
    assert [t.type for t in reader.parse(markdown)] == [t.type for t in reader.parse(plain("md"))]
    assert "<script>" not in re.sub(r"<code>.*?</code>", "", reader.render(markdown), flags=re.S)


def test_the_page_is_a_sound_document_and_says_for_whom_it_is() -> None:
    html = class_page(of_class(), "html")
    page = Page(html)
    names = [tag for tag, _ in page.tags]
    assert [names.count(name) for name in ("html", "h1", "header", "main", "footer", "script")] == [1] * 6
    ids = [attributes["id"] for _, attributes in page.tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    assert {str(a["href"])[1:] for a in page.all("a") if str(a["href"]).startswith("#")} <= set(ids)
    assert all(a.get("role") == "img" or a.get("aria-hidden") for a in page.all("svg"))
    assert "For staff only" in html
    for section in ("The key may be wrong", "Scores", "Parts", "Mistakes", "Equal answers", "To be looked at", "Late"):
        assert section in html
    for text in ("4 students off by a factor of B/2", "change: {flops: &#39;(B/2) * flops&#39;}", "Counted twice",
                 "grader override --why REASON . s0 q.b POINTS", "grader export . --to csv"):  # fmt: skip
        assert text in html


def test_the_page_allows_its_own_script_alone_and_that_reads_and_writes_text() -> None:
    html = class_page(of_class(), "html")
    (script,) = re.findall(r"<script>(.*?)</script>", html, re.S)
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]*)"', html)
    digest = b64encode(sha256(script.encode()).digest()).decode()
    assert f"script-src &#39;sha256-{digest}&#39;;" in policy or f"script-src 'sha256-{digest}';" in policy
    assert "default-src 'none'" in policy
    assert not re.search(r"innerHTML|outerHTML|insertAdjacent|document\.write|eval|fetch|XMLHttp|import", script)
    assert not re.search(r"""(?:src|href)="(?:https?:)?//""", html)


def test_a_large_class_goes_on_in_further_pages() -> None:
    pages = class_pages(of_class(count=MOST_ROWS + 1))
    assert list(pages) == ["class.html", "class-2.html"]
    assert 'href="class-2.html#all"' in pages["class.html"]
    assert "Cronbach" not in re.sub(r"<style>.*?</style>", "", pages["class-2.html"], flags=re.S)
    assert all(len(page.encode()) < 3_000_000 for page in pages.values())


def test_the_page_of_nobody_is_a_page() -> None:
    nobody = Class(title="All", grader="1", analysis=analyse((), COLUMNS), entries=())
    for form in ("html", "md"):
        assert "0 of 0" in class_page(nobody, form)


def test_a_store_and_its_results_give_the_same_analysis(tmp_path: Path) -> None:
    odd = part("bytes", 0, 3, cluster="c1", ratio="1/2", ratio_cluster="r1", read_as="B*D")
    named = part("flops", 0, 3, mistakes=("half",), alternatives=(("other",),), follow_through=("bytes",))
    undecided = part("ridge", 0, 4, verdict=Verdict.UNDECIDED, message="no luck")

    def parts(*replaced: PartResult) -> list[PartResult]:
        chosen = [next((one for one in replaced if one.id == plain.id), plain) for plain in marked(3, 3, 4)]
        titles = {column.part: column.title for column in OUTLINE.columns}
        return [replace(one, title=titles[one.id]) for one in chosen]

    with open_journal(tmp_path) as journal:
        graded(journal, told("ann", parts(odd)), told("ben", parts(named, undecided)), told("cem"),
               told("dee", parts(odd, undecided)))  # fmt: skip
        journal.override("dee", "q2", "ridge", Override(points=2, before=None, why="x"))
    with open_store(tmp_path) as store:
        found = of_store(store, name=".", pages=False)
        book = Gradebook(course="rooflines", grader="0.1.0", results=tuple(store.results()))
    (tmp_path / "results.json").write_text(json.dumps(to_json(book)), encoding="utf-8")
    again = read_results(tmp_path / "results.json")
    assert again == book
    other = of_gradebook(again)
    assert other.analysis == found.analysis
    assert [flag[0] for flag in other.flags] == ["failed"]
    assert [flag[0] for flag in found.flags] == ["failed", "same"]
    assert [one.students for one in found.analysis.clusters] == [("ann", "dee")]
    assert found.analysis.given == (("dee", ("q2", "ridge"), 2),)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "no JSON"), ("[]", "no results"), ('{"results": 3}', "damaged"), ('{"results": [{}]}', "damaged"),
        ('{"results": [], "schema": 9}', "schema 9"), ('{"results": [], "course": 1, "grader": ""}', "damaged"),
    ],
)  # fmt: skip
def test_what_are_no_results_is_told_in_one_line(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "results.json").write_text(text, encoding="utf-8")
    with pytest.raises(ResultsError, match=said) as told_so:
        read_results(tmp_path / "results.json")
    assert "\n" not in str(told_so.value)


def test_names_that_a_newer_grader_adds_are_passed_over(tmp_path: Path) -> None:
    book = Gradebook(course="c", grader="1", results=(Result(student="s", source="", status=Status.MISSING),))
    data = {**to_json(book), "more": 1}
    data["results"][0]["more"] = [2]
    (tmp_path / "results.json").write_text(json.dumps(data), encoding="utf-8")
    assert read_results(tmp_path / "results.json") == replace(book)


class Unwatched:
    """Nobody looks."""

    def begin(self, what: str, total: int | None) -> None:
        """Nothing."""

    def step(self) -> None:
        """Nothing."""


def test_further_pages_go_when_a_class_has_become_smaller(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    form = Form(formats=("html", "md"), reveal=Reveal.MISTAKE, title="All")
    further = {f"{stem}-{number}.{form}" for stem, form in (("class", "html"), ("index", "html"), ("index", "md"))
               for number in (2, 3)}  # fmt: skip
    with open_journal(tmp_path) as journal:
        graded(journal, *(told(name, marked(3, 3, 4)) for name in ("ann", "ben", "cem")))
        for module in (class_page_module, index_module):
            monkeypatch.setattr(module, "MOST_ROWS", 1)
        publish(journal, tmp_path, form, Here(), Unwatched())
        assert further <= {path.name for path in tmp_path.iterdir()}
        for module in (class_page_module, index_module):
            monkeypatch.setattr(module, "MOST_ROWS", 9)
        journal.override("cem", "q2", "ridge", Override(points=1, before=None, why="x"))
        publish(journal, tmp_path, form, Here(), Unwatched())
    left = {path.name for path in tmp_path.iterdir()}
    assert not further & left
    assert {"class.html", "index.html", "index.md", "ann.html"} <= left

"""A course's own templates, through the whole program: pages follow them, and a fault in one costs no results."""

from pathlib import Path

from tests.e2e.conftest import Run
from tests.e2e.small import TOTALS, Small, made


def test_pages_follow_the_templates_of_the_course_and_a_fault_in_them_costs_no_results(
    tmp_path: Path, grader: Run
) -> None:
    small: Small = made(tmp_path / "small", grader)
    plain = small.pages()
    own = small.folder / "course/pages"
    own.mkdir()
    (own / "result.html").write_text(
        '{% extends "original/result.html" %}\n{% block foot %}Ask Ada.{% endblock %}\n', encoding="utf-8"
    )
    (own / "style.css").write_text('{% include "original/style.css" %}\n:root { --link: #123456 }\n', encoding="utf-8")
    small.course(course=("title: Tiny", "title: Tiny\ntemplates: pages"))

    again = small.grade()
    assert again.returncode == 0, again.stderr
    assert "5 unchanged" in again.stdout
    students = {f"{student}.html" for student in TOTALS}
    assert all(b"Ask Ada." in small.pages()[name] for name in students)
    assert b"#123456" in small.pages()["index.html"]
    assert {name: page for name, page in small.pages().items() if name.endswith(".md")} == {
        name: page for name, page in plain.items() if name.endswith(".md")
    }

    (own / "part.html").write_text("<p>\n{{ part.responze }}</p>\n", encoding="utf-8")
    before, dump = small.pages(), small.dump()
    failed = small.grade()
    assert failed.returncode == 2
    assert "part.html:2: " in failed.stderr
    assert "responze" in failed.stderr
    assert "Traceback" not in failed.stderr
    assert small.pages() == before
    assert small.dump() == dump
    assert "part.html:2: " in small.run("lint").stdout

    (own / "part.html").write_text("<p>{{ part.response }}</p>\n", encoding="utf-8")
    given = small.run("override", "out", "ben", "fixed.ops", "1", "--why", "agreed")
    assert given.returncode == 0, given.stderr
    assert b"<p>BDF</p>" in small.pages()["ben.html"]
    assert b"<p>2BDF</p>" in small.pages()["ann.html"]  # all pages depend on the templates

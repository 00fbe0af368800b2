"""The index of a class, small and large."""

import os
import re
from pathlib import Path

import pytest

from grader.reports.index import Entry, entry, index_pages, overview, whole_index
from grader.reports.markup import cells
from grader.reports.names import file_stem
from grader.reports.render import write_index
from grader.results import ExerciseResult, Override, PartResult, Result, Status, Verdict


def row(number: int, status: Status = Status.GRADED, urgency: int = 0, points: int = 7) -> Entry:
    return Entry(
        student=f"s{number:05}", status=status, points=points, max_points=10, scored=status == Status.GRADED,
        notes=("why",) if urgency else (), urgency=urgency, page=f"s{number:05}",
    )  # fmt: skip


def text(rows: list[Entry]) -> str:
    return whole_index(rows, "txt", title="All", grader="1")


def test_a_small_class_is_listed_in_plain_text() -> None:
    shown = text([row(number) for number in range(50)])
    assert shown.count("7 of 10 points") == 50
    assert "Share" not in shown


def test_of_a_large_class_the_text_has_numbers_a_distribution_and_who_must_be_looked_at() -> None:
    rows = [row(number, points=number % 11) for number in range(1100)]
    rows += [row(2000 + number, urgency=1) for number in range(40)]
    rows += [row(3000 + number, Status.UNREADABLE, urgency=2, points=0) for number in range(30)]
    shown = text(rows)
    assert "1,170 submissions" in shown
    assert re.search(r"^ +1,140  Graded$", shown, re.M)
    assert re.search(r"^ +30  The file could not be read$", shown, re.M)
    assert re.search(r"^ +140  70–79 % +█{40}$", shown, re.M)
    assert re.search(r"^ +100  100 % +█{29}$", shown, re.M)
    listed = re.findall(r"^s\d+", shown, re.M)
    assert listed == [f"s{3000 + n:05}" for n in range(30)] + [f"s{2000 + n:05}" for n in range(20)]
    assert shown.endswith("and 20 more\n")
    assert max(map(cells, shown.splitlines())) <= 80


def test_a_share_is_of_the_row_that_it_reaches() -> None:
    shares = {label: number for label, number, _ in overview([row(n, points=n) for n in (0, 9, 10, 10)]).bars}
    assert (shares["0–9 %"], shares["90–99 %"], shares["100 %"]) == (1, 1, 2)
    assert overview([row(1, Status.MISSING)]).bars == ()


@pytest.mark.parametrize("form", ["html", "md"])
def test_a_large_index_has_pages_that_lead_to_each_other(form: str) -> None:
    pages = index_pages([row(number) for number in range(4001)], form, title="All", grader="1")
    assert list(pages) == [f"index.{form}", f"index-2.{form}", f"index-3.{form}"]
    counts = [len(set(re.findall(rf"s\d+\.{form}", page))) for page in pages.values()]
    assert counts == [2000, 2000, 1]
    for name, page in pages.items():
        assert "4,001 submissions: Graded 4,001" in page
        assert {other for other in pages if other in page} == set(pages) - {name}


@pytest.mark.parametrize("form", ["html", "md", "txt"])
def test_an_index_of_nobody_is_a_page(form: str) -> None:
    ((name, page),) = index_pages([], form, title="All", grader="1").items()
    assert name == f"index.{form}"
    assert "0 submissions" in page


def test_no_student_s_page_is_in_the_place_of_one_of_the_index() -> None:
    assert not {file_stem(name) for name in ("index", "index-2", "index-31")} & {"index", "index-2", "index-31"}


def test_the_index_is_written_from_rows_as_they_come(tmp_path: Path) -> None:
    paths = write_index(tmp_path, (row(number) for number in range(3)), ("html", "md"), title="All", grader="1")
    assert sorted(path.name for path in paths) == sorted(os.listdir(tmp_path)) == ["index.html", "index.md"]
    assert 'href="s00002.html"' in paths[0].read_text(encoding="utf-8")


def result(status: Status, *parts: PartResult, flags: tuple[str, ...] = ()) -> Result:
    exercise = ExerciseResult(id="q", title="", points=0, max_points=1, parts=parts)
    return Result(student="s1", source="a", status=status, exercises=(exercise,) if parts else (), flags=flags)


def test_a_person_must_look_at_what_was_not_graded_or_decided_until_one_has_marked_it() -> None:
    undecided = PartResult(id="a", verdict=Verdict.UNDECIDED, points=0, max_points=1)
    marked = PartResult(
        id="a", verdict=Verdict.UNDECIDED, points=1, max_points=1, override=Override(points=1, before=0)
    )
    assert entry(result(Status.GRADED, undecided)).urgency == 2
    assert entry(result(Status.GRADED, marked)).urgency == 0
    assert entry(result(Status.GRADED, marked)).notes == ("1 part marked by a person",)
    assert [entry(result(status)).urgency for status in Status] == [0, 0, 2, 2, 2]
    assert entry(result(Status.UNREADABLE, marked)).urgency == 0
    assert entry(result(Status.GRADED, flags=("x",))).urgency == 1

"""What the manual says of stores, flags and exports is so: its tables name everything, its queries run."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from grader.flags import KINDS
from grader.store import open_journal
from tests.e2e.conftest import ROOT
from tests.e2e.test_documentation import blocks, code, rows, section
from tests.unit.store.made import graded, marked, told


@pytest.fixture
def store(tmp_path: Path) -> Path:
    with open_journal(tmp_path) as journal:
        graded(journal, told("s1", marked(3, 1, 0)))
    return tmp_path / "grades.sqlite"


def test_the_queries_on_the_store_run(store: Path) -> None:
    queries = [content for language, content in blocks(section("The store")) if language == "sql"]
    assert queries
    with closing(sqlite3.connect(store)) as opened:
        for query in ";".join(queries).split(";"):
            opened.execute(query).fetchall()


def test_every_table_and_view_of_the_store_is_documented(store: Path) -> None:
    with closing(sqlite3.connect(store)) as opened:
        made = opened.execute("select type, name from sqlite_master where type in ('table', 'view')").fetchall()
    assert {name for row in rows("The store") for name in code(row[0])} == {n for kind, n in made if kind == "table"}
    views = {name for kind, name in made if kind == "view"}
    assert views == {"answers", "mistakes"}
    assert views <= set(code(section("The store")))


def test_every_flag_is_documented() -> None:
    assert {name for row in rows("flags: what a person should look at") for name in code(row[0])} == set(KINDS)


def test_every_format_of_an_export_is_documented() -> None:
    modules = (ROOT / "grader/exports").glob("*.py")
    formats = {path.stem for path in modules if "\ndef export(" in path.read_text(encoding="utf-8")}
    assert {name for row in rows("export: gradebooks") for name in code(row[0])} == formats

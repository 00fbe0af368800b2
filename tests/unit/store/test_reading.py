"""A store is plain SQLite: others read it through its views, and what is wrong with it is told in a line."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from grader.gradebook import is_anonymous
from grader.policy import settle
from grader.store import StoreError, open_journal, open_store
from tests.unit.store.made import graded, marked, part, points, rows, task, told


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A store with two students."""
    wrong = [
        part("flops", 0, 3, mistakes=("half",)),
        part("bytes", 3, 3),
        part("ridge", 0, 4, mistakes=("half", "peak")),
    ]
    with open_journal(tmp_path / "out") as journal:
        graded(journal, told("s1", wrong), told("s2", marked(3, 3, 4)), told("s3", message="gave up"))
    return tmp_path / "out"


# --- for other programs -----------------------------------------------------------------------------------------------


def test_the_views_tell_answers_and_mistakes_without_a_join(folder: Path) -> None:
    found = rows(folder, "select student, exercise, part, verdict, points, response, line, source from answers")
    assert found[:3] == [
        ("s1", "q1", "flops", "incorrect", 0, "2BDF", 1, "s1/answers.yaml"),
        ("s1", "q1", "bytes", "correct", 3, "BD", 2, "s1/answers.yaml"),
        ("s1", "q2", "ridge", "incorrect", 0, "240", 3, "s1/answers.yaml"),
    ]
    assert len(found) == 6
    assert sorted(rows(folder, "select * from mistakes")) == [
        ("q1", "flops", "half", 1), ("q2", "ridge", "half", 1), ("q2", "ridge", "peak", 1)
    ]  # fmt: skip


def test_the_gradebook_is_a_table(folder: Path) -> None:
    assert rows(folder, "select student, status, points, max_points, attempts from grade order by student") == [
        ("s1", "graded", 3, 10, 1), ("s2", "graded", 10, 10, 1), ("s3", "failed", 0, 10, 1)
    ]  # fmt: skip


def test_a_store_is_one_file_when_nobody_writes(folder: Path) -> None:
    assert sorted(path.name for path in folder.iterdir() if path.suffix != ".lock") == ["grades.sqlite"]
    assert rows(folder, "pragma integrity_check") == [("ok",)]


def test_it_can_be_read_while_it_is_written(folder: Path) -> None:
    with open_journal(folder) as journal:
        journal.begin(task(judged="v2"))
        journal.put("x", [told("s9", marked(3, 3, 4))], "worker")
        with open_store(folder) as store:
            assert [row.student.id for row in store.rows()] == ["s1", "s2", "s3"]
        journal.finish()
    with open_store(folder) as store:
        assert [row.student.id for row in store.rows()] == ["s1", "s2", "s3", "s9"]


def test_a_store_is_named_by_its_folder_or_by_its_file(folder: Path) -> None:
    for path in (folder, folder / "grades.sqlite"):
        with open_store(path) as store:
            assert store.path == folder / "grades.sqlite"


def test_a_store_on_a_medium_that_cannot_be_written_is_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    genuine = sqlite3.connect
    asked = []

    def connect(address: str, **options: object) -> sqlite3.Connection:
        asked.append(address)
        if "immutable" in address:
            return genuine(address, **options)  # type: ignore[call-overload, no-any-return]

        class Refusing(sqlite3.Connection):
            def execute(self, *_: object) -> sqlite3.Cursor:
                raise sqlite3.OperationalError("unable to open database file")

        return genuine(address, factory=Refusing, **options)  # type: ignore[call-overload, no-any-return]

    monkeypatch.setattr(sqlite3, "connect", connect)
    with open_store(folder) as store:
        assert points(store) == {"s1": 3, "s2": 10, "s3": 0}  # type: ignore[arg-type]
    assert len(asked) == 2


def test_pseudonyms_come_in_an_order_that_tells_nothing(folder: Path) -> None:
    with open_journal(folder) as journal:
        graded(journal, *(told(f"s{number:02}", marked(number % 4, 0, 0)) for number in range(30)))
    with open_store(folder) as store:
        found = list(store.shuffled(b"a key"))
        assert [row.student.id for row in found] == sorted(row.student.id for row in found)
        assert all(is_anonymous(row.student) for row in found)
        assert sorted(row.result.points or 0 for row in found) == sorted(row.result.points or 0 for row in store.rows())
        assert [row.student.id for row in store.shuffled(b"another")] != [row.student.id for row in found]


# --- what is wrong ----------------------------------------------------------------------------------------------------


def refused(path: Path) -> str:
    """What is said of it, reading and writing, which is the same."""
    with pytest.raises(StoreError) as reading, open_store(path) as store:
        list(store.rows())
    with pytest.raises(StoreError) as writing, open_journal(path) as journal:
        list(journal.rows())
    assert str(reading.value) == str(writing.value)
    assert "\n" not in str(reading.value)
    return str(reading.value)


def test_a_folder_without_a_store_is_told_with_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"there is no store; make one with grader grade PATH\.\.\. -o"):
        open_store(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_another_program_s_database_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "grades.sqlite"
    with closing(sqlite3.connect(file)) as other:
        other.executescript("create table bookmarks (url text); insert into bookmarks values ('x');")
    before = file.read_bytes()
    assert refused(tmp_path).endswith("this database is not a store of the grader; name another folder")
    with closing(sqlite3.connect(file)) as other:
        assert other.execute("select * from bookmarks").fetchall() == [("x",)]
    assert len(before) == len(file.read_bytes())


def test_a_store_of_a_newer_version_is_left_alone(folder: Path) -> None:
    with closing(sqlite3.connect(folder / "grades.sqlite")) as store:
        store.execute("pragma user_version = 99")
    assert refused(folder).endswith("made by a newer version of the grader; update the grader")


def test_what_is_no_database_is_told(tmp_path: Path) -> None:
    (tmp_path / "grades.sqlite").write_text("student: s1\n" * 200, encoding="utf-8")
    assert refused(tmp_path).endswith("this is no store, or it is damaged; name another folder")


def test_a_damaged_store_is_told_and_not_taken_for_an_empty_one(folder: Path) -> None:
    file = folder / "grades.sqlite"
    data = bytearray(file.read_bytes())
    for start in range(4096, len(data), 4096):
        data[start : start + 4096] = b"\xa5" * 4096
    file.write_bytes(data)
    assert "malformed" in refused(folder)


def test_a_store_in_which_nothing_was_graded_says_so(tmp_path: Path) -> None:
    with open_journal(tmp_path / "out"):
        pass
    with open_store(tmp_path / "out") as store, pytest.raises(StoreError, match="nothing has been graded here yet"):
        store.run()


def test_a_fault_of_the_disk_in_the_middle_is_told_with_the_file(folder: Path) -> None:
    with pytest.raises(StoreError, match=r"grades\.sqlite: no such table: gradez"), open_store(folder) as store:
        store.db.execute("select * from gradez")


def test_where_no_rule_applies_a_result_is_what_the_rules_make_of_it(tmp_path: Path) -> None:
    with open_journal(tmp_path) as journal:
        graded(
            journal,
            told("s1", marked(2, 1, 4)),
            told("s2", marked(0, 0, 0)),
            told("s3", status="unreadable", message="bad"),
        )
        for light in (True, False):
            for _, attempts, settled in journal._students(light=light):
                assert settled == settle(attempts, journal.run().policy, {}, outline=journal.run().outline)

"""What would be graded, listed before anything is graded."""

from pathlib import Path

import pytest

from grader.bundle import Bundle
from grader.gradebook import Student
from grader.listing import Entry, listing
from grader.results import Status
from grader.roster import Roster
from grader.sources.finding import find
from tests.unit.sources.trees import ANSWERS, put, zipped

ADA = Student(id="s1", name="Ada Example", aliases=("s1", "0429", "70001"))
BO = Student(id="s2", name="Bo Sample", aliases=("s2", "70002"))
CY = Student(id="s3", name="", aliases=("s3",))
CLASS = Roster(students=(ADA, BO, CY), remarks=("line 3: odd",))


def test_who_handed_in_what_who_did_not_and_who_is_not_known(tmp_path: Path) -> None:
    put(
        tmp_path,
        {
            "Ada Example_70001_assignsubmission_file/answers.yaml": ANSWERS,
            "Ada Example_70001_assignsubmission_file/plot.csv": "B,y\n",
            "Bo Sample_70002_assignsubmission_file": None,
            "Eve X_70009_assignsubmission_file/a.zip": zipped({"../answers.yaml": "x"}),
        },
    )
    found = listing(find([tmp_path]), CLASS)
    assert [(e.student, e.name, e.known, e.status, e.files, e.size) for e in found.entries] == [
        ("70009", "Eve X", False, Status.UNREADABLE, (), 0),
        ("s1", "Ada Example", True, Status.GRADED, ("answers.yaml", "plot.csv"), len(ANSWERS) + 4),
        ("s2", "Bo Sample", True, Status.MISSING, (), 0),
    ]
    assert [unknown.student for unknown in found.unknown] == ["70009"]
    assert found.missing == (CY,)
    assert found.remarks == ("line 3: odd",)


def test_one_person_under_two_names_is_listed(tmp_path: Path) -> None:
    put(tmp_path, {"s1/answers.yaml": ANSWERS, "0429/answers.yaml": ANSWERS, "s2/answers.yaml": ANSWERS})
    found = listing(find([tmp_path]), CLASS)
    assert found.twice == (("s1", (f"{tmp_path}/0429/answers.yaml", f"{tmp_path}/s1/answers.yaml")),)
    assert listing(find([tmp_path])).twice == ()


def test_names_that_only_look_the_same_are_listed_as_possibly_one_person() -> None:
    bundles = [Bundle(source=key, key=key) for key in ("Jos\u00e9", "Jose\u0301", "S1", "s1", "s2", "s2 ")]
    found = listing(bundles)
    assert found.alike == (("Jose\u0301", "Jos\u00e9"), ("S1", "s1"), ("s2", "s2 "))
    assert found.twice == ()
    lines = list(found.lines())
    assert "possibly the same student: 'Jose\\u0301', 'Jos\\xe9'" in lines
    assert "possibly the same student: 'S1', 's1'" in lines


@pytest.mark.parametrize(("key", "near"), [("429", ADA), ("00429", ADA), ("nobody", None)])
def test_a_near_match_is_a_question_not_an_answer(key: str, near: Student | None) -> None:
    found = listing([Bundle(source="x", key=key)], CLASS)
    assert not found.entries[0].known
    assert found.unknown[0].near == near
    assert found.missing == CLASS.students


def test_a_team_s_members_each_have_a_row() -> None:
    bundle = Bundle(source="x", key="900", members=("70001", "70002", "x"), name="Ada and Bo", file="a.yaml")
    found = listing([bundle], CLASS)
    assert [(e.student, e.name, e.known) for e in found.entries] == [
        ("s1", "Ada Example", True), ("s2", "Bo Sample", True), ("x", "Ada and Bo", False)
    ]  # fmt: skip


def test_times_and_flags_are_shown_and_everything_is_printable() -> None:
    bundle = Bundle(
        source="a\nb",
        key="s1\x1b[2J",
        times={"lms": "2026-10-02T09:14:41+00:00", "commit": "x"},
        late=True,
        file="a\x07.yaml",
        content=b"x" * 2000,
        message="not\tgood",
        status=Status.UNREADABLE,
        remarks=("odd",),
    )
    found = listing([bundle], Roster(students=(BO,)))
    assert found.entries[0] == Entry(
        student="s1\x1b[2J", source="a\nb", files=("a\x07.yaml",), size=2000, time="2026-10-02T09:14:41+00:00",
        late=True, status=Status.UNREADABLE, note="not\tgood; odd",
    )  # fmt: skip
    lines = list(found.lines())
    assert lines == [
        r"s1\x1b[2J  a\x07.yaml  2,000 bytes  2026-10-02T09:14:41+00:00  unreadable  late; not\x09good; odd",
        "1 submission: 1 unreadable",
        r"not in the roster: s1\x1b[2J (a\x0ab)",
        "nothing from: s2 (Bo Sample)",
    ]
    assert all(line.isprintable() for line in lines)


def test_a_listing_of_nothing_and_of_rows(tmp_path: Path) -> None:
    assert list(listing([]).lines()) == ["0 submissions: none"]
    put(tmp_path, {"a.jsonl": '{"student": "s1"}\n{\n'})
    lines = list(listing(find([tmp_path / "a.jsonl"])).lines())
    assert lines[-1] == "2 submissions: 1 to grade, 1 unreadable"
    assert f"{tmp_path}/a.jsonl:1" in lines[1]

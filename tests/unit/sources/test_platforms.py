"""Downloads of each platform, as folders and as archives: whose a submission is, when it came, which file counts."""

from pathlib import Path

import pytest

from grader.bundle import Bundle
from grader.errors import SubmissionError
from grader.results import Status
from tests.unit.sources.trees import ANSWERS, Files, bundles, by_key, put, zipped

MOODLE = "MLSYS-Rooflines 1-4242"


@pytest.fixture(params=["folder", "archive", "archive in a folder", "folder in an archive"])
def placed(request: pytest.FixtureRequest, tmp_path: Path):
    """Puts a download on disk in one of several ways and says where."""

    def place(files: Files, name: str = "download") -> Path:
        match request.param:
            case "folder":
                return put(tmp_path / name, files)
            case "archive":
                return put(tmp_path, {f"{name}.zip": zipped(files)}) / f"{name}.zip"
            case "archive in a folder":
                return put(tmp_path / "downloads", {f"{name}.zip": zipped(files)})
            case _:
                inner = {f"{name}/{path}": data for path, data in files.items()}
                return put(tmp_path, {"all.zip": zipped(inner)}) / "all.zip"

    return place


def test_moodle_s_folders(placed) -> None:
    path = placed(
        {
            "Ada Example_70001_assignsubmission_file/answers.yaml": ANSWERS,
            "Bo Sample_70002_assignsubmission_file_/answers.yaml": "x: 1",
            "Participant_70003_assignsubmission_file/answers.yaml": ANSWERS,
            "Dee Ng_70004_assignsubmission_onlinetext/onlinetext.html": "<p>flops: 2BDF</p>",
            "Cy Tester_70006_assignsubmission_file": None,
            "Group A_55_assignsubmission_file/week 1/answers.yaml": ANSWERS,
            "Eve X_70007_assignsubmission_comments/comments.html": "<p>hello</p>",
        },
        MOODLE,
    )
    found = by_key(path)
    assert [(b.key, b.name, b.status) for b in found.values()] == [
        ("55", "Group A", Status.GRADED),
        ("70001", "Ada Example", Status.GRADED),
        ("70002", "Bo Sample", Status.GRADED),
        ("70003", "", Status.GRADED),
        ("70004", "Dee Ng", Status.GRADED),
        ("70006", "Cy Tester", Status.MISSING),
        ("70007", "Eve X", Status.MISSING),
    ]
    assert {b.platform for b in found.values()} == {"moodle"}
    assert all(b.named for b in found.values())
    assert found["70002"].content == b"x: 1"
    assert found["70002"].source.endswith("Bo Sample_70002_assignsubmission_file_/answers.yaml")
    assert found["70002"].source.startswith(str(path))
    assert (found["70004"].file, found["70004"].content) == ("onlinetext.md", b"flops: 2BDF\n")


def test_moodle_s_flat_files(placed) -> None:
    found = by_key(
        placed(
            {
                "Ada Example_70001_assignsubmission_file_answers.yaml": ANSWERS,
                "Ada Example_70001_assignsubmission_file_plot.csv": "B,y\n",
                "Bo Sample_70002_assignsubmission_file_a.yaml": ANSWERS,
                "Bo Sample_70002_assignsubmission_file_b.yaml": ANSWERS,
                "Dee Ng_70004_assignsubmission_onlinetext_onlinetext.html": "<p>flops: 2BDF</p>",
            }
        )
    )
    assert list(found) == ["70001", "70002", "70004"]
    assert found["70001"].file == "answers.yaml"
    assert found["70001"].attachments == {"plot.csv": b"B,y\n"}
    assert found["70002"].status == Status.DUPLICATE
    assert found["70002"].message == "not clear which file counts: a.yaml and b.yaml"
    assert found["70004"].file == "onlinetext.md"


def test_what_was_typed_counts_only_without_a_file(placed) -> None:
    found = by_key(
        placed(
            {
                "Ada Example_70001_assignsubmission_file/answers.yaml": ANSWERS,
                "Ada Example_70001_assignsubmission_onlinetext/onlinetext.html": "<p>flops: 3</p>",
                "Bo Sample_70002_assignsubmission_onlinetext/onlinetext.html": "<p>see file</p>",
            }
        )
    )
    assert found["70001"].content == ANSWERS.encode()
    assert found["70002"].status == Status.MISSING
    assert found["70002"].message == "there is no file of answers, and no answer in onlinetext.html"


def test_a_student_s_own_archive_in_moodle_is_opened_and_hands_in_for_nobody_else(placed) -> None:
    forged = {"Bo Sample_70002_assignsubmission_file/answers.yaml": "x: 1", "plot.csv": "B,y\n"}
    found = by_key(
        placed(
            {
                "Ada Example_70001_assignsubmission_file/hw.zip": zipped(forged),
                "Bo Sample_70002_assignsubmission_file/answers.yaml": ANSWERS,
                "Cy Tester_70003_assignsubmission_file/hw.zip": zipped({"a/answers.yaml": "y: 1", "a/p.csv": "1"}),
                "Dee Ng_70004_assignsubmission_file/hw.zip": zipped({"hw.zip": zipped({"answers.yaml": "x: 1"})}),
                "Eve X_70005_assignsubmission_file/hw.zip": b"PK\x03\x04garbage",
                "Fay X_70006_assignsubmission_file/hw.zip": zipped({"photo.png": "x"}),
                "Gus X_70007_assignsubmission_file/hw.rar": b"Rar!",
            }
        )
    )
    assert found["70002"].content == ANSWERS.encode()
    assert found["70001"].source.endswith("hw.zip/Bo Sample_70002_assignsubmission_file/answers.yaml")
    assert found["70003"].attachments == {"p.csv": b"1"}
    assert found["70003"].source.endswith("70003_assignsubmission_file/hw.zip/a/answers.yaml")
    assert found["70004"].message == "hw.zip: an archive inside an archive is not opened"
    assert found["70005"].message == "hw.zip: the archive is damaged"
    assert found["70006"].message == "there is no file of answers in this archive"
    assert "use a zip" in found["70007"].message
    assert [b.status for b in found.values()][3:] == [
        Status.UNREADABLE, Status.UNREADABLE, Status.MISSING, Status.UNREADABLE
    ]  # fmt: skip


def test_canvas(placed) -> None:
    found = by_key(
        placed(
            {
                "exampleada_31001_5550001_answers.yaml": ANSWERS,
                "exampleada_31001_5550008_plot.csv": "B,y\n",
                "exampleada_31001_text.html": "<p>see file</p>",
                "samplebo_LATE_31002_5550002_answers-1.yaml": ANSWERS,
                "anon_a1B2c_5550003_answers.yaml": ANSWERS,
                "LATE_anon_Zz9yX_5550004_my_answers.yaml": ANSWERS,
                "typercy_31004_text.html": "<p>flops: 2BDF</p>",
                "linkerdi_31005_link.html": "<a href='https://example.org'>x</a>",
            }
        )
    )
    assert {b.platform for b in found.values()} == {"canvas"}
    assert {key: (b.name, b.late, b.attempt, b.file, b.status) for key, b in found.items()} == {
        "31001": ("exampleada", False, None, "answers.yaml", Status.GRADED),
        "31002": ("samplebo", True, 2, "answers-1.yaml", Status.GRADED),
        "31004": ("typercy", False, None, "onlinetext.md", Status.GRADED),
        "31005": ("linkerdi", False, None, "", Status.MISSING),
        "anon:a1B2c": ("", False, None, "answers.yaml", Status.GRADED),
        "anon:Zz9yX": ("", True, None, "my_answers.yaml", Status.GRADED),
    }
    assert found["31001"].attachments == {"plot.csv": b"B,y\n"}


def test_canvas_with_two_uploads_of_one_student(tmp_path: Path) -> None:
    put(
        tmp_path,
        {"samplebo_31002_5550001_answers.yaml": "x: 1", "samplebo_LATE_31002_5550002_answers-1.yaml": "x: 2"},
    )
    assert by_key(tmp_path)["31002"].status == Status.DUPLICATE
    (latest,) = bundles(tmp_path, latest=True)
    assert (latest.content, latest.attempt, latest.late) == (b"x: 2", 2, True)


def test_notes_beside_the_files_of_canvas_change_nothing(tmp_path: Path) -> None:
    put(tmp_path, {"exampleada_31001_5550001_answers.yaml": ANSWERS, "gradebook.csv": "Student,ID\n", "notes.md": "x"})
    assert list(by_key(tmp_path)) == ["31001"]
    put(tmp_path, {"samplebo_31002_5550002_answers.yaml": ANSWERS, "key.yaml": ANSWERS})
    assert sorted(by_key(tmp_path)) == ["31001", "31002", "key"]


def test_a_student_s_own_file_with_two_numbers_is_no_file_of_canvas(tmp_path: Path) -> None:
    put(tmp_path, {"s1/hw_20261202_123000_answers.yaml": ANSWERS, "s2/hw_1_2_a.yaml": ANSWERS})
    assert sorted(by_key(tmp_path)) == ["s1", "s2"]


def test_a_single_file_of_canvas_or_moodle_may_be_given(tmp_path: Path) -> None:
    put(
        tmp_path,
        {
            "samplebo_LATE_31002_5550002_answers.yaml": ANSWERS,
            "Ada Example_70001_assignsubmission_file_answers.yaml": ANSWERS,
            "hw_1_2_final.yaml": ANSWERS,
        },
    )
    found = {path.name: bundles(path)[0] for path in tmp_path.iterdir()}
    assert {(b.platform, b.key, b.late) for b in found.values()} == {
        ("canvas", "31002", True), ("moodle", "70001", False), ("folder", "hw_1_2_final", False)
    }  # fmt: skip


METADATA = """
submission_900001:
  :submitters:
  - :name: Ada Example
    :sid: '1001'
    :email: ada@example.edu
  :created_at: 2026-10-02 09:14:41.365935000 Z
  :score: 7.0
  :history: []
submission_900002:
  :submitters:
  - :name: Bo Sample
    :sid: '0429'
  - :name: Cy Tester
    :sid:
    :email: cy@example.edu
  :created_at: 2026-10-02 11:00:00 +0200
submission_900003:
  :submitters: []
"""


def test_gradescope(placed) -> None:
    found = by_key(
        placed(
            {
                "submission_metadata.yml": METADATA,
                "submission_900001/answers.yaml": ANSWERS,
                "submission_900002/hw/answers.yaml": ANSWERS,
                "submission_900009/answers.yaml": ANSWERS,
            },
            "assignment_5001_export",
        )
    )
    assert {key: (b.name, b.members, dict(b.times), b.status) for key, b in found.items()} == {
        "900001": ("Ada Example", ("1001",), {"lms": "2026-10-02T09:14:41.365935+00:00"}, Status.GRADED),
        "900002": (
            "Bo Sample and Cy Tester",
            ("0429", "cy@example.edu"),
            {"lms": "2026-10-02T11:00:00+02:00"},
            Status.GRADED,
        ),
        "900003": ("", (), {}, Status.MISSING),
        "900009": ("", (), {}, Status.GRADED),
    }
    assert found["900009"].remarks == ("submission_metadata.yml does not list submission_900009",)


def test_gradescope_without_its_metadata_has_numbers(tmp_path: Path) -> None:
    put(tmp_path, {"submission_1/answers.yaml": ANSWERS, "submission_2/answers.yaml": ANSWERS})
    assert [(b.platform, b.key) for b in bundles(tmp_path)] == [("gradescope", "1"), ("gradescope", "2")]


def test_damaged_metadata_are_told(tmp_path: Path) -> None:
    put(tmp_path, {"submission_metadata.yml": "a: [", "submission_1/answers.yaml": ANSWERS})
    with pytest.raises(SubmissionError, match=r"submission_metadata\.yml:\d: this is not YAML"):
        bundles(tmp_path)


def test_clones_of_github(tmp_path: Path) -> None:
    clones = put(
        tmp_path / "rooflines-1-submissions",
        {
            "rooflines-1-ada-example/answers.yaml": ANSWERS,
            "rooflines-1-ada-example/README.md": "# Rooflines\nflops: 1\n",
            "rooflines-1-ada-example/.github/classroom/autograding.json": "{}",
            "rooflines-1-bo-sample/solutions/answers.yaml": ANSWERS,
            "rooflines-1-bo-sample/environment.yml": "x: 1",
            "rooflines-1-cy/README.md": "nothing",
            "other/answers.yaml": ANSWERS,
        },
    )
    found = by_key(clones)
    assert {key: (b.platform, b.status) for key, b in found.items()} == {
        "ada-example": ("github-classroom", Status.GRADED),
        "bo-sample": ("github-classroom", Status.GRADED),
        "cy": ("github-classroom", Status.MISSING),
        "other": ("folder", Status.GRADED),
    }
    assert found["bo-sample"].source.endswith("rooflines-1-bo-sample/solutions/answers.yaml")
    (alone,) = bundles(clones / "rooflines-1-ada-example")
    assert (alone.platform, alone.key) == ("github-classroom", "ada-example")


MARK = "classroom: mlsys-f26\nassignment: rooflines-1\n"
RESULT = '{"datetime": "2026-10-02T09:14:41Z", "submission": "submit/2026-10-02T09-15-00Z-0a1b2c3", "score": 7}'
C50 = {
    "mlsys-f26-rooflines-1-ada-example/.classroom50.yaml": MARK,
    "mlsys-f26-rooflines-1-ada-example/answers.yaml": ANSWERS,
    "mlsys-f26-rooflines-1-ada-example/result.json": RESULT,
    "mlsys-f26-rooflines-1-bo-sample/.classroom50.yaml": MARK,
    "mlsys-f26-rooflines-1-bo-sample/answers.yaml": ANSWERS,
    "mlsys-f26-rooflines-1-cy/answers.yaml": ANSWERS,
    "roster.csv": "username\n",
    "scores.csv": "username\n",
    "scores.json": "{}",
    "results.json": "{}",
}


def test_downloads_of_classroom_50(placed) -> None:
    found = by_key(placed(C50))
    assert list(found) == ["ada-example", "bo-sample", "cy"]
    assert {b.platform for b in found.values()} == {"classroom50"}
    assert found["ada-example"].times == {"commit": "2026-10-02T09:14:41+00:00", "release": "2026-10-02T09:15:00+00:00"}
    assert found["bo-sample"].times == {}


def test_a_student_can_t_take_another_s_name_by_the_hidden_file(tmp_path: Path) -> None:
    put(tmp_path, {**C50, "mlsys-f26-rooflines-1-cy/.classroom50.yaml": "classroom: mlsys\nassignment: f26\n"})
    put(tmp_path, {"mlsys-f26-rooflines-1-x-bo-sample/.classroom50.yaml": MARK.replace("-1", "-1-x")})
    put(tmp_path, {"mlsys-f26-rooflines-1-x-bo-sample/answers.yaml": ANSWERS})
    assert sorted(by_key(tmp_path)) == ["ada-example", "bo-sample", "cy", "x-bo-sample"]


@pytest.mark.parametrize(
    "result", ["[", "[1]", "[" * 100_000, '{"datetime": "soon", "submission": 3}', '{"datetime": {}}']
)
def test_a_damaged_result_costs_only_the_time(tmp_path: Path, result: str) -> None:
    put(tmp_path, {**C50, "mlsys-f26-rooflines-1-ada-example/result.json": result})
    ada = by_key(tmp_path)["ada-example"]
    assert (ada.status, ada.times, ada.content) == (Status.GRADED, {}, ANSWERS.encode())


def test_a_single_folder_of_classroom_50_may_be_given(tmp_path: Path) -> None:
    put(tmp_path, {**C50, "renamed/.classroom50.yaml": MARK, "renamed/answers.yaml": ANSWERS})
    (alone,) = bundles(tmp_path / "mlsys-f26-rooflines-1-ada-example")
    assert (alone.platform, alone.key) == ("classroom50", "ada-example")
    (renamed,) = bundles(tmp_path / "renamed")
    assert (renamed.key, len(renamed.remarks)) == ("renamed", 1)


def test_trees_of_nbgrader(tmp_path: Path) -> None:
    put(
        tmp_path,
        {
            "submitted/ada/rooflines-1/answers.yaml": ANSWERS,
            "submitted/ada/rooflines-1/timestamp.txt": "2026-10-02 09:14:41.000000 UTC\n",
            "submitted/bo/rooflines-1/hw.ipynb": "{}",
            "submitted/bo/rooflines-1/timestamp.txt": "yesterday",
            "submitted/cy/rooflines-1": None,
            "source/rooflines-1/answers.yaml": ANSWERS,
            "autograded/ada/rooflines-1/answers.yaml": ANSWERS,
            "feedback/ada/rooflines-1/x.html": "",
            "release/rooflines-1/answers.yaml": ANSWERS,
        },
    )
    expected = {"ada": Status.GRADED, "bo": Status.GRADED, "cy": Status.MISSING}
    for path in (tmp_path, tmp_path / "submitted"):
        found = by_key(path)
        assert {key: b.status for key, b in found.items()} == expected
        assert {b.platform for b in found.values()} == {"nbgrader"}
        assert found["ada"].times == {"lms": "2026-10-02T09:14:41+00:00"}
        assert found["bo"].times == {}
    for path in (tmp_path / "submitted/ada", tmp_path / "submitted/ada/rooflines-1"):
        (alone,) = bundles(path)
        assert (alone.platform, alone.key) == ("nbgrader", "ada")


def test_plain_folders_called_submitted_are_plain(tmp_path: Path) -> None:
    put(tmp_path, {"submitted/s1/answers.yaml": ANSWERS, "submitted/s2/answers.yaml": ANSWERS})
    assert [(b.platform, b.key) for b in bundles(tmp_path)] == [("folder", "s1"), ("folder", "s2")]


def impostors(victim: str) -> dict[str, str | bytes]:
    """What a student may put into the own folder to hand in for another."""
    return {
        f"{victim}_assignsubmission_file/answers.yaml": "x: 1",
        "submission_metadata.yml": METADATA,
        "submission_900001/answers.yaml": "x: 1",
        "a.zip": zipped({f"{victim}_assignsubmission_file/answers.yaml": "x: 1"}),
    }


def test_what_looks_like_a_download_in_a_student_s_folder_hands_in_for_nobody_else(tmp_path: Path) -> None:
    put(tmp_path / "s1", {"answers.yaml": ANSWERS})
    put(tmp_path / "s2", impostors("Bo Sample_70002"))
    put(tmp_path / "s3", {"answers.jsonl": '{"student": "s1", "answers": {}}\n'})
    found: list[Bundle] = bundles(tmp_path)
    assert {b.platform for b in found} == {"folder"}
    assert not {b.key for b in found} & {"70002", "900001", "1001"}
    assert [b.key for b in found].count("s1") == 1


def test_a_folder_of_students_archives(tmp_path: Path) -> None:
    put(
        tmp_path,
        {
            "s1.zip": zipped({"answers.yaml": ANSWERS, "plot.csv": "B,y\n"}),
            "s2.zip": zipped({"homework/answers.yaml": ANSWERS, "__MACOSX/homework/._answers.yaml": "x"}),
            "s3.zip": b"PK\x03\x04" + b"garbage" * 50,
            "s4.zip": zipped({"Bo Sample_70002_assignsubmission_file/answers.yaml": "x: 1"}),
            "s5.yaml": ANSWERS,
            "s6.tar.gz": b"\x1f\x8b",
        },
    )
    found = by_key(tmp_path)
    assert {key: b.status for key, b in sorted(found.items())} == {
        "s1": Status.GRADED,
        "s2": Status.GRADED,
        "s3": Status.UNREADABLE,
        "s4": Status.GRADED,
        "s5": Status.GRADED,
        "s6.tar": Status.UNREADABLE,
    }
    assert {b.platform for b in found.values()} == {"folder"}
    assert found["s1"].attachments == {"plot.csv": b"B,y\n"}
    assert found["s3"].message == "s3.zip: the archive is damaged"


def test_a_class_s_archive_of_plain_folders_and_archives(tmp_path: Path) -> None:
    data = zipped({"s1/answers.yaml": ANSWERS, "s2/hw.zip": zipped({"answers.yaml": ANSWERS}), "s3.yaml": ANSWERS})
    put(tmp_path, {"class.zip": data, "more/class.zip": zipped({"s1/answers.yaml": "x: 1", "s2/answers.yaml": "x: 2"})})
    found = by_key(tmp_path / "class.zip")
    assert {key: b.status for key, b in found.items()} == dict.fromkeys(["s3", "s1", "s2"], Status.GRADED)
    assert found["s2"].source == f"{tmp_path}/class.zip/s2/hw.zip/answers.yaml"
    assert sorted(by_key(tmp_path / "more")) == ["s1", "s2"]


def test_a_student_s_archive_may_be_given(tmp_path: Path) -> None:
    for name, inside in (("s1", "answers.yaml"), ("s2", "homework.yaml")):
        put(tmp_path, {f"{name}.zip": zipped({inside: ANSWERS})})
        (found,) = bundles(tmp_path / f"{name}.zip")
        assert (found.key, found.named, found.content) == (name, False, ANSWERS.encode())

"""Every format, from a store that the real program made."""

import csv
import io
import json
import os
import subprocess
from pathlib import Path
from xml.etree import ElementTree as ET
from zipfile import ZipFile

import pytest

from tests.e2e.conftest import GRADER
from tests.e2e.small import TOTALS, Small, made, runner
from tests.tiny import FILES

CANVAS = """\
Student,ID,SIS User ID,SIS Login ID,Section,Tiny 1 (98765),Other (98766),Final Score
    Points Possible,,,,,12,5,(read only)
"Example, Ann",31001,0429,ann,01,,1,
"Sample, Ben",31002,0430,ben,01,3,,
"Demir, Cem",31003,0431,cem,01,,,
"Excused, Dee",31004,0432,dee,01,EX,,
"Empty, Eve",31005,0433,eve,01,,,
"Other, Ola",31006,0434,ola,01,9,,
"""
FOLDERS = {"Ann Example_70001_assignsubmission_file": "2BDF", "Ben Sample_70002_assignsubmission_file": "BDF"}
MOODLE = """\
Identifier,Full name,Email address,Status,Grade,Maximum Grade,Grade can be changed,Last modified,Feedback comments
Participant 70001,Ann Example,ann@example.edu,Submitted for grading,,12.00,Yes,-,
Participant 70002,Ben Sample,ben@example.edu,Submitted for grading,,12.00,Yes,-,
"""


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory, cache: Path) -> Small:
    """The class, graded, and a download of Moodle, graded into a folder beside it."""
    small = made(tmp_path_factory.mktemp("export") / "small", runner(cache), "--no-reports")
    for folder, ops in FOLDERS.items():
        small.answers(folder, {"ops": ops, "critical": "B > 243"}, folder="moodle")
    assert small.run("grade", "moodle", "-o", "downloaded", "--no-reports", "--jobs", "1").returncode == 0
    return small


def exported(small: Small, to: str, *options: str | Path, store: str = "out") -> bytes:
    """What is written to a file."""
    output = small.folder / "exported"
    run = small.run("export", store, "--to", to, "-o", output, *options)
    assert run.returncode == 0, run.stderr
    return output.read_bytes()


def table(data: bytes | str) -> list[dict[str, str]]:
    text = data.decode("utf-8-sig") if isinstance(data, bytes) else data
    return list(csv.DictReader(io.StringIO(text)))


def template(small: Small, text: str) -> Path:
    path = small.folder / "template.csv"
    path.write_text(text, encoding="utf-8", newline="")
    return path


# --- formats of their own ---------------------------------------------------------------------------------------------


def test_every_format_tells_the_same_totals(small: Small) -> None:
    wide = {row["student"]: int(row["total"]) for row in table(exported(small, "csv"))}
    long: dict[str, int] = {}
    for row in table(exported(small, "long_csv")):
        long[row["student"]] = long.get(row["student"], 0) + int(row["points"] or 0)
    lines = exported(small, "jsonl").decode().splitlines()
    suites = ET.fromstring(exported(small, "junit"))
    scores = {s.get("name"): s.find("properties/property[@name='score']") for s in suites}
    assert wide == long == TOTALS
    assert {(one := json.loads(line))["student"]: one["points"] for line in lines} == TOTALS
    assert {name: int(found.get("value") or "") for name, found in scores.items() if found is not None} == TOTALS


def test_workbooks_and_parquet_have_every_student(small: Small) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    found = parquet.read_table(io.BytesIO(exported(small, "parquet"))).to_pydict()
    assert set(found["student"]) == set(TOTALS)
    assert sum(found["points"]) == sum(TOTALS.values())
    pytest.importorskip("xlsxwriter")
    with ZipFile(io.BytesIO(exported(small, "xlsx"))) as book:
        assert b"ann" in book.read("xl/worksheets/sheet1.xml")


def test_gradescope_takes_one_student_s_json_or_a_zip_of_all(small: Small) -> None:
    with ZipFile(io.BytesIO(exported(small, "gradescope"))) as archive:
        scores = [json.loads(archive.read(name))["score"] for name in archive.namelist()]
    assert scores == list(TOTALS.values())
    small.run("grade", "class/ben", "-o", "one", "--no-reports", "--jobs", "1")
    assert json.loads(exported(small, "gradescope", store="one"))["score"] == TOTALS["ben"]
    zipped = small.folder / "one.ZIP"
    assert small.run("export", "one", "--to", "gradescope", "-o", zipped).returncode == 0
    with ZipFile(zipped) as archive:
        assert archive.namelist() == ["000001-ben/results.json"]


def test_what_the_run_was_goes_along(small: Small) -> None:
    one = json.loads(ZipFile(io.BytesIO(exported(small, "gradescope"))).read("000001-ann/results.json"))
    assert set(one["extra_data"]) >= {"grader", "spec", "key", "graded_at"}


# --- files to fill in -------------------------------------------------------------------------------------------------


def test_canvas_s_file_gets_the_points_and_nothing_else_changes(small: Small) -> None:
    book = template(small, CANVAS)
    output = small.folder / "upload.csv"
    run = small.run("export", "out", "--to", f"canvas:{book}", "-o", output)
    assert run.returncode == 0
    expected = CANVAS
    for line, points in (("ann,01,,1,", "7"), ("ben,01,3,,", "5"), ("cem,01,,,", "5"), ("eve,01,,,", "0")):
        name, section, _, *rest = line.split(",")
        expected = expected.replace(line, ",".join([name, section, points, *rest]))
    assert output.read_text(encoding="utf-8") == expected
    assert "excused in Canvas, left alone:\n  dee\n" in run.stderr


@pytest.mark.parametrize("column", ["Tiny 1 (98765)", "Tiny 1", "98765"])
def test_a_column_may_be_named_in_each_way(small: Small, column: str) -> None:
    named = exported(small, f"canvas:{template(small, CANVAS)}", "--column", column)
    assert named == exported(small, f"canvas:{template(small, CANVAS)}")


def test_a_column_worth_something_else_is_filled_and_told(small: Small) -> None:
    output = small.folder / "upload.csv"
    run = small.run("export", "out", "--to", f"canvas:{template(small, CANVAS)}", "--column", "Other", "-o", output)
    assert "Other (98766) has 5 points possible in Canvas; the points written are of 12" in run.stderr
    assert "ann,01,,7," in output.read_text(encoding="utf-8")


def test_moodle_s_worksheet_gets_grades_and_comments(small: Small) -> None:
    ann, ben = table(exported(small, f"moodle:{template(small, MOODLE)}", store="downloaded"))
    assert (ann["Grade"], ben["Grade"]) == ("4", "2")
    assert ann["Feedback comments"].startswith("<p>4 of 12 points<br>")
    assert "Fixed – ops: Incorrect, 0 of 2 points: Half the count" in ben["Feedback comments"]
    assert "2BDF" not in ben["Feedback comments"], "what is right is not told"


def test_moodle_s_feedback_pages_are_in_the_folders_that_were_downloaded(small: Small) -> None:
    with ZipFile(io.BytesIO(exported(small, "moodle_feedback_zip", store="downloaded"))) as archive:
        assert archive.namelist() == [f"{folder}/feedback.html" for folder in FOLDERS]
        assert b"Half the count" in archive.read(archive.namelist()[1])


@pytest.mark.parametrize(
    ("to", "book", "what"),
    [
        ("canvas", CANVAS.replace(",ben,", ",Ben,"), "ben: no line is exactly theirs, but near: 'Ben' in line 4"),
        ("canvas", CANVAS.replace(",ola,", ",ann,"), "ann: matches several lines: 3, 8"),
        ("canvas", CANVAS.replace("12,5", "11,5"), "no assignments have 12 points possible; name the column"),
        ("canvas", "a,b\n", "no gradebook exported from Canvas"),
        ("moodle", MOODLE.replace("12.00", "100.00"), "the maximum grade in Moodle is 100.00, but 12 points"),
        ("moodle", MOODLE, "ann: no line has an id, number, login or address of theirs"),
    ],
)
def test_what_cannot_be_placed_for_certain_is_listed_and_nothing_is_written(
    small: Small, to: str, book: str, what: str
) -> None:
    output = small.folder / "refused.csv"
    run = small.run("export", "out", "--to", f"{to}:{template(small, book)}", "-o", output)
    assert (run.returncode, run.stdout) == (2, "")
    assert what in run.stderr
    assert all(line.startswith("grader: ") for line in run.stderr.splitlines())
    assert not output.exists()


def test_a_file_that_was_there_stays_whole_when_nothing_can_be_written(small: Small) -> None:
    output = small.folder / "kept.csv"
    output.write_text("as it was", encoding="utf-8")
    bad = template(small, CANVAS.replace(",ben,", ",Ben,"))
    assert small.run("export", "out", "--to", f"canvas:{bad}", "-o", output).returncode == 2
    assert output.read_text(encoding="utf-8") == "as it was"
    book = template(small, CANVAS)
    assert small.run("export", "out", "--to", f"canvas:{book}", "-o", book).returncode == 0, (
        "a file may be filled in place"
    )
    assert "ann,01,7,1," in book.read_text(encoding="utf-8")
    assert not list(small.folder.glob(".*tmp"))


# --- pseudonyms -------------------------------------------------------------------------------------------------------


def test_pseudonyms_hide_who_is_who_also_by_their_order(small: Small) -> None:
    run = small.run("export", "out", "--to", "csv", "--anonymous")
    rows = table(run.stdout)
    assert [row["student"] for row in rows] == sorted(row["student"] for row in rows)
    assert all(row["student"].startswith("anon-") for row in rows)
    assert sorted(int(row["total"]) for row in rows) == sorted(TOTALS.values())
    assert not any(name in run.stdout for name in TOTALS)
    assert run.stderr == ""


def test_without_a_secret_it_is_told_that_pseudonyms_can_be_undone(small: Small) -> None:
    open_ = small.folder / "open"
    open_.mkdir(exist_ok=True)
    for name, text in FILES.items():
        (open_ / name).write_text(text.replace("secret_env: TINY_SECRET\n", ""), encoding="utf-8")
    run = small.grader("export", "out", "--to", "csv", "--anonymous", "--course", open_, cwd=small.folder, env={})
    assert run.returncode == 0
    assert "the course has no secret" in run.stderr


def test_pseudonyms_are_entered_in_no_gradebook(small: Small) -> None:
    run = small.run("export", "out", "--to", f"canvas:{template(small, CANVAS)}", "--anonymous")
    assert (run.returncode, run.stdout) == (2, "")
    assert "anonymous results can't be entered into a gradebook" in run.stderr


# --- the command ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "what"),
    [
        (("--to", "cvs"), "unknown export 'cvs'; did you mean csv?"),
        (("--to", "canvas"), "--to canvas fills in a file of your own: --to canvas:FILE.csv"),
        (("--to", "csv:file.csv"), "--to csv fills in no file, so it takes no file"),
        (("--to", "csv", "--column", "x"), "--to csv fills in no file, so it takes no --column"),
        (("--to", "canvas:nowhere.csv"), "nowhere.csv: No such file or directory"),
        (("--to", "../csv"), "unknown export"),
        (("--to", "cells"), "unknown export"),
    ],
)
def test_what_makes_no_sense_is_refused(small: Small, options: tuple[str, ...], what: str) -> None:
    run = small.run("export", "out", *options)
    assert (run.returncode, run.stdout) == (2, "")
    assert what in run.stderr
    assert "Traceback" not in run.stderr


@pytest.mark.skipif(os.name != "posix", reason="needs a terminal of POSIX")
def test_what_is_no_text_is_not_written_to_a_terminal(small: Small) -> None:
    import pty

    ours, theirs = pty.openpty()
    try:
        run = subprocess.run(
            [str(GRADER), "export", "out", "--to", "gradescope"], cwd=small.folder, stdout=theirs,
            stderr=subprocess.PIPE, text=True, timeout=60, check=False,
        )  # fmt: skip
        os.set_blocking(ours, False)
        with pytest.raises(BlockingIOError):
            os.read(ours, 1)
    finally:
        os.close(ours)
        os.close(theirs)
    assert run.returncode == 2
    assert "gradescope is no text: name a file with -o" in run.stderr

"""Archives are read entry by entry, and a hostile entry costs the submission it belongs to: nothing is ever written."""

import io
import os
import stat
import struct
import zipfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grader.bundle import Bundle
from grader.errors import SubmissionError
from grader.results import Status
from grader.sources import archive as archives
from grader.sources.archive import CLASS, STUDENT, Archive, Limits
from grader.sources.finding import find
from tests.unit.sources.trees import ANSWERS, bundles, by_key, put, zipped

ADA, BO = "Ada Example_70001_assignsubmission_file", "Bo Sample_70002_assignsubmission_file"


def hostile(entry: zipfile.ZipInfo | str, data: bytes | str = ANSWERS, more: dict[str, str] | None = None) -> bytes:
    """An archive of one odd entry, and of another student's answers where it has a student's name."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(entry, data, zipfile.ZIP_DEFLATED)
        if ADA in getattr(entry, "filename", entry):
            archive.writestr(f"{BO}/answers.yaml", ANSWERS)
        for name, text in (more or {}).items():
            archive.writestr(name, text)
    return stream.getvalue()


def special(name: str, kind: int) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name)
    info.external_attr = (kind | 0o777) << 16
    return info


def renamed(data: bytes, old: bytes, new: bytes) -> bytes:
    assert len(old) == len(new)
    return data.replace(old, new)


def encrypted(data: bytes) -> bytes:
    """The archive with the flag of encryption set in its first entry."""
    for sign, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = data.index(sign)
        data = data[: at + place] + bytes([data[at + place] | 1]) + data[at + place + 1 :]
    return data


HOSTILE = {
    "outside the target": hostile(f"../{ADA}/answers.yaml"),
    "lies outside": hostile(f"{ADA}/../../{ADA}/answers.yaml"),
    "'/Ada": hostile(f"/{ADA}/answers.yaml"),
    "'C:/Ada": hostile(f"C:/{ADA}/answers.yaml"),
    "a backslash": renamed(hostile(f"{ADA}/answers.yaml"), f"{ADA}/".encode(), f"{ADA}\\".encode()),
    "a link": hostile(special(f"{ADA}/answers.yaml", stat.S_IFLNK), "/etc/passwd"),
    "a device": hostile(special(f"{ADA}/answers.yaml", stat.S_IFCHR)),
    "a pipe": hostile(special(f"{ADA}/answers.yaml", stat.S_IFIFO)),
    "a socket": hostile(special(f"{ADA}/answers.yaml", stat.S_IFSOCK)),
    "encrypted": encrypted(hostile(f"{ADA}/answers.yaml")),
    "there twice": renamed(hostile(f"{ADA}/answers.yaml", more={f"{ADA}/answerz.yaml": "x"}), b"answerz", b"answers"),
    "a NUL": renamed(hostile(f"{ADA}/answers.yamlXx"), b"yamlXx", b"yaml\0x"),
    "a file and a folder": hostile(f"{ADA}/answers.yaml", more={f"{ADA}/answers.yaml/x": "x"}),
    "levels deep": hostile(f"{ADA}/{'a/' * 40}answers.yaml"),
    "larger than 64 KiB": hostile(f"{ADA}/answers.yaml", b"\0" * (200 << 20)),
    "more than": hostile(f"{ADA}/hw.zip", zipped({"answers.yaml": "x", **{f"{i}": "x" * 60_000 for i in range(30)}})),
}  # fmt: skip


@pytest.mark.parametrize("what", HOSTILE)
def test_a_hostile_entry_costs_that_student_s_submission_alone(tmp_path: Path, what: str) -> None:
    path = put(tmp_path / "in", {"class.zip": HOSTILE[what]}) / "class.zip"
    found = by_key(path)
    assert found["70001"].status == Status.UNREADABLE
    assert what in found["70001"].message
    assert found["70002"].content == ANSWERS.encode()
    assert sorted(found) == ["70001", "70002"]
    assert [entry.name for entry in tmp_path.iterdir()] == ["in"]


@pytest.mark.parametrize("name", ["notes.txt", "deep/er/x.bin", "answers.yaml.bak"])
def test_a_hostile_entry_beside_the_answers_costs_them_too(tmp_path: Path, name: str) -> None:
    data = hostile(special(name, stat.S_IFLNK), "/etc", {"answers.yaml": ANSWERS})
    put(tmp_path, {"class/s1.zip": data, "class/s2.zip": zipped({"answers.yaml": ANSWERS})})
    found = by_key(tmp_path / "class")
    assert (found["s1"].status, found["s2"].status) == (Status.UNREADABLE, Status.GRADED)
    assert "is a link" in found["s1"].message
    (alone,) = bundles(put(tmp_path, {"s1.zip": data}) / "s1.zip")
    assert (alone.key, alone.status) == ("s1", Status.UNREADABLE)


@pytest.mark.parametrize(
    "data",
    [
        hostile("../../evil.yaml"),
        hostile(special("link", stat.S_IFLNK), "/etc", {"link/x.yaml": ANSWERS}),
        hostile("answers.yaml", b"\0" * (1 << 20)),
        renamed(hostile("answers.yaml", more={"answerz.yaml": "q: 2"}), b"answerz", b"answers"),
    ],
)
def test_hostile_archives_of_one_student_are_refused(tmp_path: Path, data: bytes) -> None:
    path = put(tmp_path / "in", {"s.zip": data}) / "s.zip"
    assert {b.status for b in bundles(path)} == {Status.UNREADABLE}
    assert [entry.name for entry in tmp_path.iterdir()] == ["in"]


def test_control_characters_in_an_entry_s_name_are_escaped_in_messages(tmp_path: Path) -> None:
    path = put(tmp_path, {"s.zip": hostile("../a\nb\x1b[2J.yaml")}) / "s.zip"
    (found,) = bundles(path)
    assert found.message == r"the entry '../a\x0ab\x1b[2J.yaml' lies outside the target"


def test_a_damaged_download_is_an_error(tmp_path: Path) -> None:
    whole = zipped({f"{ADA}/answers.yaml": ANSWERS})
    for data in (b"PK\x03\x04" + b"garbage" * 50, b"", whole[:-30], whole[: len(whole) // 2], b"\0" * 100):
        path = put(tmp_path, {"class.zip": data}) / "class.zip"
        with pytest.raises(SubmissionError, match=r"class\.zip: the archive is damaged"):
            bundles(path)


def test_a_damaged_entry_costs_one_submission(tmp_path: Path) -> None:
    data = zipped({f"{ADA}/answers.yaml": ANSWERS, f"{BO}/answers.yaml": ANSWERS})
    start = data.index(b"answers.yaml") + len("answers.yaml")
    data = data[:start] + bytes(byte ^ 0xFF for byte in data[start : start + 10]) + data[start + 10 :]
    found = by_key(put(tmp_path, {"class.zip": data}) / "class.zip")
    assert [b.status for b in found.values()] == [Status.UNREADABLE, Status.GRADED]
    assert found["70001"].message == "answers.yaml: the archive is damaged here"


def test_sizes_that_the_archive_lies_about_are_counted(tmp_path: Path) -> None:
    data = hostile(f"{ADA}/answers.yaml", b"x" * 300_000)
    lied = data.replace(struct.pack("<L", 300_000), struct.pack("<L", 100))
    assert lied != data
    found = by_key(put(tmp_path, {"class.zip": lied}) / "class.zip")["70001"]
    assert found.status == Status.UNREADABLE


def test_what_is_unpacked_is_counted_over_the_whole_archive() -> None:
    data = zipped({f"{i}.yaml": "x" * 1000 for i in range(10)})
    archive = Archive(io.BytesIO(data), "class.zip", "class.zip", Limits(100, 3500))
    files = archive.root.list().files
    assert [len(file.read(2000)) for file in files[:3]] == [1000, 1000, 1000]
    with pytest.raises(SubmissionError, match="unpacks to more than"):
        files[3].read(2000)
    archive.close()


def test_too_many_entries_are_refused_before_they_are_held_in_memory() -> None:
    data = zipped({f"{i}": "" for i in range(300)})
    with pytest.raises(SubmissionError, match="more than 200 entries"):
        Archive(io.BytesIO(data), "s.zip", "s.zip", Limits(200, 1000))
    archive = Archive(io.BytesIO(data), "s.zip", "s.zip", Limits(300, 1000))
    assert len(archive.root.list().files) == 300
    archive.close()


def test_the_limits_are_those_of_the_manual() -> None:
    assert Limits(200_000, 2 * 1024**3) == CLASS
    assert (STUDENT.unpacked, STUDENT.packed) == (1024**2, 2 * 1024**2)


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_methods_that_can_t_be_unpacked_piece_by_piece_are_refused(tmp_path: Path, method: int) -> None:
    with zipfile.ZipFile(tmp_path / "class.zip", "w", method) as archive:
        archive.writestr(f"{ADA}/answers.yaml", b"\0" * (10 << 20))
    (found,) = bundles(tmp_path / "class.zip")
    assert "compressed by an unusual method" in found.message


def test_names_in_utf_8_are_read_where_the_archive_does_not_say_so(tmp_path: Path) -> None:
    data = zipped({"Zoë Núñez_70005_assignsubmission_file/answers.yaml": ANSWERS})
    for sign, place in ((b"PK\x03\x04", 7), (b"PK\x01\x02", 9)):
        at = data.index(sign)
        data = data[: at + place] + bytes([data[at + place] & ~8]) + data[at + place + 1 :]
    (found,) = bundles(put(tmp_path, {"class.zip": data}) / "class.zip")
    assert found.name == "Zoë Núñez"


def test_large_archives_have_a_second_directory(tmp_path: Path) -> None:
    """More than 65,535 entries are written in the form for large archives."""
    with zipfile.ZipFile(tmp_path / "class.zip", "w") as archive:
        for number in range(66_000):
            archive.writestr(f"x{number}.txt", "")
        archive.writestr(f"{ADA}/answers.yaml", ANSWERS)
    (found,) = bundles(tmp_path / "class.zip")
    assert found.status == Status.GRADED
    with (
        (tmp_path / "class.zip").open("rb") as stream,
        pytest.raises(SubmissionError, match="more than 66,000 entries"),
    ):
        Archive(stream, "class.zip", "class.zip", Limits(66_000, 1000))


def test_a_file_that_is_no_regular_one_is_refused_without_delay(tmp_path: Path) -> None:
    if not hasattr(os, "mkfifo"):
        pytest.skip("this system has no pipes")
    os.mkfifo(tmp_path / "class.zip")
    with pytest.raises(SubmissionError, match="not a regular file"):
        list(find([tmp_path / "class.zip"]))


PARTS = st.sampled_from(
    ["..", ".", "", "/", "\\", "C:", "answers.yaml", "a", "s1", "\0", "__MACOSX", ADA, BO, "hw.zip", "é", "x" * 300,
     "answers.jsonl", "submission_metadata.yml", ".classroom50.yaml", "submitted", "submission_1", "plot.csv", "\ud800"]
)  # fmt: skip
ENTRY = st.tuples(
    st.lists(PARTS, min_size=1, max_size=5).map("/".join),
    st.sampled_from([0, stat.S_IFREG, stat.S_IFDIR, stat.S_IFLNK, stat.S_IFCHR, stat.S_IFIFO]),
    st.sampled_from([b"", ANSWERS.encode(), b"student,part,response\na,b,c\nd,e,f\n", zipped({"answers.yaml": "x: 1"}),
                     b"\0" * 70_000, b"{\n", b"PK\x03\x04"]),
)  # fmt: skip


def build(entries: list[tuple[str, int, bytes]]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for number, (name, kind, data) in enumerate(entries):
            info = zipfile.ZipInfo(f"entry{number}")
            info.filename = name.encode("utf-8", "replace").decode()  # not cut at a NUL, unlike in the constructor
            info.external_attr = kind << 16
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, data)
    return stream.getvalue()


def checked(path: Path) -> list[Bundle]:
    try:
        found = bundles(path)
    except SubmissionError:
        return []
    for bundle in found:
        f"{bundle.source}{bundle.message}{bundle.key}{bundle.name}{bundle.file}{bundle.remarks}".encode()
        assert (bundle.status == Status.GRADED) == (not bundle.message)
        assert len(bundle.content) <= 64 * 1024
    return found


@pytest.mark.filterwarnings("ignore:Duplicate name")
@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(ENTRY, max_size=6))
def test_any_entries_are_read_or_refused_and_nothing_is_written(
    tmp_path: Path, entries: list[tuple[str, int, bytes]]
) -> None:
    path = put(tmp_path / "in", {"x.zip": build(entries)}) / "x.zip"
    checked(path)
    checked(tmp_path / "in")
    assert [p.name for p in tmp_path.iterdir()] == ["in"]
    assert [p.name for p in (tmp_path / "in").iterdir()] == ["x.zip"]


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_any_damage_is_read_or_refused(tmp_path: Path, data: st.DataObject) -> None:
    whole = bytearray(zipped({f"{ADA}/answers.yaml": ANSWERS, f"{BO}/hw.zip": zipped({"answers.yaml": ANSWERS})}))
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(whole) - 1))
        whole[place : place + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=4))
        whole = whole or bytearray(b"PK")
    checked(put(tmp_path / "in", {"x.zip": bytes(whole)}) / "x.zip")
    checked(tmp_path / "in")


def test_the_student_s_limits_hold_inside_a_class_s_archive(tmp_path: Path) -> None:
    big = zipped({"answers.yaml": "x: 1", "photo.png": os.urandom(3 << 20)})
    (found,) = bundles(put(tmp_path, {"class.zip": zipped({f"{ADA}/hw.zip": big})}) / "class.zip")
    assert "larger than 2048 KiB" in found.message
    assert archives.STUDENT.packed == 2 << 20

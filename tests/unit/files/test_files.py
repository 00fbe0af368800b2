"""Only regular files of bounded size are read, and every refusal says what to mend."""

import os
import socket
import time
from pathlib import Path

import pytest

from grader.errors import SubmissionError
from grader.files import LIMIT, decode, read_bytes, read_content, read_text, shown


def write(folder: Path, data: bytes) -> Path:
    path = folder / "answers.yaml"
    path.write_bytes(data)
    return path


def refusal(path: Path) -> str:
    start = time.perf_counter()
    with pytest.raises(SubmissionError) as caught:
        read_bytes(path, "answers.yaml")
    assert time.perf_counter() - start < 1
    assert str(path.parent) not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize(
    "data",
    [
        "q: 2B\nr: Ä²\n".encode(),
        b"\xef\xbb\xbf" + "q: 2B\nr: Ä²\n".encode(),
        "q: 2B\nr: Ä²\n".encode("utf-16"),
        b"\xfe\xff" + "q: 2B\nr: Ä²\n".encode("utf-16-be"),
        b"\xff\xfe" + "q: 2B\nr: Ä²\n".encode("utf-16-le"),
        "q: 2B\r\nr: Ä²\r\n".encode(),
        "q: 2B\rr: Ä²\r".encode(),
    ],
)
def test_common_encodings_and_line_ends_give_the_same_text(tmp_path: Path, data: bytes) -> None:
    assert read_text(write(tmp_path, data)) == "q: 2B\nr: Ä²\n"


@pytest.mark.parametrize(
    ("data", "what", "line"),
    [
        (b"name: Jos\xe9\nq: 243\n", "not UTF-8: byte 0xE9 in line 1; save the file as UTF-8", 1),
        (b"q: 1\r\nr: \xc0\xaf\r\n", "not UTF-8: byte 0xC0 in line 2", 2),
        (b"q: 1\nr: 1\x00\n", "NUL byte in line 2", 2),
        ("q: 243\n".encode("utf-16-le"), "UTF-16 without a byte order mark; save the file as UTF-8", None),
        ("q: 243\n".encode("utf-16-be"), "UTF-16 without a byte order mark", None),
        (b"\xff\xfeq\x00:\x00 ", "damaged UTF-16", None),
        (b"\x1f\x8b\x08\x00" + b"x" * 100, "looks like a gzip archive", None),
        (b"PK\x03\x04" + b"x" * 100, "looks like a zip archive or an office document", None),
        (b"%PDF-1.7\n", "looks like a PDF document", None),
        (bytes(range(128, 256)) * 4, "this is no text", None),
    ],
)
def test_what_is_no_text_is_named(tmp_path: Path, data: bytes, what: str, line: int | None) -> None:
    with pytest.raises(SubmissionError) as caught:
        read_text(write(tmp_path, data))
    assert caught.value.fault.what.startswith((what, "this " + what))
    assert caught.value.fault.line == line
    assert caught.value.fault.file == "answers.yaml"


def test_bad_bytes_are_marked_by_line_where_the_reader_can_bear_them(tmp_path: Path) -> None:
    content = read_content(write(tmp_path, b"a: 1\nb: \xe9\xe8\nc: 2\n"))
    assert content.text == "a: 1\nb: \ufffd\ufffd\nc: 2\n"
    assert content.bad_bytes == {2: 0xE9}


def test_the_digest_is_of_the_bytes_that_were_read(tmp_path: Path) -> None:
    plain, marked = read_content(write(tmp_path, b"a: 1\n")), decode(b"\xef\xbb\xbfa: 1\n", "a.yaml")
    assert plain.text == marked.text
    assert plain.digest != marked.digest


def test_a_file_of_the_greatest_size_is_read_and_a_larger_one_refused(tmp_path: Path) -> None:
    assert len(read_bytes(write(tmp_path, b"#" * LIMIT), "answers.yaml")) == LIMIT
    assert "larger than 64 KiB" in refusal(write(tmp_path, b"#" * (LIMIT + 1)))


def test_a_sparse_file_of_ten_gigabytes_is_refused_at_once(tmp_path: Path) -> None:
    path = tmp_path / "answers.yaml"
    with path.open("wb") as file:
        file.truncate(10 << 30)
    assert "larger than 64 KiB" in refusal(path)


def test_a_file_that_isn_t_there_is_named_without_its_folder(tmp_path: Path) -> None:
    assert refusal(tmp_path / "answers.yaml") == "answers.yaml: there is no such file"


def test_a_folder_in_the_place_of_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "answers.yaml").mkdir()
    assert "this is a folder, not a regular file" in refusal(tmp_path / "answers.yaml")


@pytest.mark.skipif(os.name == "nt", reason="links need rights on Windows")
@pytest.mark.parametrize("target", ["answers.yaml", "other.yaml", "/dev/zero", "/dev/stdin", "/", "nowhere"])
def test_links_are_refused_wherever_they_point(tmp_path: Path, target: str) -> None:
    (tmp_path / "other.yaml").write_text("q: 1\n")
    (tmp_path / "answers.yaml").symlink_to(target)
    assert "this is a link" in refusal(tmp_path / "answers.yaml")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
def test_a_pipe_is_refused_without_waiting_for_a_writer(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "answers.yaml")
    assert "this is a pipe" in refusal(tmp_path / "answers.yaml")


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no devices here")
def test_a_device_is_refused() -> None:
    assert "this is a device" in refusal(Path("/dev/zero"))


@pytest.mark.skipif(not hasattr(socket, "AF_UNIX"), reason="no sockets here")
def test_a_socket_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # a socket's path must be short
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("answers.yaml")
        assert "this is a socket" in refusal(tmp_path / "answers.yaml")


@pytest.mark.skipif(os.name != "posix", reason="files have no numbers to tell them apart")
def test_a_file_that_is_exchanged_between_looking_and_opening_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(tmp_path, b"q: 1\n")
    other = tmp_path / "other.yaml"
    other.write_bytes(b"q: 2\n")
    opened = os.open
    monkeypatch.setattr(os, "open", lambda given, flags: opened(other if given == path else given, flags))
    assert "exchanged" in refusal(path)


def test_a_file_without_permission_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "open", refuse)
    assert refusal(write(tmp_path, b"q: 1\n")) == "answers.yaml: there is no permission to read the file"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("answers.yaml", "answers.yaml"),
        ("José.yaml", "José.yaml"),
        ("a\nb.yaml", r"a\x0ab.yaml"),
        ("a\x1b[31m.yaml", r"a\x1b[31m.yaml"),
        (os.fsdecode(b"\xff\xfe.yaml") if os.name != "nt" else "\udcff\udcfe.yaml", r"\xff\xfe.yaml"),
        ("a\u202eb", r"a\u202eb"),
        ("\U000e0001", r"\U000e0001"),
    ],
)
def test_names_are_shown_on_one_line_of_printable_characters(name: str, text: str) -> None:
    assert shown(name) == text
    shown(name).encode("utf-8")

"""Where files are written."""

import os
from pathlib import Path

import pytest

from grader.reports.files import write_bytes


@pytest.mark.skipif(os.name == "nt", reason="no such places")
def test_a_device_is_written_to_and_not_replaced() -> None:
    reader, writer = os.pipe()
    write_bytes(Path(f"/dev/fd/{writer}"), (b"one ", b"two"))
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        assert pipe.read() == b"one two"


def test_a_file_that_cannot_be_written_is_named_as_it_was_asked_for(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    for place in (tmp_path / "nowhere" / "out.csv", tmp_path / "folder"):
        with pytest.raises((FileNotFoundError, IsADirectoryError, PermissionError)) as raised:
            write_bytes(place, (b"x",))
        assert (raised.value.filename, raised.value.filename2) == (str(place), None)
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]

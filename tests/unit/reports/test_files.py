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

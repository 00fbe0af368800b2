"""What later steps of a job read: outputs and summaries, appended to the files that the runner names."""

import os
import re
from collections.abc import Mapping
from pathlib import Path

_NAME = re.compile(r"[a-z][a-z0-9-]*")
_VALUE = re.compile(r"[A-Za-z0-9+/=_. -]*")


def set_outputs(path: str, values: Mapping[str, object]) -> None:
    """Append outputs of a step: numbers, words and base64, which can be nothing but one line each."""
    lines = []
    for name, value in values.items():
        if not _NAME.fullmatch(name) or not _VALUE.fullmatch(str(value)):
            raise ValueError(f"the output {name} is not plain")
        lines.append(f"{name}={value}\n")
    append(path, "".join(lines).encode("ascii"))


def append(path: str, data: bytes) -> None:
    """Append bytes on a line of their own to a file of the runner's; nothing where it names none."""
    if not path or not data:
        return
    with open(path, "a+b") as file:
        if file.tell():
            file.seek(-1, os.SEEK_END)
            data = data if file.read(1) == b"\n" else b"\n" + data
        file.write(data)


def size(path: str) -> int:
    """The bytes that are in the file already."""
    try:
        return os.stat(path).st_size if path else 0
    except OSError:
        return 0


def make_room(path: Path) -> None:
    """Move aside a folder in the place of a file that is to be written; anything else is replaced in writing."""
    if path.is_dir() and not path.is_symlink():
        path.rename(path.with_name(f".{path.name}.{os.urandom(4).hex()}"))

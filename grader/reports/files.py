"""Files that are there as a whole or not at all."""

import os
import re
from collections.abc import Iterable
from pathlib import Path

_DEVICES = re.compile(r"/dev(/fd)?|/proc/[^/]+/fd")  # folders of what is written to and must never be replaced


def write_atomically(path: Path, text: str, *, lasting: bool = True) -> None:
    """Write `text` as UTF-8 to a temporary file beside `path`, then move it there; an OSError leaves no file behind.

    What is not `lasting` may be lost if the power fails, and can be made again.
    """
    write_bytes(path, (text.encode("utf-8"),), lasting=lasting)


def write_pieces(path: Path, pieces: Iterable[str]) -> None:
    """The same for a text that comes in pieces and may be long."""
    write_bytes(path, (piece.encode("utf-8") for piece in pieces))


def write_bytes(path: Path, pieces: Iterable[bytes], *, lasting: bool = True) -> None:
    """The same for bytes. A device, such as /dev/null or /dev/stdout, is written to."""
    if _DEVICES.fullmatch(os.path.realpath(path.parent)):
        with path.open("wb") as device:
            for piece in pieces:
                device.write(piece)
        return
    temporary = path.with_name(f".{path.name[:60]}.{os.urandom(4).hex()}.tmp")
    try:
        with temporary.open("xb") as file:
            for piece in pieces:
                file.write(piece)
            if lasting:
                file.flush()
                os.fsync(file.fileno())
        temporary.replace(path)
    except BaseException as error:
        temporary.unlink(missing_ok=True)
        if isinstance(error, OSError):
            error.filename, error.filename2 = str(path), None  # the name that people know
        raise

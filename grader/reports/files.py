"""Files that are there as a whole or not at all."""

import os
from collections.abc import Iterable
from pathlib import Path


def write_atomically(path: Path, text: str) -> None:
    """Write `text` as UTF-8 to a temporary file beside `path`, then move it there; an OSError leaves no file behind."""
    write_pieces(path, (text,))


def write_pieces(path: Path, pieces: Iterable[str]) -> None:
    """The same for a text that comes in pieces and may be long."""
    temporary = path.with_name(f".{path.name[:60]}.{os.urandom(4).hex()}.tmp")
    try:
        with temporary.open("xb") as file:
            for piece in pieces:
                file.write(piece.encode("utf-8"))
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise

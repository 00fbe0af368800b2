"""Folders and archives as platforms hand them out, made for a test."""

import io
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from grader.bundle import Bundle
from grader.sources.finding import find

ANSWERS = "answers:\n  q4:\n    flops: 2BDF\n"

Files = Mapping[str, str | bytes | None]  # None is a folder


def put(root: Path, files: Files) -> Path:
    for name, text in files.items():
        path = root / name
        if text is None:
            path.mkdir(parents=True, exist_ok=True)
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return root


def zipped(files: Files) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name if text is not None else name + "/", text or "")
    return stream.getvalue()


def bundles(*paths: Path, **options: Any) -> list[Bundle]:
    return [candidate.bundle() for candidate in find(paths, **options)]


def by_key(*paths: Path, **options: Any) -> dict[str, Bundle]:
    found = bundles(*paths, **options)
    keyed = {bundle.key: bundle for bundle in found}
    assert len(keyed) == len(found)
    return keyed

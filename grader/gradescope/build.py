"""The autograder's zip: what Gradescope needs to grade a course, in one file that is the same whenever it is made."""

import io
import json
import stat
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZipFile

from grader.course import COMPILED_PAIRS, LoadedCourse, outline, pack, packed_pairs
from grader.exports.output import member
from grader.gradescope.run import COURSE, SECRET, error_json
from grader.gradescope.wheels import PYTHONS, Wheels, fetched, own, requirements
from grader.reports.files import write_bytes
from grader.results import Reveal
from grader.values import frozen

_SCRIPTS = ("setup.sh", "run_autograder")


@frozen
class Entry:
    """A file in the zip: its bytes and its mode."""

    data: bytes
    mode: int = 0o644


def build(
    place: Path,
    loaded: LoadedCourse,
    secret: bytes,
    *,
    wheels: bool = True,
    tell: Callable[[str], None] = lambda _: None,
) -> Mapping[str, Entry]:
    """Write the zip for a course, and give what is in it.

    The course's `secret` goes with it if there is one. Without `wheels` setting up needs the network. `tell` is told
    what is being done. GraderError if a wheel can't be had, OSError if the zip can't be written.
    """
    tell("Packing the course")
    entries = {
        COURSE: Entry(_json(pack(loaded))),
        COMPILED_PAIRS: Entry(packed_pairs(loaded, secret).encode()),
        "error.json": Entry(error_json(loaded)),
        **({SECRET: Entry(secret, 0o600)} if secret else {}),
    }
    name, data = own()
    found = _fetched(tell) if wheels else Wheels({}, PYTHONS)
    entries |= {f"wheels/{file}": Entry(content) for file, content in {**found.files, name: data}.items()}
    entries["requirements.txt"] = Entry("".join(f"{line}\n" for line in (f"./wheels/{name}", *requirements())).encode())
    entries |= {script: _script(script, found.pythons) for script in _SCRIPTS}
    write_bytes(place, (_zipped(entries),))
    if secret:
        place.chmod(0o600)
    return entries


def revealing(loaded: LoadedCourse, level: Reveal | None) -> LoadedCourse:
    """The course with this level of feedback in place of its own."""
    return loaded if level is None else replace(loaded, course=replace(loaded.course, reveal=(("", str(level)),)))


def points(loaded: LoadedCourse) -> int:
    """What the assignment is worth."""
    return outline(loaded.course).max_points


def _fetched(tell: Callable[[str], None]) -> Wheels:
    with TemporaryDirectory() as folder:
        return fetched(Path(folder), tell)


def _script(name: str, pythons: tuple[str, ...]) -> Entry:
    text = Path(__file__).with_name(name).read_text(encoding="utf-8")
    return Entry(text.replace("@VERSIONS@", " ".join(pythons)).encode(), 0o755)


def _json(data: object) -> bytes:
    return json.dumps(data, separators=(",", ":"), ensure_ascii=False, sort_keys=True).encode()


def _zipped(entries: Mapping[str, Entry]) -> bytes:
    stream = io.BytesIO()
    with ZipFile(stream, "w") as archive:
        for name, entry in sorted(entries.items()):
            info = member(name)
            info.external_attr = (stat.S_IFREG | entry.mode) << 16
            archive.writestr(info, entry.data)
    return stream.getvalue()

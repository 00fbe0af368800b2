"""The wheels in the autograder's zip: the grader's own, made from the installed files, and those that it needs.

Only what grading imports is taken. A compiled course needs neither sympy nor pydantic, so that of the few that are left
two have a compiled part, and a Python that is new needs only their wheels to exist.
"""

import base64
import hashlib
import io
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from zipfile import ZipFile

from grader.errors import GraderError
from grader.exports.output import member
from grader.values import frozen

PYTHONS = ("3.11", "3.12", "3.13", "3.14")
_IMAGES = ("3.11", "3.12")  # those that Gradescope's images have or can install
NEEDED = ("click", "markupsafe", "platformdirs", "pyyaml")
# Gradescope's images are Ubuntu 22.04 and 24.04 on x86_64
_PLATFORMS = ("manylinux2014_x86_64", "manylinux_2_17_x86_64", "manylinux_2_28_x86_64")
_PROJECT = "roofline-grader"
_INSTEAD = "or leave the wheels out with --no-wheels: then setting up the autograder needs the network"


@frozen
class Wheels:
    """Wheels by file name, and the versions of Python for which there are all that are needed."""

    files: dict[str, bytes]
    pythons: tuple[str, ...]


def own() -> tuple[str, bytes]:
    """The file name and the bytes of a wheel of the grader as it is installed, from a wheel or from its sources.

    It holds the grader alone: the course goes into the zip compiled. The bytes follow from the files alone.
    """
    from importlib.metadata import PackageNotFoundError, distribution

    try:
        installed = distribution(_PROJECT)
    except PackageNotFoundError:
        raise GraderError(f"{_PROJECT} is not installed here, so that no wheel of it can be made: install it") from None
    stem = f"{_PROJECT.replace('-', '_')}-{installed.version}"
    info = f"{stem}.dist-info"
    files = {f"grader/{name}": path.read_bytes() for name, path in _package_files()}
    for name in ("METADATA", "entry_points.txt", "licenses/LICENSE"):
        text = installed.read_text(name)
        if text is not None:
            files[f"{info}/{name}"] = text.encode()
    files[f"{info}/WHEEL"] = b"Wheel-Version: 1.0\nGenerator: grader\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    record = [f"{name},sha256={_digest(data)},{len(data)}\n" for name, data in sorted(files.items())]
    files[f"{info}/RECORD"] = "".join([*record, f"{info}/RECORD,,\n"]).encode()
    return f"{stem}-py3-none-any.whl", _zipped(files)


def _package_files() -> Iterator[tuple[str, Path]]:
    room = Path(__file__).resolve().parent.parent
    for folder, inner, names in os.walk(room):
        inner[:] = sorted(name for name in inner if name != "__pycache__")
        for name in sorted(name for name in names if not name.startswith(".")):
            path = Path(folder, name)
            yield path.relative_to(room).as_posix(), path


def _digest(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def _zipped(files: dict[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with ZipFile(stream, "w") as archive:
        for name, data in files.items():  # the record is last, as it should be
            archive.writestr(member(name), data)
    return stream.getvalue()


def requirements() -> tuple[str, ...]:
    """What grading needs, in the versions that this version of the grader asks for."""
    from importlib.metadata import requires

    stated = {_plain(text): text for text in requires(_PROJECT) or () if ";" not in text}
    return tuple(stated.get(name, name) for name in NEEDED)


def _plain(requirement: str) -> str:
    """The name in a requirement."""
    return re.split(r"[^A-Za-z0-9_.-]", requirement, maxsplit=1)[0].lower().replace("_", "-")


def fetched(folder: Path, tell: Callable[[str], None]) -> Wheels:
    """The wheels of what grading needs and of pip, downloaded into an empty folder by this Python's pip.

    GraderError if there is no pip, or no wheels for a Python of Gradescope's images or for the first; another without
    wheels is left out, and told.
    """
    pythons: list[str] = []
    wanted = (*requirements(), "pip")
    for version in PYTHONS:
        tell(f"Fetching wheels for Python {version}")
        fault = _download(folder, version, wanted)
        if fault and (not pythons or version in _IMAGES):
            raise GraderError(f"no wheels for Python {version}: {fault}\nMend that, {_INSTEAD}")
        if fault:
            tell(f"Left out: no wheels for Python {version}: {fault}")
            continue
        pythons.append(version)
        every = {_plain(path.name.replace("-", " ")) for path in folder.glob("*-none-any.whl")}
        wanted = tuple(name for name in wanted if _plain(name) not in every)  # the oldest Python's serve all
    return Wheels({path.name: path.read_bytes() for path in sorted(folder.glob("*.whl"))}, tuple(pythons))


def _download(folder: Path, version: str, wanted: tuple[str, ...]) -> str:
    """Why the wheels for a version of Python could not be had; "" if they are there."""
    platforms = (argument for name in _PLATFORMS for argument in ("--platform", name))
    run = subprocess.run(  # noqa: S603
        [
            sys.executable, "-I", "-m", "pip", "download", "--no-deps", "--only-binary=:all:", "--quiet", "--no-input",
            "--disable-pip-version-check", "--implementation", "cp", "--python-version", version, *platforms,
            "--dest", str(folder), *wanted,
        ],
        cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", check=False,
    )  # fmt: skip
    if run.returncode == 0:
        return ""
    said = [line.strip() for line in run.stderr.splitlines() if line.strip()]
    errors = [line.removeprefix("ERROR: ") for line in said if line.startswith("ERROR: ")]
    return next(iter((*errors, *reversed(said))), f"pip ended with {run.returncode}")

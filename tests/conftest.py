"""What is costly is made once for all tests: the packaged course, compiled into a cache of the tests' own."""

import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from hypothesis import settings

import grader.course
from grader.course import LoadedCourse, load_course
from grader.grading import Grader
from tests.tiny import load

try:
    import fcntl
except ImportError:  # on Windows each worker may compile the course for itself
    fcntl = None  # type: ignore[assignment]

# CI tries the same examples each time, so that it fails for a change and not by chance; elsewhere they are drawn anew
settings.register_profile("ci", derandomize=True, deadline=None, print_blob=True)
settings.register_profile("local", deadline=None)
settings.load_profile("ci" if os.environ.get("CI") else "local")

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session")
def shared_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What XDG_CACHE_HOME is for the runs of all workers; the packaged course is compiled there once."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "cache"
    folder.mkdir(exist_ok=True)
    with (folder / "lock").open("w") as lock, pytest.MonkeyPatch.context() as patch:
        if fcntl:
            fcntl.flock(lock, fcntl.LOCK_EX)  # the other workers wait for what the first one compiles
        patch.setattr(grader.course, "_cache_folder", lambda: folder / "roofline-grader")
        load_course()
    return folder


@pytest.fixture(scope="session")
def packaged(shared_cache: Path) -> LoadedCourse:
    """The course that comes with the grader."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(grader.course, "_cache_folder", lambda: shared_cache / "roofline-grader")
        return load_course()


@pytest.fixture(scope="session")
def packaged_grader(packaged: LoadedCourse) -> Grader:
    """Grades against that course; its markers are made once."""
    return Grader(packaged.keyring)


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache folder for compiled courses."""
    folder = tmp_path / "cache"
    monkeypatch.setattr(grader.course, "_cache_folder", lambda: folder)
    monkeypatch.delenv("TINY_SECRET", raising=False)
    return folder


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> LoadedCourse:
    """The small course of `tests/tiny.py`, without a secret."""
    with pytest.MonkeyPatch.context() as patch:
        folder = tmp_path_factory.mktemp("tiny")
        patch.setattr(grader.course, "_cache_folder", lambda: folder / "cache")
        patch.delenv("TINY_SECRET", raising=False)
        return load(folder / "course")


@pytest.fixture(scope="session")
def tiny_grader(tiny: LoadedCourse) -> Grader:
    """Grades against the small course."""
    return Grader(tiny.keyring)


@pytest.fixture(scope="module")
def worked_out_once() -> Iterator[None]:
    """Whatever changes are solved, the reference takes the same step of algebra once; it still walks every graph."""
    from reference import crossing, graph

    with pytest.MonkeyPatch.context() as patch:
        each = cache(graph._each)
        patch.setattr(graph, "_each", lambda function, arguments: each(function, tuple(arguments)))
        for module, name in (
            (graph, "leading_term_under"),
            *((crossing, name) for name in ("crossing", "side", "kind")),
        ):
            patch.setattr(module, name, cache(getattr(module, name)))
        yield

"""What is costly is made once for all tests: the packaged course, compiled into a cache of the tests' own."""

from pathlib import Path

import pytest

import grader.course
from grader.course import LoadedCourse, load_course
from grader.grading import Grader

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session")
def packaged(tmp_path_factory: pytest.TempPathFactory) -> LoadedCourse:
    """The course that comes with the grader."""
    cache = tmp_path_factory.mktemp("compiled")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(grader.course, "_cache_folder", lambda: cache)
        return load_course()


@pytest.fixture(scope="session")
def packaged_grader(packaged: LoadedCourse) -> Grader:
    """Grades against that course; its markers are made once."""
    return Grader(packaged.keyring)

"""The example submissions, graded once."""

from collections.abc import Mapping

import pytest

from grader.batch import grade
from grader.course import LoadedCourse
from grader.results import Gradebook, PartResult
from tests.conftest import ROOT

Parts = Mapping[tuple[str, str], PartResult]


@pytest.fixture(scope="session")
def examples(packaged: LoadedCourse) -> Gradebook:
    """The results of all example submissions, as a run in the project's own folder gives them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        return grade(["submissions_example"], packaged)


def parts_of(book: Gradebook, student: str) -> Parts:
    """The results of one submission's parts by exercise (its short id, q1) and part."""
    (result,) = (result for result in book.results if result.student == student)
    return {(exercise.id[:2], part.id): part for exercise in result.exercises for part in exercise.parts}

"""Grades quantitative exercises. Public names: compare, grade, load_course (imported when first used)."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from grader.batch import grade as grade
    from grader.comparison import compare as compare
    from grader.course import load_course as load_course

__version__ = "0.1.0"
__all__ = ["__version__", "compare", "grade", "load_course"]

_ROOMS = {"compare": "grader.comparison", "grade": "grader.batch", "load_course": "grader.course"}


def __getattr__(name: str) -> Any:
    if name not in _ROOMS:
        raise AttributeError(f"module 'grader' has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(_ROOMS[name]), name)
    globals()[name] = value
    return value

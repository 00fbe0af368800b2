"""A copy of a course's files, with a course.yaml that lists only some of its exercises."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from grader.classroom.files import Files
from grader.course import LoadedCourse
from grader.errors import SpecError

_COURSE = "course.yaml"
_KEPT = (".yaml", "coincidences.json")  # what else lies there is compiled from these, or no part of the course


def course_files(loaded: LoadedCourse) -> Files:
    """The files of a course by their path in its folder; its course.yaml lists the exercises that are loaded.

    The files of exercises that are left out come along: what the course's mistakes may name is what any of them knows.
    """
    files = {path.relative_to(loaded.folder).as_posix(): path.read_bytes() for path in _of_course(loaded)}
    text = files[_COURSE].decode("utf-8-sig")
    return {**files, _COURSE: listing_only(text, [exercise.id for exercise in loaded.course.exercises]).encode()}


def _of_course(loaded: LoadedCourse) -> Iterator[Path]:
    yield from (path for path in sorted(loaded.folder.iterdir()) if path.name.endswith(_KEPT) and path.is_file())
    if loaded.course.templates:
        yield from (path for path in sorted((loaded.folder / loaded.course.templates).iterdir()) if path.is_file())


def listing_only(text: str, exercises: Sequence[str]) -> str:
    """A course.yaml with another list of exercises, all else as its author wrote it."""
    import yaml

    root = yaml.compose(text, Loader=yaml.SafeLoader)
    for key, value in root.value if isinstance(root, yaml.MappingNode) else ():
        if key.value == "exercises":
            start, end = key.end_mark.index, value.end_mark.index
            rest = "\n" if text[start:end].endswith("\n") else ""  # a list of lines ends with its last line break
            return f"{text[:start]}: [{', '.join(exercises)}]{rest}{text[end:]}"
    raise SpecError(f"{_COURSE}: there is no list of exercises")

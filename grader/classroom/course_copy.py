"""A copy of a course's files, with a course.yaml that lists only some of its exercises."""

from collections.abc import Sequence
from pathlib import Path

from grader.classroom.files import Files
from grader.errors import SpecError

_COURSE = "course.yaml"
_KEPT = (".yaml", "coincidences.json")  # what else lies there is compiled from these, or no part of the course


def course_files(folder: Path, exercises: Sequence[str]) -> Files:
    """The files of the course in `folder`, by name; `exercises` are the ids that its course.yaml is to list.

    The files of exercises that are left out come along: what the course's mistakes may name is what any of them knows.
    """
    names = sorted(path.name for path in folder.iterdir() if path.name.endswith(_KEPT) and path.is_file())
    files = {name: (folder / name).read_bytes() for name in names}
    text = files[_COURSE].decode("utf-8-sig")
    return {**files, _COURSE: listing_only(text, exercises).encode()}


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

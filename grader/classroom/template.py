"""A repository for each student of a class: questions, and a workflow that says what became of the answers."""

import json
from pathlib import Path

from grader.classroom.course_copy import course_files
from grader.classroom.files import Files, rendered
from grader.classroom.names import Action, slug
from grader.compiled import EDITION
from grader.course import LoadedCourse
from grader.edition import edition
from grader.errors import SpecError
from grader.handout import sheet_text
from grader.reports.markup import md_text, one_line
from grader.values import frozen


@frozen(kw_only=True)
class Wanted:
    """What a template is to be: for which platform, from which course, and how much it gives away.

    `own` says that the course is not the one that comes with the grader, so that the repository needs a copy.
    """

    loaded: LoadedCourse
    platform: str
    action: Action
    check_only: bool = False
    own: bool = False
    title: str = ""


@frozen
class Template:
    """The files of a template, and what whoever made it must know, a sentence each."""

    files: Files
    notes: tuple[str, ...]


def template(wanted: Wanted, folder: Path) -> Template:
    """The template that is to be written to `folder`. SpecError where it would give a secret away."""
    course = _course(wanted)
    only = "" if course else ",".join(exercise.id for exercise in wanted.loaded.course.exercises)
    values = {
        "platform": wanted.platform,
        "classroom": wanted.platform == "classroom",
        "check_only": wanted.check_only,
        "course_folder": "course" if course else "",
        "course_option": " --course course" if course else "",
        "only": only,
        "ci_options": f" --exercises {only}" if only else " --course course",
        "action": str(wanted.action),
        "requirement": wanted.action.requirement,
        "title": md_text(one_line(wanted.title or wanted.loaded.course.title)),
    }
    files = {
        "answers.yaml": sheet_text(wanted.loaded, (), None).encode(),
        "README.md": rendered("student/README.md", **values),
        ".gitattributes": rendered("student/gitattributes"),
        ".gitignore": rendered("student/gitignore"),
        **{f"course/{name}": content for name, content in course.items()},
    }
    if wanted.platform != "classroom50":
        files[".github/workflows/autograde.yml"] = rendered("student/autograde.yml", **values)
        return Template(files, _notes(wanted))
    place = f"staff/autograders/{slug(folder.resolve().name)}"
    staff = {
        f"{place}/autograder.py": rendered("classroom50/autograder.py", **values),
        **{f"{place}/course/{name}": content for name, content in course.items()},
    }
    return Template({**{f"student/{path}": content for path, content in files.items()}, **staff}, _notes(wanted))


def _course(wanted: Wanted) -> Files:
    """The files of the course that students get: an edition without keys, a copy with them, or none."""
    course = wanted.loaded.course
    if wanted.check_only:
        return {EDITION: (json.dumps(edition(course), indent=1, ensure_ascii=False) + "\n").encode()}
    if wanted.loaded.edition:
        raise SpecError(f"{wanted.loaded.folder}: this is a student edition: add --check-only")
    if not wanted.own:
        return {}
    if course.secret_env:
        raise SpecError(
            f"{wanted.loaded.folder}: this course has a secret ({course.secret_env}), and students could read what it "
            "protects: add --check-only, and grade with classroom init --staff"
        )
    return course_files(wanted.loaded)


def _notes(wanted: Wanted) -> tuple[str, ...]:
    notes = []
    if wanted.own and not wanted.check_only:
        where = (
            "the classroom's pages, which everybody can read"
            if wanted.platform == "classroom50"
            else "their repository"
        )
        notes.append(
            f"STUDENTS CAN READ THE KEY: the whole course, solutions and exercises not asked here included, is "
            f"copied into course/ in {where}. "
            "To keep it secret, use --check-only here, and grade with classroom init --staff."
        )
    if wanted.check_only and not wanted.own:
        notes.append(
            "The key of the packaged course is public: students find it where the grader comes from. For a key that "
            "stays with you, name a course of your own with --course."
        )
    if any(exercise.draws for exercise in wanted.loaded.course.exercises):
        notes.append("Numbers are drawn for each student: hand out each one's own answers.yaml (grader new --student).")
    return tuple(notes)

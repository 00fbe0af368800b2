"""The staff's private repository of a class: the course with its keys, and a workflow that grades on a schedule."""

from grader.classroom.course_copy import course_files
from grader.classroom.files import Files, rendered
from grader.classroom.names import Action
from grader.course import LoadedCourse, require_keys
from grader.reports.markup import md_text, one_line
from grader.values import frozen


@frozen(kw_only=True)
class Class:
    """The student repositories: those of an organisation whose names begin alike."""

    org: str
    prefix: str


def staff_template(loaded: LoadedCourse, repositories: Class, action: Action, title: str) -> Files:
    """The files of the staff's repository. SpecError if the course has no keys."""
    require_keys(loaded)
    values = {
        "org": repositories.org,
        "prefix": repositories.prefix,
        "requirement": action.requirement,
        "secret_env": loaded.course.secret_env,
        "title": md_text(one_line(title or loaded.course.title)),
    }
    course = course_files(loaded)
    return {
        "README.md": rendered("staff/README.md", **values),
        "roster.csv": rendered("staff/roster.csv"),
        ".gitignore": rendered("staff/gitignore"),
        ".gitattributes": rendered("student/gitattributes"),
        ".github/workflows/grade.yml": rendered("staff/grade.yml", **values),
        **{f"course/{name}": content for name, content in course.items()},
    }

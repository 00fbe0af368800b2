"""The repositories of a class: those of an organisation that begin alike, or a list in a file."""

import csv
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from grader.classroom.github import Client, ExhaustedError, GithubError
from grader.classroom.names import organisation, prefix
from grader.errors import GraderError, SubmissionError
from grader.files import read_text, shown
from grader.values import changed, frozen

_NAME = re.compile(r"[A-Za-z0-9._-]{1,100}", re.ASCII)
_LIMIT = 8 << 20
_GUARDED = re.compile(r"'(?=[-+=@])")


@frozen(kw_only=True)
class Repository:
    """A student's repository. `name` is OWNER/REPO, `student` the login (or team) behind the prefix.

    GitHub tells the rest: the default branch, when something was pushed last, how large it is, and whether everybody
    can read it. `collected_at` and `commit` are what `collect` wrote, where the list is its own.
    """

    name: str
    student: str
    branch: str = ""
    pushed_at: str = ""
    kilobytes: int = 0
    commit: str = ""
    collected_at: str = ""
    public: bool = False


def is_name(text: str) -> bool:
    """Whether GitHub could call a repository or a user so; nothing else is let near a path or an address."""
    return _NAME.fullmatch(text) is not None and text not in (".", "..")


def of_organisation(client: Client, org: str, start: str) -> list[Repository]:
    """The repositories of an organisation that begin with a prefix, templates excepted; GraderError without any."""
    before = prefix(start).rstrip("-") + "-"
    owner = organisation(org)
    try:
        found = [_listed(data, before, owner) for data in client.pages(f"orgs/{owner}/repos?type=all")]
    except ExhaustedError:
        raise
    except GithubError as error:
        raise GraderError(f"{owner}: the repositories can't be listed: {error}") from None
    kept = [repository for repository in found if repository is not None]
    if not kept:
        raise GraderError(f"{owner}: no repository begins with {before}")
    return _checked(kept, owner)


def _listed(data: Any, before: str, owner: str) -> Repository | None:
    name = str(data.get("name", "")) if isinstance(data, Mapping) else ""
    student = name[len(before) :]
    if not name.casefold().startswith(before.casefold()) or not (is_name(name) and is_name(student)):
        return None
    return None if data.get("is_template") else told(Repository(name=f"{owner}/{name}", student=student), data)


def told(repository: Repository, data: Mapping[str, Any]) -> Repository:
    """The repository with what GitHub says of it."""
    size = data.get("size")
    return changed(
        repository,
        branch=str(data.get("default_branch") or ""),
        pushed_at=str(data.get("pushed_at") or ""),
        kilobytes=size if isinstance(size, int) else 0,
        public=data.get("private") is False,
    )


def of_file(path: Path, start: str = "") -> list[Repository]:
    """The repositories in a file, OWNER/REPO or OWNER/REPO,student a line, or the pushed.csv of a collection.

    Without a student the repository's name is, less the prefix; of a collection the login is. SubmissionError (file,
    line, what) for a fault.
    """
    name = shown(str(path))
    text = read_text(path, name, _LIMIT)
    before = prefix(start).rstrip("-") + "-" if start else ""
    return _checked(list(_rows(text, name, before)), name)


def _rows(text: str, file: str, before: str) -> Iterator[Repository]:
    columns = {"repository": 0, "student": 1}
    reader = csv.reader(text.splitlines())
    for cells in reader:
        row = [_GUARDED.sub("", cell.strip()) for cell in cells]
        if not any(row) or row[0].startswith("#"):
            continue
        if "repository" in row:
            columns = {cell: place for place, cell in enumerate(row)}
            continue
        given = {column: row[place] for column, place in columns.items() if place < len(row)}
        if len(columns) > 2 and given.get("repository") == "":
            continue  # a student of the roster who has none
        owner, _, short = given.get("repository", "").partition("/")
        student = given.get("login") or given.get("student") or short.removeprefix(before)
        if not all(map(is_name, (owner, short, student))) or owner.startswith("-"):
            raise SubmissionError(file, "OWNER/REPO or OWNER/REPO,student is expected", reader.line_num)
        yield Repository(
            name=f"{owner}/{short}",
            student=student,
            commit=given.get("commit", ""),
            collected_at=given.get("collected_at", ""),
        )


def _checked(repositories: list[Repository], where: str) -> list[Repository]:
    """The same, sorted, if each student has one repository; GraderError otherwise."""
    if not repositories:
        raise GraderError(f"{where}: there are no repositories")
    twice = sorted(_twice(repository.student for repository in repositories))
    twice += sorted(_twice(repository.name for repository in repositories))
    if twice:
        raise GraderError(f"{where}: more than one line is for {', '.join(twice[:10])}")
    return sorted(repositories, key=lambda repository: repository.student)


def _twice(texts: Iterable[str]) -> list[str]:
    return [text for text, count in Counter(map(str.casefold, texts)).items() if count > 1]

"""Brings the repositories of a class to disk, as `grader grade` takes them; only what changed is fetched again.

They go to `<slug>-submissions/<slug>-<student>/`: with these names the student is told by the folder alone, whatever
lies in it. When something was pushed is GitHub's own word; the dates in a commit are whatever its author wrote.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote

from grader.bulk import Watch
from grader.classroom.clones import MOST_BYTES, fetch, restore
from grader.classroom.github import Client, ExhaustedError, GithubError
from grader.classroom.repositories import Repository, told
from grader.errors import GraderError
from grader.exports.cells import line
from grader.gradebook import Student
from grader.reports.files import write_atomically, write_bytes
from grader.results import to_json
from grader.roster import Roster
from grader.values import changed, frozen

STATE = ".collected.json"
PUSHED = "pushed.csv"
COLUMNS = ("student", "name", "email", "section", "login", "submitted_at", "repository", "commit", "collected_at")
_NO_PREFIX = "student"  # where the repositories have no prefix in common


@frozen(kw_only=True)
class Collected:
    """A repository as it is on disk.

    `folder` is below the collection's, `pushed_at` what GitHub said of the repository when it was looked at last,
    `submitted_at` when this commit was pushed.
    """

    name: str
    student: str
    folder: str
    branch: str
    commit: str
    pushed_at: str
    submitted_at: str
    collected_at: str


@frozen(kw_only=True)
class Outcome:
    """What became of a collection: repositories by name, with what is the trouble where there is any."""

    fetched: tuple[str, ...]
    unchanged: tuple[str, ...]
    troubles: Mapping[str, str]
    left: tuple[str, ...] = ()  # not tried: GitHub answers no more
    gone: tuple[str, ...] = ()  # collected before, and not in the list any more
    unknown: tuple[str, ...] = ()  # logins that the roster doesn't know
    public: tuple[str, ...] = ()  # what is posted there everybody can read


@contextmanager
def alone(lock: Path, what: str) -> Iterator[None]:
    """One run at a time; GraderError if another one is at it."""
    from filelock import FileLock, Timeout

    lock.parent.mkdir(parents=True, exist_ok=True)
    try:
        with FileLock(lock, blocking=False):
            yield
    except Timeout:
        raise GraderError(f"{lock.parent}: another run {what} here; wait for it to end") from None


def read_state(folder: Path) -> dict[str, Collected]:
    """What was collected into a folder, by the repository's name; GraderError if the record is damaged."""
    path = folder / STATE
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        return {item["name"]: Collected(**item) for item in data["repositories"]}
    except FileNotFoundError:
        return {}
    except (ValueError, KeyError, TypeError):
        raise GraderError(f"{path}: damaged; remove it, and everything is fetched again") from None


class Collection:
    """A class on disk; with a roster, students have the ids and names that they have there."""

    def __init__(self, client: Client, folder: Path, *, slug: str, branch: str, roster: Roster | None = None) -> None:
        self._client, self._folder, self._branch, self._roster = client, folder, branch, roster
        self._slug = slug.rstrip("-") or _NO_PREFIX
        self._state = read_state(folder)

    def update(self, repositories: Sequence[Repository], watch: Watch) -> Outcome:
        """Fetch what is new or changed. What can't be had costs itself alone.

        GraderError if the folder is another class's.
        """
        fetched: list[str] = []
        unchanged: list[str] = []
        troubles: dict[str, str] = {}
        left: tuple[str, ...] = ()
        self._check_class()
        self._above.mkdir(parents=True, exist_ok=True)
        restore(self._above)
        watch.begin("Collected", len(repositories))
        for place, repository in enumerate(repositories):
            try:
                (fetched if self._bring(repository) else unchanged).append(repository.name)
            except ExhaustedError as error:
                left = tuple(other.name for other in repositories[place:])
                troubles[repository.name] = str(error)
                break
            except GithubError as error:
                troubles[repository.name] = str(error)
            watch.step()
        unknown = self._write_times()
        gone = sorted(self._state.keys() - {repository.name for repository in repositories})
        return Outcome(
            fetched=tuple(fetched),
            unchanged=tuple(unchanged),
            troubles=troubles,
            left=left,
            gone=tuple(gone),
            unknown=unknown,
            public=tuple(repository.name for repository in repositories if repository.public),
        )

    @property
    def _above(self) -> Path:
        return self._folder / f"{self._slug}-submissions"

    def _check_class(self) -> None:
        """One folder is one class: of two, a student's work and times could be taken for the other's."""
        others = {known.folder.partition("/")[0] for known in self._state.values()} - {self._above.name}
        if others:
            raise GraderError(f"{self._folder}: {min(others)} was collected here; name another folder")

    def _bring(self, repository: Repository) -> bool:
        """Bring one repository up to date; whether anything was fetched."""
        if not repository.pushed_at:
            repository = told(repository, self._about(repository.name))
        branch = self._branch or repository.branch
        known = self._known(repository, branch)
        if known is not None and known.pushed_at == repository.pushed_at:
            return False
        if repository.kilobytes > MOST_BYTES >> 10:
            raise GithubError(f"larger than {MOST_BYTES >> 20} MiB")
        head, pushed = self._last_push(repository.name, branch)
        if known is not None and head == known.commit:  # something else was pushed, such as a tag
            self._keep(changed(known, pushed_at=repository.pushed_at))
            return False
        self._fetch(repository, branch, head, pushed)
        return True

    def _fetch(self, repository: Repository, branch: str, head: str, pushed: str) -> None:
        before = self._state.get(repository.name)
        folder = f"{self._above.name}/{self._slug}-{repository.student}"
        commit = fetch(self._client, repository.name, self._folder / folder, self._branch)
        if commit != head:  # pushed meanwhile, or not known before
            head, pushed = self._last_push(repository.name, branch)
        if before is not None and before.commit == commit and before.submitted_at:
            pushed = before.submitted_at
        elif commit != head:
            pushed = repository.pushed_at
        self._keep(
            Collected(
                name=repository.name,
                student=repository.student,
                folder=folder,
                branch=branch,
                commit=commit,
                pushed_at=repository.pushed_at,
                submitted_at=pushed if commit else "",
                collected_at=datetime.now(UTC).isoformat(timespec="seconds"),
            )
        )

    def _known(self, repository: Repository, branch: str) -> Collected | None:
        """The repository as it was collected, if it is still there."""
        known = self._state.get(repository.name)
        if known is None or (known.student, known.branch) != (repository.student, branch):
            return None
        return known if self._there(known) else None

    def _there(self, known: Collected) -> bool:
        return (self._folder / known.folder).is_dir()

    def _about(self, name: str) -> Mapping[str, Any]:
        data = self._client.get(f"repos/{name}")
        return data if isinstance(data, Mapping) else {}

    def _last_push(self, name: str, branch: str) -> tuple[str, str]:
        """The newest commit of a branch and when it was pushed; both empty where GitHub doesn't tell."""
        if not branch:
            return "", ""
        try:
            rows = self._client.get(f"repos/{name}/activity?ref=refs/heads/{quote(branch)}&per_page=1")
            return str(rows[0]["after"]), str(rows[0]["timestamp"])
        except ExhaustedError:
            raise
        except (GithubError, LookupError, TypeError):
            return "", ""

    def _keep(self, collected: Collected) -> None:
        # a repository that was renamed, or whose owner is written otherwise, is the same student's still
        same = [name for name, one in self._state.items() if one.student.casefold() == collected.student.casefold()]
        for name in same:
            del self._state[name]
        self._state[collected.name] = collected
        rows = [to_json(self._state[name]) for name in sorted(self._state)]
        write_atomically(self._folder / STATE, json.dumps({"repositories": rows}, indent=1) + "\n")

    def _write_times(self) -> tuple[str, ...]:
        """When each student's work was pushed, as a roster that `grader grade` takes; the logins that ours lacks."""
        there = sorted((row for row in self._state.values() if self._there(row)), key=lambda row: row.student)
        students = self._roster.students if self._roster else ()
        known = self._in_roster(there)
        mine = {student.id: login for login, student in known.items()}
        by_login = {row.student: row for row in there}
        rows = [_line(student, by_login.get(mine.get(student.id, ""))) for student in students]
        rows += [_line(Student(id=row.student), row) for row in there if row.student not in known]
        write_bytes(self._folder / PUSHED, [line(COLUMNS), *map(line, rows)])
        return tuple(row.student for row in there if students and row.student not in known)

    def _in_roster(self, there: Sequence[Collected]) -> dict[str, Student]:
        """The students of the roster by their logins, one login each."""
        found: dict[str, Student] = {}
        for row in there:
            student = self._roster.find(row.student) if self._roster else None
            if student and student not in found.values():
                found[row.student] = student
        return found


def _line(student: Student, row: Collected | None) -> tuple[str, ...]:
    about = (student.id, student.name, student.email, student.section)
    return (
        (*about, row.student, row.submitted_at, row.name, row.commit, row.collected_at) if row else (*about, *[""] * 5)
    )

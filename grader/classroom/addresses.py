"""Which repository the feedback on a result goes to, and which commit it is about."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set

from grader.classroom.feedback import Mark, Words, comment, status
from grader.classroom.names import organisation, prefix
from grader.classroom.post import Feedback
from grader.classroom.repositories import Repository, is_name
from grader.gradebook import Row
from grader.results import Status
from grader.store import Store
from grader.store.reader import CUT_SHORT

_NOWHERE = "no repository is known as this student's, and as nobody else's"
_NEWER = "newer work was collected after it was graded: grade it first"

_GRADED = "select g.student, s.key from grade g join submission s on s.id = g.submission"
_ROSTER = "select id, nullif(name, id), aliases from student"
_OTHERS = "select student, key from submission where current"


class Addresses:
    """The repositories of students, by any name that the store has for a student."""

    def __init__(self, repositories: Mapping[str, Repository], org: str = "", before: str = "") -> None:
        self._known, self._org, self._before = repositories, org, before

    @staticmethod
    def listed(repositories: Sequence[Repository]) -> "Addresses":
        """Those of a list."""
        return Addresses({repository.student.casefold(): repository for repository in repositories})

    @staticmethod
    def alike(org: str, start: str) -> "Addresses":
        """ORG/PREFIX-login, whether it is there or not; which commit was graded is then not known."""
        return Addresses({}, organisation(org), prefix(start).rstrip("-") + "-")

    def of(self, keys: Mapping[str, str], aliases: Mapping[str, Set[str]]) -> dict[str, Repository]:
        """The repositories of students, by their ids: by how the submission that counts names them, else by an alias.

        What would be the repository of two students is nobody's.
        """
        found = self._alone({student: {key} for student, key in keys.items()})
        taken = {repository.name for repository in found.values()}
        rest = {student: aliases.get(student, set()) for student in keys if student not in found and not self._org}
        return {**{student: one for student, one in self._alone(rest).items() if one.name not in taken}, **found}

    def _alone(self, names: Mapping[str, Set[str]]) -> dict[str, Repository]:
        """The repositories of students who have one by these names, each of them of one student only."""
        found = {
            student: {one.name: one for text in own if (one := self._named(text))} for student, own in names.items()
        }
        owners = Counter(name.casefold() for own in found.values() for name in own)
        alone = {student: next(iter(own.values())) for student, own in found.items() if len(own) == 1}
        return {student: one for student, one in alone.items() if owners[one.name.casefold()] == 1}

    def _named(self, text: str) -> Repository | None:
        if self._org:
            return Repository(name=f"{self._org}/{self._before}{text}", student=text) if is_name(text) else None
        return self._known.get(text.casefold())


class Mail:
    """The feedback on all results of a store; `troubles` are those to whom none can be sent, by student."""

    def __init__(self, store: Store, addresses: Addresses, words: Words, reaches: Mark) -> None:
        self._store, self._words, self._reaches = store, words, reaches
        keys: dict[str, str] = dict(store.db.execute(_GRADED))
        self._count = len(keys)
        self._repositories = addresses.of(keys, _aliases(store))
        query = "select max(started_at) from run where kind = 'grade' and finished_at != ?"
        self._graded_at: str = store.db.execute(query, (CUT_SHORT,)).fetchone()[0] or ""
        self.troubles: dict[str, str] = {}

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[Feedback]:
        for row in self._store.rows():
            repository = self._repositories.get(row.student.id)
            if repository is None:
                self.troubles[row.student.id] = _NOWHERE
            elif repository.collected_at > self._graded_at:
                self.troubles[row.student.id] = _NEWER
            else:
                yield self._feedback(row, repository)

    def _feedback(self, row: Row, repository: Repository) -> Feedback:
        return Feedback(
            student=row.student.id,
            repository=repository.name,
            commit=repository.commit,
            body=comment(row.result, self._words, repository.commit),
            status=status(row.result, self._words, self._reaches),
            open=row.result.status != Status.MISSING,
        )


def _aliases(store: Store) -> dict[str, set[str]]:
    """What each student is called in the roster and by folders, names of people excepted: a login may be like one."""
    found = {student: {student, *json.loads(texts)} - {name} for student, name, texts in store.db.execute(_ROSTER)}
    for student, key in store.db.execute(_OTHERS):
        found.setdefault(student, {student}).add(key)
    return found

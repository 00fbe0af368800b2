"""Which repository the feedback on a result goes to, and which commit it is about."""

from collections.abc import Iterator, Mapping, Sequence

from grader.classroom.feedback import Mark, Words, comment, status
from grader.classroom.names import organisation, prefix
from grader.classroom.post import Feedback
from grader.classroom.repositories import Repository, is_name
from grader.gradebook import Row
from grader.results import Status
from grader.store import Store
from grader.store.reader import CUT_SHORT

_NOWHERE = "no repository of this student is known"
_NEWER = "newer work was collected after it was graded: grade it first"


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

    def find(self, row: Row, key: str) -> Repository | None:
        """The repository of a student; `key` is how the submission that counts names them."""
        for text in (key, *row.student.aliases):
            if text.casefold() in self._known:
                return self._known[text.casefold()]
        if self._org and is_name(key):
            return Repository(name=f"{self._org}/{self._before}{key}", student=key)
        return None


class Mail:
    """The feedback on all results of a store; `troubles` are those to whom none can be sent, by student."""

    def __init__(self, store: Store, addresses: Addresses, words: Words, reaches: Mark) -> None:
        self._store, self._addresses, self._words, self._reaches = store, addresses, words, reaches
        self._keys: dict[str, str] = dict(
            store.db.execute("select g.student, s.key from grade g join submission s on s.id = g.submission")
        )
        query = "select max(started_at) from run where kind = 'grade' and finished_at != ?"
        self._graded_at: str = store.db.execute(query, (CUT_SHORT,)).fetchone()[0] or ""
        self.troubles: dict[str, str] = {}

    def __len__(self) -> int:
        return len(self._keys)

    def __iter__(self) -> Iterator[Feedback]:
        for row in self._store.rows():
            repository = self._addresses.find(row, self._keys.get(row.student.id, ""))
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

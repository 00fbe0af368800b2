"""Posts feedback to the students' repositories, and keeps it up to date in place.

What counts is what GitHub has: a comment is ours by its author and the mark in front, so the same command goes on
wherever another run ended. The journal beside the store only saves requests: what it says was posted is not asked
for again, unless `verify` is set. Per repository there is one comment - in the open pull request called "Feedback", as
classrooms make it, else in an issue of ours - and one status on the commit that was graded.
"""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from grader.bulk import Watch
from grader.classroom.feedback import CONTEXT, State, Words, same
from grader.classroom.github import Client, ExhaustedError, GithubError
from grader.errors import GraderError
from grader.reports.files import write_atomically
from grader.values import frozen

FILE = "posted.json"
_SWITCHED_OFF = 410  # as issues can be
_GONE = (404, _SWITCHED_OFF)

Data = Mapping[str, Any]


@frozen(kw_only=True)
class Feedback:
    """What one student is told: in which repository (OWNER/REPO), of which commit (empty where it isn't known).

    Without `open` no comment is begun, though one that is there is kept up to date.
    """

    student: str
    repository: str
    commit: str
    body: str
    status: State
    open: bool = True


@frozen
class Done:
    """What was done, or would be: created, updated, unchanged, or nothing where there was nothing to do."""

    comment: str
    status: str

    @property
    def changed(self) -> bool:
        """Whether anything was written."""
        return {self.comment, self.status} & {"created", "updated"} != set()


@frozen(kw_only=True)
class Outcome:
    """What became of all feedback, by student; `left` are those not tried since GitHub answers no more."""

    done: Mapping[str, Done]
    troubles: Mapping[str, str]
    left: tuple[str, ...] = ()


class Posted:
    """The journal: by repository the comment (its id and text) and the status that were posted last."""

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            self._data = _journal(json.loads(path.read_text(encoding="utf-8")))
        except FileNotFoundError:
            self._data = {}
        except (ValueError, KeyError, TypeError, AttributeError):
            raise GraderError(f"{path}: damaged; remove it, and GitHub is asked what is there") from None

    def get(self, repository: str, what: str) -> Data:
        """What is known of the comment or the status of a repository."""
        return self._data.get(repository, {}).get(what, {})

    def keep(self, repository: str, what: str, known: Data) -> None:
        """Keep what was posted; the file is there as a whole or not at all."""
        if self.get(repository, what) != known:
            self._data.setdefault(repository, {})[what] = dict(known)
            write_atomically(self._path, json.dumps({"repositories": self._data}, indent=1, sort_keys=True) + "\n")


def _journal(data: Any) -> dict[str, dict[str, dict[str, Any]]]:
    """What a journal holds, in the form that it must have."""
    found = {name: {what: dict(known) for what, known in own.items()} for name, own in data["repositories"].items()}
    for own in found.values():
        if "id" in own.get("comment", {}):
            own["comment"]["id"] = int(own["comment"]["id"])
    return found


class Poster:
    """Brings repositories to what their students are to be told; `author` is who posts, else whoever is logged in."""

    def __init__(
        self,
        client: Client,
        journal: Posted,
        words: Words,
        author: str = "",
        *,
        verify: bool = False,
        dry: bool = False,
    ) -> None:
        self._client, self._journal, self._words = client, journal, words
        self._author, self._verify, self._dry = author, verify, dry

    def all(self, feedback: Iterable[Feedback], count: int, watch: Watch) -> Outcome:
        """Post to every repository. One that can't be reached or written costs itself alone."""
        done: dict[str, Done] = {}
        troubles: dict[str, str] = {}
        waiting = iter(feedback)
        watch.begin("Posted", count)
        for one in waiting:
            try:
                done[one.student] = self.post(one)
            except ExhaustedError as error:
                troubles[one.student] = str(error)
                return Outcome(done=done, troubles=troubles, left=(one.student, *(rest.student for rest in waiting)))
            except GithubError as error:
                troubles[one.student] = f"{one.repository}: {error}"
            watch.step()
        return Outcome(done=done, troubles=troubles)

    def post(self, feedback: Feedback) -> Done:
        """Post to one repository; GithubError if that isn't possible. Without issues there is the status at least."""
        try:
            comment = self._comment(feedback)
        except GithubError as error:
            if error.status == _SWITCHED_OFF and feedback.commit:
                self._status(feedback)
            raise
        return Done(comment, self._status(feedback) if feedback.commit else "")

    # --- the comment

    def _comment(self, feedback: Feedback) -> str:
        known = self._journal.get(feedback.repository, "comment")
        mark = feedback.body.partition("\n")[0]
        if known.get("mark") == mark and not self._verify:
            return "unchanged" if "id" in known else ""
        if "id" in known:
            done = self._update(feedback, known["id"], None, mark)
            if done:
                return done
        for comment in self._client.pages(f"repos/{feedback.repository}/issues/comments"):
            if self._is_ours(comment):
                return self._update(feedback, int(comment["id"]), str(comment["body"]), mark)
        if feedback.open:
            return self._create(feedback, mark)
        self._remember(feedback, {"mark": mark})
        return ""

    def _update(self, feedback: Feedback, comment: int, text: str | None, mark: str) -> str:
        """Bring a comment up to date; `text` is what it says, where that is known. Empty if somebody removed it."""
        path = f"repos/{feedback.repository}/issues/comments/{comment}"
        try:
            if text is None and self._verify:
                text = str(self._client.get(path)["body"])
            unchanged = text is not None and same(text, feedback.body)
            if not (unchanged or self._dry):
                self._client.write("PATCH", path, {"body": feedback.body})
        except GithubError as error:
            if error.status in _GONE:
                return ""
            raise
        self._remember(feedback, {"id": comment, "mark": mark})
        return "unchanged" if unchanged else "updated"

    def _create(self, feedback: Feedback, mark: str) -> str:
        thread = self._thread(feedback.repository)
        if not self._dry:
            above = f"repos/{feedback.repository}/issues"
            if thread is None:
                title, text = self._words.issue
                thread = self._number(self._written(self._client.write("POST", above, {"title": title, "body": text})))
            made = self._written(self._client.write("POST", f"{above}/{thread}/comments", {"body": feedback.body}))
            self._remember(feedback, {"id": int(made["id"]), "mark": mark})
        return "created"

    def _thread(self, repository: str) -> int | None:
        """Where the comment belongs: the open pull request for feedback, else an issue of ours; None if neither is."""
        issue = None
        for one in self._client.pages(f"repos/{repository}/issues?state=all&sort=created&direction=asc"):
            if "pull_request" not in one:
                issue = issue or (self._number(one) if self._is_ours(one) else None)
            elif one.get("state") == "open" and str(one.get("title", "")).strip().casefold() == "feedback":
                return self._number(one)
        return issue

    def _is_ours(self, data: Data) -> bool:
        """Whether we wrote this issue or comment: the mark alone can be anybody's."""
        ours = _login(data.get("user")).casefold() == self._me().casefold()
        return ours and self._words.mark in str(data.get("body") or "")

    def _written(self, data: Data) -> Data:
        """What was just written; GraderError if it would never be found again under the name that was given."""
        login = _login(data.get("user"))
        if login and login.casefold() != self._me().casefold():
            raise GraderError(f"--as {self._author!r}: GitHub says that {login!r} wrote; give that name")
        return data

    def _me(self) -> str:
        self._author = self._author or self._client.login()
        return self._author

    def _number(self, data: Data) -> int:
        return int(data["number"])

    def _remember(self, feedback: Feedback, known: Data) -> None:
        if not self._dry:
            self._journal.keep(feedback.repository, "comment", known)

    # --- the status

    def _status(self, feedback: Feedback) -> str:
        wanted = {"state": feedback.status.state, "description": feedback.status.description}
        known = {"commit": feedback.commit, **wanted}
        if self._journal.get(feedback.repository, "status") == known and not self._verify:
            return "unchanged"
        there = self._last_status(feedback)
        if there == wanted:
            done = "unchanged"
        else:
            done = "updated" if there else "created"
            if not self._dry:
                path = f"repos/{feedback.repository}/statuses/{feedback.commit}"
                self._client.write("POST", path, {**wanted, "context": CONTEXT})
        if not self._dry:
            self._journal.keep(feedback.repository, "status", known)
        return done

    def _last_status(self, feedback: Feedback) -> dict[str, str]:
        """The status that holds, if it is ours: students can set one, too."""
        for status in self._client.pages(f"repos/{feedback.repository}/commits/{feedback.commit}/statuses"):
            if status.get("context") != CONTEXT:
                continue
            if _login(status.get("creator")).casefold() != self._me().casefold():
                return {}
            return {"state": str(status.get("state")), "description": str(status.get("description"))}
        return {}


def _login(user: Any) -> str:
    return str(user.get("login", "")) if isinstance(user, Mapping) else ""

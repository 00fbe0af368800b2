"""GitHub, asked through its own program `gh`, which knows the login: no token is read, kept or shown here.

Writes are spaced, since GitHub limits what makes content. Where it asks to wait (403 or 429 with `retry-after`, or with
no requests left until `x-ratelimit-reset`) that is done, within bounds; then `ExhaustedError` says that it is time to
give up, so that the same command can go on later.
"""

import json
import re
import shutil
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from grader.classroom.programs import SlowError, run
from grader.errors import GraderError
from grader.values import frozen

_SECONDS = 60.0  # for an answer of the API
_CLONE_SECONDS = 300.0
_TRIES = 5
_MOST_WAIT = 900.0  # seconds that are waited in one run, all in all
_UNTOLD_WAIT = 60.0  # where GitHub does not say for how long
_MOST_SILENT = 3  # requests in a row without any answer: GitHub can't be reached
_MOST_PAGES = 1_000
_UNREADABLE = "the answer can't be read"
_STATUS = re.compile(rb"HTTP/[\d.]+ (\d{3})")
_BLANK_LINE = re.compile(rb"\r?\n\r?\n")
_LOGIN = 4  # gh's exit code where somebody must log in first
_CLONE = (
    "--depth", "1", "--no-tags", "--single-branch", "--no-checkout", "--no-recurse-submodules", "--template=",
    "-c", "core.hooksPath=/dev/null", "-c", "core.symlinks=false",
)  # fmt: skip


class GithubError(GraderError):
    """One request was refused or not answered; `status` is that of HTTP, 0 without an answer."""

    def __init__(self, what: str, status: int = 0) -> None:
        self.status = status
        super().__init__(what)


class ExhaustedError(GithubError):
    """GitHub answers no more for now: what is left is for another run."""


@frozen
class Answer:
    """What the API answered; `status` is 0 and `data` the reason where it didn't."""

    status: int
    headers: Mapping[str, str]
    data: Any

    @property
    def fault(self) -> str:
        """Why it was refused, in GitHub's words."""
        said = self.data.get("message") if isinstance(self.data, Mapping) else self.data if not self.status else None
        what = str(said or "refused")[:200]
        return f"{what} (HTTP {self.status})" if self.status else what


class Client:
    """Requests one after the other. `pace` are the seconds between two writes; `tell` is told of every wait."""

    def __init__(self, *, pace: float = 1.0, tell: Callable[[str], None] = lambda _: None) -> None:
        self._program = program("gh")
        self._pace, self._tell = pace, tell
        self._written = float("-inf")
        self._left, self._silent = _MOST_WAIT, 0

    def get(self, path: str) -> Any:
        """The data under a path of the API; GithubError if it can't be had."""
        return self._request("GET", path, None).data

    def pages(self, path: str) -> Iterator[Any]:
        """The items of a list that comes in pages; GithubError unless the whole list can be had."""
        sign = "&" if "?" in path else "?"
        for page in range(1, _MOST_PAGES + 1):
            answer = self._request("GET", f"{path}{sign}per_page=100&page={page}", None)
            if not isinstance(answer.data, list):
                raise GithubError(_UNREADABLE)
            yield from answer.data
            if 'rel="next"' not in answer.headers.get("link", ""):
                return
        raise GithubError(f"more than {100 * _MOST_PAGES:,} entries are in one list")

    def write(self, method: str, path: str, body: Mapping[str, Any]) -> Any:
        """Send JSON; GithubError if it is refused. Never sent twice unless GitHub said that it did nothing."""
        return self._request(method, path, json.dumps(body).encode()).data

    def login(self) -> str:
        """Who is logged in; GraderError where GitHub doesn't tell, which it never does an app."""
        try:
            return str(self.get("user")["login"])
        except (GithubError, KeyError, TypeError) as error:
            if isinstance(error, ExhaustedError):
                raise
            raise GraderError(
                "GitHub doesn't tell whose login this is; say under which name it comments: --as 'NAME[bot]'"
            ) from None

    def clone(self, repository: str, folder: Path, branch: str) -> None:
        """Fetch the newest commit of a branch (the default one if empty) without files; GithubError if that fails."""
        chosen = ("--branch", branch) if branch else ()
        try:
            done = run(
                [self._program, "repo", "clone", repository, str(folder.absolute()), "--", *_CLONE, *chosen],
                seconds=_CLONE_SECONDS,
            )
        except SlowError as error:
            raise GithubError(f"can't be cloned: {error}") from None
        if done.code:
            raise GithubError(f"can't be cloned: {done.fault}")

    def _request(self, method: str, path: str, body: bytes | None) -> Answer:
        for attempt in range(_TRIES):
            if body is not None:
                self._space()
            answer = self._once(method, path, body)
            if 200 <= answer.status < 300:
                return answer
            wait = _asked_to_wait(answer)
            if wait is not None:
                self._wait(wait)
            elif body is not None or attempt or 0 < answer.status < 500:
                break  # a write that wasn't answered may have been done
        raise GithubError(answer.fault, answer.status) if wait is None else ExhaustedError(answer.fault, answer.status)

    def _once(self, method: str, path: str, body: bytes | None) -> Answer:
        given = [] if body is None else ["--input", "-"]
        arguments = [self._program, "api", "--include", "--method", method, *_HEADERS, path, *given]
        try:
            done = run(arguments, given=body or b"", seconds=_SECONDS)
        except SlowError as error:
            return self._unanswered(str(error))
        found = _answer(done.out)
        if found is None:
            if done.code == _LOGIN:
                raise GraderError("gh is not logged in: run gh auth login, or set GH_TOKEN")
            return self._unanswered(done.fault)
        if found.status == 401:
            raise GraderError("GitHub refuses the login of gh: run gh auth login, or set another GH_TOKEN")
        self._silent = 0
        return found

    def _unanswered(self, what: str) -> Answer:
        self._silent += 1
        if self._silent >= _MOST_SILENT:
            raise ExhaustedError(f"GitHub can't be reached: {what}")
        return Answer(0, {}, what)

    def _space(self) -> None:
        """Keep the pace of writes."""
        ahead = self._written + self._pace - time.monotonic()
        if ahead > 0:
            time.sleep(ahead)
        self._written = time.monotonic()

    def _wait(self, seconds: float) -> None:
        if seconds > self._left:
            raise ExhaustedError(f"GitHub's limits are reached; it asks to wait {seconds:,.0f} seconds")
        self._left -= seconds
        self._tell(f"GitHub's limits are reached: waiting {seconds:,.0f} seconds")
        time.sleep(seconds)


_HEADERS = ("-H", "Accept: application/vnd.github+json", "-H", "X-GitHub-Api-Version: 2022-11-28")


def program(name: str) -> str:
    """Where a program is; GraderError if it isn't there."""
    found = shutil.which(name)
    if found is None:
        what = "GitHub's command line, https://cli.github.com" if name == "gh" else "https://git-scm.com"
        raise GraderError(f"{name} is not installed ({what})")
    return found


def _answer(out: bytes) -> Answer | None:
    """What `gh api --include` printed; None if there was no answer."""
    head, *rest = _BLANK_LINE.split(out, 1)
    status = _STATUS.match(head)
    if status is None:
        return None
    pairs = (line.partition(":") for line in head.decode("utf-8", "replace").splitlines()[1:])
    headers = {name.strip().lower(): value.strip() for name, _, value in pairs}
    try:
        return Answer(int(status[1]), headers, json.loads(rest[0] if rest else b""))
    except (ValueError, RecursionError):
        # a page where data were expected, or half of them: what GitHub did isn't known then, whatever it says
        return Answer(0, {}, _UNREADABLE) if status[1].startswith(b"2") else Answer(int(status[1]), headers, None)


def _asked_to_wait(answer: Answer) -> float | None:
    """For how many seconds GitHub asks to wait before the same is sent again; None if it was refused for good."""
    if answer.status not in (403, 429):
        return None
    after, left, until = (
        answer.headers.get(name) for name in ("retry-after", "x-ratelimit-remaining", "x-ratelimit-reset")
    )
    if after is not None:
        return float(after) if after.isdecimal() else _UNTOLD_WAIT
    if left == "0":
        return max(0.0, int(until) - time.time()) + 1 if until and until.isdecimal() else _UNTOLD_WAIT
    return _UNTOLD_WAIT if answer.status == 429 or "rate limit" in answer.fault.lower() else None

"""Which submission a job of Classroom 50 grades, from the variables that its runner sets."""

import os
from collections.abc import Mapping
from datetime import UTC, datetime

from grader.errors import GraderError
from grader.exports.classroom50 import Handed
from grader.moments import tagged

_NEEDED = ("CLASSROOM", "ASSIGNMENT", "SUBMISSION_TAG")
# files of a student's can look like a repository whose settings name programs that fetch what it lacks
_ALONE = {"GIT_ALLOW_PROTOCOL": "none", "GIT_NO_LAZY_FETCH": "1", "GIT_TERMINAL_PROMPT": "0"}
_FORM = "%Y-%m-%dT%H:%M:%SZ"


def handed(environment: Mapping[str, str]) -> Handed:
    """The submission; GraderError where the runner does not say which it is."""
    for name in _NEEDED:
        if not environment.get(name):
            raise GraderError(f"the variable {name} is not set: Classroom 50 sets it for its autograders")
    tag = environment["SUBMISSION_TAG"]
    commit = environment.get("COMMIT_URL") or f"{_repository(environment)}/commit/{environment.get('GITHUB_SHA', '')}"
    return Handed(
        classroom=environment["CLASSROOM"],
        assignment=environment["ASSIGNMENT"],
        assignment_type=environment.get("ASSIGNMENT_TYPE") or "individual",
        owner=owner(environment),
        submission=tag,
        commit=commit,
        release=environment.get("RELEASE_URL") or _release(environment, tag),
        review=environment.get("REVIEW_URL") or commit,
        datetime=_committed() or _tagged(tag) or _now(),
        graded_at=_now(),
    )


def owner(environment: Mapping[str, str]) -> str:
    """The login of whose repository it is."""
    return environment.get("OWNER") or environment.get("USERNAME") or ""


def _repository(environment: Mapping[str, str]) -> str:
    server = environment.get("GITHUB_SERVER_URL") or "https://github.com"
    return f"{server}/{environment.get('GITHUB_REPOSITORY', '')}"


def _release(environment: Mapping[str, str], tag: str) -> str:
    from urllib.parse import quote

    return f"{_repository(environment)}/releases/tag/{quote(tag, safe='')}"


def _committed() -> str:
    """The committer's date of the commit that is checked out; "" where git can't tell."""
    import subprocess

    safe = ("-c", "safe.bareRepository=explicit", "-c", "log.showSignature=false")
    command = ("git", *safe, "log", "-1", "--format=%ct", "HEAD")
    try:
        run = subprocess.run(  # noqa: S603 - fixed arguments
            command, env={**os.environ, **_ALONE}, stdin=subprocess.DEVNULL, capture_output=True, timeout=10, check=True
        )
        return datetime.fromtimestamp(int(run.stdout), UTC).strftime(_FORM)
    except (OSError, ValueError, OverflowError, subprocess.SubprocessError):
        return ""


def _tagged(tag: str) -> str:
    moment = tagged(tag)
    return datetime.fromisoformat(moment).strftime(_FORM) if moment else ""


def _now() -> str:
    return datetime.now(UTC).strftime(_FORM)

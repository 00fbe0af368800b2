"""Other programs (`gh`, `git`), run without a shell, within a time limit, and ended with all that they started."""

import os
import re
import signal
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress

from grader.errors import GraderError
from grader.values import frozen

# what makes git act on another repository, as in a hook, and what makes programs tell more than they should
_DROPPED = (
    "GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_NAMESPACE", "GIT_CURL_VERBOSE", "GIT_TRACE", "GH_DEBUG", "DEBUG",
    "GH_FORCE_TTY", "CLICOLOR_FORCE",
)  # fmt: skip
_QUIET = {
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_LFS_SKIP_SMUDGE": "1",
    "GH_PROMPT_DISABLED": "1",
    "GH_NO_UPDATE_NOTIFIER": "1",
    "NO_COLOR": "1",
    "LC_ALL": "C",
}
_SECRET = re.compile(r"(?<=//)[^/@\s]+(?=@)|gh[a-z]_[\w.-]+|github_pat_\w+")
_POSIX = os.name == "posix"


@frozen
class Finished:
    """What a program that came to its end has said."""

    code: int
    out: bytes
    err: bytes

    @property
    def fault(self) -> str:
        """The line of what it said that tells most, without anything that could be a login."""
        lines = [line.strip() for line in self.err.decode("utf-8", "replace").splitlines() if line.strip()]
        told = [line for line in lines if line.lower().startswith(("fatal:", "error:", "gh:", "graphql:"))]
        return _SECRET.sub("***", (told or lines or [f"exit code {self.code}"])[0])[:300]


class SlowError(GraderError):
    """A program didn't come to its end in time."""


def run(
    arguments: Sequence[str], *, given: bytes = b"", seconds: float, variables: Mapping[str, str] | None = None
) -> Finished:
    """Run a program to its end and give it some input; SlowError if it takes longer than `seconds`."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(_DROPPED)}
    process = subprocess.Popen(  # noqa: S603 - no shell, and names are validated where they come from
        list(arguments),
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env={**kept, **_QUIET, **(variables or {})},
        start_new_session=_POSIX,
    )  # fmt: skip
    with process:
        try:
            out, err = process.communicate(given, timeout=seconds)
        except subprocess.TimeoutExpired:
            _end(process)
            raise SlowError(f"no answer within {seconds:g} seconds") from None
        except BaseException:
            _end(process)
            raise
    return Finished(process.returncode, out, err)


def _end(process: "subprocess.Popen[bytes]") -> None:
    """End the program with whatever it started: git runs below gh."""
    with suppress(ProcessLookupError):
        if _POSIX:
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe is not None:
            with suppress(OSError):
                pipe.close()

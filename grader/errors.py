"""Errors, each for whoever must act on it.

SpecError: the author of a course. SubmissionError: the student or the instructor. ResponseError: the student, about
one response (it becomes the verdict `invalid`). SolutionError: whoever maintains the reference or the grader.
"""

from collections.abc import Iterable

from grader.values import frozen


@frozen
class Fault:
    """One fault in a file that somebody wrote: where it is and what is wrong."""

    file: str
    line: int | None
    field: str
    what: str

    def __str__(self) -> str:
        place = self.file if self.line is None else f"{self.file}:{self.line}"
        return f"{place}: {self.field}: {self.what}" if self.field else f"{place}: {self.what}"


class GraderError(Exception):
    """Base of all errors that are told in words; the command line shows the text and exits with `exit_code`."""

    exit_code = 2


class SpecError(GraderError):
    """A course, exercise or solution is wrong; carries every fault found, not only the first."""

    def __init__(self, faults: Iterable[Fault] | str) -> None:
        self.faults: tuple[Fault, ...] = () if isinstance(faults, str) else tuple(faults)
        super().__init__(faults if isinstance(faults, str) else "\n".join(map(str, self.faults)))


class SubmissionError(GraderError):
    """A file handed in can't be read as a whole."""

    def __init__(self, file: str, what: str, line: int | None = None) -> None:
        self.fault = Fault(file, line, "", what)
        super().__init__(str(self.fault))


class ResponseError(GraderError):
    """One response can't be read: what is wrong, where (0-based offset into the text), and how to mend it."""

    def __init__(self, reason: str, *, position: int | None = None, mend: str = "", code: str = "unreadable") -> None:
        self.reason, self.position, self.mend, self.code = reason, position, mend, code
        super().__init__(f"{reason}: {mend}" if mend else reason)


class SolutionError(GraderError):
    """The reference gives no usable solution, or the grader failed: a maintainer must look."""


def did_you_mean(name: str, candidates: Iterable[str]) -> str | None:
    """The closest of `candidates` to `name`, or None: same letters in another case first, then near spellings."""
    names = list(candidates)
    for candidate in names:
        if candidate.casefold() == name.casefold():
            return candidate
    from difflib import get_close_matches  # slow to import and needed for messages only

    close = get_close_matches(name, names, n=1, cutoff=0.6)
    return close[0] if close else None

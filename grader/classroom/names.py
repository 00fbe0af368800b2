"""Names that are written into workflow files: only what needs no quoting there is let through."""

import re

from grader.errors import SpecError
from grader.values import frozen

_REPOSITORY = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]*/[A-Za-z0-9._-]+", re.ASCII)
_REF = re.compile(r"[A-Za-z0-9][A-Za-z0-9._/-]*", re.ASCII)


@frozen
class Action:
    """Where a workflow takes the grader from: a public repository, at a tag, a branch or a commit."""

    repository: str
    ref: str

    def __str__(self) -> str:
        return f"{self.repository}@{self.ref}"

    @property
    def requirement(self) -> str:
        """The same for pip."""
        return f"roofline-grader @ https://github.com/{self.repository}/archive/{self.ref}.zip"


def action(text: str) -> Action:
    """OWNER/REPO@REF; SpecError if it is none."""
    repository, at, ref = text.partition("@")
    if not at or not _REPOSITORY.fullmatch(repository) or not _REF.fullmatch(ref) or ".." in text:
        raise SpecError(f"--action {text!r}: OWNER/REPO@REF is expected, such as my-organisation/roofline-grader@v1")
    return Action(repository, ref)


def organisation(text: str) -> str:
    """The name of an organisation or a user; SpecError if it can't be one."""
    if not re.fullmatch(r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,37}[A-Za-z0-9])?", text, re.ASCII):
        raise SpecError(f"--org {text!r}: the name of an organisation is expected: letters, digits and hyphens")
    return text


def prefix(text: str) -> str:
    """What the names of the student repositories begin with; SpecError if none can."""
    if not re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,98}", text, re.ASCII):
        raise SpecError(
            f"--prefix {text!r}: the beginning of the repositories' names is expected, such as rooflines-1-"
        )
    return text


def slug(text: str) -> str:
    """The short name of an assignment; SpecError if it can't be one."""
    if not re.fullmatch(r"[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?", text, re.ASCII):
        raise SpecError(f"{text!r}: on Classroom 50 the folder is named as the assignment is, such as rooflines-1")
    return text

"""What one student handed in, as bytes: what sources find, before anything is read or decided."""

import hashlib
from collections.abc import Mapping
from dataclasses import field

from grader.results import Status
from grader.values import frozen


@frozen(kw_only=True)
class Bundle:
    """One submission as a source found it: whose it is, when it came, and the bytes of its files.

    `source` is the path as given, with the entry's own path behind it in an archive or a table. `key` is how the
    source names the student (a folder's name, a login, a platform's number); `named` says that it wins over what the
    file says. `members` are the keys of all members where a team handed in. `times` are moments in ISO 8601 with
    their offset, by the clock that took them: "release", "lms" or "commit". `late` is the platform's own flag. `row`
    is the line in the file where a table or a JSON Lines file holds many. Without answers `status` and `message` say
    why.
    """

    source: str
    platform: str = "folder"
    key: str = ""
    named: bool = False
    name: str = ""
    members: tuple[str, ...] = ()
    attempt: int | None = None
    times: Mapping[str, str] = field(default_factory=dict)
    late: bool = False
    file: str = ""
    content: bytes = b""
    attachments: Mapping[str, bytes] = field(default_factory=dict)
    row: int | None = None
    status: Status = Status.GRADED
    message: str = ""
    remarks: tuple[str, ...] = ()

    @property
    def digest(self) -> str:
        """The SHA-256 of all that grading depends on: names and bytes of the files, and whether there are any."""
        total = hashlib.sha256()
        files = {self.file: self.content, **{f"+{name}": data for name, data in sorted(self.attachments.items())}}
        for name, data in files.items():
            named = name.encode("utf-8", "backslashreplace")
            total.update(b"%d %d " % (len(named), len(data)) + named + data)
        total.update(f"{self.status} {self.message}".encode("utf-8", "backslashreplace"))
        return total.hexdigest()

"""Names of files made from names of students."""

import re
import unicodedata
from hashlib import sha256

# names of devices on Windows, whatever their extension, and the files that stand beside the students' own
_TAKEN = re.compile(r"(?:con|prn|aux|nul|conin|conout|(?:com|lpt)\d|(?:index|class)(?:-\d+)?|results|summary)", re.A)
_PLAIN = re.compile(r"[a-z0-9](?:[a-z0-9_-]{0,62}[a-z0-9])?", re.A)


def file_stem(student: str) -> str:
    """A file name without extension for a student: at most 64 characters, different for different students.

    A short name in lower-case ASCII letters, digits, `-` and `_` stays as it is. Any other becomes a readable part, a
    dot and a hash of the exact text: no file system confuses two of them, whatever it does with case and accents.
    """
    if _PLAIN.fullmatch(student) and not _TAKEN.fullmatch(student):
        return student
    plain = unicodedata.normalize("NFKD", student).encode("ascii", "ignore").decode("ascii").lower()
    readable = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:32].strip("-")
    if not readable or _TAKEN.fullmatch(readable):
        readable = f"student-{readable}".rstrip("-")
    return f"{readable}.{sha256(student.encode('utf-8', 'surrogatepass')).hexdigest()[:16]}"

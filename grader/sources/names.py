"""What the names of files say: which may hold answers, which never do, and who handed in by a platform's rules."""

import re

from grader.values import frozen

MARK = ".classroom50.yaml"  # the one hidden file that is looked at

_DATA = ("yaml", "yml", "json", "toml", "ipynb")
_TABLES = ("csv", "tsv")
_ENDINGS = (*_DATA, "md", "markdown", *_TABLES)
_IGNORED = {"__macosx", "node_modules", "__pycache__", "thumbs.db", "desktop.ini"}  # beside what is hidden
_NOT_ANSWERS = {
    "results.json", "result.json", "scores.json", "scores.csv", "roster.csv", "grades.csv", "course.yaml", "course.yml",
    "mistakes.yaml", "tests.json", "autograding.json", "classroom.json", "classroom.yml", "assignments.json",
    "package.json", "package-lock.json", "submission_metadata.yml", "submission_metadata.json",
    "readme.md", "license.md", "changelog.md", "contributing.md",
}  # fmt: skip
_ANSWERS = re.compile(
    rf"answers(?:\s*\([0-9]{{1,9}}\)|[-_ ][0-9]{{1,9}})?\.(?:({'|'.join(_ENDINGS)})(?:\.txt)?|txt)", re.IGNORECASE
)
_OTHER = re.compile(rf".+\.({'|'.join(_ENDINGS)})(?:\.txt)?", re.IGNORECASE | re.DOTALL)
_NUMBER = re.compile(r"([0-9]{1,9})\)?$")
_ARCHIVES = (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tbz2", ".tar.xz", ".txz", ".7z", ".rar", ".gz", ".bz2", ".xz")


@frozen(kw_only=True)
class Named:
    """What the name of a folder or file says by a platform's rules. `file` is the name that the student gave."""

    platform: str
    key: str
    name: str = ""
    plugin: str = ""
    kind: str = ""
    file_id: str = ""
    file: str = ""
    late: bool = False
    anonymous: bool = False
    attempt: int | None = None
    assignment: str = ""


def is_junk(name: str) -> bool:
    """Whether nothing with this name is looked at: what is hidden, and what systems leave behind."""
    hidden = name.startswith(".") and not name.startswith("..")  # such as `..%2fx`, which nobody hides
    return hidden or name.lower() in _IGNORED


def is_answers(name: str) -> bool:
    """Whether a file is called `answers`, whatever its ending, case or number: `Answers (1).YAML`."""
    return _ANSWERS.fullmatch(name) is not None


def rank(name: str) -> int | None:
    """How good a file's name is for the file of answers (0 is best), None if it can be none.

    0 answers.* · 1 answers.csv · 2 other data and notebooks · 3 other Markdown · 4 other tables · 5 a zip · 6 an
    archive of a kind that isn't opened.
    """
    lower = name.lower()
    if lower in _NOT_ANSWERS:
        return None
    if match := _ANSWERS.fullmatch(name):
        return 1 if (match[1] or "").lower() in _TABLES else 0
    if match := _OTHER.fullmatch(name):
        ending = match[1].lower()
        return 2 if ending in _DATA else 4 if ending in _TABLES else 3
    if is_zip(name):
        return 5
    return 6 if is_other_archive(name) else None


def is_zip(name: str) -> bool:
    """Whether a file is a zip by its name."""
    return name.lower().endswith(".zip")


def is_other_archive(name: str) -> bool:
    """Whether a file is an archive that isn't opened."""
    return name.lower().endswith(_ARCHIVES)


def is_table(name: str) -> bool:
    """Whether a file is a CSV file by its name."""
    return name.lower().endswith((".csv", ".tsv", ".csv.txt"))


def plain(name: str) -> str:
    """A file's name without the .txt that some editors add: `answers.yaml.txt`."""
    return name[:-4] if name.lower().endswith(".txt") and _OTHER.fullmatch(name) else name


def stem(name: str) -> str:
    """A file's name without its ending."""
    name = plain(name)
    first, dot, _ = name.rpartition(".")
    return first if dot and first else name


def number(name: str) -> int:
    """The number at the end of a file's name, as a second download gets it: 1 for `answers (1).yaml`; else 0."""
    match = _NUMBER.search(stem(name))
    return int(match[1]) if match else 0


def belongs(table: str, owner: str) -> bool:
    """Whether a table's name is the stem of the answers, or begins with it and a sign: s1.csv, s1_plot.csv."""
    return table.startswith(owner) and not table[len(owner) : len(owner) + 1].isalnum()

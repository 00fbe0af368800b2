"""Answer files in several formats: one module reads one format, and all give the same tree of texts with lines.

What is broken costs at most its own answer: its text is kept as it was plainly meant, or has a `fault`.
"""

import os

from grader.formats.document import Document

FORMATS = {
    ".yaml": "yaml",
    ".yml": "yaml",
    ".json": "json",
    ".jsonl": "json",  # one row of such a file
    ".ndjson": "json",
    ".toml": "toml",
    ".csv": "csv",
    ".tsv": "csv",
    ".md": "markdown",
    ".markdown": "markdown",
    ".ipynb": "notebook",
}


def format_of(name: str) -> str:
    """The format that a file's ending stands for: a module of this package, "text" for `.txt`, "" if not known.

    A `.txt` that an editor added behind another ending is looked through: `answers.yaml.txt` is YAML.
    """
    stem, ending = os.path.splitext(name.strip().lower())
    if ending == ".txt":
        return format_of(stem) or "text"
    return FORMATS.get(ending, "")


def read_document(text: str, name: str) -> Document:
    """The answers in a file called `name`, by its ending; YAML where that says nothing.

    SubmissionError only where no answer can be told: too deep, too many entries, nothing like an answer.
    """
    # each module is imported where a file needs it: few runs see more than one format
    match format_of(name):
        case "json":
            from grader.formats.json import read
        case "toml":
            from grader.formats.toml import read
        case "csv":
            from grader.formats.csv import read
        case "markdown":
            from grader.formats.markdown import read
        case "notebook":
            from grader.formats.notebook import read
        case "text":
            from grader.formats.text import read
        case _:
            from grader.formats.yaml import read
    return read(text, name)

"""Answers in a plain text file: YAML, unless it is headed like Markdown."""

from grader.errors import SubmissionError
from grader.formats import markdown, yaml
from grader.formats.document import Document
from grader.yamltree import Text


def read(text: str, name: str) -> Document:
    """The answers in the text; SubmissionError where no answer can be told."""
    if not markdown.is_headed(text):
        return yaml.read(text, name)
    try:
        document = yaml.read(text, name)
    except SubmissionError:
        return markdown.read(text, name)
    # `# Question 4` may be a comment of YAML's or a heading; what stands under a key tells
    nested = document.root and any(not isinstance(entry.value, Text) for entry in document.root.entries)
    return document if nested else markdown.read(text, name)

"""Answers in YAML. Where a file isn't sound YAML, its lines are read one by one."""

import re

from grader.errors import SubmissionError
from grader.formats.document import MOST_UNREAD, Document, Remark
from grader.yamltree import Mapping, Node, Sequence, Text, Tree, read_yaml


def read(text: str, name: str) -> Document:
    """The answers in a YAML file; SubmissionError where no answer can be told."""
    tree = read_yaml(text, name)
    if tree.stopped == "limit":
        raise SubmissionError(name, tree.faults[-1].what, tree.faults[-1].line)
    remarks = [(fault.line, fault.what) for fault in tree.faults if not fault.field]
    odd = any(sign in text for sign in "\x85\u2028\u2029") or any(what == "a key must be text" for _, what in remarks)
    if isinstance(tree.root, Mapping) and not odd and not _keys_without_blank(tree.root):
        return Document(tree.root, tuple(remarks), text)
    if tree.root is None and not tree.stopped:
        return Document(None)
    return _instead(tree, remarks, text, name)


def read_by_lines(text: str, name: str) -> Document:
    """The answers in a file of which it is known that it isn't sound; SubmissionError where no answer can be told."""
    return _instead(Tree(None, ()), [], text, name)


def _instead(tree: Tree, remarks: list[Remark], text: str, name: str) -> Document:
    from grader.linewise import read_lines  # few files are broken

    lines = read_lines(text)
    if lines.root is None:
        raise SubmissionError(name, "there are too many lines in this file")
    if isinstance(tree.root, Sequence) or not lines.root.entries:
        raise SubmissionError(name, "answers are expected as lines `part: answer` under their exercise", 1)
    if tree.stopped:
        line, what = remarks.pop()
        remarks.append((line, f"{what} (the file was read line by line instead)"))
    remarks += [(line, f"not read: {body[:60]}") for line, body in lines.unread[:MOST_UNREAD]]
    return Document(lines.root, tuple(remarks), text)


def _keys_without_blank(root: Mapping) -> bool:
    """Whether a text stands where parts are due and looks like `part:answer`, for want of a blank after the colon."""
    nodes: list[Node] = [entry.value for entry in root.entries]
    nodes += [entry.value for node in nodes if isinstance(node, Mapping) for entry in node.entries]
    return any(
        isinstance(n, Text) and not n.style and re.search(r"[A-Za-z_]\w{0,50}\s{0,9}[:：]", n.value) for n in nodes
    )

"""What every format gives: the tree of an answer file, what was remarked, and how its places are called."""

from grader.values import frozen
from grader.yamltree import Entry, Mapping, Node

MOST_UNREAD = 20  # lines that are named as not read

Remark = tuple[int | None, str]  # the line it is about, and what is to be said


@frozen
class Document:
    """An answer file as it was read. `root` is None for an empty file.

    In a notebook, lines count through all cells that were read, and `places` says what each of them is called. Lines
    of the file itself need no such names. `text` is what the lines are of.
    """

    root: Mapping | None
    remarks: tuple[Remark, ...] = ()
    text: str = ""
    places: tuple[str, ...] = ()


def chain(path: tuple[str, ...], value: Node, line: int | None) -> Entry:
    """One answer with the keys that lead to it, each of them a mapping of one."""
    entry = Entry(path[-1], value, line)
    for key in reversed(path[:-1]):
        entry = Entry(key, Mapping((entry,), line), line)
    return entry

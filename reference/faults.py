"""The one error of this package."""

from collections.abc import Iterable
from difflib import get_close_matches


class ReferenceFault(ValueError):  # noqa: N818  (a fault of what was asked for, not of this package)
    """What was asked for can't be modelled or solved; the text says what is wrong and what would be right."""


def one_of(name: str, known: Iterable[str]) -> str:
    """The end of a message about an unknown name: the nearest known name, else all of them."""
    names = list(known)
    near = get_close_matches(name, names, n=1)
    return f"did you mean {near[0]}?" if near else f"known are {', '.join(names)}"

"""Finding the members of a family (answer types, checks, sources, exports): one file each, its name is the tag."""

from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType
from typing import Any

from grader.errors import SpecError, did_you_mean

# modules of a family's folder that serve its members and are none themselves
_SHARED = {
    "answers": {"statement", "links", "derivation", "units"},
    "sources": {
        "archive", "candidate", "choosing", "finding", "names", "onlinetext", "place", "remote", "rows", "tree",
    },
    "exports": {"options", "cells", "classroom50", "figures", "matching", "output", "words", "worksheet"},
}  # fmt: skip


@cache
def tags(family: str) -> tuple[str, ...]:
    """The tags of a family such as "answers", sorted."""
    package, shared = import_module(f"grader.{family}"), _SHARED.get(family, set())
    return tuple(sorted(m.name for m in iter_modules(package.__path__) if m.name not in shared))


def module(family: str, tag: str) -> ModuleType:
    """The module of a family's member; SpecError if there is none."""
    if tag not in tags(family):
        close = did_you_mean(tag, tags(family))
        raise SpecError(
            f"unknown {family.rstrip('s')} {tag!r}; " + (f"did you mean {close}?" if close else ", ".join(tags(family)))
        )
    return import_module(f"grader.{family}.{tag}")


def member(family: str, tag: str) -> Any:
    """The class of a family's member: `Choice` in grader/answers/choice.py; SpecError if there is none."""
    return getattr(module(family, tag), "".join(word.capitalize() for word in tag.split("_")))

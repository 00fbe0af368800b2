"""The files of a repository to be: made from the templates of this package, and written into a folder of their own."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from pkgutil import get_data
from typing import TYPE_CHECKING, Any

from grader.errors import SpecError

if TYPE_CHECKING:
    from jinja2 import Environment

Files = Mapping[str, bytes]  # by their path in the repository, with slashes


def rendered(name: str, **values: Any) -> bytes:
    """A template of this package with the values filled in. Values are validated where they come from."""
    return _environment().get_template(name).render(values).encode()


def require_new(folder: Path) -> None:
    """SpecError if something is at this place already, other than an empty folder."""
    if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
        raise SpecError(f"{folder}: this is no folder; name one that is new or empty")
    if folder.exists() and any(folder.iterdir()):
        raise SpecError(f"{folder}: something is in this folder already; name one that is new or empty")


def write_new(folder: Path, files: Files) -> None:
    """Write the files into a folder that `require_new` lets pass."""
    for path, content in files.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        with place.open("xb") as file:
            file.write(content)


@cache
def _environment() -> "Environment":
    """Delimiters are such that templates are YAML and Python as they stand, and `${{ }}` is left to the workflow."""
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    return Environment(  # noqa: S701 - these are no pages; a title is escaped for Markdown where it is given
        variable_start_string="<<",
        variable_end_string=">>",
        block_start_string="<%",
        block_end_string="%>",
        comment_start_string="<#",
        comment_end_string="#>",
        line_statement_prefix="#%",
        undefined=StrictUndefined,
        loader=FunctionLoader(_source),
        keep_trailing_newline=True,
    )


def _source(name: str) -> str | None:
    data = get_data("grader.classroom", f"templates/{name}")
    return data.decode("utf-8") if data is not None else None

"""The template environments, one for each form of a report.

Templates come from this package, and from a course that overrides some of them: those run in a sandbox.
"""

import os
import stat
from collections.abc import Callable, Sequence
from functools import cache, lru_cache, partial
from pathlib import Path
from pkgutil import get_data
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from grader.reports import curves, markup, number_line, rich, view
from grader.reports.markup import Md, Term
from grader.reports.overrides import PLAIN, Overrides
from grader.results import ExerciseResult, PartResult

if TYPE_CHECKING:
    from jinja2 import Environment
    from jinja2.bccache import Bucket, BytecodeCache

FORMATS = ("txt", "md", "html")
_MOST_TEXTS, _SHORT = 4096, 80  # words and titles are the same for a whole class; so many of them are kept, escaped
_MOST_FRAGMENTS = 4096  # kept in memory, a few kilobytes each: in a class many parts are equal


def _only(safe: type[str], escape: Callable[[str], str]) -> Callable[[Any], Any]:
    """What a template puts out: values of its sink's own type as they are, everything else escaped as text."""
    known = lru_cache(maxsize=_MOST_TEXTS)(escape)

    def finalize(value: Any) -> Any:  # called for every expression of every page
        if type(value) is safe:
            return value
        text = value if type(value) is str else str(value)
        return known(text) if len(text) <= _SHORT else escape(text)

    return finalize


_SAFE: dict[str, type[str]] = {"html": Markup, "md": Md, "txt": Term}
_FINALIZE: dict[str, Callable[[Any], Any]] = {
    "html": _only(Markup, markup.html_text),
    "md": _only(Md, markup.md_text),
    "txt": _only(Term, markup.terminal),
}
_FILTERS: dict[str, dict[str, Callable[..., Any]]] = {
    "html": {
        "rich": rich.html_rich,
        "math": markup.html_math,
        "response": markup.html_response,
        "scrolls": markup.html_scrolls,
    },
    "md": {
        "rich": rich.md_rich,
        "code": markup.md_code,
        "cell": markup.md_cell,
        "caret": markup.md_caret,
        "link": markup.md_link,
    },
    "txt": {
        "wrap": markup.terminal_wrap,
        "code": markup.terminal_code,
        "caret": markup.terminal_caret,
        "ends": markup.terminal_ends,
        "columns": markup.terminal_table,
        "score": view.score,
    },
}
_SHARED: dict[str, Callable[..., Any]] = {
    "rows": view.rows,
    "listed": view.listed,
    "points": view.points,
    "share": view.share,
    "facts": view.facts,
    "called": view.called,
    "counted": view.counted,
    "thousands": view.thousands,
    "bar": view.bar,
    "table": curves.table,
    "describe": curves.describe,
    "describe_line": number_line.describe_line,
}


@lru_cache(maxsize=16)
def environment(form: str, overrides: Overrides = PLAIN) -> "Environment":
    """The environment for "html", "md" or "txt": everything is escaped for that sink, an undefined name is an error.

    With a course's own templates it is a sandbox (see `grader.reports.overrides`).
    """
    from jinja2 import FunctionLoader, StrictUndefined

    made = _kind(overrides)(
        autoescape=form == "html",  # the others escape by `finalize`
        undefined=StrictUndefined,
        loader=FunctionLoader(partial(_source, overrides)),
        finalize=_FINALIZE[form],
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        bytecode_cache=None if overrides.sources else _bytecode_cache(),
        auto_reload=False,
    )
    made.filters.update(_SHARED | _FILTERS[form])
    made.filters["fragment"] = _fragment(form, overrides)
    if form == "html":
        from grader.reports.number_line import line_svg
        from grader.reports.svg import plot_svg  # only pages have drawings

        made.filters.update(svg=plot_svg, line_svg=line_svg, icon=_icons(overrides))
    made.globals.update(words=view.WORDS, symbols=view.SYMBOLS, status_words=view.STATUS, next_steps=view.NEXT)
    return made


def _kind(overrides: Overrides) -> "type[Environment]":
    if overrides.sources:
        from grader.reports.sandbox import Sandbox

        return Sandbox
    from grader.reports.escaping import Plain

    return Plain


def _fragment(form: str, overrides: Overrides) -> Callable[..., str]:
    def fragment(
        part: PartResult,
        exercise: ExerciseResult,
        name: str = "",
        exercises: Sequence[ExerciseResult] = (),
        *,
        colour: bool = False,
    ) -> str:
        """A part of an exercise in a report, safe in its sink; `name` begins the ids of its elements.

        With all `exercises`, what it follows from is named, and linked to, in another exercise, too.
        """
        return _part(form, overrides, part, view.followed(part, exercise, name, exercises), name, colour)

    return fragment


@lru_cache(maxsize=_MOST_FRAGMENTS)
def _part(
    form: str, overrides: Overrides, part: PartResult, sources: tuple[view.Source, ...], name: str, colour: bool
) -> str:
    shown = {"part": part, "sources": sources, "name": name, "colour": colour}
    return _SAFE[form](fill(f"part.{form}", form, overrides, **shown))


def fill(name: str, form: str, overrides: Overrides, /, **values: Any) -> str:
    """What a template makes of the values; SpecError with the file and the line where a course's own one fails."""
    if not overrides.sources:
        made = environment(form)
        template = made.get_template(name)  # and then as `render`, which looks up each global by itself
        return "".join(template.root_render_func(template.new_context(made.globals | values, shared=True)))
    from grader.reports.sandbox import rendered

    return rendered(name, form, overrides, **values)


def _icons(overrides: Overrides) -> Callable[[str | None], Any]:
    """The icons of verdicts, each drawn once."""

    @cache
    def icon(verdict: str | None) -> Any:
        return environment("html", overrides).get_template("icons.html").module.icon(verdict)  # type: ignore[attr-defined]

    return icon


def _source(overrides: Overrides, name: str) -> tuple[str, str | None, Callable[[], bool]] | None:
    """A template's text and file: the course's own, else the package's, which has the name `original/...` as well."""
    if name in overrides.sources:
        return overrides.sources[name], overrides.file(name), lambda: True
    try:
        data = get_data("grader.reports", f"templates/{name.removeprefix('original/')}")
    except OSError:
        return None  # Jinja says which template is missing
    return (data.decode("utf-8"), None, lambda: True) if data is not None else None


def _bytecode_cache() -> "BytecodeCache | None":
    """Compiled templates in the user's own cache folder; None where there is no folder that only the user can write."""
    import jinja2
    from jinja2.bccache import FileSystemBytecodeCache
    from platformdirs import user_cache_path

    # compiled code depends on the template, on Jinja and on how the environment is made
    here = (__file__, os.path.join(os.path.dirname(__file__), "escaping.py"))
    versions = ":".join(str(os.stat(file).st_mtime_ns) for file in (jinja2.__file__, *here))

    class Quiet(FileSystemBytecodeCache):
        """A cache that can't be read or written is no reason to fail."""

        def get_source_checksum(self, source: str) -> str:
            return super().get_source_checksum(versions + source)

        def load_bytecode(self, bucket: "Bucket") -> None:
            try:
                super().load_bytecode(bucket)
            except Exception:
                bucket.reset()  # cut short or not ours: compiled anew

        def dump_bytecode(self, bucket: "Bucket") -> None:
            try:
                super().dump_bytecode(bucket)
            except OSError:
                return

    folder = user_cache_path("roofline-grader", appauthor=False) / "templates"
    return Quiet(str(folder)) if _private(folder) else None


def _private(folder: Path) -> bool:
    """Make the folder, readable to the user alone; whether it is one that nobody else can write."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        found = folder.lstat()
    except OSError:
        return False
    if not hasattr(os, "getuid"):
        return True  # Windows keeps the cache folder in the user's profile
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid() and not found.st_mode & 0o077

"""The page of a class for its staff: statistics, mistakes, what to look at, and every student.

It is one file that needs no network. A script of its own, which the page allows by its hash, sorts and searches the
table; without it the page shows the same.
"""

from base64 import b64encode
from functools import cache
from hashlib import sha256
from pkgutil import get_data

from markupsafe import Markup

from grader.analysis.summary import Analysis
from grader.reports import class_view
from grader.reports.class_view import ClassView, Flag
from grader.reports.environment import fill
from grader.reports.index import MOST_ROWS, Entry, overview
from grader.reports.overrides import PLAIN, Overrides
from grader.values import frozen


@frozen(kw_only=True)
class Class:
    """What a class page is made from: the analysis, the rows of the students, what was flagged, and where commands
    find the store ("" where there is none). `beside` says that the index stands beside it; `overrides` are the course's
    own templates and stylesheet."""

    title: str
    grader: str
    analysis: Analysis
    entries: tuple[Entry, ...]
    flags: tuple[Flag, ...] = ()
    store: str = ""
    beside: bool = False
    overrides: Overrides = PLAIN


def class_pages(shown: Class, form: str = "html", *, stem: str = "class") -> dict[str, str]:
    """The pages by the names of their files: `class.html`, and `class-2.html` ... with further students of many.

    In the forms "md" and "txt" there is one, without the table of students, which the index has.
    """
    starts = range(0, max(len(shown.entries), 1), MOST_ROWS) if form == "html" else range(1)
    names = [f"{stem}{f'-{number}' if number > 1 else ''}.{form}" for number, _ in enumerate(starts, 1)]
    values = _values(shown, form)
    return {
        name: fill(
            f"class.{form}",
            form,
            shown.overrides,
            name=name,
            names=names,
            first=start == 0,
            rows=class_view.rows(shown.entries[start : start + MOST_ROWS]),
            **values,
        )
        for name, start in zip(names, starts, strict=True)
    }


def class_page(shown: Class, form: str) -> str:
    """The first, or only, page."""
    return next(iter(class_pages(shown, form).values()))


def _values(shown: Class, form: str) -> dict[str, object]:
    """What templates show; all of it worked out before."""
    pages = {one.student: one.page for one in shown.entries if one.page} if form == "html" else {}
    view = ClassView(shown.analysis, pages, shown.flags, shown.store)
    script, policy = _script() if form == "html" else ("", "")
    return {
        "title": shown.title,
        "grader": shown.grader,
        "beside": shown.beside,
        "store": shown.store,
        "many": len(shown.entries),
        "facts": view.facts(),
        "bars": class_view.histogram(overview(shown.entries)),
        "size": class_view.SIZE,
        "exercises": view.exercises(),
        "complete": shown.analysis.figures.complete,
        "legend": class_view.legend(),
        "alarms": view.alarms(),
        "mistakes": view.mistakes(),
        "clusters": view.clusters(),
        "ratios": view.ratios(),
        "todo": view.todo(),
        "flags": view.flags(),
        "cut": view.cut(),
        "script": script,
        "policy": policy,
    }


@cache
def _script() -> tuple[Markup, Markup]:
    """The page's own script, and what allows it alone to run."""
    data = get_data("grader.reports", "templates/class.js") or b""
    text = "\n" + data.decode("utf-8")
    digest = b64encode(sha256(text.encode()).digest()).decode()
    return Markup(text), Markup(f"'sha256-{digest}'")  # noqa: S704 - our own

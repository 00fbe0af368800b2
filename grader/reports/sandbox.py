"""Where a course's own templates run: they see the values of a page and nothing else, and what they put out is escaped.

Beyond what Jinja's sandbox keeps away, there is no way around escaping, and nothing that makes long texts of short
ones. What still takes too long or too much is ended with the process that makes the page.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from types import TracebackType
from typing import Any

from jinja2 import Template, TemplateError, TemplateSyntaxError, nodes, pass_eval_context
from jinja2.exceptions import SecurityError
from jinja2.filters import make_attrgetter, sync_do_join
from jinja2.nodes import EvalContext
from jinja2.sandbox import ImmutableSandboxedEnvironment

from grader.errors import Fault, SpecError
from grader.reports.overrides import Overrides

MOST_OUTPUT = 4_000_000  # characters of one page
_MOST_STEPS = 1_000  # of a range
_FILTERS = (
    "abs", "capitalize", "count", "d", "default", "dictsort", "e", "escape", "first", "float", "groupby", "int",
    "items", "join", "last", "length", "list", "lower", "map", "max", "min", "reject", "rejectattr", "replace",
    "reverse", "round", "select", "selectattr", "sort", "string", "striptags", "sum", "title", "trim", "truncate",
    "unique", "upper", "wordcount",
)  # fmt: skip
_LENGTHENING = (
    "ljust",
    "rjust",
    "center",
    "zfill",
    "expandtabs",
    "translate",
    "format",
    "format_map",
    "join",
    "replace",
)
_WIDE_FIELD = re.compile(r"%[^a-zA-Z%]*(?:\d{3}|\*)")


class Sandbox(ImmutableSandboxedEnvironment):
    """An environment for templates that aren't the package's."""

    intercepted_binops = frozenset({"*", "**", "%"})

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.filters = {name: self.filters[name] for name in _FILTERS}
        self.filters["format"] = _formatted
        self.filters["replace"] = _replaced
        self.filters["join"] = _joined
        self.globals["range"] = _steps
        self.globals.pop("lipsum")

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        tree = super()._parse(source, name, filename)
        for node in tree.find_all((nodes.ScopedEvalContextModifier, nodes.EvalContextModifier)):
            raise TemplateSyntaxError("escaping can't be switched off", node.lineno, name, filename)
        return tree

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        """What a template may ask a value for."""
        return not (isinstance(obj, str) and attr in _LENGTHENING) and super().is_safe_attribute(obj, attr, value)

    def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
        """Arithmetic of numbers that are not large, and a short text a few times."""
        numbers = all(isinstance(side, int | float) and abs(side) < 1e9 for side in (left, right))
        ruler = isinstance(left, str) and isinstance(right, int) and len(left) * right <= _MOST_STEPS
        if operator == "**" or not (numbers or (ruler and operator == "*")):
            raise SecurityError(f"{operator} is for small numbers only")
        return super().call_binop(context, operator, left, right)


def _steps(*ends: int) -> range:
    steps = range(*ends)
    if len(steps) > _MOST_STEPS:
        raise SecurityError(f"a range of more than {_MOST_STEPS:,} steps")
    return steps


def _replaced(text: str, old: str, new: str) -> str:
    _short_enough(len(text) + text.count(old) * len(new))
    return str(text).replace(old, new)


@pass_eval_context
def _joined(context: EvalContext, values: Any, between: str = "", attribute: str | None = None) -> str:
    if attribute is not None:
        values = map(make_attrgetter(context.environment, attribute), values)
    pieces = list(values)
    _short_enough(sum(len(piece) if isinstance(piece, str) else 0 for piece in pieces) + len(between) * len(pieces))
    return sync_do_join(context, pieces, between)


def _short_enough(length: int) -> None:
    if length > MOST_OUTPUT:
        raise SecurityError(f"a text of more than {MOST_OUTPUT:,} characters")


def _formatted(text: str, *values: Any) -> str:
    if _WIDE_FIELD.search(text):
        raise SecurityError("a field of more than 99 characters")
    return str(text) % values


def rendered(name: str, form: str, overrides: Overrides, /, **values: Any) -> str:
    """What a template makes of the values; SpecError with the file and the line where a course's own one fails."""
    from grader.reports.environment import environment

    try:
        template = environment(form, overrides).get_template(name)
        return "".join(_limited(template, overrides, values))
    except SpecError:
        raise
    except Exception as error:
        raise SpecError([_fault(error, overrides)]) from error


def _limited(template: Template, overrides: Overrides, values: dict[str, Any]) -> Iterator[str]:
    room = MOST_OUTPUT
    for piece in template.generate(**values):
        room -= len(piece)
        if room < 0:
            what = f"the page has more than {MOST_OUTPUT:,} characters"
            raise SpecError([Fault(overrides.folder, None, "templates", what)])
        yield piece


def _fault(error: Exception, overrides: Overrides) -> Fault:
    what = str(error) if isinstance(error, TemplateError) else f"{error} ({type(error).__name__})"
    what = " ".join(what.split())
    if isinstance(error, TemplateSyntaxError):
        return Fault(error.filename or overrides.folder, error.lineno, "", error.message or what)
    places = [place for place in _places(error.__traceback__) if place[0].startswith(overrides.folder)]
    return Fault(*places[-1], "", what) if places else Fault(overrides.folder, None, "templates", what)


def _places(traceback: TracebackType | None) -> Iterator[tuple[str, int]]:
    while traceback is not None:
        yield traceback.tb_frame.f_code.co_filename, traceback.tb_lineno
        traceback = traceback.tb_next


# --- checked before a class is graded ---------------------------------------------------------------------------------


def check(overrides: Overrides) -> None:
    """SpecError with every fault of a course's templates: of their form, and what comes up when a page is made."""
    if not overrides.sources:
        return
    from grader.reports.environment import FORMATS, environment

    faults: list[Fault] = []
    for name in sorted(overrides.sources):
        form = name.rpartition(".")[2] if name.rpartition(".")[2] in FORMATS else "html"
        try:
            environment(form, overrides).get_template(name)
        except TemplateSyntaxError as error:
            faults.append(_fault(error, overrides))
            continue
        faults += _without_policy(name, overrides)
    if faults:
        raise SpecError(faults)
    from grader.reports.render import render

    for form in FORMATS:
        render(_sample(), form, course_title="A course", overrides=overrides)


def _without_policy(name: str, overrides: Overrides) -> list[Fault]:
    """The fault of a page that leaves out the head in which scripts and the network are forbidden."""
    from grader.reports.environment import environment

    loader = environment("html").loader
    assert loader is not None
    original = loader.get_source(environment("html"), name)[0]
    if not original.startswith('{% extends "base.html" %}'):
        return []
    tree = environment("html", overrides).parse(overrides.sources[name])
    for block in tree.find_all(nodes.Block):
        if block.name == "policy":
            return [Fault(overrides.file(name), block.lineno, "", "what a page may load is not a template's to say")]
    bases = [node.template for node in tree.find_all(nodes.Extends)]
    wanted = ("base.html", f"original/{name}")
    if bases and all(isinstance(base, nodes.Const) and base.value in wanted for base in bases):
        return []
    return [Fault(overrides.file(name), 1, "", f'begin with {{% extends "{wanted[1]}" %}} or "{wanted[0]}"')]


@cache
def _sample() -> Any:
    """A result with every kind of row, on which templates are tried."""
    from grader.results import (
        ExerciseResult,
        Explanation,
        NumberLine,
        PartResult,
        Plot,
        Relation,
        Result,
        Series,
        Status,
        Verdict,
    )

    curve = tuple((2.0**i, min(1e6, 1e4 * 2.0**i)) for i in range(12))
    series = tuple(Series(label="a", kind=kind, points=curve) for kind in ("student", "reference"))
    why = Explanation(mistakes=("m",), title="A mistake", feedback="What it was.", hint="A hint?")
    usual = PartResult(
        id="p", verdict=Verdict.CORRECT, points=1, max_points=2, response="B^2", read_as="B^2", title="A part",
        prompt="A *question*", mathml="<math><mi>B</mi></math>", relation=Relation.TOLERANCE,
    )  # fmt: skip
    full = replace(
        usual, verdict=Verdict.INCORRECT, message="why", position=1, explanations=(why, why), ratio="B", off_by="2",
        slips=("a slip",), remarks=("a remark",), counterexample="for B = 2", follow_through=("p0",), credit="mistake",
        solution="B", solution_mathml="<math><mi>B</mi></math>", plot=Plot(x_label="B", y_label="rate", series=series),
        number_line=NumberLine(symbol="B", said=((2.0, None),), accepted=((1.0, 3.0),)),
    )  # fmt: skip
    parts = (*(replace(usual, id=f"p{n}", verdict=verdict) for n, verdict in enumerate((*Verdict, None))), full)
    exercise = ExerciseResult(id="e", title="An exercise", prompt="A prompt", points=1, max_points=9, parts=parts)
    return Result(
        student="s1", source="answers.yaml", status=Status.GRADED, points=1, max_points=9, exercises=(exercise,),
        remarks=("a remark",), name="Ada", submitted_at="2026-12-01T12:00:00Z",
    )  # fmt: skip

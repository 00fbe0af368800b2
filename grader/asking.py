"""What is asked in a part, as answer types want to know it."""

from collections.abc import Iterable, Mapping

from grader.compiled import Exercise, Part
from grader.errors import SpecError
from grader.maths.domain import Domain
from grader.maths.expression import Number
from grader.maths.grammar import read_expression
from grader.protocols import Question


def question(exercise: Exercise, part: Part, meanings: Mapping[str, str], domain: Domain) -> Question:
    """What is asked in a part, as answer types want to know it."""
    options = part.options
    span = (options["from"], options["to"]) if "from" in options and "to" in options else None
    own = tuple(options.get("symbols", ()))
    names = tuple(name for name in exercise.symbols if name not in part.at)
    return Question(
        symbols=(*names, *own),
        symbol=options.get("symbol"),
        unit=options.get("unit") or options.get("y"),
        unit_required=bool(options.get("unit_required", False)),
        strict=bool(options.get("strict", False)),
        side=options.get("side", "optional"),
        bound=options.get("bound"),
        options=options.get("options", {}),
        meanings={name: read_expression(meaning, names) for name, meaning in meanings.items()},
        withheld=frozenset(own).difference(meanings),
        units=units_of(own, exercise.units),
        domain=domain,
        x=options.get("x"),
        x_range=(_number(span[0]), _number(span[1])) if span else None,
        series=tuple({n: _number(v) for n, v in one.items()} for one in options.get("series", ())),
    )


def units_of(names: Iterable[str], units: Mapping[str, str]) -> Mapping[str, str]:
    """The units of a part's own symbols: those of the quantities whose name agrees, ignoring case (T_math: t_math)."""
    known = {quantity.casefold(): unit for quantity, unit in units.items()}
    return {name: known[name.casefold()] for name in names if name.casefold() in known}


def _number(source: str) -> float:
    value = read_expression(source)
    if not isinstance(value, Number):
        raise SpecError(f"{source!r} is not a number")
    return float(value.value)

"""Points of a curve from a CSV text: a header that names the columns, then one point a row."""

import csv
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from grader.errors import ResponseError, did_you_mean
from grader.maths.grammar import read_expression
from grader.maths.quantities import read_quantity
from grader.maths.sample import number
from grader.maths.units import read_unit
from grader.values import frozen

_SHOWN = 5  # bad rows that are named; of the others only the number
_MOST_ROWS = 5000


@frozen
class Row:
    """One point: the values by column, in the units asked for."""

    line: int
    values: Mapping[str, float]


def read_points(text: str, columns: Sequence[str], y: str, unit: str | None) -> tuple[Row, ...]:
    """The rows of the file; ResponseError that names every bad row with its line.

    `columns` must be there, other than `y` only where the header has them; a value of `y` may carry its unit, else it
    counts in `unit`.
    """
    rows = _rows(text.removeprefix("\ufeff"))
    line, head = next(rows, (1, []))
    names = [_column(cell, (*columns, y), line) for cell in head]
    if y not in names or columns[0] not in names:
        missing = y if y not in names else columns[0]
        raise ResponseError(f"line {line}: the header has no column {missing}", mend=f"write {','.join(columns)},{y}")
    found: list[Row] = []
    bad: list[str] = []
    for line, cells in rows:
        try:
            found.append(Row(line, dict(_values(names, cells, y, unit))))
        except ResponseError as error:
            bad.append(f"line {line}: {str(error)[:100]}")
    if bad:
        more = f"; and {len(bad) - _SHOWN} more" if len(bad) > _SHOWN else ""
        raise ResponseError("; ".join(bad[:_SHOWN]) + more, code="bad-rows")
    return tuple(found)


def _rows(text: str) -> Iterator[tuple[int, list[str]]]:
    """The lines that are not blank and no comment, cut at the separator that the first one uses most."""
    lines = text.splitlines()
    first = next((line for line in lines if line.strip() and not line.startswith("#")), "")
    separator = max(",;\t", key=first.count)
    if len(lines) > _MOST_ROWS:
        raise ResponseError(f"{len(lines)} lines are more than {_MOST_ROWS}", mend="give fewer points")
    for count, line in enumerate(lines, 1):
        if not line.strip() or line.startswith("#"):
            continue
        try:
            yield count, next(csv.reader([line], delimiter=separator, skipinitialspace=True))
        except csv.Error as error:
            raise ResponseError(f"line {count}: {error}", mend="write numbers separated by commas") from None


def _column(cell: str, names: Sequence[str], line: int) -> str:
    name = cell.strip()
    if name in names:
        return name
    close = did_you_mean(name, names)
    mend = f"did you mean {close}?" if close else f"the columns are {', '.join(names)}"
    raise ResponseError(f"line {line}: unknown column {name[:30]!r}", mend=mend, code="unknown-column")


def _values(names: Sequence[str], cells: Sequence[str], y: str, unit: str | None) -> Iterator[tuple[str, float]]:
    if len(cells) != len(names):
        raise ResponseError(f"{len(cells)} values in {len(names)} columns")
    for name, cell in zip(names, cells, strict=True):
        if not cell.strip():
            raise ResponseError(f"{name} is missing")
        value = _in_unit(cell, unit) if name == y else number(read_expression(cell))
        if value is None or value <= 0:
            raise ResponseError(f"{name} must be a positive number")
        yield name, float(value)


def _in_unit(cell: str, unit: str | None) -> Fraction | None:
    """The value of a cell, in the unit asked for."""
    amount = read_quantity(cell)
    value = number(amount.number)
    if value is None or amount.unit is None or unit is None:
        return None if value is None else Fraction(value)
    asked = read_unit(unit)
    if amount.dimension != asked.dimension:
        raise ResponseError(f"the unit {amount.unit.text} is not {unit}")
    return Fraction(value) * amount.unit.factor / asked.factor

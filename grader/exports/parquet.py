"""The table of `long_csv` with its types, for very large courses: one row a student and part, in row groups.

Lists are lists, what isn't there is null, texts are as typed. Needs pyarrow (the extra `parquet`).
"""

from collections.abc import Iterable, Iterator
from typing import Any

from grader.exports.cells import Cell, encodable
from grader.exports.figures import LONG, long
from grader.exports.options import Options
from grader.exports.output import Pieces, library
from grader.gradebook import Outline, Row

ending = ".parquet"
needs_template = False

_GROUP = 10_000  # rows held at a time
_NUMBERS = {"points", "max_points", "points_before", "late_days", "penalty", "total", "max_total"}


def export(rows: Iterable[Row], outline: Outline, options: Options) -> Iterator[bytes]:  # noqa: ARG001
    """The file, a row group at a time."""
    arrow, parquet = library("pyarrow", "parquet"), library("pyarrow.parquet", "parquet")
    schema = _schema(arrow)
    pieces = Pieces()
    with parquet.ParquetWriter(pieces, schema) as writer:
        for group in _groups(rows, outline):
            columns = [
                arrow.array([_clean(cells[place]) for cells in group], type=field.type)
                for place, field in enumerate(schema)
            ]
            writer.write_table(arrow.Table.from_arrays(columns, schema=schema))
            yield pieces.take()
    yield pieces.take()


def _schema(arrow: Any) -> Any:
    text, texts = arrow.string(), arrow.list_(arrow.string())
    lists = {"mistakes": texts, "follow_through": texts, "alternatives": arrow.list_(texts)}
    types = {**lists, "override": arrow.bool_(), **dict.fromkeys(_NUMBERS, arrow.int64())}
    return arrow.schema([(name, types.get(name, text)) for name in LONG])


def _groups(rows: Iterable[Row], outline: Outline) -> Iterator[list[tuple[Cell, ...]]]:
    group: list[tuple[Cell, ...]] = []
    for row in rows:
        group.extend(long(row, outline))
        if len(group) >= _GROUP:
            yield group
            group = []
    if group:
        yield group


def _clean(cell: Cell) -> Any:
    if isinstance(cell, tuple):
        return [_clean(item) for item in cell]
    return encodable(cell) if isinstance(cell, str) else cell

"""One result a line, as the JSON that `grader schema result` describes: everything that is known, for programs.

`student` and `name` are those of the gradebook. What is no number (in plots) is null.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from grader.exports.figures import parts
from grader.exports.options import Options
from grader.exports.output import strict_json
from grader.gradebook import Outline, Row
from grader.results import to_json

ending = ".jsonl"
needs_template = False


def export(rows: Iterable[Row], outline: Outline, options: Options) -> Iterator[bytes]:  # noqa: ARG001
    """The file, a line at a time."""
    for row in rows:
        parts(row, outline)  # refuses points that don't add up
        named = replace(row.result, student=row.student.id, name=row.student.name or row.result.name)
        yield strict_json(to_json(named)) + b"\n"

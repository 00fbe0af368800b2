"""One line a student and part: verdict, points, the response as typed, how it was read, mistakes, follow-through.

`mistakes` and `follow_through` are ids with blanks between, `alternatives` further explanations with ` | ` between.
`override` says whether a person gave the points, `points_before` what the grader had given. Days late, penalty and
total are the student's and stand on each of the lines. Where nothing was graded, verdict and points are empty.
Otherwise as in the format `csv`.
"""

from collections.abc import Iterable, Iterator

from grader.exports.cells import line
from grader.exports.figures import LONG, long
from grader.exports.options import Options
from grader.gradebook import Outline, Row

ending = ".csv"
needs_template = False


def export(rows: Iterable[Row], outline: Outline, options: Options) -> Iterator[bytes]:  # noqa: ARG001
    """The file, a student at a time."""
    yield line(LONG)
    for row in rows:
        yield b"".join(line(cells) for cells in long(row, outline))

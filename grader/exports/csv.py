"""One line a student: who it is, the status, points of every part and exercise, days late, penalty, total, maximum.

Where nothing was graded (status `missing`, `unreadable`, `duplicate`, `failed`), parts and exercises are empty and
the total is 0. UTF-8 without a mark, commas, lines end in LF. Texts that a spreadsheet would calculate have a leading
`'`; see `grader.exports.cells`. Ids such as `007` or `1E5` are in the file as they are; a spreadsheet keeps them only
if these columns are imported as text.
"""

from collections.abc import Iterable, Iterator

from grader.exports.cells import line
from grader.exports.figures import wide, wide_header
from grader.exports.options import Options
from grader.gradebook import Outline, Row

ending = ".csv"
needs_template = False


def export(rows: Iterable[Row], outline: Outline, options: Options) -> Iterator[bytes]:  # noqa: ARG001
    """The file, a line at a time."""
    yield line(wide_header(outline))
    for row in rows:
        yield line(wide(row, outline))

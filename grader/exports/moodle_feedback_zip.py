"""The zip that Moodle takes under "Upload multiple feedback files in a zip": a page for each student.

Each page is `feedback.html` in the very folder that was downloaded (`Ada Example_70001_assignsubmission_file`), found
in the result's source; submissions downloaded without folders (`..._assignsubmission_file_answers.yaml`) get
`..._assignsubmission_file_feedback.html`. Students who handed nothing in have no folder and get no page. ExportError,
and nothing is written, if a source has no such folder, or if several students share one (a team's).
"""

import re
from collections.abc import Iterable, Iterator
from tempfile import TemporaryFile
from zipfile import ZipFile

from grader.exports.figures import parts
from grader.exports.matching import called
from grader.exports.options import ExportError, Options
from grader.exports.output import member
from grader.gradebook import Outline, Row, is_anonymous
from grader.results import Status

ending = ".zip"
needs_template = False

_FOLDER = re.compile(r"(?P<folder>[^_/\\]*_\d+_assignsubmission_(?:file|onlinetext))(?P<rest>_[^/\\]*)?")
_PIECE = 1 << 16


def export(rows: Iterable[Row], outline: Outline, options: Options) -> Iterator[bytes]:
    """The zip; pages are in the order of the rows."""
    if options.page is None:
        raise ExportError("there are no pages to put into the zip")
    takers: dict[str, str] = {}
    faults: list[str] = []
    with TemporaryFile() as file:
        with ZipFile(file, "w") as archive:
            for row in rows:
                parts(row, outline)  # refuses points that don't add up
                name = _member(row)
                if name in takers:
                    faults.append(f"{called(row.student)}: shares {name.partition('/')[0]} with {takers[name]}")
                elif name:
                    takers[name] = called(row.student)
                    archive.writestr(member(name), options.page(row.result).encode("utf-8", "backslashreplace"))
                elif is_anonymous(row.student) or row.result.status != Status.MISSING:
                    faults.append(f"{called(row.student)}: was not read from a folder of Moodle")
        if faults:
            raise ExportError("nothing was written, because these students' folders can't be told:", faults)
        file.seek(0)
        while piece := file.read(_PIECE):
            yield piece


def _member(row: Row) -> str:
    """The page's name in the zip; empty if the source has no folder of Moodle's."""
    for step in re.split(r"[/\\]", row.result.source):
        found = _FOLDER.fullmatch(step)
        if found is None or not step.isprintable():
            continue
        # a folder may end in an underscore; what has more behind it is a file
        flat = len(found["rest"] or "") > 1
        return f"{found['folder']}_feedback.html" if flat else f"{step}/feedback.html"
    return ""

"""The one submission of a job: the answer file in a folder that a student wrote.

Nothing else in that folder says whose it is or when it came: no platform's marks are looked for.
"""

import os
from dataclasses import replace
from pathlib import Path

from grader.errors import SubmissionError
from grader.files import shown
from grader.sources.candidate import Candidate, of_choice
from grader.sources.choosing import Choice, choose
from grader.sources.names import is_table, rank
from grader.sources.tree import MOST_ENTRIES, Budget, DiskDirectory, DiskFile, clean, join, listed

_CALLED_ANSWERS = (0, 1)  # ranks of a file's name, see `rank`


def candidate(answers: Path, student: str = "") -> Candidate:
    """The submission in a file, or in a folder with a file called answers; without a file nothing was handed in.

    The student is who the caller says, else who the file says, else the folder's name.
    """
    folder = os.path.isdir(answers) and not os.path.islink(answers)
    home = answers if folder else answers.parent
    name = student or clean(Path(os.path.abspath(home)).name)
    blank = Candidate(source=_posix(answers), key=name, named=bool(student))
    try:
        files = listed(DiskDirectory(home, "" if _posix(home) == "." else _posix(home), Budget(MOST_ENTRIES))).files
    except SubmissionError as error:
        return replace(blank, message=str(error))
    if folder:
        wanted = [file for file in files if rank(file.name) in _CALLED_ANSWERS or is_table(file.name)]
        chosen = choose(wanted)
        return of_choice(chosen if _called_answers(chosen) else Choice(), blank)
    if not os.path.lexists(answers):
        return blank
    tables = [file for file in files if is_table(file.name) and file.name != clean(answers.name)]
    given = DiskFile(answers, _posix(answers), clean(answers.name))
    return of_choice(Choice((given,), tuple(tables)), blank)


def _called_answers(choice: Choice) -> bool:
    return any(rank(file.name) in _CALLED_ANSWERS for file in choice.files)


def _posix(path: Path) -> str:
    return clean(path.as_posix())


def file_of(source: str, workspace: str) -> str:
    """The path of a submission's file in the workspace, as annotations name it; "" where it is not inside."""
    if not source or os.path.isdir(source) or source != shown(source):
        return ""
    place, root = os.path.abspath(source), os.path.realpath(workspace)
    place = join(os.path.realpath(os.path.dirname(place)), os.path.basename(place))
    inside = os.path.relpath(place, root).replace(os.sep, "/")
    return "" if inside.startswith("../") else inside

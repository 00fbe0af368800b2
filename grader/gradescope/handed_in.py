"""What lies in the autograder's submission/ folder, and whose it is."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from grader.compiled import Policy
from grader.errors import SubmissionError
from grader.gradescope.metadata import Metadata, Person
from grader.sources.candidate import Candidate, of_folder
from grader.sources.tree import MOST_ENTRIES, Budget, DiskDirectory
from grader.submission import read_bundle

FOLDER = "submission"  # the one name of it in what is told: results are the same wherever they are made


def handed_in(root: Path, metadata: Metadata) -> Candidate:
    """The submission, found as in any student's folder; it came in when Gradescope says so, by the clock "lms".

    Of the names that Gradescope has for those who handed it in, the one that the file states counts (numbers are drawn
    for the name on a student's sheet), else the best of the first in order. One that is nobody's never does.
    """
    people = sorted(metadata.people, key=lambda person: person.ids)
    blank = Candidate(
        source=FOLDER,
        platform="gradescope",
        key=people[0].ids[0] if people else FOLDER,
        name=" and ".join(person.name for person in people if person.name),
        members=tuple(person.ids[0] for person in people),
        times={"lms": metadata.created} if metadata.created else {},
    )
    found = _found(root / FOLDER, blank)
    if not people:
        return found
    stated = read_bundle(found.bundle()).student
    known = any(stated in person.ids for person in people)
    return replace(found, key=stated if known else found.key, named=True)


def _found(folder: Path, blank: Candidate) -> Candidate:
    if folder.is_symlink() or not folder.is_dir():
        return blank
    try:
        return of_folder(DiskDirectory(folder, FOLDER, Budget(MOST_ENTRIES), FOLDER), blank)
    except SubmissionError as error:
        return replace(blank, message=str(error))


def extended(policy: Policy, student: str, people: Iterable[Person]) -> Policy:
    """The rules with the longest extension that any member has, by whatever name, as the student's."""
    given: Mapping[str, int] = policy.extensions
    longest = max((given[name] for person in people for name in person.ids if name in given), default=None)
    return policy if longest is None else replace(policy, extensions={**given, student: longest})

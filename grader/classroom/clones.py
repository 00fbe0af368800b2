"""One repository brought to disk as plain files: what students may have put into it can't reach further.

Nothing of a repository is run: no hooks, no filters, no submodules, no large-file storage. Links become small text
files, sizes are checked before a file is written, and git's own folder is gone before anybody looks. The folder is
exchanged as a whole: a run that is killed leaves the old one or the new one.
"""

import os
import re
import shutil
import stat
from pathlib import Path

from grader.classroom.github import Client, GithubError, program
from grader.classroom.programs import SlowError, run

_SECONDS = 60.0
MOST_FILES = 5_000
MOST_BYTES = 100 << 20
_MOST_LEVELS = 30
_COMMIT = re.compile(r"[0-9a-f]{40,64}")
_TEMPORARY = re.compile(r"\.(.+)\.(?:[0-9a-f]{8}\.new|old)", re.DOTALL)
# what .gitattributes of the repository say is overruled, and nobody's settings have a part in it
_ATTRIBUTES = "* -text -eol -filter -ident -working-tree-encoding\n"
_ALONE = {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull}
_SAFE = ("core.hooksPath=/dev/null", "core.symlinks=false", "core.autocrlf=false", "core.fsmonitor=false",
         "submodule.recurse=false")  # fmt: skip


def fetch(client: Client, repository: str, place: Path, branch: str) -> str:
    """Put the files of a branch's newest commit into the folder `place`; the commit, empty where there is none yet.

    GithubError if it can't be had or is too large; what was in the folder before then stays.
    """
    temporary = place.with_name(f".{place.name}.{os.urandom(4).hex()}.new")
    try:
        client.clone(repository, temporary, branch)
        commit = _head(temporary)
        if commit:
            _check_size(_git(temporary, "ls-tree", "-r", "-l", "-z", "--full-tree", "HEAD"))
            (temporary / ".git" / "info").mkdir(exist_ok=True)
            (temporary / ".git" / "info" / "attributes").write_text(_ATTRIBUTES, encoding="ascii")
            _git(temporary, "checkout", "-q", "-f", "HEAD")
        remove(temporary / ".git")
        _exchange(temporary, place)
    finally:
        remove(temporary)
    return commit


def restore(folder: Path) -> None:
    """Put right what a run that was killed left behind: folders that were half exchanged, or half fetched."""
    for path in sorted(folder.iterdir()) if folder.is_dir() else ():
        match = _TEMPORARY.fullmatch(path.name)
        if match is None:
            continue
        if path.suffix == ".old" and not (folder / match[1]).exists():
            path.rename(folder / match[1])
        else:
            remove(path)


def remove(folder: Path) -> None:
    """Remove a folder with all that is in it, if it is there. Git's own files can't be written, which Windows minds."""
    if os.name == "nt":
        for path in folder.rglob("*"):
            path.chmod(stat.S_IWRITE)
    shutil.rmtree(folder, ignore_errors=True)


def _exchange(new: Path, place: Path) -> None:
    old = place.with_name(f".{place.name}.old")
    remove(old)
    if place.exists():
        place.rename(old)
    new.rename(place)
    remove(old)


def _head(folder: Path) -> str:
    """The commit that was fetched, empty where there is none yet."""
    found = _git(folder, "for-each-ref", "--count=1", "--format=%(objectname)", "refs/heads", "refs/remotes")
    if not found.strip():
        return ""
    commit = _git(folder, "rev-parse", "--verify", "HEAD").decode("ascii", "replace").strip()
    if not _COMMIT.fullmatch(commit):
        raise GithubError("can't be checked out: git names no commit")
    return commit


def _git(folder: Path, *arguments: str) -> bytes:
    settings = [text for setting in _SAFE for text in ("-c", setting)]
    try:
        done = run([program("git"), "-C", str(folder), *settings, *arguments], seconds=_SECONDS, variables=_ALONE)
    except SlowError as error:
        raise GithubError(f"can't be checked out: {error}") from None
    if done.code:
        raise GithubError(f"can't be checked out: {done.fault}")
    return done.out


def _check_size(listing: bytes) -> None:
    """Refuse what would fill the disk, by git's list of a commit's files; links and submodules have no say in it."""
    count = total = 0
    for entry in filter(None, listing.split(b"\0")):
        about, _, path = entry.partition(b"\t")
        size = about.rsplit(None, 1)[-1]
        count, total = count + 1, total + (int(size) if size.isdigit() else 0)
        if path.count(b"/") >= _MOST_LEVELS:
            raise GithubError(f"folders are nested more than {_MOST_LEVELS} levels deep")
    if count > MOST_FILES:
        raise GithubError(f"more than {MOST_FILES:,} files")
    if total > MOST_BYTES:
        raise GithubError(f"larger than {MOST_BYTES >> 20} MiB")

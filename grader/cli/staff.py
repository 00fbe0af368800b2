"""The staff's verbs for repositories on GitHub: collect what students pushed, post what became of it."""

import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from grader.cli.common import example, say
from grader.results import Reveal

if TYPE_CHECKING:
    from grader.classroom.addresses import Addresses
    from grader.classroom.github import Client
    from grader.classroom.repositories import Repository

_org = click.option("--org", default="", metavar="ORG", help="The organisation on GitHub.")
_prefix = click.option("--prefix", default="", help="What the repositories' names begin with, such as rooflines-1.")
_file = click.Path(dir_okay=False, exists=True, path_type=Path)


@click.command(
    short_help="Bring the students' repositories to a folder.",
    epilog=example(
        "grader classroom collect --org my-org --prefix rooflines-1 -o class\n"
        "  grader classroom collect --org my-org --prefix rooflines-1 -o class --roster roster.csv\n"
        "  grader grade class --roster class/pushed.csv -o reports"
    ),
)
@_org
@_prefix
@click.option("--repos", type=_file, help="A file with OWNER/REPO or OWNER/REPO,student a line, in place of --org.")
@click.option("-o", "--output", required=True, type=click.Path(file_okay=False, path_type=Path), help="The folder.")
@click.option("--branch", default="", help="The branch that counts (default: each repository's own default).")
@click.option("--roster", type=_file, help="Who is in the class (CSV): pushed.csv has the ids and names of it then.")
def collect(org: str, prefix: str, repos: Path | None, output: Path, branch: str, roster: Path | None) -> None:
    """Bring the students' repositories to a folder, as `grader grade` takes it; only what changed is fetched again."""
    from grader.classroom.collect import PUSHED, Collection, alone
    from grader.cli.progress import watch
    from grader.reports.markup import terminal
    from grader.reports.view import counted
    from grader.roster import read_roster

    if branch.startswith("-"):
        raise click.UsageError(f"--branch {branch!r}: no branch is called so")
    known = read_roster(roster, empty=True) if roster else None
    client = _client(0.0)
    with alone(output / ".collecting.lock", "collects"):
        found = _repositories(client, org, prefix, repos)
        shown = watch()
        outcome = Collection(client, output, slug=prefix, branch=branch, roster=known).update(found, shown)
        shown.end()
    for remark in known.remarks if known else ():
        click.echo(terminal(remark), err=True)
    _tell_troubles(outcome.troubles)
    _tell_left(outcome.left)
    if outcome.unknown:
        say(f"Not in the roster, and called by their logins: {_some(outcome.unknown)}")
    if outcome.public:
        say(f"Public, so that everybody can read what is posted there: {_some(outcome.public)}")
    if outcome.gone:
        say(f"Not in the list any more, and kept as collected before: {_some(outcome.gone)}")
    say(
        f"{counted(len(found), 'repository').replace('repositorys', 'repositories')}: {len(outcome.fetched)} fetched, "
        f"{len(outcome.unchanged)} unchanged, {len(outcome.troubles)} could not be fetched"
    )
    say(f"When each was pushed: {output / PUSHED}")
    sys.exit(3 if outcome.troubles else 0)


def _repositories(client: "Client", org: str, prefix: str, repos: Path | None) -> "list[Repository]":
    from grader.classroom.repositories import of_file, of_organisation

    if repos is not None and not org:
        return of_file(repos, prefix)
    if not (org and prefix) or repos is not None:
        raise click.UsageError("name the repositories with --org and --prefix, or with --repos")
    return of_organisation(client, org, prefix)


@click.command(
    short_help="Post feedback in the students' repositories.",
    epilog=example(
        "grader classroom post reports --repos class/pushed.csv --dry-run\n"
        "  grader classroom post reports --repos class/pushed.csv --reveal hint-1\n"
        "  grader classroom post reports --org my-org --prefix rooflines-1"
    ),
)
@click.argument("grades", type=click.Path(path_type=Path))
@_org
@_prefix
@click.option("--repos", type=_file, help="The pushed.csv of a collection, or a file with OWNER/REPO,student a line.")
@click.option(
    "--reveal",
    type=click.Choice([str(level) for level in Reveal]),
    help="Show less or more (default: as it was graded).",
)
@click.option("--pass-mark", metavar="N", help="The status fails below so many points (or per cent: 60%).")
@click.option("--pace", type=click.FloatRange(0, 3600), default=1.0, help="Seconds between two writes (default 1).")
@click.option("--as", "author", default="", metavar="LOGIN", help="Who posts, where GitHub doesn't tell: 'app[bot]'.")
@click.option("--verify", is_flag=True, help="Look at what was posted before, too: it may have been edited.")
@click.option("--dry-run", is_flag=True, help="Say what would be written, and write nothing.")
def post(grades: Path, **given: Any) -> None:
    """Post the feedback of the store GRADES to each student's repository, or bring it up to date there.

    It is a comment, in the open pull request called Feedback or in an issue, and a status on the commit that was
    graded.
    """
    from grader.classroom.addresses import Mail
    from grader.classroom.collect import alone
    from grader.classroom.feedback import Words
    from grader.classroom.post import FILE, Posted, Poster
    from grader.cli.grading import reaching
    from grader.cli.progress import watch
    from grader.store import open_store

    reaches = reaching(given["pass_mark"]) if given["pass_mark"] else lambda *_: True
    addresses = _addresses(given["org"], given["prefix"], given["repos"])
    client = _client(given["pace"])
    with open_store(grades) as store:
        folder, run = _folder(store.path), store.run()
        words = Words(run.course, run.title, Reveal(given["reveal"] or run.reveal))
        mail, shown = Mail(store, addresses, words, reaches), watch()
        with alone(folder / "posted.lock", "posts"):
            asked = {"verify": given["verify"], "dry": given["dry_run"]}
            poster = Poster(client, Posted(folder / FILE), words, given["author"], **asked)
            outcome = poster.all(mail, len(mail), shown)
        shown.end()
    sys.exit(_tell(outcome.done, {**mail.troubles, **outcome.troubles}, outcome.left, dry=given["dry_run"]))


def _addresses(org: str, prefix: str, repos: Path | None) -> "Addresses":
    from grader.classroom.addresses import Addresses
    from grader.classroom.repositories import of_file

    if repos is not None and not org:
        return Addresses.listed(of_file(repos, prefix))
    if not (org and prefix) or repos is not None:
        raise click.UsageError("name the repositories with --repos, or with --org and --prefix")
    click.echo("No commit statuses: which commits were graded is told by --repos pushed.csv only.", err=True)
    return Addresses.alike(org, prefix)


def _folder(store: Path | None) -> Path:
    return (store or Path()).resolve().parent


def _client(pace: float) -> "Client":
    from grader.classroom.github import Client

    return Client(pace=pace, tell=lambda text: click.echo(text, err=True))


def _tell(done: Mapping[str, Any], troubles: Mapping[str, str], left: tuple[str, ...], *, dry: bool) -> int:
    """Print what was done; the exit code."""
    from grader.reports.markup import terminal

    would = "would be " if dry else ""
    for student, one in done.items():
        if one.changed:
            what = {"comment": one.comment, "status": one.status}
            said = ", ".join(f"{name} {would}{word}" for name, word in what.items() if word and word != "unchanged")
            say(f"{terminal(student)}: {said}")
    _tell_troubles(troubles)
    _tell_left(left)
    tally = [one.comment for one in done.values()]
    said = ", ".join(f"{tally.count(word)} {would}{word}" for word in ("created", "updated"))
    say(f"Comments: {said}, {tally.count('unchanged')} left alone, {len(troubles)} could not be posted")
    return 3 if troubles else 0


def _tell_troubles(troubles: Mapping[str, str]) -> None:
    from grader.reports.markup import terminal

    for name, what in troubles.items():
        click.echo(terminal(f"{name}: {what}"), err=True)


def _tell_left(left: tuple[str, ...]) -> None:
    if left:
        click.echo(f"Not done yet: {_some(left)}. Run the same command again later; it goes on here.", err=True)


def _some(names: Iterable[str]) -> str:
    from grader.reports.markup import terminal

    found = list(names)
    more = f" and {len(found) - 20} more" if len(found) > 20 else ""
    return terminal(", ".join(found[:20])) + more

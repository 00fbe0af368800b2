"""The verb that compares clones with their template, and claimed results with the staff's."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from grader.cli.common import example, say

if TYPE_CHECKING:
    from grader.audit.report import Regraded

_folder = click.Path(file_okay=False, path_type=Path)
_file = click.Path(dir_okay=False, exists=True, path_type=Path)


@click.command(
    short_help="Compare clones with their template, and claims with results.",
    epilog=example(
        "grader audit class --template rooflines --grades reports\n"
        "  grader audit class --template rooflines --grades reports --claimed scores.csv --format json"
    ),
)
@click.argument("clones", type=_folder)
@click.option("--template", required=True, type=_folder, help="The folder that the repositories were made from.")
@click.option("--grades", type=click.Path(path_type=Path), help="The store with the staff's own results.")
@click.option("--claimed", multiple=True, type=_file, help="A scores.csv, scores.json, grades.csv or a step's result.")
@click.option("--assignment", default="", help="Which assignment of a scores.json.")
@click.option("--online", is_flag=True, help="Ask GitHub who published the releases of the claimed results (gh).")
@click.option("--format", "form", type=click.Choice(["txt", "json"]), default="txt", help="Form of what is printed.")
def audit(clones: Path, template: Path, grades: Path | None, claimed: tuple[Path, ...], **given: Any) -> None:
    """Compare the repositories in CLONES with their template, and the results they claim with the staff's.

    Exits with 1 if there is something to look at. A difference is a reason to ask, and no proof.
    """
    from grader.audit.claims import in_file
    from grader.audit.files import template as wanted
    from grader.audit.report import Audit, lines
    from grader.audit.report import clones as found

    client = None
    if given["online"]:
        from grader.classroom.github import Client

        client = Client(tell=lambda text: click.echo(text, err=True))
    claims = [claim for path in claimed for claim in in_file(path, given["assignment"])]
    auditor = Audit(wanted(template), _regraded(grades), claims, client)
    audited = [auditor.look(clone) for clone in found(clones)]
    _tell_strangers(auditor.strangers())
    if given["form"] == "json":
        from json import dumps

        from grader.results import to_json

        click.echo(dumps([{**to_json(one), "flagged": one.flagged} for one in audited], indent=1))
    else:
        for line in lines(audited):
            say(line)
    sys.exit(1 if any(one.flagged for one in audited) else 0)


def _tell_strangers(names: list[str]) -> None:
    if names:
        from grader.reports.markup import terminal

        more = f" and {len(names) - 20} more" if len(names) > 20 else ""
        click.echo(f"Claims of students who have no repository here: {terminal(', '.join(names[:20]))}{more}", err=True)


def _regraded(grades: Path | None) -> "list[Regraded]":
    """The staff's results, none without a store."""
    if grades is None:
        return []
    from grader.audit.report import regraded
    from grader.store import open_store

    with open_store(grades) as store:
        names = {row.student.id: {*row.student.aliases} - {row.student.name} for row in store.rows()}
        return regraded(store.results(), names)

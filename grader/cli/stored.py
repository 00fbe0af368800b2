"""The verbs that work on a store: grade again, give points by hand, hand out gradebooks, list what to look at."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from grader.cli.common import course_option, example, jobs_option, say
from grader.errors import GraderError, SpecError

if TYPE_CHECKING:
    from grader.exports.options import Options
    from grader.regrade import Diff
    from grader.store import Store

_store = click.argument("store", type=click.Path(path_type=Path))
_TEXTS = (".csv", ".jsonl", ".xml")
_SHOWN = 200  # changes on the terminal


@click.command(epilog=example("grader regrade reports\n  grader regrade reports --course mine --never-lower --dry-run"))
@_store
@click.option("--never-lower", is_flag=True, help="Keep a submission's old result where the new one has fewer points.")
@click.option("--dry-run", is_flag=True, help="Show what would change, and change nothing.")
@click.option("--format", "form", type=click.Choice(["txt", "json"]), default="txt", help="Form of the differences.")
@jobs_option
@course_option
def regrade(
    store: Path, never_lower: bool, dry_run: bool, form: str, jobs: int | None, course_path: str | None
) -> None:
    """Grade what STORE holds again, after a change of the course; show who changes and why."""
    from grader.bulk import Settings
    from grader.cli.progress import watch
    from grader.course import load_course, require_secret
    from grader.regrade import regrade as grade_again
    from grader.results import Reveal
    from grader.store import open_journal, open_store

    loaded = load_course(course_path)
    require_secret(loaded.course)
    with open_store(store) as before:
        reveal = Reveal(before.run().reveal)
    shown = watch()
    with open_journal(store) as journal:
        settings = Settings(reveal=reveal, jobs=jobs or 0)
        diff = grade_again(journal, loaded, settings, shown, never_lower=never_lower, dry_run=dry_run)
    shown.end()
    if form == "json":
        from json import dumps

        from grader.results import to_json

        click.echo(dumps(to_json(diff), indent=1))
        return
    for line in _differences(diff):
        say(line)
    if dry_run:
        say("Nothing was changed (--dry-run).")
    elif diff.changes:
        say(f"Stored. For new pages, run grader report or grade into {store} again.")


def _differences(diff: "Diff") -> Iterator[str]:
    from grader.reports.markup import terminal

    yield f"{diff.submissions} submissions graded again; {len(diff.totals)} totals change, {len(diff.changes)} parts"
    totals = {total.student: total for total in diff.totals}
    student = None
    for change in diff.changes[:_SHOWN]:
        if change.student != student:
            student = change.student
            total = totals.get(student)
            yield f"\n{terminal(student)}" + (f": {total.old} -> {total.new} points" if total else ": total as before")
        verdicts = f"{change.old_verdict or 'not there'} -> {change.new_verdict or 'not there'}"
        points = f"{_points(change.old_points)} -> {_points(change.new_points)}"
        yield f"  {change.exercise} {change.part}: {verdicts}, {points} points{_why(change)}"
    if len(diff.changes) > _SHOWN:
        yield f"\nand {len(diff.changes) - _SHOWN} more; all of them with --format json"


def _points(points: int | None) -> str:
    return "-" if points is None else str(points)


def _why(change: Any) -> str:
    from grader.reports.markup import terminal

    reasons = [f"answered {terminal(change.response[:60])}"] if change.response else []
    if change.old_mistakes != change.new_mistakes:
        was, now = (", ".join(names) or "no mistake" for names in (change.old_mistakes, change.new_mistakes))
        reasons.append(f"{was} -> {now}")
    if change.override is not None:
        reasons.append(f"stays at {change.override}, given by a person")
    if change.kept:
        reasons.append("the old result is kept")
    return f" ({'; '.join(reasons)})" if reasons else ""


@click.command(
    epilog=example(
        'grader override reports s1024 q4.flops 2 --why "the sign was lost in printing"\n'
        "  grader override reports s1024 q4.flops --remove"
    )
)
@_store
@click.argument("student")
@click.argument("part")
@click.argument("points", type=int, required=False)
@click.option("--why", default="", help="The reason, which the student is shown.")
@click.option("--by", default="", help="Who gave the points.")
@click.option("--remove", is_flag=True, help="Take back points given before.")
def override(store: Path, student: str, part: str, points: int | None, remove: bool, **reason: str) -> None:
    """Give STUDENT some POINTS for PART (exercise.part) in place of the grader's; they stay through regrades."""
    from grader.results import Override
    from grader.store import open_journal, open_store

    if (points is None) != remove:
        raise click.UsageError("give the points, or --remove")
    if not remove and not reason["why"].strip():
        raise click.UsageError('say why: --why "..."; the student is shown it')
    with open_store(store):
        pass  # a store must be there; none is made here
    with open_journal(store) as journal:
        exercise, name = _place(journal, part)
        whose = _known(journal, student)
        told = {name: text.strip() for name, text in reason.items()}
        given = None if remove else Override(points=points or 0, before=None, **told)
        journal.override(whose, exercise, name, given)
        total = next(result for _, result, _ in journal.totals() if result.student == whose)
    say(f"{whose}: {exercise} {name}: {'as graded' if remove else f'{points} points'}; total {total.points}")


def _place(store: "Store", text: str) -> tuple[str, str]:
    """The exercise and part that `q4.flops` (or q4/flops, with any beginning of the id that is unique) names."""
    from grader.errors import did_you_mean

    columns = store.run().outline.columns
    exercise, _, part = text.replace("/", ".").partition(".")
    ids = dict.fromkeys(column.exercise for column in columns)
    found = [one for one in ids if one == exercise] or [one for one in ids if one.startswith(exercise)]
    if len(found) != 1:
        raise SpecError(f"no exercise {exercise!r}; name a part as exercise.part: {', '.join(ids)}")
    parts = [column.part for column in columns if column.exercise == found[0]]
    if part not in parts:
        close = did_you_mean(part, parts)
        raise SpecError(f"no part {part!r} of {found[0]}; " + (f"did you mean {close}?" if close else ", ".join(parts)))
    return found[0], part


def _known(store: "Store", student: str) -> str:
    """The student's id, which may be named by an alias of the roster."""
    from json import loads

    from grader.errors import did_you_mean

    ids = [row[0] for row in store.db.execute("select distinct student from submission where current")]
    if student in ids:
        return student
    enrolled = store.db.execute("select id, aliases from student")
    aliases: dict[str, str] = {alias: whose for whose, names in enrolled for alias in loads(names)}
    if aliases.get(student) in ids:
        return aliases[student]
    close = did_you_mean(student, ids)
    raise GraderError(f"no student {student!r} in this store" + (f"; did you mean {close}?" if close else ""))


@click.command(
    epilog=example(
        "grader export reports --to csv -o grades.csv\n  grader export reports --to canvas:exported.csv -o upload.csv\n"
        "  grader export reports --to long_csv --anonymous > shared.csv"
    )
)
@_store
@click.option("--to", "target", required=True, metavar="FORMAT[:TEMPLATE]", help="The format; see below.")
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="File to write (else stdout).")
@click.option("--column", default="", help="The column of the template to fill in, where there are several.")
@click.option("--anonymous", is_flag=True, help="Pseudonyms in place of names and ids.")
@course_option
def export(
    store: Path, target: str, output: Path | None, column: str, anonymous: bool, course_path: str | None
) -> None:
    """Write the gradebook of STORE in a format for machines, or fill in the file of a learning platform.

    Formats: csv, long_csv, xlsx, parquet, jsonl, junit, gradescope, moodle_feedback_zip; with a template of your own
    canvas:EXPORTED.csv and moodle:WORKSHEET.csv.
    """
    from grader import gradebook
    from grader.plugins import module
    from grader.store import open_store

    tag, _, template = target.partition(":")
    form = module("exports", tag)
    if form.needs_template and not template:
        raise click.UsageError(f"--to {tag} fills in a file of your own: --to {tag}:FILE.csv")
    if output is None and form.ending not in _TEXTS and sys.stdout.isatty():
        raise click.UsageError(f"{tag} is no text: name a file with -o")
    with open_store(store) as opened:
        rows = opened.rows()
        if anonymous:
            key = _pseudonym_key(course_path)
            rows = (gradebook.anonymous(row, key) for row in rows)
        pieces = form.export(rows, _outline(opened), _options(opened, Path(template) if template else None, column))
        _put(pieces, output)


def _pseudonym_key(course_path: str | None) -> bytes:
    from grader.course import load_course

    return load_course(course_path).keyring.key


def _outline(store: "Store") -> Any:
    from dataclasses import replace

    run = store.run()
    graded = {"grader": run.grader, "spec": run.spec, "key": run.key, "graded_at": run.started_at}
    return replace(run.outline, run=graded)


def _options(store: "Store", template: Path | None, column: str) -> "Options":
    from grader.exports.options import Options
    from grader.reports.render import page
    from grader.results import Result, Reveal
    from grader.reveal import student_view

    run = store.run()
    level = Reveal(run.reveal)

    def view(result: Result) -> Result:
        return student_view(result, level)

    return Options(
        template=template,
        column=column,
        page=lambda result: page(view(result), "html", run.title),
        view=view,
        note=lambda text: click.echo(text, err=True),
    )


def _put(pieces: Iterator[bytes], output: Path | None) -> None:
    from grader.reports.files import write_bytes

    if output is None:
        for piece in pieces:
            click.echo(piece, nl=False)
        return
    write_bytes(output, pieces)
    click.echo(f"Written: {output}", err=True)


@click.command(epilog=example("grader flags reports\n  grader flags reports --kind late --kind same"))
@_store
@click.option("--kind", "kinds", multiple=True, help="Only these: unknown, late, missing, same, sheet, ...")
@click.option("--format", "form", type=click.Choice(["txt", "json"]), default="txt", help="Form of the list.")
@course_option
def flags(store: Path, kinds: tuple[str, ...], form: str, course_path: str | None) -> None:
    """List what a person should look at: unknown, late and missing students, duplicates, answers like another's."""
    from grader.course import load_course
    from grader.flags import flags as flags_of
    from grader.reports.markup import terminal
    from grader.store import open_store

    with open_store(store) as opened:
        found = [flag for flag in flags_of(opened, load_course(course_path)) if not kinds or flag.kind in kinds]
    if form == "json":
        from json import dumps

        from grader.results import to_json

        click.echo(dumps(to_json(found), indent=1))
        return
    for flag in found:
        say(f"{flag.kind}: {terminal(flag.student)}: {terminal(flag.what)}")
    if not found:
        say("nothing to look at")

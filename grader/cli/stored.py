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
    from grader.regrade import Diff, Total
    from grader.store import Store

_store = click.argument("store", type=click.Path(path_type=Path))
_TEXTS = (".csv", ".jsonl", ".xml")
_SHOWN = 200  # changes on the terminal


@click.command(
    short_help="Grade a class again, after a change of the course.",
    epilog=example("grader regrade reports\n  grader regrade reports --course mine --never-lower --dry-run"),
)
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
    from grader.bulk import Settings, pool, task
    from grader.cli.progress import watch
    from grader.course import load_course, require_keys, require_secret
    from grader.publish import refresh
    from grader.regrade import regrade as grade_again
    from grader.results import Reveal
    from grader.store import open_journal, open_store

    with open_store(store) as before:
        settings = Settings(reveal=Reveal(before.run().reveal), jobs=jobs or 0)
        loaded = load_course(course_path or _its_course(before))
    require_keys(loaded)
    require_secret(loaded.course)
    shown = watch()
    with open_journal(store) as journal, pool(loaded, settings) as workers:
        work = task(loaded, "regrade", settings)
        diff = grade_again(journal, work, workers, shown, never_lower=never_lower, dry_run=dry_run)
        pages = not dry_run and refresh(journal, workers, shown)
    shown.end()
    if form == "json":
        from json import dumps

        from grader.results import to_json

        click.echo(dumps(to_json(diff), indent=1))
        return
    for line in _differences(diff):
        say(line)
    say("Nothing was changed (--dry-run)." if dry_run else f"Stored{', and the pages are up to date' * pages}.")


def _its_course(store: "Store") -> str | None:
    """The folder of the course that the store was graded against; None for the packaged one."""
    from grader.course import load_course

    run = store.run()
    if (Path(run.folder) / "course.yaml").is_file():
        return run.folder
    if load_course().course.id == run.course:
        return None
    raise SpecError(f"the course {run.course} is not in {run.folder} any more: name its folder with --course")


def _differences(diff: "Diff") -> Iterator[str]:
    from itertools import groupby

    from grader.reports.markup import terminal
    from grader.reports.view import counted

    again = f"{counted(diff.submissions, 'submission')} graded again"
    rest = f" ({diff.unchanged} were graded against this course already)" if diff.unchanged else ""
    yield f"{again}{rest}; {counted(len(diff.totals), 'total')} and {counted(len(diff.changes), 'part')} change"
    totals = {total.student: total for total in diff.totals}
    for student, changes in groupby(diff.changes[:_SHOWN], key=lambda change: change.student):
        total = totals.pop(student, None)
        yield f"\n{terminal(student)}: " + (_moved(total) if total else "total as before")
        for change in changes:
            verdicts = f"{change.old_verdict or 'not there'} -> {change.new_verdict or 'not there'}"
            points = f"{_points(change.old_points)} -> {_points(change.new_points)}"
            yield f"  {change.exercise} {change.part}: {verdicts}, {points} points{_why(change)}"
    if len(diff.changes) > _SHOWN:
        yield f"\nand {len(diff.changes) - _SHOWN} more; all of them with --format json"
        return
    for total in list(totals.values())[:_SHOWN]:
        yield f"\n{terminal(total.student)}: {_moved(total)}, by the rules for lateness and attempts"


def _moved(total: "Total") -> str:
    return f"{total.old} -> {total.new} points"


def _points(points: int | None) -> str:
    return "-" if points is None else str(points)


def _short(response: str) -> str:
    from grader.reports.markup import terminal

    return terminal(response if len(response) <= 60 else response[:57] + "...")


def _why(change: Any) -> str:
    reasons = [f"answered {_short(change.response)}"] if change.response else []
    if change.old_mistakes != change.new_mistakes:
        was, now = (", ".join(names) or "no mistake" for names in (change.old_mistakes, change.new_mistakes))
        reasons.append(f"{was} -> {now}")
    if change.override is not None:
        reasons.append(f"stays at {change.override}, given by a person")
    if change.kept:
        reasons.append("the old result is kept")
    return f" ({'; '.join(reasons)})" if reasons else ""


@click.command(
    short_help="Give points by hand.",
    epilog=example(
        'grader override reports s1024 q4.flops 2 --why "the sign was lost in printing"\n'
        "  grader override reports s1024 q4.flops --remove"
    ),
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
    from grader.cli.progress import watch
    from grader.publish import Here, refresh
    from grader.reports.markup import terminal
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
        whose = known_student(journal, student)
        told = {name: text.strip() for name, text in reason.items()}
        given = None if remove else Override(points=points or 0, before=None, **told)
        journal.override(whose, exercise, name, given)
        (total,) = (result.points for result in journal.of_students([whose]))
        refresh(journal, Here(), watch())
    what = "as graded" if points is None else f"{points} point{'' if points == 1 else 's'}"
    say(f"{terminal(whose)}: {exercise} {name}: {what}; total {total}")


def _place(store: "Store", text: str) -> tuple[str, str]:
    """The exercise and part that `q4.flops` (or q4/flops, with any beginning of the id that is unique) names."""
    from grader.errors import did_you_mean

    columns = store.run().outline.columns
    exercise, _, part = text.replace("/", ".").partition(".")
    ids = dict.fromkeys(column.exercise for column in columns)
    found = [one for one in ids if one == exercise] or [one for one in ids if one.startswith(exercise)]
    if len(found) != 1:
        close = did_you_mean(exercise, ids)
        hint = f"did you mean {close}?" if close else f"name a part as exercise.part: {', '.join(ids)}"
        raise SpecError(f"{'no' if not found else 'more than one'} exercise {exercise!r}; {hint}")
    parts = [column.part for column in columns if column.exercise == found[0]]
    if part not in parts:
        close = did_you_mean(part, parts)
        hint = f"did you mean {close}?" if close else f"its parts: {', '.join(parts)}"
        raise SpecError(f"no part {part!r} of {found[0]}; {hint}")
    return found[0], part


def known_student(store: "Store", student: str) -> str:
    """The id of a student of whom there is something, who may be named by an alias of the roster; GraderError else."""
    from json import loads

    from grader.errors import did_you_mean

    ids = [row[0] for row in store.db.execute("select distinct student from submission where current")]
    if student in ids:
        return student
    enrolled = store.db.execute("select id, aliases from student").fetchall()
    aliases: dict[str, str] = {alias: whose for whose, names in enrolled for alias in (whose, *loads(names))}
    if aliases.get(student) in ids:
        return aliases[student]
    if student in aliases:
        raise GraderError(f"{student}: nothing was handed in, so there are no points to give")
    close = did_you_mean(student, ids)
    raise GraderError(f"no student {student!r} in this store" + (f"; did you mean {close}?" if close else ""))


@click.command(
    short_help="Write gradebooks, for machines and learning platforms.",
    epilog=example(
        "grader export reports --to csv -o grades.csv\n  grader export reports --to canvas:exported.csv -o upload.csv\n"
        "  grader export reports --to long_csv --anonymous > shared.csv"
    ),
)
@_store
@click.option("--to", "target", required=True, metavar="FORMAT[:TEMPLATE]", help="The format, one of those above.")
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="File to write (else stdout).")
@click.option("--column", default="", help="The column of the template to fill in, where there are several.")
@click.option("--anonymous", is_flag=True, help="Pseudonyms in place of names and ids.")
@course_option
def export(
    store: Path, target: str, output: Path | None, column: str, anonymous: bool, course_path: str | None
) -> None:
    """Write the gradebook of STORE in a format for machines, or fill in the file of a learning platform.

    Formats: csv, long_csv, xlsx, parquet, jsonl, junit; gradescope and classroom (JSON of a single student, a zip for
    several or where the output is named .zip); moodle_feedback_zip; with a file of your own to fill in
    canvas:EXPORTED.csv and moodle:WORKSHEET.csv.
    """
    from dataclasses import replace

    from grader.plugins import module
    from grader.store import open_store

    tag, _, template = target.partition(":")
    form = module("exports", tag)
    if form.needs_template and not template:
        raise click.UsageError(f"--to {tag} fills in a file of your own: --to {tag}:FILE.csv")
    if not form.needs_template and (template or column):
        raise click.UsageError(f"--to {tag} fills in no file, so it takes no {'file' if template else '--column'}")
    if output is None and form.ending not in _TEXTS and sys.stdout.isatty():
        raise click.UsageError(f"{tag} is no text: name a file with -o")
    with open_store(store) as opened:
        refuse_own_files(opened, output)
        key = _pseudonym_key(course_path or _its_course(opened)) if anonymous else b""
        rows = opened.shuffled(key) if anonymous else opened.rows()
        options = replace(
            _options(opened),
            template=Path(template) if template else None,
            column=column,
            archive=output is not None and output.suffix.lower() == ".zip",
        )
        _put(form.export(rows, _outline(opened), options), output)


def refuse_own_files(store: "Store", output: Path | None) -> None:
    """Nothing that a run made may be written over."""
    if output is None or store.path is None or output.resolve().parent != store.path.resolve().parent:
        return
    pages = {row[0] for row in store.db.execute("select file from page")}
    if output.name in pages or output.name.startswith((store.path.name, "index.")) or output.suffix == ".lock":
        raise GraderError(f"{output}: this file belongs to the store; name another one")


def _pseudonym_key(course_path: str | None) -> bytes:
    from grader.course import load_course, require_keys, require_secret

    loaded = load_course(course_path)
    require_keys(loaded)
    require_secret(loaded.course)
    if not loaded.course.secret_env:
        click.echo(
            "grader: the course has no secret (secret_env in course.yaml), so whoever has a list of the students can "
            "tell whose these pseudonyms are",
            err=True,
        )
    return loaded.keyring.key


def _outline(store: "Store") -> Any:
    from dataclasses import replace

    run = store.run()
    graded = {"grader": run.grader, "spec": run.spec, "key": run.key, "graded_at": run.started_at}
    return replace(run.outline, run=graded)


def _options(store: "Store") -> "Options":
    from grader.exports.options import Options
    from grader.exports.words import summary
    from grader.reports.overrides import of_course
    from grader.reports.render import page
    from grader.results import Result, Reveal
    from grader.reveal import student_view

    run = store.run()
    level = Reveal(run.reveal)

    def view(result: Result) -> Result:
        return student_view(result, level)

    return Options(
        page=lambda result: page(view(result), "html", run.title, of_course(Path(run.folder), run.outline.templates)),
        comment=lambda result: summary(view(result)),
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


@click.command(
    short_help="List what a person should look at.",
    epilog=example("grader flags reports\n  grader flags reports --kind late --kind same"),
)
@_store
@click.option("--kind", "kinds", multiple=True, help="Only these: unknown, alike, missing, late, same, sheet ...")
@click.option("--format", "form", type=click.Choice(["txt", "json"]), default="txt", help="Form of the list.")
@course_option
def flags(store: Path, kinds: tuple[str, ...], form: str, course_path: str | None) -> None:
    """List what a person should look at: unknown, late and missing students, duplicates, answers like another's."""
    from grader.course import load_course, require_keys
    from grader.errors import did_you_mean
    from grader.flags import KINDS
    from grader.flags import flags as flags_of
    from grader.reports.markup import terminal
    from grader.store import open_store

    for kind in kinds:
        if kind not in KINDS:
            close = did_you_mean(kind, KINDS)
            hint = f"did you mean {close}?" if close else f"the kinds are {', '.join(KINDS)}"
            raise click.UsageError(f"no kind {kind!r}; {hint}")
    with open_store(store) as opened:
        loaded = load_course(course_path or _its_course(opened))
        require_keys(loaded)
        found = [flag for flag in flags_of(opened, loaded) if not kinds or flag.kind in kinds]
    if form == "json":
        from json import dumps

        from grader.results import to_json

        click.echo(dumps(to_json(found), indent=1))
        return
    for flag in found:
        say(f"{flag.kind}: {terminal(flag.student)}: {terminal(flag.what)}")
    if not found:
        say("nothing to look at")

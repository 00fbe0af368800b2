"""The verbs that read answers: grade and check."""

import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from grader.cli.common import course_option, example, exercises_option, jobs_option, reveal_option, say
from grader.results import Gradebook, Reveal, Status
from grader.values import frozen

if TYPE_CHECKING:
    from grader.bulk import Counts, Settings
    from grader.cli.progress import Quiet
    from grader.course import LoadedCourse
    from grader.pool import Pool
    from grader.reports.overrides import Overrides
    from grader.sources.candidate import Candidate
    from grader.store import Journal

FORMATS = ("txt", "md", "html", "json")
_MOST_DIGITS = 9  # of a mark
UNGRADED = (Status.UNREADABLE, Status.DUPLICATE, Status.FAILED)


@click.command(
    short_help="Grade what was handed in: verdicts, points, reports.",
    epilog=example(
        "grader grade answers.yaml\n  grader grade submissions_example -o reports\n"
        "  grader grade moodle.zip --roster roster.csv --dry-run\n"
        "  grader grade answers.jsonl -o results --no-reports --jobs 4\n"
        "  grader grade s3://bucket/answers-*.jsonl.gz --cluster tcp://10.0.0.1:8786 -o results\n"
        "  grader grade s3://bucket/answers-*.jsonl.gz --cluster tcp://10.0.0.1:8786 --parquet s3://bucket/graded"
    ),
)
@click.argument("paths", nargs=-1, required=True, type=click.Path())
@click.option("-o", "--output", type=click.Path(file_okay=False), help="Folder for the store and the reports.")
@click.option("--format", "form", type=click.Choice(FORMATS), help="Form of the reports (default: txt; html with -o).")
@click.option("--reports/--no-reports", default=True, help="With -o: write pages and results.json, or the store alone.")
@click.option("--verdicts-only", is_flag=True, help="Decide and explain nothing: for very large classes.")
@reveal_option
@click.option("--pass-mark", metavar="N", help="Exit with 1 if a submission has fewer points (or per cent: 60%).")
@click.option("--roster", type=click.Path(dir_okay=False), help="Who is in the class (CSV).")
@click.option("--pattern", metavar="REGEX", help="How paths name students: groups student, name, file ...")
@click.option("--attempts", type=click.Choice(["latest"]), help="Of two answer files in one folder, take the later.")
@click.option("--dry-run", is_flag=True, help="List who handed in what, and who did not; grade nothing.")
@jobs_option
@click.option("--time-limit", type=click.FloatRange(0.1), default=20.0, help="Seconds for a submission (default 20).")
@click.option("--memory-limit", type=click.IntRange(128), default=512, help="Megabytes for a worker (default 512).")
@click.option("--cluster", metavar="ADDRESS", help="Grade on the Dask cluster with this scheduler: tcp://HOST:PORT.")
@click.option(
    "--parquet",
    metavar="FOLDER",
    help="Write part files (a folder or a URL) in place of a store. They have raw points: what needs all attempts "
    "of a student, such as lateness and which attempt counts, is judged in a store only.",
)
@course_option
def grade(paths: tuple[str, ...], pass_mark: str | None, course_path: str | None, **given: Any) -> None:
    """Grade what was handed in, and report: files, folders, archives, or tables with a submission in each row.

    URLs may name files of rows (JSON Lines, CSV, also with .gz), several with an asterisk.
    """
    from grader.course import load_course, require_keys, require_secret, reveal_level
    from grader.sources.finding import Progress, find

    reaches = reaching(pass_mark)
    if given["parquet"]:
        from grader.cli.beyond import refuse

        refuse({**given, "pass_mark": pass_mark})
    looked: deque[Progress] = deque(maxlen=1)
    found = find(paths, pattern=given["pattern"], latest=given["attempts"] == "latest", progress=looked.append)
    if given["dry_run"]:
        _list(found, given["roster"])
        if looked and looked[-1].seen:
            say(f"{looked[-1].seen:,} files and folders were looked at")
        return
    course = load_course(course_path)
    require_keys(course)
    require_secret(course.course)
    level = Reveal(given["reveal"]) if given["reveal"] else reveal_level(course.course)
    asked = _asked({**given, "paths": paths, "overrides": checked_templates(course)}, level)
    if asked.parquet:
        from grader.cli.beyond import write_parquet

        sys.exit(write_parquet(found, course, _settings(asked), asked.parquet, asked.cluster))
    first = list(islice(found, 2))
    if len(first) < 2 and asked.explain and not (asked.folder or asked.roster or asked.cluster):
        sys.exit(_grade_here(first, course, asked, reaches))
    sys.exit(_grade_class(chain(first, found), course, asked, reaches))


@frozen(kw_only=True)
class _Asked:
    """What was asked for on the command line; `folder` is where the output really is."""

    form: str | None
    level: Reveal
    paths: tuple[str, ...]
    explain: bool
    reports: bool
    output: Path | None
    folder: Path | None
    roster: Path | None
    jobs: int
    seconds: float
    megabytes: int
    cluster: str | None
    parquet: str | None
    overrides: "Overrides"

    @property
    def formats(self) -> tuple[str, ...]:
        """Those of the pages."""
        return ("html", "md") if self.form in (None, "json") else (str(self.form),)


def _asked(given: Any, level: Reveal) -> _Asked:
    output = Path(given["output"]) if given["output"] else None
    return _Asked(
        form=given["form"],
        level=level,
        paths=given["paths"],
        explain=not given["verdicts_only"],
        reports=given["reports"] and not given["verdicts_only"],
        output=output,
        folder=output.resolve() if output else None,
        roster=Path(given["roster"]) if given["roster"] else None,
        jobs=given["jobs"] or 0,
        seconds=given["time_limit"],
        megabytes=given["memory_limit"],
        cluster=given["cluster"],
        parquet=given["parquet"],
        overrides=given["overrides"],
    )


def checked_templates(course: "LoadedCourse") -> "Overrides":
    """The course's own templates, tried out; SpecError with their faults, before anything is graded."""
    from grader.reports.overrides import of_course

    overrides = of_course(course.folder.resolve(), course.course.templates)
    if overrides.sources:
        from grader.reports.sandbox import check

        check(overrides)
    return overrides


def _grade_here(
    first: Sequence["Candidate"], course: "LoadedCourse", asked: _Asked, reaches: Callable[[int, int], bool]
) -> int:
    """One submission, in this process."""
    from grader.batch import grade_found

    book = grade_found(first, course, reveal=asked.level)
    _print(book, asked)
    return exit_code(((one.status, one.points or 0, one.max_points) for one in book.results), reaches)


def _grade_class(
    found: Iterator["Candidate"], course: "LoadedCourse", asked: _Asked, reaches: Callable[[int, int], bool]
) -> int:
    """Many submissions, in worker processes, into a store."""
    from grader.bulk import grade_into, pool, task
    from grader.cli.beyond import workers
    from grader.cli.progress import watch
    from grader.publish import sweep
    from grader.store import open_journal

    settings, shown = _settings(asked), watch()
    with open_journal(asked.folder) as journal, pool(course, settings) as own:
        if asked.folder is not None:
            sweep(asked.folder)
        journal.begin(task(course, "grade", settings))
        shown.begin("Graded", None)
        bundles = (candidate.bundle() for candidate in found)
        with workers(own, course, settings, asked.cluster) as graders:
            counts = grade_into(journal, bundles, settings, graders, shown, roots=asked.paths)
        if asked.folder is not None and asked.reports:
            _publish(journal, asked.folder, asked, own, shown)  # the store is on this machine
        shown.end()
        _tell(journal, asked, counts)
        return exit_code(journal.marks(), reaches)


def _settings(asked: _Asked) -> "Settings":
    from grader.bulk import Settings
    from grader.pool import Limits

    limits = Limits(seconds=asked.seconds, megabytes=asked.megabytes)
    return Settings(reveal=asked.level, jobs=asked.jobs, limits=limits, roster=asked.roster, explain=asked.explain)


def _publish(journal: "Journal", folder: Path, asked: _Asked, workers: "Pool[Any]", shown: "Quiet") -> None:
    from grader.publish import form_of, publish

    publish(journal, folder, form_of(journal.run(), asked.formats), workers, shown)


def _tell(journal: "Journal", asked: _Asked, counts: "Counts") -> None:
    """Print what was asked for: results as JSON, the reports, or what the class comes to and where it is written."""
    run = journal.run()
    if not asked.explain:
        note = "Verdicts only: nothing is explained, and nothing counts for mistakes or for what follows from them."
        click.echo(note, err=True)
    if asked.form == "json":
        from grader.publish import results_json

        for piece in results_json(journal):
            click.echo(piece, nl=False)
    elif asked.output is None:
        results = tuple(journal.results())
        _print(Gradebook(course=run.course, title=run.title, grader=run.grader, results=results), asked)
    else:
        from grader.publish import entries
        from grader.reports.index import whole_index
        from grader.reports.view import counted

        say(whole_index(tuple(entries(journal)), "txt", title=run.title, grader=run.grader), end="")
        twice = sum(status == Status.DUPLICATE for status, _, _ in journal.marks())
        if twice:
            say(f"{counted(twice, 'student')} handed in more than once, and it can't be told what counts.")
            say("A newer download belongs in the place of the older one; times come from the platform or the roster.")
        if counts.unchanged:
            say(f"{counts.graded} graded now, {counts.unchanged} unchanged since they were graded")
        name = f"index.{asked.formats[0]}" if asked.reports else journal.path.name if journal.path else ""
        say(f"{'Reports' if asked.reports else 'Store'}: {asked.output / name}")


def _list(found: Iterator["Candidate"], roster: str | None) -> None:
    """What would be graded, and who is missing."""
    from grader.listing import listing
    from grader.reports.markup import terminal
    from grader.roster import read_roster

    for line in listing(found, read_roster(Path(roster)) if roster else None).lines():
        say(terminal(line))


def _print(book: Gradebook, asked: _Asked) -> None:
    """Every report, and a summary of several."""
    if asked.form == "json":
        from json import dumps

        from grader.results import to_json

        click.echo(dumps(to_json(book), indent=1))
        return
    from grader.reports.render import render, render_summary
    from grader.reveal import student_view

    form = asked.form or "txt"
    reports = [
        render(student_view(result, asked.level), form, course_title=book.title, overrides=asked.overrides)
        for result in book.results
    ]
    if len(reports) > 1:
        reports.append(render_summary(book, form))
    say("\n".join(reports), end="")


def reaching(text: str | None) -> Callable[[int, int], bool]:
    """Whether points, of the most that are possible, reach the mark."""
    if text is None:
        return lambda *_: True
    number = text.removesuffix("%")
    if not number.isascii() or not number.isdigit() or len(number) > _MOST_DIGITS:
        raise click.UsageError(f"--pass-mark takes points or per cent, such as 30 or 60%, not {text!r}")
    if text.endswith("%"):
        return lambda points, most: 100 * points >= int(number) * most
    return lambda points, _: points >= int(number)


def exit_code(marks: Iterable[tuple[Status, int, int]], reaches: Callable[[int, int], bool]) -> int:
    """3 if something could not be graded, else 1 if something is below the mark, else 0."""
    code = 0
    for status, points, most in marks:
        if status in UNGRADED:
            return 3
        code = code or int(not reaches(points, most))
    return code


@click.command(
    short_help="Show how answers are read, without a verdict.",
    epilog=example("grader check answers.yaml\n  grader check answers.yaml --course student-edition"),
)
@click.argument("file", type=click.Path())
@exercises_option
@course_option
def check(file: str, exercises: tuple[str, ...], course_path: str | None) -> None:
    """Show how each answer of FILE is read, and what is wrong with its form; no verdict.

    The student edition of a course, which `grader release` writes, is enough for it.
    """
    from grader.batch import read_back

    report = read_back(Path(file), course_path, exercises)
    for line in report.lines:
        say(line)
    sys.exit(0 if report.readable else 1)

"""The verbs of authors: exercises to write, to prove and to try."""

import json
import sys
from pathlib import Path
from typing import Any

import click

from grader.cli.common import course_option, example, say
from grader.errors import SubmissionError
from grader.results import Verdict


@click.command(
    short_help="Write an answer file to fill in.",
    epilog=example("grader new q1 > answers.yaml\n  grader new q1 q2 --student s1024 -o answers.yaml"),
)
@click.argument("exercises", nargs=-1)
@click.option("--student", help="Write this student's own sheet (parameters may be drawn per student).")
@click.option("-o", "--output", type=click.Path(dir_okay=False), help="File to write; never overwritten.")
@course_option
def new(exercises: tuple[str, ...], student: str | None, output: str | None, course_path: str | None) -> None:
    """Write an answer file to fill in, with the questions as comments (all exercises if none is named)."""
    from grader.course import load_course
    from grader.handout import sheet_text

    names = [name for text in exercises for name in text.split(",") if name]
    text = sheet_text(load_course(course_path), names, student)
    if output is None:
        say(text, end="")
        return
    try:
        with Path(output).open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except FileExistsError:
        raise SubmissionError(output, "exists already; move it away or name another file") from None
    click.echo(f"Written: {output}")


@click.command(
    short_help="Compare one response with one solution.",
    epilog=example('grader compare "2BDF/(BD+DF+BF)" "2B" --symbols B,D,F --regime "B << D, F"'),
)
@click.argument("response")
@click.argument("solution")
@click.option("--symbols", default="", help="Names that may be used, such as B,D,F.")
@click.option("--type", "kind", default="expression", help="expression, quantity, threshold, equation, interval, set.")
@click.option("--regime", help='Which symbols are small or large, such as "B << D, F".')
@click.option("--unit", help="The unit asked for; a bare number is read in it.")
@click.option("--rel", help="Relative tolerance, such as 0.01 or 1%.")
@click.option("--abs", "absolute", help="Absolute tolerance, in the solution's unit.")
@click.option("--assume", type=click.Choice(["positive", "real"]), default="positive", help="What the symbols are.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def compare(response: str, solution: str, as_json: bool, **options: Any) -> None:
    """Compare one RESPONSE with a SOLUTION, both in the answer language."""
    from grader.comparison import compare as compare_texts

    tolerance = {"rel": options["rel"], "abs": options["absolute"]}
    tolerance = {name: value for name, value in tolerance.items() if value is not None}
    found = compare_texts(
        response,
        solution,
        type=options["kind"],
        symbols=options["symbols"],
        regime=options["regime"],
        unit=options["unit"],
        assume=options["assume"],
        tolerance=tolerance or None,
    )
    shown = {
        "verdict": str(found.verdict),
        "relation": found.relation and str(found.relation),
        "read_as": found.read_as,
        "latex": found.latex,
        "ratio": found.ratio if found.verdict == Verdict.INCORRECT else None,
        "remarks": list(found.remarks),
        "message": found.message,
        "position": found.position,
    }
    if as_json:
        click.echo(json.dumps(shown, indent=1))
        return
    for name, value in {**shown, "position": None, "remarks": "; ".join(found.remarks)}.items():
        if value not in (None, ""):
            say(f"{name.replace('_', ' ')}: {value}")
    if found.position is not None:
        from grader.reports.markup import terminal

        say(f"  {terminal(response)}\n  {' ' * found.position}^")


@click.command(
    short_help="Prove that exercises are sound.",
    epilog=example("grader lint\n  grader lint exercises/q4_batched_matmul.yaml"),
)
@click.argument("files", nargs=-1, type=click.Path())
@click.option("--update", is_flag=True, help="Accept which mistakes share a value as it is now (coincidences.json).")
@course_option
def lint(files: tuple[str, ...], update: bool, course_path: str | None) -> None:
    """Prove that exercises are sound: keys, examples, mistakes and mutations (the whole course if no FILE is named)."""
    from grader.lint import lint as lint_course

    report = lint_course(course_path, [Path(file) for file in files], update=update)
    for line in report.lines:
        say(line)
    sys.exit(1 if report.faults else 0)


@click.command(
    short_help="Print JSON Schemas, for editors and programs.",
    epilog=example("grader schema exercise > exercise.schema.json"),
)
@click.argument("what", type=click.Choice(["exercise", "course", "mistakes", "submission", "result"]))
def schema(what: str) -> None:
    """Print a JSON Schema, with which editors complete and check the files."""
    from grader.schema import json_schema

    click.echo(json.dumps(json_schema(what), indent=1))

"""Telling a platform what came of a job: files, outputs, and the lines of its log."""

import base64
import os
from collections.abc import Callable, Mapping
from pathlib import Path

from grader.ci.annotations import annotations
from grader.ci.commands import inert, quoted, told
from grader.ci.outcome import Outcome
from grader.ci.outputs import append, make_room, set_outputs, size
from grader.ci.platforms import Platform
from grader.ci.summary import RELEASE, STEP, summary
from grader.errors import GraderError
from grader.reports.files import write_bytes
from grader.reports.markup import terminal
from grader.results import Status
from grader.values import frozen

_ROOM = 512 * 1024  # bytes of the result output, of which a job may have one megabyte in all
RESULT, BODY = Path("result.json"), Path("release-body.md")

Say = Callable[[str], None]


@frozen(kw_only=True)
class Job:
    """One job: where it runs, its environment, the course's title, the JUnit file to write, and how to print."""

    platform: Platform
    environment: Mapping[str, str]
    say: Say
    title: str = "Answers"
    junit: Path | None = None

    def variable(self, name: str) -> str:
        """A variable of the environment, "" where it is not set."""
        return self.environment.get(name, "")

    @property
    def on_github(self) -> bool:
        """Whether what is printed goes through GitHub's runner, and files of it may be there."""
        return self.platform in (Platform.ACTIONS, Platform.CLASSROOM50)


def prepare(job: Job, outcome: Outcome) -> None:
    """Clear away what lies in the place of this job's results, where others may have put it, and have programs read
    `outcome`, a failure, for as long as they are told nothing else: a process that is killed can't tell it.

    Of outputs that are set twice the later counts. For Classroom 50 the exit code of such a process says enough.
    """
    if job.platform == Platform.CLASSROOM50:
        for place in (RESULT, BODY):
            make_room(place)
            place.unlink(missing_ok=True)
    else:
        _hand_over(job, outcome)


def show(job: Job, outcome: Outcome) -> None:
    """What people read: the report in the log, annotations, and the summary of the job."""
    _print_report(job, outcome)
    if job.on_github:
        told(annotations(outcome, job.variable("GITHUB_WORKSPACE") or "."), job.say)
        path = job.variable("GITHUB_STEP_SUMMARY")
        if path:
            append(path, summary(outcome, job.title, STEP - size(path) - 1))


def hand_over(job: Job, outcome: Outcome) -> None:
    """What programs read: the result as outputs of the step, as Classroom 50's files, as JUnit XML."""
    _hand_over(job, outcome)
    if job.junit is not None:
        job.say(terminal(f"JUnit XML: {job.junit}"))


def _hand_over(job: Job, outcome: Outcome) -> None:
    if job.platform == Platform.CLASSROOM50:
        _to_classroom50(job, outcome)
    elif job.platform == Platform.ACTIONS:
        set_outputs(job.variable("GITHUB_OUTPUT"), outputs(outcome))
    if job.junit is not None:
        from grader.exports import junit

        _stays_inside(job.junit)
        write_bytes(job.junit, junit.export([outcome.row], outcome.outline, outcome.options))


def outputs(outcome: Outcome) -> dict[str, object]:
    """The outputs of a step in GitHub Actions. Hidden points are 0 of 0."""
    from grader.exports.classroom import results
    from grader.exports.output import strict_json

    result = results(outcome.row, outcome.outline, outcome.options, outcome.status)
    data = strict_json(result)
    if len(data) > _ROOM:  # what each test says stands in the summary, too
        data = strict_json({**result, "tests": [{**test, "message": None} for test in result["tests"]]})
    return {
        "result": base64.b64encode(data).decode("ascii"),
        "status": outcome.status,
        "points": sum(test["score"] for test in result["tests"]),
        "max-points": result["max_score"],
    }


def _print_report(job: Job, outcome: Outcome) -> None:
    from grader.reports.render import render

    report = inert(render(outcome.seen, "txt", course_title=job.title))
    # Classroom 50 prints again what it is given, and may cut it: nothing may be switched off there
    for text in quoted(report) if job.platform == Platform.ACTIONS else (report,):
        job.say(text)


def _to_classroom50(job: Job, outcome: Outcome) -> None:
    """The files and the two outputs; of a failure of ours no file, since the exit code tells it."""
    status = {"pass": "success", "fail": "failure"}.get(outcome.status, "error")
    if status != "error":
        from grader.ci.classroom50 import handed
        from grader.exports.classroom50 import results
        from grader.exports.output import strict_json

        data = results(outcome.row, outcome.outline, outcome.options, handed(job.environment))
        write_bytes(RESULT, (strict_json(data, indent=1), b"\n"))
        write_bytes(BODY, (summary(outcome, job.title, RELEASE),))
    set_outputs(job.variable("GITHUB_OUTPUT"), {"status": status, "summary": _line(outcome)})


def _line(outcome: Outcome) -> str:
    """What came of it in a few plain words, none of them the student's."""
    if outcome.result.status != Status.GRADED:
        return f"not graded - {outcome.result.status}"
    seen = outcome.seen
    return "answers read" if seen.points is None else f"{seen.points} of {seen.max_points} points"


def _stays_inside(path: Path) -> None:
    """Refuse a file behind a link out of this folder, which somebody else may have made."""
    if os.path.realpath(path.parent) != os.path.abspath(os.path.join(os.path.realpath("."), path.parent)):
        raise GraderError(f"{path}: this leads out of the folder through a link")

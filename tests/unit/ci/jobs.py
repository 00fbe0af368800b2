"""Runs jobs in this process, in a folder that pretends to be a student's repository."""

import base64
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from grader.ci.handing import Job
from grader.ci.outcome import Mark, all_points
from grader.ci.platforms import Platform
from grader.ci.run import Asked
from grader.results import Reveal
from tests.actions import Command, commands, outputs

CLASSROOM50 = {
    "CLASSROOM": "mlsys-f26",
    "ASSIGNMENT": "rooflines-1",
    "ASSIGNMENT_TYPE": "individual",
    "OWNER": "ada-example",
    "SUBMISSION_TAG": "submit/2026-10-02T09-15-00Z-0a1b2c3",
    "COMMIT_URL": "https://github.com/example-org/repo/commit/0a1b2c3",
    "RELEASE_URL": "https://github.com/example-org/repo/releases/tag/submit%2F2026-10-02T09-15-00Z-0a1b2c3",
    "REVIEW_URL": "https://github.com/example-org/repo/compare/ffff000...0a1b2c3",
}


@dataclass
class Told:
    """What a job told: the texts that it printed, and its files."""

    folder: Path
    printed: list[str] = field(default_factory=list)

    @property
    def log(self) -> str:
        return "".join(f"{text}\n" for text in self.printed)

    @property
    def annotations(self) -> list[Command]:
        return [found for found in commands(self.log) if found[0] in ("error", "warning", "notice")]

    @property
    def summary(self) -> str:
        return (self.folder / "summary").read_text(encoding="utf-8")

    @property
    def outputs(self) -> dict[str, str]:
        return outputs((self.folder / "outputs").read_text(encoding="utf-8"))

    @property
    def result(self) -> Any:
        return json.loads(base64.b64decode(self.outputs["result"]))


def job(folder: Path, platform: Platform = Platform.ACTIONS, junit: Path | None = None) -> tuple[Job, Told]:
    """A job whose runner's files are in a folder, and what it tells."""
    told = Told(folder)
    environment = {"GITHUB_STEP_SUMMARY": str(folder / "summary"), "GITHUB_OUTPUT": str(folder / "outputs")}
    if platform == Platform.CLASSROOM50:
        environment |= CLASSROOM50
    made = Job(platform=platform, environment=environment, say=told.printed.append, title="Rooflines", junit=junit)
    return made, told


def asked(
    answers: Path | str = ".", exercises: tuple[str, ...] = (), reveal: Reveal | None = None, reaches: Mark = all_points
) -> Asked:
    """What is graded: the packaged course."""
    return Asked(answers=Path(answers), course=None, exercises=exercises, reveal=reveal, reaches=reaches)

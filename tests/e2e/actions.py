"""A small GitHub Actions: runs the steps of a job and of a composite action on this machine, one after the other.

Written from the documentation of workflow files, not from the grader. Actions of others are played by `STAND_INS`.
"""

import base64
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

Outputs = dict[str, str]


def workflow(path: Path) -> dict[str, Any]:
    """A workflow or an action, every scalar a text (so that `on` is no boolean)."""
    loaded: dict[str, Any] = yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.BaseLoader)
    return loaded


def evaluated(text: str, contexts: Mapping[str, Any]) -> str:
    """A text with its `${{ }}` worked out."""
    return re.sub(r"\$\{\{(.*?)\}\}", lambda found: str(value(found[1].strip(), contexts)), text)


def value(expression: str, contexts: Mapping[str, Any]) -> str | bool:
    """One expression: a path into the contexts, always(), a quoted text, two of these compared, or several joined."""
    if " || " in expression:
        return any(value(one, contexts) in (True, "true") for one in expression.split(" || "))
    if " && " in expression:
        return all(value(one, contexts) in (True, "true") for one in expression.split(" && "))
    if compared := re.fullmatch(r"(.+?)\s*(==|!=)\s*(.+)", expression):
        return (value(compared[1], contexts) == value(compared[3], contexts)) == (compared[2] == "==")
    if quoted := re.fullmatch(r"'([^']*)'", expression):
        return quoted[1]
    if expression == "always()":
        return True
    found: Any = contexts
    for name in expression.split("."):
        assert name in contexts or found is not contexts, f"no context {name}"
        found = found.get(name, "") if isinstance(found, dict) else ""
    return str(found)


def outputs_in(text: str) -> Outputs:
    """What a step wrote to GITHUB_OUTPUT: name=value, or name<<END and lines up to END."""
    found, lines = {}, iter(text.splitlines())
    for line in lines:
        if heredoc := re.fullmatch(r"([^=]+?)<<(.+)", line):
            found[heredoc[1]] = "\n".join(iter(lambda: next(lines), heredoc[2]))
        else:
            name, _, content = line.partition("=")
            found[name] = content
    return found


@dataclass
class Machine:
    """A runner with a checked out repository; keeps the log, the summary, and what each action of others was given."""

    workspace: Path
    temporary: Path
    environment: Mapping[str, str]
    stand_ins: Mapping[str, "StandIn"]
    log: str = ""
    summary: str = ""
    ran: list[str] = field(default_factory=list)
    failed: bool = False

    def job(self, path: Path) -> None:
        """Run the only job of a workflow."""
        found = workflow(path)
        (job,) = found["jobs"].values()
        contexts = {
            "github": {"actor": "ada", "ref": "refs/heads/main", "event_name": "workflow_dispatch", "run_id": "7"},
            "runner": {"temp": str(self.temporary), "os": "Linux", "arch": "X64"},
            "inputs": {"post": "true"},
            "secrets": {"CLASSROOM_TOKEN": "token"},
        }
        if "if" in job:
            assert value(job["if"], contexts) is True
        self.steps(job["steps"], contexts, found.get("env", {}))

    def steps(self, steps: list[dict[str, Any]], contexts: dict[str, Any], extra: Mapping[str, str]) -> dict[str, Any]:
        """Run steps in order; after one that failed, only those with always()."""
        contexts = {**contexts, "steps": {}}
        for step in steps:
            condition = value(step["if"], contexts) if "if" in step else True
            if condition in (True, "true") and (not self.failed or "always()" in step.get("if", "")):
                outputs = self.step(step, contexts, extra)
                if "id" in step:
                    contexts["steps"][step["id"]] = {"outputs": outputs}
        return contexts

    def step(self, step: dict[str, Any], contexts: dict[str, Any], extra: Mapping[str, str]) -> Outputs:
        """Run one step; its outputs."""
        self.ran.append(step.get("name") or step["uses"])
        given = {name: evaluated(text, contexts) for name, text in step.get("with", {}).items()}
        own = {name: evaluated(text, contexts) for name, text in step.get("env", {}).items()}
        if "run" in step:
            return self.run(step["run"], {**extra, **own})
        return self.stand_ins[step["uses"].partition("@")[0]](self, given, own)

    def composite(self, folder: Path, given: Outputs) -> Outputs:
        """Run a composite action with these inputs."""
        action = workflow(folder / "action.yml")
        assert set(given) <= set(action["inputs"])
        inputs = {name: given.get(name, one.get("default", "")) for name, one in action["inputs"].items()}
        contexts = {"inputs": inputs, "runner": {"temp": str(self.temporary), "os": "Linux", "arch": "X64"}}
        done = self.steps(action["runs"]["steps"], contexts, {"GITHUB_ACTION_PATH": str(folder)})
        return {name: evaluated(one["value"], done) for name, one in action["outputs"].items()}

    def run(self, script: str, extra: Mapping[str, str]) -> Outputs:
        """Run a script as `shell: bash` does."""
        return self.command(["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script], extra)

    def command(self, command: list[str], extra: Mapping[str, str]) -> Outputs:
        """Run a program with the files that the runner gives each step."""
        files = {name: self.temporary / f"{name}_{len(self.ran)}" for name in ("output", "summary")}
        for path in files.values():
            path.touch()
        environment = {
            **self.environment,
            "GITHUB_ACTIONS": "true",
            "CI": "true",
            "GITHUB_WORKSPACE": str(self.workspace),
            "RUNNER_TEMP": str(self.temporary),
            "GITHUB_OUTPUT": str(files["output"]),
            "GITHUB_STEP_SUMMARY": str(files["summary"]),
            **extra,
        }
        run = subprocess.run(
            command, cwd=self.workspace, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, encoding="utf-8", timeout=60, check=False,
        )  # fmt: skip
        self.log += run.stdout
        self.summary += files["summary"].read_text(encoding="utf-8")
        self.failed |= run.returncode != 0
        return outputs_in(files["output"].read_text(encoding="utf-8"))

    @property
    def annotations(self) -> str:
        """The lines of the log that are annotations."""
        return "".join(f"{line}\n" for line in self.log.splitlines() if re.match(r"\s*::(error|warning|notice) ", line))


StandIn = Callable[[Machine, Outputs, Mapping[str, str]], Outputs]


def checkout(machine: Machine, given: Outputs, own: Mapping[str, str]) -> Outputs:
    """The repository is there already."""
    return {}


def setup_python(machine: Machine, given: Outputs, own: Mapping[str, str]) -> Outputs:
    """A Python that notes down what pip is asked for and installs nothing: the grader is here already."""
    return {"python-path": str(python_without_pip(machine.temporary)), "python-version": "3.13.0"}


def nothing(machine: Machine, given: Outputs, own: Mapping[str, str]) -> Outputs:
    """What is kept and brought back by others is here still."""
    return {}


def cache(machine: Machine, given: Outputs, own: Mapping[str, str]) -> Outputs:
    """Nothing is cached."""
    assert set(given) == {"path", "key"}
    assert re.fullmatch(r"roofline-grader-Linux-X64-3\.13\.0-[0-9a-f]{32}", given["key"])
    return {}


def reporter(machine: Machine, given: Outputs, own: Mapping[str, str]) -> Outputs:
    """classroom-resources/autograding-grading-reporter: a table by passed tests, an annotation by their scores."""
    total = most = 0
    for runner in given["runners"].split(","):
        result = json.loads(base64.b64decode(own[f"{runner.strip().upper()}_RESULTS"]))
        passed = sum(test["status"] == "pass" for test in result["tests"])
        shown = passed / len(result["tests"]) * result["max_score"]
        machine.log += f"Total points for {runner}: {shown:.2f}/{result['max_score']}\n"
        total += sum(test["score"] for test in result["tests"])
        most += result["max_score"] or 0
        machine.failed |= result["status"] in ("fail", "error")
    if most:
        machine.log += f"::notice title=Autograding complete::Points {total}/{most}\n"
        report = json.dumps({"totalPoints": total, "maxPoints": most}, separators=(",", ":"))
        machine.log += f"::notice title=Autograding report::{report}\n"
    return {}


STAND_INS: Mapping[str, StandIn] = {
    "actions/checkout": checkout,
    "actions/setup-python": setup_python,
    "actions/cache": cache,
    "actions/cache/restore": nothing,
    "actions/cache/save": nothing,
    "actions/upload-artifact": nothing,
    "classroom-resources/autograding-grading-reporter": reporter,
}


def python_without_pip(folder: Path) -> Path:
    """A program that is this Python, except that pip writes its arguments to the file `pip` beside it."""
    program = folder / "python"
    program.write_text(
        f'#!/bin/sh\ncase "$*" in *"-m pip "*) printf "%s\\n" "$@" > "{folder}/pip"; exit;; esac\n'
        f'exec "{sys.executable}" "$@"\n',
        encoding="utf-8",
    )
    program.chmod(0o755)
    return program


def plain_environment(cache_folder: Path) -> dict[str, str]:
    """The variables of this process that a job could have, and the tests' cache."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG", "TMPDIR") if name in os.environ}
    return {**kept, "XDG_CACHE_HOME": str(cache_folder)}

"""Nothing that a student writes acts on a job, whatever field it is written in and whatever is told."""

import json
import unicodedata
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
import yaml
from markdown_it import MarkdownIt

from grader.ci.handing import hand_over, show
from grader.ci.outcome import Outcome
from grader.ci.platforms import Platform
from grader.ci.run import run
from grader.results import Reveal
from tests.actions import commands, refused_by_classroom50, reported
from tests.unit.ci.jobs import Told, asked, job

CASES = Path(__file__).parents[2] / "cases"
TEXTS = [
    *yaml.safe_load((CASES / "ci_commands.yaml").read_text(encoding="utf-8"))["texts"],
    *(
        case["text"]
        for case in yaml.safe_load((CASES / "reports_hostile.yaml").read_text(encoding="utf-8"))
        if case["where"] in ("markdown", "terminal", "invisible")
    ),
]
EXERCISES = ("q3", "q4")
HEADINGS = {
    "All about rooflines: 0 of 14 points", "Rooflines: 0 of 14 points", "The roofline as a plot: 0 of 6 points",
    "A matrix for each batch element: 0 of 8 points", "Feedback", "The roofline as a plot",
    "A matrix for each batch element", "Operations", "Bytes moved", "Attainable rate", "Arithmetic intensity",
}  # fmt: skip
SHOWN = {"Cc", "Cf", "Cs", "Zl", "Zp"}
INERT = {"html_block", "html_inline", "link_open", "image", "hr", "s_open"}


def handed_in(folder: Path, text: str) -> Path:
    """A file whose every field says the text: name, student, exercise, part, answer, and a table beside it."""
    try:
        file = folder / f"{text}.json"
        file.touch()
    except (OSError, ValueError):
        file = folder / "handed.json"
    answers = {
        text or "x": {"flops": text, text or "y": text},
        "q4": {"flops": text, "bytes": text + text, text or "z": text, "intensity": f"{text}; plot.csv"},
        "q3": {"attainable": f"{text}.csv"},
    }
    file.write_text(json.dumps({"student": text, "answers": answers, text or "more": text}), encoding="utf-8")
    try:
        (folder / f"{text}.csv").write_text(f"B,D,F,y\n{text},1,1,1\n", encoding="utf-8")
    except (OSError, ValueError):
        (folder / "plot.csv").write_text("B,D,F,y\n1,1,1,1\n", encoding="utf-8")
    return file


def nothing_hidden(text: str) -> None:
    assert not {c for c in text if unicodedata.category(c) in SHOWN and c != "\n"}


def nothing_acts(told: Told, own: int) -> None:
    """The runner finds the job's own commands and no others, in the report not even where it looks."""
    found = commands(told.log)
    assert len(found) == own + len(told.annotations)
    assert {(p.get("file"), n) for n, p, _ in told.annotations} <= {
        (file, kind) for file in (None, told.annotations[0][1].get("file")) for kind in ("error", "warning", "notice")
    }
    every = commands(told.log, honour_stop=False) if own else found
    assert len(every) == len(told.annotations) + (1 if own else 0)  # the token's own line is none then
    assert all("forged" not in name for name, _, _ in every)


def nothing_is_markup(markdown: str) -> None:
    reader = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    tokens = reader.parse(markdown)
    assert not {t.type for token in tokens for t in (token, *(token.children or []))} & INERT
    headings = [tokens[i + 1].content for i, token in enumerate(tokens) if token.type == "heading_open"]
    assert set(headings) <= HEADINGS, headings
    assert sum(token.type == "tr_open" for token in tokens) == 2 + 8
    texts = [each.content for token in tokens for each in (token.children or []) if each.type == "text"]
    assert "@" not in "".join(texts)


def nothing_is_forged(outcome: Outcome, told: Told) -> None:
    assert set(told.outputs) == {"result", "status", "points", "max-points"}
    assert (told.outputs["points"], told.outputs["max-points"]) == ("0", "14")
    assert reported(told.result) == (0, 0, 14)
    for test in told.result["tests"]:
        for text in (test["name"], test["message"] or "", test["filename"]):
            nothing_hidden(text.replace("\n", "\x00"))
            assert commands(text) == []


@pytest.mark.parametrize("text", TEXTS)
def test_no_text_acts_on_a_job(text: str, repository: Path, tmp_path: Path) -> None:
    file = handed_in(repository, text)
    made, told = job(tmp_path)
    outcome = run(asked(file.relative_to(Path.cwd()), EXERCISES, Reveal.MISTAKE), made)
    nothing_hidden(told.log)
    nothing_acts(told, own=2)
    nothing_is_markup(told.summary)
    nothing_is_forged(outcome, told)
    for platform in (Platform.CLASSROOM50, Platform.GITLAB):
        there = tmp_path / platform
        there.mkdir()
        made, told = job(there, platform, Path("junit.xml"))
        show(made, outcome)
        hand_over(made, outcome)
        nothing_hidden(told.log)
        nothing_acts(told, own=0) if platform == Platform.CLASSROOM50 else None
        assert len(commands(told.log)) == len(told.annotations)
    nothing_is_markup(Path("release-body.md").read_text(encoding="utf-8"))
    assert refused_by_classroom50(json.loads(Path("result.json").read_text(encoding="utf-8"))) == ""
    assert (tmp_path / "classroom50/outputs").read_text() == "status=failure\nsummary=0 of 14 points\n"
    cases = ET.parse("junit.xml").iter("testcase")
    assert len(list(cases)) == 8

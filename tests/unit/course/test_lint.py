"""Lint finds what would make an exercise unfair before anybody is graded by it."""

import json
import re
from pathlib import Path

import pytest

from grader.checks.exact import Exact
from grader.course import load_course
from grader.diagnosis.mutation import mutants
from grader.errors import SpecError
from grader.lint import SNAPSHOT, Report, _snapshot, lint
from grader.maths.grammar import read_expression
from grader.maths.polynomial import simplified
from grader.maths.show import text
from grader.protocols import Match
from tests import tiny as small
from tests.tiny import FILES


def found(folder: Path, **changes: tuple[str, str]) -> Report:
    """What is found in the small course, of which one exercise will do unless the other one is changed."""
    if "drawn" not in changes:
        changes = {"course": ("exercises: [fixed, drawn]", "exercises: [fixed]"), **changes}
    return lint(small.write(folder, **changes))


def line_of(name: str, wanted: str) -> int:
    return next(number for number, line in enumerate(FILES[name].splitlines(), 1) if wanted in line)


def whats(report: Report) -> list[str]:
    return [fault.what for fault in report.faults]


def test_a_sound_course_has_no_fault_and_a_full_score(tmp_path: Path, own_cache: Path) -> None:
    report = lint(small.write(tmp_path / "c"))
    assert report.faults == ()
    *_, counts, last = report.lines
    assert last == "no faults"
    assert "2 exercises, 17 parts, 2 examples" in counts  # five parts, and two in each of six variants
    refused, made = (int(word) for word in counts.split(", ")[-1].split() if word.isdigit())
    assert refused <= made
    assert made > 200


def test_an_example_that_earns_something_else_is_told_with_its_line(tmp_path: Path, own_cache: Path) -> None:
    report = found(tmp_path / "c", fixed=("{response: 2BDF, verdict: correct}", "{response: 3BDF, verdict: correct}"))
    (fault,) = report.faults
    assert (fault.file, fault.field, fault.line) == ("fixed.yaml", "ops", line_of("fixed.yaml", "response: 2BDF"))
    assert "'3BDF' should be correct and is incorrect" in fault.what
    assert report.lines[-1] == "1 fault"


def test_an_example_that_names_another_mistake_is_told(tmp_path: Path, own_cache: Path) -> None:
    (what,) = whats(found(tmp_path / "c", fixed=("mistake: half-count", "mistake: no-output")))
    assert what == "the example 'BDF' should name no-output and names half-count"


def test_an_example_that_cannot_be_read_says_why(tmp_path: Path, own_cache: Path) -> None:
    (what,) = whats(found(tmp_path / "c", fixed=("response: 2BDF", "response: 2BDX")))
    assert "is invalid" in what
    assert "unknown name" in what


def test_a_key_that_fails_its_own_check_is_told(
    tmp_path: Path, own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = small.write(tmp_path / "c", course=("exercises: [fixed, drawn]", "exercises: [fixed]"))
    monkeypatch.setattr(Exact, "match", lambda *_: Match())
    broken = [what for what in whats(lint(folder)) if "by its own check" in what]
    for form in ("as stored", "as read back", "in LaTeX", "expanded", "factored"):
        assert any(f"the key {form} (" in what for what in broken), form


def test_a_mistake_within_the_tolerance_of_the_solution_is_told(tmp_path: Path, own_cache: Path) -> None:
    found_ = whats(found(tmp_path / "c", fixed=("check: {close: {rel: 1%}}", "check: {close: {rel: 40%}}")))
    assert any("the mistake no-output gives" in what and "passes as right" in what for what in found_), found_


def test_a_mutant_that_the_check_accepts_is_told(tmp_path: Path, own_cache: Path) -> None:
    change = (
        "check: exact\n    points: 3\n    credit: {leading: 1, upside-down: 2}",
        "check: leading_order\n    points: 3",
    )
    found_ = whats(found(tmp_path / "c", fixed=change))
    assert any("the mutant" in what and "is correct" in what for what in found_), found_


def test_an_example_must_hold_in_every_variant(tmp_path: Path, own_cache: Path) -> None:
    part = "check: {close: {rel: 1%}}, points: 2}"
    examples = "check: {close: {rel: 1%}}, points: 2, examples: [{response: 246.25 FLOP/byte, verdict: correct}]}"
    report = found(tmp_path / "c", drawn=(part, examples))
    fields = [fault.field for fault in report.faults]
    assert len(fields) == 5
    assert "ridge (tpu-v5e, 8e11)" not in fields
    assert all(field.startswith("ridge (") for field in fields)


def test_only_the_named_files_are_linted(tmp_path: Path, own_cache: Path) -> None:
    folder = small.write(
        tmp_path / "c", fixed=("{response: 2BDF, verdict: correct}", "{response: 1, verdict: correct}")
    )
    assert lint(files=[folder / "drawn.yaml"]).faults == ()
    assert len(lint(files=[folder / "fixed.yaml"]).faults) == 1
    with pytest.raises(SpecError, match=r"nothing\.yaml: there is no such file"):
        lint(files=[folder / "nothing.yaml"])


def test_a_solution_that_does_not_suit_the_type_of_answer_is_told(tmp_path: Path, own_cache: Path) -> None:
    change = ("answer: {type: expression, unit: OP}", "answer: {type: choice, options: {a: b}}")
    (what,) = whats(found(tmp_path / "c", fixed=change))
    assert re.search(r"the solution 2\*B\*D\*F is no answer of this type: .*choose one of a", what)


@pytest.mark.parametrize("change", ["{flops: t_math * peak}", "{capacity: 1}"])
def test_a_mistake_that_no_answer_can_show_is_told(tmp_path: Path, own_cache: Path, change: str) -> None:
    report = found(tmp_path / "c", fixed=('values: {ops: [BD, "7"]}', f"change: {change}"))
    (fault,) = report.faults
    assert (fault.field, fault.line) == ("guess", line_of("fixed.yaml", "id: guess"))
    assert "gives no part a wrong value" in fault.what


# --- coincidences ---


def test_mistakes_that_share_a_value_are_stored_when_asked(tmp_path: Path, own_cache: Path) -> None:
    folder = small.write(tmp_path / "c", course=("exercises: [fixed, drawn]", "exercises: [fixed]"))
    assert not (folder / SNAPSHOT).exists()
    assert lint(folder, update=True).faults == ()
    stored = json.loads((folder / SNAPSHOT).read_text(encoding="utf-8"))
    assert stored["fixed.intensity"] == [["half", "half-count", "wide"]]
    assert "fixed.ops" not in stored
    assert lint(folder).faults == ()


def changed(folder: Path) -> list[str]:
    """The parts whose coincidences are no longer the stored ones."""
    found = _snapshot(load_course(folder), update=False)
    assert all("accept it with `grader lint --update`" in fault.what for fault in found)
    return [fault.field for fault in found]


def test_a_changed_coincidence_is_told_until_it_is_accepted(tmp_path: Path, own_cache: Path) -> None:
    folder = small.write(tmp_path / "c")
    _snapshot(load_course(folder), update=True)
    small.write(folder, mistakes=("change: {intensity: intensity / 2}", "change: {intensity: intensity / 5}"))
    assert "fixed.intensity" in changed(folder)
    assert "fixed.ops" not in changed(folder)
    _snapshot(load_course(folder), update=True)
    assert changed(folder) == []
    stored = json.loads((folder / SNAPSHOT).read_text(encoding="utf-8"))
    (folder / SNAPSHOT).write_text(json.dumps({**stored, "not-asked.ops": [["half", "wide"]]}), encoding="utf-8")
    assert changed(folder) == []  # of an exercise that the course leaves out
    (folder / SNAPSHOT).write_text(json.dumps({**stored, "fixed.ops": [["half", "wide"]]}), encoding="utf-8")
    assert changed(folder) == ["fixed.ops"]


def test_a_mistake_that_joins_no_group_changes_no_coincidence(tmp_path: Path, own_cache: Path) -> None:
    folder = small.write(tmp_path / "c")
    _snapshot(load_course(folder), update=True)
    lonely = "- {id: lonely, title: O, change: {flops: 11 * flops}}"
    small.write(folder, fixed=("- {id: guess,", f"{lonely}\n  - {{id: guess,"))
    assert changed(folder) == []


# --- mutants ---


def mutated(formula: str) -> set[str]:
    return {text(simplified(mutant)) for mutant in mutants(read_expression(formula, "BDF"))}


def shown(formula: str) -> str:
    return text(simplified(read_expression(formula, "BDF")))


@pytest.mark.parametrize(
    ("formula", "wrong"),
    [
        ("2*B*D + D*F", "D*F"),  # a term dropped
        ("2*B*D + D*F", "2*B*D - D*F"),  # a sign
        ("2*B*D + D*F", "3*B*D + D*F"),  # a coefficient
        ("2*B*D + D*F", "2*B*D^2 + D*F"),  # an exponent
        ("2*B*D + D*F", "4*B*D + 2*D*F"),  # a factor 2
        ("2*B*D + D*F", "B*D + D*F/2"),
        ("2*B*D + D*F", "B*D + D*F"),  # a factor dropped
        ("2*B*D + D*F", "B*(2*B*D + D*F)"),  # a symbol too many
        ("B/(D + F)", "(D + F)/B"),  # upside down
        ("B^2", "B^3"),
    ],
)
def test_a_slip_of_the_pen_is_among_the_mutants(formula: str, wrong: str) -> None:
    assert shown(wrong) in mutated(formula)


def test_max_and_min_are_exchanged() -> None:
    made = [text(mutant) for mutant in mutants(read_expression("max(B, D)", "BDF"))]
    assert {"min(B, D)", "B + D"} <= set(made)


def test_a_number_has_mutants_too() -> None:
    assert {"6", "1", "-2", "3"} <= mutated("2")

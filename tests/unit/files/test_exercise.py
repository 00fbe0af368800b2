"""Exercise and course files are strict, and every fault in them is named at once with its file and line."""

import re
from datetime import UTC, datetime, timedelta
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
import yaml
from pydantic import ValidationError

from grader.errors import Fault, SpecError
from grader.exercise import Choose, load_course_file, load_exercise, load_mistakes
from grader.plugins import tags
from grader.results import Reveal, Verdict
from grader.specs import Check, number

PACKAGED = Path(str(resources.files("exercises")))
FAULTY = yaml.safe_load((Path(__file__).parents[2] / "cases" / "files_specs.yaml").read_text("utf-8"))
PART = {
    "id": "a",
    "answer": "{type: expression}",
    "solution": "flops",
    "points": "2",
}
SOUND = {
    "id": "q4",
    "title": "T",
    "symbols": "{B: batch size, D: contracted dimension}",
    "regime": "B << D",
    "model": "{operation: 'int8[B, D] * int8[D, B] -> int8[B, B]', accelerator: tpu-v5e}",
    "parameters": "{peak: {value: 1e12, unit: FLOP/s}}",
    "parts": "\n- {PART}",
    "mistakes": "[{id: m, title: T, change: {flops: B * flops}}]",
    "follows": "q3",
}


def exercise_text(case: dict[str, Any]) -> str:
    part = dict(PART)
    if "part" in case:
        key, _, value = case["part"].partition(":")
        part[key] = value.strip()
    inner = ", ".join(f"{key}: {value}" for key, value in part.items())
    lines = []
    for key, value in SOUND.items():
        text = case["text"] if case.get("at") == key else f"{key}: {value}" if value[0] != "\n" else f"{key}:{value}"
        lines.append(text.replace("PART", inner))
    return "\n".join([*lines, case["text"]] if case.get("at") == "" else lines) + "\n"


def faults(path: Path) -> list[Fault]:
    with pytest.raises(SpecError) as caught:
        load_exercise(path)
    assert str(caught.value) == "\n".join(map(str, caught.value.faults))
    return list(caught.value.faults)


def written(folder: Path, text: str, name: str = "q4.yaml") -> Path:
    path = folder / name
    path.write_text(text, "utf-8")
    return path


def test_the_sound_exercise_of_these_tests_is_sound(tmp_path: Path) -> None:
    assert load_exercise(written(tmp_path, exercise_text({}))).id == "q4"


@pytest.mark.parametrize("case", FAULTY, ids=lambda case: case.get("part") or case["text"])
def test_a_fault_is_named_with_its_line_and_field(tmp_path: Path, case: dict[str, Any]) -> None:
    path = written(tmp_path, exercise_text(case))
    found = faults(path)
    if "also" in case:
        assert [fault for fault in found if case["also"] in str(fault)]
        found = [fault for fault in found if case["also"] not in str(fault)]
    (fault,) = found
    text = str(fault).removeprefix(f"{path}:")
    assert text.startswith(case["starts"]) if "starts" in case else text == case["says"]


def test_no_fault_speaks_of_the_tools_behind(tmp_path: Path) -> None:
    for case in FAULTY:
        for fault in faults(written(tmp_path, exercise_text(case))):
            assert not {"pydantic", "https", "Error", "str", "dict", "tuple"} & set(re.findall(r"\w+", fault.what))


def test_all_faults_of_a_file_are_told_at_once_in_the_order_of_their_lines(tmp_path: Path) -> None:
    text = exercise_text({"part": "points: 0"}).replace("title: T\n", "titel: T\n").replace("B << D", "")
    found = faults(written(tmp_path, text))
    assert [fault.line for fault in found] == sorted(fault.line or 0 for fault in found)
    assert {fault.field for fault in found} == {"titel", "title", "regime", "parts.0.points"}


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"", "a mapping of keys is expected"),
        (b"- 1\n", "a mapping of keys is expected"),
        (b"id: \xe9\n", "not UTF-8: byte 0xE9 in line 1"),
        (b"PK\x03\x04", "looks like a zip archive"),
        (b"a: &a [*a]\n" + b"b: *a\n" * 50_000, "too many entries"),
        (b"- " * 100, "20 levels deep"),
    ],
)
def test_a_file_that_is_no_spec_says_so(tmp_path: Path, data: bytes, what: str) -> None:
    path = tmp_path / "q.yaml"
    path.write_bytes(data)
    assert what in str(faults(path)[-1])


def test_a_missing_file_says_so(tmp_path: Path) -> None:
    (fault,) = faults(tmp_path / "q.yaml")
    assert str(fault) == f"{tmp_path}/q.yaml: there is no such file"


FULL = """\
id: q4-batched-matmul
title: Batched matrix multiplication
prompt: |
  Two
  lines
symbols: {B: batch size, D: contracted dimension, F: output dimension}
regime: D, F >> 1
model:
  operation: int8[B, D] * int8[B, D, F] -> int8[B, F]
  accelerator: {choose: [tpu-v5e, h100-sxm]}
parameters:
  bandwidth: {value: 8.1e11, unit: byte/s, editions: {2026: 8.2e11}}
  peak: {choose: [1.97e14, 4.59e14]}
parts:
  - id: intensity
    answer: {type: expression, unit: FLOP/byte, symbols: [T_math]}
    solution: intensity
    check: {close: {rel: 1.5%}}
    points: 3
    credit: {leading: 1, follow_through: full, batch-counted-twice: 0}
    at: {D: 1024, bandwidth: 1e12}
    examples:
      - {response: 2BDF, verdict: correct}
      - {response: 1e3, verdict: incorrect, mistake: batch-counted-twice}
      - {response: 'B', verdict: incorrect, mistake: [batch-counted-twice, other]}
  - {id: bound, answer: {type: choice, options: {always: for every B, never: for no B}}, solution: bound, points: 1}
  - id: plot
    answer: {type: curve, x: B, from: 1, to: 2048, y: FLOP/s}
    series: [{D: 1024, F: 1024}, {D: 4096, F: 4096}]
    solution: attainable
    points: 4
mistakes:
  - id: batch-counted-twice
    title: The batch axis was counted twice
    change:
      - {flops: "B * flops"}
      - {flops: "B * flops", regime: "B << D, F"}
    in: [q4-batched-matmul]
  - {id: other-BD, title: Literal, values: {bound: always, intensity: [2B, '3B']}}
"""


def test_an_exercise_is_read_into_frozen_values(tmp_path: Path) -> None:
    exercise = load_exercise(written(tmp_path, FULL))
    assert exercise.prompt == "Two\nlines"
    assert list(exercise.symbols) == ["B", "D", "F"]
    assert exercise.model.accelerator == Choose(choose=("tpu-v5e", "h100-sxm"))
    assert exercise.parameters["bandwidth"].editions == {"2026": "8.2e11"}
    assert exercise.parameters["peak"].choose == ("1.97e14", "4.59e14")
    intensity, bound, plot = exercise.parts
    assert intensity.check == Check("close", {"rel": "1.5%"})
    assert bound.check == Check("exact")
    assert intensity.points == 3
    assert intensity.credit == {"leading": 1, "follow_through": "full", "batch-counted-twice": 0}
    assert intensity.at == {"D": "1024", "bandwidth": "1e12"}
    assert [example.response for example in intensity.examples] == ["2BDF", "1e3", "B"]
    assert intensity.examples[0].verdict is Verdict.CORRECT
    assert [example.mistakes for example in intensity.examples] == [
        (), ("batch-counted-twice",), ("batch-counted-twice", "other")
    ]  # fmt: skip
    assert (plot.answer.x, plot.answer.x_from, plot.answer.x_to, plot.answer.y) == ("B", "1", "2048", "FLOP/s")
    assert plot.series == ({"D": "1024", "F": "1024"}, {"D": "4096", "F": "4096"})
    mistake, literal = exercise.mistakes
    assert mistake.change == ({"flops": "B * flops"}, {"flops": "B * flops", "regime": "B << D, F"})
    assert (mistake.kind, mistake.only_in) == ("cause", ("q4-batched-matmul",))
    assert literal.values == {"bound": ("always",), "intensity": ("2B", "3B")}
    with pytest.raises(ValidationError):
        exercise.title = "other"


def test_an_exercise_knows_the_lines_of_its_fields(tmp_path: Path) -> None:
    exercise = load_exercise(written(tmp_path, FULL))
    lines = FULL.splitlines()
    assert exercise.source_file == str(tmp_path / "q4.yaml")
    assert lines[exercise.lines["parts.0.solution"] - 1].strip() == "solution: intensity"
    assert lines[exercise.lines["parts.2"] - 1].strip() == "- id: plot"
    assert lines[exercise.lines["mistakes.0.change.1.regime"] - 1].strip().startswith("- {flops")
    fault = exercise.fault("parts.0.solution.deep.down", "is wrong")
    assert (fault.file, fault.line) == (exercise.source_file, exercise.lines["parts.0.solution"])


def test_where_an_exercise_stands_is_no_part_of_what_it_says(tmp_path: Path) -> None:
    one = load_exercise(written(tmp_path, FULL, "one.yaml"))
    two = load_exercise(written(tmp_path, "# a line more\n" + FULL, "two.yaml"))
    assert one == two
    assert one != load_exercise(written(tmp_path, FULL.replace("points: 1", "points: 2"), "three.yaml"))
    assert set(one.model_dump()) == set(type(one).model_fields)


@pytest.mark.parametrize(
    ("text", "value"), [("8.1e11", 81 * 10**10), (".5", 0.5), ("2%", 0.02), ("-1", -1), ("1e-06", 1e-06), ("012", 12)]
)
def test_numbers_are_read_by_the_rules_of_the_answer_language(text: str, value: float) -> None:
    assert float(number(text)) == value


NO_NUMBERS = ["", "x", "1:30", ".nan", ".inf", "1e999", "0x10", "1,5", "1 2", "٣", "1e99999999", "True"]


@pytest.mark.parametrize("text", NO_NUMBERS)
def test_what_is_no_number_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is no number"):
        number(text)


def test_the_common_mistakes_are_read(tmp_path: Path) -> None:
    text = (
        "conventions:\n  - {id: exact, title: E, change: {flops: flops - z_size}, verdict: correct}\n"
        "mistakes:\n  - {id: ai-BD, title: F, change: {a: 1}, kind: slip, in: [q1], covers: [x-BD]}\n"
        "factors:\n  - {id: g, title: G, change: {intensity: intensity / 2}}\n"
    )
    mistakes = load_mistakes(written(tmp_path, text, "mistakes.yaml"))
    assert [m.id for m in (*mistakes.conventions, *mistakes.mistakes, *mistakes.factors)] == ["exact", "ai-BD", "g"]
    assert mistakes.lines["mistakes.0.change.a"] == 4


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("conventions: [{ONE}]", "conventions.0.verdict: a convention needs verdict: correct"),
        ("mistakes: [{ONE, verdict: correct}]", "mistakes.0.verdict: what is correct belongs to conventions"),
        ("mistakes: [{id: a, title: T}]", "mistakes.0.change: missing"),
        ("mistakes: [{id: a, title: T, values: {b: 1}}]", "mistakes.0.values: literal wrong answers belong to a part"),
        ("mistakes: [{ONE}]\nfactors: [{ONE}]", "factors.0.id: a is given twice"),
        ("mistake: []", "mistake: unknown key; did you mean mistakes"),
    ],
)
def test_faults_in_the_common_mistakes_are_named(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(SpecError, match=":[12]: " + says):
        load_mistakes(written(tmp_path, text.replace("ONE", "id: a, title: T, change: {b: 1}"), "mistakes.yaml"))


COURSE = "id: c\ntitle: C\nreference: reference\nexercises: [q1, q2]\n"


def test_a_course_is_read_with_its_rules(tmp_path: Path) -> None:
    text = COURSE + (
        "reveal: [{from: 2026-11-01T00:00Z, level: hint-1}, {from: 2026-12-02T00:00+01:00, level: full}]\n"
        "due: {at: 2026-12-01T23:59+01:00, from: commit, grace: 10 min}\nlate: {points_per_day: 2, cap: 10}\n"
        "attempts: best\nextensions: {s1024: 3 d}\nsecret_env: GRADER_COURSE_SECRET\ntemplates: templates/\n"
    )
    course = load_course_file(written(tmp_path, text, "course.yaml"))
    assert isinstance(course.reveal, tuple)
    assert [entry.level for entry in course.reveal] == [Reveal.HINT_1, Reveal.FULL]
    assert course.due is not None
    assert course.due.at.astimezone(UTC) == datetime(2026, 12, 1, 22, 59, tzinfo=UTC)
    assert (course.due.source, course.due.grace) == ("commit", timedelta(minutes=10))
    assert course.late is not None
    assert (course.late.points_per_day, course.late.cap) == (2, 10)
    assert course.extensions == {"s1024": timedelta(days=3)}
    assert (course.attempts, course.secret_env, course.templates) == ("best", "GRADER_COURSE_SECRET", "templates/")


def test_a_course_needs_little(tmp_path: Path) -> None:
    course = load_course_file(written(tmp_path, COURSE, "course.yaml"))
    assert (course.reveal, course.due, course.attempts) == (Reveal.MISTAKE, None, "latest")
    assert load_course_file(written(tmp_path, COURSE + "reveal: none\n", "course.yaml")).reveal is Reveal.NONE


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("reveal: hints", "reveal: 'hints' is not known; did you mean hint"),
        ("reveal: []", "reveal: the dates must be in order"),
        ("reveal: {from: 2026-11-01T00:00Z}", "reveal: a text or a list is expected"),
        (
            "reveal: [{from: 2026-11-02T00:00Z, level: full}, {from: 2026-11-01T00:00Z, level: none}]",
            "must be in order",
        ),
        ("due: {at: 2026-12-01T23:59}", "due.at: '2026-12-01T23:59' lacks the time zone"),
        ("due: {at: tomorrow}", "due.at: 'tomorrow' is no date"),
        ("due: {at: 2026-12-01T23:59Z, from: clock}", "due.from: 'clock' is not known; there is release, lms, commit"),
        ("due: {at: 2026-12-01T23:59Z, grace: 10}", "due.grace: '10' is no duration"),
        ("late: {points_per_day: 2}", "late: late from when"),
        ("extensions: {s1: 3 d}", "extensions: longer than what"),
        ("late: {points_per_day: 0.5}", "late.points_per_day: a positive whole number"),
        ("extensions: {s1: soon}", "extensions.s1: 'soon' is no duration"),
        ("secret_env: my secret", "secret_env: 'my secret' is no name of an environment variable"),
        ("templates: ../../x", "templates: '../../x' is no folder inside"),
        ("templates: /x", "templates: '/x' is no folder inside"),
        ("templates: 'C:\\x'", "is no folder inside"),
        ("attempts: first", "attempts: 'first' is not known; there is latest, best"),
        ("plugins: [os]", "plugins: unknown key"),
    ],
)
def test_faults_in_a_course_are_named(tmp_path: Path, line: str, says: str) -> None:
    with pytest.raises(SpecError) as caught:
        load_course_file(written(tmp_path, COURSE + line + "\n", "course.yaml"))
    (fault,) = caught.value.faults
    assert fault.line == 5
    assert says in str(fault)


NO_PACKAGES = ["__import__('os').system('true')", "os.path;x", "../x", "_private", "a__b", "A.b", ""]


@pytest.mark.parametrize("name", NO_PACKAGES)
def test_a_reference_is_named_like_a_package_and_nothing_else(tmp_path: Path, name: str) -> None:
    text = COURSE.replace("reference: reference", f'reference: "{name}"')
    with pytest.raises(SpecError, match=r"reference: .*is no name of a package"):
        load_course_file(written(tmp_path, text, "course.yaml"))


def test_exercises_of_a_course_are_named_once(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match=r"4: exercises\.2: q1 is given twice"):
        load_course_file(written(tmp_path, COURSE.replace("q2]", "q2, q1]"), "course.yaml"))


@pytest.mark.parametrize("tag", tags("checks"))
def test_every_check_can_be_named_by_its_tag(tmp_path: Path, tag: str) -> None:
    exercise = load_exercise(written(tmp_path, exercise_text({"part": f"check: {tag}"})))
    assert exercise.parts[0].check == Check(tag)


@pytest.mark.parametrize("name", sorted(path.name for path in PACKAGED.glob("*.yaml")))
def test_the_files_of_the_packaged_course_are_sound(name: str) -> None:
    load = {"course.yaml": load_course_file, "mistakes.yaml": load_mistakes}.get(name, load_exercise)
    assert load(PACKAGED / name).lines

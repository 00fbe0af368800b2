"""A course small enough to see through: one exercise with fixed numbers, one whose numbers are drawn."""

from collections.abc import Mapping
from pathlib import Path

from grader.course import LoadedCourse, load_course
from grader.explaining import mark as mark_one
from grader.grading import Grader, find_exercise
from grader.marking import Marker
from grader.results import PartResult
from grader.submission import Response, Submission

FILES: Mapping[str, str] = {
    "course.yaml": """\
id: tiny
title: Tiny
reference: reference
exercises: [fixed, drawn]
secret_env: TINY_SECRET
""",
    "mistakes.yaml": """\
conventions:
  - {id: exact-count, title: Exact count, change: {flops: flops - z_size}, verdict: correct}
  - {id: other-edition, title: Other edition, change: {bandwidth: bandwidth_2026}, verdict: correct}
mistakes:
  - id: upside-down
    title: Upside down
    change: {intensity: bytes_moved / flops}
    kind: slip
    feedback: The fraction is upside down.
    hint: Which of the two goes below?
  - {id: no-output, title: No output, change: {bytes_written: 0}}
  - {id: half-count, title: Half the count, change: {flops: flops / 2}}
  - {id: wide, title: Two bytes, change: {x_itemsize: 2, y_itemsize: 2, z_itemsize: 2}}
  - {id: wrong-side, title: Wrong side, change: {relation: "<"}, kind: slip}
  - {id: fp8, title: Another row, change: {peak: peak_fp8}}
factors:
  - {id: half, title: Half, change: {intensity: intensity / 2}}
""",
    "fixed.yaml": """\
id: fixed
title: Fixed
prompt: A product.
symbols: {B: batch size, D: contracted, F: output}
regime: B << D, F
model: {operation: "int8[B, D] * int8[D, F] -> int8[B, F]", accelerator: tpu-v5e}
parameters:
  peak: {value: 3.94e14, unit: OP/s}
  bandwidth: {value: 8.1e11, unit: byte/s, editions: {2026: 8.2e11}}
parts:
  - id: ops
    answer: {type: expression, unit: OP}
    solution: flops
    points: 2
    examples:
      - {response: 2BDF, verdict: correct}
      - {response: BDF, verdict: incorrect, mistake: half-count}
  - id: intensity
    title: Intensity
    prompt: How much work for each byte?
    answer: {type: expression}
    solution: intensity
    check: exact
    points: 3
    credit: {leading: 1, upside-down: 2}
  - {id: critical, answer: {type: threshold, symbol: B}, solution: critical_batch, check: {close: {rel: 2%}}, points: 2}
  - {id: ridge_1024, answer: {type: threshold, symbol: B}, solution: crossover, at: {D: 1024, F: 1024},
     check: {close: {rel: 1%}}, points: 1}
  - {id: lower, answer: {type: expression, unit: s, symbols: [T_math, T_comms]}, solution: t_lower,
     check: {close: {rel: 0.5%}}, points: 1}
mistakes:
  - {id: guess, title: A guess, values: {ops: [BD, "7"]}}
""",
    "drawn.yaml": """\
id: drawn
title: Drawn
symbols: {B: batch size, D: contracted, F: output}
regime: B << D, F
model: {operation: "bf16[B, D] * bf16[D, F] -> bf16[B, F]", accelerator: {choose: [tpu-v5e, tpu-v5p, h100-sxm]}}
parameters:
  bandwidth: {choose: [8e11, 1.6e12], unit: byte/s}
parts:
  - {id: ridge, answer: {type: quantity, unit: FLOP/byte}, solution: ridge, check: {close: {rel: 1%}}, points: 2}
  - {id: intensity, answer: {type: expression}, solution: intensity, points: 1}
""",
}


def write(folder: Path, **changes: tuple[str, str]) -> Path:
    """The course's files in a folder; `fixed=("a", "b")` puts b in the place of a in fixed.yaml."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in FILES.items():
        before, after = changes.get(name.removesuffix(".yaml"), ("", ""))
        assert before in text, f"{name} has no {before!r}"
        (folder / name).write_text(text.replace(before, after) if before else text, encoding="utf-8")
    return folder


def load(folder: Path, **changes: tuple[str, str]) -> LoadedCourse:
    """The course from such a folder."""
    return load_course(write(folder, **changes))


def marker(grader: Grader, exercise: str, part: str, student: str = "s1") -> Marker:
    """What marks one part on a student's sheet."""
    found = find_exercise(grader.course, exercise)
    assert found
    (made,) = (made for made in grader.markers(found, student) if made.part.id == part)
    return made


def mark(grader: Grader, place: str, response: str | None, student: str = "s1") -> PartResult:
    """The result of a response to `exercise.part`."""
    exercise, part = place.split(".")
    made = marker(grader, exercise, part, student)
    return mark_one(made, None if response is None else Response(exercise=exercise, part=part, text=response))


def submission(answers: Mapping[str, str], student: str = "s1") -> Submission:
    """A submission with these answers by `exercise.part`; the lines count from 1."""
    responses = tuple(
        Response(exercise=place.partition(".")[0], part=place.partition(".")[2], text=text, line=line)
        for line, (place, text) in enumerate(answers.items(), 1)
    )
    return Submission(student=student, source="answers.yaml", responses=responses)

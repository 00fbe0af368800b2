"""What explaining wrong answers costs, on the packaged course; prints figures of one run and judges nothing.

Run with: python tests/bench/bench_diagnosis.py
"""

import json
import statistics
import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from importlib import import_module
from pathlib import Path

from grader.compiled import Course, Exercise, PartKeys
from grader.compiling import compile_course
from grader.course import load_course
from grader.diagnosis.evidence import Earlier, Evidence
from grader.diagnosis.explain import diagnose
from grader.explaining import mark as mark_one
from grader.grading import Grader
from grader.keyring import Keyring
from grader.marking import Marker
from grader.maths.grammar import read_expression
from grader.protocols import Answer
from grader.results import Verdict
from grader.solutions import Solver
from grader.submission import Response

FOLDER = Path(__file__).resolve().parents[2] / "exercises"


def seconds(step: Callable[[], object], repeats: int = 1) -> float:
    """The least CPU time of one call, in seconds."""
    best = float("inf")
    for _ in range(repeats):
        start = time.process_time()
        step()
        best = min(best, time.process_time() - start)
    return best


def show(name: str, values: Iterable[float]) -> None:
    """Median and worst of times in seconds, in microseconds."""
    times = [1e6 * value for value in values]
    print(f"{name:58} median {statistics.median(times):9.1f} us   worst {max(times):10.1f} us   n {len(times)}")


def wrong_texts(marker: Marker) -> list[str]:
    """The marker's wrong values as responses."""
    return [marker.key_text(key) for key in marker.keys.wrong if not key.conventions]


def marking(marker: Marker, text: str) -> Callable[[], object]:
    """Marking one response, explanation included."""
    response = Response(exercise=marker.exercise.id, part=marker.part.id, text=text)
    return lambda: mark_one(marker, response)


def explaining(markers: Iterable[Marker]) -> None:
    """The cost of explanations by single mistakes, and of the ratio and a counterexample."""
    explained, measured = [], []
    for marker in markers:
        if marker.part.type != "curve":
            for text in wrong_texts(marker):
                answer = marker.kind.read(text, marker.question)
                step = explanation(marker, answer, Evidence())
                step()
                explained.append(seconds(step, 5))
                result = marker.read(Response(exercise="", part="", text=text))
                measured.append(seconds(lambda m=marker, r=result, a=answer: m._measured(r, a, explained=True), 3))
    show("explaining a wrong answer by a single mistake", explained)
    show("its ratio to the solution, and a counterexample", measured)


def explanation(marker: Marker, answer: Answer, evidence: Evidence) -> Callable[[], object]:
    """Explaining one answer that was read and decided before."""

    def step() -> None:
        case = marker._case(answer, evidence)
        assert case is None or diagnose(case)

    return step


def following(grader: Grader, exercise: Exercise) -> None:
    """The cost of follow-through from a wrong operation count."""
    markers = {m.part.id: m for m in grader.variant_markers(exercise, {})}
    names = list(exercise.symbols)
    earlier = Earlier(part="flops", title="", quantity="flops", value=read_expression("2B^2DF", names),
                      verdict=Verdict.INCORRECT, keys=markers["flops"].keys)  # fmt: skip
    times = []
    for part, text in (("intensity", "2B^2DF/(BD+BDF+BF)"), ("leading", "2B"), ("bound", "above")):
        answer = markers[part].kind.read(text, markers[part].question)
        step = explanation(markers[part], answer, Evidence((earlier,)))
        step()
        times += [seconds(step, 3) for _ in range(10)]
    show("explaining an answer by follow-through", times)


def pairs(course: Course, markers: Iterable[Marker]) -> None:
    """The cost of searching for pairs on demand, and of looking one up in a table."""
    searched, looked = [], []
    for marker in markers:
        if marker.part.type == "expression":
            solver = Solver(marker.exercise, {}, (*marker.exercise.mistakes, *course.mistakes), b"key")
            solver.keys(marker.part)
            nothing = read_expression("17*B^3*D + F", list(marker.exercise.symbols))
            searched.append(seconds(lambda s=solver, p=marker.part, v=nothing: s.search_pairs(p, v)))
            marker.pairs("nothing", nothing)
            looked.append(seconds(lambda m=marker, v=nothing: m.pairs("nothing", v), 5))
    show("searching for pairs on demand", searched)
    show("looking a pair up in a table", looked)


def growth(marker: Marker) -> None:
    """A wrong answer against 10 and against 1,000 declared mistakes."""
    rows = [list(row) for row in marker.keys.wrong_rows]
    for size in (10, 1000):
        many = [[row[0], f"{i:x}{row[1]}" if i else row[1], *row[2:]] for i in range(size) for row in rows[:1]]
        keys = PartKeys(right=marker.keys.right, wrong_rows=tuple(map(tuple, many)), meanings=marker.keys.meanings)
        other = replace(marker, keys=keys)
        step = marking(other, marker.key_text(keys.wrong[0]))
        step()
        print(f"a wrong answer with {size:5} declared mistakes: {1e6 * seconds(step, 50):8.1f} us")


def compiling() -> None:
    """Compiling the five exercises, with and without pairs, and loading them from the cache."""
    reference = import_module("reference")
    import_module("sympy")
    course: list[Course] = []
    specs = seconds(lambda: course.append(compile_course(FOLDER, reference)))
    keyring = Keyring(course[0], b"")
    keys = seconds(lambda: [keyring.keys(e, {}) for e in course[0].exercises])
    formulas = [(e, p) for e in course[0].exercises for p in e.parts if p.type == "expression"]
    paired = seconds(lambda: [keyring.pair_table(e, p) for e, p in formulas])
    print(f"compiling the course: files and models {specs:.2f} s, keys {keys:.2f} s, pairs {paired:.2f} s")
    count = sum(len(g) for e, p in formulas for m, g in keyring.pair_table(e, p).items() if not m.startswith("~"))
    size = len(json.dumps([keyring.pair_table(e, p) for e, p in formulas]))
    print(
        f"{count} pairs, {size / 1e3:.0f} kB; loading the course from the cache {1e3 * seconds(load_course, 5):.1f} ms"
    )


def main() -> None:
    """Print all figures."""
    compiling()
    loaded = load_course()
    grader = Grader(loaded.keyring)
    markers = [m for e in loaded.course.exercises for m in grader.variant_markers(e, {})]
    explaining(markers)
    following(grader, next(e for e in loaded.course.exercises if e.id.startswith("q4")))
    pairs(loaded.course, markers)
    growth(next(m for m in markers if m.part.id == "intensity"))


if __name__ == "__main__":
    main()

"""No response reaches code, files or imports; none takes more than a little memory or work."""

import subprocess
import sys
import time
import tracemalloc
from pathlib import Path

import engine_cases
import pytest

from grader.comparison import compare, forget

TESTS = Path(engine_cases.__file__).parent
LIMIT = 0.1  # seconds on a machine that does other things, too: 0.05 on a quiet one

WATCHED = """
import builtins, sys
sys.path.insert(0, sys.argv[1])
import engine_cases
from grader.comparison import compare

FORBIDDEN = ("exec", "compile", "import", "open", "os.", "subprocess.", "socket.", "ctypes.", "code.", "pickle.")
armed, seen = False, []

def watch(event, arguments):
    if armed and event.startswith(FORBIDDEN):
        seen.append((event, str(arguments)[:200]))

def decide(response, solution, type, symbols="B D F", **options):
    found = compare(response, solution, type=type, symbols=symbols, **options)
    return found.verdict, found.message, found.read_as, found.latex, found.ratio, found.remarks

def everything():
    for case in engine_cases.ALL:
        before = len(seen)
        decide(case.response, case.solution, case.type, case.symbols, **case.options)
        for type, solution in engine_cases.SOLUTIONS.items():
            decide(case.response, solution, type)
        for event in seen[before:]:
            print("event", event, "for", ascii(case.response[:80]), case.rule)

def forbid(name):
    def refuse(*arguments, **options):
        raise AssertionError(name)
    setattr(builtins, name, refuse)

for type, solution in engine_cases.SOLUTIONS.items():  # what is imported late is imported now
    for response in (solution, "2b", "sin(B) + max(B, sqrt(D))", "7", "3 s", "1 = B", "\\N{GREEK CAPITAL LETTER BETA}"):
        for options in ({}, {"regime": "B << D, F"}, {"tolerance": {"rel": 0.01}}):
            decide(response, solution, type, **options)
decide("2B FLOPs", "2B", "expression")
sys.addaudithook(watch)
for name in ("eval", "exec", "compile", "open"):
    forbid(name)
armed = True
everything()
armed = False
print(len(engine_cases.ALL), "cases")
sys.exit(1 if seen else 0)
"""


def test_nothing_is_compiled_run_opened_or_imported_while_responses_are_decided():
    done = subprocess.run(
        [sys.executable, "-c", WATCHED, str(TESTS)], capture_output=True, text=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    assert done.stdout.strip() == f"{len(engine_cases.ALL)} cases"


GENERATED = [
    "(B+D+F)^40 (B+D+F+1)^40", "(B+1)^9999", "(1+1/B)^(1/3) + (B+D)^(F/7)", "*".join(["(B+D+F+1)"] * 27),
    "+".join(["max(B,D)"] * 40), "max(" + ",".join(f"B^{i}D" for i in range(1, 40)) + ")",
    "*".join([f"max(B,{i}D)" for i in range(1, 30)]), "+".join([f"max(B,{i}D)" for i in range(1, 30)]),
    "+".join([f"1/(B+{i}D)" for i in range(1, 30)]), "+".join([f"sqrt(B+{i})" for i in range(1, 30)]),
    "exp(" * 20 + "B" + ")" * 20, "log(" * 20 + "B" + ")" * 20, "sin(1e300*B)", "tan(" * 30 + "B" + ")" * 30,
    "B^" * 40 + "2", "B**D**F**B**D", "1e300*B/1e-300", "9" * 60 + "^15*B", "(9/7)^10000*B", "|" * 40 + "B" + "|" * 40,
    "floor(" * 30 + "1e200*B/D" + ")" * 30, "cbrt(B)^9999", "(B+D)^(1/9999)", "0." + "0" * 58 + "1*B",
    "{1" + ",1" * 120 + "}", "(1,2)" + "U(3,4)" * 40, "B>1" + " or B>2" * 40, "B>1" + " and B>2" * 40,
    "1<" * 60 + "B", "=".join(["2B"] * 60), "≈".join(["B+D"] * 60), "B^4+D*B^3+B^2+F*B+1>0", "5 " + "B/s*" * 50 + "s",
    "(B^90-1)(B^90-2) > 0", "B^10000 = 2", "0.442BDF/(BD+DF+BF)^22", "2B(BD+DF+BF)^22/(DF)^22",
    "sqrt(B^2+D) ≈ " * 12 + "sqrt(B^2+2D)", " ≈ ".join(f"D-sqrt(D^2-{i}BD)" for i in range(4, 12)),
    "e-e^-2BDF/(BD+DF+BF)2BDF/(BD+DF+BF)<<51e300~2BDF/(BD+DF+BF)2BDF/(BD+DF+BF)0000e^-DDD+000",
    "(B-1)^5000 (B-2)^5000 > 0", "atan(" * 40 + "B" + ")" * 40,
]  # fmt: skip


def everything():
    for case in engine_cases.BAD_INPUTS:
        yield case.response
    yield from GENERATED


@pytest.mark.parametrize("type", sorted(engine_cases.SOLUTIONS))
@pytest.mark.parametrize("regime", [None, "B << D, F"])
def test_no_response_takes_more_than_five_megabytes(type, regime):
    solution = engine_cases.SOLUTIONS[type]
    worst = 0, ""
    for response in everything():
        compare(response, solution, type=type, symbols="B D F", regime=regime)  # what is cached stays
        forget()
        tracemalloc.start()
        found = compare(response, solution, type=type, symbols="B D F", regime=regime)
        _ = found.read_as, found.latex, found.ratio
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        worst = max(worst, (peak, response[:60]))
    assert worst[0] <= 5 * 2**20, worst


@pytest.mark.parametrize("type", sorted(engine_cases.SOLUTIONS))
@pytest.mark.parametrize("regime", [None, "B << D, F"])
def test_no_response_takes_long(type, regime):
    solution = engine_cases.SOLUTIONS[type]
    for response in everything():
        spent = []
        for _ in range(3):  # a loaded machine may be slow once
            start = time.thread_time()
            compare(response, solution, type=type, symbols="B D F", regime=regime)
            forget()
            spent.append(time.thread_time() - start)
        assert min(spent) <= LIMIT, response[:60]

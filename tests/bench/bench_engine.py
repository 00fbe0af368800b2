"""How long reading and deciding an answer takes, and how that compares with Math-Verify. Prints figures.

Run: python tests/bench/bench_engine.py. Math-Verify is optional (`pip install math-verify`). CPU time of this thread,
the best of several rounds for each answer, so that ratios hold on a busy machine.
"""

import gc
import logging
import statistics
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[1]), str(Path(__file__).parents[2])]

import engine_cases  # noqa: E402

from grader.comparison import _prepared, compare, decide  # noqa: E402
from grader.maths.fingerprint import fingerprint  # noqa: E402
from grader.maths.grammar import read_expression  # noqa: E402

SYMBOLS = ("B", "D", "F", "T_math", "T_comms")
ROUNDS = 60  # short ones, so that some are undisturbed
TIMES_A_ROUND = 4


@dataclass(frozen=True)
class Kind:
    """Answers of one kind to one question, right and wrong."""

    name: str
    solution: str
    right: tuple[str, ...]
    wrong: tuple[str, ...]
    tolerance: float | None = None
    regime: str | None = None


INTENSITY = "2*B*D*F/(B*D + D*F + B*F)"
TIME = "(B*D + D*F + 2*B*F)/8.2e11"
EXACT = (
    Kind("reordered", INTENSITY, ("2BDF/(BF+BD+DF)", "2 F D B/(F D+F B+D B)", "2*F*D*B/(D*F + B*F + B*D)"),
         ("2BDF/(BF+BD+DD)", "2 F D B/(F D+F B)", "2*F*D*B/(D*F + B*F + 2*B*D)")),
    Kind("factored", "2*B*D + 2*B*F + 2*D*F", ("2(BD+F(B+D))", "2*(B*(D+F)+D*F)", "2D(B+F)+2BF"),
         ("2(BD+F(B-D))", "2*(B*(D+F)+D)", "2D(B+F)+BF")),
    Kind("expanded", "(B+D)*(D+F)*2", ("2BD+2BF+2D^2+2DF", "2B*D + 2*B*F + 2*D**2 + 2*D*F", "2D²+2BD+2DF+2BF"),
         ("2BD+2BF+2D^2+DF", "2B*D + 2*B*F + 2*D*2 + 2*D*F", "2D²+2BD+2DF-2BF")),
    Kind("nested reciprocals", INTENSITY, ("2/(1/B+1/D+1/F)", "1/(1/(2B)+1/(2D)+1/(2F))", "2*(1/B + 1/D + 1/F)^-1"),
         ("2/(1/B+1/D-1/F)", "1/(1/(2B)+1/(2D)+1/F)", "2*(1/B + 1/D)^-1")),
    Kind("plain intensities", INTENSITY, ("2*B*D*F/(B*D + D*F + B*F)", "(2BDF)/(BD+DF+BF)", "2BDF / (D(B+F) + BF)"),
         ("2*B*D*F/(B*D + D*F)", "(BDF)/(BD+DF+BF)", "2BDF / (D(B+F) + 2BF)")),
    Kind("LaTeX intensities", INTENSITY,
         (r"\frac{2BDF}{BD+DF+BF}", r"$\dfrac{2 B D F}{B D + D F + B F}$", r"2\cdot\frac{B D F}{B D+D F+B F}"),
         (r"\frac{2BDF}{BD+DF}", r"$\dfrac{B D F}{B D + D F + B F}$", r"2\cdot\frac{B D F}{B D+D F+2 B F}")),
    Kind("bytes", "B*D + D*F + 2*B*F", ("BD+DF+2BF", "D(B+F)+2*B*F", "2BF + FD + DB"),
         ("BD+DF+BF", "D(B+F)", "2(BF+FD+DB)")),
    Kind("times", TIME, ("(BD+DF+2BF)/8.2e11", "BD/8.2e11+DF/8.2e11+BF/4.1e11", "(D(B+F)+2BF)/(820*10^9)"),
         ("(BD+DF+2BF)/8.1e11", "BD/8.2e11+DF/8.2e11+BF/8.2e11", "2BDF/3.94e14")),
    Kind("logs", "log(B)*D/F", ("D*ln(B)/F", "-D*log(1/B)/F", "D/F*log(B^2)/2"),
         ("D*ln(2B)/F", "D*log(1/B)/F", "D/F*log(B^2)")),
    Kind("numbers within 1%", "1.97e14/8.2e11", ("240", "240.2", "2.4e2"), ("243.5", "24", "480"), tolerance=0.01),
)  # fmt: skip
BOUNDS = (
    Kind("max of two times", "max(2*B*D*F/3.94e14, (B*D+D*F+B*F)/8.2e11)",
         ("max((BD+DF+BF)/8.2e11, 2BDF/3.94e14)", "max(BDF/1.97e14, (BD+F(B+D))/8.2e11)"),
         ("2BDF/3.94e14 + (BD+DF+BF)/8.2e11", "min(2BDF/3.94e14, (BD+DF+BF)/8.2e11)", "max(2BDF/3.94e14, BD/8.2e11)")),
    Kind("max, min, abs", "max(T_math, T_comms)",
         ("T_math + T_comms - min(T_math, T_comms)", "(T_math+T_comms+|T_math-T_comms|)/2", "max(T_comms, T_math)"),
         ("T_math + T_comms", "min(T_math, T_comms)", "T_math")),
)  # fmt: skip
LEADING = (
    Kind("leading order", "2*B",
         ("2BDF/(BD+DF+BF)", "2B(1+B/D)", "2B+1000/D", "2/(1/B+1/D+1/F)", r"\frac{2BDF}{BD+DF+BF}", "2B"),
         ("2BD/F", "2.01B", "2BDF/(BD+BF)", "2B(1+B^2/D)", "B", "2BDF/(BD+BDF+DF)"), regime="B << D, F"),
)  # fmt: skip


def microseconds(work: Callable[[], object], times: int = TIMES_A_ROUND, rounds: int = ROUNDS) -> float:
    """CPU time of one call, the best of several rounds."""
    best = float("inf")
    for _ in range(rounds):
        start = time.thread_time_ns()
        for _ in range(times):
            work()
        best = min(best, (time.thread_time_ns() - start) / times / 1e3)
    return best


def prepared(kind: Kind):
    band = None if kind.tolerance is None else (("rel", kind.tolerance),)
    return _prepared(kind.solution, "expression", SYMBOLS, "positive", kind.regime, None, band)


def deciding(kinds: Iterable[Kind]) -> dict[tuple[str, str], list[float]]:
    """Microseconds to read and decide each answer, nothing remembered of it, by kind and verdict.

    The answers take turns, so that a disturbance of a second spoils no figure.
    """
    works, best = [], []
    for kind in kinds:
        p = prepared(kind)
        for verdict, responses in (("correct", kind.right), ("incorrect", kind.wrong)):
            for response in responses:
                found = decide(response, p.solution, p.kind, p.question, p.check)
                assert found.verdict == verdict, (response, found)
                work = lambda p=p, r=response: decide(r, p.solution, p.kind, p.question, p.check)  # noqa: E731
                works.append(((kind.name, verdict), work))
                best.append(float("inf"))
    for _ in range(ROUNDS):
        for i, (_, work) in enumerate(works):
            best[i] = min(best[i], microseconds(work, rounds=1))
    found = {}
    for (name, _), spent in zip(works, best, strict=True):
        found.setdefault(name, []).append(spent)
    return found


def report(name: str, spent: list[float]) -> None:
    middle, mean = statistics.median(spent), statistics.mean(spent)
    print(f"{name:44} median {middle:8.1f} us   mean {mean:8.1f} us   max {max(spent):8.1f} us")


def both(kinds: Iterable[Kind]) -> list[float]:
    """The times of all answers; one line for each kind."""
    total = []
    for (name, verdict), spent in deciding(kinds).items():
        report(f"  {name}, {verdict}", spent)
        total += spent
    return total


def repeated() -> None:
    """The same answer again, through the public function."""
    answers = [(kind.solution, response) for kind in EXACT[:8] for response in kind.right]
    spent = [microseconds(lambda s=s, r=r: compare(r, s, symbols=SYMBOLS), 200) for s, r in answers]
    report("a repeated answer", spent)


def worst() -> None:
    """The costliest of the hostile texts, in every type."""
    found = []
    for type, solution in engine_cases.SOLUTIONS.items():
        p = _prepared(solution, type, ("B", "D", "F"), "positive", None, None, None)
        for case in engine_cases.BAD_INPUTS:
            took = microseconds(lambda p=p, c=case: decide(c.response, p.solution, p.kind, p.question, p.check), 1, 5)
            found.append((took, type, case.response[:50]))
    took, type, text = max(found)
    report("hostile texts", [time for time, _, _ in found])
    print(f"  worst: {took / 1e3:.1f} ms for {text!r} as {type}")


def mistakes() -> None:
    """Finding which of many prepared wrong values an answer is: one look-up, however many there are."""
    p = prepared(EXACT[0])
    answer = read_expression("2BDF/(BD+DF+BF) + 7BD", SYMBOLS)
    times = {}
    for count in (10, 1000):
        wrong = [read_expression(f"2*B*D*F/(B*D + D*F + B*F) + {i}*B*D", SYMBOLS) for i in range(count)]
        index = {fingerprint(value, p.question.domain): i for i, value in enumerate(wrong)}
        assert index[fingerprint(answer, p.question.domain)] == 7
        times[count] = microseconds(lambda i=index: i[fingerprint(answer, p.question.domain)], 200)
    print(
        f"among 10 mistakes {times[10]:.1f} us, among 1,000 {times[1000]:.1f} us, ratio {times[1000] / times[10]:.2f}"
    )


def against_math_verify(ours: dict[str, float]) -> None:
    """The same answers through Math-Verify's parse and verify, in this run: each once, since it remembers answers.

    The solutions go first, so that its parser and sympy are warm.
    """
    try:
        from math_verify import parse, verify
    except ImportError:
        print("Math-Verify is not installed: pip install math-verify")
        return
    logging.disable(logging.CRITICAL)

    def read(text: str) -> list[object]:
        return list(parse(text if text.startswith("$") else f"${text}$", parsing_timeout=None))

    golds = {kind.name: read(kind.solution.replace("*", " ")) for kind in EXACT}
    for gold in golds.values():
        verify(gold, gold, timeout_seconds=None)
    spent, agreed = [], 0
    for kind in EXACT:
        for response in (*kind.right, *kind.wrong):
            start = time.thread_time_ns()
            verdict = verify(golds[kind.name], read(response), timeout_seconds=None)
            spent.append((time.thread_time_ns() - start) / 1e3)
            agreed += verdict is (response in kind.right)
    ratios = [theirs / own for theirs, own in zip(spent, ours.values(), strict=True)]
    report("Math-Verify", spent)
    print(f"  {agreed} of {len(spent)} right; {statistics.median(ratios):.0f} times our time for each answer (median), "
          f"{statistics.median(spent) / statistics.median(ours.values()):.0f} times our median, "
          f"{sum(spent) / sum(ours.values()):.0f} times in total")  # fmt: skip


def main() -> None:
    """Print all figures."""
    gc.disable()
    total = both(EXACT)
    report("reading and deciding, no max or min", total)
    report("bounds with max and min", both(BOUNDS))
    report("leading order", both(LEADING))
    repeated()
    mistakes()
    worst()
    names = [r for kind in EXACT for r in (*kind.right, *kind.wrong)]
    against_math_verify(dict(zip(names, total, strict=True)))


if __name__ == "__main__":
    main()

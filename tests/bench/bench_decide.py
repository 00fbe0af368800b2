"""How long deciding takes: prints microseconds for each kind of decision. Run: python tests/bench/bench_decide.py"""

from collections.abc import Callable
from timeit import repeat

from grader.maths.domain import Domain
from grader.maths.equality import equal
from grader.maths.expression import Expr
from grader.maths.fingerprint import fingerprint
from grader.maths.grammar import read_expression
from grader.maths.leading import same_leading_order
from grader.maths.ratio import ratio_text
from grader.maths.regime import Regime

EXACT = Domain()
BATCH = Domain(regime=Regime.read("B << D, F"))


def read(text: str) -> Expr:
    return read_expression(text, ("B", "D", "F", "S", "T"))


def microseconds(work: Callable[[], object]) -> float:
    """The best of several runs."""
    once = min(repeat(work, number=1, repeat=3))
    number = max(1, int(0.05 / max(once, 1e-7)))
    return min(repeat(work, number=number, repeat=5)) / number * 1e6


def main() -> None:
    """Print the figures and their ratio to the first."""
    full, other, simple = (read(t) for t in ("2BDF/(BD+DF+BF)", "2BFD/(FB+FD+DB)", "2B"))
    wrong, factor = read("2BDF/(BD+DF)"), read("2.01B")
    times = {
        "fingerprint, rational": lambda: fingerprint(full, EXACT),
        "equal, rational, same": lambda: equal(full, other, EXACT),
        "equal, rational, different": lambda: equal(full, wrong, EXACT),
        "leading order, accepted": lambda: same_leading_order(full, simple, BATCH),
        "leading order, refused": lambda: same_leading_order(factor, simple, BATCH),
        "ratio": lambda: ratio_text(full, simple, EXACT),
    }
    pairs = {
        "max, same": ("S+T-min(S, T)", "max(S, T)"),
        "max, a branch": ("S", "max(S, T)"),
        "max, the sum": ("S+T", "max(S, T)"),
        "max, far scale": ("S", "max(S, 1e-200*T)"),
        "seven branches": ("max(B, max(D, max(F, max(BD, max(DF, max(BF, BDF))))))", "max(B, D, F, BD, DF, BF, BDF)"),
        "roots, same": ("1/sqrt(B)", "sqrt(1/B)"),
        "logarithms, same": ("log(B)+log(D)", "log(BD)"),
        "exponentials, different": ("D*exp(-B)+0.001", "D*exp(-B)"),
        "power of 6000": ("(B-D)^6000", "(D-B)^6000"),
    }
    for name, (answer, solution) in pairs.items():
        a, b = read(answer), read(solution)
        times[f"equal, {name}"] = lambda a=a, b=b: equal(a, b, EXACT)  # type: ignore[misc]
    for answer in ("D-sqrt(D^2-4BD)", "2B(1+1/log(D))", "2B(1+exp(-D))", "2B D^(1/100)"):
        a = read(answer)
        times[f"leading order, {answer}"] = lambda a=a: same_leading_order(a, simple, BATCH)  # type: ignore[misc]
    first = None
    for name, work in times.items():
        took = microseconds(work)
        first = first or took
        print(f"{name:42} {took:10.1f} us {took / first:8.1f} x")


if __name__ == "__main__":
    main()

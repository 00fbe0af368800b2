"""What a wrong answer's relation to the solution shows: a counterexample, and which other answers it belongs with."""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from itertools import product

from grader.maths.domain import Domain
from grader.maths.expression import Div, Expr, symbols_of
from grader.maths.fingerprint import fingerprint
from grader.maths.ratio import ratio_text
from grader.maths.sample import value as value_at
from grader.values import frozen

# round sizes at which the answer is tried
_SIZES = (
    (2, 4, 8, 16, 32),
    (8, 64, 128, 256, 512),
    (100, 1000, 10_000, 100_000, 1_000_000),
    (128, 4096, 16_384, 32_768, 65_536),
)
_NEAR_ONE = 0.01
_CLEARLY = 0.01  # the answer must be off by more than rounding would be


@frozen
class Measure:
    """The ratio to the solution as text, a sentence with sizes at which the answer fails, and by what factor there."""

    ratio: str | None = None
    counterexample: str = ""
    off_by: str = ""


def measure(answer: Expr | str | None, solution: Expr | None, names: Iterable[str], domain: Domain) -> Measure:
    """What a wrong answer's relation to the solution shows; nothing where one of them has no single value."""
    if answer is None or solution is None or isinstance(answer, str):
        return Measure()
    failing = counterexample(answer, solution, tuple(names)) or ("", "")
    return Measure(_telling(ratio_text(answer, solution, domain)), *failing)


def counterexample(answer: Expr, solution: Expr, names: Sequence[str]) -> tuple[str, str] | None:
    """A sentence with sizes at which a formula fails, and by what factor it is off there; None for numbers.

    The sentence gives the value of the student's formula alone, so that nothing of the solution can be computed.
    """
    used = [name for name in names if name in symbols_of(answer) | symbols_of(solution)]
    for point in _points(used) if used else ():
        mine, right = value_at(answer, point), value_at(solution, point)
        if right and (mine is None or abs(mine - right) > _CLEARLY * abs(right)):
            sizes = ", ".join(f"{name} = {size:g}" for name, size in point.items())
            gives = "has no value" if mine is None else f"gives {mine:.4g}"
            return f"for {sizes} your formula {gives}, and that is not the value there", f"{(mine or 0) / right:.4g}"
    return None


def _telling(ratio: str | None) -> str | None:
    """The ratio, unless it is so near to 1 that the answer must be wrong for another reason, such as its direction."""
    try:
        return None if ratio and abs(float(ratio) - 1) < _NEAR_ONE else ratio
    except ValueError:
        return ratio


def clusters(answer: Expr, solution: Expr, domain: Domain) -> tuple[str, str]:
    """Short ids that equal answers share, and answers with the same ratio to the solution."""
    return _short(fingerprint(answer, domain)), _short(fingerprint(Div(answer, solution), domain))


def _short(mark: str) -> str:
    return hashlib.sha256(mark.encode()).hexdigest()[:12]


def _points(names: Sequence[str]) -> Iterator[dict[str, float]]:
    """Round sizes, small ones first; then some in another order of size."""
    for sizes in _SIZES:
        yield dict(zip(names, map(float, sizes), strict=False))
    for mixed in product((2.0, 1000.0), repeat=min(len(names), 4)):
        yield dict(zip(names, mixed, strict=False))

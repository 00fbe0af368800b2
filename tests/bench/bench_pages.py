"""How long a student's page takes from a result: with parts that were drawn before, and with parts that never were.

Times are those of the processor: they hold on a busy machine, more or less.

Run with: python tests/bench/bench_pages.py [pages]. Four of the example submissions are shown at the level that shows
most; the pages of the second measure share no part. Figures are medians beside those of a reference measure taken in
turn with them: a table of as many bytes made by string formatting alone. Prints figures and judges nothing.
"""

import gc
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from grader.batch import grade
from grader.reports.curves import _curve, curves
from grader.reports.environment import _part
from grader.reports.render import page
from grader.results import PartResult, Result, Reveal

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ("partly", "perfect", "seed_first", "latex")
TARGETS = {"without plots": 3.0, "with the plot": 8.0}


def plain(part: PartResult) -> PartResult:
    """A part without its drawings."""
    return replace(part, plot=None, number_line=None)


def changed(result: Result, number: int, change: Callable[[PartResult], PartResult]) -> Result:
    """The result with changed parts, as another student's."""
    exercises = tuple(replace(e, parts=tuple(map(change, e.parts))) for e in result.exercises)
    return replace(result, student=f"s{number}", exercises=exercises)


def own(number: int) -> Callable[[PartResult], PartResult]:
    """A part as nobody else has it: another response, another remark, a curve that is a little higher."""

    def change(part: PartResult) -> PartResult:
        plot = part.plot and replace(
            part.plot,
            series=tuple(
                replace(s, points=tuple((x, y * (1 + number / 1e6)) for x, y in s.points)) if s.kind == "student" else s
                for s in part.plot.series
            ),
        )
        return replace(part, response=f"{part.response} + {number}", remarks=(*part.remarks, f"{number}"), plot=plot)

    return change


def reference(size: int) -> str:
    """A page's worth of text by formatting alone."""
    return "".join(f'<tr class="{n}"><td>{n:6}</td><td>{n / 7:.4f}</td></tr>\n' for n in range(size // 50))


def milliseconds(action: Callable[[], object]) -> float:
    """The time of one call."""
    start = time.process_time()
    action()
    return 1e3 * (time.process_time() - start)


def measured(results: Iterator[Result], size: int) -> tuple[float, float]:
    """Medians of a page's time, and of the reference's taken in turn."""
    times = [(milliseconds(lambda r=r: page(r, "html")), milliseconds(lambda: reference(size))) for r in results]
    return tuple(statistics.median(column) for column in zip(*times, strict=True))  # type: ignore[return-value]


def report(name: str, what: str, found: tuple[float, float]) -> None:
    """One line: the time, the ratio to the reference, the target."""
    target = TARGETS[name]
    kept = "kept" if found[0] <= target else "missed"
    print(f"{name:14} {what:34} {found[0]:6.2f} ms  {found[0] / found[1]:5.1f} x reference   <= {target:.0f} ms {kept}")


def main() -> None:
    """Measure pages of four examples, with and without drawings."""
    gc.set_threshold(100_000)  # as the program does
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    book = grade([ROOT / "submissions_example" / name for name in EXAMPLES], reveal=Reveal.FULL)
    size = statistics.mean(len(page(result, "html")) for result in book.results)
    print(f"{count} pages of {size / 1e3:.0f} kB on average; reference: {size / 1e3:.0f} kB of formatted text")
    bare = [changed(result, 0, plain) for result in book.results]
    for name, made in (("without plots", bare), ("with the plot", book.results)):
        each = [made[number % len(made)] for number in range(count)]
        for one in made:
            page(one, "html")
        report(name, "parts that others have, too", measured(iter(each), int(size)))
        _part.cache_clear()
        fresh = [changed(one, number, own(number)) for number, one in enumerate(each)]
        report(name, "no part was ever drawn before", measured(iter(fresh), int(size)))
    print(f"curves kept: {_curve.cache_info().hits} used again, {curves.cache_info().hits} plots")


if __name__ == "__main__":
    main()

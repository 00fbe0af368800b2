"""How a long run goes, on the terminal; nothing is shown where nobody looks, and nothing for a short one."""

import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.progress import Progress, ProgressColumn

_FEW = 20


class Quiet:
    """Watches and says nothing."""

    def begin(self, what: str, total: int | None) -> None:
        """A stage begins."""

    def step(self) -> None:
        """One item is done."""

    def end(self) -> None:
        """The run is over."""


class Bar(Quiet):
    """A bar on stderr with how many are done of how many, how many a second, and the time left."""

    def __init__(self) -> None:
        self._bar: Progress | None = None
        self._task: Any = None

    def begin(self, what: str, total: int | None) -> None:
        """A stage begins: a bar of its own."""
        self.end()
        if total is not None and total < _FEW:
            return
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        columns = (
            TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), _rate(), TimeRemainingColumn()
        )  # fmt: skip
        self._bar = Progress(*columns, console=Console(stderr=True))
        self._bar.start()
        self._task = self._bar.add_task(what, total=total)

    def step(self) -> None:
        """One item is done."""
        if self._bar is not None:
            self._bar.advance(self._task)

    def end(self) -> None:
        """The bar stays as it is."""
        if self._bar is not None:
            self._bar.stop()
            self._bar = None


def _rate() -> "ProgressColumn":
    """A column with how many are done in a second."""
    from rich.progress import ProgressColumn, Task
    from rich.text import Text

    class Rate(ProgressColumn):
        def render(self, task: Task) -> Text:
            return Text(f"{task.speed:,.0f}/s" if task.speed else "")

    return Rate()


def watch() -> Quiet:
    """What watches a run: a bar if somebody looks."""
    return Bar() if sys.stderr is not None and sys.stderr.isatty() else Quiet()

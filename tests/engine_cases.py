"""The cases of the engine, from tests/cases/engine_*.yaml: for the tests, the benchmark and the fuzz target."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from grader.comparison import Comparison, compare

FOLDER = Path(__file__).parent / "cases"


@dataclass(frozen=True)
class Case:
    """One response against one solution; `verdicts` are the acceptable ones, `named` is part of the message."""

    rule: str
    type: str
    symbols: tuple[str, ...]
    options: Mapping[str, Any]
    response: str
    solution: str
    verdicts: tuple[str, ...]
    named: str = ""

    def comparison(self) -> Comparison:
        """What the engine says."""
        return compare(self.response, self.solution, type=self.type, symbols=self.symbols, **self.options)

    def __str__(self) -> str:
        return ascii(f"{self.response[:40]} for {self.solution[:40]}")


def load(name: str) -> tuple[Case, ...]:
    """The cases of tests/cases/engine_<name>.yaml."""
    groups = yaml.safe_load((FOLDER / f"engine_{name}.yaml").read_text("utf-8"))
    return tuple(_case(group, *row) for group in groups for row in group["cases"])


def _case(group: Mapping[str, Any], response: Any, solution: str, verdicts: Any, named: str = "") -> Case:
    text = response if isinstance(response, str) else "".join(str(piece) * times for piece, times in response)
    allowed = (verdicts,) if isinstance(verdicts, str) else tuple(verdicts)
    options = group.get("options", {})
    return Case(group["rule"], group["type"], tuple(group["symbols"]), options, text, solution, allowed, named)


EQUIVALENCE, REPORTS, BAD_INPUTS, REGIMES = map(load, ("equivalence", "reports", "bad_inputs", "regimes"))
ALL = (*EQUIVALENCE, *REPORTS, *BAD_INPUTS, *REGIMES)

SOLUTIONS = {  # of each type, for responses that are tried in all of them
    "expression": "2*B*D*F/(B*D + D*F + B*F)",
    "quantity": "3.35e12 byte/s",
    "threshold": "B > 243",
    "equation": "B = 2*D",
    "interval": "(280, oo)",
    "set": "{1, 2, 4}",
}

"""Prints the solved model of an operation: `python -m reference "int8[B, D] * int8[D, F] -> int8[B, F]"`."""

import argparse
from collections.abc import Iterable, Sequence

import sympy

from reference.accelerators import accelerators, number
from reference.faults import ReferenceFault
from reference.graph import Formula, Model, Value
from reference.roofline import model


def main(arguments: Sequence[str] | None = None) -> None:
    """Prints one line a quantity: its name, its formula, its value."""
    parser = _parser()
    options = parser.parse_args(arguments)
    try:
        made = model(
            options.operation,
            options.accelerator,
            batch=options.batch or None,
            regime=options.regime,
            parameters=dict(map(_setting, options.set)),
        )
        lines = [(name, _show(given), _show(_solved(made, name))) for name, given in made.formulas.items()]
    except ReferenceFault as fault:
        parser.error(str(fault))
    print(_table([("quantity", "formula", "value"), *lines]))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m reference", description="Solve the roofline model of an operation."
    )
    parser.add_argument("operation", help="such as 'int8[B, D] * int8[D, F] -> int8[B, F]'")
    parser.add_argument("--accelerator", default="tpu-v5e", help=f"one of {', '.join(accelerators())} (%(default)s)")
    parser.add_argument("--batch", default="B", metavar="AXIS", help="the axis to solve for (%(default)s); '': none")
    parser.add_argument("--regime", help="which axes are long, such as 'B << D, F'")
    parser.add_argument(
        "--set", action="append", default=[], metavar="NAME=NUMBER", help="a quantity or the length of an axis"
    )
    return parser


def _setting(text: str) -> tuple[str, Formula]:
    name, equals, value = text.partition("=")
    if not equals:
        raise ReferenceFault(f"can't read the setting {text!r}: write it like bandwidth=8.1e11 or D=4096")
    return name.strip(), number(value)


def _solved(made: Model, name: str) -> Value:
    """The value, or the reason why there is none: one quantity that can't be solved must not hide the others."""
    try:
        return made.solve(name)
    except ReferenceFault as fault:
        return f"({fault})"


def _show(value: Value) -> str:
    """Long numbers and unwieldy fractions in six digits, short ones as they are."""
    if not isinstance(value, sympy.Basic):
        return str(value)
    long = {each for each in value.atoms(sympy.Rational) if abs(each.p) >= 10**6 or each.q > 8}
    return str(value.xreplace({each: sympy.Float(each, 6) for each in long}))


def _table(rows: Sequence[tuple[str, str, str]]) -> str:
    widths = [max(len(row[i]) for row in rows) for i in (0, 1)]
    return "\n".join(_line(row, widths) for row in rows)


def _line(row: tuple[str, str, str], widths: Iterable[int]) -> str:
    cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=False)]
    return "  ".join([*cells, row[2]]).rstrip()


if __name__ == "__main__":
    main()

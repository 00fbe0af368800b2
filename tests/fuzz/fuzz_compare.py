"""Coverage-guided fuzzing of `compare`, run by hand (README.md): python tests/fuzz/fuzz_compare.py [options] corpus

With files in place of a corpus folder, each is tried alone.
"""

import random
import sys
import time
from pathlib import Path

import atheris

sys.path.insert(0, str(Path(__file__).parents[1]))

with atheris.instrument_imports(include=["grader"]):
    import engine_cases

    from grader.comparison import FAULT, compare, forget
    from grader.maths import grammar, symbolic  # noqa: F401

TYPES = sorted(engine_cases.SOLUTIONS)
MODES = [{}, {"regime": "B << D, F"}, {"tolerance": {"rel": 0.01}}, {"assume": "real"}]
LIMIT = 0.05  # seconds of this thread, the best of three
SLOWDOWN = 4  # instrumented code takes that much longer
PIECES = [
    *"0123456789.,+-*/^()[]{}|<>=~≈≤√²⁻×·π∞%$_ ;", *"BDFbexT", "max(", "min(", "sqrt(", "log(", "exp(", "abs(", "sin(",
    "floor(", "1e300", "1e-300", "3.94e14", "**", "\\frac", "\\sqrt[", "\\log_", "\\left(", "\\right)", "\\cdot ",
    "\\max", "^{", "_{", "\\text{", " or ", " and ", ">=", "<<", " => ", " GB/s", " FLOPs", "bytes", " per ", "oo",
    " U ", "i.e.", "AI = ", " assuming B << D", "2BDF/(BD+DF+BF)",
]  # fmt: skip


def response_of(data: atheris.FuzzedDataProvider) -> str:
    """Half of the responses are drawn from pieces of the language, half from any characters."""
    if data.ConsumeBool():
        return "".join(data.PickValueInList(PIECES) for _ in range(data.ConsumeIntInRange(1, 40)))
    return data.ConsumeUnicodeNoSurrogates(200)


def try_one(raw: bytes) -> None:
    """One response against the solution of one type."""
    data = atheris.FuzzedDataProvider(raw)
    type, mode = data.PickValueInList(TYPES), data.PickValueInList(MODES)
    if "tolerance" in mode and type == "equation":
        mode = {}
    response = response_of(data)
    spent = []
    while not spent or (min(spent) > LIMIT * SLOWDOWN and len(spent) < 3):
        start = time.thread_time()
        found = compare(response, engine_cases.SOLUTIONS[type], type=type, symbols="B D F T", **mode)
        assert found.message != FAULT, (response, type, mode)
        texts = (found.message, found.read_as, found.latex, found.ratio, *found.remarks)
        forget()
        spent.append(time.thread_time() - start)
    assert min(spent) <= LIMIT * SLOWDOWN, f"{min(spent):.3f} s for {response!r} as {type} with {mode}"
    assert all(text is None or text.isprintable() for text in texts), (response, texts)


def seeds(folder: Path) -> None:
    """Random bytes to start from; the pieces make formulas of them."""
    folder.mkdir(parents=True, exist_ok=True)
    draw = random.Random(1)
    for i in range(500):
        (folder / f"seed{i}").write_bytes(bytes(draw.randrange(256) for _ in range(draw.randrange(8, 120))))


if __name__ == "__main__":
    for argument in sys.argv[1:]:
        if not argument.startswith("-") and not Path(argument).exists():
            seeds(Path(argument))
    atheris.Setup(sys.argv, try_one)
    atheris.Fuzz()

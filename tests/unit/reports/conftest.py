"""One synthetic result that has everything a report can show."""

import pytest

from grader.results import (
    ExerciseResult,
    Explanation,
    Gradebook,
    PartResult,
    Plot,
    Relation,
    Result,
    Series,
    Status,
    Verdict,
)

_TIMES = "<mo>&#x2062;</mo>"
_MATH = f'<math display="inline"><mn>2</mn>{_TIMES}<mi>B</mi>{_TIMES}<mi>D</mi>{_TIMES}<mi>F</mi></math>'
_FRACTION = (
    "<math><mfrac><mrow><mn>2</mn><mi>B</mi><mi>D</mi><mi>F</mi></mrow>"
    "<mrow><mi>B</mi><mi>D</mi><mo>+</mo><mi>D</mi><mi>F</mi><mo>+</mo><mi>B</mi><mi>F</mi></mrow></mfrac></math>"
)


def attainable(size: int, peak: float = 1.97e14, bandwidth: float = 8.1e11) -> tuple[tuple[float, float], ...]:
    """The roofline of a bf16 product of square weights at batch sizes from 1 to 2048."""
    batches = [2 ** (i / 8) for i in range(89)]
    return tuple(
        (b, min(peak, bandwidth * 2 * b * size * size / (2 * b * size + 2 * size * size + 2 * b * size)))
        for b in batches
    )


PARTS = (
    PartResult(
        id="flops", verdict=Verdict.CORRECT, points=2, max_points=2, response="2BDF", read_as="2*B*D*F", mathml=_MATH,
        relation=Relation.EXACT, prompt="How many operations are performed?",
    ),
    PartResult(
        id="intensity", verdict=Verdict.PARTIAL, points=1, max_points=3, response="2B", read_as="2*B",
        mathml="<math><mn>2</mn><mo>&#x2062;</mo><mi>B</mi></math>", relation=Relation.LEADING_ORDER,
        prompt="What is the *exact* arithmetic intensity, in `FLOP/byte`?", ratio="(B*D + D*F + B*F)/(D*F)",
        remarks=("Right to leading order only; the exact form was asked for.", "Within 1% when D, F >= 200 B."),
        solution="2*B*D*F/(B*D + D*F + B*F)", solution_mathml=_FRACTION,
    ),
    PartResult(
        id="leading", verdict=Verdict.INCORRECT, points=0, max_points=1, response="2B^2", read_as="2*B^2", ratio="B",
        mathml="<math><mn>2</mn><mo>&#x2062;</mo><msup><mi>B</mi><mn>2</mn></msup></math>",
        mistakes=("batch-counted-twice",), follow_through=("flops", "intensity"),
        prompt="What does it tend to for large D and F?",
        explanations=(
            Explanation(
                mistakes=("batch-counted-twice",), title="The batch axis was counted twice",
                feedback="Each batch element has its own matrix, but still only `D` multiply-adds for each of its `F` "
                "outputs:\n\n- B is **one** axis, not two;\n- see [the book](https://example.org/roofline).",
                hint="How many output elements are there, and how many multiply-adds does one of them need?",
            ),
        ),
    ),
    PartResult(
        id="peak", verdict=Verdict.INCORRECT, points=0, max_points=1, response="591 TFLOP/s", read_as="591 TFLOP/s",
        title="Peak rate", prompt="Which peak applies?",
        explanations=(
            Explanation(mistakes=("sparse",), title="The peak with sparsity was taken", feedback="Dense peaks apply."),
            Explanation(mistakes=("row",), title="The row of another number format was taken"),
        ),
    ),
    PartResult(
        id="critical", verdict=Verdict.INVALID, points=0, max_points=2, response="B > 240(1 + 2", line=7,
        message="The bracket opened here is never closed: add a closing bracket.", position=7,
        prompt="From which batch size on is the product compute-bound?",
    ),
    PartResult(id="lower", verdict=Verdict.MISSING, points=0, max_points=1, prompt="Give a lower bound for the time."),
    PartResult(
        id="upper", verdict=Verdict.UNDECIDED, points=0, max_points=1, response="max(T_math, T_comms)^log(B)",
        read_as="max(T_math, T_comms)^log(B)", message="The grader could not decide this; a person will look at it.",
    ),
)  # fmt: skip

PLOT = Plot(
    x_label="Batch size B",
    y_label="Attainable rate (FLOP/s)",
    series=(
        Series(label="D = F = 1024", kind="student", points=attainable(1024, bandwidth=4e11)),
        Series(label="D = F = 4096", kind="student", points=attainable(4096, bandwidth=4e11)),
        Series(label="D = F = 1024", kind="reference", points=attainable(1024)),
        Series(label="D = F = 4096", kind="reference", points=attainable(4096)),
    ),
)

RESULT = Result(
    student="s1024", source="answers.yaml", status=Status.GRADED, points=5, max_points=15,
    remarks=("Handed in 1 day late: 2 points off.",),
    exercises=(
        ExerciseResult(
            id="q4-batched-matmul", title="Batched matrix multiplication", points=3, max_points=11, parts=PARTS,
            prompt="What if we perform `int8[B, D] *_D int8[B, D, F] -> int8[B, F]`, with a different matrix for each "
            "batch element?",
        ),
        ExerciseResult(
            id="q3-roofline-plot", title="The roofline plot", points=2, max_points=4,
            parts=(
                PartResult(
                    id="plot", verdict=Verdict.PARTIAL, points=2, max_points=4, plot=PLOT,
                    response="min(1.97e14, 4e11*2BDF/(2BD+DF+2BF))",
                    read_as="min(1.97e14, 4e11*2*B*D*F/(2*B*D + D*F + 2*B*F))",
                    prompt="Plot the attainable rate against B.",
                    explanations=(
                        Explanation(
                            mistakes=(), title="The memory-bound part is too low",
                            feedback="Its slope fits a bandwidth of 4e11 byte/s.",
                        ),
                    ),
                ),
            ),
        ),
    ),
)  # fmt: skip

BOOK = Gradebook(
    course="scaling-book-1",
    grader="1.2.3",
    title="All about rooflines",
    results=(
        RESULT,
        Result(student="Zoë", source="zoe.yaml", status=Status.UNREADABLE, message="zoe.yaml:3: the file is not text"),
        Result(student="s1025", source="", status=Status.MISSING),
    ),
)


@pytest.fixture
def result() -> Result:
    return RESULT


@pytest.fixture
def book() -> Gradebook:
    return BOOK


@pytest.fixture
def plot() -> Plot:
    return PLOT

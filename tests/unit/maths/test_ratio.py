import pytest

from grader.maths.domain import Domain
from grader.maths.grammar import read_expression
from grader.maths.ratio import ratio, ratio_text


def read(text: str):
    return read_expression(text, ("B", "D", "F", "S", "T"))


@pytest.mark.parametrize(
    ("answer", "solution", "said"),
    [
        ("2B", "B", "2"),
        ("B", "2B", "1/2"),
        ("243", "243.6", "0.9975"),
        ("1024", "1000", "1.024"),
        ("3.35e12", "3.35e9", "1000"),
        ("-2B", "B", "-2"),
        ("0", "B", "0"),
        ("2B^2", "2B", "B"),
        ("1", "D", "1/D"),
        ("B", "BD^2", "1/D^2"),
        ("B/(B+1)", "1", "B/(B + 1)"),
        ("2B^2DF/(BD+DF+BF)", "2BDF/(BD+DF+BF)", "B"),
        ("log2(B)", "log(B)", "1.443"),
        ("2max(S, T)", "max(T, S)", "2"),
        ("sqrt(4B)", "sqrt(B)", "2"),
        ("pi", "1", "3.142"),
        ("sqrt(B)", "B", None),
        ("(B+D+F)^9", "B", None),
        ("B", "0", None),
        ("1/0", "B", None),
        ("(10B)^9000", "D+1", None),
    ],
)
def test_the_ratio_is_told_in_few_characters_or_not_at_all(answer: str, solution: str, said: str | None) -> None:
    assert ratio_text(read(answer), read(solution), Domain()) == said


def test_a_ratio_says_of_which_kind_it_is() -> None:
    constant, power = ratio(read("3B"), read("2B"), Domain()), ratio(read("B"), read("BD^2"), Domain())
    assert constant is not None
    assert (constant.kind, float(constant.constant or 0)) == ("constant", 1.5)
    assert power is not None
    assert (power.kind, power.symbol, power.power) == ("power", "D", -2)

import subprocess
import sys

import pytest

from grader.maths.domain import Domain
from grader.maths.fingerprint import UNDEFINED, fingerprint
from grader.maths.grammar import read_expression

PUBLIC = Domain()


def of(text: str, domain: Domain = PUBLIC) -> str:
    return fingerprint(read_expression(text, ("B", "D", "F", "S", "T")), domain)


@pytest.mark.parametrize(
    "texts",
    [
        ("2BDF/(BD+DF+BF)", "2/(1/D+1/F+1/B)", "BF*2D/(F(B+D)+BD)"),
        ("max(S,T)", "S+T-min(S,T)", "max(T,S,S/2)", "(S+T+|S-T|)/2", "1/min(1/S,1/T)", "max(3S,3T)/3"),
        ("exp(-B)*D", "D/exp(B)"),
        ("log(BD)", "log(B)+log(D)"),
        ("sqrt(B)*sqrt(D)", "sqrt(BD)", "(BD)^0.5"),
        ("B*D", "sqrt(B^2)*D", "sqrt(B^2 D^2)", "((BD)^3)^(1/3)"),
        ("B+D", "sqrt(B^2+2BD+D^2)"),
        ("(B-D)^6000", "(D-B)^6000"),
        ("1/(B-B)", "log(-B)", "sqrt(-2)"),
    ],
)
def test_equal_values_have_equal_fingerprints(texts: tuple[str, ...]) -> None:
    assert len({of(text) for text in texts}) == 1


def test_max_and_min_are_told_from_their_branches_whatever_the_scale() -> None:
    texts = ["S", "1e200*T", "max(S, 1e200*T)", "min(S, 1e200*T)", "S+1e200*T", "max(S, 1e-200*T)"]
    assert len({of(text) for text in texts}) == len(texts)


def test_the_points_follow_from_the_key() -> None:
    assert of("2B", Domain(key=b"one")) != of("2B", Domain(key=b"two"))


def test_what_is_undefined_says_so() -> None:
    assert of("1/(D-D)") == UNDEFINED


def test_fingerprints_do_not_depend_on_the_hash_seed() -> None:
    code = (
        "from grader.maths.domain import Domain; from grader.maths.fingerprint import fingerprint;"
        "from grader.maths.grammar import read_expression as read;"
        "texts = ('2BDF/(BD+F)', 'max(B,D,F)-min(B,D F)', 'sqrt(B)+log(D)');"
        "print([fingerprint(read(text, 'BDF'), Domain()) for text in texts])"
    )
    said = set()
    for seed in ("0", "1", "77"):
        command = [sys.executable, "-c", code]
        said.add(subprocess.run(command, env={"PYTHONHASHSEED": seed}, capture_output=True, check=True).stdout)
    assert len(said) == 1

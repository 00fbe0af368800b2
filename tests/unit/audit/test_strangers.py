"""Claims that belong to none of the repositories are told, so that nobody takes them for compared."""

from fractions import Fraction
from pathlib import Path

from grader.audit.claims import Claim
from grader.audit.report import Audit, Clone, Regraded


def test_claims_of_none_of_the_clones_are_named_and_those_by_another_name_are_not(tmp_path: Path) -> None:
    claims = [
        Claim(student=student, source="scores.csv", points=Fraction(1), max_points=Fraction(2))
        for student in ("zoe", "Ada-L", "70001", "zoe", "ben")
    ]
    ada = Regraded(
        student="70001",
        names=frozenset({"70001", "ada-l"}),
        places=("hw-ada-l",),
        points=1,
        max_points=2,
        parts=((1, 2),),
    )
    audit = Audit({}, [ada], claims)
    for student in ("ada-l", "ben"):
        (tmp_path / f"hw-{student}").mkdir()
        audit.look(Clone(student=student, folder=tmp_path / f"hw-{student}"))
    assert audit.strangers() == ["zoe"]

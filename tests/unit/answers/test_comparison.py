"""The public `compare`: what it promises whatever happens inside."""

import pytest

from grader import compare
from grader.comparison import FAULT
from grader.errors import SpecError
from grader.results import Verdict


def test_a_fault_of_ours_is_undecided_and_never_the_students_mistake(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise RecursionError

    monkeypatch.setattr("grader.checks.exact.Exact.match", fail)
    found = compare("3*B + 17", "2*B", symbols="B")
    assert (found.verdict, found.message) == (Verdict.UNDECIDED, FAULT)


@pytest.mark.parametrize("response", ["log\n_1", "log\n_2(B)", "log \n_2 8"])
def test_a_line_break_inside_a_name_is_refused_at_its_place(response: str) -> None:
    found = compare(response, "2*B", symbols="B")
    assert found.verdict == Verdict.INVALID
    assert found.position == response.index("\n")


def test_a_solution_that_cannot_be_read_is_the_callers_fault() -> None:
    with pytest.raises(SpecError, match="can't be read"):
        compare("2*B", "2*", symbols="B")
    with pytest.raises(SpecError, match=r"unknown name B: .* declare names in symbols"):
        compare("2*B", "2*B")


def test_symbols_may_be_one_text_or_many() -> None:
    for symbols in ("B D", "B, D", ["B", "D"], iter(("B", "D"))):
        assert compare("BD", "D*B", symbols=symbols).verdict == Verdict.CORRECT

"""A wrong answer is looked up among the values that mistakes give: exactly, to leading order, or as a number."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from itertools import chain
from typing import Any

import pytest

import grader.diagnosis.mistakes
from grader.compiled import Key, Mistake, PartKeys
from grader.diagnosis.evidence import Evidence
from grader.diagnosis.mistakes import exact_keys, factors, leading_mark, singles
from grader.grading import Grader
from grader.maths.domain import Domain
from grader.maths.expression import Expr, Number
from grader.maths.fingerprint import fingerprint
from grader.maths.grammar import read_expression
from grader.maths.leading import leading_term
from grader.maths.regime import Regime
from tests.tiny import mark, marker

REGIME = Regime.read("B << D, F")
DOMAIN = Domain(regime=REGIME)
KINDS = {"a": "cause", "b": "slip", "c": "factor", "d": "cause", "e": "slip"}
MISTAKES: Mapping[str, Mistake] = {name: Mistake(id=name, title=name, kind=kind) for name, kind in KINDS.items()}


def read(formula: str) -> Expr:
    return read_expression(formula, "BDF")


def key(value: str, *mistakes: str, relation: str = "", conventions: tuple[str, ...] = ()) -> Key:
    tree = read(value)
    leading = "" if isinstance(tree, Number) else fingerprint(leading_term(tree, REGIME), DOMAIN)
    return Key(value, fingerprint(tree, DOMAIN), leading, relation, conventions, mistakes)


def part_keys(*wrong: Key) -> PartKeys:
    return PartKeys(right=(key("2*B"),), wrong_rows=tuple(one.row() for one in wrong), meanings={})


def ids(found: Iterable[Key]) -> list[str]:
    return [one.mistakes[0] for one in found]


# --- finding ---


@pytest.mark.parametrize("typed", ["B*D + D*F", "D*(B + F)", "F*D + B*D", "(B^2*D^2 - D^2*F^2)/(B*D - D*F)"])
def test_a_formula_is_found_however_it_is_written(typed: str) -> None:
    keys = part_keys(key("B*D + D*F", "a"), key("B*D", "b"))
    assert ids(exact_keys(read(typed), "", keys, DOMAIN)) == ["a"]


def test_a_formula_of_another_value_is_not_found_however_near() -> None:
    keys = part_keys(key("B*D + D*F", "a"))
    assert exact_keys(read("B*D + 1.0001*D*F"), "", keys, DOMAIN) == ()


@pytest.mark.parametrize("number", ["100", "99.5", "100.5", "201/2"])
def test_a_number_within_half_a_per_cent_of_a_wrong_value_is_found(number: str) -> None:
    assert ids(exact_keys(read(number), "", part_keys(key("100", "a"), key("300", "b")), DOMAIN)) == ["a"]


@pytest.mark.parametrize("number", ["99.49", "100.51", "-100", "0", "200"])
def test_a_number_further_away_is_not_found(number: str) -> None:
    assert exact_keys(read(number), "", part_keys(key("100", "a"), key("300", "b")), DOMAIN) == ()


def test_wrong_values_that_lie_close_together_are_found_together_in_their_order() -> None:
    keys = part_keys(key("100.2", "a"), key("50", "b"), key("100", "d"), key("B", "e"))
    assert ids(exact_keys(read("100.1"), "", keys, DOMAIN)) == ["a", "d"]


def test_a_number_that_fits_one_wrong_value_much_better_than_others_means_that_one() -> None:
    keys = part_keys(key("100", "a"), key("100.4", "b"))
    assert ids(exact_keys(read("100"), "", keys, DOMAIN)) == ["a"]
    assert ids(exact_keys(read("100.4"), "", keys, DOMAIN)) == ["b"]
    assert ids(exact_keys(read("100.2"), "", keys, DOMAIN)) == ["a", "b"]


def test_a_number_is_no_formula_and_a_formula_no_number() -> None:
    keys = part_keys(key("100", "a"), key("100*B", "b"))
    assert ids(exact_keys(read("100*B"), "", keys, DOMAIN)) == ["b"]
    assert ids(exact_keys(read("100"), "", keys, DOMAIN)) == ["a"]


def test_an_option_is_found_by_its_id() -> None:
    keys = PartKeys(
        right=(Key("never", "never"),), wrong_rows=(Key("above", "above", mistakes=("a",)).row(),), meanings={}
    )
    assert ids(exact_keys("above", "", keys, DOMAIN)) == ["a"]
    assert exact_keys("always", "", keys, DOMAIN) == ()


def test_a_bound_is_explained_only_by_mistakes_that_point_the_same_way() -> None:
    keys = part_keys(key("100", "a", relation=">"), key("100", "b", relation="<"), key("100", "d"))
    assert ids(exact_keys(read("100"), ">", keys, DOMAIN)) == ["a", "d"]
    assert ids(exact_keys(read("100"), "<", keys, DOMAIN)) == ["b", "d"]
    assert ids(exact_keys(read("100"), "", keys, DOMAIN)) == ["a", "b", "d"]


def test_a_formula_with_the_same_leading_term_is_found_where_there_is_a_regime() -> None:
    keys = part_keys(key("2*B*D*F/(D*F + B*F)", "a"), key("3*B", "b"))
    assert exact_keys(read("2*B"), "", keys, DOMAIN) == ()
    assert ids(keys.wrong_by_fingerprint[f"~{leading_mark(read('2*B'), DOMAIN)}"]) == ["a"]
    assert leading_mark(read("2*B"), Domain()) == ""
    assert leading_mark("above", DOMAIN) == ""


# --- order ---


def test_causes_come_before_slips_and_factors_only_by_themselves() -> None:
    found = [key("7", name) for name in "ecbda"]
    assert singles(found, MISTAKES, Evidence()) == (("d",), ("a",), ("e",), ("b",))
    assert factors(found, MISTAKES) == (("c",),)


def test_a_mistake_alone_comes_before_one_on_top_of_a_convention() -> None:
    found = [key("7", "a", conventions=("x", "y")), key("7", "d", conventions=("x",))]
    assert singles(found, MISTAKES, Evidence()) == (("d",), ("a",))


def test_each_mistake_is_offered_once() -> None:
    found = [key("7", "a"), key("7", "a", conventions=("x",)), key("7", "b")]
    assert singles(found, MISTAKES, Evidence()) == (("a",), ("b",))


def test_slips_are_offered_beside_causes_and_factors_only_where_nothing_else_fits(packaged_grader: Grader) -> None:
    alone = mark(packaged_grader, "q2-mixed-matmul.critical", "B > 60.8")
    assert alone.mistakes == ("crit-halved-twice",)
    beside = mark(packaged_grader, "q1-int8-matmul.t_math", "BDF/3.94e14")
    assert beside.mistakes == ("flops-missing-mul-add",)
    named = {*beside.mistakes, *chain.from_iterable(beside.alternatives)}
    assert not named & {"t-math-missing-2", "hw-doubled-peak"}


@pytest.mark.parametrize("place", ["q1-int8-matmul.leading", "q4-batched-matmul.leading", "q5-h100.critical"])
def test_at_most_three_explanations_are_offered_and_each_only_once(packaged_grader: Grader, place: str) -> None:
    made = marker(packaged_grader, *place.split("."))
    counts = []
    for wrong in made.keys.wrong:
        found = mark(packaged_grader, place, made.key_text(wrong))
        groups = [found.mistakes, *found.alternatives]
        assert len(set(groups)) == len(groups) <= 3
        assert len(found.explanations) <= 3
        counts.append(len(groups))
    assert max(counts) == 3


@pytest.mark.parametrize("place", ["q4-batched-matmul.bytes", "q4-batched-matmul.intensity", "q1-int8-matmul.written"])
def test_the_value_of_a_mistake_is_explained_by_it_or_by_others_with_that_value(
    packaged_grader: Grader, place: str
) -> None:
    made = marker(packaged_grader, *place.split("."))
    for wrong in made.keys.wrong:
        if wrong.conventions:
            continue
        found = mark(packaged_grader, place, made.key_text(wrong))
        if found.verdict == "partial":
            continue  # the leading form of the right answer
        assert found.mistakes, wrong
        same = {one.mistakes for one in made.keys.wrong if one.fingerprint == wrong.fingerprint}
        assert {found.mistakes, *found.alternatives} <= same


# --- cost ---


class Counted(dict[str, Any]):
    """Counts how often something is looked up."""

    asked = 0

    def get(self, name: str, default: Any = None) -> Any:
        self.asked += 1
        return super().get(name, default)

    def __iter__(self) -> Any:
        raise AssertionError("all mistakes were gone through")


class Compared(list[tuple[Fraction, int]]):
    """Counts how many numbers are looked at one by one."""

    seen = 0

    def __getitem__(self, index: Any) -> Any:
        self.seen += not isinstance(index, slice)
        return super().__getitem__(index)

    def __iter__(self) -> Any:
        raise AssertionError("all numbers were gone through")


def replaced(keys: PartKeys, **values: object) -> PartKeys:
    """The keys with other values in the place of what they work out when asked."""
    vars(keys).update(values)
    return keys


@pytest.mark.parametrize("many", [10, 10_000])
def test_a_formula_is_looked_up_once_however_many_mistakes_there_are(
    monkeypatch: pytest.MonkeyPatch, many: int
) -> None:
    index = Counted(dict.fromkeys((f"other {number}" for number in range(many)), (key("B", "a"),)))
    marks: list[Expr] = []

    def counted(value: Expr, domain: Domain) -> str:
        marks.append(value)
        return fingerprint(value, domain)

    monkeypatch.setattr(grader.diagnosis.mistakes, "fingerprint", counted)
    exact_keys(read("3*B*D"), "", replaced(part_keys(), wrong_by_fingerprint=index), DOMAIN)
    assert (index.asked, len(marks)) == (1, 1)


def looked_at(many: int) -> int:
    numbers = Compared((Fraction(number), number) for number in range(1, many + 1))
    wrong = tuple(Key(str(number), "", mistakes=("a",)) for number in range(1, many + 1))
    found = exact_keys(read("5"), "", replaced(part_keys(), wrong_numbers=numbers, wrong=wrong), DOMAIN)
    assert [one.value for one in found] == ["6"]  # the place counts from nought
    return numbers.seen


def test_a_number_is_looked_up_by_halving() -> None:
    few, many = looked_at(16), looked_at(16 * 1024)
    assert many <= few + 2 * (10 + 1)

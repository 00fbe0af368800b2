"""From a wrong answer to the likeliest explanation: the order in which explanations are tried."""

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import cached_property

from grader.compiled import Group, Groups, Mistake, Part, PartKeys
from grader.diagnosis.evidence import Evidence
from grader.diagnosis.follow_through import Followed, Follower
from grader.diagnosis.mistakes import exact_keys, factors, leading_mark, likeliest, singles
from grader.diagnosis.slips import misread, slips
from grader.maths.domain import Domain
from grader.maths.expression import Expr
from grader.maths.fingerprint import fingerprint
from grader.maths.terms import constant_value
from grader.solutions import Solver
from grader.values import frozen

MOST_EXPLANATIONS = 3


@frozen(slots=False)
class Case:
    """A wrong answer and all that may explain it. `pairs` and `solver` are costly and made when asked for."""

    value: Expr | str
    relation: str
    solution: Expr | None
    part: Part
    keys: PartKeys
    mistakes: Mapping[str, Mistake]
    domain: Domain
    evidence: Evidence
    pairs: Callable[[str, Expr], Groups]
    solver: Callable[[], Solver]

    @property
    def formula(self) -> Expr | None:
        """The answer where it is a formula; a bare number says too little for pairs and the like."""
        return None if isinstance(self.value, str) or constant_value(self.value) is not None else self.value

    @cached_property
    def mark(self) -> str:
        """The look-up key of the value."""
        return self.value if isinstance(self.value, str) else fingerprint(self.value, self.domain)

    @cached_property
    def leading(self) -> str:
        """The look-up key of the leading term."""
        return leading_mark(self.value, self.domain)

    @cached_property
    def follower(self) -> Follower:
        """What follows the student's own answers into this part."""
        return Follower(self.part, self.value, self.relation, self.solution, self.same, self.copies, self.solver())

    def copies(self, a: Expr | str, b: Expr | str) -> bool:
        """Whether two values are the same to the last digit."""
        if isinstance(a, str) or isinstance(b, str):
            return a == b
        return fingerprint(a, self.domain) == fingerprint(b, self.domain)

    def same(self, a: Expr, b: Expr) -> bool:
        """Whether two values count as equal here: numbers to half a per cent, leading terms where those are asked."""
        mine, theirs = constant_value(a), constant_value(b)
        if mine is not None and theirs is not None:
            return 200 * abs(Fraction(mine) - theirs) <= abs(Fraction(theirs))
        if fingerprint(a, self.domain) == fingerprint(b, self.domain):
            return True
        leading = leading_mark(a, self.domain) if self.part.check == "leading_order" else ""
        return bool(leading) and leading == leading_mark(b, self.domain)


@frozen
class Diagnosis:
    """The explanations of a wrong answer, each a group of mistakes, the likeliest first; or that it follows."""

    groups: tuple[Group, ...] = ()
    follows: Followed | None = None


def diagnose(case: Case) -> Diagnosis:
    """The explanation at the first level that has one; empty where nothing explains the answer.

    A formula that is right but for its unit shows no mistake of value, though two may happen to cancel out.
    """
    if case.part.type == "expression" and any(key.fingerprint == case.mark for key in case.keys.right):
        return Diagnosis()
    for level in _LEVELS:
        found = level(case)
        if found.groups or found.follows:
            return found
    return Diagnosis()


def _follows(case: Case) -> Diagnosis:
    if not case.evidence.wrong:
        return Diagnosis()
    return Diagnosis(follows=case.follower.followed(case.evidence))


def _follows_with_mistake(case: Case) -> Diagnosis:
    if case.formula is None or not case.evidence.wrong:
        return Diagnosis()
    found = list(case.follower.followed_with_mistake(case.evidence))
    groups = _few((f.mistake,) for f in found if f.mistake)
    return Diagnosis(groups, found[0]) if found else Diagnosis()


def _singles(case: Case) -> Diagnosis:
    found = exact_keys(case.value, case.relation, case.keys, case.domain)
    if not found and case.part.check == "leading_order":
        return _singles_to_leading_order(case)
    return Diagnosis(_few(singles(found, case.mistakes, case.evidence)))


def _factors(case: Case) -> Diagnosis:
    """Pure factors that are declared, or brackets that are missing."""
    declared = factors(exact_keys(case.value, case.relation, case.keys, case.domain), case.mistakes)
    return Diagnosis(_few(declared)) if declared else _first(case, misread)


def _slips(case: Case) -> Diagnosis:
    """Slips without a declared cause, which the ratio or the form shows."""
    return _first(case, slips)


def _first(case: Case, find: Callable[[Expr, Expr, Domain], Iterator[str]]) -> Diagnosis:
    """The first of the slips found for which the course has words."""
    if isinstance(case.value, str) or case.solution is None:
        return Diagnosis()
    known = (name for name in find(case.value, case.solution, case.domain) if name in case.mistakes)
    return Diagnosis(tuple((name,) for name in (next(known, None),) if name))


def _pairs(case: Case) -> Diagnosis:
    if case.formula is None or case.part.type != "expression":
        return Diagnosis()
    found = likeliest(case.pairs(case.mark, case.formula), case.evidence)
    if not found and case.part.check == "leading_order":
        return _pairs_to_leading_order(case)
    return Diagnosis(_few(found))


def _singles_to_leading_order(case: Case) -> Diagnosis:
    return Diagnosis(
        _few(singles(case.keys.wrong_by_fingerprint.get(f"~{case.leading}", ()), case.mistakes, case.evidence))
    )


def _pairs_to_leading_order(case: Case) -> Diagnosis:
    if case.formula is None or case.part.type != "expression" or not case.leading:
        return Diagnosis()
    return Diagnosis(_few(likeliest(case.pairs(f"~{case.leading}", case.formula), case.evidence)))


def _few(groups: Iterator[Group] | tuple[Group, ...]) -> tuple[Group, ...]:
    return tuple(dict.fromkeys(groups))[:MOST_EXPLANATIONS]


# exact explanations before those to leading order, what has a name before what has none, the simpler first
_LEVELS: tuple[Callable[[Case], Diagnosis], ...] = (
    _follows,
    _follows_with_mistake,
    _singles,
    _factors,
    _pairs,
    _slips,
    _singles_to_leading_order,
    _pairs_to_leading_order,
)

"""From a wrong answer to the likeliest explanation: the order in which explanations are tried."""

from collections.abc import Callable, Iterator, Mapping

from grader.compiled import Group, Groups, Mistake, Part, PartKeys
from grader.diagnosis.answered import Answered
from grader.diagnosis.evidence import Evidence
from grader.diagnosis.follow_through import Followed, FollowThrough
from grader.diagnosis.mistakes import exact_keys, factors, likeliest, singles
from grader.diagnosis.slips import misread, slips
from grader.maths.domain import Domain
from grader.maths.expression import Expr
from grader.values import frozen

MOST_EXPLANATIONS = 3


@frozen
class Case:
    """A wrong answer and all that may explain it. `pairs` and `follow_through` are costly and made when asked for."""

    answered: Answered
    solution: Expr | None
    part: Part
    keys: PartKeys
    mistakes: Mapping[str, Mistake]
    domain: Domain
    evidence: Evidence
    pairs: Callable[[str, Expr], Groups]
    follow_through: Callable[[], FollowThrough]


@frozen
class Diagnosis:
    """The explanations of a wrong answer, each a group of mistakes, the likeliest first; or that it follows."""

    groups: tuple[Group, ...] = ()
    follows: Followed | None = None


def diagnose(case: Case) -> Diagnosis:
    """The explanation at the first level that has one; empty where nothing explains the answer.

    A formula that is right but for its unit shows no mistake of value, though two may happen to cancel out.
    """
    if case.part.type == "expression" and any(key.fingerprint == case.answered.mark for key in case.keys.right):
        return Diagnosis()
    for level in _LEVELS:
        found = level(case)
        if found.groups or found.follows:
            return found
    return Diagnosis()


def _follows(case: Case) -> Diagnosis:
    if not case.evidence.wrong:
        return Diagnosis()
    return Diagnosis(follows=case.follow_through().followed(case.answered, case.evidence))


def _follows_with_mistake(case: Case) -> Diagnosis:
    if case.answered.formula is None or not case.evidence.wrong:
        return Diagnosis()
    found = list(case.follow_through().followed_with_mistake(case.answered, case.evidence))
    groups = _few((f.mistake,) for f in found if f.mistake)
    return Diagnosis(groups, found[0]) if found else Diagnosis()


def _singles(case: Case) -> Diagnosis:
    found = exact_keys(case.answered.value, case.answered.relation, case.keys, case.domain)
    if not found and case.part.check == "leading_order":
        return _singles_to_leading_order(case)
    return Diagnosis(_few(singles(found, case.mistakes, case.evidence)))


def _factors(case: Case) -> Diagnosis:
    """Pure factors that are declared, or brackets that are missing."""
    declared = factors(exact_keys(case.answered.value, case.answered.relation, case.keys, case.domain), case.mistakes)
    return Diagnosis(_few(declared)) if declared else _first(case, misread)


def _slips(case: Case) -> Diagnosis:
    """Slips without a declared cause, which the ratio or the form shows."""
    return _first(case, slips)


def _first(case: Case, find: Callable[[Expr, Expr, Domain], Iterator[str]]) -> Diagnosis:
    """The first of the slips found for which the course has words."""
    if isinstance(case.answered.value, str) or case.solution is None:
        return Diagnosis()
    known = (name for name in find(case.answered.value, case.solution, case.domain) if name in case.mistakes)
    return Diagnosis(tuple((name,) for name in (next(known, None),) if name))


def _pairs(case: Case) -> Diagnosis:
    if case.answered.formula is None or case.part.type != "expression":
        return Diagnosis()
    found = likeliest(case.pairs(case.answered.mark, case.answered.formula), case.evidence)
    if not found and case.part.check == "leading_order":
        return _pairs_to_leading_order(case)
    return Diagnosis(_few(found))


def _singles_to_leading_order(case: Case) -> Diagnosis:
    return Diagnosis(
        _few(singles(case.keys.wrong_by_fingerprint.get(f"~{case.answered.leading}", ()), case.mistakes, case.evidence))
    )


def _pairs_to_leading_order(case: Case) -> Diagnosis:
    if case.answered.formula is None or case.part.type != "expression" or not case.answered.leading:
        return Diagnosis()
    return Diagnosis(_few(likeliest(case.pairs(f"~{case.answered.leading}", case.answered.formula), case.evidence)))


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

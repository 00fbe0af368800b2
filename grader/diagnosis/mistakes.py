"""Which declared mistakes give this wrong answer: looked up by fingerprint, numbers within the digits typed."""

from collections.abc import Iterable, Mapping
from fractions import Fraction

from grader.compiled import Key, Mistake
from grader.errors import SolutionError
from grader.maths.domain import Domain
from grader.maths.expression import Expr
from grader.maths.fingerprint import fingerprint
from grader.maths.leading import leading_term
from grader.maths.terms import constant_value

# a number says little, so it must be close to the wrong value that a mistake gives
_NUMBER_TOLERANCE = Fraction(5, 1000)
_MOST_EXPLANATIONS = 3
_KINDS = ("cause", "slip", "factor")


def explain(
    value: Expr | str, relation: str, wrong: Iterable[Key], mistakes: Mapping[str, Mistake], domain: Domain
) -> tuple[Key, ...]:
    """The keys of the mistakes that give `value`, the likeliest first, at most three, one a mistake.

    Exact explanations come before those to leading order, causes before slips, pure factors only if nothing else
    fits. `relation` is the direction of a threshold ("" where there is none, or the answer gives none).
    """
    wrong = tuple(wrong)
    found = [key for key in wrong if _gives(key, value, relation, domain)]
    if not found and not isinstance(value, str):
        found = _to_leading_order(value, wrong, domain)
    ranked = sorted(found, key=lambda key: (_KINDS.index(mistakes[key.mistakes[0]].kind), len(key.conventions)))
    if ranked and mistakes[ranked[0].mistakes[0]].kind != "factor":
        ranked = [key for key in ranked if mistakes[key.mistakes[0]].kind != "factor"]
    unique = {key.mistakes: key for key in reversed(ranked)}
    return tuple(key for key in ranked if unique.pop(key.mistakes, None) is not None)[:_MOST_EXPLANATIONS]


def _gives(key: Key, value: Expr | str, relation: str, domain: Domain) -> bool:
    if isinstance(value, str):
        return key.value == value
    if relation and key.relation and key.relation != relation:
        return False
    number = constant_value(value)
    if number is None:
        return key.fingerprint == fingerprint(value, domain)
    wrong = key.number
    return wrong is not None and abs(number - wrong) <= _NUMBER_TOLERANCE * abs(wrong)


def _to_leading_order(value: Expr, wrong: tuple[Key, ...], domain: Domain) -> list[Key]:
    if domain.regime is None or constant_value(value) is not None:
        return []
    try:
        leading = fingerprint(leading_term(value, domain.regime), domain)
    except SolutionError:
        return []
    return [key for key in wrong if key.leading == leading]

"""Which declared mistakes give this wrong answer: looked up by fingerprint, numbers within half a per cent.

The cost of a look-up does not grow with the number of mistakes.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping
from fractions import Fraction

from grader.compiled import Key, Mistake, PartKeys
from grader.errors import SolutionError
from grader.maths.domain import Domain
from grader.maths.expression import Expr, Rational
from grader.maths.fingerprint import fingerprint
from grader.maths.leading import leading_term
from grader.maths.terms import constant_value

# a number says little, so it must be close to the wrong value that a mistake gives
_NUMBER_TOLERANCE = Fraction(5, 1000)
_MOST_EXPLANATIONS = 3
_KINDS = ("cause", "slip", "factor")


def explain(
    value: Expr | str, relation: str, keys: PartKeys, mistakes: Mapping[str, Mistake], domain: Domain
) -> tuple[Key, ...]:
    """The keys of the mistakes that give `value`, the likeliest first, at most three, one a mistake.

    Exact explanations come before those to leading order, causes before slips, pure factors only if nothing else
    fits. `relation` is the direction of a threshold ("" where there is none, or the answer gives none). A text is the
    option of a choice.
    """
    found = _found(value, keys, domain)
    fitting = [key for key in found if not relation or not key.relation or key.relation == relation]
    ranked = sorted(fitting, key=lambda key: (_KINDS.index(mistakes[key.mistakes[0]].kind), len(key.conventions)))
    if ranked and mistakes[ranked[0].mistakes[0]].kind != "factor":
        ranked = [key for key in ranked if mistakes[key.mistakes[0]].kind != "factor"]
    return _one_each(ranked)[:_MOST_EXPLANATIONS]


def _found(value: Expr | str, keys: PartKeys, domain: Domain) -> Iterable[Key]:
    if isinstance(value, str):
        return keys.wrong_by_fingerprint.get(value, ())
    number = constant_value(value)
    if number is not None:
        return _near(number, keys)
    exact = keys.wrong_by_fingerprint.get(fingerprint(value, domain), ())
    if exact or domain.regime is None:
        return exact
    try:
        leading = fingerprint(leading_term(value, domain.regime), domain)
    except SolutionError:
        return ()
    return keys.wrong_by_fingerprint.get(f"~{leading}", ())


def _near(number: Rational, keys: PartKeys) -> list[Key]:
    """The keys from which the number is off by at most the tolerance, relative to the key, in their order."""
    low, high = sorted((number / (1 + _NUMBER_TOLERANCE), number / (1 - _NUMBER_TOLERANCE)))
    begin = bisect_left(keys.wrong_numbers, low, key=lambda pair: pair[0])
    end = bisect_right(keys.wrong_numbers, high, key=lambda pair: pair[0])
    return [keys.wrong[place] for place in sorted(place for _, place in keys.wrong_numbers[begin:end])]


def _one_each(keys: list[Key]) -> tuple[Key, ...]:
    """The first key of each explanation."""
    unique: dict[tuple[str, ...], Key] = {}
    for key in keys:
        unique.setdefault(key.mistakes, key)
    return tuple(unique.values())

"""Which declared mistakes give a wrong answer: single ones and pairs, looked up by fingerprint.

Numbers are matched with single mistakes only, within half a per cent. The cost of a look-up does not grow with the
number of mistakes.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence

from grader.compiled import Group, Key, Mistake, PartKeys
from grader.diagnosis.evidence import Evidence
from grader.errors import SolutionError
from grader.maths.domain import Domain
from grader.maths.expression import Expr, Rational
from grader.maths.fingerprint import fingerprint
from grader.maths.leading import leading_term
from grader.maths.terms import constant_value

# a number says little, so it must be close to the wrong value that a mistake gives
_NUMBER_TOLERANCE = 0.005 + 1e-12  # the edge included
_ROUNDING = 0.0005  # what rounding to three or four digits does
_KINDS = ("cause", "slip", "factor")


def exact_keys(value: Expr | str, relation: str, keys: PartKeys, domain: Domain) -> tuple[Key, ...]:
    """The keys with exactly this value; a text is the option of a choice.

    `relation` is the direction of a threshold ("" where there is none, or the answer gives none).
    """
    if isinstance(value, str):
        return keys.wrong_by_fingerprint.get(value, ())
    number = constant_value(value)
    if number is None:
        found: Iterable[Key] = keys.wrong_by_fingerprint.get(fingerprint(value, domain), ())
    else:
        found = _near(number, keys)
    return tuple(key for key in found if not relation or not key.relation or key.relation == relation)


def leading_mark(value: Expr | str, domain: Domain) -> str:
    """The fingerprint of the value's leading term; empty where it has none of its own."""
    if isinstance(value, str) or domain.regime is None:
        return ""
    try:
        return fingerprint(leading_term(value, domain.regime), domain)
    except SolutionError:
        return ""


def singles(found: Iterable[Key], mistakes: Mapping[str, Mistake], evidence: Evidence) -> tuple[Group, ...]:
    """The single mistakes among the keys, without pure factors: those that earlier answers speak for, if there are any;
    else those that no earlier right answer speaks against; else the rest. Causes before slips."""
    keys = [key for key in found if mistakes[key.mistakes[0]].kind != "factor"]
    ranked = sorted(keys, key=lambda key: (_KINDS.index(mistakes[key.mistakes[0]].kind), len(key.conventions)))
    return likeliest((key.mistakes for key in ranked), evidence)


def factors(found: Iterable[Key], mistakes: Mapping[str, Mistake]) -> tuple[Group, ...]:
    """The pure factors among the keys."""
    return tuple(dict.fromkeys(key.mistakes for key in found if mistakes[key.mistakes[0]].kind == "factor"))


def likeliest(groups: Iterable[Sequence[str]], evidence: Evidence) -> tuple[Group, ...]:
    """The groups of the best class that has any: shown by earlier answers, not contradicted by them, contradicted."""
    classes: tuple[list[Group], list[Group], list[Group]] = ([], [], [])
    for group in dict.fromkeys(map(tuple, groups)):
        if evidence.contradicted.intersection(group):
            classes[2].append(group)
        else:
            classes[0 if evidence.shown.intersection(group) else 1].append(group)
    return tuple(next((found for found in classes if found), []))


def _near(number: Rational, keys: PartKeys) -> list[Key]:
    """The keys from which the number is off by at most the tolerance, relative to the key, in their order.

    Where some fit much better than others, they alone are kept: a number typed with four digits means them all.
    """
    typed = float(number)
    low, high = sorted((typed / (1 + _NUMBER_TOLERANCE), typed / (1 - _NUMBER_TOLERANCE)))
    begin = bisect_left(keys.wrong_numbers, (low,))
    end = bisect_right(keys.wrong_numbers, (high, len(keys.wrong)))
    found = keys.wrong_numbers[begin:end]
    near = [(abs(typed - wrong) / abs(wrong) if wrong else 0.0, place) for wrong, place in found]
    close = max(3 * min(near)[0], _ROUNDING) if near else _ROUNDING
    return [keys.wrong[place] for place in sorted(place for off, place in near if off <= close)]

"""Generic slips, when no declared mistake fits: found from the ratio of answer to solution, and on the tree.

Each has an id under which the course's `slips` give its words; a slip without words is not offered.
"""

from collections.abc import Iterator
from fractions import Fraction

from grader.diagnosis.mutation import labelled
from grader.maths.domain import Domain
from grader.maths.expression import Add, Div, Expr, Rational
from grader.maths.fingerprint import fingerprint
from grader.maths.polynomial import RationalFunction
from grader.maths.terms import TooLargeError, constant_value

_NEAR = Fraction(5, 1000)
_BINARY = Fraction(1024, 1000)
_FACTORS = {
    Fraction(8): "slip-bits",
    **dict.fromkeys((Fraction(2), Fraction(4)), "slip-factor"),
    **dict.fromkeys((Fraction(1000) ** n for n in range(1, 6)), "slip-prefix"),
    **dict.fromkeys((_BINARY**n for n in range(1, 5)), "slip-binary-prefix"),
    **dict.fromkeys((Fraction(10), Fraction(100)), "slip-power-of-ten"),
}
_MUTATIONS = {
    "term": "slip-missing-term", "sign": "slip-sign", "exponent": "slip-exponent", "number": "slip-number",
    "inverse": "slip-reciprocal",
}  # fmt: skip


def misread(answer: Expr, solution: Expr, domain: Domain) -> Iterator[str]:
    """The id of the slip by which the solution was typed without its brackets."""
    if constant_value(answer) is None:
        mark = fingerprint(answer, domain)
        if any(fingerprint(other, domain) == mark for other in _without_brackets(solution)):
            yield "slip-brackets"


def slips(answer: Expr, solution: Expr, domain: Domain) -> Iterator[str]:
    """The ids of the slips that turn the solution into the answer, the simplest first."""
    try:
        a, b = RationalFunction.from_expr(answer), RationalFunction.from_expr(solution)
    except (TooLargeError, ZeroDivisionError):
        return
    if a is not None and b is not None and a and b:
        yield from _of_ratio(a, b, exact=constant_value(answer) is None)
    if constant_value(answer) is None:
        yield from _of_tree(answer, solution, domain)


def _of_ratio(a: RationalFunction, b: RationalFunction, exact: bool) -> Iterator[str]:
    try:
        ratio = (a / b).cancel()
        inverse = (a * b).constant
        difference = (a - b).cancel()
    except TooLargeError:
        return
    constant = ratio.constant
    if constant is not None:
        yield from _of_constant(constant, Fraction(0) if exact else _NEAR)
    elif len(ratio.numerator.terms) == len(ratio.denominator.terms) == 1:
        yield "slip-symbol"
    if inverse is not None and abs(Fraction(inverse) - 1) <= (0 if exact else _NEAR):
        yield "slip-reciprocal"
    one_term = len(difference.numerator.terms) == 1 and difference.denominator.constant is not None
    if exact and one_term and len(a.numerator.terms) != len(b.numerator.terms):  # else a term has another coefficient
        yield "slip-extra-term" if next(iter(difference.numerator.terms.values())) > 0 else "slip-missing-term"


def _of_constant(ratio: Rational, near: Fraction) -> Iterator[str]:
    if ratio == -1:
        yield "slip-sign"
    for factor, name in _FACTORS.items():
        if any(abs(value - factor) <= near * factor for value in (Fraction(ratio), 1 / Fraction(ratio))):
            yield name
            return


def _of_tree(answer: Expr, solution: Expr, domain: Domain) -> Iterator[str]:
    mark = fingerprint(answer, domain)
    for label, other in labelled(solution):
        if label in _MUTATIONS and fingerprint(other, domain) == mark:
            yield _MUTATIONS[label]
            return


def _without_brackets(solution: Expr) -> Iterator[Expr]:
    """What a/(b + c + d) becomes when the brackets are left out, whichever term comes first."""
    if isinstance(solution, Div) and isinstance(solution.denominator, Add):
        terms = solution.denominator.terms
        for index, first in enumerate(terms):
            rest = (*terms[:index], *terms[index + 1 :])
            yield Add((Div(solution.numerator, first), *rest))

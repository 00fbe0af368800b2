"""Whether two expressions have the same value over a domain: exact first, refuted before accepted, never by one path.

Rational functions are decided as polynomials; those too large to expand, modulo a fresh prime at points that follow
from both texts, so that nobody can aim at them. max and min are decided by their normal form; where that does not show
equality, and for all other functions, by exact or high precision values at points of many sizes, on both sides of
every place where max, min or abs change over.
"""

from grader.maths.domain import Domain
from grader.maths.expression import Expr
from grader.maths.fingerprint import UNDEFINED, fingerprint
from grader.maths.lattice import Lattice
from grader.maths.logarithms import same_with_logarithms
from grader.maths.residue import Points, draw, residue
from grader.maths.sampling import Sampling
from grader.maths.sign import plainly_defined
from grader.maths.terms import Fields, Fuel, NotRationalError, Terms, TooLargeError, multiply, read_fraction

FRESH_PRIME = 2**127 - 1
_ROUNDS = 2


def equal(a: Expr, b: Expr, domain: Domain) -> bool | None:
    """Whether two values are the same wherever both are defined, single points left out; None if undecided.

    A value that is defined nowhere equals nothing; neither does one that is undefined on a region where the other is
    not. Never raises on a tree within the limits of the answer language.
    """
    try:
        return _rational_equal(a, b)
    except ZeroDivisionError:
        return False
    except (NotRationalError, TooLargeError):
        return _equal(a, b, domain)


def undefined(expression: Expr, domain: Domain) -> bool:
    """Whether the expression has no value anywhere: 1/0, x/(x - x), sqrt(-2), log(-B) for positive B."""
    if domain.assume == "positive" and plainly_defined(expression):
        return False
    if fingerprint(expression, domain) != UNDEFINED:
        return False
    try:
        return Sampling(expression, expression, domain).nowhere_defined()
    except TooLargeError:
        return False


def _rational_equal(a: Expr, b: Expr) -> bool:
    _, known, m, k = _solution(b)
    fields, fuel = Fields(known), Fuel()
    n, d = read_fraction(a, fields, fuel)
    return n == m if d == k else multiply(n, k, fuel) == multiply(m, d, fuel)


_solutions: dict[int, tuple[Expr, Fields, Terms, Terms]] = {}  # by identity: hashing a tree takes as long as reading it
_MOST_SOLUTIONS, _LARGEST = 64, 64


def _solution(b: Expr) -> tuple[Expr, Fields, Terms, Terms]:
    """The expression and its fraction, remembered: many answers are compared with one solution."""
    found = _solutions.get(id(b))
    if found is None or found[0] is not b:
        fields = Fields()
        found = (b, fields, *read_fraction(b, fields, Fuel()))
        if len(found[2]) + len(found[3]) <= _LARGEST:
            if len(_solutions) >= _MOST_SOLUTIONS:
                _solutions.clear()
            _solutions[id(b)] = found
    return found


def _equal(a: Expr, b: Expr, domain: Domain) -> bool | None:
    try:
        return _residues_agree(a, b, domain)
    except ZeroDivisionError:
        return False
    except NotRationalError:
        pass
    if a == b:
        return not undefined(a, domain)
    if domain.assume == "positive" and same_with_logarithms(a, b):
        return True
    sampling = Sampling(a, b, domain)
    try:
        if sampling.refuted():
            return False
        return True if _same_form(a, b, Points(sampling.key), domain) else sampling.agree()
    except TooLargeError:
        return None


def _residues_agree(a: Expr, b: Expr, domain: Domain) -> bool:
    """For rational functions too large to expand; the points follow from the key and from both texts."""
    texts = "\n".join(sorted((repr(a), repr(b))))
    for i in range(_ROUNDS):
        at = Points(draw(domain.key, f"{i} {texts}").to_bytes(32), FRESH_PRIME)
        if residue(a, at, FRESH_PRIME) != residue(b, at, FRESH_PRIME):
            return False
    return True


def _same_form(a: Expr, b: Expr, at: Points, domain: Domain) -> bool:
    """Whether both have the same max of mins, each member confirmed exactly."""
    positive = domain.assume == "positive"
    first, second = Lattice(at, positive=positive), Lattice(at, positive=positive)
    try:
        form = first.form(a)
        return form == second.form(b) and all(first.members[m] == second.members[m] for m in frozenset().union(*form))
    except ArithmeticError:
        return False

"""max and min in normal form: a max of mins of rational functions, members that never decide dropped.

A member is known by its residue, its value modulo a large prime at the points of a key, so that equal members are one
and the form is a set of sets of residues; the rational function beside it serves to compare members term by term.
Sums, positive products and quotients, powers, abs and signs are carried to the members, which is exact.
"""

from collections.abc import Callable, Iterable
from itertools import product

from grader.maths.expression import Add, Call, Div, Expr, Mul, Neg, Pow
from grader.maths.polynomial import Polynomial, RationalFunction
from grader.maths.residue import PRIME, residue
from grader.maths.terms import Fuel, NotRationalError, TooLargeError, whole_number

Form = frozenset[frozenset[int]]  # a max of mins of members
MAX_MEMBERS = 64  # cases of one form
FUEL = 20_000  # term products of all forms of one lattice; a comparison of members costs some more
_COMPARISON = 20


class Lattice:
    """The normal forms of expressions over one set of points; `members` maps a residue to its rational function."""

    def __init__(self, at: dict[str, int], *, positive: bool) -> None:
        self.at, self.positive = at, positive
        self.members: dict[int, RationalFunction] = {}
        self.fuel = Fuel(FUEL)

    def form(self, e: Expr) -> Form:
        """The normal form; NotRationalError or TooLargeError where there is none, ZeroDivisionError if undefined."""
        if not isinstance(e, Call) and (function := RationalFunction.from_expr(e)) is not None:
            return self._single(residue(e, self.at), function)  # all of a rational part at once
        match e:
            case Call("max" | "min" | "abs", arguments):
                return self._extreme(e.function, [self.form(part) for part in arguments])
            case Add(terms):
                return self._fold(terms, self._sum)
            case Mul(factors):
                return self._fold(factors, self._product)
            case Div(a, b):
                return self._product(self.form(a), self._inverse(self.form(b)))
            case Neg(a):
                return self._negative(self.form(a))
            case Pow(a, b):
                return self._power(self.form(a), whole_number(b))
        raise NotRationalError

    def sign(self, member: int) -> int | None:
        """The sign of a member wherever it is defined, or None if it is not plain."""
        function = self.members[member]
        above, below = self._sign_of(function.numerator), self._sign_of(function.denominator)
        return None if above is None or below is None else above * below

    def _sign_of(self, polynomial: Polynomial) -> int | None:
        signs = {1 if c > 0 else -1 for c in polynomial.terms.values()}
        even = self.positive or all(e % 2 == 0 for row, _ in polynomial.monomials() for e in row.values())
        return (signs.pop() if signs else 0) if len(signs) < 2 and even else None

    def _single(self, member: int, function: RationalFunction) -> Form:
        self.members.setdefault(member, function)
        return frozenset([frozenset([member])])

    def _fold(self, parts: Iterable[Expr], join: Callable[[Form, Form], Form]) -> Form:
        """Join the rational parts first, as one, then the others."""
        forms = [self.form(part) for part in parts]
        forms.sort(key=lambda form: sum(map(len, form)))
        result = forms[0]
        for form in forms[1:]:
            result = join(result, form)
        return result

    def _extreme(self, function: str, forms: list[Form]) -> Form:
        if function == "abs":
            return self._reduced([*forms[0], *self._negative(forms[0])])
        if function == "max":
            return self._reduced([group for form in forms for group in form])
        return self._reduced(_bounded(frozenset().union(*choice) for choice in product(*forms)))

    def _mapped(self, a: Form, change: Callable[[int], int]) -> Form:
        return self._reduced([frozenset(map(change, group)) for group in a])

    def _paired(self, a: Form, b: Form, join: Callable[[int, int], int]) -> Form:
        return self._reduced(_bounded(frozenset(join(x, y) for x in s for y in t) for s in a for t in b))

    def _turned(self, a: Form, change: Callable[[int], int]) -> Form:
        """The form after a falling change of every member: max and min change places."""
        return self._reduced(_bounded(frozenset(map(change, choice)) for choice in product(*a)))

    def _pay(self, a: RationalFunction, b: RationalFunction) -> None:
        """Pay for the products that two members are joined or compared by."""
        self.fuel.spend(sum(map(len, (a.numerator.terms, a.denominator.terms))) * len(b.numerator.terms))
        self.fuel.spend(len(a.numerator.terms) * len(b.denominator.terms))

    def _sum(self, a: Form, b: Form) -> Form:
        return self._paired(a, b, self._add)

    def _add(self, x: int, y: int) -> int:
        total = (x + y) % PRIME
        if total not in self.members:
            self._pay(self.members[x], self.members[y])
            self.members[total] = self.members[x] + self.members[y]
        return total

    def _multiply(self, x: int, y: int) -> int:
        total = x * y % PRIME
        if total not in self.members:
            self._pay(self.members[x], self.members[y])
            self.members[total] = self.members[x] * self.members[y]
        return total

    def _product(self, a: Form, b: Form) -> Form:
        for x, y in ((a, b), (b, a)):
            single = _only(x)
            if single is not None and _only(y) is None:
                sign = self.sign(single)
                if sign is None:
                    raise NotRationalError
                return self._scaled(y, single, sign)
        if _only(a) is None and not self._all_positive(a, b):
            raise NotRationalError
        return self._paired(a, b, self._multiply)

    def _scaled(self, a: Form, factor: int, sign: int) -> Form:
        change = self._turned if sign < 0 else self._mapped
        return change(a, lambda member: self._multiply(factor, member))

    def _all_positive(self, *forms: Form) -> bool:
        return all(self.sign(m) in (0, 1) for form in forms for group in form for m in group)

    def _negative(self, a: Form) -> Form:
        def negate(x: int) -> int:
            self.members.setdefault(-x % PRIME, -self.members[x])
            return -x % PRIME

        return self._turned(a, negate)

    def _inverse(self, a: Form) -> Form:
        def invert(x: int) -> int:
            if not self.members[x]:
                raise ZeroDivisionError
            inverse = pow(x, -1, PRIME)
            self.members.setdefault(inverse, self.members[x] ** -1)
            return inverse

        if _only(a) is None and not self._all_positive(a):
            raise NotRationalError
        return self._turned(a, invert)

    def _power(self, a: Form, n: int | None) -> Form:
        if n is None:
            raise NotRationalError
        if n < 0:
            return self._power(self._inverse(a), -n)
        if _only(a) is None and n % 2 == 0 and not self._all_positive(a):
            raise NotRationalError

        def raised(x: int) -> int:
            result = pow(x, n, PRIME)
            if result not in self.members:
                self.members[result] = self.members[x] ** n
            return result

        return self._mapped(a, raised)

    def _reduced(self, groups: Iterable[frozenset[int]]) -> Form:
        """Without members that never decide: larger ones of a min, and mins below another one."""
        distinct = set(map(self._lowest, set(groups)))
        if len(distinct) == 1:
            return frozenset(distinct)
        kept: set[frozenset[int]] = set()
        for group in sorted(distinct, key=sorted):
            if any(self._under(group, other) for other in kept):
                continue
            kept = {other for other in kept if not self._under(other, group)}
            kept.add(group)
        return frozenset(kept)

    def _lowest(self, group: frozenset[int]) -> frozenset[int]:
        if len(group) == 1:
            return group
        return frozenset(m for m in group if not any(m != o and self._at_most(o, m) for o in group))

    def _under(self, group: frozenset[int], other: frozenset[int]) -> bool:
        """Whether min(group) <= min(other) everywhere, term by term."""
        return all(any(m == o or self._at_most(m, o) for m in group) for o in other)

    def _at_most(self, low: int, high: int) -> bool:
        a, b = self.members[high], self.members[low]
        self.fuel.spend(_COMPARISON)
        self._pay(a, b)
        difference = a - b
        above, below = self._sign_of(difference.numerator), self._sign_of(difference.denominator)
        return above is not None and below is not None and above * below >= 0


def _only(form: Form) -> int | None:
    """The member of a form that has only one."""
    if len(form) != 1:
        return None
    (group,) = form
    return next(iter(group)) if len(group) == 1 else None


def _bounded(groups: Iterable[frozenset[int]]) -> list[frozenset[int]]:
    found: list[frozenset[int]] = []
    members = 0
    for group in groups:
        members += len(group)
        if members > MAX_MEMBERS:
            raise TooLargeError("too many cases of max and min")
        found.append(group)
    return found

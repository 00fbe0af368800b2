"""Two expressions compared at points: of many sizes, and on both sides of every change of max, min and abs."""

from collections import Counter
from collections.abc import Iterator, Sequence
from decimal import Decimal
from fractions import Fraction
from hashlib import blake2b

from grader.maths.ball import WIDE, Ball, UndefinedError, UnsureError, ball, is_zero
from grader.maths.domain import Domain
from grader.maths.expression import Call, Constant, Expr, Neg, Number, Pow, symbols_of, walk
from grader.maths.lattice import Lattice
from grader.maths.residue import points
from grader.maths.sample import LADDER, Place, exact
from grader.maths.sign import plainly_positive
from grader.maths.terms import Fuel, TooLargeError, whole_number

# powers of ten between which the symbols of a point lie: like sizes first, then farther and farther apart
SPANS = (
    (0, 0), (-1, 1), (2, 4), (-3, 3), (-1, 0), (0, 1), (3, 3), (-6, 6), (0, 12), (-3, -1), (-12, 12), (-30, 30),
    (0, 2), (-1, 1), (1, 5), (-2, 2),
)  # fmt: skip
FUEL = 4_000  # operations of one decision: some 20 ms
MIN_POINTS = 6  # at which both must be defined and agree
TOLERANCE = Decimal("1e-12")  # where a number typed beside roots and logarithms was rounded
ROUNDED = 12  # digits of a number that was
RELIABLE = -25  # a value is good when its error is below 10^-25 of it
FARTHEST = 320  # powers of ten within which a change is sought
SMALL_SPANS = ((-1, -1), (-2, -1), (-2, -2), (-4, -1), (-5, -3), (-3, -2))
FIRST = 4  # points at which most wrong answers show
MIN_USE = 2  # points at which a branch must decide
BASES = 2  # points from which it is sought
_EXTREMES = ("max", "min", "abs")


class Sampling:
    """The points follow from the key and from both texts, so that an answer can't be aimed at them."""

    def __init__(self, a: Expr, b: Expr, domain: Domain) -> None:
        self.a, self.b = a, b
        self.signed = domain.assume == "real"
        texts = "\n".join(sorted((repr(a), repr(b))))
        self.key = blake2b(texts.encode(), key=blake2b(domain.key).digest()).digest()
        nodes = self.nodes = [*walk(a), *walk(b)]
        calls = {node.function for node in nodes if isinstance(node, Call)}
        self.steps = bool(calls & {"floor", "ceil"})
        self.rational = calls <= {*_EXTREMES, "floor", "ceil"} and _is_rational(nodes)
        self.extremes = [node for node in dict.fromkeys(nodes) if isinstance(node, Call) and node.function in _EXTREMES]
        self.tolerance = TOLERANCE if any(map(was_rounded, nodes)) else Decimal(0)
        self.fuel = Fuel(FUEL)
        self.names = sorted(symbols_of(a) | symbols_of(b))

    def refuted(self) -> bool:
        """Whether the values differ at one of the first points."""
        return any(self.same(place) is False for place in self.places(SPANS[:FIRST]))

    def agree(self) -> bool | None:
        """Whether the values agree at all points, every branch of max and min in use at two or more of them."""
        agreed = 0
        for spans in (SPANS, SMALL_SPANS):  # the latter for what is defined near 0 alone, such as asin
            if agreed < MIN_POINTS:
                for place in self.places(spans):
                    found = self.same(place)
                    if found is False:
                        return False
                    agreed += found is True
        used = list(self.places())
        for place in self._changes(used):
            if self.same(place) is False:
                return False
            used.append(place)
        enough = agreed >= (MIN_POINTS if self.names else 1)
        return True if enough and self._all_branches(used) else None

    def nowhere_defined(self) -> bool:
        """Whether the first expression has a value at no point, and plainly none at some."""
        found = [self._defined(place) for place in self.places()]
        return True not in found and found.count(False) >= min(MIN_USE, len(found))

    def places(self, spans: Sequence[tuple[int, int]] = SPANS) -> Iterator[dict[str, Decimal]]:
        """The points; where floor or ceil occur, whole ones too."""
        if not self.names:
            yield {}
            return
        for i, span in enumerate(spans):
            place = Place(self.key, f"sample {i} {span}", span, signed=self.signed)
            yield {name: place[name] for name in self.names}
            if self.steps:
                yield {name: place[name].to_integral_value() + 1 for name in self.names}

    def same(self, place: dict[str, Decimal]) -> bool | None:
        """Whether both have the same value at a point; None where that can't be told or neither is defined."""
        if self.rational:
            try:
                return self._same_exactly(place)
            except TooLargeError:  # of this point, unless there is no fuel left
                self.fuel.spend(1)
        for digits in LADDER:
            found = self._values(place, digits, final=digits == LADDER[-1])
            if isinstance(found, bool):
                return found
            if found is not None:
                verdict = self._compared(*found, final=digits == LADDER[-1])
                if verdict is not None:
                    return verdict
        return None

    def _compared(self, a: Ball, b: Ball, *, final: bool) -> bool | None:
        (v, r), (w, s) = a, b
        difference, error = WIDE.subtract(v, w).copy_abs(), WIDE.add(r, s)
        size = max(v.copy_abs(), w.copy_abs())
        if difference > error and difference > WIDE.multiply(size, self.tolerance):
            return False
        if error <= WIDE.scaleb(size, RELIABLE) or (final and is_zero(size, error)):
            return True
        return None

    def _same_exactly(self, place: dict[str, Decimal]) -> bool | None:
        self.fuel.spend(len(self.nodes))
        point = {name: Fraction(v) for name, v in place.items()}
        values = []
        for expression in (self.a, self.b):
            try:
                values.append(exact(expression, point))
            except ZeroDivisionError:
                values.append(None)  # drawn points meet a pole only where it fills a region
        if None in values:
            return None if values[0] is values[1] or self._whole(place) else False
        return values[0] == values[1]

    def _values(self, place: dict[str, Decimal], digits: int, *, final: bool) -> tuple[Ball, Ball] | bool | None:
        """Both values; False where only one of them is defined, None where the digits do not tell."""
        values: list[Ball | None] = []
        for expression in (self.a, self.b):
            try:
                values.append(ball(expression, place, digits, final=final, fuel=self.fuel))
            except UndefinedError:
                values.append(None)
            except UnsureError:
                return None
        first, second = values
        if first is None or second is None:
            return None if first is second or self._whole(place) else False
        return first, second

    def _whole(self, place: dict[str, Decimal]) -> bool:
        return self.steps and all(v == v.to_integral_value() for v in place.values())

    def _defined(self, place: dict[str, Decimal]) -> bool | None:
        try:
            ball(self.a, place, LADDER[-1], final=True, fuel=self.fuel)
        except UndefinedError:
            return False
        except UnsureError:
            return None
        return True

    def _changes(self, used: list[dict[str, Decimal]]) -> Iterator[dict[str, Decimal]]:
        """Points on both sides of where two branches change over, for branches not in use at two points yet."""
        for node in self.extremes:
            branches = _branches(node)
            for i, count in enumerate(_counts(self._use(node, used), node)):
                if count < MIN_USE:
                    branch = branches[i]
                    for other in branches[:i] + branches[i + 1 :]:
                        yield from self._crossings(branch, other, used[:BASES])

    def _crossings(self, p: Expr, q: Expr, bases: list[dict[str, Decimal]]) -> Iterator[dict[str, Decimal]]:
        for base in bases:
            for name in sorted(symbols_of(p) | symbols_of(q)):
                yield from self._along(p, q, base, name)

    def _along(self, p: Expr, q: Expr, base: dict[str, Decimal], name: str) -> Iterator[dict[str, Decimal]]:
        """Move one symbol by powers of ten until the order of p and q changes."""

        def moved(k: int) -> dict[str, Decimal]:
            return {**base, name: WIDE.scaleb(base[name], k)}

        sign = self._order(p, q, base)
        for far in (-FARTHEST, FARTHEST):
            if sign is None or self._order(p, q, moved(far)) in (sign, None):
                continue
            same, changed = 0, far
            while abs(changed - same) > 1:
                middle = (same + changed) // 2
                if self._order(p, q, moved(middle)) == sign:
                    same = middle
                else:
                    changed = middle
            step = changed - same
            yield from (moved(k) for k in (same - step, same, changed, changed + step))

    def _order(self, p: Expr, q: Expr, place: dict[str, Decimal]) -> int | None:
        """1, 0 or -1 as p is above, at or below q; None where that can't be told."""
        values = [self._value(part, place) for part in (p, q)]
        if None in values:
            return None
        (v, r), (w, s) = (found for found in values if found is not None)
        if WIDE.subtract(v, w).copy_abs() <= WIDE.add(r, s):
            return 0
        return 1 if v > w else -1

    def _value(self, expression: Expr, place: dict[str, Decimal]) -> Ball | None:
        try:
            return ball(expression, place, LADDER[0], final=True, fuel=self.fuel)
        except (UndefinedError, UnsureError):
            return None

    def _use(self, node: Call, used: list[dict[str, Decimal]]) -> Counter[int]:
        """At how many points each branch decides."""
        counts: Counter[int] = Counter()
        for place in used:
            values = [self._value(branch, place) for branch in _branches(node)]
            known = [found[0] for found in values if found is not None]
            if len(known) == len(values):
                counts[known.index(min(known) if node.function == "min" else max(known))] += 1
        return counts

    def _all_branches(self, used: list[dict[str, Decimal]]) -> bool:
        return all(
            count >= MIN_USE or self._inert(node, branch)
            for node in self.extremes
            for count, branch in zip(_counts(self._use(node, used), node), _branches(node), strict=True)
        )

    def _inert(self, node: Call, branch: Expr) -> bool:
        """Whether a branch plainly never decides."""
        if node.function == "abs" and not self.signed and plainly_positive(node.arguments[0]):
            return True
        lattice = Lattice(points(self.key), positive=not self.signed)
        try:
            members = frozenset().union(*lattice.form(node))
            return members.isdisjoint(frozenset().union(*lattice.form(branch)))
        except ArithmeticError:
            return False


def _counts(counts: Counter[int], node: Call) -> list[int]:
    return [counts[i] for i in range(len(_branches(node)))]


def _branches(node: Call) -> list[Expr]:
    if node.function == "abs":
        return [node.arguments[0], Neg(node.arguments[0])]
    return list(node.arguments)


def was_rounded(node: Expr) -> bool:
    """Whether the node is a number typed with so many digits that it stands for a root or a logarithm."""
    return isinstance(node, Number) and len(str(node.value.numerator).strip("-0")) >= ROUNDED


def _is_rational(nodes: list[Expr]) -> bool:
    return not any(
        isinstance(node, Constant) or (isinstance(node, Pow) and whole_number(node.exponent) is None) for node in nodes
    )

"""Whether a ratio tends to 1 along the paths of a regime, for functions that are not rational: by values.

Each path lets the symbols grow like powers of one number. With enough digits a ratio such as
(D - sqrt(D^2 - 4 B D))/(2 B) is followed to D = 10^64, and slow decays such as 1/log(D) to D = 10^(10^12).
On slow paths a symbol is far larger than another only like a root of a logarithm: there B log(D)/D does not vanish,
though D is far larger than B.
"""

from collections.abc import Iterator, Mapping
from decimal import Decimal
from fractions import Fraction

from grader.maths.ball import WIDE, UndefinedError, UnsureError, ball, is_zero
from grader.maths.domain import Domain
from grader.maths.expression import Add, Div, Expr, Neg, Number, symbols_of, walk
from grader.maths.regime import Regime
from grader.maths.sample import Place
from grader.maths.sampling import TOLERANCE, was_rounded
from grader.maths.terms import Fuel, TooLargeError

_SIZES = (4, 8, 16, 32, 64)  # powers of ten that the fastest symbol reaches
_HUGE = (10**4, 10**8, 10**12)
_DIGITS = (50, 300)
FUEL = 6_000  # operations of one decision: some 30 ms
_GONE = Decimal("1e-9")
_FALLING = Decimal("0.01")
_STILL = Decimal("0.95")
_SPANS = ((0, 0), (0, 2))  # of the symbols that stay fixed; on the first they are near 1
_NEAR_ONE = Decimal("0.0125")
_MODEST = 1000  # a constant beyond it may hide where a slow path leads


def tends_to_one(answer: Expr, solution: Expr, domain: Domain, fuel: Fuel | None = None) -> bool | None:
    """Whether answer/solution tends to 1 on all paths tried; None where the values do not tell, or out of fuel."""
    if domain.regime is None:
        return None
    names = sorted(symbols_of(answer) | symbols_of(solution))
    excess = _Excess(answer, solution, fuel or Fuel(FUEL))
    verdict: bool | None = True
    for path in _paths(domain.regime, names, domain.key):
        try:
            found = excess.vanishes(path)
        except TooLargeError:
            return None
        if found is False:
            return False
        verdict = verdict and found
    try:
        stays = any(excess.stays(path) for path in _slow_paths(domain.regime, names, domain.key))
    except TooLargeError:
        return None
    return (False if excess.modest else None) if stays else verdict


def _slow_paths(regime: Regime, names: list[str], key: bytes) -> Iterator["_Path"]:
    """The symbols of one up-set grow like a power; all else that must grow does so like a root of its logarithm."""
    for up_set in regime.up_sets[:7]:
        slow = {name: regime.levels.get(name, 0) for name in names}
        rates = {name: int(name in up_set) for name in names}
        yield _Path(rates, Place(key, "slow path", _SPANS[0]), slow)


def _paths(regime: Regime, names: list[str], key: bytes) -> Iterator["_Path"]:
    low, high = regime.growth_rates()[:2]  # the slowest symbols fixed; all of them growing
    close = {name: rate + 9 for name, rate in low.items()}
    tried = set()
    for base in (low, close, high):
        for up_set in (frozenset[str](), *regime.up_sets[:7]):
            rates = tuple(base.get(name, 0) + 2 * (name in up_set) if name in base else 0 for name in names)
            if rates in tried:
                continue
            tried.add(rates)
            for k, span in enumerate(_SPANS if 0 in rates else _SPANS[:1]):
                place = Place(key, f"path {len(tried)} {k}", span)
                yield _Path(dict(zip(names, rates, strict=True)), place)


class _Path:
    """Symbols grow like 10^(rate * t) t^(slow / 4) times a number near 1, or stay fixed where they have neither."""

    def __init__(self, rates: Mapping[str, int], place: Place, slow: Mapping[str, int] | None = None) -> None:
        self.rates, self.place, self.slow = rates, place, slow or {}
        self.top = max(rates.values(), default=0)

    def at(self, size: int) -> dict[str, Decimal]:
        """The point at which the fastest symbol is about 10^size."""
        steps = {name: rate * size // self.top if rate else 0 for name, rate in self.rates.items()}
        root = (len(str(size)) - 1) // 4
        steps |= {name: steps[name] + slow * root for name, slow in self.slow.items()}
        at = {name: WIDE.scaleb(self.place[name], step) for name, step in steps.items()}
        if self.place.span == _SPANS[0]:
            fixed = (name for name, rate in self.rates.items() if not rate and not self.slow.get(name))
            at |= {name: WIDE.fma(at[name], _NEAR_ONE, Decimal(1)) for name in fixed}
        return at


class _Excess:
    """answer/solution - 1."""

    def __init__(self, answer: Expr, solution: Expr, fuel: Fuel) -> None:
        self.value = Add((Div(answer, solution), Neg(Number(1))))
        self.solution = solution
        self.tiny = TOLERANCE if any(map(was_rounded, walk(self.value))) else Decimal(0)
        self.fuel = fuel

    def vanishes(self, path: _Path) -> bool | None:
        """Whether it tends to 0: it falls faster and faster, or at huge arguments is all but gone."""
        if not path.top:  # nothing grows: the value is what it is
            value = self._size(path.at(0))
            return None if value is None else value <= self.tiny
        far = self._sizes(path, _HUGE, _DIGITS[:1])  # far beyond all constants
        if len(far) == len(_HUGE):
            return self._trend(far)
        near = self._sizes(path, _SIZES)
        if len(near) < 3:
            return None
        if near[-1].is_finite() and near[-1] <= max(self.tiny, WIDE.multiply(_GONE, min(near[-3], Decimal(1)))):
            return True
        return self._trend(near[-3:])

    def stays(self, path: _Path) -> bool:
        """Whether it is seen not to fall; where it falls slowly, no more than that can be told."""
        values = self._sizes(path, _HUGE, _DIGITS[:1])
        if len(values) < len(_HUGE) or not values[-1].is_finite():
            return False
        return values[-1] > self.tiny and values[-1] >= WIDE.multiply(max(values[:-1]), _STILL)

    @property
    def modest(self) -> bool:
        """Whether no constant is so large or so small that a slow path ends before it is outgrown."""
        sizes = (abs(Fraction(part.value)) for part in walk(self.value) if isinstance(part, Number) and part.value)
        return all(size <= _MODEST and size * _MODEST >= 1 for size in sizes)

    def _sizes(self, path: _Path, sizes: tuple[int, ...], ladder: tuple[int, ...] = _DIGITS) -> list[Decimal]:
        """The sizes at growing points; none where already the first can't be told."""
        found: list[Decimal] = []
        for size in sizes:
            value = self._size(path.at(size), ladder)
            if value is not None:
                found.append(value)
            elif not found:
                return []
        return found

    def _size(self, at: dict[str, Decimal], ladder: tuple[int, ...] = _DIGITS) -> Decimal | None:
        """|value| at a point; infinite where only the answer is undefined, None where the digits do not tell."""
        for digits in ladder:
            try:
                value, radius = ball(self.value, at, digits, fuel=self.fuel)
            except UndefinedError:
                return Decimal("Infinity") if self._solution_defined(at) else None
            except UnsureError:
                continue
            if is_zero(value, radius):
                return Decimal(0)
            if radius <= WIDE.scaleb(value.copy_abs(), -3):
                return value.copy_abs()
        return None

    def _trend(self, values: list[Decimal]) -> bool | None:
        first, second, third = values
        if not third.is_finite():
            return False
        if third <= self.tiny or (third <= WIDE.multiply(second, _FALLING) and second <= first):
            return True
        return False if third >= WIDE.multiply(second, _STILL) else None

    def _solution_defined(self, at: dict[str, Decimal]) -> bool:
        try:
            value, radius = ball(self.solution, at, _DIGITS[0], fuel=self.fuel)
        except (UndefinedError, UnsureError):
            return False
        return value.copy_abs() > radius

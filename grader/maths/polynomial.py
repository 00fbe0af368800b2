"""Polynomials over the rationals and rational functions, with names of variables and a neat form for people.

All work is bounded: what grows beyond it raises TooLargeError (an ArithmeticError), never takes long.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import prod

from grader.maths.expression import (
    Add,
    Call,
    Constant,
    Div,
    Expr,
    Mul,
    Neg,
    Number,
    Pow,
    Rational,
    Symbol,
    rational,
    rebuild,
    substitute,
)  # fmt: skip
from grader.maths.gcd import common_divisor, divide, root
from grader.maths.terms import (
    FIELD,
    MASK,
    ONE,
    Fields,
    Fuel,
    NotRationalError,
    Terms,
    TooLargeError,
    add,
    common_monomial,
    constant_value,
    content_of,
    exponents,
    multiply,
    power,
    read_fraction,
    whole_number,
)  # fmt: skip

__all__ = ["NotRationalError", "Polynomial", "RationalFunction", "TooLargeError", "simplified"]


@dataclass(frozen=True, slots=True, eq=False)
class Polynomial:
    """A polynomial in `variables`, which are sorted."""

    variables: tuple[str, ...]
    terms: Terms

    def __bool__(self) -> bool:
        return bool(self.terms)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Polynomial):
            return NotImplemented
        a, b, _ = _aligned(self, other)
        return a == b

    def __hash__(self) -> int:
        return hash(frozenset((frozenset(m.items()), c) for m, c in self.monomials()))

    def __add__(self, other: "Polynomial") -> "Polynomial":
        a, b, names = _aligned(self, other)
        return Polynomial(names, add(a, b))

    def __sub__(self, other: "Polynomial") -> "Polynomial":
        a, b, names = _aligned(self, other)
        return Polynomial(names, add(a, b, -1))

    def __mul__(self, other: "Polynomial") -> "Polynomial":
        a, b, names = _aligned(self, other)
        return Polynomial(names, multiply(a, b, Fuel()))

    def __pow__(self, n: int) -> "Polynomial":
        return Polynomial(self.variables, power(self.terms, n, Fuel()))

    def __neg__(self) -> "Polynomial":
        return Polynomial(self.variables, {k: -v for k, v in self.terms.items()})

    def over(self, names: tuple[str, ...]) -> Terms:
        """The terms with the monomials packed for a larger set of variables, sorted."""
        return self.terms if names == self.variables else _repacked(self, names)

    def monomials(self) -> Iterator[tuple[dict[str, int], Rational]]:
        """Each term as its exponents other than 0 by variable, and its coefficient; in human order."""
        rows = [(exponents(m, len(self.variables)), c) for m, c in self.terms.items()]
        rows.sort(key=lambda row: (-sum(row[0]), tuple(-e for e in row[0])))
        for row, c in rows:
            yield {name: e for name, e in zip(self.variables, row, strict=True) if e}, c

    def coefficients(self, name: str) -> dict[int, "Polynomial"]:
        """The coefficients of the powers of one variable."""
        if name not in self.variables:
            return {0: self} if self else {}
        shift = FIELD * self.variables.index(name)
        parts: dict[int, Terms] = {}
        for m, c in self.terms.items():
            degree = m >> shift & MASK
            parts.setdefault(degree, {})[m - (degree << shift)] = c
        return {degree: Polynomial(self.variables, terms) for degree, terms in parts.items()}

    def degree(self, name: str) -> int:
        """The highest power of a variable; 0 for the zero polynomial."""
        return max(self.coefficients(name), default=0)

    @property
    def constant(self) -> Rational | None:
        """The value of a polynomial that has no variable in its terms, else None."""
        if not self.terms:
            return 0
        return rational(self.terms[0]) if len(self.terms) == 1 and 0 in self.terms else None

    @property
    def used(self) -> frozenset[str]:
        """The variables that occur in the terms."""
        return frozenset(name for exponents, _ in self.monomials() for name in exponents)

    def value(self, point: Mapping[str, Rational]) -> Rational:
        """The value at a point."""
        total: Rational = 0
        for powers, c in self.monomials():
            total += c * prod(point[name] ** e for name, e in powers.items())
        return rational(total)

    def to_expr(self) -> Expr:
        """A neat tree: common factors in front, terms from the highest degree down."""
        if not self.terms:
            return Number(0)
        factors, rest = self.split()
        if rest.constant == 1:
            return product_of(factors)
        return product_of([*factors, rest._sum()]) if factors else rest._sum()

    def split(self) -> tuple[list[Expr], "Polynomial"]:
        """The common factors (number, then symbols) and what remains."""
        content, common = content_of(self.terms), common_monomial(self.terms, len(self.variables))
        if len(self.terms) == 1 and next(iter(self.terms.values())) < 0:
            content = -content
        factors: list[Expr] = [] if content == 1 else [Number(content)]
        powers = zip(self.variables, exponents(common, len(self.variables)), strict=True)
        factors += [_power_expr(name, e) for name, e in powers if e]
        rest = {m - common: rational(Fraction(c) / content) for m, c in self.terms.items()}
        return factors, Polynomial(self.variables, rest)

    def _sum(self) -> Expr:
        terms = [_term_expr(powers, c) for powers, c in self.monomials()]
        return terms[0] if len(terms) == 1 else Add(tuple(terms))


def _aligned(a: Polynomial, b: Polynomial) -> tuple[Terms, Terms, tuple[str, ...]]:
    if a.variables == b.variables:
        return a.terms, b.terms, a.variables
    names = tuple(sorted({*a.variables, *b.variables}))
    return a.over(names), b.over(names), names


def _repacked(polynomial: Polynomial, names: tuple[str, ...]) -> Terms:
    moves = [(FIELD * i, FIELD * names.index(name)) for i, name in enumerate(polynomial.variables)]
    return {sum((m >> old & MASK) << new for old, new in moves): c for m, c in polynomial.terms.items()}


def product_of(factors: Sequence[Expr]) -> Expr:
    """A product, a single factor, or 1; a factor -1 in front becomes a sign."""
    if len(factors) > 1 and isinstance(factors[0], Number) and factors[0].value < 0:
        value = -factors[0].value
        return Neg(product_of(factors[1:] if value == 1 else [Number(value), *factors[1:]]))
    if not factors:
        return Number(1)
    return factors[0] if len(factors) == 1 else Mul(tuple(factors))


def _power_expr(name: str, exponent: int) -> Expr:
    return Symbol(name) if exponent == 1 else Pow(Symbol(name), Number(exponent))


def _term_expr(powers: Mapping[str, int], coefficient: Rational) -> Expr:
    factors = [_power_expr(name, e) for name, e in powers.items()]
    if coefficient != 1 or not factors:
        return product_of([Number(rational(coefficient)), *factors])
    return product_of(factors)


@dataclass(frozen=True, slots=True, eq=False)
class RationalFunction:
    """A quotient of two polynomials in the same variables; the denominator is not 0."""

    numerator: Polynomial
    denominator: Polynomial

    @classmethod
    def from_expr(cls, expression: Expr) -> "RationalFunction | None":
        """The expression as a quotient, not cancelled; None if it is no rational function of its symbols.

        Raises TooLargeError, or ZeroDivisionError where the expression is undefined everywhere.
        """
        fields = Fields()
        try:
            num, den = read_fraction(expression, fields, Fuel())
        except NotRationalError:
            return None
        found = tuple(fields)
        top, bottom = Polynomial(found, num), Polynomial(found, den)
        names = tuple(sorted(found))
        return cls(Polynomial(names, top.over(names)), Polynomial(names, bottom.over(names)))

    @classmethod
    def number(cls, value: Rational) -> "RationalFunction":
        """A constant."""
        num: Terms = {0: value.numerator} if value else {}
        return cls(Polynomial((), num), Polynomial((), {0: value.denominator}))

    def __bool__(self) -> bool:
        return bool(self.numerator)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, RationalFunction):
            return NotImplemented
        return self.numerator * other.denominator == other.numerator * self.denominator

    def __hash__(self) -> int:
        lowest = self.cancel()
        return hash((lowest.numerator, lowest.denominator))

    def __add__(self, other: "RationalFunction") -> "RationalFunction":
        if self.denominator == other.denominator:
            return _quotient(self.numerator + other.numerator, self.denominator)
        top = self.numerator * other.denominator + other.numerator * self.denominator
        return _quotient(top, self.denominator * other.denominator)

    def __sub__(self, other: "RationalFunction") -> "RationalFunction":
        return self + -other

    def __neg__(self) -> "RationalFunction":
        return RationalFunction(-self.numerator, self.denominator)

    def __mul__(self, other: "RationalFunction") -> "RationalFunction":
        return _quotient(self.numerator * other.numerator, self.denominator * other.denominator)

    def __truediv__(self, other: "RationalFunction") -> "RationalFunction":
        return self * other**-1

    def __pow__(self, n: int) -> "RationalFunction":
        if n >= 0:
            return _quotient(self.numerator**n, self.denominator**n)
        if not self.numerator:
            raise ZeroDivisionError
        return _quotient(self.denominator**-n, self.numerator**-n)

    def cancel(self) -> "RationalFunction":
        """In lowest terms: whole coefficients without a common divisor, the denominator's first one positive."""
        if not self.numerator:
            return RationalFunction.number(0)
        names, num, den = self.numerator.variables, self.numerator.terms, self.denominator.terms
        above, below = content_of(num), content_of(den)
        sign = -1 if den[max(den)] < 0 else 1
        num = {m: int(Fraction(c) / above) * sign for m, c in num.items()}
        den = {m: int(Fraction(c) / below) * sign for m, c in den.items()}
        num, den = _lowest(num, den, len(names))
        factor = Fraction(above) / below
        num = {m: c * factor.numerator for m, c in num.items()}
        den = {m: c * factor.denominator for m, c in den.items()}
        return RationalFunction(Polynomial(names, num), Polynomial(names, den))

    @property
    def constant(self) -> Rational | None:
        """The value where it depends on no symbol, else None."""
        try:
            lowest = self.cancel()
        except TooLargeError:
            return None
        top, bottom = lowest.numerator.constant, lowest.denominator.constant
        return None if top is None or bottom is None else rational(Fraction(top) / bottom)

    def value(self, point: Mapping[str, Rational]) -> Rational:
        """The value at a point; ZeroDivisionError at a pole."""
        return rational(Fraction(self.numerator.value(point)) / self.denominator.value(point))

    def to_expr(self) -> Expr:
        """A neat tree such as 2*B*D*F/(B*D + B*F + D*F); cancel first for lowest terms."""
        if self.denominator.constant is not None:
            factor = rational(1 / Fraction(self.denominator.constant))
            if factor == 1 or self.numerator.constant is not None:
                return (self.numerator * Polynomial((), {0: factor})).to_expr()
        _, first = next(self.denominator.monomials())
        if first < 0:
            return _divided((-self.numerator).to_expr(), (-self.denominator).to_expr())
        return _divided(self.numerator.to_expr(), self.denominator.to_expr())


def _divided(top: Expr, bottom: Expr) -> Expr:
    """A quotient with the sign in front."""
    if isinstance(top, Neg):
        return Neg(Div(top.operand, bottom))
    if isinstance(top, Number) and top.value < 0:
        return Neg(Div(Number(-top.value), bottom))
    return Div(top, bottom)


def _quotient(top: Polynomial, bottom: Polynomial) -> RationalFunction:
    a, b, names = _aligned(top, bottom)
    return RationalFunction(Polynomial(names, a), Polynomial(names, b))


def _lowest(num: Terms, den: Terms, count: int) -> tuple[Terms, Terms]:
    """Both divided by their greatest common divisor."""
    common = common_monomial({**num, **den}, count)
    num, den = ({m - common: c for m, c in part.items()} for part in (num, den))
    if len(num) == 1 or len(den) == 1:
        return num, den
    fuel = Fuel()
    divisor = common_divisor(num, den, count, fuel)
    if divisor == ONE:
        return num, den
    a, b = divide(num, divisor, count, fuel), divide(den, divisor, count, fuel)
    if a is None or b is None:
        raise TooLargeError("no exact quotient")
    return (a, b) if b[max(b)] > 0 else ({m: -c for m, c in a.items()}, {m: -c for m, c in b.items()})


def simplified(expression: Expr) -> Expr:
    """The expression in lowest terms and in a neat form.

    Parts that are no rational function (max, roots, pi ...) are simplified inside and then taken as symbols of their
    own. Raises ZeroDivisionError where it is undefined everywhere; what is too large to simplify stays as it is.
    """
    atoms: dict[Expr, str] = {}
    plain = with_atoms(expression, atoms)
    try:
        fraction = RationalFunction.from_expr(plain)
        neat = plain if fraction is None else fraction.cancel().to_expr()
    except TooLargeError:
        neat = plain
    return substitute(neat, {name: atom for atom, name in atoms.items()})


def with_atoms(expression: Expr, atoms: dict[Expr, str]) -> Expr:
    """A rational function in which symbols stand for the parts that are none; `atoms` takes part and symbol."""
    part = without_root(expression)
    whole = not isinstance(part, Pow) or whole_number(part.exponent) is not None
    if whole and not isinstance(part, Call | Constant):
        return rebuild(part, lambda inner: with_atoms(inner, atoms))
    return Symbol(atoms.setdefault(rebuild(part, simplified), f"~{len(atoms)}"))  # sorted behind every name


def without_root(expression: Expr) -> Expr:
    """A root or fractional power of a perfect power as the rational function that it is for positive symbols."""
    match expression:
        case Call("sqrt", (base,)):
            value = Fraction(1, 2)
        case Call("cbrt", (base,)):
            value = Fraction(1, 3)
        case Pow(base, exponent):
            value = Fraction(constant_value(exponent) or 0)
        case _:
            return expression
    if value.denominator == 1:
        return expression
    try:
        fraction = RationalFunction.from_expr(base)
        found = None if fraction is None else _root(fraction.cancel(), value.denominator)
    except ArithmeticError:
        return expression
    return expression if found is None else Pow(found.to_expr(), Number(value.numerator))


def _root(fraction: RationalFunction, n: int) -> RationalFunction | None:
    """The n-th root where it is a rational function with coefficients of one sign."""
    names, fuel = fraction.numerator.variables, Fuel()
    roots = [root(p.terms, n, len(names), fuel) for p in (fraction.numerator, fraction.denominator)]
    if any(r is None or any(c < 0 for c in r.values()) for r in roots):
        return None
    top, bottom = (Polynomial(names, r or {}) for r in roots)
    return RationalFunction(top, bottom)

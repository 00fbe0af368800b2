"""Greatest common divisors, exact quotients and roots of polynomials with whole coefficients.

The divisor is found by the heuristic method: put a large number for one variable after the other, take the gcd of two
whole numbers, read the polynomial back from its digits and check by division. What does not come out within the fuel
raises TooLargeError.
"""

from math import gcd as whole_gcd
from math import isqrt

from grader.maths.terms import FIELD, MASK, ONE, Fuel, Terms, TooLargeError, add, common_monomial, power

MAX_VALUE_BITS = 1 << 14
ATTEMPTS = 6
MAX_ROOT = 16


def common_divisor(a: Terms, b: Terms, count: int, fuel: Fuel) -> Terms:
    """The greatest common divisor of two polynomials other than 0 in `count` variables, leading sign positive."""
    m, k = common_monomial(a, count), common_monomial(b, count)
    common = _common_fields(m, k, count)
    a, b = {x - m: c for x, c in a.items()}, {x - k: c for x, c in b.items()}
    return {x + common: c for x, c in _gcd(a, b, count, fuel).items()}


def _common_fields(m: int, k: int, count: int) -> int:
    return sum(min(m >> FIELD * i & MASK, k >> FIELD * i & MASK) << FIELD * i for i in range(count))


def _gcd(a: Terms, b: Terms, count: int, fuel: Fuel) -> Terms:
    """By recursion over the variables, the last one first."""
    content = whole_gcd(_content(a), _content(b))
    a, b = _divided(a, content), _divided(b, content)
    while count and not any(m >> FIELD * (count - 1) for m in (*a, *b)):
        count -= 1
    if not count:
        return {0: content * whole_gcd(int(a[0]), int(b[0]))}
    if len(a) == 1 or len(b) == 1:  # monomials were split off before: only numbers are left in common
        single, other = (a, b) if len(a) == 1 else (b, a)
        if 0 in single:
            return {0: content * whole_gcd(_content(single), _content(other))}
    shift = FIELD * (count - 1)
    point = max(2 * min(_height(a), _height(b)) + 29, 1000)
    for _ in range(ATTEMPTS):
        fuel.spend(len(a) + len(b))
        at_a, at_b = _at(a, shift, point), _at(b, shift, point)
        if at_a and at_b:
            candidate = _primitive(_from_digits(_gcd(at_a, at_b, count - 1, fuel), shift, point))
            if divide(a, candidate, count, fuel) is not None and divide(b, candidate, count, fuel) is not None:
                return {m: content * c for m, c in candidate.items()}
        point = 73794 * point * isqrt(isqrt(point)) // 27011
    raise TooLargeError("no common divisor found")


def _height(a: Terms) -> int:
    return max(abs(int(c)) for c in a.values())


def _content(a: Terms) -> int:
    return whole_gcd(*(int(c) for c in a.values()))


def _divided(a: Terms, n: int) -> Terms:
    return a if n == 1 else {m: int(c) // n for m, c in a.items()}


def _primitive(a: Terms) -> Terms:
    content = _content(a)
    return _divided(a, content if a[max(a)] > 0 else -content)


def _at(a: Terms, shift: int, point: int) -> Terms:
    """The polynomial with a number put for its last variable."""
    total: Terms = {}
    for m, c in a.items():
        degree = m >> shift
        if degree * point.bit_length() > MAX_VALUE_BITS:
            raise TooLargeError("value too large")
        key = m - (degree << shift)
        total[key] = total.get(key, 0) + c * point**degree
    return {m: c for m, c in total.items() if c}


def _from_digits(a: Terms, shift: int, point: int) -> Terms:
    """The polynomial whose value at `point` is `a`: its coefficients are the digits, from -point/2 to point/2."""
    result: Terms = {}
    degree = 0
    while a:
        rest: Terms = {}
        for m, c in a.items():
            digit = int(c) % point
            if digit > point // 2:
                digit -= point
            if digit:
                result[m + (degree << shift)] = digit
            if c != digit:
                rest[m] = (int(c) - digit) // point
        a, degree = rest, degree + 1
    return result


def divide(a: Terms, b: Terms, count: int, fuel: Fuel) -> Terms | None:
    """The quotient a/b with whole coefficients if it is exact, else None."""
    if b == ONE:
        return a
    guard = sum(1 << FIELD * i + FIELD - 1 for i in range(count))
    lead = max(b)
    top, tail = int(b[lead]), [(m, c) for m, c in b.items() if m != lead]
    rest, quotient = dict(a), Terms()
    while rest:
        fuel.spend(len(b) + len(rest) // 8)
        m = max(rest)
        c, remainder = divmod(int(rest.pop(m)), top)
        if remainder or ((m | guard) - lead) & guard != guard:
            return None
        quotient[m - lead] = c
        for k, v in tail:
            key = m - lead + k
            value = rest.get(key, 0) - c * v
            if value:
                rest[key] = value
            else:
                rest.pop(key, None)
    return quotient


def root(a: Terms, n: int, count: int, fuel: Fuel) -> Terms | None:
    """The polynomial with positive leading coefficient whose n-th power is `a`, if there is one, else None."""
    lead = max(a, default=0)
    if n > MAX_ROOT:
        raise TooLargeError("root too high")
    top = whole_root(int(a[lead]), n) if a else None
    if top is None or any((lead >> FIELD * i & MASK) % n for i in range(count)):
        return None
    lead //= n
    result: Terms = {lead: top}
    slope, corner = n * top ** (n - 1), lead * (n - 1)
    for _ in range(len(a) + 1):
        rest = add(a, power(result, n, fuel), -1)
        if not rest:
            return result
        m = max(rest)
        c, remainder = divmod(int(rest[m]), slope)
        if remainder or m < corner or m - corner in result:
            return None
        result = {**result, m - corner: c}
    return None


def whole_root(value: int, n: int) -> int | None:
    """The exact n-th root of a whole number above 0, or None."""
    if value <= 0 or n > value.bit_length():
        return 1 if value == 1 else None
    low, high = 1, 1 << -(-value.bit_length() // n)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if middle**n <= value else (low, middle - 1)
    return low if low**n == value else None

"""Pi, sine, cosine and arctangent to any number of digits, by their series in decimal arithmetic."""

from decimal import Context, Decimal
from functools import lru_cache

_HALVINGS = 4


@lru_cache(maxsize=64)
def pi(digits: int) -> Decimal:
    """Pi to at least `digits` digits, by Machin's formula in whole numbers."""
    unit = 10 ** (digits + 10)
    scaled = 4 * (4 * _inverse_arctangent(5, unit) - _inverse_arctangent(239, unit))
    return Decimal(scaled).scaleb(-digits - 10, Context(prec=digits + 20))


def _inverse_arctangent(n: int, unit: int) -> int:
    """arctan(1/n) in units of 1/unit."""
    total = power = unit // n
    k, sign = 1, -1
    while power:
        power //= n * n
        k += 2
        total += sign * (power // k)
        sign = -sign
    return total


def sine(ctx: Context, x: Decimal) -> Decimal:
    """The sine of an angle of at most pi/2 in size."""
    return _alternating(ctx, x, ctx.multiply(x, x), 1)


def cosine(ctx: Context, x: Decimal) -> Decimal:
    """The cosine of an angle of at most pi/2 in size."""
    return _alternating(ctx, Decimal(1), ctx.multiply(x, x), 0)


def _alternating(ctx: Context, term: Decimal, square: Decimal, k: int) -> Decimal:
    """term - term square/((k+1)(k+2)) + ... until the sum stays."""
    total = term
    while True:
        term = ctx.divide(ctx.multiply(term.copy_negate(), square), Decimal((k + 1) * (k + 2)))
        k += 2
        following = ctx.add(total, term)
        if following == total:
            return total
        total = following


def arctangent(ctx: Context, x: Decimal) -> Decimal:
    """The arctangent of any number."""
    if x.copy_abs() > 1:
        half = ctx.divide(pi(ctx.prec), Decimal(2)).copy_sign(x)
        return ctx.subtract(half, arctangent(ctx, ctx.divide(Decimal(1), x)))
    for _ in range(_HALVINGS):
        root = ctx.sqrt(ctx.add(Decimal(1), ctx.multiply(x, x)))
        x = ctx.divide(x, ctx.add(Decimal(1), root))
    total, power, square, k = x, x, ctx.multiply(x, x), 1
    while True:
        power = ctx.multiply(power.copy_negate(), square)
        k += 2
        following = ctx.add(total, ctx.divide(power, Decimal(k)))
        if following == total:
            return ctx.multiply(total, Decimal(2**_HALVINGS))
        total = following

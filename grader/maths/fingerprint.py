"""One short text for the value of an expression: equal values have equal fingerprints, whatever the notation.

Rational expressions are told by their residue, max and min by the residues of their normal form, everything else by
its digits at points drawn from the key. Two different rational values share one by a chance of 10^-17 at most; whoever
pays marks for a match confirms it with `equality.equal`.
"""

from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal
from hashlib import blake2b

from grader.maths.ball import WIDE, UndefinedError, UnsureError, ball, is_zero
from grader.maths.domain import Domain
from grader.maths.expression import Call, Expr, rebuild, symbols_of, walk
from grader.maths.lattice import Lattice
from grader.maths.polynomial import without_root
from grader.maths.residue import points, residue
from grader.maths.sample import LADDER, Place
from grader.maths.terms import Fuel, NotRationalError, TooLargeError

UNDEFINED = "undefined"
_DIGITS = 28  # kept of a value; eight more are right, so that rounding hardly ever falls two ways
_ROUND = Context(prec=_DIGITS, Emin=MIN_EMIN, Emax=MAX_EMAX, traps=[])
_SPANS = ((0, 0), (-1, 1), (-3, 3))
_FUEL = 2_000  # operations on digits of one fingerprint: some 10 ms


def fingerprint(expression: Expr, domain: Domain) -> str:
    """The fingerprint of a value over a domain; `undefined` for what has no value anywhere."""
    at = points(domain.key)
    try:
        return f"{residue(expression, at):x}"
    except NotRationalError:
        return _of_other(expression, domain)
    except ZeroDivisionError:
        return UNDEFINED


def _of_other(expression: Expr, domain: Domain) -> str:
    if domain.assume == "positive":
        plain = _without_roots(expression)
        if plain != expression:
            return fingerprint(plain, domain)
    try:
        form = Lattice(points(domain.key), positive=domain.assume == "positive").form(expression)
    except ZeroDivisionError:
        return UNDEFINED
    except (NotRationalError, TooLargeError):
        return _of_digits(expression, domain)
    groups = sorted(",".join(sorted(f"{m:x}" for m in group)) for group in form)
    return "|".join(groups)


def _without_roots(expression: Expr) -> Expr:
    return without_root(rebuild(expression, _without_roots))


def _of_digits(expression: Expr, domain: Domain) -> str:
    signed = domain.assume == "real"
    places: list[dict[str, Decimal]] = [
        Place(domain.key, f"fingerprint {i}", span, signed=signed) for i, span in enumerate(_SPANS)
    ]
    if any(isinstance(node, Call) and node.function in ("floor", "ceil") for node in walk(expression)):
        places.append({name: places[-1][name].to_integral_value() + 1 for name in symbols_of(expression)})
    fuel = Fuel(_FUEL)
    values = [_digits(expression, place, fuel) for place in places]
    if all(value == UNDEFINED for value in values):
        return UNDEFINED
    if "?" in values:  # told apart from everything but the same text
        return "?" + blake2b(repr(expression).encode(), key=blake2b(domain.key).digest(), digest_size=16).hexdigest()
    return "~" + ",".join(values)


def _digits(expression: Expr, place: dict[str, Decimal], fuel: Fuel) -> str:
    for digits in LADDER:
        final = digits == LADDER[-1]
        try:
            value, radius = ball(expression, place, digits, final=final, fuel=fuel)
        except UndefinedError:
            return UNDEFINED
        except UnsureError:
            continue
        except TooLargeError:
            break
        if radius <= WIDE.scaleb(value.copy_abs(), -_DIGITS - 8):
            return str(value.normalize(_ROUND))
        if final and is_zero(value, radius):
            return "0"
    return "?"

"""The grammar: tokens to the expression tree, by precedence climbing, with limits on depth and on size.

sum      = term { ("+" | "-") term }
term     = [signs] product { ("*" | "/") [signs] product }
product  = power { power }                      juxtaposition binds tighter than a slash
power    = atom [ "^" [signs] power ]           from right to left
atom     = number ["%"] | name | bracket | |sum| | function | fraction | root
"""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from grader.errors import ResponseError
from grader.maths import calls, faults, limits
from grader.maths.expression import FUNCTIONS, Add, Call, Constant, Div, Expr, Mul, Neg, Number, Pow, Symbol, rational
from grader.maths.show import text as shown
from grader.maths.tokens import END, Token, Tokens, number
from grader.maths.vocabulary import Arity, vocabulary

MAX_DEPTH = 50
MANY_DIGITS = 250  # fewer never make a constant that is too large, whatever is multiplied

_SMALL_POWER = 9
_ATOMS = frozenset("nsfF(Q√w")  # kinds that may begin an atom; | is told apart by whether one is open


@dataclass(frozen=True, slots=True)
class Parsed:
    """An expression as read, and the plain left-to-right reading where a slash makes that another one."""

    expression: Expr
    alternative: Expr | None = None
    remarks: tuple[str, ...] = ()


def read_expression(text: str, names: Iterable[str] = (), *, functions: Arity = FUNCTIONS) -> Expr:
    """The expression that the whole text stands for; ResponseError with position, reason and mend if there is none.

    `names` are the declared names; `functions` may add functions, with the least and greatest number of arguments.
    """
    return read(text, names, functions=functions).expression


def read(text: str, names: Iterable[str] = (), *, functions: Arity = FUNCTIONS) -> Parsed:
    """As `read_expression`, with the other reading and what should be said of this one."""
    return parse(scan(text, names, functions=functions))


def scan(text: str, names: Iterable[str] = (), *, functions: Arity = FUNCTIONS) -> Tokens:
    """The tokens of the text; ResponseError where a character or a limit refuses."""
    names = names if type(names) is tuple else tuple(names)
    if functions is FUNCTIONS:
        return Tokens(text, vocabulary(names))
    extra = tuple(sorted((name, arity) for name, arity in functions.items() if name not in FUNCTIONS))
    return Tokens(text, vocabulary(names, extra))


def parse(tokens: Tokens, begin: int = 0, end: int | None = None) -> Parsed:
    """The expression that the tokens from `begin` to `end` stand for, all of them."""
    parser = Parser(tokens, begin, end)
    expression = parser.whole()
    if parser.large or parser.digits > MANY_DIGITS:
        _check_limits(expression, parser)
    if not parser.two_readings:
        return Parsed(expression)
    other = Parser(tokens, begin, end)
    other.left_to_right = True
    alternative = other.whole()
    return Parsed(expression, alternative, (f"the slash can be taken in two ways: read as {shown(expression)}",))


def _check_limits(expression: Expr, parser: "Parser") -> None:
    try:
        limits.check(expression)
    except ResponseError as error:
        power = next((i for i, (kind, _) in enumerate(parser.items) if kind in "^x"), 0)
        raise parser.fault(error.reason, error.mend, error.code, power) from None


def _power_of_ten(lexeme: str) -> int:
    """How far the exponent of a number in e notation shifts its point; one too far is refused elsewhere."""
    digits = lexeme.lower().partition("e")[2].lstrip("+-")
    return int(digits) if len(digits) <= 3 else MANY_DIGITS


class Parser:
    """One pass over the tokens. `large` tells that magnitudes must be checked before anybody computes; so do `digits`,
    the digits and powers of ten of all numbers together, when there are many.
    """

    __slots__ = ("bars", "begin", "depth", "digits", "i", "items", "large", "left_to_right", "source", "two_readings")

    def __init__(self, source: Tokens, begin: int, end: int | None) -> None:
        self.source, self.begin = source, begin
        self.items: list[Token] = source.items
        if end is not None and end < len(source.items) - 1:
            self.items = [*source.items[begin:end], END]
        elif begin:
            self.items = source.items[begin:]
        self.i = self.depth = self.bars = self.digits = 0
        self.large = self.left_to_right = self.two_readings = False

    def whole(self) -> Expr:
        if self.items[0][0] == "n" and self.items[1][0] == "n" and (spaced := self.spaced_number()):
            return spaced
        expression = self.sum()
        if self.items[self.i][0] != "end":
            raise self.refuse()
        return expression

    def spaced_number(self) -> Number | None:
        """1 234 567, where it is all that was typed."""
        groups = [value for kind, value in self.items[:-1] if kind == "n"]
        regular = len(groups[0]) <= 3 and groups[0][0] != "0" and all(len(group) == 3 for group in groups[1:])
        if len(groups) < len(self.items) - 1 or not regular or not "".join(groups).isdigit():
            return None
        self.i = len(groups)
        return number("".join(groups), self.source.start(self.begin))

    def refuse(self) -> ResponseError:
        return faults.unexpected(self.source, self.begin + self.i, at_end=self.items[self.i] is END)

    def fault(self, reason: str, mend: str, code: str, index: int | None = None) -> ResponseError:
        at = self.source.start(self.begin + (self.i if index is None else index))
        return ResponseError(reason, position=at, mend=mend, code=code)

    def deeper(self) -> None:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise self.fault(f"nested deeper than {MAX_DEPTH} levels", "write a simpler formula", "too-deep")

    def sum(self) -> Expr:
        first = self.term()
        items = self.items
        kind = items[self.i][0]
        if kind not in {"+", "-"}:
            return first
        terms = [first]
        while kind in {"+", "-"}:
            self.i += 1
            term = self.term()
            terms.append(term if kind == "+" else Neg(term))
            kind = items[self.i][0]
        return Add(tuple(terms))

    def sign(self) -> bool:
        """Whether the signs in front make a minus; passes over them."""
        minus = False
        while (kind := self.items[self.i][0]) == "-" or kind == "+":
            minus ^= kind == "-"
            self.i += 1
        return minus

    def term(self) -> Expr:
        items = self.items
        kind = items[self.i][0]
        minus = (kind in {"-", "+"}) and self.sign()
        left = self.product()
        kind = items[self.i][0]
        if kind in {"*", "/"}:
            left = self.factors(left)
        return Neg(left) if minus else left

    def factors(self, left: Expr) -> Expr:
        """The rest of a term: factors and divisors, from left to right."""
        items, depth = self.items, self.depth
        chain: list[Expr] = [*left.factors] if isinstance(left, Mul) and items[self.i - 1][0] != ")" else [left]
        while (kind := items[self.i][0]) == "*" or kind == "/":
            self.i += 1
            minus = items[self.i][0] in "+-" and self.sign()
            begin = self.i
            power_of_ten = kind == "/" and items[begin][0] == "n" and items[begin + 1][0] == "*" and self.power_of_ten()
            right = self.product()
            if kind == "*":
                chain.append(Neg(right) if minus else right)
                continue
            self.deeper()
            juxtaposed = isinstance(right, Mul) and not (items[begin][0] == "(" and self.closes(begin) == self.i)
            rest: tuple[Expr, ...] = ()
            if power_of_ten:
                self.two_readings = True
                if self.source.is_cross(self.begin + self.i) != self.left_to_right:
                    self.i += 1
                    right = Mul((right, self.product()))
            elif juxtaposed:
                self.two_readings = True
                if self.left_to_right:
                    right, rest = right.factors[0], right.factors[1:]  # type: ignore[union-attr]
            numerator = Mul(tuple(chain)) if len(chain) > 1 else chain[0]
            chain = [Div(numerator, Neg(right) if minus else right), *rest]
        self.depth = depth
        return Mul(tuple(chain)) if len(chain) > 1 else chain[0]

    def closes(self, begin: int) -> int:
        """The index after the bracket that opens at `begin`."""
        level = 0
        for index in range(begin, len(self.items)):
            kind = self.items[index][0]
            level += (kind == "(") - (kind == ")")
            if level == 0:
                return index + 1
        return len(self.items) - 1

    def power_of_ten(self) -> bool:
        """Whether a number times a power of ten comes, such as 3.94 * 10^14: after a slash that has two readings."""
        window = self.items[self.i : self.i + 4]
        return (
            [kind for kind, _ in window[:3]] == ["n", "*", "n"]
            and window[2][1] == "10"
            and window[3][0] in "^x"
            and (self.source.is_cross(self.begin + self.i + 1) or 1 <= number(window[0][1], 0).value < 10)
        )

    def product(self) -> Expr:
        items = self.items
        factors: list[Expr] = []
        while True:
            kind, value = items[self.i]
            if kind == "s":
                self.i += 1
                kind = items[self.i][0]
                factors.append(Pow(value, self.exponent(value)) if kind in {"^", "x"} else value)
            else:
                if kind == "n" and factors:
                    self.number_after()
                factors.append(self.power())
            kind = items[self.i][0]
            if kind not in _ATOMS and (kind != "|" or self.bars):
                break
        if len(factors) == 1:
            return factors[0]
        if isinstance(factors[1], Constant) and isinstance(factors[0], Number):
            faults.unfinished_exponent(self.source, self.begin, self.i)
        return Mul(tuple(factors))

    def number_after(self) -> None:
        """A number may follow a bracket; after a name or another number it is refused."""
        if self.items[self.i - 1][0] in ")|":
            return
        raise faults.number_after(self.source, self.begin + self.i)

    def power(self) -> Expr:
        items = self.items
        kind, value = items[self.i]
        if kind == "s":
            self.i += 1
            base: Expr = value
        else:
            base = self.atom()
        kind = items[self.i][0]
        if kind in {"^", "x"}:
            return Pow(base, self.exponent(base))
        return base

    def exponent(self, base: Expr) -> Expr:
        """The exponent after a base: signs and one power; a second superscript is refused."""
        items = self.items
        kind, value = items[self.i]
        self.i += 1
        if kind == "x":
            exponent: Expr = value
            braced = True
        else:
            minus = self.sign()
            braced = items[self.i] == ("(", "}")
            self.deeper()
            exponent = self.atom() if braced else self.power()
            self.depth -= 1
            exponent = Neg(exponent) if minus else exponent
        if items[self.i][0] == "x" or (braced and items[self.i][0] == "^"):
            raise self.fault("a second superscript", "add brackets: (x^2)^3", "double-superscript")
        if not (isinstance(base, Symbol) and isinstance(exponent, Number) and 0 <= exponent.value <= _SMALL_POWER):
            self.large = True
        return exponent

    def atom(self) -> Expr:
        kind, value = self.items[self.i]
        if kind == "n":
            return self.number()
        if kind == "(":
            return self.bracket()
        if kind == "s":
            self.i += 1
            return value  # type: ignore[no-any-return]
        if kind in {"f", "F"}:
            return self.call()
        if kind == "Q":
            return self.fraction()
        if kind == "|":
            return self.absolute()
        if kind == "√":
            return self.root()
        raise self.refuse()

    def number(self) -> Expr:
        lexeme: str = self.items[self.i][1]
        self.digits += len(lexeme)
        if "e" in lexeme or "E" in lexeme:
            self.digits += _power_of_ten(lexeme)
        value = number(lexeme, -1 if len(lexeme) < 5 else self.source.start(self.begin + self.i))
        self.i += 1
        if self.items[self.i][0] == "%":
            self.i += 1
            return Number(rational(Fraction(value.value) / 100))
        return value

    def bracket(self) -> Expr:
        """What stands in a bracket of any shape; ⌊x⌋ and ⌈x⌉ round."""
        open_at, closing = self.i, self.items[self.i][1]
        bars, self.bars = self.bars, 0
        self.deeper()
        self.i += 1
        inside = self.sum()
        self.close(open_at, closing)
        self.depth -= 1
        self.bars = bars
        if closing == "⌋":
            return Call("floor", (inside,))
        return Call("ceil", (inside,)) if closing == "⌉" else inside

    def close(self, open_at: int, closing: str) -> None:
        kind, value = self.items[self.i]
        if kind == ")" and value == closing:
            self.i += 1
            return
        if kind == "end":
            raise self.fault("a bracket is not closed", f"add {closing}", "unbalanced", open_at)
        if kind == ")":
            raise self.fault(f"{value} closes a bracket that ends in {closing}", f"write {closing}", "unbalanced")
        raise self.refuse()

    def absolute(self) -> Expr:
        open_at = self.i
        self.bars += 1
        self.deeper()
        self.i += 1
        inside = self.sum()
        if self.items[self.i][0] == "end":
            raise self.fault("| is not closed", "add |", "unbalanced", open_at)
        if self.items[self.i][0] != "|":
            raise self.refuse()
        self.i += 1
        self.depth -= 1
        self.bars -= 1
        return Call("abs", (inside,))

    def fraction(self) -> Expr:
        self.i += 1
        self.deeper()
        numerator = self.slot()
        denominator = self.slot()
        self.depth -= 1
        return Div(numerator, denominator)

    def slot(self) -> Expr:
        r"""One argument of a LaTeX command: a group, or a single sign as in \frac12."""
        kind, value = self.items[self.i]
        if kind != "n":
            return self.atom()
        if not value.isdigit() or len(value) == 1:
            return self.number()
        self.items = [*self.items]
        self.items[self.i] = ("n", value[1:])
        return number(value[0], 0)

    def root(self) -> Expr:
        """√ takes one number, name or bracket; more needs brackets."""
        at = self.i
        self.i += 1
        self.deeper()
        inside = self.atom()
        self.depth -= 1
        self.alone(at, "√")
        return Call("sqrt", (inside,))

    def alone(self, at: int, spelling: str) -> None:
        """After an argument without brackets nothing may follow that could belong to it."""
        kind = self.items[self.i][0]
        if kind in _ATOMS or kind in "^x" or (kind == "/" and spelling != "√"):
            mend = f"add brackets: {spelling}(...)"
            raise self.fault("it is not clear where the argument ends", mend, "add-brackets", at)

    def call(self) -> Expr:
        return calls.call(self)

"""A model: a graph of named quantities, each with a formula that may name others, and its solver.

Besides sympy's own, formulas use these functions, left unevaluated for whoever solves the graph:

    leading_term(x)     the leading term of x under the quantity `regime`
    crossing(f, g, B)   the positive B at which f reaches g, or `never`
    side(f, g, B)       text: `>` if f exceeds g for B above the crossing, `<` if below it, or `never`
    kind(f, g, B)       text: for which B f exceeds g: always, never, above (the crossing) or below (it)
    sig(x, n)           the number x rounded to n significant digits, halves away from zero
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from types import MappingProxyType
from typing import Any

import sympy

from reference import crossing as crossings
from reference.crossing import NEVER, Never
from reference.faults import ReferenceFault, one_of
from reference.leading import leading_term as leading_term_under
from reference.leading import read_regime

Expr = Any  # a sympy expression; sympy has no types of its own
Formula = Any  # what a quantity may be set to: a sympy expression, a number, NEVER, or text for the TEXTS
Value = Any  # what a quantity may come to: a sympy expression, text, or NEVER
Changes = Mapping[str, Formula]

TEXTS = frozenset({"regime", "relation", "bound"})
UNDEFINED = sympy.nan

leading_term, crossing, side, kind, sig = map(sympy.Function, ("leading_term", "crossing", "side", "kind", "sig"))
FUNCTIONS: Mapping[str, Any] = MappingProxyType(
    {function.__name__: function for function in (leading_term, crossing, side, kind, sig)}
)


def symbol(name: str) -> Expr:
    """The symbol of a quantity or an axis: positive."""
    return sympy.Symbol(name, positive=True)


def formula(name: str, given: Formula) -> Formula:
    """What a quantity is set to, in the form in which the graph keeps it: numbers exact, symbols positive.

    A float stands for the decimal number that it prints as. Raises ReferenceFault for text where a formula is due,
    and the other way round.
    """
    if isinstance(given, Never):
        return given
    if isinstance(given, str) != (name in TEXTS) and not isinstance(given, sympy.Basic):
        raise ReferenceFault(f"{name} is {'text' if name in TEXTS else 'a formula or a number'}, not {given!r}")
    if isinstance(given, str):
        return given
    if isinstance(given, bool) or not isinstance(given, int | float | Fraction | sympy.Basic):
        raise ReferenceFault(f"{name} can't be {given!r}: give a sympy expression or a number")
    exact = given if isinstance(given, sympy.Basic) else sympy.Rational(str(given))
    return exact.xreplace({each: symbol(each.name) for each in exact.free_symbols})


@dataclass(frozen=True, slots=True)
class Model:
    """The quantities of an operation on an accelerator, as formulas.

    A symbol of a formula names another quantity or an axis (`axes`: lengths, at least 1). Amounts are in FLOP (OP for
    integers) and bytes, rates in FLOP/s and byte/s, times in seconds, intensities in FLOP/byte.
    """

    formulas: Mapping[str, Formula]
    axes: tuple[str, ...]

    def lacks(self, changes: Changes) -> frozenset[str]:
        """The names in a mapping, on either side, that this model has neither as a quantity nor as an axis."""
        formulas = [formula(name, given) for name, given in changes.items()]
        return frozenset((set(changes) | _names(formulas)) - set(self.formulas) - set(self.axes))

    def solve(self, name: str, changes: Changes | Sequence[Changes] | None = None) -> Value:
        """The value of a quantity, in the model as it is or with some quantities changed.

        `changes` maps quantities (or axes) to formulas. On the right, a name that the same mapping changes means its
        value before the change, that is, in the model without this mapping; every other name is looked up in the
        changed model. Several mappings are laid over one another, the last one uppermost; their order matters only
        where they change the same quantity.

        The value is a sympy expression over the axes that have no length yet, text for the TEXTS, or NEVER where there
        is no crossing or where something is calculated with NEVER; a formula that divides by zero is UNDEFINED (nan),
        and meets nothing. Axis lengths never disturb a leading term (it is taken first), nor the B that a crossing
        solves for. Raises ReferenceFault for unknown names, for a cycle, and for what can't be solved.
        """
        given = [changes] if isinstance(changes, Mapping) else list(changes or ())
        for layer in given:
            if unknown := self.lacks(layer):
                wrong = min(unknown)
                raise ReferenceFault(f"the model has no quantity {wrong}: {one_of(wrong, self.formulas)}")
        layers = [self.formulas, *({key: formula(key, value) for key, value in layer.items()} for layer in given)]
        everywhere = _Scope(frozenset(range(1, len(layers))))
        return _Solver(tuple(layers), self.axes).quantity(name, everywhere)


@dataclass(frozen=True, slots=True)
class _Scope:
    """Where a formula is read: which layers of changes apply, and which axes stand for themselves whatever they say."""

    layers: frozenset[int]
    free: frozenset[str] = frozenset()


@dataclass(slots=True)
class _Solver:
    """Solves one graph; remembers what it has solved, and what it is solving in order to find cycles."""

    layers: tuple[Mapping[str, Formula], ...]
    axes: tuple[str, ...]
    solved: dict[tuple[str, _Scope], Value] = field(default_factory=dict)
    solving: list[tuple[str, _Scope]] = field(default_factory=list)

    def quantity(self, name: str, scope: _Scope) -> Value:
        """The value of a quantity or an axis."""
        if name in scope.free:
            return symbol(name)
        key = (name, scope)
        if key in self.solving:
            path = [each for each, _ in self.solving[self.solving.index(key) :]]
            raise ReferenceFault(f"a cycle: {' <- '.join([*path, name])}")
        if key not in self.solved:
            self.solving.append(key)
            self.solved[key] = self._look_up(name, scope)
            self.solving.pop()
        return self.solved[key]

    def _look_up(self, name: str, scope: _Scope) -> Value:
        """The value of the uppermost formula; the names that its own mapping changes are read without that mapping."""
        layer = max((i for i in scope.layers if name in self.layers[i]), default=0)
        if name not in self.layers[layer]:
            if name in self.axes:
                return symbol(name)
            raise ReferenceFault(f"the model has no quantity {name}: {one_of(name, self.layers[0])}")
        found = self.layers[layer][name]
        if not isinstance(found, sympy.Basic):
            return found
        before = _Scope(scope.layers - {layer}, scope.free)
        own = frozenset(self.layers[layer]) if layer else frozenset()
        return self._value(found, _Reading(scope, before, own))

    def _value(self, expression: Expr, reading: "_Reading") -> Value:
        if expression.is_Symbol:
            return self.quantity(expression.name, reading.scope_of(expression.name))
        if not expression.args:
            return expression
        match getattr(expression.func, "__name__", ""):
            case "leading_term":
                return self._leading_term(expression, reading)
            case "crossing" | "side" | "kind":
                return self._crossing(expression, reading)
            case "sig":
                return _each(_round, [self._value(argument, reading) for argument in expression.args])
        return _each(expression.func, [self._value(argument, reading) for argument in expression.args])

    def _leading_term(self, expression: Expr, reading: "_Reading") -> Value:
        """Taken with all axes free; only then do they get their lengths."""
        regime = read_regime(self._regime(reading))
        inner = self._value(expression.args[0], reading.freeing(self.axes))
        leading = _each(lambda value: leading_term_under(value, regime), [inner])
        if isinstance(leading, Never):
            return leading
        lengths = {axis: self._value(symbol(axis), reading) for axis in self.axes}
        return leading.subs({symbol(axis): length for axis, length in lengths.items()}, simultaneous=True)

    def _crossing(self, expression: Expr, reading: "_Reading") -> Value:
        first, second, batch = expression.args
        if not batch.is_Symbol:
            raise ReferenceFault(f"can't solve for {batch}: name an axis")
        f, g = (self._value(argument, reading.freeing((batch.name,))) for argument in (first, second))
        function = expression.func.__name__
        if any(value is NEVER or value is UNDEFINED for value in (f, g)):
            return "never" if function == "kind" else NEVER
        if function == "kind":
            regime = read_regime(self._regime(reading)) if "regime" in self.layers[0] else None
            return crossings.kind(f, g, batch, regime)
        return (crossings.crossing if function == "crossing" else crossings.side)(f, g, batch)

    def _regime(self, reading: "_Reading") -> str:
        if "regime" not in self.layers[0]:
            raise ReferenceFault("no leading term: the model was made without a regime")
        return str(self.quantity("regime", reading.scope_of("regime")))


@dataclass(frozen=True, slots=True)
class _Reading:
    """How the names of one formula are read: those that its own mapping changes, before it; the others after it."""

    scope: _Scope
    before: _Scope
    own: frozenset[str]

    def scope_of(self, name: str) -> _Scope:
        """Where a name is looked up."""
        return self.before if name in self.own else self.scope

    def freeing(self, axes: Sequence[str]) -> "_Reading":
        """The same, with these axes standing for themselves."""
        scope, before = (_Scope(each.layers, each.free.union(axes)) for each in (self.scope, self.before))
        return _Reading(scope, before, self.own)


def _names(formulas: Sequence[Formula]) -> set[str]:
    return {each.name for one in formulas if isinstance(one, sympy.Basic) for each in one.free_symbols}


def _each(function: Any, arguments: Sequence[Value]) -> Value:
    """The function of its arguments: NEVER if one of them is, UNDEFINED if one of them or the result is."""
    if texts := [argument for argument in arguments if isinstance(argument, str)]:
        raise ReferenceFault(f"can't calculate with the text {texts[0]!r}")
    if any(argument is NEVER for argument in arguments):
        return NEVER
    if any(argument is UNDEFINED for argument in arguments):
        return UNDEFINED
    result = function(*arguments)
    return UNDEFINED if result.has(sympy.nan, sympy.zoo, sympy.oo, -sympy.oo) else result


def _round(value: Expr, digits: Expr) -> Expr:
    if not value.is_Rational:
        raise ReferenceFault(f"can't round {value}: it is not a number")
    if value == 0:
        return value
    exponent = len(str(abs(value.p) // value.q)) if abs(value) >= 1 else -len(str(value.q // abs(value.p))) + 1
    unit = sympy.Integer(10) ** (exponent - digits)
    return sympy.sign(value) * sympy.floor(abs(value) / unit + sympy.Rational(1, 2)) * unit

"""A model as a graph of named quantities, and its solutions under overrides.

A formula may name other quantities; a name that is no quantity is a free symbol (B, D, F). A layer is an override: a
mapping quantity -> formula. On the right, a name that the same layer changes means its value without this layer, so
that swaps work; every other name is looked up in the changed model. Layers that change different quantities commute.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from grader.errors import SolutionError
from grader.maths.crossing import NEVER, crossing, kind, side, significant
from grader.maths.expression import FUNCTIONS, Call, Expr, Symbol, rebuild, walk
from grader.maths.leading import leading_term
from grader.maths.polynomial import simplified
from grader.maths.regime import Regime
from grader.maths.residue import residue
from grader.maths.terms import NotRationalError

Formula = Expr | str  # a text is a value of its own (a regime, a direction), never something to read
Value = Expr | str  # NEVER is the text of a crossing that does not exist

# functions of formulas beyond those of the answer language, with their least and greatest number of arguments
MODEL_FUNCTIONS: Mapping[str, tuple[int, int | None]] = {
    **FUNCTIONS, "leading_term": (1, 1), "crossing": (3, 3), "side": (3, 3), "kind": (3, 3), "sig": (2, 2),
}  # fmt: skip

_MOST_VALUES = 50_000

_CROSSINGS: Mapping[str, Callable[[Expr, Expr, str], Value]] = {"crossing": crossing, "side": side, "kind": kind}


@dataclass(frozen=True, eq=False, slots=True)
class Layer:
    """An override of the graph; two layers are the same only if they are one object.

    Values under a layer that is not `neat` stay as they come, since they are compared once and thrown away.
    """

    changes: Mapping[str, Formula]
    neat: bool = True
    names: Mapping[str, frozenset[str]] = field(init=False)  # those that each formula depends on

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", {name: names_in(formula) for name, formula in self.changes.items()})


Layers = tuple[Layer, ...]
Lookup = Callable[[str, bool], Value]  # a name's value; without sizes for free symbols where the flag is off


def names_in(formula: Formula) -> frozenset[str]:
    """The quantities and symbols that a formula depends on; a leading term depends on the regime, too."""
    if isinstance(formula, str):
        return frozenset()
    names = set()
    for node in walk(formula):
        if isinstance(node, Symbol):
            names.add(node.name)
        elif isinstance(node, Call) and node.function == "leading_term":
            names.add("regime")
    return frozenset(names)


class Graph:
    """The solver: remembers what it solved, so that many overrides share all that they do not touch."""

    def __init__(self, formulas: Mapping[str, Formula]) -> None:
        self.formulas = dict(formulas)
        self._names = {name: names_in(formula) for name, formula in self.formulas.items()}
        self._values: dict[tuple[str, Layers], Value] = {}
        self._residues: dict[tuple[str, Layers], int] = {}
        self._reach: dict[str, frozenset[str]] = {}
        self._open: list[tuple[str, Layers]] = []

    def knows(self, layer: Layer, symbols: Iterable[str]) -> bool:
        """Whether all names of the layer exist in this model: a mistake that names others is not offered here."""
        known = self.formulas.keys() | set(symbols)
        right = frozenset().union(*(names_in(formula) for formula in layer.changes.values()))
        return layer.changes.keys() <= known and right <= known

    def affects(self, layer: Layer, names: Iterable[str], base: Layers = ()) -> bool:
        """Whether the layer, on top of `base`, can change the value of one of the names."""
        return any(layer in self._relevant(name, (*base, layer)) for name in names)

    def reaches(self, names: Iterable[str], quantity: str) -> bool:
        """Whether one of the names depends on the quantity, or is it."""
        return any(quantity in self._reached(name) for name in names)

    def value(self, name: str, layers: Layers = ()) -> Value:
        """The value of a quantity, or of a free symbol, under the layers; SolutionError if it can't be solved."""
        if len(self._values) > _MOST_VALUES:  # students' own answers are layers that never come again
            self._values.clear()
        key = (name, self._relevant(name, layers))
        if key not in self._values:
            if key in self._open:
                circle = " -> ".join(quantity for quantity, _ in self._open[self._open.index(key) :])
                raise SolutionError(f"the formulas go round in a circle: {circle} -> {name}")
            self._open.append(key)
            try:
                self._values[key] = self._solve(name, layers)
            finally:
                self._open.pop()
        return self._values[key]

    def residue(self, name: str, layers: Layers, at: dict[str, int]) -> int:
        """The residue of the value at points for the free symbols, without solving for the value itself.

        NotRationalError where a value on the way is none of a rational function, ZeroDivisionError where there is none.
        """
        key = (name, self._relevant(name, layers))
        if key not in self._residues:
            if len(self._residues) > _MOST_VALUES:
                self._residues.clear()
            self._residues[key] = self._residue(name, key[1], at)
        return self._residues[key]

    def _residue(self, name: str, layers: Layers, at: dict[str, int]) -> int:
        layer = next((one for one in reversed(layers) if name in one.changes), None)
        if layer is None and name not in self.formulas:
            return at[name]
        formula = self.formulas[name] if layer is None else layer.changes[name]
        if isinstance(formula, str):
            raise NotRationalError
        without = tuple(one for one in layers if one is not layer)
        found: dict[str, int] = {}
        for other in self._names[name] if layer is None else layer.names[name]:
            inside = layer is not None and other in layer.changes
            found[other] = self.residue(other, without if inside else layers, at)
        return residue(formula, found)

    def evaluate(self, formula: Formula, layers: Layers = ()) -> Value:
        """The value of a formula over the quantities, under the layers."""
        neat = all(layer.neat for layer in layers)
        return self._evaluate(formula, lambda name, sized: self.value(name, self._sized(layers, sized)), neat)

    def _solve(self, name: str, layers: Layers) -> Value:
        for layer in reversed(layers):
            if name in layer.changes:
                return self._changed(name, layer, layers)
        if name in self.formulas:
            return self.evaluate(self.formulas[name], layers)
        return Symbol(name)

    def _changed(self, name: str, layer: Layer, layers: Layers) -> Value:
        """The value that `layer` gives to the quantity."""
        without = tuple(other for other in layers if other is not layer)

        def lookup(other: str, sized: bool) -> Value:
            return self.value(other, self._sized(without if other in layer.changes else layers, sized))

        return self._evaluate(layer.changes[name], lookup, all(other.neat for other in layers))

    def _sized(self, layers: Layers, sized: bool) -> Layers:
        """The layers, or those that do more than give sizes to free symbols."""
        return layers if sized else tuple(layer for layer in layers if layer.changes.keys() & self.formulas.keys())

    def _evaluate(self, formula: Formula, lookup: Lookup, neat: bool) -> Value:
        if isinstance(formula, str):
            return formula
        try:
            value = _apply(formula, lookup)
            return simplified(value) if neat and not isinstance(value, str) else value
        except (_NeverError, ZeroDivisionError):
            return NEVER

    def _relevant(self, name: str, layers: Layers) -> Layers:
        """The layers that can change the value of `name`: those that its solution comes upon."""
        if not layers:
            return ()
        found: set[Layer] = set()
        seen = {(name, layers)}
        stack = [(name, layers)]
        while stack:
            quantity, known = stack.pop()
            layer = next((one for one in reversed(known) if quantity in one.changes), None)
            if layer is not None:
                found.add(layer)
            for other in layer.names[quantity] if layer else self._names.get(quantity, ()):
                inside = layer is not None and other in layer.changes
                place = (other, tuple(one for one in known if one is not layer) if inside else known)
                if place not in seen:
                    seen.add(place)
                    stack.append(place)
        return layers if len(found) == len(layers) else tuple(layer for layer in layers if layer in found)

    def _reached(self, name: str) -> frozenset[str]:
        """The name itself and all that its formulas depend on."""
        if name not in self._reach:
            seen, stack = {name}, [name]
            while stack:
                for other in self._names.get(stack.pop(), ()):
                    if other not in seen:
                        seen.add(other)
                        stack.append(other)
            self._reach[name] = frozenset(seen)
        return self._reach[name]


class _NeverError(Exception):
    """A formula names a quantity that does not exist under this override."""


def _apply(formula: Expr, lookup: Lookup, sized: bool = True) -> Value:
    """The formula with every name replaced by its value and every model function carried out."""

    def tree(part: Expr, sized: bool = sized) -> Expr:
        value = _apply(part, lookup, sized)
        if isinstance(value, str):
            raise _NeverError(value)
        return value

    if isinstance(formula, Symbol):
        return lookup(formula.name, sized)
    if not isinstance(formula, Call) or formula.function in FUNCTIONS:
        return rebuild(formula, tree)
    if formula.function == "leading_term":
        # which term leads is a matter of growing symbols: their sizes come in afterwards
        regime = Regime.read(str(lookup("regime", sized)))
        leading = leading_term(tree(formula.arguments[0], False), regime)
        return tree(leading) if sized else leading
    if formula.function == "sig":
        return significant(tree(formula.arguments[0]), tree(formula.arguments[1]))
    first, second, symbol = formula.arguments
    if not isinstance(symbol, Symbol):
        raise SolutionError(f"the last argument of {formula.function} must be a symbol")
    return _CROSSINGS[formula.function](tree(first), tree(second), symbol.name)

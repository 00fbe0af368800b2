"""The keys of a part: its solution, what is right by another convention, and the value that each mistake gives there.

Everything is a layer over the model's graph (grader/maths/graph.py): parameters drawn for a student, sizes given with
`at`, conventions, mistakes. Keys are texts in the answer language with the fingerprint by which they are looked up.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from itertools import combinations
from math import isclose
from typing import TypeVar

from grader.compiled import Change, Exercise, Group, Key, Mistake, Model, Pairs, Part, PartKeys
from grader.errors import Fault, ResponseError, SolutionError, SpecError
from grader.maths.crossing import NEVER
from grader.maths.domain import Domain
from grader.maths.expression import Expr, Number, substitute
from grader.maths.fingerprint import fingerprint
from grader.maths.grammar import read_expression
from grader.maths.graph import MODEL_FUNCTIONS, Formula, Graph, Layer, Layers, Value, names_in
from grader.maths.leading import leading_term
from grader.maths.regime import Regime
from grader.maths.residue import points
from grader.maths.sample import value as value_at
from grader.maths.show import text
from grader.maths.terms import NotRationalError

T = TypeVar("T")
Convention = tuple[tuple[str, ...], Layers]  # ids of conventions, and the layers that they are

_MOST_OWN = 1000
TEXT_QUANTITIES = frozenset({"regime", "relation", "bound"})

# layers that make no difference to each other's parts are tried together at most this many at a time
_MOST_CONVENTIONS = 3


@cache
def _formula(source: str, names: frozenset[str]) -> Expr:
    return read_expression(source, sorted(names), functions=MODEL_FUNCTIONS)


class Solver:
    """Solves the parts of one exercise in one variant."""

    def __init__(self, exercise: Exercise, variant: Change, mistakes: tuple[Mistake, ...], key: bytes) -> None:
        self.exercise = exercise
        model = _model(exercise, variant)
        self._names = frozenset(model.formulas) | frozenset(model.texts) | frozenset(exercise.symbols)
        formulas: dict[str, Formula] = {n: self._read(n, f) for n, f in model.formulas.items()}
        self.graph = Graph({**formulas, **model.texts})
        parameters = {name: value for name, value in variant.items() if name != "accelerator"}
        self._base: Layers = (self.layer(parameters),) if parameters else ()
        self._offered = tuple(self._faces(mistakes))
        self.domain = Domain(regime=Regime.read(exercise.regime) if exercise.regime else None, key=key)
        self._own: dict[tuple[tuple[str, Formula], ...], Layer] = {}
        self._bases: dict[str, Layers] = {}
        self._combined: dict[str, tuple[Convention, ...]] = {}
        self._reached: dict[str, tuple[tuple[Mistake, Layer], ...]] = {}
        # many mistakes share a value
        self._text = cache(text)
        self._fingerprint = cache(lambda value: fingerprint(value, self.domain))
        self._leading = cache(self._leading_fingerprint)

    def keys(self, part: Part) -> PartKeys:
        """All keys of the part; SolutionError if the solution itself can't be solved."""
        right = self._right(part)
        known = {(key.fingerprint, key.relation) for key in right}
        drawn = {self._drawn(part, key) for key in right}
        wrong: dict[tuple[str, str, str], Key] = {}
        for key in self._wrong(part):
            if (key.fingerprint, key.relation) not in known and self._drawn(part, key) not in drawn:
                wrong.setdefault((key.mistakes[0], key.fingerprint, key.relation), key)
        rows = tuple(key.row() for key in wrong.values())
        return PartKeys(right=right, wrong_rows=rows, meanings=self._meanings(part))

    def _drawn(self, part: Part, key: Key) -> tuple[str, ...]:
        """What can be seen of a curve: its value for each size that is drawn. For other parts, the value itself."""
        sizes = part.options.get("series", ()) if part.type == "curve" else ()
        if not sizes:
            return (key.fingerprint, key.relation)
        value = read_expression(key.value, self._names)
        filled = [{name: read_expression(number) for name, number in size.items()} for size in sizes]
        return tuple(fingerprint(substitute(value, size), self.domain) for size in filled)

    def layer(self, change: Change) -> Layer:
        """The change as a layer of the graph; SpecError if a formula can't be read."""
        return Layer({name: self._read(name, formula) for name, formula in change.items()})

    def _read(self, name: str, formula: str) -> Formula:
        if name in TEXT_QUANTITIES and not formula.startswith(("side(", "kind(")):
            return formula
        try:
            return _formula(formula, self._names)
        except ResponseError as error:
            raise SpecError([Fault(self.exercise.file, None, name, f"{formula!r} can't be read: {error}")]) from error

    def _faces(self, mistakes: tuple[Mistake, ...]) -> Iterator[tuple[Mistake, Layer]]:
        """The changes that can be made in this model; those that name what it lacks are not offered."""
        for mistake in mistakes:
            if mistake.exercises and self.exercise.id not in mistake.exercises:
                continue
            for change in mistake.changes:
                try:
                    face = self.layer(change)
                except SpecError:
                    continue  # names a quantity that this model lacks; a typing error is found when the course is read
                if self.graph.knows(face, self.exercise.symbols):
                    yield mistake, face

    def _right(self, part: Part) -> tuple[Key, ...]:
        base = self.base(part)
        first = self._key(part, self._solve(part, base), (), ())
        keys: dict[tuple[str, str], Key] = {}
        for names, layers in self.conventions(part):
            value, relation = self._solve(part, (*base, *layers))
            if value != NEVER:
                key = self._key(part, (value, relation), names, ())
                keys.setdefault((key.fingerprint, key.relation), key)
        keys.pop((first.fingerprint, first.relation), None)
        return (first, *keys.values())

    def base(self, part: Part) -> Layers:
        """The layers that hold for this part whatever the student did: drawn parameters and given sizes."""
        return self._remembered(self._bases, part, lambda: (*self._base, *((self.layer(part.at),) if part.at else ())))

    def conventions(self, part: Part) -> tuple[Convention, ...]:
        """The combinations of conventions that change this part's value, smallest first."""
        return self._remembered(self._combined, part, lambda: tuple(self._combinations(part)))

    def _remembered(self, memory: dict[str, T], part: Part, make: Callable[[], T]) -> T:
        if part.id not in memory:
            memory[part.id] = make()
        return memory[part.id]

    def _combinations(self, part: Part) -> Iterator[Convention]:
        base = self.base(part)
        usual = self._solve(part, base)
        single = [
            (mistake.id, face)
            for mistake, face in self.reaching(part)
            if mistake.kind == "convention" and self._solve(part, (*base, face)) not in (usual, (NEVER, usual[1]))
        ]
        for size in range(1, _MOST_CONVENTIONS + 1):
            for group in combinations(single, size):
                touched = [quantity for _, face in group for quantity in face.changes]
                if len(touched) == len(set(touched)):
                    yield tuple(name for name, _ in group), tuple(face for _, face in group)

    def reaching(self, part: Part) -> tuple[tuple[Mistake, Layer], ...]:
        """The faces of mistakes and conventions that can change this part's value."""
        return self._remembered(self._reached, part, lambda: tuple(self._faces_of(part)))

    def _faces_of(self, part: Part) -> Iterator[tuple[Mistake, Layer]]:
        names = self._asked(part)
        for mistake, face in self._offered:
            if self.graph.affects(face, names, self.base(part)):
                yield mistake, face

    def _asked(self, part: Part) -> frozenset[str]:
        direction = {"relation"} if part.type == "threshold" else set()
        return names_in(_formula(part.solution, self._names)) | direction

    def depends(self, part: Part, quantity: str) -> bool:
        """Whether the part's value depends on the quantity, and is not that quantity itself."""
        return part.solution != quantity and self.graph.reaches(self._asked(part), quantity)

    def matter(self, part: Part, layers: Layers, others: Layers) -> bool:
        """Whether each of the layers can still change the part's value on top of others."""
        names = self._asked(part)
        return all(self.graph.affects(layer, names, (*others, *layers[:i])) for i, layer in enumerate(layers))

    def own_layer(self, answers: tuple[tuple[str, Formula], ...]) -> Layer:
        """The model with a student's own values in place of its own; the same one again for the same values, since
        many students make the same mistake."""
        if len(self._own) > _MOST_OWN:
            self._own.clear()
        if answers not in self._own:
            self._own[answers] = Layer(dict(answers), neat=False)
        return self._own[answers]

    def pair_table(self, part: Part) -> Pairs:
        """The pairs of mistakes by the look-up keys of the values that they give together."""
        table: dict[str, list[Group]] = {}
        for mark, leading, pair in self._paired(part):
            for name in (mark, f"~{leading}") if leading else (mark,):
                if pair not in table.setdefault(name, []):
                    table[name].append(pair)
        return table

    def _paired(self, part: Part) -> Iterator[tuple[str, str, Group]]:
        """The values that two mistakes at once give: fingerprint, that of the leading term, and the two ids.

        The two change different quantities, one at least is a cause, and neither is a pure factor.
        """
        for value, pair in self._pair_values(part, self.reaching(part)):
            yield self._fingerprint(value), self._leading(value), pair

    def search_pairs(self, part: Part, value: Expr) -> tuple[Group, ...]:
        """The pairs of mistakes that give one value, without a table of them all.

        Values are compared at one point first, which leaves few to look at closely.
        """
        mark = self._fingerprint(value)
        point = {name: 3.7 + 19.3 * place for place, name in enumerate(sorted(self.exercise.symbols))}
        mine = value_at(value, point)
        if mine is None:
            return ()
        loose = [(mistake, Layer(face.changes, neat=False)) for mistake, face in self.reaching(part)]
        found = []
        for other, pair in self._pair_values(part, loose):
            theirs = value_at(other, point)
            if theirs is not None and isclose(mine, theirs) and fingerprint(other, self.domain) == mark:
                found.append(pair)
        return tuple(dict.fromkeys(found))

    def _pair_values(self, part: Part, faces: Iterable[tuple[Mistake, Layer]]) -> Iterator[tuple[Expr, Group]]:
        base = self.base(part)
        named = [(mistake, face) for mistake, face in faces if mistake.kind in ("cause", "slip")]
        for (first, one), (second, other) in combinations(named, 2):
            causes = "cause" in (first.kind, second.kind)
            if causes and first.id != second.id and not one.changes.keys() & other.changes.keys():
                solved = self.tried(part, (*base, one, other))
                if solved is not None and not isinstance(solved[0], str):
                    yield solved[0], (first.id, second.id)

    def _wrong(self, part: Part) -> Iterator[Key]:
        """The part's values under each mistake, also on top of every convention; then the literal wrong answers."""
        base = self.base(part)
        for mistake, face in self.reaching(part):
            if mistake.kind != "convention":
                for names, layers in (((), ()), *self.conventions(part)):
                    solved = self.tried(part, (*base, *layers, face))
                    if solved is not None and solved[0] != NEVER:
                        yield self._key(part, solved, names, (mistake.id,))
        for mistake in self.exercise.mistakes:
            for literal in mistake.values.get(part.id, ()):
                value = literal if part.type == "choice" else read_expression(literal, self._names)
                yield self._key(part, (value, ""), (), (mistake.id,))

    def tried(self, part: Part, layers: Layers) -> tuple[Value, str] | None:
        """The part's value and direction, or None where it can't be solved under these layers."""
        try:
            return self._solve(part, layers)
        except SolutionError:
            return None

    def tried_value(self, part: Part, layers: Layers) -> Value | None:
        """The part's value alone, which costs less."""
        try:
            return self._value(part, layers)
        except SolutionError:
            return None

    def tried_mark(self, part: Part, layers: Layers) -> str | None:
        """The fingerprint of the part's value alone, which costs far less; None where it takes the value to tell."""
        if not part.solution.isidentifier():
            return None
        try:
            return f"{self.graph.residue(part.solution, layers, points(self.domain.key)):x}"
        except (NotRationalError, ZeroDivisionError, SolutionError, RecursionError):
            return None

    def direction(self, part: Part, layers: Layers) -> str | None:
        """The direction of a threshold, empty for other parts; None where it can't be solved under these layers."""
        try:
            return self._direction(part, layers)
        except SolutionError:
            return None

    def _solve(self, part: Part, layers: Layers) -> tuple[Value, str]:
        """The part's value, and its direction where it is a threshold."""
        return self._value(part, layers), self._direction(part, layers)

    def _value(self, part: Part, layers: Layers) -> Value:
        return self.graph.evaluate(_formula(part.solution, self._names), layers)

    def _direction(self, part: Part, layers: Layers) -> str:
        if part.type != "threshold":
            return ""
        relation = str(self.graph.value("relation", layers))
        if relation == NEVER:  # what the leading terms never reach, the exact forms may
            relation = str(self.graph.value("relation", self._base))
        return relation

    def _key(
        self, part: Part, solved: tuple[Value, str], conventions: tuple[str, ...], mistakes: tuple[str, ...]
    ) -> Key:
        value, relation = solved
        if isinstance(value, str):
            return Key(value, value, conventions=conventions, mistakes=mistakes)
        leading = "" if part.type != "expression" or (conventions and mistakes) else self._leading(value)
        return Key(self._text(value), self._fingerprint(value), leading, relation, conventions, mistakes)

    def _leading_fingerprint(self, value: Expr) -> str:
        """The look-up key of the leading term; empty where it tells nothing."""
        if self.domain.regime is None or isinstance(value, Number):
            return ""
        try:
            return self._fingerprint(leading_term(value, self.domain.regime))
        except SolutionError:
            return ""

    def _meanings(self, part: Part) -> Mapping[str, str]:
        """The part's own symbols stand for the quantities whose name agrees, ignoring case (T_math: t_math)."""
        meanings = {}
        for symbol in part.options.get("symbols", ()):
            quantity = next((n for n in sorted(self._names) if n.casefold() == symbol.casefold()), None)
            if quantity is None:
                raise SpecError([Fault(self.exercise.file, part.line, part.id, f"no quantity is called {symbol!r}")])
            value = self.graph.value(quantity, self.base(part))
            if not isinstance(value, str):
                meanings[symbol] = text(value)
        return meanings


def _model(exercise: Exercise, variant: Change) -> Model:
    accelerator = variant.get("accelerator", next(iter(exercise.models)))
    return exercise.models[accelerator]


def unknown_names(change: Change, models: Mapping[str, Model], symbols: Mapping[str, str]) -> frozenset[str]:
    """The names of a change that none of these models has: a typing error if this holds for the whole course."""
    known = set(symbols).union(*(set(m.formulas) | set(m.texts) for m in models.values()))
    names = set(change)
    for name, formula in change.items():
        if name not in TEXT_QUANTITIES:
            names |= names_in(read_expression(formula, sorted(known | {name}), functions=MODEL_FUNCTIONS))
    return frozenset(names - known)

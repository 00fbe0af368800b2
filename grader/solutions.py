"""The keys of a part: its solution, what is right by another convention, and the value that each mistake gives there.

Everything is a layer over the model's graph (grader/maths/graph.py): parameters drawn for a student, sizes given with
`at`, conventions, mistakes. Keys are texts in the answer language with the fingerprint by which they are looked up.
"""

import hashlib
import hmac
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import combinations

from grader.compiled import Change, Course, Exercise, Key, Mistake, Model, Part, PartKeys
from grader.errors import Fault, ResponseError, SolutionError, SpecError
from grader.maths.crossing import NEVER
from grader.maths.domain import PUBLIC_KEY, Domain
from grader.maths.expression import Expr, Number
from grader.maths.fingerprint import fingerprint
from grader.maths.grammar import read_expression
from grader.maths.graph import MODEL_FUNCTIONS, Formula, Graph, Layer, Layers, Value, names_in
from grader.maths.leading import leading_term
from grader.maths.regime import Regime
from grader.maths.show import text

TEXT_QUANTITIES = frozenset({"regime", "relation", "bound"})

# layers that make no difference to each other's parts are tried together at most this many at a time
_MOST_CONVENTIONS = 3


def drawn(exercise: Exercise, student: str, secret: bytes) -> Change:
    """The parameters of this student's sheet: drawn from HMAC(secret, student, exercise), so staff can repeat it."""
    choices = {}
    for name, values in sorted(exercise.draws.items()):
        message = "\0".join((student, exercise.id, name)).encode()
        number = int.from_bytes(hmac.new(secret, message, hashlib.sha256).digest()[:8], "big")
        choices[name] = values[number % len(values)]
    return choices


def variants(exercise: Exercise) -> Iterator[Change]:
    """Every combination of parameters that a student can draw (one, empty, where nothing is drawn)."""
    names = sorted(exercise.draws)

    def combine(rest: list[str], chosen: dict[str, str]) -> Iterator[Change]:
        if not rest:
            yield dict(chosen)
            return
        for value in exercise.draws[rest[0]]:
            yield from combine(rest[1:], {**chosen, rest[0]: value})

    return combine(names, {})


@cache
def _formula(source: str, names: frozenset[str]) -> Expr:
    return read_expression(source, names, functions=MODEL_FUNCTIONS)


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
        self.domain = Domain(regime=_regime(exercise), key=key)

    def keys(self, part: Part) -> PartKeys:
        """All keys of the part; SolutionError if the solution itself can't be solved."""
        base = (*self._base, self.layer(part.at)) if part.at else self._base
        right = self._right(part, base)
        known = {(key.fingerprint, key.relation) for key in right}
        wrong: dict[tuple[str, ...], Key] = {}
        for mistake, face in self._offered:
            if mistake.kind != "convention":
                for key in self._faced(part, base, mistake, face):
                    same = (key.mistakes[0], key.fingerprint, key.relation)
                    if (key.fingerprint, key.relation) not in known and same not in wrong:
                        wrong[same] = key
        for mistake in (*self.exercise.mistakes,):
            for literal in mistake.values.get(part.id, ()):
                key = self._key(part, read_expression(literal, self._names), "", (), (mistake.id,))
                wrong.setdefault((mistake.id, key.fingerprint, ""), key)
        rows = tuple(key.row() for key in wrong.values())
        return PartKeys(right=right, wrong_rows=rows, meanings=self._meanings(part, base))

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

    def _right(self, part: Part, base: Layers) -> tuple[Key, ...]:
        value, relation = self._solve(part, base)
        keys = {"": self._key(part, value, relation, (), ())}
        for names, layers in self._conventions(part, base):
            value, relation = self._solve(part, (*base, *layers))
            if value != NEVER:
                key = self._key(part, value, relation, names, ())
                keys.setdefault(key.fingerprint + key.relation, key)
        first = keys.pop("")
        keys.pop(first.fingerprint + first.relation, None)
        return (first, *keys.values())

    def _conventions(self, part: Part, base: Layers) -> Iterator[tuple[tuple[str, ...], Layers]]:
        """The combinations of conventions that change this part's value, smallest first."""
        value, _ = self._solve(part, base)
        single = [
            (mistake.id, face)
            for mistake, face in self._offered
            if mistake.kind == "convention" and self._differs(part, base, face, value)
        ]
        for size in range(1, _MOST_CONVENTIONS + 1):
            for group in combinations(single, size):
                touched = [quantity for _, face in group for quantity in face.changes]
                if len(touched) == len(set(touched)):
                    yield tuple(name for name, _ in group), tuple(face for _, face in group)

    def _differs(self, part: Part, base: Layers, face: Layer, value: Value) -> bool:
        changed, _ = self._solve(part, (*base, face))
        return changed not in (value, NEVER)

    def _faced(self, part: Part, base: Layers, mistake: Mistake, face: Layer) -> Iterator[Key]:
        """The part's wrong value under one face, also on top of every convention."""
        for names, layers in (((), ()), *self._conventions(part, base)):
            try:
                value, relation = self._solve(part, (*base, *layers, face))
            except SolutionError:
                continue
            if value != NEVER:
                yield self._key(part, value, relation, names, (mistake.id,))

    def _solve(self, part: Part, layers: Layers) -> tuple[Value, str]:
        """The part's value, and its direction where it is a threshold."""
        value = self.graph.evaluate(_formula(part.solution, self._names), layers)
        relation = str(self.graph.value("relation", layers)) if part.type == "threshold" else ""
        return value, relation

    def _key(
        self, part: Part, value: Value, relation: str, conventions: tuple[str, ...], mistakes: tuple[str, ...]
    ) -> Key:
        if isinstance(value, str):
            return Key(value=value, fingerprint=value, conventions=conventions, mistakes=mistakes)
        return Key(
            value=text(value),
            fingerprint=fingerprint(value, self.domain),
            leading=self._leading(part, value),
            relation=relation,
            conventions=conventions,
            mistakes=mistakes,
        )

    def _leading(self, part: Part, value: Expr) -> str:
        if self.domain.regime is None or isinstance(value, Number) or part.type != "expression":
            return ""
        try:
            return fingerprint(leading_term(value, self.domain.regime), self.domain)
        except SolutionError:
            return ""

    def _meanings(self, part: Part, base: Layers) -> Mapping[str, str]:
        """The part's own symbols stand for the quantities whose name agrees, ignoring case (T_math: t_math)."""
        meanings = {}
        for symbol in part.options.get("symbols", ()):
            quantity = next((n for n in sorted(self._names) if n.casefold() == symbol.casefold()), None)
            if quantity is None:
                raise SpecError([Fault(self.exercise.file, part.line, part.id, f"no quantity is called {symbol!r}")])
            value = self.graph.value(quantity, base)
            if not isinstance(value, str):
                meanings[symbol] = text(value)
        return meanings


def _model(exercise: Exercise, variant: Change) -> Model:
    accelerator = variant.get("accelerator", next(iter(exercise.models)))
    return exercise.models[accelerator]


def _regime(exercise: Exercise) -> Regime | None:
    return Regime.read(exercise.regime) if exercise.regime else None


def unknown_names(change: Change, models: Mapping[str, Model], symbols: Mapping[str, str]) -> frozenset[str]:
    """The names of a change that none of these models has: a typing error if this holds for the whole course."""
    known = set(symbols).union(*(set(m.formulas) | set(m.texts) for m in models.values()))
    names = set(change)
    for name, formula in change.items():
        if name not in TEXT_QUANTITIES:
            names |= names_in(read_expression(formula, known | {name}, functions=MODEL_FUNCTIONS))
    return frozenset(names - known)


class Keyring:
    """All keys of a course, solved when asked for. `solved` are the ones stored with the compiled course."""

    def __init__(
        self, course: Course, secret: bytes, solved: Mapping[str, Mapping[str, PartKeys]] | None = None
    ) -> None:
        self.course = course
        self.key = sample_key(secret)
        self._secret = secret or self.key
        self._keys: dict[tuple[str, tuple[tuple[str, str], ...]], Mapping[str, PartKeys]] = {
            (exercise, ()): keys for exercise, keys in (solved or {}).items()
        }

    def variant(self, exercise: Exercise, student: str) -> Change:
        """The parameters on this student's sheet."""
        return drawn(exercise, student, self._secret)

    def keys(self, exercise: Exercise, variant: Change) -> Mapping[str, PartKeys]:
        """The keys of all parts of the exercise in this variant, by part id."""
        name = (exercise.id, tuple(sorted(variant.items())))
        if name not in self._keys:
            solver = Solver(exercise, variant, (*exercise.mistakes, *self.course.mistakes), self.key)
            self._keys[name] = {part.id: solver.keys(part) for part in exercise.parts}
        return self._keys[name]


def sample_key(secret: bytes) -> bytes:
    """The key of the sample points: from the course's secret, or the public one where the course has none."""
    return hmac.new(secret, b"sample points", hashlib.sha256).digest() if secret else PUBLIC_KEY

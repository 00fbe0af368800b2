"""Which keys belong to which sheet: the parameters drawn for a student, and the stored or freshly solved keys."""

import hashlib
import hmac
from collections.abc import Iterator, Mapping
from copy import copy
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from grader.compiled import Change, Course, Exercise, Groups, Pairs, Part, PartKeys
from grader.errors import Fault, GraderError, SpecError
from grader.maths.domain import PUBLIC_KEY

if TYPE_CHECKING:
    from grader.maths.expression import Expr
    from grader.solutions import Solver


class PairStore(Protocol):
    """Keeps the tables of pairs between runs."""

    def load(self, exercise: str, part: str) -> Pairs | None:
        """The stored table, if there is one."""

    def save(self, exercise: str, part: str, pairs: Pairs) -> None:
        """Store the table; a store that can't be written stays silent."""


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


class Keyring:
    """All keys of a course, solved when asked for. `solved` are the ones stored with the compiled course."""

    def __init__(
        self,
        course: Course,
        secret: bytes,
        solved: Mapping[str, Mapping[str, PartKeys]] | None = None,
        store: PairStore | None = None,
    ) -> None:
        self.course = course
        self.key = sample_key(secret)
        self._secret = secret or self.key
        self._store = store
        self._solvers: dict[tuple[str, tuple[tuple[str, str], ...]], Solver] = {}
        self._pairs: dict[tuple[str, str], Pairs] = {}
        self._searched: dict[tuple[str, tuple[tuple[str, str], ...], str, str], Groups] = {}
        self._keys: dict[tuple[str, tuple[tuple[str, str], ...]], Mapping[str, PartKeys]] = {
            (exercise, ()): keys for exercise, keys in (solved or {}).items()
        }

    def of_course(self, course: Course) -> "Keyring":
        """The keys of a course that has some of the exercises of this one; what is solved is shared."""
        other = copy(self)
        other.course = course
        return other

    def variant(self, exercise: Exercise, student: str) -> Change:
        """The parameters on this student's sheet."""
        return drawn(exercise, student, self._secret)

    def keys(self, exercise: Exercise, variant: Change) -> Mapping[str, PartKeys]:
        """The keys of all parts of the exercise in this variant, by part id."""
        name = (exercise.id, tuple(sorted(variant.items())))
        if name not in self._keys:
            self._keys[name] = _solved(self.solver(exercise, variant), exercise)
        return self._keys[name]

    def solver(self, exercise: Exercise, variant: Change) -> "Solver":
        """The solver of the exercise in this variant."""
        from grader.solutions import Solver  # stored keys need none

        name = (exercise.id, tuple(sorted(variant.items())))
        if name not in self._solvers:
            self._solvers[name] = Solver(exercise, variant, (*exercise.mistakes, *self.course.mistakes), self.key)
        return self._solvers[name]

    def pairs(self, exercise: Exercise, variant: Change, part: Part, mark: str, value: "Expr") -> Groups:
        """The pairs of mistakes that give a value with the look-up key `mark` (`~` in front: its leading term).

        Where nothing is drawn, all pairs are in a stored table; for drawn parameters they are searched for, and what
        was found is remembered.
        """
        if not variant:
            return self.pair_table(exercise, part).get(mark, ())
        name = (exercise.id, tuple(sorted(variant.items())), part.id, mark)
        if name not in self._searched:
            leading = mark.startswith("~")  # which a table finds as well; a search would have to solve far more
            self._searched[name] = () if leading else self.solver(exercise, variant).search_pairs(part, value)
        return self._searched[name]

    def pair_table(self, exercise: Exercise, part: Part) -> Pairs:
        """All pairs of mistakes of a part in which nothing is drawn, by the look-up key of what they give."""
        name = (exercise.id, part.id)
        if name not in self._pairs:
            stored = self._store.load(exercise.id, part.id) if self._store else None
            if stored is None:
                stored = self.solver(exercise, {}).pair_table(part)
                if self._store:
                    self._store.save(exercise.id, part.id, stored)
            self._pairs[name] = stored
        return self._pairs[name]


def _solved(solver: "Solver", exercise: Exercise) -> Mapping[str, PartKeys]:
    """The keys of all parts; SpecError with the faults of all parts that can't be solved."""
    keys: dict[str, PartKeys] = {}
    faults: list[Fault] = []
    for part in exercise.parts:
        try:
            keys[part.id] = solver.keys(part)
        except GraderError as error:
            found = getattr(error, "faults", ()) or (Fault(exercise.file, None, part.id, str(error)),)
            faults += [replace(fault, line=fault.line or part.line) for fault in found]
    if faults:
        raise SpecError(faults)
    return keys


def sample_key(secret: bytes) -> bytes:
    """The key of the sample points: from the course's secret, or the public one where the course has none."""
    return hmac.new(secret, b"sample points", hashlib.sha256).digest() if secret else PUBLIC_KEY

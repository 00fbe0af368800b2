"""Which keys belong to which sheet: the parameters drawn for a student, and the stored or freshly solved keys."""

import hashlib
import hmac
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Protocol

from grader.compiled import Change, Course, Exercise, Pairs, Part, PartKeys
from grader.maths.domain import PUBLIC_KEY

if TYPE_CHECKING:
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
        self._pairs: dict[tuple[str, tuple[tuple[str, str], ...], str], Pairs] = {}
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
            solver = self.solver(exercise, variant)
            self._keys[name] = {part.id: solver.keys(part) for part in exercise.parts}
        return self._keys[name]

    def solver(self, exercise: Exercise, variant: Change) -> "Solver":
        """The solver of the exercise in this variant."""
        from grader.solutions import Solver  # stored keys need none

        name = (exercise.id, tuple(sorted(variant.items())))
        if name not in self._solvers:
            self._solvers[name] = Solver(exercise, variant, (*exercise.mistakes, *self.course.mistakes), self.key)
        return self._solvers[name]

    def pairs(self, exercise: Exercise, variant: Change, part: Part) -> Pairs:
        """The values that two mistakes at once give in a part, by look-up key; stored where nothing is drawn."""
        name = (exercise.id, tuple(sorted(variant.items())), part.id)
        if name not in self._pairs:
            stored = self._store.load(exercise.id, part.id) if self._store and not variant else None
            if stored is None:
                stored = self.solver(exercise, variant).pair_table(part)
                if self._store and not variant:
                    self._store.save(exercise.id, part.id, stored)
            self._pairs[name] = stored
        return self._pairs[name]


def sample_key(secret: bytes) -> bytes:
    """The key of the sample points: from the course's secret, or the public one where the course has none."""
    return hmac.new(secret, b"sample points", hashlib.sha256).digest() if secret else PUBLIC_KEY

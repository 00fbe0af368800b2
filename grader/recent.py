"""A mapping that forgets what nobody asks for."""

from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Recent(Generic[K, V]):
    """A mapping of what was used lately: of more than `most` entries, those that nobody asked for again are dropped."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._young: dict[K, V] = {}
        self._old: dict[K, V] = {}

    def get(self, key: K) -> V | None:
        """What was put there; None if nothing was, or it was dropped."""
        found = self._young.get(key)
        if found is None:
            found = self._old.get(key)
            if found is not None:
                self.put(key, found)
        return found

    def put(self, key: K, value: V) -> None:
        """Keep a value."""
        if len(self._young) >= self._most:
            self._old, self._young = self._young, {}
        self._young[key] = value

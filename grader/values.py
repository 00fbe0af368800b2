"""Frozen values: what dataclass(frozen=True, slots=True) makes, in a fraction of the time.

The standard decorator compiles six functions for every class, which took a third of the program's start. The classes
made here share most of their functions; `replace`, `fields` and the rest of `dataclasses` work on them. Expressions
are made by the thousand and stay with the standard decorator, whose own functions for each class run faster.
"""

from collections.abc import Callable
from dataclasses import MISSING, FrozenInstanceError, dataclass, field, fields
from functools import cache
from operator import attrgetter
from typing import Any, TypeVar, dataclass_transform, overload

_T = TypeVar("_T")


@overload
def frozen(cls: type[_T], /) -> type[_T]: ...
@overload
def frozen(*, kw_only: bool = False, slots: bool = True) -> Callable[[type[_T]], type[_T]]: ...
@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(cls: type[Any] | None = None, /, *, kw_only: bool = False, slots: bool = True) -> Any:
    """Make the annotated class one of frozen values; equal if the class and all fields are.

    Without slots it may have cached properties.
    """

    def made(plain: type[Any]) -> type[Any]:
        value = dataclass(init=False, repr=False, eq=False, slots=slots, kw_only=kw_only)(plain)
        if "__init__" not in plain.__dict__:
            value.__init__ = _initializer(value)
        for name, function in _SHARED.items():
            if name not in plain.__dict__:
                setattr(value, name, function)
        return value

    return made if cls is None else made(cls)


def changed(value: _T, /, **changes: Any) -> _T:
    """The value with some fields changed: `dataclasses.replace` for values made here, in a third of the time."""
    cls: Any = type(value)
    copy = object.__new__(cls)
    for name, get, put in _slots(cls):
        put(copy, changes.pop(name) if name in changes else get(value))
    if changes:
        raise TypeError(f"{cls.__name__} has no field {', '.join(changes)}")
    return copy  # type: ignore[no-any-return]


@cache
def _slots(cls: Any) -> tuple[tuple[str, Callable[[Any], Any], Callable[[Any, Any], None]], ...]:
    return tuple((f.name, attrgetter(f.name), _setter(cls, f.name)) for f in fields(cls))


@cache
def _compared(cls: Any) -> Callable[[Any], Any]:
    """What takes from a value the fields that make it equal to another."""
    names = [f.name for f in fields(cls) if f.compare]
    return attrgetter(*names) if names else lambda _: ()


def _initializer(cls: Any) -> Callable[..., None]:
    """The class's `__init__`, which fills the slots directly: values are made for every answer, some of them often."""
    places = len(cls.__match_args__)  # the fields that may be given by place
    plan = tuple((f.name, _setter(cls, f.name), f.default, f.default_factory) for f in fields(cls))
    plan = tuple(sorted(plan, key=lambda row: row[0] not in cls.__match_args__))
    setters = tuple(row[1] for row in plan)

    def __init__(self: Any, /, *args: Any, **given: Any) -> None:  # noqa: N807
        if len(args) > places:
            raise TypeError(f"{cls.__name__}: too many values are given")
        for put, value in zip(setters, args):  # noqa: B905 - the rest follows
            put(self, value)
        for name, put, default, factory in plan[len(args) :]:
            value = given.pop(name, default) if given else default
            if value is MISSING:
                if factory is MISSING:
                    raise TypeError(f"{cls.__name__}: {name} is missing")
                value = factory()
            put(self, value)
        if given:
            raise TypeError(f"{cls.__name__} has no field {', '.join(given)}, or it is given twice")

    return __init__


def _setter(cls: Any, name: str) -> Callable[[Any, Any], None]:
    if "__slots__" in cls.__dict__:
        return getattr(cls, name).__set__  # type: ignore[no-any-return]
    return lambda self, value: object.__setattr__(self, name, value)


def _repr(self: Any) -> str:
    shown = ", ".join(f"{f.name}={getattr(self, f.name)!r}" for f in fields(self) if f.repr)
    return f"{type(self).__qualname__}({shown})"


def _eq(self: Any, other: Any) -> Any:
    if self.__class__ is not other.__class__:
        return NotImplemented
    compared = _compared(self.__class__)
    return compared(self) == compared(other)


def _hash(self: Any) -> int:
    return hash(_compared(self.__class__)(self))


def _setattr(self: Any, name: str, value: object) -> None:  # noqa: ARG001
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _delattr(self: Any, name: str) -> None:  # noqa: ARG001
    raise FrozenInstanceError(f"cannot delete field {name!r}")


_SHARED = {
    "__repr__": _repr,
    "__eq__": _eq,
    "__hash__": _hash,
    "__setattr__": _setattr,
    "__delattr__": _delattr,
}

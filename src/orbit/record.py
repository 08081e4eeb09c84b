"""Small frozen values with named fields, at a fraction of what importing `dataclasses` costs at start-up."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Self, dataclass_transform
else:

    def dataclass_transform(**_):
        return lambda cls: cls


@dataclass_transform(frozen_default=True)
class Record:
    """Base of every value passed between rooms: fields are the class annotations, defaults the class attributes.

    Immutable, compared by fields, hashable when the fields are. `replace` gives a changed copy.
    """

    _fields: tuple[str, ...] = ()
    _names: frozenset[str] = frozenset()

    def __init_subclass__(cls) -> None:
        cls._fields = (*cls._fields, *(name for name in cls.__annotations__ if name not in cls._fields))
        cls._names = frozenset(cls._fields)

    def __init__(self, *values: Any, **named: Any) -> None:
        state = self.__dict__
        if values:
            state.update(zip(self._fields, values, strict=False))
        if named:
            state.update(named)
        given = len(values) + len(named)
        if given != len(state) or given != len(self._fields) or not self._names.issuperset(named):
            self._check(values, named)

    def _check(self, values: tuple[Any, ...], named: dict[str, Any]) -> None:
        """Raise TypeError unless what is missing has a default: fewer values than fields is the common reason."""
        fields, name = self._fields, type(self).__name__
        if len(values) > len(fields):
            raise TypeError(f"{name} takes {len(fields)} values, got {len(values)}")
        for field in named:
            if field not in fields or field in fields[: len(values)]:
                raise TypeError(f"{name} got an unexpected or repeated field {field!r}")
        for field in fields:
            if field not in self.__dict__ and not hasattr(type(self), field):
                raise TypeError(f"{name} is missing the field {field!r}")

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} is immutable: cannot set {name!r}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__} is immutable: cannot delete {name!r}")

    def _values(self) -> tuple[object, ...]:
        return tuple(getattr(self, name) for name in self._fields)

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self._values() == other._values()

    def __hash__(self) -> int:
        return hash((type(self), self._values()))

    def __repr__(self) -> str:
        inner = ", ".join(f"{name}={getattr(self, name)!r}" for name in self._fields)
        return f"{type(self).__name__}({inner})"

    def replace(self, **changes: Any) -> Self:
        """A copy with some fields changed."""
        return type(self)(**{**{name: getattr(self, name) for name in self._fields}, **changes})

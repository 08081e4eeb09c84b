"""Every call of SQLite, counted, and any one of them made to fail."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from orbit.store.cache import load_sqlite

WAYS = {
    "disk I/O error": ("OperationalError", 10),
    "database or disk is full": ("OperationalError", 13),
    "unable to open database file": ("OperationalError", 14),
    "database is locked": ("OperationalError", 5),
    "attempt to write a readonly database": ("OperationalError", 8),
    "database disk image is malformed": ("DatabaseError", 11),
    "file is not a database": ("DatabaseError", 26),
    "out of memory": ("MemoryError", 0),
}
"""What SQLite says: its class and its code. Where it lacks memory Python raises its own error."""


class Queries:
    """`log` holds what was asked, in order; `failed` what was made to fail."""

    def __init__(self, fail_at: int, way: str) -> None:
        self.log: list[str] = []
        self.failed = ""
        self._fail_at = fail_at
        self._way = way

    def wrapped(self, name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **named: Any) -> Any:
            self.log.append(f"{name} {arguments[0] if arguments else ''}".rstrip())
            if len(self.log) == self._fail_at:
                self.failed = self.log[-1]
                raise self._error()
            made = real(*arguments, **named)
            return _Watched(made, self) if hasattr(made, "fetchone") or hasattr(made, "execute") else made

        return call

    def _error(self) -> BaseException:
        kind, code = WAYS[self._way]
        if kind == "MemoryError":
            return MemoryError()
        error: BaseException = getattr(load_sqlite(), kind)(self._way)
        error.sqlite_errorcode = code  # type: ignore[attr-defined]
        return error


class _Watched:
    """A connection or a cursor."""

    def __init__(self, real: Any, queries: Queries) -> None:
        self._real = real
        self._queries = queries

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._real, name)
        if name in ("execute", "executemany", "executescript", "fetchone", "fetchall", "commit"):
            return self._queries.wrapped(name, found)
        return found

    def __iter__(self) -> Iterator[Any]:
        return iter(self._queries.wrapped("fetchall", self._real.fetchall)())

    def __enter__(self) -> _Watched:
        self._real.__enter__()
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if kind is None:
            try:
                self._queries.wrapped("commit", lambda: None)()
            except BaseException:
                self._real.rollback()
                raise
        self._real.__exit__(kind, error, trace)


@contextmanager
def queries(fail_at: int = 0, way: str = "disk I/O error") -> Iterator[Queries]:
    """Count every call; the `fail_at`-th fails in this way."""
    watched = Queries(fail_at, way)
    sqlite = load_sqlite()
    before = sqlite.connect
    sqlite.connect = watched.wrapped("connect", before)  # type: ignore[attr-defined]
    try:
        yield watched
    finally:
        sqlite.connect = before  # type: ignore[attr-defined]

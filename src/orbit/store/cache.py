"""A disposable cache below `.repos/.cache/`: text by (kind, key), shared by all processes, never needed for
correctness. Whatever goes wrong with it (no SQLite, no permission, a damaged file), the work goes on without.

Contract: concepts.md, On disk; refinements.md, 22.
"""

from __future__ import annotations

import os

from orbit.places import names_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Mapping
    from types import ModuleType

_TABLE = "CREATE TABLE IF NOT EXISTS entry (kind TEXT, key TEXT, value TEXT, PRIMARY KEY (kind, key)) WITHOUT ROWID"
_FILE = "orbit-1.sqlite"
_BUSY_SECONDS = 0.5
_MOST_ENTRIES = 200_000
# SQLite's result codes: a table of another shape, or text that is none; a damaged file; no database at all.
_OTHER_SHAPE, _CORRUPT, _NO_DATABASE = 1, 11, 26
_DAMAGED = (_OTHER_SHAPE, _CORRUPT, _NO_DATABASE)


class Cache:
    """Opened on first use, so that a call which needs nothing pays nothing."""

    def __init__(self, directory: str) -> None:
        self._directory = directory
        self._connection: sqlite3.Connection | None = None
        self._unusable = False

    def get(self, kind: str) -> dict[str, str]:
        """Everything of one kind; empty when the cache cannot be used."""
        connection = self._open(create=False)
        if connection is None:
            return {}
        try:
            rows = connection.execute("SELECT key, value FROM entry WHERE kind = ?", (kind,)).fetchall()
        except self._errors():
            self._give_up()
            return {}
        return {key: value for key, value in rows if isinstance(key, str) and isinstance(value, str)}

    def look_up(self, kind: str, keys: Iterable[str]) -> dict[str, str]:
        """The entries of these keys."""
        connection = self._open(create=False)
        if connection is None:
            return {}
        found = {}
        try:
            for key in keys:
                row = connection.execute("SELECT value FROM entry WHERE kind = ? AND key = ?", (kind, key)).fetchone()
                if row and isinstance(row[0], str):
                    found[key] = row[0]
        except self._errors():
            self._give_up()
        return found

    def put(self, kind: str, entries: Mapping[str, str]) -> None:
        """Keep these entries; failing to is no failure."""
        if not entries:
            return
        connection = self._open(create=True)
        if connection is None:
            return
        try:
            with connection:
                (count,) = connection.execute("SELECT count(*) FROM entry WHERE kind = ?", (kind,)).fetchone()
                if count > _MOST_ENTRIES:
                    connection.execute("DELETE FROM entry WHERE kind = ?", (kind,))
                connection.executemany(
                    "INSERT OR REPLACE INTO entry VALUES (?, ?, ?)", [(kind, k, v) for k, v in entries.items()]
                )
        except self._errors():
            self._give_up()

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _errors(self) -> tuple[type[Exception], ...]:
        return (*sqlite_errors(load_sqlite()), UnicodeEncodeError)

    def _give_up(self) -> None:
        """For the rest of this call there is no cache. A damaged file is thrown away, the next call makes a new one."""
        import sys  # built in

        error = sys.exc_info()[1]
        self.close()
        self._unusable = True
        if is_damage(error):
            remove_database(f"{self._directory}/{_FILE}")

    def _open(self, *, create: bool) -> sqlite3.Connection | None:
        if self._connection is not None or self._unusable:
            return self._connection
        path = f"{self._directory}/{_FILE}"
        if not create and not os.path.isfile(path):
            return None
        try:
            sqlite = load_sqlite()
        except ImportError:
            self._unusable = True
            return None
        try:
            os.makedirs(self._directory, exist_ok=True)
            connection: sqlite3.Connection = sqlite.connect(path, timeout=_BUSY_SECONDS, check_same_thread=False)
            self._connection = connection
            connection.execute("PRAGMA synchronous = OFF")
            connection.execute(_TABLE)
        except sqlite_errors(sqlite):
            self._give_up()
        return self._connection


def load_sqlite() -> ModuleType:
    """SQLite without its Python half, which brings `datetime` and adds nothing here.

    Raises ImportError where Python has none.
    """
    try:
        import _sqlite3  # only a call with something to remember pays
    except ImportError:
        import sqlite3  # a Python that has no such half

        return sqlite3
    return _sqlite3


def sqlite_errors(sqlite: ModuleType) -> tuple[type[Exception], ...]:
    """What a database that cannot be used raises; SQLite's own lack of memory comes as Python's."""
    return (sqlite.Error, OSError, MemoryError)


def is_damage(error: BaseException | None) -> bool:
    """Whether an error says that a database is no good, not that it is locked, full or out of reach."""
    return (
        isinstance(error, load_sqlite().Error) and getattr(error, "sqlite_errorcode", _OTHER_SHAPE) & 0xFF in _DAMAGED
    )


def remove_database(path: str) -> None:
    """A database file and what SQLite keeps beside it, as far as they can be removed."""
    for suffix in ("", "-journal", "-wal", "-shm"):
        try:
            os.unlink(path + suffix)
        except OSError:
            continue


def is_sound(directory: str) -> bool:
    """Whether every database in the cache's directory can be read. For a checkup."""
    paths = [f"{directory}/{name}" for name in names_in(directory) if name.endswith(".sqlite")]
    return all(_can_be_read(path) for path in paths if os.path.isfile(path))


def _can_be_read(path: str) -> bool:
    try:
        sqlite = load_sqlite()
    except ImportError:
        return True
    try:
        connection = sqlite.connect(f"file:{_in_uri(path)}?mode=ro", uri=True, timeout=_BUSY_SECONDS)
        try:
            return bool(connection.execute("PRAGMA quick_check").fetchone() == ("ok",))
        finally:
            connection.close()
    except (sqlite.OperationalError, MemoryError):
        return True  # locked by somebody at work, not damaged
    except sqlite.Error:
        return False


def _in_uri(path: str) -> str:
    """A path with the three signs escaped that mean something to SQLite in a URI."""
    return path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")

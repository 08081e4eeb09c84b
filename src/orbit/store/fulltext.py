"""A full-text index in a file of its own below `.repos/.cache/`, as disposable as the cache beside it.

It is handed words that are split already, and ranks. Whatever is wrong with the file (locked, damaged, not writable),
the same index is made in memory for this one call. Contract: knowledge.md, Roster; refinements.md, 36; concepts.md,
On disk.
"""

from __future__ import annotations

import os

from orbit.record import Record
from orbit.store.cache import is_damage, load_sqlite, remove_database, sqlite_errors

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Mapping, Sequence

FILE = "search-1.sqlite"  # a new number whenever the words of a text, or the tables, change
_MODULE = "fts5"
_SHAPE = 1
_BUSY_SECONDS = 0.5


class Text(Record):
    """One document: words with blanks between them, in three columns."""

    name: str
    brief: str
    body: str


class Documents(Record):
    """What the index is to hold: by name a signature that changes with the text, and the text when it is asked for."""

    signatures: Mapping[str, str]
    text_of: Callable[[str], Text]


def scores(
    directory: str, documents: Documents, expressions: Sequence[str], weights: tuple[float, float, float]
) -> list[dict[str, float]] | None:
    """For each FTS5 expression the documents that match it, by name, with their BM25: larger for a better answer.

    `weights` are those of the columns. None where Python has no SQLite, or SQLite no FTS5.
    """
    try:
        sqlite = load_sqlite()
    except ImportError:
        return None
    path = f"{directory}/{FILE}"
    for place in (path, ":memory:"):
        try:
            if place == path:
                os.makedirs(directory, exist_ok=True)
            connection = sqlite.connect(place, timeout=_BUSY_SECONDS, isolation_level=None)
            try:
                connection.execute("PRAGMA synchronous = OFF")
                names = {row: name for name, (row, _) in _up_to_date(connection, documents).items()}
                return [_ask(connection, names, expression, weights) for expression in expressions]
            finally:
                connection.close()
        except sqlite_errors(sqlite) as error:
            if f"no such module: {_MODULE}" in str(error):
                return None
            if place == path and is_damage(error):
                remove_database(path)
    return None


def _known(connection: sqlite3.Connection) -> dict[str, tuple[int, str]]:
    """Name -> (row, signature)."""
    (shape,) = connection.execute("PRAGMA user_version").fetchone()
    if shape != _SHAPE:
        return {}
    rows = connection.execute("SELECT name, id, signature FROM document")
    return {name: (row, signature) for name, row, signature in rows}


def _up_to_date(connection: sqlite3.Connection, documents: Documents) -> dict[str, tuple[int, str]]:
    """Add what is new, replace what changed, drop what is gone; nothing is written when nothing differs."""
    known = _known(connection)
    wanted = documents.signatures
    missing = [name for name, signature in wanted.items() if known.get(name, (0, None))[1] != signature]
    if not missing and len(known) == len(wanted):
        return known
    texts = {name: documents.text_of(name) for name in missing}  # the slow part, before the lock
    connection.execute("BEGIN IMMEDIATE")
    _make_tables(connection)
    known = _known(connection)  # somebody may have been faster
    old = [
        (row,)
        for name, (row, signature) in known.items()
        if name not in wanted or (name in texts and signature != wanted[name])
    ]
    connection.executemany("DELETE FROM document WHERE id = ?", old)
    connection.executemany("DELETE FROM words WHERE rowid = ?", old)
    for name, text in texts.items():
        if known.get(name, (0, None))[1] != wanted[name]:
            made = connection.execute("INSERT INTO document (name, signature) VALUES (?, ?)", (name, wanted[name]))
            columns = (made.lastrowid, text.name, text.brief, text.body)
            connection.execute("INSERT INTO words (rowid, name, brief, body) VALUES (?, ?, ?, ?)", columns)
    known = _known(connection)
    connection.execute("COMMIT")
    return known


def _make_tables(connection: sqlite3.Connection) -> None:
    (shape,) = connection.execute("PRAGMA user_version").fetchone()
    if shape == _SHAPE:
        return
    connection.execute("CREATE TABLE document (id INTEGER PRIMARY KEY, name TEXT UNIQUE, signature TEXT)")
    # Its plainest tokenizer takes our words as they are: blanks part them, and all but ASCII signs belongs to them.
    connection.execute(f"CREATE VIRTUAL TABLE words USING {_MODULE} (name, brief, body, tokenize = 'ascii')")
    connection.execute(f"PRAGMA user_version = {_SHAPE}")


def _ask(
    connection: sqlite3.Connection, names: Mapping[int, str], expression: str, weights: tuple[float, float, float]
) -> dict[str, float]:
    question = "SELECT rowid, bm25(words, ?, ?, ?) FROM words WHERE words MATCH ?"
    rows = connection.execute(question, (*weights, expression))
    return {names[row]: -rank for row, rank in rows if row in names}  # somebody may have added more meanwhile

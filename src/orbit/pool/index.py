"""The index `.repos/.orbit`: url, brief and head of every clone, in git-config format; settings live beside them.

The index is a cache: whatever is missing or damaged is made again from the clones and the cards.
Contract: concepts.md, On disk; refinements.md 2, 3, 35.
"""

from __future__ import annotations

from orbit.errors import OrbitError
from orbit.git.urls import redact_url
from orbit.guidance import pool_notices
from orbit.pool.clones import origin_url
from orbit.record import Record
from orbit.store.document import load, update
from orbit.store.settings import Settings, read_settings
from orbit.store.syntax import Set

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from orbit.guidance.notice import Notice
    from orbit.places import Project
    from orbit.store.document import Written
    from orbit.store.syntax import Change, Config

SECTION = "repos"


class IndexEntry(Record):
    """One clone's row. `head` is the pool HEAD when the card was last written; `card` the id of that card's text."""

    url: str = ""
    brief: str = ""
    head: str = ""
    card: str = ""

    def __init__(self, url: str = "", brief: str = "", head: str = "", card: str = "") -> None:
        """Written out, since every call makes one for each clone: a third of what the general one takes."""
        state = self.__dict__
        state["url"] = url
        state["brief"] = brief
        state["head"] = head
        state["card"] = card


class Index(Record):
    """The index as read, its settings, and what was wrong with it; `damage` says why it could not be read."""

    entries: Mapping[str, IndexEntry]
    config: Config
    settings: Settings
    state: str
    notices: tuple[Notice, ...]
    damage: str = ""


def read_index(project: Project) -> Index:
    """Read it; a missing or damaged one comes back empty with its `state` ("ok", "missing", "damaged")."""
    loaded = load(project.index)
    entries = {
        name: IndexEntry(row.get("url", ""), row.get("brief", ""), row.get("head", ""), row.get("card", ""))
        for name, row in loaded.config.table(SECTION).items()
    }
    settings = read_settings(loaded.config)
    notices = [pool_notices.bad_setting(bad.key, bad.value, bad.default) for bad in settings.bad]
    if loaded.state == "damaged":
        notices.insert(0, pool_notices.metadata_damaged(".repos/.orbit", loaded.reason))
    return Index(entries, loaded.config, settings, loaded.state, tuple(notices), loaded.reason)


def record_entry(project: Project, name: str, entry: IndexEntry) -> list[Notice]:
    """Write one clone's row; fields left empty keep what the file has."""
    return record_entries(project, {name: entry})


def record_entries(project: Project, entries: Mapping[str, IndexEntry]) -> list[Notice]:
    """Write many rows in one transaction; fields left empty keep what the file has."""
    return written_notices(project, _write_rows(project, entries))


def _write_rows(project: Project, entries: Mapping[str, IndexEntry]) -> Written:
    return update(project.index, lambda _: _row_changes(entries))


def _row_changes(entries: Mapping[str, IndexEntry]) -> tuple[Change, ...]:
    return tuple(
        Set(SECTION, name, key, (value,))
        for name, entry in entries.items()
        for key, value in (("url", entry.url), ("brief", entry.brief), ("head", entry.head), ("card", entry.card))
        if value
    )


def change_settings(project: Project, changes: Sequence[Change]) -> list[Notice]:
    return written_notices(project, update(project.index, lambda _: changes))


def written_notices(project: Project, written: Written, damage: str = "damaged, begun anew") -> list[Notice]:
    """What a write to a metadata file came upon; `damage` says why the old file is kept aside, if it is."""
    notices = []
    if written.lock_notice:
        notices.append(pool_notices.stale_lock_removed(written.lock_notice))
    if written.kept_copy:
        kept = written.kept_copy.removeprefix(project.root + "/")
        notices.append(pool_notices.metadata_damaged(kept.rpartition(".damaged-")[0], damage, kept))
    return notices


def clone_url(project: Project, name: str) -> str:
    """The clone's origin without credentials, for the index and for people."""
    return redact_url(origin_url(project.clone(name)))


def _missing_fields(config: Config, rows: Mapping[str, IndexEntry]) -> tuple[Change, ...]:
    """Only what the file, read again under its lock, does not have: somebody may have written a row meanwhile."""
    known = config.table(SECTION)
    return _row_changes({name: entry for name, entry in rows.items() if name not in known})


def rebuild(project: Project, index: Index, names: Sequence[str], cards: Mapping[str, IndexEntry]) -> Index:
    """Fill the rows that a missing or damaged index lacks and write them if that is possible.

    `cards` gives brief and card id of the clones that have a card; no `head` is recorded for those: how far an
    old card is behind is then unknown, and a wrong "fresh" would be the worst answer.
    """
    found = {name: cards.get(name, IndexEntry()).replace(url=clone_url(project, name)) for name in names}
    notices = list(index.notices)
    written = None
    try:
        written = update(project.index, lambda config: _missing_fields(config, found))
    except OrbitError:
        pass  # the pool may be read-only: the rows serve this call
    if written is not None:
        told = written_notices(project, written, index.damage)
        if written.kept_copy:  # the same damage, now with where the old file is
            notices = [notice for notice in notices if notice.name != "metadata-damaged"]
        notices += told
    notices.append(pool_notices.index_rebuilt(len(found), written=written is not None))
    return index.replace(entries={**index.entries, **found}, notices=tuple(notices))

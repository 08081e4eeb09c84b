"""Level 0: one row per pool clone, from files alone; git only to count distances that are not cached.

Contract: the seed, Progressive Loading; commands.md, repos; knowledge.md, Brief and Staleness.
"""

from __future__ import annotations

import os

from orbit.git.files import head_names
from orbit.git.many import side_by_side
from orbit.git.urls import redact_url
from orbit.guidance import pool_notices
from orbit.knowledge import card, staleness
from orbit.knowledge.brief.extract import LIMIT
from orbit.knowledge.readme import BriefSource
from orbit.knowledge.staleness import Staleness
from orbit.pool.clones import list_directories
from orbit.pool.index import IndexEntry, clone_url, read_index, rebuild
from orbit.record import Record
from orbit.store.cache import Cache
from orbit.store.disk import try_read
from orbit.text import safe_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from orbit.guidance.notice import Notice
    from orbit.places import Project
    from orbit.pool.index import Index


class Row(Record):
    """One clone in the roster. `source` says where the brief came from: index, card, readme or none; `card` is the
    card as stored, empty where there is none.
    """

    name: str
    url: str
    brief: str
    source: str
    head: str
    memo_state: str
    staleness: Staleness
    incomplete: bool
    out_of_sync: bool
    has_card: bool
    card: bytes = b""


class Roster(Record):
    rows: tuple[Row, ...]
    index: Index
    notices: tuple[Notice, ...]


class _Clone:
    """One clone's HEAD ("" while unborn) and card. `damage` says why a card that is there cannot be read."""

    __slots__ = ("card", "damage", "head", "name")

    def __init__(self, name: str, head: str, card: bytes | None, damage: str) -> None:
        self.name = name
        self.head = head
        self.card = card
        self.damage = damage


_NO_ENTRY = IndexEntry()
_NOT_COUNTED = Staleness("behind", None)


def read_roster(
    project: Project, cache: Cache, jobs: int, *, index: Index | None = None, distances: bool = True
) -> Roster:
    """The whole pool, by an index that was read already if one is given. Without `distances`, stale cards are told
    apart from fresh ones but not counted.
    """
    index = index or read_index(project)
    clones, notices = _read_clones(project)
    briefs = BriefSource(cache)
    if index.state != "ok" and clones:
        from orbit.knowledge.history import recorded_heads  # only a lost index asks the history

        heads = recorded_heads(project, {clone.name: clone.card for clone in clones if clone.card is not None})
        entries = {clone.name: _index_entry(clone, briefs, heads.get(clone.name, "")) for clone in clones}
        index = rebuild(project, index, tuple(entries), entries)
    limits = card.budget(index.settings)
    written = _mtime(project.index)
    rows = []
    for clone, stale in zip(clones, _staleness(project, clones, index, cache, jobs if distances else 0), strict=True):
        known = index.entries.get(clone.name, _NO_ENTRY)
        brief, source, out_of_sync = _brief(project, clone, known, briefs, written)
        recorded = known.head if staleness.is_object_name(known.head) else ""
        row = Row(  # in the order of the fields: a thousand calls with names cost a tenth of a bare start
            clone.name,
            safe_line(redact_url(known.url or clone_url(project, clone.name))),
            brief,
            source,
            recorded or clone.head,
            card.card_state(clone.card, limits),
            stale,
            clone.card is None or not (known.url and known.brief and recorded),
            out_of_sync,
            clone.card is not None,
            clone.card or b"",
        )
        rows.append(row)
    briefs.remember()
    return Roster(tuple(rows), index, (*index.notices, *notices))


def _read_clones(project: Project) -> tuple[list[_Clone], list[Notice]]:
    """Every repository of the pool, and what was passed over or cannot be read."""
    listing = list_directories(project)
    clones, damaged = [], []
    strange = list(listing.strange)
    pool = project.pool
    for name, head in zip(listing.clones, head_names(f"{pool}/{name}" for name in listing.clones), strict=True):
        if head is None:
            strange.append(name)
            continue
        data, damage = try_read(f"{pool}/.{name}.md")
        if damage:
            damaged.append(pool_notices.metadata_damaged(f".repos/.{name}.md", damage))
        clones.append(_Clone(name, head, data, damage))
    return clones, [*(pool_notices.not_a_repository(name) for name in sorted(strange)), *damaged]


def _index_entry(clone: _Clone, briefs: BriefSource, kept_head: str) -> IndexEntry:
    """What a rebuilt index records: brief, card id and what the history knows where there is a card, else the HEAD."""
    if clone.card is None:
        return IndexEntry(head="" if clone.damage else clone.head)
    return IndexEntry(brief=briefs.card(clone.card), head=kept_head, card=card.revision(clone.card))


def _brief(
    project: Project, clone: _Clone, known: IndexEntry, briefs: BriefSource, written: int
) -> tuple[str, str, bool]:
    """(brief, source, whether the index is out of step with the card): index, card, README, nothing.

    The index is believed while it describes the card's present text; a card edited by hand speaks for itself.
    """
    recorded = _shown(known.brief)
    if recorded and _is_current(project, clone, known, written):
        return recorded, "index", False
    own = _shown(briefs.card(clone.card)) if clone.card is not None else ""
    if own:
        return own, "card", own != recorded and bool(known.card or not recorded)
    if recorded:
        return recorded, "index", False
    brief = _shown(briefs.readme(clone.name, project.clone(clone.name)))
    return brief, "readme" if brief else "none", False


def _is_current(project: Project, clone: _Clone, known: IndexEntry, written: int) -> bool:
    """Whether the index describes the card's present text: by the card's id, else by which file is newer."""
    if clone.card is None:
        return True
    if known.card:
        return known.card == card.revision(clone.card)
    return _mtime(project.card(clone.name)) <= written


def _mtime(path: str) -> int:
    """Nanoseconds, 0 for what is not there."""
    try:
        return os.stat(path).st_mtime_ns
    except OSError:
        return 0


def _shown(brief: str) -> str:
    """A brief from wherever: one line, safe to show, within the limit."""
    text = safe_line(brief).strip()
    if len(text) <= LIMIT:
        return text
    from orbit.knowledge.brief.cut import cut  # only a brief that another program wrote can be too long

    return cut(text, LIMIT)


def _staleness(project: Project, clones: list[_Clone], index: Index, cache: Cache, jobs: int) -> list[Staleness]:
    """How far each card is behind: without git, else from the cache, else counted side by side (not for 0 jobs)."""
    stored = [index.entries.get(clone.name, _NO_ENTRY).head for clone in clones]
    found = [
        staleness.without_git(head, clone.head, has_card=clone.card is not None)
        for head, clone in zip(stored, clones, strict=True)
    ]
    pairs = {i: (stored[i], clones[i].head) for i, settled in enumerate(found) if settled is None}
    answers = staleness.recall(cache, pairs.values()) if jobs else dict.fromkeys(pairs.values(), _NOT_COUNTED)
    missing = [i for i, pair in pairs.items() if pair not in answers]
    measured = side_by_side(lambda i: staleness.measure(project.clone(clones[i].name), *pairs[i]), missing, jobs)
    fresh = {}
    for i, outcome in zip(missing, measured, strict=True):
        if isinstance(outcome, Staleness):
            found[i] = outcome
            if outcome.cacheable:
                fresh[pairs[i]] = outcome
        else:
            found[i] = Staleness("unknown", None, reason=outcome.message)
    staleness.remember(cache, fresh)
    return [settled or answers[pairs[i]] for i, settled in enumerate(found)]

"""Reading and writing a repository's card, and keeping its index row true.

One lock per card, the card replaced whole, then the index. Contract: knowledge.md, The card; refinements.md 1, 2.
"""

from __future__ import annotations

from orbit.errors import OrbitError
from orbit.git.files import read_head
from orbit.guidance import card_notices, pool_notices
from orbit.knowledge import card, history, jots
from orbit.knowledge.brief.extract import card_brief
from orbit.knowledge.evidence import MISSING, read_evidence
from orbit.pool.clones import list_clones
from orbit.pool.index import SECTION, IndexEntry, clone_url, read_index, record_entry, written_notices
from orbit.record import Record
from orbit.store.cache import Cache
from orbit.store.disk import read_bytes, replace_file, try_read
from orbit.store.document import load, update
from orbit.store.lock import FileLock
from orbit.store.syntax import Set
from orbit.text import safe_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from orbit.guidance.notice import Notice
    from orbit.places import Project
    from orbit.store.syntax import Change, Config

_ROW = ("url", "brief", "head", "card")


class CardWrite(Record):
    """A card to write. `expect` is the revision it replaces ("" = any, `none` = no card); `workspace` is where it is
    written from ("" = the root); what was popped there up to `settle_ms` is merged in it (0 settles nothing). `what`
    is done, for the history.
    """

    repo: str
    text: bytes
    expect: str = ""
    workspace: str = ""
    settle_ms: int = 0
    what: str = "write"


class CardWritten(Record):
    brief: str
    revision: str
    notices: tuple[Notice, ...]


def read_card(project: Project, repo: str) -> bytes | None:
    """The card's bytes, None without one. Raises OrbitError when it is there and cannot be read."""
    return read_bytes(project.card(repo))


def card_text(data: bytes) -> str:
    return data.decode("utf-8", "replace").removeprefix("\ufeff")


def brief_of(data: bytes) -> str:
    return card_brief(card_text(data))


def pool_head(project: Project, repo: str) -> str:
    head = read_head(project.clone(repo))
    return head.sha if head else ""


def require_revision(project: Project, repo: str, expect: str) -> None:
    """Raises OrbitError when the card is no longer the one the writer read, and for what can be no revision."""
    if not expect:
        return
    data = read_card(project, repo)
    if card.names_revision(expect, data):
        return
    shown = safe_line(expect[:12])
    if not card.can_be_revision(expect):
        raise OrbitError(
            repo,
            f"{shown} is no revision, nothing was written",
            f"orbit info {repo} prints it (4 characters at least); none = there is no card yet",
        )
    how = ", it is gone" if data is None else ", there is one now" if expect == "none" else ""
    raise OrbitError(
        repo,
        f"the card changed since {shown}{how}, nothing was written",
        f"read it again (orbit info {repo}), merge, write with the new revision",
    )


def write_card(project: Project, write: CardWrite) -> CardWritten:
    """Store the card and its index row, and settle what it merged. Raises OrbitError with the old card intact."""
    repo = write.repo
    text = card.normalised(write.text, repo)
    brief = card_brief(text)
    if not brief:
        raise OrbitError(repo, "card refused, no brief can be extracted (begin with one sentence that says what it is)")
    data = text.encode()
    rev = card.revision(data)
    notices: list[Notice] = []
    with FileLock(project.card(repo)) as lock:
        if lock.notice:
            notices.append(pool_notices.stale_lock_removed(lock.notice))
        require_revision(project, repo, write.expect)
        old, _ = try_read(project.card(repo))  # an unreadable one is for replace_file to refuse
        row = IndexEntry(clone_url(project, repo), brief, pool_head(project, repo), rev)
        # Before the card: a version in the history that never became the card harms nobody, the reverse loses one.
        notices += _keep(project, write, old, data, row.head)
        replace_file(project.card(repo), data)
        try:
            notices += record_entry(project, repo, row)
        except OrbitError as problem:  # the card stands: what is left to do is told
            notices.append(pool_notices.metadata_damaged(".repos/.orbit", problem.message))
            notices.append(pool_notices.index_out_of_sync(repo))
    if write.workspace and write.settle_ms:
        notices += _settle(project, write)
    notices += _shrinkage(repo, old, data)
    return CardWritten(brief, rev, (*notices, *_write_findings(project, repo, data)))


def _keep(project: Project, write: CardWrite, old: bytes | None, new: bytes, head: str) -> list[Notice]:
    """Put the new text into the history, and before it an old one that is not there. Failing never stops the write."""
    repo = write.repo
    versions = []
    known = read_index(project).entries.get(repo, IndexEntry())
    try:
        begun = history.exists(project)
    except OrbitError as problem:
        return [card_notices.history_failed(repo, problem.message)]
    if old is not None and old != new and (known.card != card.revision(old) or not begun):
        versions.append(history.Version(old, "found before this write", "", known.head))
    settled = _to_settle(project, write)
    if old != new or settled or not begun or _closes_conflict(project, repo):
        versions.append(history.Version(new, write.what, write.workspace, head, settled))
    if not versions:
        return []
    try:
        history.keep(project, repo, versions)
    except OrbitError as problem:
        return [card_notices.history_failed(repo, problem.message)]
    return []


def _closes_conflict(project: Project, repo: str) -> bool:
    """The same text again is an answer when a pull found another one."""
    from orbit.knowledge.conflicts import open_conflicts  # a text written twice is rare

    try:
        return repo in open_conflicts(project)
    except OrbitError:
        return False  # what is wrong with the history shows when it is written


def _to_settle(project: Project, write: CardWrite) -> tuple[str, ...]:
    if not write.workspace or not write.settle_ms:
        return ()
    queue = jots.queue_of(load(project.metadata(write.workspace)).config, write.repo)
    return tuple(text for text, at in zip(queue.popped, queue.popped_at, strict=True) if at <= write.settle_ms)


def _shrinkage(repo: str, old: bytes | None, new: bytes) -> list[Notice]:
    """A shallower session that overwrites a richer card can take it back with one command."""
    if old is None:
        return []
    before, after = card.line_count(old), card.line_count(new)
    return [card_notices.memo_shrank(repo, before, after, card.revision(old)[:12])] if 2 * after < before else []


def _settle(project: Project, write: CardWrite) -> list[Notice]:
    """Failing leaves the popped jots in flight, where they are seen; the card stands."""
    shown = f"{write.workspace}/.orbit"
    loaded = load(project.metadata(write.workspace))
    if loaded.state == "damaged":
        return [pool_notices.metadata_damaged(shown, loaded.reason)]
    if not jots.queue_of(loaded.config, write.repo).popped:
        return []
    try:
        count, written = jots.settle(project, write.workspace, write.repo, write.settle_ms)
    except OrbitError as problem:
        return [pool_notices.metadata_damaged(shown, problem.message)]
    notices = written_notices(project, written)
    return [*notices, card_notices.popped_settled(write.repo, count)] if count else notices


def missing_paths(project: Project, repo: str, data: bytes) -> list[str]:
    """Paths that a card names and the pool HEAD does not have."""
    cache = Cache(project.cache)
    head = pool_head(project, repo)
    found = read_evidence(project.clone(repo), head, head, data, cache)
    cache.close()
    return found.of(MISSING)


def _write_findings(project: Project, repo: str, data: bytes) -> list[Notice]:
    index = read_index(project)
    notices = list(index.notices)
    limits = card.budget(index.settings)
    if card.card_state(data, limits) == "over":
        notices.append(card_notices.memo_over_budget(repo, card.size_words(data, limits)))
    found = card.quick_findings(card_text(data))
    found += [f"not at HEAD: {path}" for path in missing_paths(project, repo, data)]
    if found:
        notices.append(card_notices.memo_findings(repo, ", ".join(found)))
    return notices


def refresh(project: Project, repo: str, expect: str = "") -> tuple[str, tuple[Notice, ...]]:
    """`memo R --refresh`: the card still holds, so its row gets the card's brief and the pool HEAD. Gives the brief."""
    with FileLock(project.card(repo)) as lock:
        data = read_card(project, repo)
        if data is None:
            raise OrbitError(repo, "no memo to refresh", f"write one with: orbit memo {repo}")
        require_revision(project, repo, expect)
        brief = brief_of(data)
        wanted = IndexEntry(clone_url(project, repo), brief, pool_head(project, repo), card.revision(data))
        written = update(project.index, lambda config: _row_changes(repo, _row(config, repo), wanted))
    notices = written_notices(project, written)
    if lock.notice:
        notices.insert(0, pool_notices.stale_lock_removed(lock.notice))
    return brief, tuple(notices)


def repair(project: Project) -> tuple[int, tuple[Notice, ...]]:
    """`memo` alone: every row gets the clone's url and the card's brief; `head` stays. Gives how many rows changed.

    Cards are read without their locks: a row that a card's writer changes meanwhile is newer and is let be.
    """
    before = load(project.index).config
    notices: list[Notice] = []
    rows: dict[str, tuple[IndexEntry, IndexEntry]] = {}
    for name in list_clones(project).clones:
        known = _row(before, name)
        data, damage = try_read(project.card(name))
        if damage:
            notices.append(pool_notices.metadata_damaged(f".repos/.{name}.md", damage))
            continue
        wanted = _wanted(project, name, known, data)
        if wanted != known:
            rows[name] = known, wanted
    count = 0

    def change(config: Config) -> list[Change]:
        nonlocal count
        still = [name for name, (known, _) in rows.items() if _row(config, name) == known]
        count = len(still)
        return [c for name in still for c in _row_changes(name, *rows[name])]

    if rows:
        notices += written_notices(project, update(project.index, change))
    return count, tuple(notices)


def _wanted(project: Project, name: str, known: IndexEntry, data: bytes | None) -> IndexEntry:
    """What a row should say about a clone with this card."""
    url = clone_url(project, name) or known.url
    if data is not None:
        return IndexEntry(url, brief_of(data), known.head, card.revision(data))
    return known.replace(url=url, head=known.head or pool_head(project, name))


def _row(config: Config, name: str) -> IndexEntry:
    return IndexEntry(*(config.get(SECTION, name, key) or "" for key in _ROW))


def _row_changes(name: str, known: IndexEntry, wanted: IndexEntry) -> list[Change]:
    """Only what differs. A brief that the card no longer has goes; url and head are kept when they cannot be told."""
    changes: list[Change] = []
    for key in _ROW:
        old, new = getattr(known, key), getattr(wanted, key)
        if new != old and (new or key == "brief"):
            changes.append(Set(SECTION, name, key, (new,) if new else ()))
    return changes

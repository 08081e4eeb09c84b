"""The blocks a model reads: cruise, prime, reignite; within a budget, with nothing in them that breaks the frame.

Contract: knowledge.md, context; refinements.md 12.
"""

from __future__ import annotations

import os

from orbit.git.files import git_dir
from orbit.knowledge.evidence import NOTHING, Evidence, evidence_json, read_evidence
from orbit.knowledge.memo import card_text, pool_head
from orbit.knowledge.staleness import (
    NO_CARD,
    RemoteAhead,
    memo_notice,
    memo_staleness,
    remote_ahead,
    remote_notice,
)
from orbit.pool.clones import is_clone
from orbit.record import Record
from orbit.store.disk import try_read
from orbit.text import framed, safe_line, safe_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from orbit.knowledge.roster import Roster, Row
    from orbit.knowledge.staleness import Staleness
    from orbit.knowledge.status import RepoStatus
    from orbit.places import Project
    from orbit.pool.index import Index
    from orbit.store.cache import Cache
    from orbit.store.settings import Settings


class Head(Record):
    """The top of every block. `state` is `active` or `done`."""

    workspace: str
    path: str
    goal: str
    state: str

    def json(self, mode: str) -> dict[str, object]:
        """The fields every JSON form begins with."""
        named = {"workspace": self.workspace, "path": self.path, "goal": self.goal, "state": self.state}
        return {**named, "mode": mode}


class Detail(Record):
    """What reignite adds to a repo's status; `used` is when its worktree was last worked in, in seconds since 1970."""

    status: RepoStatus
    staleness: Staleness
    ahead: RemoteAhead
    card: str
    used: int
    evidence: Evidence = NOTHING


def _line(text: str) -> str:
    """A value on one line of a block."""
    return framed(safe_line(text))


def head_lines(head: Head, room: int) -> list[str]:
    """`path`, `goal` if set, `state`; a goal of several lines is indented so that it cannot look like a field.

    `room` is the block's budget in bytes: a goal that would fill it leaves three quarters to the rest.
    """
    lines = [f"path: {_line(head.path)}"]
    if head.goal:
        goal = framed(head.goal)
        shown = _cut(goal, room // 4)
        lines.append("goal: " + shown.replace("\n", "\n  "))
        if shown != goal:
            lines.append("  … goal cut: orbit context goal")
    lines.append(f"state: {head.state}")
    if head.state == "done":
        lines.append("note: this workspace is marked done; check with the user before working in it")
    return lines


def _status_line(status: RepoStatus) -> str:
    return f"repo {_line(status.name)}: {framed(' | '.join(status.facts()))}"


def _jot_lines(status: RepoStatus, buffer: int, indent: str = "") -> list[str]:
    """Waiting jots up to the buffer; more: the count and the command."""
    entries = status.queue.entries
    lines = [f"{indent}jot: " + framed(entry).replace("\n", f"\n{indent}  ") for entry in entries[:buffer]]
    if len(entries) > buffer:
        lines.append(f"{indent}… {len(entries) - buffer} more jots: orbit jot {_line(status.name)} --list")
    return lines


def _pending_lines(statuses: tuple[RepoStatus, ...], settings: Settings) -> list[str]:
    """What is pending, also of repos whose worktree is gone; with the jots themselves if half the block holds them."""
    buffer, room = settings.number("jot.bufferSize"), settings.number("context.maxBytes")
    pending = [status for status in statuses if status.pending]
    lines = [line for status in pending for line in (_status_line(status), *_jot_lines(status, buffer, "  "))]
    return lines if sum(map(_size, lines)) <= room // 2 else [_status_line(status) for status in pending]


def cruise_text(head: Head, statuses: tuple[RepoStatus, ...], room: int) -> str:
    """`repo NAME: fact | fact` for each repo with something pending; a clean repo is silent."""
    return _within("\n".join([*head_lines(head, room), *(_status_line(s) for s in statuses if s.pending)]), room)


# --- prime -----------------------------------------------------------------------------------------------------------


def prime_text(head: Head, statuses: tuple[RepoStatus, ...], roster: Roster, ordered: list[Row]) -> tuple[str, int]:
    """The cold-start block and how many repositories it names, within context.rosterLimit and context.maxBytes."""
    settings = roster.index.settings
    room = settings.number("context.maxBytes")
    top = [*head_lines(head, room), *_pending_lines(statuses, settings), ""]
    if not ordered:
        top.append("the pool is empty: orbit clone URL adds a repository")
        return _within("\n".join(top), room), 0
    top.append("available in pool (orbit add REPO …):")
    chosen = ordered[: settings.number("context.rosterLimit")]
    text = _prime(top, chosen, ordered)
    while _size(text) > room and chosen:
        chosen = chosen[: len(chosen) - max(1, len(chosen) // 10)]
        text = _prime(top, chosen, ordered)
    return _within(text, room), len(chosen)


def _prime(top: list[str], chosen: list[Row], ordered: list[Row]) -> str:
    lines = [*top, *(f"  {row.name}  {framed(row.brief) or '-'}" for row in chosen)]
    without = [row.name for row in chosen if not row.has_card]
    if without:
        lines.append("no memo (orbit info REPO shows the README):")
        lines.append("  " + " ".join(without))
    apart = [row.name for row in chosen if row.out_of_sync]
    if apart:
        lines.append("index out of sync (orbit memo REPO --refresh):")
        lines.append("  " + " ".join(apart))
    left = len(ordered) - len(chosen)
    if left:
        lines.append(f"… {left} more in the pool: orbit repos WORDS searches them")
    return "\n".join(lines)


# --- reignite --------------------------------------------------------------------------------------------------------


def read_details(project: Project, statuses: tuple[RepoStatus, ...], index: Index, cache: Cache) -> tuple[Detail, ...]:
    """Cards and both staleness layers of every worktree, and of the repos that have only jots left here."""
    return tuple(_detail(project, status, index, cache) for status in statuses)


def _detail(project: Project, status: RepoStatus, index: Index, cache: Cache) -> Detail:
    used = _worktree_use(status.worktree.path) if status.worktree is not None else 0
    if not is_clone(project, status.name):
        return Detail(status, NO_CARD, RemoteAhead(0, ""), "", used)
    checkout = project.clone(status.name)
    data, _ = try_read(project.card(status.name))
    entry = index.entries.get(status.name)
    stored, current = entry.head if entry else "", pool_head(project, status.name)
    stale = memo_staleness(checkout, stored, current, cache, has_card=data is not None)
    if data is None:
        return Detail(status, stale, remote_ahead(checkout, cache), "", used)
    text = card_text(data)
    evidence = read_evidence(checkout, stored, current, data, cache)
    return Detail(status, stale, remote_ahead(checkout, cache), text, used, evidence)


def _mtime(path: str) -> int:
    try:
        return int(os.stat(path).st_mtime)
    except OSError:
        return 0


def _worktree_use(path: str) -> int:
    """When git last changed this worktree's index or HEAD."""
    directory = git_dir(path)
    return max(_mtime(f"{directory}/index"), _mtime(f"{directory}/HEAD")) if directory else 0


def reignite_text(head: Head, details: tuple[Detail, ...], index: Index) -> str:
    """The warm-start block within context.maxBytes. The least recently used give way first: cards are cut before
    anything else, then sections shrink to what is pending.
    """
    room = index.settings.number("context.maxBytes")
    buffer = index.settings.number("jot.bufferSize")
    gone = tuple(detail.status for detail in details if detail.status.worktree is None)
    here = [detail for detail in details if detail.status.worktree is not None]
    top = "\n".join([*head_lines(head, room), *_pending_lines(gone, index.settings)])
    forms = [_section(detail, buffer) for detail in here]
    sections = [full for full, _, _ in forms]
    size = _size(top) + sum(_size(section) for section in sections)
    by_use = sorted(range(len(here)), key=lambda i: here[i].used)
    for form in (1, 2):
        for i in by_use:
            if size <= room:
                break
            size -= _size(sections[i]) - _size(forms[i][form])
            sections[i] = forms[i][form]
    return _within("\n".join([top, *sections]), room)


def _section(detail: Detail, buffer: int) -> tuple[str, str, str]:
    """A worktree's section in full, without its card, and with nothing but what is pending."""
    status = detail.status
    name = _line(status.name)
    title = f"--- {name} (branch: {_line(status.branch)}) ---"
    troubles = []
    if status.worktree is not None and status.worktree.error:
        troubles.append(f"damaged: {_line(status.worktree.error)}")
    if status.damage:
        troubles.append(f"damaged: the card cannot be read ({_line(status.damage)})")
    notices = (memo_notice(status.name, detail.staleness, detail.evidence), remote_notice(status.name, detail.ahead))
    layers = [_line(f"{notice.fact}: {notice.next}") for notice in notices if notice is not None]
    pending = ["status: " + framed(" | ".join(status.facts()))] if status.pending else []
    card = framed(detail.card).rstrip("\n")
    body = [title, *troubles, *layers, *pending, *_jot_lines(status, buffer)]
    full = "\n".join([*body, card] if card else body)
    without_card = "\n".join([*body, f"… card cut: orbit info {name}"]) if card else full
    least = "\n".join([title, *troubles, *pending, f"… cut: orbit info {name}"])
    return full, min(full, without_card, key=_size), min(full, without_card, least, key=_size)


def _size(text: str) -> int:
    """Bytes of UTF-8, with the line's end."""
    return len(text.encode("utf-8", "replace")) + 1


def _cut(text: str, room: int) -> str:
    """As many whole characters as fit into `room` bytes."""
    data = text.encode("utf-8", "replace")
    return text if len(data) <= room else data[:room].decode("utf-8", "ignore")


def _within(text: str, room: int) -> str:
    """The last resort when even the bare lines are too many: whole lines, as many as fit, and a word about it."""
    if _size(text) <= room:
        return text
    tail = "… cut at context.maxBytes: orbit status, orbit repos and orbit info show the rest"
    kept, used = [], _size(tail)
    for line in text.split("\n"):
        used += _size(line)
        if used > room:
            break
        kept.append(line)
    return _cut("\n".join([*kept, tail]), room - 1)


# --- JSON ------------------------------------------------------------------------------------------------------------


def cruise_json(head: Head, statuses: tuple[RepoStatus, ...]) -> dict[str, object]:
    return {**head.json("cruise"), "worktrees": [_status_json(s) for s in statuses if s.pending]}


def _status_json(status: RepoStatus) -> dict[str, object]:
    return {
        "name": safe_line(status.name),
        "jots": len(status.queue.entries),
        "jotLevel": status.level,
        "behind": status.behind,
        "memoState": status.memo_state,
        "popped": len(status.queue.popped),
        "branch": safe_line(status.branch),
        "scoped": status.worktree is not None and bool(status.worktree.branch) and not status.raw,
    }


def prime_json(head: Head, rows: list[Row], shown: int) -> dict[str, object]:
    repos = [{"name": r.name, "brief": r.brief, "memoState": r.memo_state, "source": r.source} for r in rows]
    return {**head.json("prime"), "repos": repos, "shown": shown}


def reignite_json(head: Head, details: tuple[Detail, ...]) -> dict[str, object]:
    return {**head.json("reignite"), "worktrees": [_detail_json(d) for d in details]}


def _detail_json(detail: Detail) -> Mapping[str, object]:
    return {
        **_status_json(detail.status),
        "memoBehind": detail.staleness.behind,
        "remoteAhead": detail.ahead.commits,
        "jotEntries": list(detail.status.queue.entries),
        "memo": safe_text(detail.card),
        "evidence": evidence_json(detail.evidence, detail.staleness.behind),
    }

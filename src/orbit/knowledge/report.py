"""The state of the pool's knowledge for a person, as one value. Pure: who gathers it is `workspace/survey.py`.

Contract: commands.md, report.
"""

from __future__ import annotations

from orbit.knowledge.evidence import CHANGED, MISSING, NOTHING, Evidence
from orbit.knowledge.staleness import NO_CARD, Staleness
from orbit.record import Record
from orbit.text import binary_size

# The order in which the states of cards are shown, and what each means.
STATES = {
    "ok": "fresh and within budget",
    "stale": "behind the pool clone",
    "thin": "too short to decide by",
    "over": "over budget",
    "none": "no card yet",
    "damaged": "the clone cannot be read",
}


class CardRow(Record):
    """One clone. `memo_state` is none, thin, ok or over; `bytes` its size on disk; `error` why it cannot be read."""

    name: str
    url: str = ""
    brief: str = ""
    memo_state: str = "none"
    staleness: Staleness = NO_CARD
    lines: int = 0
    evidence: Evidence = NOTHING
    bytes: int = 0
    error: str = ""

    @property
    def state(self) -> str:
        """One of STATES; whether to believe a card comes before how long it is."""
        if self.error:
            return "damaged"
        return "stale" if self.staleness.stale else self.memo_state


class QueueRow(Record):
    """Jots of one repository in one workspace; `level` is "", building or overflow."""

    workspace: str
    repo: str
    waiting: int
    popped: int
    level: str


class TreeRow(Record):
    """A worktree with work that origin, as last fetched, does not have, or that cannot be read."""

    workspace: str
    repo: str
    branch: str = ""
    unpushed: int = 0
    dirty_files: int = 0
    operation: str = ""
    error: str = ""


class WorkspaceRow(Record):
    """One workspace. `state` is active or done; `done_at` seconds since 1970, 0 when not done."""

    name: str
    state: str
    goal: str
    worktrees: int
    jots: int
    done_at: int
    bytes: int
    error: str = ""


class Growth(Record):
    """At the end of a day (`at`, seconds since 1970): how many cards there were, and versions of cards in all."""

    at: int
    cards: int
    versions: int


class Report(Record):
    """`made_at` in seconds since 1970; `other_bytes` what the pool holds besides clones (cards, history, caches)."""

    root: str
    made_at: int
    cards: tuple[CardRow, ...]
    queues: tuple[QueueRow, ...] = ()
    trees: tuple[TreeRow, ...] = ()
    workspaces: tuple[WorkspaceRow, ...] = ()
    growth: tuple[Growth, ...] = ()
    other_bytes: int = 0

    @property
    def counts(self) -> dict[str, int]:
        """How many clones are in each state, in the order of STATES."""
        return {state: sum(card.state == state for card in self.cards) for state in STATES}

    @property
    def pool_bytes(self) -> int:
        return self.other_bytes + sum(card.bytes for card in self.cards)

    @property
    def workspace_bytes(self) -> int:
        return sum(workspace.bytes for workspace in self.workspaces)

    def of(self, *states: str) -> list[CardRow]:
        """The clones in these states, the most stale first, unknown distances before all."""
        return sorted((card for card in self.cards if card.state in states), key=_urgency)


def _urgency(card: CardRow) -> tuple[int, int, str]:
    behind = card.staleness.behind
    return (-len(card.evidence.of(MISSING)), -(1 << 40 if behind is None else behind), card.name)


def behind_words(staleness: Staleness) -> str:
    """How far a stale card is behind, in a word or two."""
    if staleness.behind is None:
        return "unknown"
    return f"{staleness.behind}{'+' if staleness.state == 'shallow' else ''}"


def evidence_words(card: CardRow) -> str:
    """What became of the paths a card names, in words; "" when it names none."""
    evidence, parts = card.evidence, []
    if card.staleness.state == "rewritten":
        parts.append("history rewritten")
    elif card.staleness.behind is None and card.staleness.reason:
        parts.append(card.staleness.reason)
    for state, word in ((MISSING, "gone"), (CHANGED, "changed")):
        paths = evidence.of(state)
        if paths:
            parts.append(f"{word}: {', '.join(paths)}")
    if evidence.untouched:
        parts.append("nothing it names changed")
    return "; ".join(parts)


def size_words(count: int) -> str:
    """Bytes for a person: `512 B`, `3.4 MiB`."""
    size, unit = binary_size(count)
    if not unit:
        return f"{count} B"
    return f"{size:.0f} {unit}" if size >= 100 else f"{size:.1f} {unit}"

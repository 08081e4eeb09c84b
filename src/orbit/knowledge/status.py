"""One repo's pending work in a workspace, computed on every read for all surfaces that show it; no stored flag.

Contract: the seed, Memo thin / over-budget surfacing; knowledge.md, Where pending work resurfaces.
"""

from __future__ import annotations

from orbit.git.files import git_dir, read_ref
from orbit.knowledge.card import budget, card_state
from orbit.knowledge.jots import EMPTY, Queue, jot_level, read_queues
from orbit.knowledge.staleness import between
from orbit.pool.branches import is_scoped, unscoped_name
from orbit.pool.clones import clone_config, is_clone, upstream_of
from orbit.pool.worktrees import Worktree, list_worktrees
from orbit.record import Record
from orbit.store.disk import try_read
from orbit.store.document import load
from orbit.text import safe_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from orbit.places import Project
    from orbit.store.cache import Cache
    from orbit.store.document import Loaded
    from orbit.store.settings import Settings

UNTRACKED = "untracked"


class RepoStatus(Record):
    """What is pending for one repo. `worktree` is None when only its jots are left; `behind` is "", a number, or
    `untracked` (a branch without upstream); `raw` is a branch outside the workspace's own names, or ""; `damage` is
    why a card that is there cannot be read, or "".
    """

    name: str
    worktree: Worktree | None
    queue: Queue
    level: str
    behind: str
    memo_state: str
    raw: str
    branch: str
    damage: str = ""

    @property
    def pending(self) -> bool:
        memo = self.worktree is not None and self.memo_state in ("none", "thin", "over")
        behind = self.behind not in ("", UNTRACKED)
        return bool(self.queue.entries or self.queue.popped or memo or behind or self.raw)

    def facts(self) -> list[str]:
        """The per-repo status in fixed phrases, in the order of urgency."""
        found = []
        if self.queue.entries:
            found.append(f"{len(self.queue.entries)} jots" + (f" ({self.level})" if self.level else ""))
        if self.queue.popped:
            found.append(f"{len(self.queue.popped)} popped, not merged")
        if self.behind not in ("", UNTRACKED):
            found.append(f"{self.behind} behind upstream")
        if self.worktree is not None:
            if self.memo_state in ("none", "thin"):
                found.append("memo thin")
            elif self.memo_state == "over":
                found.append("memo over budget")
        if self.raw:
            found.append(f"raw branch {safe_line(self.raw)}")
        return found


def workspace_status(
    project: Project, workspace: str, settings: Settings, cache: Cache
) -> tuple[tuple[RepoStatus, ...], Loaded]:
    """Every worktree's status, then queues whose worktree is gone; and the metadata they were read from."""
    loaded = load(project.metadata(workspace))
    queues = read_queues(loaded.config)
    found = []
    for worktree in list_worktrees(project, workspace):
        queue = queues.pop(worktree.name, EMPTY)
        found.append(_status(project, workspace, worktree, queue, settings, cache))
    for name, queue in queues.items():
        level = jot_level(len(queue.entries), settings.number("jot.bufferSize"))
        card, damage = _card(project, name)
        found.append(RepoStatus(name, None, queue, level, "", card_state(card, budget(settings)), "", "", damage))
    return tuple(found), loaded


def _card(project: Project, name: str) -> tuple[bytes | None, str]:
    """The card, or why it cannot be read. A queue's name comes from a file: only a real clone's card is looked at."""
    return try_read(project.card(name)) if is_clone(project, name) else (None, "")


def _status(
    project: Project, workspace: str, worktree: Worktree, queue: Queue, settings: Settings, cache: Cache
) -> RepoStatus:
    prefix = settings.text("branch.prefix")
    branch = worktree.branch
    raw = branch if branch and not is_scoped(prefix, workspace, branch) else ""
    card, damage = _card(project, worktree.name)
    return RepoStatus(
        name=worktree.name,
        worktree=worktree,
        queue=queue,
        level=jot_level(len(queue.entries), settings.number("jot.bufferSize")),
        behind="" if worktree.error else behind_upstream(worktree, cache),
        memo_state=card_state(card, budget(settings)),
        raw=raw,
        branch=unscoped_name(prefix, workspace, branch) if branch else "detached",
        damage=damage,
    )


def behind_upstream(worktree: Worktree, cache: Cache) -> str:
    """Commits that the branch's upstream, as last fetched, has and the worktree lacks: "", "3", "?" or `untracked`."""
    if not worktree.branch:
        return UNTRACKED
    upstream, _ = upstream_of(clone_config(worktree.path), worktree.branch)
    if not upstream:
        return UNTRACKED
    directory = git_dir(worktree.path)
    tip = read_ref(directory, upstream) if directory else ""
    if not tip or not worktree.sha or tip == worktree.sha:
        return ""
    behind = between(worktree.path, worktree.sha, tip, cache).behind
    return "?" if behind is None else str(behind or "")

"""How far a card is behind the pool, and the pool behind upstream. Distances only; a wrong "fresh" is the worst answer.

Contract: the seed, Staleness Detection; knowledge.md, Staleness; refinements.md 22, 31.
"""

from __future__ import annotations

from orbit.errors import OrbitError
from orbit.git.files import common_dir, git_dir, is_shallow_or_grafted, read_head, read_ref, tracked_branch
from orbit.guidance import freshness_notices
from orbit.record import Record
from orbit.store.disk import read_bytes
from orbit.wording import Paths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from orbit.guidance.notice import Notice
    from orbit.knowledge.evidence import Evidence
    from orbit.store.cache import Cache

_CACHE_KIND = "distance"


class Staleness(Record):
    """`state`: none, fresh, behind, rewritten, shallow or unknown. `behind` is None when the distance is unknown."""

    state: str
    behind: int | None = 0
    dropped: int | None = None
    reason: str = ""
    cacheable: bool = False

    @property
    def stale(self) -> bool:
        return self.state not in ("none", "fresh")


NO_CARD = Staleness("none")
FRESH = Staleness("fresh")


class RemoteAhead(Record):
    """Commits of `origin/<branch>`, as last fetched, that the pool's branch lacks; None when it cannot be counted.

    `at_least`: the clone's history is cut off, so there may be more.
    """

    commits: int | None
    branch: str
    at_least: bool = False


def without_git(stored: str, current: str, *, has_card: bool) -> Staleness | None:
    """The answer that needs no git process, or None when two commits must be counted between."""
    if not has_card:
        return NO_CARD
    if not current:
        return Staleness("unknown", None, reason="HEAD of the pool clone names no commit")
    if not stored:
        return Staleness("unknown", None, reason="no head was recorded with the card")
    if not is_object_name(stored):
        return Staleness("unknown", None, reason="the head recorded with the card is not a commit name")
    return FRESH if stored == current else None


def is_object_name(text: str) -> bool:
    """A whole SHA-1 or SHA-256 name as git prints it; an index edited by hand may hold anything."""
    return len(text) in (40, 64) and not text.strip("0123456789abcdef")


def memo_staleness(checkout: str, stored: str, current: str, cache: Cache, *, has_card: bool) -> Staleness:
    """Layer 2, memoBehind: the card's stored head against the pool HEAD."""
    known = without_git(stored, current, has_card=has_card)
    return known if known is not None else between(checkout, stored, current, cache)


def between(checkout: str, old: str, new: str, cache: Cache) -> Staleness:
    """How far two different commits of one clone are apart, from the cache or counted and remembered."""
    kept = recall(cache, ((old, new),)).get((old, new))
    if kept is not None:
        return kept
    try:
        found = measure(checkout, old, new)
    except OrbitError as problem:  # no git to be had: what files say is shown all the same
        return Staleness("unknown", None, reason=problem.message)
    if found.cacheable:
        remember(cache, {(old, new): found})
    return found


def recall(cache: Cache, pairs: Iterable[tuple[str, str]]) -> dict[tuple[str, str], Staleness]:
    """Remembered distances between these commits, by (old, new)."""
    keys = {f"{old}...{new}": (old, new) for old, new in pairs}
    kept = cache.look_up(_CACHE_KIND, keys)
    return {keys[key]: found for key, value in kept.items() if (found := _decoded(value)) is not None}


def remember(cache: Cache, found: Mapping[tuple[str, str], Staleness]) -> None:
    """Keep cacheable distances."""
    cache.put(_CACHE_KIND, {f"{old}...{new}": f"{s.dropped or 0} {s.behind}" for (old, new), s in found.items()})


def _decoded(value: str) -> Staleness | None:
    """A remembered `dropped new` pair; None for anything else found there."""
    dropped, _, new = value.partition(" ")
    if not (value.isascii() and dropped.isdecimal() and new.isdecimal() and len(value) < 24):
        return None
    return _counted(int(dropped), int(new))


def _counted(dropped: int, new: int) -> Staleness:
    if dropped:
        return Staleness("rewritten", new, dropped, cacheable=True)
    return Staleness("behind", new, cacheable=True)


def measure(checkout: str, old: str, new: str) -> Staleness:
    """Count with git. Only an answer that no later fetch can change is cacheable (refinements.md, 22)."""
    directory = git_dir(checkout)
    if directory is None:
        return Staleness("unknown", None, reason="git cannot read the pool clone")
    cut_off = _cut_off(directory)
    if cut_off:
        return _measure_shallow(checkout, old, new, cut_off)
    from orbit.git.history import distance, has_commit  # what is known already needs no git

    found = distance(checkout, old, new)
    if found is None:
        readable = has_commit(checkout, new)
        reason = "the card's commit is gone from the clone" if readable else "git cannot read the pool clone"
        return Staleness("unknown", None, reason=reason)
    counted = _counted(found.dropped, found.new)
    # Grafts and replacements are one user's view of history, which may change.
    return counted.replace(cacheable=False) if is_shallow_or_grafted(directory) else counted


def _cut_off(directory: str) -> frozenset[str]:
    """The commits whose parents a shallow clone lacks; empty for a whole clone. Raises OrbitError."""
    data = read_bytes(f"{common_dir(directory)}/shallow") or b""
    return frozenset(data.decode("ascii", "replace").split())


def _measure_shallow(checkout: str, old: str, new: str, cut_off: frozenset[str]) -> Staleness:
    """Exact only if everything between the two is there; at least so many where history ends before or beside."""
    from orbit.git.history import count_commits  # a shallow clone only
    from orbit.git.run import observe

    listed = observe(checkout, ["rev-list", "--left-right", f"{old}...{new}", "--"])
    if listed.code != 0:
        return Staleness("shallow", count_commits(checkout, new), reason="history is cut off before the card")
    sides = listed.text.split()
    added = [line[1:] for line in sides if line[0] == ">"]
    whole = len(added) == len(sides) and cut_off.isdisjoint(added)
    return Staleness("behind" if whole else "shallow", len(added))


def remote_ahead(checkout: str, cache: Cache) -> RemoteAhead:
    """Layer 1: the pool's tracked branch against upstream as last fetched; never the network."""
    branch = tracked_branch(checkout)
    directory = git_dir(checkout)
    if not branch or directory is None:
        return RemoteAhead(0, branch)
    local = read_ref(directory, f"refs/heads/{branch}")
    remote = read_ref(directory, f"refs/remotes/origin/{branch}")
    if not remote or local == remote:
        return RemoteAhead(0, branch)
    if not local:
        head = read_head(checkout)
        local = head.sha if head else ""
        if not local:
            from orbit.git.history import count_commits  # a clone without the branch that it tracks

            return RemoteAhead(count_commits(checkout, remote), branch)
    apart = between(checkout, local, remote, cache)
    return RemoteAhead(apart.behind, branch, apart.state == "shallow")


def memo_notice(repo: str, staleness: Staleness, evidence: Evidence | None = None) -> Notice | None:
    """The steering line for a stale card, or for a fresh one that names what is not there; None for the others."""
    paths = _paths(evidence)
    if not staleness.stale:
        return freshness_notices.paths_gone(repo, paths) if paths is not None and paths.gone else None
    if staleness.behind is None:
        return freshness_notices.memo_distance_unknown(repo, staleness.reason or "history is cut off", paths)
    if staleness.state == "rewritten":
        return freshness_notices.memo_behind(repo, staleness.behind, dropped=staleness.dropped, paths=paths)
    return freshness_notices.memo_behind(repo, staleness.behind, at_least=staleness.state == "shallow", paths=paths)


def _paths(evidence: Evidence | None) -> Paths | None:
    if evidence is None or not evidence.paths:
        return None
    from orbit.knowledge.evidence import CHANGED, MISSING  # loaded by whoever read it

    gone, changed = tuple(evidence.of(MISSING)), tuple(evidence.of(CHANGED))
    return Paths(len(evidence.paths), gone, changed, evidence.untouched)


def remote_notice(repo: str, ahead: RemoteAhead) -> Notice | None:
    """The steering line for a pool behind upstream, or None."""
    if ahead.commits is None:
        return freshness_notices.remote_ahead_unknown(repo, ahead.branch)
    if not ahead.commits:
        return None
    return freshness_notices.remote_ahead(repo, ahead.commits, ahead.branch, at_least=ahead.at_least)


def memo_column(staleness: Staleness, memo_state: str) -> str:
    """The MEMO cell of the roster; staleness is shown before size, since it says whether to believe the card."""
    if staleness.state == "rewritten":
        return "rewritten"
    if staleness.stale:
        suffix = "+" if staleness.state == "shallow" else ""
        return "stale ?" if staleness.behind is None else f"stale {staleness.behind}{suffix}"
    return memo_state

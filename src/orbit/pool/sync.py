"""Bringing one pool clone up to upstream: look, fetch what is named, fast-forward the tracked branch.

Never touches worktrees or cards. Contract: commands.md, sync; git.md, Fetching; the seed, Sync and Memo Cascading.
"""

from __future__ import annotations

from orbit.errors import OrbitError
from orbit.git.checkout import fill, pool_options
from orbit.git.files import git_dir, read_head, read_ref, read_symref, tracked_branch
from orbit.git.history import count_commits, distance
from orbit.git.remote import fetch_branches, list_remote, set_default_branch
from orbit.git.run import GitError, change, checked, first_error_line, observe
from orbit.git.ssh import turned_away
from orbit.git.status import read_status
from orbit.guidance import pool_notices, sync_notices
from orbit.pool.clones import clone_config
from orbit.pool.maintain import has_full_map, is_chosen, put_back
from orbit.pool.project import clone_lock, fetch_lock
from orbit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from orbit.git.remote import RemoteRefs
    from orbit.guidance.notice import Notice
    from orbit.places import Project
    from orbit.store.settings import Settings
    from orbit.store.syntax import Config

_TRACKING = "refs/remotes/origin/"


class Synced(Record):
    """What came of one clone. `state`: current, forwarded, reset, moved, left (told) or failed; `error` says why.

    `turned_away`: an ssh server closed the door before it asked who is there, so one more try alone is worth it.
    """

    repo: str
    state: str
    branch: str = ""
    commits: int = 0
    error: str = ""
    notices: tuple[Notice, ...] = ()
    turned_away: bool = False

    @property
    def line(self) -> str:
        """The stdout line, "" when there is nothing to claim."""
        if self.state == "current":
            return f"{self.repo}: already up to date"
        if self.state == "forwarded":
            return f"{self.repo}: fast-forwarded {self.commits} commits → origin/{self.branch}"
        if self.state == "reset":
            return f"{self.repo}: reset to origin/{self.branch}"
        if self.state == "moved":
            return f"{self.repo}: now follows origin/{self.branch}"
        return ""


def sync_one(project: Project, repo: str, settings: Settings) -> Synced:
    """Fetch and fast-forward one clone. Never raises for what one repository can do wrong: the others go on."""
    checkout = project.clone(repo)
    notices: list[Notice] = []
    try:
        if not has_origin(repo, checkout):
            return Synced(repo, "left", tracked_branch(checkout), notices=(pool_notices.origin_missing(repo),))
        branch, remote = fetch_named(repo, checkout, settings, notices)
        if branch not in remote.branches:
            return _without_upstream(repo, checkout, branch, remote, notices)
        with clone_lock(checkout):
            return _advance(repo, checkout, branch, notices)
    except OrbitError as problem:
        return failed(repo, checkout, problem, notices)


def failed(repo: str, checkout: str, problem: OrbitError, notices: list[Notice]) -> Synced:
    """What could not be done for one clone, with what was noticed on the way."""
    told = (*notices, sync_notices.sync_failed(repo, problem.message))
    branch = tracked_branch(checkout)
    return Synced(repo, "failed", branch, error=problem.message, notices=told, turned_away=turned_away(problem))


def fetch_named(repo: str, checkout: str, settings: Settings, notices: list[Notice]) -> tuple[str, RemoteRefs]:
    """Put managed config back, look at the remote, fetch what is named: the branch followed, and what the remote has.

    Adds to `notices` as it goes, so that they are told when a later step fails. Raises OrbitError.
    """
    branch = tracked_branch(checkout)
    with clone_lock(checkout) as lock:
        notices += _lock_notices(lock.notice)
        notices += put_back(repo, checkout, settings)
    with fetch_lock(checkout) as lock:
        notices += _lock_notices(lock.notice)
        # Before the look: what somebody else fetches after it must not be taken for lost.
        known = _tracking_refs(checkout)
        remote = list_remote(checkout)
        with clone_lock(checkout):
            branch = _followed(repo, checkout, branch, remote)
        _fetch(checkout, branch, known, remote)
    if remote.default and remote.default != branch and not is_chosen(clone_config(checkout), branch):
        notices.append(sync_notices.default_branch_renamed(repo, branch, remote.default))
    return branch, remote


def _lock_notices(note: str) -> list[Notice]:
    return [pool_notices.stale_lock_removed(note)] if note else []


def has_origin(repo: str, checkout: str) -> bool:
    """Raises OrbitError when git cannot read the clone's config either."""
    if clone_config(checkout).get("remote", "origin", "url"):
        return True
    answer = observe(checkout, ["config", "--get", "remote.origin.url"])
    if answer.code > 1:
        raise OrbitError(repo, first_error_line(answer.err) or "git cannot read the clone's config")
    return answer.code == 0


def _followed(repo: str, checkout: str, branch: str, remote: RemoteRefs) -> str:
    """The branch to bring up to date. A clone made while the remote was empty has only a guess at its name.

    Raises OrbitError when there is no telling which one it is.
    """
    head = read_head(checkout)
    unborn = head is not None and head.branch == branch and not head.sha
    if branch and (branch in remote.branches or not remote.branches or not unborn):
        return branch
    if not remote.default:
        names = ", ".join(sorted(remote.branches)[:5]) or "no branches"
        raise OrbitError(repo, f"which branch to follow is not clear, origin has {names} and no default branch")
    if unborn and head is not None and head.branch:
        words = ["symbolic-ref", "HEAD", f"refs/heads/{remote.default}"]
        checked(change(checkout, words), repo, f"putting the empty clone on {remote.default}")
    return remote.default


def _without_upstream(repo: str, checkout: str, branch: str, remote: RemoteRefs, notices: list[Notice]) -> Synced:
    """An empty remote is up to date with an empty clone; a lost tracked branch is the one loud case."""
    head = read_head(checkout)
    if not remote.branches and (head is None or not head.sha):
        return Synced(repo, "current", branch, notices=tuple(notices))
    lost = sync_notices.default_branch_lost(repo, branch)
    return Synced(repo, "failed", branch, error=lost.fact, notices=(*notices, lost))


def wanted_branches(config: Config, tracked: str) -> list[str]:
    """The tracked branch and every remote branch that a local branch tracks, each once.

    A branch called HEAD has no place of its own: refs/remotes/origin/HEAD stands for another branch.
    """
    names = [tracked] if tracked else []
    for name in config.subsections("branch"):
        merge = config.get("branch", name, "merge") or ""
        if config.get("branch", name, "remote") == "origin" and merge.startswith("refs/heads/"):
            names.append(merge.removeprefix("refs/heads/"))
    return [name for name in dict.fromkeys(names) if name != "HEAD"]


def _tracking_refs(checkout: str) -> dict[str, str]:
    """Branch name to object name of everything below refs/remotes/origin, but for origin/HEAD."""
    words = ["for-each-ref", "--format=%(refname)%00%(objectname)%00%(symref)", _TRACKING]
    out = checked(observe(checkout, words), "origin", "listing its tracking refs").out
    found = {}
    for line in out.split(b"\n"):
        name, _, rest = line.decode("utf-8", "surrogateescape").partition("\0")
        sha, _, symref = rest.partition("\0")
        if name and not symref:
            found[name.removeprefix(_TRACKING)] = sha
    return found


def _fetch(checkout: str, tracked: str, known: Mapping[str, str], remote: RemoteRefs) -> None:
    """Fetch the named branches that moved, in one call; drop refs of lost branches under the full map only."""
    config = clone_config(checkout)
    wanted = [name for name in wanted_branches(config, tracked) if name in remote.branches]
    # An empty answer may be a remote that was made anew: what is known stays.
    gone = [name for name in known if name not in remote.branches] if remote.branches else []
    if not has_full_map(config):
        gone = [name for name in gone if any(_in_the_way(name, other) for other in wanted)]
    _drop(checkout, {name: known[name] for name in gone})
    moved = [name for name in wanted if known.get(name) != remote.branches[name]]
    if moved:
        _fetch_moved(checkout, moved, tracked)
    directory = git_dir(checkout)
    if tracked in wanted and directory and not read_symref(directory, f"{_TRACKING}HEAD"):
        set_default_branch(checkout, tracked)


def _in_the_way(name: str, other: str) -> bool:
    """Whether one of two refs would have to be a directory and a file at once."""
    return name.startswith(f"{other}/") or other.startswith(f"{name}/")


def _drop(checkout: str, refs: Mapping[str, str]) -> None:
    if refs:
        lines = "".join(f"delete {_TRACKING}{name}\0{sha}\0" for name, sha in refs.items())
        words = ["update-ref", "-z", "--stdin"]
        done = change(checkout, words, stdin=lines.encode("utf-8", "surrogateescape"))
        checked(done, "origin", "dropping refs of deleted branches")


def _fetch_moved(checkout: str, names: list[str], tracked: str) -> None:
    """A branch that went away between the look and the fetch must not fail the others."""
    try:
        fetch_branches(checkout, names)
    except GitError as problem:
        if problem.kind != "no-ref" or names == [tracked]:
            raise
        for name in names if len(names) > 1 else ():
            _fetch_moved(checkout, [name], tracked)


def _advance(repo: str, checkout: str, branch: str, notices: list[Notice]) -> Synced:
    """Fast-forward `refs/heads/<branch>`, through the pool's working tree when it is checked out there."""
    directory = git_dir(checkout)
    head = read_head(checkout)
    if directory is None or head is None:
        raise OrbitError(checkout, "not a git repository")
    upstream = read_ref(directory, f"{_TRACKING}{branch}")
    if not upstream:
        raise OrbitError(repo, f"origin/{branch} was lost while it was fetched")
    if head.branch != branch:
        told = _put_back_on(repo, checkout, branch)
        notices.append(told)
        if told.name != "pool-detached":
            return Synced(repo, "left", branch, notices=tuple(notices))
    local = read_ref(directory, f"refs/heads/{branch}")
    if local == upstream:
        return Synced(repo, "current", branch, notices=tuple(notices))
    ahead, behind = _apart(repo, checkout, local, upstream)
    if ahead:
        told = (
            sync_notices.sync_diverged(repo, branch, ahead, behind)
            if behind
            else sync_notices.pool_ahead(repo, branch, ahead)
        )
        return Synced(repo, "left", branch, notices=(*notices, told))
    dirty = _dirty_files(checkout)
    if dirty:
        return Synced(repo, "left", branch, notices=(*notices, sync_notices.pool_dirty(repo, dirty)))
    words = ["merge", "--ff-only", "--no-verify-signatures", "--quiet", f"{_TRACKING}{branch}"]
    checked(fill(checkout, [*pool_options(), *words]), repo, "fast-forwarding")
    if read_ref(directory, f"refs/heads/{branch}") != upstream:
        raise OrbitError(repo, f"fast-forwarding: git left {branch} where it was")
    return Synced(repo, "forwarded", branch, behind, notices=tuple(notices))


def _dirty_files(checkout: str) -> int:
    """Submodules are left as they are by all that is done here: one that stays behind must not hold up the clone."""
    return read_status(checkout, untracked=False, submodules=False).dirty_files


def _apart(repo: str, checkout: str, local: str, upstream: str) -> tuple[int, int]:
    """(ahead, behind) in commits; an unborn branch lacks everything. Raises OrbitError."""
    if local:
        apart = distance(checkout, local, upstream)
        counts = None if apart is None else (apart.dropped, apart.new)
    else:
        behind = count_commits(checkout, upstream)
        counts = None if behind is None else (0, behind)
    if counts is None:
        raise OrbitError(repo, "git cannot compare the branch with upstream")
    return counts


def _put_back_on(repo: str, checkout: str, branch: str) -> Notice:
    """A pool clone left on another commit goes back to its tracked branch, `pool-detached`, unless that loses work."""
    head = read_head(checkout)
    dirty = _dirty_files(checkout)
    if dirty:
        return sync_notices.pool_dirty(repo, dirty)
    if head is not None and head.sha and not head.branch:
        words = ["rev-list", "--count", "HEAD", "--not", "--branches", "--remotes", "--tags", "--"]
        own = int(checked(observe(checkout, words), repo, "looking at its detached HEAD").out)
        if own:
            return sync_notices.pool_off_branch(repo, branch, own)
    directory = git_dir(checkout)
    words = ["switch", "--quiet", "--no-guess", "--end-of-options", branch]
    if directory and not read_ref(directory, f"refs/heads/{branch}"):
        words = ["switch", "--quiet", "--track", "--create", branch, f"{_TRACKING}{branch}"]
    checked(fill(checkout, [*pool_options(), *words]), repo, f"putting the clone back on {branch}")
    return sync_notices.pool_detached(repo, branch)

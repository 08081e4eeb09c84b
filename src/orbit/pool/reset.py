"""`sync --force` and `sync --branch`: the ways of syncing that move a pool clone where it would not go by itself.

The caller has asked `reclaim.initiation` first. Contract: commands.md, sync; refinements.md 9, 30.
"""

from __future__ import annotations

import time

from orbit.errors import OrbitError
from orbit.git.branch import holder_of, is_branch_name
from orbit.git.checkout import fill, pool_options
from orbit.git.files import local_ref, read_head
from orbit.git.remote import fetch_branches, set_default_branch
from orbit.git.run import change, checked, observe
from orbit.git.worktree import set_upstream
from orbit.guidance import sync_notices
from orbit.pool.maintain import forget_choice, note_choice
from orbit.pool.project import clone_lock, fetch_lock
from orbit.pool.sync import Synced, failed, fetch_named, has_origin
from orbit.text import safe_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from orbit.guidance.notice import Notice
    from orbit.places import Project
    from orbit.store.settings import Settings

_MOST_FILES = 5


def reset_one(project: Project, repo: str, settings: Settings) -> Synced:
    """Bring the tracked branch to upstream whatever it holds; its old tip is kept and named. Never raises."""
    checkout = project.clone(repo)
    notices: list[Notice] = []
    try:
        if not has_origin(repo, checkout):
            raise OrbitError(repo, "the pool clone has no remote named origin")
        branch, remote = fetch_named(repo, checkout, settings, notices)
        if branch not in remote.branches:
            raise OrbitError(repo, f"origin has no branch {branch}")
        with clone_lock(checkout):
            return _reset(repo, checkout, branch, notices)
    except OrbitError as problem:
        return failed(repo, checkout, problem, notices)


def _reset(repo: str, checkout: str, branch: str, notices: list[Notice]) -> Synced:
    upstream, local = local_ref(checkout, f"refs/remotes/origin/{branch}"), local_ref(checkout, f"refs/heads/{branch}")
    head = read_head(checkout)
    on_it = head is not None and head.branch == branch
    if on_it and local == upstream:
        return Synced(repo, "current", branch, notices=tuple(notices))
    _require_clean(repo, checkout)
    _require_free(repo, checkout, branch)
    kept = {branch: local, "HEAD": head.sha if head is not None and not on_it else ""}
    for name, sha in kept.items():
        if sha and sha != upstream:
            notices.append(sync_notices.tip_kept(repo, name, _keep(repo, checkout, name, sha), sha[:12]))
    # The commit is named in full: reset and switch take no other guard against odd names.
    if not on_it:
        words = ["switch", "--quiet", "--detach", upstream]
        checked(fill(checkout, [*pool_options(), *words]), repo, f"going to origin/{branch}")
        checked(change(checkout, ["update-ref", f"refs/heads/{branch}", upstream]), repo, f"moving {branch}")
        checked(change(checkout, ["symbolic-ref", "HEAD", f"refs/heads/{branch}"]), repo, f"going to {branch}")
    else:
        checked(fill(checkout, [*pool_options(), "reset", "--quiet", "--hard", upstream]), repo, f"resetting {branch}")
    return Synced(repo, "reset", branch, notices=tuple(notices))


def move_to_branch(project: Project, repo: str, branch: str, settings: Settings) -> Synced:
    """Make the pool clone follow `branch` from now on. Never raises; nothing moves when it is refused."""
    checkout = project.clone(repo)
    notices: list[Notice] = []
    try:
        if not is_branch_name(branch) or branch == "HEAD":
            raise OrbitError(repo, f"not a branch name: {safe_line(branch) or '(empty)'}")
        _require_free(repo, checkout, branch)
        _require_clean(repo, checkout)
        _, remote = fetch_named(repo, checkout, settings, notices)
        if branch not in remote.branches:
            raise OrbitError(repo, f"origin has no branch {branch}")
        with fetch_lock(checkout):
            fetch_branches(checkout, [branch])
        with clone_lock(checkout):
            _move(repo, checkout, branch)
            _note(checkout, branch, remote.default)
        return Synced(repo, "moved", branch, notices=tuple(notices))
    except OrbitError as problem:
        return failed(repo, checkout, problem, notices)


def _note(checkout: str, branch: str, default: str) -> None:
    if branch == default:
        forget_choice(checkout)
    else:
        note_choice(checkout, branch)


def _move(repo: str, checkout: str, branch: str) -> None:
    _require_free(repo, checkout, branch)
    upstream, local = local_ref(checkout, f"refs/remotes/origin/{branch}"), local_ref(checkout, f"refs/heads/{branch}")
    if not local:
        words = ["switch", "--quiet", "--no-track", "--create", branch, upstream]
    else:
        words = ["switch", "--quiet", "--no-guess", "--end-of-options", branch]
    checked(fill(checkout, [*pool_options(), *words]), repo, f"going to {branch}")
    if local and local != upstream:
        words = ["merge", "--ff-only", "--no-verify-signatures", "--quiet", upstream]
        checked(fill(checkout, [*pool_options(), *words]), repo, f"fast-forwarding {branch}")
    set_upstream(checkout, branch, branch)
    set_default_branch(checkout, branch)


def _require_clean(repo: str, checkout: str) -> None:
    """Raises OrbitError that lists the files; nothing in the pool clone is thrown away."""
    words = ["status", "--porcelain", "-z", "--untracked-files=no", "--ignore-submodules=none", "--no-renames"]
    listed = checked(observe(checkout, words), repo, "reading its status").out.split(b"\0")
    files = [entry[3:].decode("utf-8", "replace") for entry in listed if entry]
    if files:
        more = f" and {len(files) - _MOST_FILES} more" if len(files) > _MOST_FILES else ""
        raise OrbitError(repo, f"the pool clone has uncommitted changes: {', '.join(files[:_MOST_FILES])}{more}")


def _require_free(repo: str, checkout: str, branch: str) -> None:
    held = holder_of(checkout, branch, besides=checkout)
    if held:
        raise OrbitError(repo, f"{branch} is checked out in {held}")


def _keep(repo: str, checkout: str, name: str, sha: str) -> str:
    """Keep a tip from gc under a name of its own; gives that name. Never over an earlier one."""
    epoch = int(time.time())
    while local_ref(checkout, f"refs/orbit/reclaimed/_pool/{epoch}/{name}"):
        epoch += 1
    ref = f"refs/orbit/reclaimed/_pool/{epoch}/{name}"
    checked(change(checkout, ["update-ref", ref, sha, "0" * len(sha)]), repo, f"keeping the old tip of {name}")
    return ref

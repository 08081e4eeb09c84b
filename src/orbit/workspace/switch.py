"""Scoped branches of a worktree: go to one, take one from the remote, make one, convert a raw one.

Contract: commands.md, switch; git.md, Scoped branches.
"""

from __future__ import annotations

import os

from orbit.errors import OrbitError
from orbit.git.branch import holder_of, is_branch_name
from orbit.git.checkout import LFS_OFF, fill, lfs_is_missing
from orbit.git.files import git_dir, local_ref, read_head
from orbit.git.history import distance, has_commit
from orbit.git.remote import find_refs
from orbit.git.run import GitError, change, checked
from orbit.git.worktree import set_upstream
from orbit.guidance import add_notices, pool_notices, workspace_notices
from orbit.pool.branches import scoped_branch
from orbit.pool.clones import readable_config
from orbit.pool.maintain import put_back
from orbit.pool.project import clone_lock
from orbit.record import Record
from orbit.text import safe_line
from orbit.workspace.making import uses_lfs
from orbit.workspace.ref import blocking_branch, fetch_branch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from orbit.guidance.notice import Notice
    from orbit.places import Project
    from orbit.store.settings import Settings

_QUICK_LOOK_SECONDS = 5


class SwitchRequest(Record):
    """Which worktree goes to which branch; `name` is the branch as a person calls it."""

    workspace: str
    repo: str
    name: str


class Switched(Record):
    """`branch` in full; `how`: already, existing, tracking, created, local (no origin to push to)."""

    repo: str
    branch: str
    how: str
    notices: tuple[Notice, ...]


class _Target(Record):
    repo: str
    path: str
    clone: str
    name: str
    branch: str


def _target(project: Project, request: SwitchRequest, settings: Settings) -> _Target:
    """Raises OrbitError for a name that git refuses."""
    branch = scoped_branch(settings.text("branch.prefix"), request.workspace, request.name)
    if request.name.startswith("-") or not is_branch_name(request.name) or not is_branch_name(branch):
        raise OrbitError("switch", f"not a branch name: {safe_line(request.name) or '(empty)'}")
    path = project.worktree(request.workspace, request.repo)
    return _Target(request.repo, path, project.clone(request.repo), request.name, branch)


def switch_to(project: Project, request: SwitchRequest, settings: Settings) -> Switched:
    """`switch NAME`: the local scoped branch, else one made from `origin/NAME`, fetched. Raises OrbitError."""
    target = _target(project, request, settings)
    if _is_there(target):
        return Switched(target.repo, target.branch, "already", ())
    notices: list[Notice] = []
    if local_ref(target.path, f"refs/heads/{target.branch}"):
        _require_free(target)
        with clone_lock(target.clone) as lock:
            notices += _kept_in_order(target, settings, lock.notice)
            notices += _go(target, [])
        return Switched(target.repo, target.branch, "existing", tuple(notices))
    with clone_lock(target.clone) as lock:
        notices += _kept_in_order(target, settings, lock.notice)
        _require_possible(target)
        notices += _fetch(target)
        notices += _make(target, f"refs/remotes/origin/{target.name}")
    return Switched(target.repo, target.branch, "tracking", tuple(notices))


def create_branch(project: Project, request: SwitchRequest, settings: Settings) -> Switched:
    """`switch -c NAME`: a new scoped branch at HEAD; staged and unstaged work stays as it is. Raises OrbitError."""
    target = _target(project, request, settings)
    head = read_head(target.path)
    if head is None:
        raise OrbitError(target.repo, "git cannot read this worktree")
    if head.branch == target.branch:
        return Switched(target.repo, target.branch, "already", ())
    if local_ref(target.path, f"refs/heads/{target.branch}"):
        raise OrbitError(target.repo, f"branch {target.branch} exists", f"go to it: orbit switch {target.name}")
    with clone_lock(target.clone) as lock:
        notices = _kept_in_order(target, settings, lock.notice)
        _require_possible(target)
        has_origin = bool(readable_config(target.clone).get("remote", "origin", "url"))
        notices += _make(target, "HEAD" if head.sha else "", tracks=has_origin)
    if not has_origin:
        return Switched(target.repo, target.branch, "local", tuple(notices))
    notices += _remote_differs(target, head.sha)
    return Switched(target.repo, target.branch, "created", tuple(notices))


def _kept_in_order(target: _Target, settings: Settings, lock_note: str) -> list[Notice]:
    notices = [pool_notices.stale_lock_removed(lock_note)] if lock_note else []
    return [*notices, *put_back(target.repo, target.clone, settings)]


def _require_free(target: _Target) -> None:
    held = holder_of(target.clone, target.branch, besides=target.path)
    if held:
        raise OrbitError(target.repo, f"{target.branch} is checked out in {held}")


def _require_possible(target: _Target) -> None:
    """Raises OrbitError for a new branch whose name another one has as its directory, or the reverse."""
    blocking = blocking_branch(target.clone, target.branch)
    if blocking:
        raise OrbitError(
            target.repo,
            f"a local branch is called {blocking}, so {target.branch} cannot exist",
            "take another name, or rename that branch first with git branch -m",
        )


def _make(target: _Target, start: str, *, tracks: bool = True) -> list[Notice]:
    """The new branch, at `start` or unborn, in one step that is the last: its upstream is written before it."""
    try:
        if tracks:
            set_upstream(target.clone, target.branch, target.name)
        if start:
            return _go(target, ["--no-track", "--create"], start)
        words = ["symbolic-ref", "HEAD", f"refs/heads/{target.branch}"]
        checked(change(target.path, words), target.repo, "name the branch")
        return []
    except OrbitError:
        if tracks and not _is_there(target) and not local_ref(target.path, f"refs/heads/{target.branch}"):
            change(target.clone, ["config", "--remove-section", f"branch.{target.branch}"])
        raise


def _is_there(target: _Target) -> bool:
    head = read_head(target.path)
    return head is not None and head.branch == target.branch


def _go(target: _Target, options: list[str], start: str = "") -> list[Notice]:
    without_lfs = lfs_is_missing()
    words = ["switch", "--quiet", *options, target.branch, *([start] if start else [])]
    went = fill(target.path, [*(LFS_OFF if without_lfs else ()), *_submodule_options(target), *words])
    notices = []
    try:
        checked(went, target.repo, f"switch to {target.name}")
    except GitError as problem:
        if not _is_there(target):
            raise
        # HEAD is the last that git itself writes; what failed after it is most likely a hook of the user's.
        notices.append(workspace_notices.switched_all_the_same(target.repo, problem.message))
    if start != "HEAD" and without_lfs and uses_lfs(target.path):
        notices.append(add_notices.lfs_not_smudged(target.repo))
    return notices


def _submodule_options(target: _Target) -> tuple[str, ...]:
    """A user's `submodule.recurse` stops git half way where submodules are initialised in the pool and none is here."""
    directory = git_dir(target.path)
    return ("-c", "submodule.recurse=false") if directory and not os.path.isdir(f"{directory}/modules") else ()


def _fetch(target: _Target) -> list[Notice]:
    """`origin/NAME` by explicit refspec; offline, what was fetched before. Raises OrbitError when there is none."""
    try:
        fetch_branch(target.clone, target.name)
    except GitError as problem:
        if problem.kind == "no-ref":
            raise OrbitError(
                target.repo,
                f"no branch {target.name} here or on origin",
                f"make it: orbit switch -c {target.repo} {target.name}",
            ) from None
        if not local_ref(target.clone, f"refs/remotes/origin/{target.name}"):
            raise
        return [workspace_notices.as_last_fetched(target.repo, target.name, problem.message)]
    return []


def _remote_differs(target: _Target, sha: str) -> list[Notice]:
    """A quick look at the remote, silent when it cannot be had: a branch of that name with other commits is told."""
    try:
        found = find_refs(target.clone, [f"refs/heads/{target.name}"], within_seconds=_QUICK_LOOK_SECONDS)
    except OrbitError:
        return []
    tip = found.get(f"refs/heads/{target.name}", "")
    if not tip or tip == sha:
        return []
    if sha and has_commit(target.clone, tip):
        apart = distance(target.clone, sha, tip)
        if apart is not None and not apart.new:
            return []
    return [workspace_notices.remote_branch_differs(target.repo, target.name)]

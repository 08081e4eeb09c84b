"""Level 2: a worktree of a pool clone in the workspace, on a branch of the workspace's own.

Under the clone's lock, with a note of intent on disk: a killed `add` is undone or completed by the next one.
Contract: commands.md, add; git.md, Many at once and Scoped branches; refinements.md 13, 28.
"""

from __future__ import annotations

import os

from orbit.errors import OrbitError
from orbit.git.branch import is_branch_name
from orbit.git.files import local_ref, read_head
from orbit.git.remote import default_branch, list_remote, set_default_branch
from orbit.git.run import GitError, checked, observe
from orbit.guidance import add_notices, pool_notices
from orbit.places import is_there
from orbit.pool.branches import scoped_branch
from orbit.pool.clones import readable_config, require_clone
from orbit.pool.maintain import put_back
from orbit.pool.project import clone_lock
from orbit.pool.worktrees import is_worktree, moved_with_project
from orbit.record import Record
from orbit.workspace.intent import Note, read_note, recover
from orbit.workspace.making import Making, make, patiently, undo
from orbit.workspace.ref import blocking_branch, fetch_branch, resolve_ref
from orbit.workspace.registration import clear_lost

TYPE_CHECKING = False
if TYPE_CHECKING:
    from orbit.guidance.notice import Notice
    from orbit.places import Project
    from orbit.store.settings import Settings


class AddRequest(Record):
    """One worktree asked for; `ref` "" starts at the default branch, `reuse` continues on a leftover branch."""

    repo: str
    workspace: str
    ref: str = ""
    reuse: bool = False


class Added(Record):
    """`branch` in full; `upstream` as `origin/NAME`, "" without an origin."""

    repo: str
    branch: str
    upstream: str


class _Source(Record):
    """Where a new branch comes from: the default branch, its last fetched commit, whether it is upstream's."""

    branch: str
    tip: str
    remote: bool = True


def add_worktree(project: Project, request: AddRequest, settings: Settings, told: list[Notice]) -> Added:
    """Put one repository into the workspace. Raises OrbitError, having undone what it made.

    `told` collects what is to be said, whatever the end.
    """
    repo = request.repo
    require_clone(project, repo, clone_hint=True)
    _require_room(project, request)
    try:
        with clone_lock(project.clone(repo)) as lock:
            if lock.notice:
                told.append(pool_notices.stale_lock_removed(lock.notice))
            making = _under_lock(project, request, settings, told)
    except GitError as failed:
        raise OrbitError(repo, failed.message) from None
    if os.path.lexists(f"{making.path}/.gitmodules"):
        told.append(add_notices.submodules_present(repo))
    if making.upstream:
        told.append(add_notices.push_goes_to_default(repo, making.upstream))
    return Added(repo, making.branch, f"origin/{making.upstream}" if making.upstream else "")


def _require_room(project: Project, request: AddRequest) -> None:
    """Raises OrbitError when something stands in the worktree's place, unless an `add` has begun it."""
    path = project.worktree(request.workspace, request.repo)
    if not is_there(path):
        return
    begun = read_note(project, request.repo)
    if begun is not None and begun.path == path:
        return
    place = f"{request.workspace}/{request.repo}"
    if is_worktree(project, request.workspace, request.repo):
        raise OrbitError(request.repo, f"worktree already exists ({place})")
    if moved_with_project(project, path):
        raise OrbitError(request.repo, f"{place} was moved by hand", "join it to the pool again: orbit doctor --fix")
    raise OrbitError(request.repo, f"{place} exists and is not a worktree of the pool")


def _under_lock(project: Project, request: AddRequest, settings: Settings, told: list[Notice]) -> Making:
    repo, checkout = request.repo, project.clone(request.repo)
    path = project.worktree(request.workspace, repo)
    home = _identity(project, request)
    completed, notices = recover(project, repo)
    told += notices
    if completed is not None and completed.path == path:
        return completed
    _require_room(project, request)
    told += clear_lost(project, repo, path)
    patiently(lambda: told.extend(put_back(repo, checkout, settings)))
    source = _source(repo, checkout, told)
    start = resolve_ref(checkout, repo, request.ref) if request.ref else source.tip
    branch = scoped_branch(settings.text("branch.prefix"), request.workspace, source.branch)
    _require_branch_possible(repo, checkout, branch)
    before = local_ref(checkout, f"refs/heads/{branch}")
    own = _own_commits(repo, checkout, before, (start, source.tip)) if before else []
    if own and not request.reuse:
        raise OrbitError(
            repo,
            f"branch {branch} exists with {len(own)} commits of its own (latest: {own[0]})",
            f"continue on it: orbit add {repo} --reuse",
        )
    upstream = source.branch if source.remote else ""
    making = Making(checkout, path, branch, upstream, before, before if own else start)
    _make(project, request, making, home, told)
    if before and not own:
        told.append(add_notices.branch_reset(repo, branch))
    return making


def _source(repo: str, checkout: str, told: list[Notice]) -> _Source:
    """`origin/<default>` as last fetched, fetched now only when that ref does not exist; no tip: an empty repository.

    A clone made by hand may have no origin: its own branch is all there is. Raises OrbitError.
    """
    head = read_head(checkout)
    local = head.branch if head else ""
    if not readable_config(checkout).get("remote", "origin", "url"):
        if not local or head is None:
            raise OrbitError(repo, "the pool clone has no remote named origin and is on no branch")
        told.append(pool_notices.origin_missing(repo))
        return _Source(local, head.sha, remote=False)
    default = default_branch(checkout)
    if not default:
        raise OrbitError(repo, "cannot tell its default branch (detached, and no origin/HEAD)")
    tip = local_ref(checkout, f"refs/remotes/origin/{default}")
    if tip:
        return _Source(default, tip)
    if head is not None and not head.sha:
        return _source_of_empty(checkout, default)
    fetch_branch(checkout, default)
    return _Source(default, local_ref(checkout, f"refs/remotes/origin/{default}"))


def _source_of_empty(checkout: str, local: str) -> _Source:
    """The remote was empty when it was cloned; offline it still counts as that. Raises GitError."""
    try:
        remote = list_remote(checkout)
    except GitError:
        return _Source(local, "")
    default = remote.default or local
    if default not in remote.branches:
        return _Source(local, "")
    fetch_branch(checkout, default)
    set_default_branch(checkout, default)
    return _Source(default, local_ref(checkout, f"refs/remotes/origin/{default}"))


def _require_branch_possible(repo: str, checkout: str, branch: str) -> None:
    """Raises OrbitError for a name that git refuses, or when a local branch stands where its directory must be."""
    if not is_branch_name(branch):
        hint = 'work in a workspace with another name: orbit new "GOAL" --name NAME'
        raise OrbitError(repo, f"git takes no branch called {branch}", hint)
    blocking = blocking_branch(checkout, branch)
    if blocking:
        raise OrbitError(
            repo,
            f"a local branch is called {blocking}, so {branch} cannot exist",
            "another first segment: orbit config branch.prefix NAME",
        )


def _own_commits(repo: str, checkout: str, branch_tip: str, others: tuple[str, ...]) -> list[str]:
    """`ABBREVIATED SUBJECT` of the commits that only the leftover branch has, newest first, at most 1000."""
    excluded = [f"^{tip}" for tip in dict.fromkeys(others) if tip]
    words = ["rev-list", "--max-count=1000", "--oneline", branch_tip, *excluded, "--"]
    return checked(observe(checkout, words), repo, "look at the leftover branch").text.splitlines()


def _identity(project: Project, request: AddRequest) -> tuple[int, int]:
    """Which directory the workspace is. Raises OrbitError when it is gone."""
    try:
        found = os.stat(project.workspace(request.workspace))
    except FileNotFoundError:
        raise OrbitError(request.repo, f"the workspace {request.workspace} is gone") from None
    except OSError as error:
        raise OrbitError(request.workspace, f"cannot be looked at: {error.strerror}") from None
    return found.st_dev, found.st_ino


def _make(project: Project, request: AddRequest, making: Making, home: tuple[int, int], told: list[Notice]) -> None:
    note = Note(project, making)
    try:
        told += make(request.repo, making)
        if _is_remade(project, request, home):
            raise OrbitError(request.repo, f"the workspace {request.workspace} was removed meanwhile")
        note.clear()
    except BaseException:
        try:
            undo(making)
            if _is_remade(project, request, home):
                _remove_empty(project.workspace(request.workspace))
        except BaseException:
            note.leave()
            raise
        note.clear()
        raise


def _remove_empty(directory: str) -> None:
    try:
        os.rmdir(directory)
    except OSError:
        pass  # somebody has put something into it


def _is_remade(project: Project, request: AddRequest, home: tuple[int, int]) -> bool:
    """Whether git alone made the workspace again: a worktree for one that was moved away gets its directories.

    One that went away later took the worktree with it, and who took it finds that it has changed.
    """
    workspace = project.workspace(request.workspace)
    if not is_there(workspace) or is_there(project.metadata(request.workspace)):
        return False
    return _identity(project, request) != home

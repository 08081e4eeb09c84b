"""Worktrees at a glance: branch, upstream, ahead and behind, dirty files, operation in progress; read side by side.

Contract: commands.md, status; refinements.md 34.
"""

from __future__ import annotations

from orbit.errors import OrbitError
from orbit.git.many import side_by_side
from orbit.git.status import TreeStatus, operation_in_progress, read_status
from orbit.pool.branches import is_scoped, unscoped_name
from orbit.pool.worktrees import list_worktrees
from orbit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from orbit.places import Project
    from orbit.pool.worktrees import Worktree


class Glance(Record):
    """One worktree. `branch` is "detached" when so, "" when it cannot be told; `error` is why git cannot read it."""

    name: str
    branch: str
    scoped: bool
    tree: TreeStatus
    operation: str
    error: str


_UNREADABLE = TreeStatus("", 0, 0, 0)


def glance(project: Project, workspace: str, prefix: str, jobs: int) -> list[Glance]:
    """Every worktree of the workspace; a damaged one is a row with its error."""
    worktrees = list_worktrees(project, workspace)
    found = side_by_side(_read, list(worktrees), jobs)
    return [_glance(w, outcome, workspace, prefix) for w, outcome in zip(worktrees, found, strict=True)]


def _read(worktree: Worktree) -> tuple[TreeStatus, str]:
    """What git sees, and the operation in progress."""
    if worktree.error:
        raise OrbitError(worktree.name, worktree.error)
    return read_status(worktree.path), operation_in_progress(worktree.path)


def _glance(worktree: Worktree, outcome: tuple[TreeStatus, str] | OrbitError, workspace: str, prefix: str) -> Glance:
    if isinstance(outcome, OrbitError):
        tree, operation, error = _UNREADABLE, "", outcome.message
    else:
        (tree, operation), error = outcome, ""
    branch = worktree.branch
    return Glance(
        name=worktree.name,
        branch=unscoped_name(prefix, workspace, branch) if branch else "" if worktree.error else "detached",
        scoped=bool(branch) and is_scoped(prefix, workspace, branch),
        tree=tree,
        operation=operation,
        error=error,
    )

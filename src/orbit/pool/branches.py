"""Scoped branch names, `<prefix>/<workspace>/<name>`: no collisions between workspaces, attributable afterwards.

Contract: git.md, Scoped branches.
"""

from __future__ import annotations


def scoped_branch(prefix: str, workspace: str, name: str) -> str:
    return f"{prefix}/{workspace}/{name}"


def is_scoped(prefix: str, workspace: str, branch: str) -> bool:
    """Anything else in a worktree is raw: allowed, shown, never deleted by orbit."""
    return branch.startswith(f"{prefix}/{workspace}/")


def unscoped_name(prefix: str, workspace: str, branch: str) -> str:
    """The branch as a person calls it: without the workspace's own prefix."""
    return branch.removeprefix(f"{prefix}/{workspace}/")

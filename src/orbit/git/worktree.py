"""What a worktree's branch needs in the shared config. Contract: git.md, Many at once and Scoped branches."""

from __future__ import annotations

from orbit.git.run import change, checked


def set_upstream(clone: str, branch: str, upstream: str) -> None:
    """`branch.<branch>.remote` and `.merge`, so that a bare push and pull mean origin/<upstream>. Raises GitError."""
    for key, value in (("remote", "origin"), ("merge", f"refs/heads/{upstream}")):
        words = ["config", "--replace-all", f"branch.{branch}.{key}", value]
        checked(change(clone, words), branch, "write its upstream")

"""Branches: whether a name is one, and which working tree holds it. Contract: git.md, Scoped branches."""

from __future__ import annotations

import os

from orbit.git.files import common_dir, git_dir, read_head, read_text, registrations
from orbit.git.run import checked, observe

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

# Where a rebase keeps the branch it will come back to; HEAD is detached meanwhile.
_REBASE_NAMES = ("rebase-merge/head-name", "rebase-apply/head-name")


def is_branch_name(name: str) -> bool:
    """git's own rules, asked of git: they differ in details between versions. Raises OrbitError when it fails."""
    if not name or name.startswith("-") or "\0" in name:
        return False
    answer = observe(os.sep, ["check-ref-format", f"refs/heads/{name}"])
    if answer.code == 1:
        return False
    checked(answer, "git", "asking whether a name can be a branch")
    return True


def holder_of(checkout: str, branch: str, besides: str = "") -> str:
    """The working tree of this repository that has `branch` checked out, or rebases it; "" when none has.

    `besides` is a working tree that does not count. Files only.
    """
    directory = git_dir(checkout)
    if directory is None:
        return ""
    ignored = os.path.realpath(besides) if besides else ""
    for path in _working_trees(checkout, common_dir(directory)):
        if os.path.realpath(path) != ignored and branch in _held(path):
            return path
    return ""


def _working_trees(checkout: str, common: str) -> Iterator[str]:
    """The main one first, then every registered one, whether its directory is there or not."""
    yield os.path.dirname(common)
    for _, named in registrations(checkout):
        if named:
            yield os.path.dirname(named)


def _held(path: str) -> tuple[str, ...]:
    head = read_head(path)
    directory = git_dir(path)
    if head is None or directory is None:
        return ()
    rebased = ((read_text(f"{directory}/{name}") or "").removeprefix("refs/heads/") for name in _REBASE_NAMES)
    return tuple(name for name in (head.branch, *rebased) if name)

"""Worktrees that a killed `add` left half made: the next `add` would end them well, a checkup need not wait for it.

Contract: commands.md, doctor and add.
"""

from __future__ import annotations

import os

from orbit.errors import OrbitError
from orbit.pool.project import clone_lock
from orbit.store.lock import holder
from orbit.workspace.intent import note_files, recover

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from orbit.places import Project


def find_adds(project: Project, clones: Sequence[str]) -> list[str]:
    """Those of the clones in which an `add` was begun that nobody is at any more."""
    found = []
    for name in clones:
        left = _left_in(project.clone(name))
        at_work = holder(f"{os.path.dirname(left[0])}/orbit") if left else None
        if left and (at_work is None or not at_work.alive):
            found.append(name)
    return found


def end_add(project: Project, repo: str) -> list[str]:
    """Complete it or undo it, and say which. One that somebody has taken up meanwhile is theirs."""
    try:
        with clone_lock(project.clone(repo), wait_seconds=0):
            if not _left_in(project.clone(repo)):
                return []
            completed, notices = recover(project, repo)
    except OrbitError as problem:
        return [f"could not end the interrupted add of {repo}: {problem.message}"]
    if completed is not None:
        return [f"completed the worktree {completed.path}, which an interrupted add had begun"]
    return [f"{repo}: {notice.fact}" for notice in notices] or [f"cleared the note of an interrupted add of {repo}"]


def _left_in(checkout: str) -> list[str]:
    try:
        return [path for path in note_files(checkout) if os.path.lexists(path)]
    except OrbitError:
        return []  # another finding tells what is wrong with it

"""Lock files left behind: ours when their owner is dead, git's own only when old and open in no process.

Contract: refinements.md 10; commands.md, doctor.
"""

from __future__ import annotations

import os
import time

from orbit.git.files import common_dir, git_dir
from orbit.places import names_in, workspaces
from orbit.pool.clones import list_clones
from orbit.record import Record
from orbit.store.lock import holder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from orbit.places import Project

_OLD_SECONDS = 600


class StaleLock(Record):
    """`ours` tells orbit's own from git's."""

    path: str
    ours: bool


def find_stale_locks(project: Project) -> list[StaleLock]:
    """Every lock of the project's metadata and clones whose owner is gone."""
    found = []
    suspects = []
    for path in _lock_files(project):
        known = holder(path.removesuffix(".lock"))
        if known is not None and known.ours:
            if not known.alive:
                found.append(StaleLock(path, True))
        elif _is_old(path):
            suspects.append(path)
    if suspects:
        open_somewhere = _open_files()
        found += [StaleLock(path, False) for path in suspects if os.path.realpath(path) not in open_somewhere]
    return found


def _lock_files(project: Project) -> list[str]:
    history = [project.history, *(f"{project.history}/{refs}" for refs in ("refs/heads", "refs/orbit"))]
    directories = [project.pool, *history, *(project.workspace(name) for name in workspaces(project))]
    for name in list_clones(project).clones:
        directory = git_dir(project.clone(name))
        if directory is not None:
            common = common_dir(directory)
            directories += [common, *(f"{common}/worktrees/{entry}" for entry in names_in(f"{common}/worktrees"))]
    return [
        f"{directory}/{name}" for directory in directories for name in names_in(directory) if name.endswith(".lock")
    ]


def _is_old(path: str) -> bool:
    try:
        return time.time() - os.lstat(path).st_mtime > _OLD_SECONDS and os.path.isfile(path)
    except OSError:
        return False


def _open_files() -> set[str]:
    """Physical paths that any process we may look at has open."""
    import psutil  # only when an old lock was found

    found = set()
    for process in psutil.process_iter():
        try:
            found |= {os.path.realpath(file.path) for file in process.open_files()}
        except (psutil.Error, OSError):
            continue
    return found


def remove_lock(lock: StaleLock) -> bool:
    """Take a stale lock away; one that was taken again meanwhile stays."""
    known = holder(lock.path.removesuffix(".lock"))
    if lock.ours and (known is None or known.alive):
        return False
    try:
        os.unlink(lock.path)
    except OSError:
        return False
    return True

"""The worktrees of a workspace, read from the directories themselves: they are the truth, metadata is not."""

from __future__ import annotations

import os

from orbit.errors import OrbitError
from orbit.git.files import git_dir, read_head, registration_of
from orbit.places import POOL, Project, is_directory
from orbit.record import Record


class Worktree(Record):
    """One worktree. `branch` is "" when detached, `sha` "" while unborn; `error` says why git state is unreadable."""

    name: str
    path: str
    branch: str = ""
    sha: str = ""
    error: str = ""


_CUT_OFF = "its .git file is missing or broken, orbit doctor --fix writes it again"
_MOVED = "it was moved by hand, orbit doctor --fix joins it to the pool again"


def is_worktree(project: Project, workspace: str, name: str) -> bool:
    """A directory whose `.git` file points into the pool clone of the same project."""
    return "/" not in name and bool(_registration(project, project.worktree(workspace, name)))


def list_worktrees(project: Project, workspace: str) -> tuple[Worktree, ...]:
    """Sorted by name; a damaged one is a row with its error. Foreign repositories and plain folders are not listed.

    Raises OrbitError for a workspace that cannot be looked into; one that is gone has none.
    """
    try:
        with os.scandir(project.workspace(workspace)) as entries:
            names = sorted(e.name for e in entries if e.name[0] != "." and e.is_dir(follow_symlinks=False))
    except (FileNotFoundError, NotADirectoryError):
        return ()
    except OSError as error:
        raise OrbitError(project.workspace(workspace), f"cannot be read: {error.strerror}") from None
    found = []
    for name in names:
        path = project.worktree(workspace, name)
        registration = _registration(project, path)
        if registration:
            found.append(_read(name, path, registration))
        elif registration_of(project.clone(name), path):
            found.append(Worktree(name, path, error=_CUT_OFF))
        elif moved_with_project(project, path):
            found.append(Worktree(name, path, error=_MOVED))
    return tuple(found)


def moved_with_project(project: Project, path: str) -> bool:
    """Whether a `.git` file names a registration of this pool's in the place where the project stood before."""
    target = git_dir(path) if os.path.isfile(f"{path}/.git") else None
    if target is None or os.path.isdir(target):
        return False
    repo, entry = named_registration(target)
    return bool(repo) and os.path.isdir(f"{project.clone(repo)}/.git/worktrees/{entry}")


def named_registration(target: str) -> tuple[str, str]:
    """(repo, registration) by the tail `.repos/REPO/.git/worktrees/NAME` of what a `.git` file names, else empty."""
    parts = target.rstrip("/").split("/")
    if len(parts) < 5 or parts[-2] != "worktrees" or parts[-3] != ".git" or parts[-5] != POOL:
        return "", ""
    return parts[-4], parts[-1]


def _registration(project: Project, path: str) -> str:
    """The worktree's git directory when it belongs to this pool, else ""."""
    if not os.path.isfile(f"{path}/.git"):
        return ""
    directory = git_dir(path)
    if directory is None:
        return ""
    pool = os.path.realpath(project.pool)
    return directory if os.path.realpath(directory).startswith(pool + "/") else ""


def _read(name: str, path: str, registration: str) -> Worktree:
    try:
        if not is_directory(registration):
            return Worktree(name, path, error="its registration in the pool is gone (moved or pruned by hand)")
    except OrbitError as problem:
        return Worktree(name, path, error=f"its registration {problem.message}")
    head = read_head(path)
    if head is None:
        return Worktree(name, path, error="git cannot read it")
    return Worktree(name, path, head.branch, head.sha)

"""A place that git still counts as a worktree's although nothing is there: removed or moved by hand.

Contract: commands.md, add; prune.md, Residue.
"""

from __future__ import annotations

import os

from orbit.errors import OrbitError
from orbit.git.files import git_dir, registration_of
from orbit.git.run import change, checked, observe
from orbit.guidance import add_notices
from orbit.places import TRASH, is_file, is_there, list_names, workspaces
from orbit.store.disk import read_bytes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from orbit.guidance.notice import Notice
    from orbit.places import Project


def clear_lost(project: Project, repo: str, path: str) -> list[Notice]:
    """Clear the registration of a worktree that is not at `path` any more, so that another can be made there.

    Called under the clone's lock. Raises OrbitError when something still depends on the registration.
    """
    checkout = project.clone(repo)
    registration = registration_of(checkout, path)
    if not registration or is_there(path):
        return []
    place = path.removeprefix(f"{project.root}/")
    locked = read_bytes(f"{registration}/locked")
    if locked is not None:
        reason = locked.decode("utf-8", "replace").rstrip("\n")
        held = f"{place} is not there, and git worktree lock holds its place" + (f" ({reason})" if reason else "")
        raise OrbitError(repo, held, "bring it back, or give it up with git worktree unlock")
    moved = _moved_to(project, registration)
    if moved.startswith(f"{TRASH}/"):
        raise OrbitError(repo, f"{place} is being removed, it is in {os.path.dirname(moved)}", "end that: orbit prune")
    if moved:
        raise OrbitError(repo, f"{place} was moved by hand to {moved}", "join it to the pool again: orbit doctor --fix")
    commit = _commit_of_its_own(checkout, repo, registration)
    if commit:
        raise OrbitError(
            repo,
            f"{place} is gone, and only its registration holds the commit {commit}",
            f"keep it as a branch: git -C {_quoted(checkout)} branch NAME {commit}",
        )
    checked(change(checkout, ["worktree", "remove", "--force", path]), repo, f"clear the registration of {place}")
    return [add_notices.registration_cleared(repo, place)]


def _moved_to(project: Project, registration: str) -> str:
    """Where below the root a worktree is whose `.git` file names this registration, "" for none."""
    wanted = os.path.realpath(registration)
    removed = (f"{project.trash}/{name}" for name in _names(project.trash))
    for directory in (*map(project.workspace, workspaces(project)), *removed):
        for name in _names(directory):
            path = f"{directory}/{name}"
            link = read_bytes(f"{path}/.git") if is_file(f"{path}/.git") else None
            target = git_dir(path) if link else None
            if target is not None and os.path.realpath(target) == wanted:
                return path.removeprefix(f"{project.root}/")
    return ""


def _names(directory: str) -> list[str]:
    """Raises OrbitError: what cannot be read may hold what is looked for."""
    try:
        return list_names(directory)
    except OSError as error:
        raise OrbitError(directory, f"cannot be read: {error.strerror}") from None


def _commit_of_its_own(checkout: str, repo: str, registration: str) -> str:
    """The detached commit, abbreviated, that no ref would hold any more, else ""."""
    head = (read_bytes(f"{registration}/HEAD") or b"").decode("ascii", "replace").strip()
    if not head or head.startswith("ref: "):
        return ""
    words = ["rev-list", "--max-count=1", head, "--not", "--branches", "--remotes", "--tags", "--"]
    return checked(observe(checkout, words), repo, "look at the worktree that is gone").text[:10]


def _quoted(path: str) -> str:
    from shlex import quote  # only for this refusal

    return quote(path)

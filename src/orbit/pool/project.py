"""Making a project, and the lock that keeps writers of one clone apart. Contract: concepts.md; git.md, Many at once."""

from __future__ import annotations

import os

from orbit.errors import OrbitError
from orbit.git.files import common_dir, git_dir
from orbit.places import is_directory, is_there
from orbit.store.disk import replace_file
from orbit.store.lock import FileLock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from orbit.places import Project

_MARKER = """# .repos

This directory is infrastructure. It belongs to `orbit` and is not a place to work in.

- `NAME/` is one clone per repository, `.NAME.md` its card, `.orbit` the index, `.cache/` may be deleted.
- Read: `orbit repos`, `orbit info NAME`. Work: `orbit new`, then `orbit add NAME` in the workspace.
- Keep: `orbit memo NAME` writes a card, `orbit sync` brings the clones up to upstream.
"""
_CLONE_WAIT_SECONDS = 600.0


def create_project(project: Project) -> None:
    """`.repos/` with its index and marker; what exists already is left as it is. Raises OrbitError."""
    try:
        os.makedirs(project.pool, exist_ok=True)
        os.close(os.open(project.index, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o644))
    except FileExistsError:
        if not is_directory(project.pool):
            raise OrbitError(project.pool, "cannot make the pool (it is not a directory)") from None
    except OSError as error:
        raise OrbitError(project.pool, f"cannot make the pool ({error.strerror})") from None
    if is_there(project.marker):
        return
    with FileLock(project.marker):
        if not is_there(project.marker):
            replace_file(project.marker, _MARKER.encode())


def clone_lock(checkout: str, wait_seconds: float = _CLONE_WAIT_SECONDS) -> FileLock:
    """One writer at a time to a clone's config, refs of its own, and worktree registry; the others wait their turn."""
    return FileLock(f"{_shared(checkout)}/orbit", wait_seconds=wait_seconds)


def fetch_lock(checkout: str) -> FileLock:
    """One at a time brings a clone's tracking refs up to date; who only works locally need not wait for a remote."""
    return FileLock(f"{_shared(checkout)}/orbit-fetch", wait_seconds=_CLONE_WAIT_SECONDS)


def _shared(checkout: str) -> str:
    directory = git_dir(checkout)
    if directory is None:
        raise OrbitError(checkout, "not a git repository")
    return common_dir(directory)

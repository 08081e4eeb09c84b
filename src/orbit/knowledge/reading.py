"""When a workspace last read a card, so that a write with `--expect` settles only what was popped before that.

Kept in the disposable cache: without it, the start of the writing command serves. Contract: refinements.md 1.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from orbit.places import Project


def _path(project: Project, workspace: str, repo: str) -> str:
    return f"{project.cache}/read/{workspace}/{repo}"


def note_read(project: Project, workspace: str, repo: str, revision: str, now_ms: int) -> None:
    """Remember that this workspace was shown this revision now; failing to is no failure."""
    path = _path(project, workspace, repo)
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o644)
        try:
            # Cut afterwards: an empty record would let a reader at the same moment settle more than it may.
            os.ftruncate(descriptor, os.write(descriptor, f"{revision} {now_ms}\n".encode()))
        finally:
            os.close(descriptor)
    except OSError:
        return


def read_at(project: Project, workspace: str, repo: str, revision: str, otherwise_ms: int) -> int:
    """When this workspace last read `revision` (abbreviable; "" and `none` are not read), else `otherwise_ms`."""
    if revision in ("", "none"):
        return otherwise_ms
    try:
        with open(_path(project, workspace, repo), encoding="ascii", errors="replace") as file:
            kept, _, at = file.read(200).strip().partition(" ")
    except OSError:
        return otherwise_ms
    if not kept.startswith(revision.lower()) or not at.isdecimal():
        return otherwise_ms
    return min(int(at), otherwise_ms)

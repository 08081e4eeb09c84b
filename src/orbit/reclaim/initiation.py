"""Who may start what destroys: nobody who, or whose parent process, works inside a workspace.

Contract: prune.md, Who may start it; refinements.md 8. A refusal states the bare fact and hands out no way round it.
"""

from __future__ import annotations

import os

from orbit.errors import OrbitError
from orbit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    import psutil

    from orbit.places import Project


# A supervisor that shields itself is the first process of many containers, and of the same user there.
_FIRST = 1


class Ancestor(Record):
    """A process above this one. `cwd` is None when it cannot be read; `ours` whether it is of the same user."""

    pid: int
    name: str
    cwd: str | None
    ours: bool


def read_ancestors() -> list[Ancestor]:
    """From the parent up to the first process; empty when not even the parent can be looked at."""
    import psutil  # destroying commands and doctor only

    try:
        processes = psutil.Process().parents()
    except (psutil.Error, OSError):
        return []
    return [_read(process) for process in processes]


def _read(process: psutil.Process) -> Ancestor:
    import psutil  # loaded by the caller

    try:
        cwd: str | None = process.cwd()
    except (psutil.Error, OSError):
        cwd = None
    try:
        ours = process.uids().effective == os.geteuid()
        name = process.name()
    except (psutil.Error, OSError):
        ours, name = False, "unknown"
    return Ancestor(process.pid, name, cwd, ours)


def require_outside(project: Project, verb: str, cwd: str, ancestors: Sequence[Ancestor]) -> bool:
    """Whether the guard could look. Raises OrbitError when the caller or a process above it is in a workspace, when one
    of the same user cannot be read, and, if nothing above can be read at all, anywhere but at the root itself.
    """
    inside = workspace_of(project, cwd)
    if inside:
        raise OrbitError(verb, f"the current directory is inside the workspace {inside}")
    for ancestor in ancestors:
        if ancestor.cwd is None:
            if ancestor.ours and ancestor.pid != _FIRST:
                raise OrbitError(
                    verb, f"where process {ancestor.pid} ({ancestor.name}), above this one, works cannot be read"
                )
            continue
        inside = workspace_of(project, ancestor.cwd)
        if inside:
            raise OrbitError(
                verb, f"process {ancestor.pid} ({ancestor.name}), above this one, works inside the workspace {inside}"
            )
    readable = bool(ancestors) and ancestors[0].cwd is not None
    if not readable and os.path.realpath(cwd) != (os.path.realpath(project.root or "/")):
        raise OrbitError(verb, "process ancestry cannot be read, and this is not the project root")
    return readable


def workspace_of(project: Project, path: str) -> str:
    """The workspace that `path` lies in, or "": any direct child directory of the root that is no dot-directory."""
    root = os.path.realpath(project.root or "/").rstrip("/") + "/"
    physical = os.path.realpath(path)
    if not physical.startswith(root):
        return ""
    first = physical[len(root) :].split("/")[0]
    return "" if not first or first.startswith(".") else first

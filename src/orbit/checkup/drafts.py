"""Temporary files beside metadata that a killed writer left: the next write would use them up, a checkup need not wait.

Contract: concepts.md, On disk; commands.md, doctor.
"""

from __future__ import annotations

import os

from orbit.errors import OrbitError
from orbit.places import names_in, workspaces
from orbit.store.disk import DRAFT, remove_file
from orbit.store.lock import FileLock, holder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from orbit.places import Project


def find_drafts(project: Project) -> list[str]:
    """Paths of drafts that nobody is writing. Only names that orbit gives: the rest of a workspace is its user's."""
    found = [f"{project.pool}/{name}" for name in names_in(project.pool) if name[0] == "." and name.endswith(DRAFT)]
    found += [f"{project.marker}{DRAFT}", *(f"{project.metadata(name)}{DRAFT}" for name in workspaces(project))]
    return [path for path in found if os.path.isfile(path) and not _is_being_written(path.removesuffix(DRAFT))]


def _is_being_written(path: str) -> bool:
    found = holder(path)
    return found is not None and found.alive


def remove_draft(path: str) -> bool:
    """Take one away under the lock of its file; one whose file is being written again stays."""
    try:
        with FileLock(path.removesuffix(DRAFT), wait_seconds=0):
            remove_file(path)
    except OrbitError:
        return False
    return True

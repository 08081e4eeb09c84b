"""Worktrees that were moved by hand: a directory below the root whose link names the registration of a gone place.

Contract: prune.md, Candidates (ghost) and Residue; refinements.md, 4.
"""

from __future__ import annotations

import os

from orbit.git.files import git_dir
from orbit.places import names_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from orbit.places import Project
    from orbit.reclaim.survey import Registered, Survey


def lost_registrations(survey: Survey) -> list[Registered]:
    """Registrations whose path is gone, or cannot be read."""
    return [e for clone in survey.clones for e in clone.registered if not e.path or not os.path.lexists(e.path)]


def find_moved(project: Project, lost: Sequence[Registered]) -> dict[str, str]:
    """Registration directory to where its worktree lies now. Walks every workspace, so only asked for lost ones.

    The whole project may have been moved: then a link names the registration by its tail only.
    """
    if not lost:
        return {}
    wanted = {os.path.realpath(entry.directory): entry.directory for entry in lost}
    tails = {_tail(entry.directory): entry.directory for entry in lost}
    found = {}
    for name in names_in(project.root or "/"):
        if name.startswith("."):
            continue
        for directory, target in links_below(project.workspace(name)):
            registration = wanted.get(os.path.realpath(target))
            if registration is None and not os.path.isdir(target):
                registration = tails.get(_tail(target))
            if registration is not None:
                found[registration] = directory
    return found


def links_below(top: str) -> Iterator[tuple[str, str]]:
    """(directory, what its `.git` file names) at any depth."""
    for directory, below, files in os.walk(top):
        below[:] = [name for name in below if name != ".git"]
        target = git_dir(directory) if ".git" in files else None
        if target is not None:
            yield directory, target


def _tail(directory: str) -> str:
    """`.repos/REPO/.git/worktrees/NAME`, which survives a move of the project."""
    return "/".join(directory.rstrip("/").split("/")[-5:])

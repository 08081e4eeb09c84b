"""Worktrees that were moved by hand: a directory below the root whose link names the registration of a gone place.

Contract: prune.md, Candidates (ghost) and Residue; refinements.md, 4.
"""

from __future__ import annotations

import errno
import os

from orbit.errors import OrbitError
from orbit.reclaim.reading import MISSING, is_gone, names_of, text_of
from orbit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from orbit.places import Project
    from orbit.reclaim.survey import Registered, Survey

_LINK = "gitdir: "


class Moved(Record):
    """Where a worktree lies now. Not `certain`: that place cannot be looked into, so it may lie there."""

    place: str
    certain: bool = True

    @property
    def words(self) -> str:
        return f"moved by hand to {self.place}" if self.certain else f"perhaps moved to {self.place} (cannot be read)"


def lost_registrations(survey: Survey) -> list[Registered]:
    """Registrations whose path is gone, or is not known."""
    return [e for clone in survey.clones for e in clone.registered if not e.path or is_gone(e.path)]


def find_moved(project: Project, lost: Sequence[Registered]) -> dict[str, Moved]:
    """Registration directory to where its worktree lies now. Walks every workspace, so only asked for lost ones.

    The whole project may have been moved: then a link names the registration by its tail only.
    """
    if not lost:
        return {}
    wanted = {os.path.realpath(entry.directory): entry.directory for entry in lost}
    tails = {_tail(entry.directory): entry.directory for entry in lost}
    found, unreadable = dict[str, Moved](), list[str]()
    for name in _names_in(project.root or "/", unreadable):
        if name.startswith("."):
            continue
        for directory, target in links_below(project.workspace(name), unreadable):
            registration = wanted.get(os.path.realpath(target))
            if registration is None and not os.path.isdir(target):
                registration = tails.get(_tail(target))
            if registration is not None:
                found[registration] = Moved(directory)
    if unreadable:
        for entry in lost:
            found.setdefault(entry.directory, Moved(unreadable[0], certain=False))
    return found


def links_below(top: str, unreadable: list[str]) -> Iterator[tuple[str, str]]:
    """(directory, what its `.git` file names) at any depth. A place that cannot be looked into is added to
    `unreadable`, unless it is another user's: nobody moves a worktree there.
    """

    def note(error: OSError) -> None:
        if error.errno not in MISSING and not (error.errno == errno.EACCES and _is_foreign(error.filename)):
            unreadable.append(error.filename)

    for directory, below, files in os.walk(top, onerror=note):
        below[:] = [name for name in below if name != ".git"]
        try:
            link = text_of(f"{directory}/.git") if ".git" in files else None
        except OrbitError:
            unreadable.append(directory)
            continue
        if link is not None and link.startswith(_LINK):
            yield directory, os.path.join(directory, link.removeprefix(_LINK).rstrip("\r"))


def _names_in(root: str, unreadable: list[str]) -> list[str]:
    try:
        return names_of(root)
    except OrbitError:
        unreadable.append(root)
        return []


def _is_foreign(path: str) -> bool:
    try:
        return os.lstat(path).st_uid != os.geteuid()
    except OSError:
        return False


def _tail(directory: str) -> str:
    """`.repos/REPO/.git/worktrees/NAME`, which survives a move of the project."""
    return "/".join(directory.rstrip("/").split("/")[-5:])

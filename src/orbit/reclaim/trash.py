"""The directory through which a workspace goes: in by a rename, out by deletion, or back.

`.prune-trash/<workspace>.<pid>.<epoch>`; only entries of this form are touched. Contract: prune.md, Execution.
"""

from __future__ import annotations

import os
import shutil
import stat

from orbit.errors import OrbitError
from orbit.reclaim.reading import names_of
from orbit.record import Record
from orbit.store.disk import reason_of, remove_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from orbit.places import Project


class Item(Record):
    """One workspace in the trash."""

    path: str
    workspace: str
    epoch: int


def items(project: Project) -> list[Item]:
    """What lies in the trash, by name. Raises OrbitError when it cannot be read or is a symbolic link."""
    trash = project.trash
    _require_own(trash)
    found = []
    for name in names_of(trash):
        workspace, *numbers = name.rsplit(".", 2)
        path = f"{trash}/{name}"
        if not workspace or len(numbers) != 2 or os.path.islink(path) or not os.path.isdir(path):
            continue
        if all(number.isascii() and number.isdecimal() and len(number) < 18 for number in numbers):
            found.append(Item(path, workspace, int(numbers[1])))
    return found


def move_in(project: Project, workspace: str, epoch: int) -> str:
    """Rename the workspace into the trash, the point from which it counts as removed; gives its place there.

    Raises OrbitError, with the workspace where it was.
    """
    trash = project.trash
    home = project.workspace(workspace)
    _require_own(trash)
    place = f"{trash}/{workspace}.{os.getpid()}.{epoch}"
    try:
        if os.path.islink(home):
            raise OrbitError("prune", f"{workspace} is a symbolic link")
        os.makedirs(trash, exist_ok=True)
        os.rename(home, place)
    except OSError as error:
        raise OrbitError("prune", f"{workspace} cannot be moved to the trash: {reason_of(error)}") from None
    return place


def move_out(project: Project, workspace: str, place: str) -> None:
    """Put it back where it was. Raises OrbitError when something else is there by now."""
    home = project.workspace(workspace)
    if os.path.lexists(home):
        raise OrbitError("prune", f"{workspace} exists again, what was removed stays in {place}")
    try:
        remove_file(f"{place}/.orbit.lock")  # it was moved while it was locked
        os.rename(place, home)
    except OSError as error:
        raise OrbitError("prune", f"{place} cannot be put back: {reason_of(error)}") from None
    empty(project)


def delete(place: str) -> None:
    """Delete a directory tree, read-only directories too; links are not followed. Raises OrbitError."""
    shutil.rmtree(place, ignore_errors=True)
    if not os.path.lexists(place):
        return
    try:
        for directory, below, _ in os.walk(place):
            for name in (".", *below):
                path = os.path.normpath(f"{directory}/{name}")
                if not os.path.islink(path):
                    os.chmod(path, stat.S_IRWXU)
        shutil.rmtree(place)
    except OSError as error:
        raise OrbitError(place, f"cannot be deleted: {reason_of(error)}") from None


def empty(project: Project) -> None:
    """Remove the trash itself once nothing is in it."""
    try:
        os.rmdir(project.trash)
    except OSError:
        pass  # not there, or something else is in it


def _require_own(trash: str) -> None:
    if os.path.islink(trash):
        raise OrbitError("prune", f"{trash} is a symbolic link")

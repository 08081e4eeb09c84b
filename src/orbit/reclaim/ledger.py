"""What a reclamation takes, noted before it begins: by it an interrupted one is finished, and a finished one undone.

`.repos/.reclaimed/<workspace>/<epoch>/` holds `plan.json` and the workspace's `.orbit`; the commits are held by
`refs/orbit/reclaimed/<workspace>/<epoch>/…` in each clone. Contract: prune.md, Execution; refinements.md 4 and 5.
"""

from __future__ import annotations

import json
import os
import shutil

from orbit.errors import OrbitError
from orbit.reclaim.plan import Branch, Tree
from orbit.reclaim.reading import bytes_of, names_of
from orbit.record import Record
from orbit.store.disk import reason_of, replace_file, try_read

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from orbit.places import Project

# Noted, nothing moved yet · looked at again in the trash · nothing of it is left in the pool ·
# it is being brought back.
PLANNED, CHECKED, CLEARED, RESTORING = "planned", "checked", "cleared", "restoring"
REFS = "refs/orbit/reclaimed"
_VERSION = 1


class Entry(Record):
    """One reclamation. `forced`: reasons were released by the user, so the same ones do not stop its completion."""

    workspace: str
    epoch: int
    stage: str
    forced: bool
    branches: tuple[Branch, ...]
    trees: tuple[Tree, ...]
    marks: Mapping[str, str]

    @property
    def refs(self) -> str:
        return f"{REFS}/{self.workspace}/{self.epoch}"

    @property
    def repos(self) -> list[str]:
        return sorted({*(branch.repo for branch in self.branches), *(tree.repo for tree in self.trees)})

    def kept_refs(self, repo: str) -> dict[str, str]:
        """Ref to commit of everything that is kept in one clone."""
        found = {f"{self.refs}/{branch.name}": branch.sha for branch in self.branches if branch.repo == repo}
        for tree in self.trees:
            if tree.repo == repo:
                found.update({f"{self.refs}/HEAD/{repo}/{tree.entry}/{what}": sha for what, sha in tree.tips.items()})
        return found


def directory_of(project: Project, workspace: str, epoch: int) -> str:
    return f"{project.pool}/.reclaimed/{workspace}/{epoch}"


def free_epoch(project: Project, workspace: str, now: int) -> int:
    """The time, or the first second after it that no earlier reclamation of this workspace has."""
    while os.path.lexists(directory_of(project, workspace, now)):
        now += 1
    return now


def write(project: Project, entry: Entry) -> None:
    """Note it, or its next stage; durable when this returns. Raises OrbitError."""
    place = directory_of(project, entry.workspace, entry.epoch)
    try:
        os.makedirs(place, exist_ok=True)
    except OSError as error:
        raise OrbitError(place, f"cannot be made: {reason_of(error)}") from None
    data = {
        "version": _VERSION,
        "stage": entry.stage,
        "forced": entry.forced,
        "branches": [_fields(branch) for branch in entry.branches],
        "trees": [_fields(tree) for tree in entry.trees],
        "marks": dict(entry.marks),
    }
    replace_file(f"{place}/plan.json", json.dumps(data, indent=1).encode())


def keep_metadata(project: Project, entry: Entry, metadata: str) -> None:
    """A copy of the workspace's `.orbit`. Raises OrbitError when it cannot be made."""
    data, reason = try_read(metadata)
    if data is None:
        raise OrbitError(metadata, f"cannot be read: {reason or 'it is gone'}")
    replace_file(f"{directory_of(project, entry.workspace, entry.epoch)}/.orbit", data)


def read(project: Project, workspace: str, epoch: int) -> Entry | None:
    """The note, None when there is none, or only a damaged one. Raises OrbitError for one that cannot be read now."""
    data = bytes_of(f"{directory_of(project, workspace, epoch)}/plan.json")
    try:
        found = json.loads(data or b"")
        return Entry(
            workspace,
            epoch,
            str(found["stage"]),
            bool(found["forced"]),
            tuple(Branch(**item) for item in found["branches"]),
            tuple(Tree(**item) for item in found["trees"]),
            dict(found["marks"]),
        )
    except (ValueError, KeyError, TypeError):
        return None


def entries(project: Project) -> list[tuple[str, int]]:
    """(workspace, epoch) of every note, the oldest first. Raises OrbitError when they cannot be listed."""
    top = f"{project.pool}/.reclaimed"
    found = [(name, epoch) for name in names_of(top) for epoch in names_of(f"{top}/{name}")]
    return sorted(((n, int(e)) for n, e in found if e.isascii() and e.isdecimal()), key=lambda item: (item[1], item[0]))


def restorable(project: Project) -> list[str]:
    """Workspaces of which something is kept and whose name is free, or taken by a restore that was interrupted."""
    last = dict(entries(project))  # the oldest first, so that the newest stays
    return [name for name in sorted(last) if _is_free(project, name, last[name])]


def _is_free(project: Project, workspace: str, last: int) -> bool:
    if not os.path.lexists(project.workspace(workspace)):
        return True
    entry = read(project, workspace, last)
    return entry is not None and entry.stage == RESTORING


def forget(project: Project, workspace: str, epoch: int) -> None:
    """Drop the note; a leftover is dropped by the next run."""
    shutil.rmtree(directory_of(project, workspace, epoch), ignore_errors=True)
    try:
        os.rmdir(f"{project.pool}/.reclaimed/{workspace}")
        os.rmdir(f"{project.pool}/.reclaimed")
    except OSError:
        pass  # others are in it


def _fields(value: Branch | Tree) -> dict[str, Any]:
    return {name: getattr(value, name) for name in ("repo", *_KEPT[type(value)])}


_KEPT: dict[type, tuple[str, ...]] = {
    Branch: ("name", "sha", "verdict", "upstream"),
    Tree: ("entry", "place", "branch", "tips"),
}

"""What an earlier run left half done is finished before anything else. Contract: prune.md, Execution."""

from __future__ import annotations

import os

from orbit.errors import OrbitError
from orbit.reclaim import ledger, trash
from orbit.reclaim.execute import Outcome, finish_cleared, go_on
from orbit.reclaim.keeping import drop_tips
from orbit.reclaim.moved import links_below

TYPE_CHECKING = False
if TYPE_CHECKING:
    from orbit.places import Project
    from orbit.reclaim.execute import Means
    from orbit.reclaim.ledger import Entry
    from orbit.reclaim.trash import Item


def resume(project: Project, means: Means) -> list[Outcome]:
    """Go on with every workspace in the trash, and with every note whose removal was begun. Raises OrbitError."""
    outcomes = []
    handled = set()
    for item in trash.items(project):
        handled.add((item.workspace, item.epoch))
        entry = ledger.read(project, item.workspace, item.epoch)
        outcomes.append(go_on(project, entry, item.path, means) if entry else _without_note(project, item))
    trash.empty(project)
    for workspace, epoch in ledger.entries(project):
        if (workspace, epoch) not in handled:
            entry = ledger.read(project, workspace, epoch)
            outcome = _settle(project, entry, means) if entry else None
            outcomes += [outcome] if outcome else []
    return outcomes


def waiting(project: Project) -> list[str]:
    """Workspaces in the trash, for a dry run."""
    return [item.workspace for item in trash.items(project)]


def _settle(project: Project, entry: Entry, means: Means) -> Outcome | None:
    """A note without a directory in the trash: never begun, or begun and not finished in the pool."""
    back = os.path.lexists(project.workspace(entry.workspace))
    if entry.stage == ledger.CHECKED and back:
        # Taken out of the trash by hand, or made anew: whatever the pool still has is that workspace's own.
        ledger.write(project, entry.replace(stage=ledger.CLEARED))
        return None
    if entry.stage == ledger.CHECKED:
        return finish_cleared(project, entry, means)
    if entry.stage == ledger.PLANNED and back:
        try:
            drop_tips(project, entry)
        except OrbitError:
            return None
        ledger.forget(project, entry.workspace, entry.epoch)
    return None


def _without_note(project: Project, item: Item) -> Outcome:
    """Somebody else's deletion: finished if the pool has let go of it, else the workspace is put back."""
    if not _is_registered(item.path, os.path.realpath(project.pool)):
        try:
            trash.delete(item.path)
        except OrbitError as problem:
            return Outcome(item.workspace, problem=str(problem))
        return Outcome(item.workspace, removed=True)
    try:
        trash.move_out(project, item.workspace, item.path)
    except OrbitError as problem:
        return Outcome(item.workspace, problem=str(problem))
    return Outcome(item.workspace, why="nothing is noted of its removal, so it was put back")


def _is_registered(path: str, pool: str) -> bool:
    """Whether a link below leads to a registration that this pool still has."""
    targets = (target for _, target in links_below(path))
    return any(os.path.isdir(target) and os.path.realpath(target).startswith(f"{pool}/") for target in targets)

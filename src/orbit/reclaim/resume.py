"""What an earlier run left half done is finished before anything else. Contract: prune.md, Execution."""

from __future__ import annotations

import os

from orbit.errors import OrbitError
from orbit.places import is_there
from orbit.reclaim import ledger, trash
from orbit.reclaim.execute import Outcome, finish_cleared, go_on
from orbit.reclaim.keeping import drop_tips
from orbit.reclaim.moved import links_below
from orbit.reclaim.reading import is_gone

TYPE_CHECKING = False
if TYPE_CHECKING:
    from orbit.places import Project
    from orbit.reclaim.execute import Means
    from orbit.reclaim.trash import Item


def resume(project: Project, means: Means) -> list[Outcome]:
    """Go on with every workspace in the trash, and with every note whose removal was begun. Raises OrbitError."""
    outcomes = []
    handled, noted = set(), ledger.entries(project)
    for item in trash.items(project):
        handled.add((item.workspace, item.epoch))
        try:
            entry = ledger.read(project, item.workspace, item.epoch)
        except OrbitError as problem:
            outcomes.append(Outcome(item.workspace, problem=problem.message))
            continue
        outcomes.append(go_on(project, entry, item.path, means) if entry else _without_note(project, item))
    trash.empty(project)
    for workspace, epoch in noted:
        if (workspace, epoch) not in handled:
            outcomes += _settle(project, workspace, epoch, means)
    return outcomes


def waiting(project: Project) -> list[str]:
    """Workspaces in the trash, for a dry run."""
    return [item.workspace for item in trash.items(project)]


def _settle(project: Project, workspace: str, epoch: int, means: Means) -> list[Outcome]:
    """A note without a directory in the trash: never begun, or begun and not finished in the pool."""
    try:
        entry = ledger.read(project, workspace, epoch)
    except OrbitError as problem:
        return [Outcome(workspace, problem=problem.message)]
    if entry is None:
        return []
    try:
        back = is_there(project.workspace(workspace))
    except OrbitError as unseen:
        return [Outcome(workspace, problem=str(unseen))]
    if entry.stage == ledger.CHECKED and back:
        # Taken out of the trash by hand, or made anew: whatever the pool still has is that workspace's own.
        ledger.write(project, entry.replace(stage=ledger.CLEARED))
    elif entry.stage == ledger.CHECKED:
        return [finish_cleared(project, entry, means)]
    elif entry.stage == ledger.PLANNED and back:
        try:
            drop_tips(project, entry)
        except OrbitError:
            return []
        ledger.forget(project, workspace, epoch)
    return []


def _without_note(project: Project, item: Item) -> Outcome:
    """Somebody else's deletion: finished if the pool has let go of it, else the workspace is put back."""
    noted = os.path.lexists(ledger.directory_of(project, item.workspace, item.epoch))
    if not noted and not _is_registered(item.path, os.path.realpath(project.pool)):
        try:
            trash.delete(item.path)
        except OrbitError as problem:
            return Outcome(item.workspace, problem=str(problem))
        return Outcome(item.workspace, removed=True)
    try:
        trash.move_out(project, item.workspace, item.path)
    except OrbitError as problem:
        return Outcome(item.workspace, problem=str(problem))
    what = "the note of its removal is damaged" if noted else "nothing is noted of its removal"
    return Outcome(item.workspace, why=f"{what}, so it was put back")


def _is_registered(path: str, pool: str) -> bool:
    """Whether a link below leads to a registration that this pool still has, as far as can be seen."""
    unreadable: list[str] = []
    targets = [target for _, target in links_below(path, unreadable)]
    found = (target for target in targets if os.path.realpath(target).startswith(f"{pool}/"))
    return bool(unreadable) or not all(map(is_gone, found))

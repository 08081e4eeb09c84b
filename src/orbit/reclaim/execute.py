"""Carrying a plan out, one workspace at a time: keep, rename away, look again, clear the pool, delete.

Contract: prune.md, Execution; refinements.md 4, 5, 7.
"""

from __future__ import annotations

import os

from orbit.errors import OrbitError
from orbit.git.files import registrations
from orbit.git.many import side_by_side
from orbit.git.run import change
from orbit.knowledge.jots import read_queues
from orbit.places import is_there
from orbit.reclaim import ledger, trash
from orbit.reclaim.clearing import Cleared, clear
from orbit.reclaim.contents import linked_from
from orbit.reclaim.guards import see
from orbit.reclaim.keeping import drop_tips, keep_tips
from orbit.reclaim.ledger import Entry
from orbit.reclaim.occupants import inside, read_occupants
from orbit.reclaim.plan import branch_marks, changed_parts
from orbit.reclaim.reading import is_gone
from orbit.reclaim.survey import survey_again, survey_pool
from orbit.record import Record
from orbit.store.document import load
from orbit.store.lock import FileLock
from orbit.workspace.metadata import metadata_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from orbit.places import Project
    from orbit.reclaim.plan import Branch, Step
    from orbit.reclaim.survey import Survey


class Means(Record):
    """What every removal of a run needs: the first segment of scoped branches, how many git run side by side, the pool
    as the plan saw it (None where the plan is of an earlier run).
    """

    prefix: str
    jobs: int
    survey: Survey | None = None


class Outcome(Record):
    """What came of one workspace. `why`: it was kept after all; `problem`: a step failed, the next run goes on."""

    workspace: str
    removed: bool = False
    worktrees: int = 0
    deleted: tuple[Branch, ...] = ()
    kept: tuple[Branch, ...] = ()
    why: str = ""
    problem: str = ""


def reclaim(project: Project, step: Step, means: Means, now: int) -> Outcome:
    """Remove a finished workspace, wholly or not at all. Never raises for what one workspace can do wrong."""
    name = step.target.name
    entry = _entry(project, step, now)
    try:
        with FileLock(project.metadata(name)):
            why = _not_finished(project, step)
            if why:
                return Outcome(name, why=why)
            ledger.write(project, entry)
            ledger.keep_metadata(project, entry, project.metadata(name))
            keep_tips(project, entry, means.jobs)
            place = trash.move_in(project, name, entry.epoch)
    except OrbitError as problem:
        _undo_notes(project, entry)
        return Outcome(name, problem=str(problem))
    return go_on(project, entry, place, means)


def reclaim_ghost(project: Project, step: Step, means: Means, now: int) -> Outcome:
    """Remove what the pool still has of a workspace whose directory is gone."""
    if not is_gone(project.workspace(step.target.name)):
        return Outcome(step.target.name, why="it is there again")
    entry = _entry(project, step, now).replace(stage=ledger.CHECKED)
    try:
        ledger.write(project, entry)
        keep_tips(project, entry, means.jobs)
    except OrbitError as problem:
        _undo_notes(project, entry)
        return Outcome(step.target.name, problem=str(problem))
    return _finish(project, entry, "", means)


def go_on(project: Project, entry: Entry, place: str, means: Means) -> Outcome:
    """From wherever the removal of the workspace in the trash stands to its end."""
    if entry.stage == ledger.PLANNED:
        why = _changed(project, entry, place, means)
        if why:
            return _put_back(project, entry, place, why)
        entry = entry.replace(stage=ledger.CHECKED)
        try:
            ledger.write(project, entry)
        except OrbitError as problem:
            return Outcome(entry.workspace, problem=str(problem))
    return _finish(project, entry, place, means)


def finish_cleared(project: Project, entry: Entry, means: Means) -> Outcome:
    """A removal whose directory is gone already: what the pool still has."""
    return _finish(project, entry, "", means)


def _entry(project: Project, step: Step, now: int) -> Entry:
    target = step.target
    epoch = ledger.free_epoch(project, target.name, now)
    return Entry(target.name, epoch, ledger.PLANNED, step.forced, step.deleted, target.trees, target.marks)


def _not_finished(project: Project, step: Step) -> str:
    """Read again under the lock: the user may have gone on with the task, or jotted, while the plan was shown."""
    loaded = load(project.metadata(step.target.name))
    if loaded.state != "ok" or not metadata_of(loaded.config).done:
        return "it is not marked done any more"
    if read_queues(loaded.config) and not step.forced:
        return "jots were added meanwhile"
    return ""


def _changed(project: Project, entry: Entry, place: str, means: Means) -> str:
    """What is not as it was when the plan was made, in words; "" for nothing."""
    if means.survey is None:
        survey = survey_pool(project, means.prefix)
    else:
        repos = {*entry.repos, *linked_from(place, os.path.realpath(project.pool))}
        survey = survey_again(project, means.survey, entry.workspace, repos)
    for clone in survey.unlisted:
        return f"{clone.repo}: {clone.problem}"
    registered = survey.registered_below(os.path.realpath(project.workspace(entry.workspace)))
    seen = see(project, entry.workspace, registered, place, jobs=means.jobs, moved_from=entry.marks)
    tips = branch_marks((clone.repo, name, sha) for clone, name, sha in survey.branches_of(entry.workspace))
    parts = changed_parts(entry.marks, {**seen.marks, **tips})
    if seen.locked:
        return seen.locked[0].text
    if parts:
        return f"it changed meanwhile ({', '.join('jots or other repositories' if p == '.' else p for p in parts)})"
    people = inside(read_occupants(os.path.realpath(project.root or "/")), os.path.realpath(place))
    if people and not entry.forced:
        return f"process {people[0].pid} ({people[0].name}) works inside it"
    return ""


def _put_back(project: Project, entry: Entry, place: str, why: str) -> Outcome:
    try:
        trash.move_out(project, entry.workspace, place)
    except OrbitError as problem:
        return Outcome(entry.workspace, problem=f"{why}; {problem.message}")
    home = project.workspace(entry.workspace)
    for tree in entry.trees:
        checkout = project.clone(tree.repo)
        for registration, named in registrations(checkout):
            # git itself may have noted the place in the trash meanwhile.
            if os.path.basename(registration) == tree.entry and named.startswith(f"{place}/"):
                change(checkout, ["worktree", "repair", f"{home}/{tree.place}"])
    _undo_notes(project, entry)
    return Outcome(entry.workspace, why=why)


def _undo_notes(project: Project, entry: Entry) -> None:
    """Nothing was removed, so nothing is kept apart. What cannot be dropped now expires."""
    try:
        drop_tips(project, entry)
    except OrbitError:
        return
    ledger.forget(project, entry.workspace, entry.epoch)


def _finish(project: Project, entry: Entry, place: str, means: Means) -> Outcome:
    """Clear the pool, then delete the directory. Branches stay with a workspace of that name that was made since."""
    try:
        taken = is_there(project.workspace(entry.workspace))
    except OrbitError as unseen:
        return Outcome(entry.workspace, problem=str(unseen))
    parts: list[Cleared] = []
    problem = ""
    if entry.stage != ledger.CLEARED:
        places = [project.workspace(entry.workspace), *([place] if place else [])]

        def clear_one(repo: str) -> Cleared:
            trees = [tree for tree in entry.trees if tree.repo == repo]
            branches = [branch for branch in entry.branches if branch.repo == repo and not taken]
            return clear(project, repo, trees, branches, places, means.prefix)

        for found in side_by_side(clear_one, entry.repos, means.jobs):
            if isinstance(found, OrbitError):
                problem = problem or str(found)
            else:
                parts.append(found)
    try:
        if not problem:
            ledger.write(project, entry.replace(stage=ledger.CLEARED))
            if place:
                trash.delete(place)
                trash.empty(project)
    except OrbitError as error:
        problem = str(error)
    return Outcome(
        entry.workspace,
        removed=not problem,
        worktrees=sum(part.worktrees for part in parts),
        deleted=tuple(branch for part in parts for branch in part.deleted),
        kept=tuple(branch for part in parts for branch in part.kept),
        problem=problem,
    )

"""What others left in the pool: registrations and config sections of nothing, branches that exist nowhere else.

The first two are repaired, the last only listed. Contract: prune.md, Residue.
"""

from __future__ import annotations

import os
from shlex import quote

from orbit.errors import OrbitError
from orbit.git.files import list_refs, read_ref
from orbit.git.run import change, checked, observe
from orbit.places import TRASH
from orbit.pool.project import clone_lock
from orbit.reclaim.clearing import drop_branch_section
from orbit.reclaim.guards import at_stake
from orbit.reclaim.holders import holders, require_config
from orbit.reclaim.keeping import write_refs
from orbit.reclaim.ledger import REFS
from orbit.reclaim.moved import Moved, find_moved, lost_registrations
from orbit.reclaim.reading import is_gone
from orbit.reclaim.survey import view_clone
from orbit.reclaim.trash import items
from orbit.reclaim.trees import tips_of
from orbit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

    from orbit.places import Project
    from orbit.reclaim.survey import CloneView, Registered, Survey

_HEADS = "refs/heads/"
_HERE = Moved("")


class RawBranch(Record):
    """A branch outside the scoped names that no remote branch stands for; `command` would delete it."""

    repo: str
    name: str
    merged: bool
    command: str


class Residue(Record):
    """`registrations` are of worktrees that are gone, `sections` (clone, branch) of config without a branch;
    `holding`: registrations like the first that stay, with what only they hold; `unread`: (repo, problem) of clones
    that could not be looked into.
    """

    registrations: tuple[Registered, ...] = ()
    sections: tuple[tuple[CloneView, str], ...] = ()
    raw: tuple[RawBranch, ...] = ()
    holding: tuple[tuple[Registered, str], ...] = ()
    unread: tuple[tuple[str, str], ...] = ()


def find_residue(project: Project, survey: Survey, besides: Collection[str]) -> Residue:
    """Over the whole pool. `besides`: workspaces that this run is about, whose registrations are theirs to clear."""
    root = os.path.realpath(project.root or "/").rstrip("/")
    mine = tuple(f"{root}/{name}/" for name in (*besides, *(item.workspace for item in items(project))))
    lost = [e for e in lost_registrations(survey) if e.path and e.locked is None and not e.path.startswith(mine)]
    lost = [entry for entry in lost if not entry.path.startswith(f"{root}/{TRASH}/")]
    moved = find_moved(project, lost)
    sections, raw, unread = [], [], []
    for clone in survey.clones:
        try:
            if clone.problem:
                raise OrbitError(clone.repo, clone.problem)
            local, held = list_refs(clone.git_directory, _HEADS), holders(clone, ())
            sections += [(clone, branch) for branch in _orphans(clone, local, held)]
            raw += _raw(clone, survey.prefix, local, held)
        except OrbitError as problem:
            unread.append((clone.repo, problem.message))
    stakes = {entry: at_stake(entry) for entry in lost if entry.directory not in moved}
    stakes |= {entry: moved[entry.directory].words for entry in lost if not moved.get(entry.directory, _HERE).certain}
    clear = tuple(entry for entry, stake in stakes.items() if not stake)
    holding = tuple((entry, stake) for entry, stake in stakes.items() if stake)
    return Residue(clear, tuple(sections), tuple(raw), holding, tuple(unread))


def repair(project: Project, residue: Residue, prefix: str, now: int) -> tuple[list[str], list[str]]:
    """Clear registrations and sections; (what was done, what could not be), one sentence each.

    A commit that only a registration holds is kept like a reclaimed one.
    """
    done, failed = [], []
    for entry in residue.registrations:
        try:
            if _clear_registration(project, entry, now):
                done.append(f"cleared the registration of {entry.path}, whose directory is gone, in {entry.repo}")
        except OrbitError as problem:
            failed.append(str(problem))
    for clone, branch in residue.sections:
        try:
            with clone_lock(clone.checkout):
                again = view_clone(project, clone.repo, prefix)
                if again.problem:
                    raise OrbitError(clone.repo, again.problem)
                if branch in _orphans(again, list_refs(clone.git_directory, _HEADS), holders(again, ())):
                    drop_branch_section(clone.checkout, clone.repo, branch)
                    done.append(f"dropped the config of {branch}, a branch that is gone, in {clone.repo}")
        except OrbitError as problem:
            failed.append(str(problem))
    return done, failed


def _clear_registration(project: Project, entry: Registered, now: int) -> bool:
    checkout = project.clone(entry.repo)
    with clone_lock(checkout):
        if not is_gone(entry.path) or not os.path.isdir(entry.directory):
            return False
        refs = {f"{REFS}/_lost/{now}/{entry.entry}/{name}": (sha, "") for name, sha in tips_of(entry.directory).items()}
        if refs:
            write_refs(checkout, refs, "keeping what the registration holds")
        answer = change(checkout, ["worktree", "remove", "--force", entry.path])
        if answer.code != 0 and os.path.isdir(entry.directory):
            checked(answer, entry.repo, f"clearing the registration of {entry.path}")
    return True


def _orphans(clone: CloneView, local: Collection[str], held: Collection[str]) -> list[str]:
    """Branches that only the config knows; one that is checked out and has no commit yet is not among them."""
    config = require_config(clone)
    names = dict.fromkeys(config.subsections("branch"))
    return [name for name in names if f"{_HEADS}{name}" not in local and name not in held]


def _raw(clone: CloneView, prefix: str, local: dict[str, str], held: Collection[str]) -> list[RawBranch]:
    """Neither scoped, nor the one that the pool follows, nor on the remote as last fetched, nor checked out."""
    found = []
    for ref, sha in sorted(local.items()):
        name = ref.removeprefix(_HEADS)
        if name.startswith(f"{prefix}/") or name == clone.default or name in held:
            continue
        if read_ref(clone.git_directory, f"refs/remotes/origin/{name}"):
            continue
        command = f"git -C {quote(clone.checkout)} branch -D -- {quote(name)}"
        found.append(RawBranch(clone.repo, name, _is_merged(clone, sha), command))
    return found


def _is_merged(clone: CloneView, sha: str) -> bool:
    if not clone.default:
        return False
    words = ["merge-base", "--is-ancestor", sha, f"refs/remotes/origin/{clone.default}"]
    return observe(clone.checkout, words).code == 0

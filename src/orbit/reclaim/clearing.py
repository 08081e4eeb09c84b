"""The pool's side of a removal: registrations, branches, their config; each step may be done already.

Called with the workspace's directory out of the way. Contract: prune.md, Execution; refinements.md 4 to 6.
"""

from __future__ import annotations

import os

from orbit.errors import OrbitError
from orbit.git.files import list_refs, read_ref
from orbit.git.run import GitError, change, checked
from orbit.places import is_there
from orbit.pool.clones import readable_config
from orbit.pool.project import clone_lock
from orbit.reclaim.holders import holders
from orbit.reclaim.keeping import write_refs
from orbit.reclaim.reading import is_gone
from orbit.reclaim.survey import view_clone
from orbit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from orbit.places import Project
    from orbit.reclaim.plan import Branch, Tree
    from orbit.reclaim.survey import CloneView


_HEADS = "refs/heads/"


class Cleared(Record):
    """What became of one clone's part. `kept`: branches that moved or were checked out elsewhere meanwhile."""

    worktrees: int = 0
    deleted: tuple[Branch, ...] = ()
    kept: tuple[Branch, ...] = ()


def clear(
    project: Project, repo: str, trees: Sequence[Tree], branches: Sequence[Branch], places: Sequence[str], prefix: str
) -> Cleared:
    """Take one clone's worktrees and branches of a workspace away. `places`: where the workspace was and is now.

    Raises GitError or OrbitError; what was done stays done, and the same call goes on from there.
    """
    checkout = project.clone(repo)
    if is_gone(checkout):
        return Cleared()  # removed by hand, and everything with it
    with clone_lock(checkout):
        before = _readable(project, repo, prefix)
        removed = sum(_deregister(before, tree, places) for tree in trees)
        clone = _readable(project, repo, prefix)
        held, tips = holders(clone, ()), list_refs(clone.git_directory, _HEADS)
        deleted, kept = [], []
        for branch in branches:
            now = tips.get(f"{_HEADS}{branch.name}", "")
            if now and (now != branch.sha or branch.name in held):
                kept.append(branch.replace(holder=held.get(branch.name, "")))
            else:
                deleted.append((branch, bool(now)))
        gone = _delete(checkout, repo, [branch for branch, there in deleted if there])
        kept += [branch for branch, there in deleted if there and branch not in gone]
        going = [branch.name for branch, _ in deleted if branch not in kept]
        scoped = f"{prefix}/{os.path.basename(places[0])}/"
        config = readable_config(checkout).subsections("branch")
        unborn = [n for n in config if n.startswith(scoped) and f"{_HEADS}{n}" not in tips and n not in held]
        _drop_config(checkout, repo, going, unborn)
    return Cleared(removed, tuple(branch for branch, _ in deleted if branch not in kept), tuple(kept))


def _readable(project: Project, repo: str, prefix: str) -> CloneView:
    """The clone as it is now. Raises OrbitError for one that cannot be read: nobody can tell what is done already."""
    clone = view_clone(project, repo, prefix)
    if clone.problem:
        raise OrbitError(repo, clone.problem)
    return clone


def _deregister(clone: CloneView, tree: Tree, places: Sequence[str]) -> int:
    """1 when a registration was removed, 0 when it was gone, or is another worktree's by now."""
    for entry in clone.registered:
        if entry.entry != tree.entry:
            continue
        ours = [place for place in places if entry.path == os.path.realpath(f"{place}/{tree.place}")]
        if not ours or (ours[0] == places[0] and is_there(entry.path)):
            return 0
        answer = change(clone.checkout, ["worktree", "remove", "--force", entry.path])
        if answer.code != 0 and os.path.isdir(entry.directory):
            checked(answer, clone.repo, f"removing the worktree {tree.place}")
        return 1
    return 0


def _delete(checkout: str, repo: str, branches: Sequence[Branch]) -> list[Branch]:
    """Delete in one transaction, or those that can be one by one when somebody moved one; gives what is gone."""
    if not branches:
        return []
    try:
        write_refs(checkout, {f"{_HEADS}{b.name}": ("", b.sha) for b in branches}, f"deleting branches of {repo}")
        return list(branches)
    except GitError:
        if len(branches) == 1:
            if read_ref(f"{checkout}/.git", f"{_HEADS}{branches[0].name}") == branches[0].sha:
                raise
            return []
    return [branch for one in branches for branch in _delete(checkout, repo, [one])]


def _drop_config(checkout: str, repo: str, deleted: Sequence[str], unborn: Sequence[str]) -> None:
    """`unborn` branches are those that only the config knows: they had no commit yet."""
    present = set(readable_config(checkout).subsections("branch"))
    for name in dict.fromkeys((*deleted, *unborn)):
        if name in present:
            drop_branch_section(checkout, repo, name)


def drop_branch_section(checkout: str, repo: str, branch: str) -> None:
    """`branch.<branch>` of the clone's config. Raises GitError."""
    answer = change(checkout, ["config", "--remove-section", f"branch.{branch}"])
    if branch in set(readable_config(checkout).subsections("branch")):
        checked(answer, repo, f"dropping the config of {branch}")

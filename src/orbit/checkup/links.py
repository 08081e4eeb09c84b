"""Worktrees whose links to the pool no longer meet: a worktree or the whole project was moved, or removed by hand.

Contract: git.md, What must work; prune.md, Residue; commands.md, doctor.
"""

from __future__ import annotations

import os

from orbit.git.files import git_dir, registrations
from orbit.git.run import change
from orbit.places import names_in, workspaces
from orbit.pool.clones import list_clones
from orbit.pool.worktrees import named_registration
from orbit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from orbit.places import Project


class BrokenLink(Record):
    """A worktree at `path` of the clone `repo` that `git worktree repair` can join again: `moved`, or without a file
    `.git` that says whose it is.
    """

    repo: str
    path: str
    moved: bool = True


class LostRegistration(Record):
    """A registration in `repo` whose directory is gone and to which nothing below the root points."""

    repo: str
    name: str
    path: str


class Links(Record):
    """`copied`: worktrees whose `.git` file names what another one has; `orphaned`: what nothing has any more."""

    broken: tuple[BrokenLink, ...]
    lost: tuple[LostRegistration, ...]
    copied: tuple[str, ...] = ()
    orphaned: tuple[str, ...] = ()


def check_links(project: Project) -> Links:
    """Compare every `.git` file two levels below the root with every registration in the pool. Files only."""
    registered = {
        (name, os.path.basename(registration)): os.path.dirname(named)
        for name in list_clones(project).clones
        for registration, named in registrations(project.clone(name))
    }
    broken: list[BrokenLink] = []
    copied: list[str] = []
    orphaned: list[str] = []
    pointed_at = set()
    for path, target in _worktree_files(project):
        repo, entry = named_registration(target)
        if (repo, entry) not in registered:
            if repo and not os.path.isdir(target):
                orphaned.append(path)
            continue
        pointed_at.add((repo, entry))
        right = f"{project.clone(repo)}/.git/worktrees/{entry}"
        there = registered[repo, entry]
        meets = _same(target, right)
        if meets and _same(there, path):
            continue
        if (not meets and os.path.isdir(target)) or (not _same(there, path) and _points_at(there, right)):
            copied.append(path)
        else:
            broken.append(BrokenLink(repo, path))
    for (repo, entry), path in registered.items():
        if (repo, entry) not in pointed_at and _has_lost_its_file(project, path):
            broken.append(BrokenLink(repo, path, moved=False))
    lost = [
        LostRegistration(repo, entry, path)
        for (repo, entry), path in registered.items()
        if (repo, entry) not in pointed_at and not os.path.lexists(path)
    ]
    return Links(tuple(broken), tuple(lost), tuple(copied), tuple(orphaned))


def _has_lost_its_file(project: Project, path: str) -> bool:
    """A worktree's directory in a workspace that has no `.git`, or a file there that names nothing."""
    above, name = os.path.split(path)
    workspace = os.path.basename(above)
    if workspace[:1] in ("", ".") or not _same(path, project.worktree(workspace, name)):
        return False
    file = f"{path}/.git"
    return os.path.isdir(path) and not os.path.isdir(file) and git_dir(path) is None


def _same(one: str, other: str) -> bool:
    return os.path.realpath(one) == os.path.realpath(other)


def _points_at(path: str, registration: str) -> bool:
    target = git_dir(path) if path else None
    return target is not None and _same(target, registration)


def repair_links(project: Project, links: Links) -> list[str]:
    """`git worktree repair` on the explicit paths; gives the ones that hold together afterwards."""
    for repo in dict.fromkeys(link.repo for link in links.broken):
        paths = [link.path for link in links.broken if link.repo == repo]
        change(project.clone(repo), ["worktree", "repair", *paths])
    still = {link.path for link in check_links(project).broken}
    return [link.path for link in links.broken if link.path not in still]


def _worktree_files(project: Project) -> list[tuple[str, str]]:
    """(worktree directory, what its `.git` file points to) for every linked worktree in a workspace."""
    found = []
    for workspace in workspaces(project):
        for name in names_in(project.workspace(workspace)):
            path = project.worktree(workspace, name)
            if os.path.isfile(f"{path}/.git"):
                target = git_dir(path)
                if target is not None:
                    found.append((path, target))
    return found

"""The pool's side of every workspace: scoped branches and worktree registrations of each clone. Files only.

Contract: prune.md, Footprint.
"""

from __future__ import annotations

import os

from orbit.errors import OrbitError
from orbit.git.files import common_dir, git_dir, list_refs, read_text, registrations, tracked_branch
from orbit.pool.clones import list_clones
from orbit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from orbit.places import Project

_HEADS = "refs/heads/"


class Registered(Record):
    """A worktree as its clone knows it: the registration's directory, the worktree's path, why it is locked or None."""

    repo: str
    directory: str
    path: str
    locked: str | None

    @property
    def entry(self) -> str:
        return os.path.basename(self.directory)


class CloneView(Record):
    """One clone. `branches`: scoped branch to object name; `problem` says why its refs cannot be listed, or ""."""

    repo: str
    checkout: str
    git_directory: str
    default: str
    branches: Mapping[str, str]
    registered: tuple[Registered, ...]
    problem: str = ""


class Survey(Record):
    """The whole pool as prune sees it."""

    prefix: str
    clones: tuple[CloneView, ...]

    def branches_of(self, workspace: str) -> list[tuple[CloneView, str, str]]:
        """(clone, branch, object name) of every scoped branch of a workspace."""
        start = f"{self.prefix}/{workspace}/"
        return [(c, name, sha) for c in self.clones for name, sha in c.branches.items() if name.startswith(start)]

    def registered_below(self, directory: str) -> list[Registered]:
        """Every registration whose worktree lies, or lay, below a directory."""
        start = f"{directory}/"
        return [entry for clone in self.clones for entry in clone.registered if entry.path.startswith(start)]

    def workspaces(self) -> list[str]:
        """Names of the workspaces that have scoped branches, sorted."""
        names = {name.split("/")[1] for clone in self.clones for name in clone.branches if name.count("/") > 1}
        return sorted(names)

    @property
    def unlisted(self) -> list[CloneView]:
        """Clones whose refs cannot be listed: nobody can tell what of a workspace they hold."""
        return [clone for clone in self.clones if clone.problem]


def survey_pool(project: Project, prefix: str) -> Survey:
    return Survey(prefix, tuple(view_clone(project, name, prefix) for name in list_clones(project).clones))


def view_again(project: Project, survey: Survey, repos: Iterable[str]) -> Survey:
    """The survey with some clones read anew, after a fetch or a write."""
    anew = set(repos)
    clones = tuple(view_clone(project, c.repo, survey.prefix) if c.repo in anew else c for c in survey.clones)
    return Survey(survey.prefix, clones)


def view_clone(project: Project, repo: str, prefix: str) -> CloneView:
    """One clone's scoped branches and registrations. Never raises."""
    checkout = project.clone(repo)
    directory = git_dir(checkout)
    common = common_dir(directory) if directory else ""
    found = tuple(_registered(repo, entry, named) for entry, named in registrations(checkout))
    try:
        refs = list_refs(common, f"{_HEADS}{prefix}/") if common else {}
    except OrbitError as problem:
        return CloneView(repo, checkout, common, tracked_branch(checkout), {}, found, problem.message)
    branches = {name.removeprefix(_HEADS): sha for name, sha in sorted(refs.items())}
    return CloneView(repo, checkout, common, tracked_branch(checkout), branches, found)


def _registered(repo: str, directory: str, named: str) -> Registered:
    path = os.path.realpath(os.path.dirname(named)) if named else ""
    return Registered(repo, directory, path, lock_reason(directory))


def lock_reason(registration: str) -> str | None:
    """Why `git worktree lock` holds a worktree, "" without a reason, None when it does not."""
    return read_text(f"{registration}/locked")

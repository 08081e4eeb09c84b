"""The pool's side of every workspace: scoped branches and worktree registrations of each clone. Files only.

Contract: prune.md, Footprint.
"""

from __future__ import annotations

import os

from orbit.errors import OrbitError
from orbit.git.files import git_dir, list_refs, tracked_branch
from orbit.places import valid_repo_name
from orbit.pool.clones import list_clones, list_directories
from orbit.reclaim.reading import MISSING, is_gone, names_of, shared_directory, text_of
from orbit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

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
    """One clone. `branches`: scoped branch to object name; `problem` says what of it cannot be read, or "".

    `stamp` stays the same as long as no branch was packed (reftable: changed) since; () for what cannot be told.
    """

    repo: str
    checkout: str
    git_directory: str
    default: str
    branches: Mapping[str, str]
    registered: tuple[Registered, ...]
    problem: str = ""
    stamp: tuple[int, ...] = ()


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
        """Clones whose refs or worktrees cannot be listed: nobody can tell what of a workspace they hold."""
        return [clone for clone in self.clones if clone.problem]


def survey_pool(project: Project, prefix: str) -> Survey:
    listing = list_clones(project)
    hidden = (name for name in listing.strange if valid_repo_name(name) and _is_hidden(project, name))
    names = sorted((*listing.clones, *hidden))
    return Survey(prefix, tuple(view_clone(project, name, prefix) for name in names))


def _is_hidden(project: Project, name: str) -> bool:
    """Whether the system does not say if a directory of the pool is a clone."""
    try:
        os.stat(f"{project.pool}/{name}/.git")
    except OSError as error:
        return error.errno not in MISSING
    return False


def view_again(project: Project, survey: Survey, repos: Iterable[str]) -> Survey:
    """The survey with some clones read anew, after a fetch or a write."""
    anew = set(repos)
    clones = tuple(view_clone(project, c.repo, survey.prefix) if c.repo in anew else c for c in survey.clones)
    return Survey(survey.prefix, clones)


def survey_again(project: Project, survey: Survey, workspace: str, repos: Collection[str]) -> Survey:
    """What concerns one workspace, read anew: the clones `repos`, and those that have branches of it, or may by now.

    One listing of the pool and two looks at each other clone, so that many workspaces do not cost many pools.
    """
    views = []
    start = f"{survey.prefix}/{workspace}/"
    known = {clone.repo: clone for clone in survey.clones}
    for repo in list_directories(project).clones:
        clone = known.get(repo)
        if clone is None:
            changed = not is_gone(f"{project.clone(repo)}/.git")
        else:
            changed = any(name.startswith(start) for name in clone.branches)
            changed = changed or not clone.stamp or stamp_of(clone.git_directory) != clone.stamp
            changed = changed or not is_gone(f"{clone.git_directory}/{_HEADS}{start}")
        if changed or repo in repos:
            views.append(view_clone(project, repo, survey.prefix))
    return Survey(survey.prefix, tuple(views))


def view_clone(project: Project, repo: str, prefix: str) -> CloneView:
    """One clone's scoped branches and registrations. Never raises: what cannot be read is a `problem`."""
    checkout = project.clone(repo)
    directory = git_dir(checkout)
    if directory is None:
        return CloneView(repo, checkout, "", "", {}, (), "its .git cannot be read")
    what, common, found = "git directory cannot be read", directory, tuple[Registered, ...]()
    try:
        common = shared_directory(directory)
        what = "worktrees cannot be listed"
        registry = f"{common}/worktrees"
        found = tuple(_registered(repo, f"{registry}/{entry}") for entry in names_of(registry))
        what, stamp = "branches cannot be listed", stamp_of(common)
        refs = list_refs(common, f"{_HEADS}{prefix}/")
        what = "default branch cannot be told"
        tracked = tracked_branch(checkout)
    except OrbitError as problem:
        return CloneView(repo, checkout, common, "", {}, found, f"its {what} ({problem.message})")
    branches = {name.removeprefix(_HEADS): sha for name, sha in sorted(refs.items())}
    return CloneView(repo, checkout, common, tracked, branches, found, stamp=stamp)


def stamp_of(common: str) -> tuple[int, ...]:
    """What changes whenever git writes its table of packed refs, which it always does into a new file."""
    for name in ("packed-refs", "reftable/tables.list"):
        try:
            status = os.stat(f"{common}/{name}")
        except OSError as error:
            if error.errno not in MISSING:
                return ()
            continue
        return (status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)
    return (0,)


def _registered(repo: str, directory: str) -> Registered:
    try:
        named = text_of(f"{directory}/gitdir")
    except OrbitError:
        named = ""  # whatever it has checked out stays so
    path = os.path.realpath(os.path.dirname(os.path.join(directory, named))) if named else ""
    return Registered(repo, directory, path, lock_reason(directory))


def lock_reason(registration: str) -> str | None:
    """Why `git worktree lock` holds a worktree, "" without a reason, None when it does not."""
    try:
        return text_of(f"{registration}/locked")
    except OrbitError:
        return "its reason cannot be read"

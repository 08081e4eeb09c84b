"""`prune --restore`: the last reclamation of a workspace taken back, as far as it was kept.

Contract: prune.md, Execution; refinements.md, 5.
"""

from __future__ import annotations

import os

from orbit.errors import OrbitError
from orbit.git.files import git_dir, list_refs, read_ref
from orbit.git.worktree import set_upstream
from orbit.pool.clones import is_clone
from orbit.pool.project import clone_lock
from orbit.reclaim import ledger
from orbit.reclaim.keeping import write_refs
from orbit.reclaim.reading import bytes_of, is_gone, shared_directory
from orbit.record import Record
from orbit.store.disk import reason_of, replace_file
from orbit.store.syntax import Set, apply, parse
from orbit.text import safe_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from orbit.places import Project
    from orbit.reclaim.ledger import Entry
    from orbit.reclaim.plan import Branch


class Restored(Record):
    """What came back: branches, whether the workspace's metadata did, detached commits as (repo, name, SHA, ref)."""

    workspace: str
    branches: tuple[Branch, ...]
    metadata: bool
    commits: tuple[tuple[str, str, str, str], ...]
    repos: tuple[str, ...]


def restore(project: Project, workspace: str) -> Restored:
    """Recreate the workspace's directory with its goal and jots, and the branches. Raises OrbitError, nothing changed,
    when there is nothing to restore, or something of that name is there by now. After a kill the same call goes on.
    """
    shown = safe_line(workspace) or "(empty)"
    if not workspace or "/" in workspace or workspace.startswith("."):
        raise OrbitError("prune", f"not a workspace name: {shown}")
    entry = _last(project, workspace)
    if entry is None:
        raise OrbitError("prune", f"nothing of {shown} is kept")
    if entry.stage == ledger.CHECKED:
        raise OrbitError("prune", f"the removal of {shown} is not finished yet")
    begun = entry.stage == ledger.RESTORING
    home = project.workspace(workspace)
    if not is_gone(home) and not (begun and _is_bare(home)):
        raise OrbitError("prune", f"{shown} exists")
    kept = _kept_tips(project, entry)
    for branch in entry.branches:
        _require_free(project, branch, begun=begun)
    if not kept and not os.path.lexists(_kept_metadata(project, entry)):
        raise OrbitError("prune", f"nothing of {shown} is kept any more")
    back = tuple(branch for branch in entry.branches if (branch.repo, f"{entry.refs}/{branch.name}") in kept)
    repos = tuple(dict.fromkeys(branch.repo for branch in back))
    ledger.write(project, entry.replace(stage=ledger.RESTORING))
    metadata = _bring_back_metadata(project, entry, home)
    for repo in repos:
        _bring_back(project, repo, [branch for branch in back if branch.repo == repo])
    ledger.write(project, entry.replace(stage=ledger.CLEARED))
    commits = tuple(
        (tree.repo, what, sha, f"{entry.refs}/HEAD/{tree.repo}/{tree.entry}/{what}")
        for tree in entry.trees
        for what, sha in tree.tips.items()
        if what == "HEAD"
    )
    return Restored(workspace, back, metadata, commits, repos)


def _is_bare(home: str) -> bool:
    """Whether nothing is there but what a restore that was interrupted makes first."""
    return os.path.isdir(home) and not os.path.islink(home) and set(os.listdir(home)) <= {".orbit", ".orbit.new"}


def _last(project: Project, workspace: str) -> Entry | None:
    epochs = [epoch for name, epoch in ledger.entries(project) if name == workspace]
    found = (ledger.read(project, workspace, epoch) for epoch in reversed(epochs))
    return next((entry for entry in found if entry is not None), None)


def _kept_tips(project: Project, entry: Entry) -> set[tuple[str, str]]:
    """(repo, ref) of what is still held. Raises OrbitError when a clone of it is gone or cannot be read."""
    found = set()
    for repo in entry.repos:
        if not is_clone(project, repo):
            raise OrbitError(repo, "the pool clone that held its branches is gone")
        held = list_refs(shared_directory(git_dir(project.clone(repo)) or ""), f"{entry.refs}/")
        found |= {(repo, ref) for ref, sha in entry.kept_refs(repo).items() if held.get(ref) == sha}
    return found


def _require_free(project: Project, branch: Branch, *, begun: bool) -> None:
    """Raises OrbitError for a branch that is there, unless a restore that was interrupted has made it."""
    directory = git_dir(project.clone(branch.repo)) or ""
    tip = read_ref(directory, f"refs/heads/{branch.name}")
    if tip and not (begun and tip == branch.sha):
        raise OrbitError(branch.repo, f"the branch {branch.name} exists")


def _bring_back(project: Project, repo: str, branches: list[Branch]) -> None:
    checkout = project.clone(repo)
    with clone_lock(checkout):
        nothing, directory = "0" * len(branches[0].sha), git_dir(checkout) or ""
        missing = [branch for branch in branches if not read_ref(directory, f"refs/heads/{branch.name}")]
        refs = {f"refs/heads/{branch.name}": (branch.sha, nothing) for branch in missing}
        if refs:
            write_refs(checkout, refs, f"restoring branches of {repo}")
        for branch in branches:
            if branch.upstream:
                set_upstream(checkout, branch.name, branch.upstream)


def _kept_metadata(project: Project, entry: Entry) -> str:
    return f"{ledger.directory_of(project, entry.workspace, entry.epoch)}/.orbit"


def _bring_back_metadata(project: Project, entry: Entry, home: str) -> bool:
    """The directory, with goal and jots; not the done mark, or the next prune would take it again."""
    data = bytes_of(_kept_metadata(project, entry))
    try:
        os.makedirs(home, exist_ok=True)
    except OSError as error:
        raise OrbitError(home, f"cannot be made: {reason_of(error)}") from None
    if data is None:
        return False
    replace_file(f"{home}/.orbit", _without_done(data))
    return True


def _without_done(data: bytes) -> bytes:
    """In one write: a workspace that is done is one that the next prune takes."""
    config = parse(data.decode("utf-8", "surrogateescape"))
    changes = [Set("workspace", None, key, ()) for key in ("status", "done-at", "done-date")]
    return apply(config, changes).text.encode("utf-8", "surrogateescape")

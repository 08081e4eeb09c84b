"""The values that a word may have, from directory listings and refs files: no git, no network, no complaint.

Contract: commands.md, completion.
"""

from __future__ import annotations

from orbit.errors import OrbitError
from orbit.places import locate, workspaces

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from orbit.commands.shells.shape import Wanted
    from orbit.places import Here, World

# What the shell itself completes better.
PATHS = ("file", "dir")


def candidates(world: World, wanted: Wanted) -> list[str]:
    """Every value that may stand there, in order; nothing outside a project or where files cannot be read.

    A value that a terminal could not show as it is (control characters in a directory's name) is left out.
    """
    found: list[str] = []
    for kind in wanted.kinds:
        try:
            found += _of_kind(kind, world, wanted)
        except (OrbitError, OSError):
            continue
    return [value for value in dict.fromkeys(found) if value and value.isprintable()]


def _of_kind(kind: str, world: World, wanted: Wanted) -> list[str]:
    if "|" in kind:
        return kind.split("|")
    if kind in ("config-key", "config-value"):
        return _settings(kind, wanted)
    asked = _IN_PROJECT.get(kind)
    return asked(locate(world), wanted) if asked else []


def _settings(kind: str, wanted: Wanted) -> list[str]:
    from orbit.store.settings import KEYS, find_key  # `config` only

    if kind == "config-key":
        return [key.name for key in KEYS]
    key = find_key(wanted.given[0]) if wanted.given else None
    return list(key.choices) if key else []


def _repos(here: Here, wanted: Wanted) -> list[str]:
    """The pool's clones that are not named yet."""
    from orbit.pool.clones import list_clones  # its imports are for those who need a pool

    return [name for name in list_clones(here.project).clones if name not in wanted.given]


def _addable(here: Here, wanted: Wanted) -> list[str]:
    """The pool's clones that the workspace does not have."""
    present = _worktrees(here, wanted)
    return [name for name in _repos(here, wanted) if name not in present]


def _worktrees(here: Here, wanted: Wanted) -> list[str]:
    from orbit.pool.worktrees import list_worktrees  # reads where each belongs

    if not here.workspace:
        return []
    return [tree.name for tree in list_worktrees(here.project, here.workspace) if tree.name not in wanted.given]


def _workspaces(here: Here, wanted: Wanted) -> list[str]:
    return [name for name in workspaces(here.project) if name not in wanted.given]


def _reclaimed(here: Here, _: Wanted) -> list[str]:
    from orbit.reclaim.ledger import restorable  # `prune --restore` only

    return restorable(here.project)


def _branches(here: Here, wanted: Wanted) -> list[str]:
    """What `switch` can go to: the workspace's own branches, then those of upstream as last fetched."""
    from orbit.git.files import git_dir, ref_names  # `switch` only
    from orbit.pool.branches import scoped_branch
    from orbit.pool.index import read_index

    if "-c" in wanted.options or "--create" in wanted.options:
        return []  # a new one is wanted
    names = _worktrees(here, wanted.replace(given=()))
    chosen = wanted.given[0] if wanted.given else here.repo or (names[0] if len(names) == 1 else "")
    directory = git_dir(here.project.worktree(here.workspace, chosen)) if chosen in names else None
    if directory is None:
        return []
    prefix = read_index(here.project).settings.text("branch.prefix")
    own = ref_names(directory, "refs/heads/" + scoped_branch(prefix, here.workspace, ""))
    return [*own, *_upstream_names(directory)]


def _upstream_branches(here: Here, wanted: Wanted) -> list[str]:
    """The branches of the named clone's upstream as last fetched."""
    directory = _clone_git_dir(here, wanted)
    return _upstream_names(directory) if directory else []


def _starts(here: Here, wanted: Wanted) -> list[str]:
    """Where a worktree may start: upstream's branches, then tags."""
    from orbit.git.files import ref_names  # `add --ref` only

    directory = _clone_git_dir(here, wanted)
    return [*_upstream_names(directory), *ref_names(directory, "refs/tags/")] if directory else []


def _clone_git_dir(here: Here, wanted: Wanted) -> str | None:
    from orbit.git.files import git_dir  # where a clone was named
    from orbit.pool.clones import is_clone

    named = [name for name in wanted.given if is_clone(here.project, name)]
    return git_dir(here.project.clone(named[0])) if named else None


def _upstream_names(directory: str) -> list[str]:
    from orbit.git.files import ref_names  # where branches are wanted

    return [name for name in ref_names(directory, "refs/remotes/origin/") if name != "HEAD"]


_IN_PROJECT: dict[str, Callable[[Here, Wanted], list[str]]] = {
    "repo": _repos,
    "addable": _addable,
    "worktree": _worktrees,
    "workspace": _workspaces,
    "reclaimed": _reclaimed,
    "branch": _branches,
    "upstream-branch": _upstream_branches,
    "start": _starts,
}
KINDS = (*_IN_PROJECT, *PATHS, "config-key", "config-value")

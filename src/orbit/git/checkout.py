"""How orbit itself writes working trees: no hooks, no submodules, no maintenance, no filter that is not installed.

Contract: git.md, How git is used (never run) and What must work (LFS).
"""

from __future__ import annotations

import os

from orbit.git.files import common_dir, git_dir
from orbit.git.run import change, network

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from orbit.git.run import Finished

# What the user's hooks do after a checkout or merge is for their own worktrees, not for the pool's copy.
_POOL = ("-c", "core.hooksPath=/dev/null", "-c", "submodule.recurse=false")
# git starts maintenance after a merge, and gc is never run in the user's repositories.
_POOL_UPKEEP = ("-c", "gc.auto=0", "-c", "maintenance.auto=false")
# An empty command is no filter: pointers are taken as they are.
LFS_OFF = (
    *("-c", "filter.lfs.smudge=", "-c", "filter.lfs.clean="),
    *("-c", "filter.lfs.process=", "-c", "filter.lfs.required=false"),
)


def pool_options() -> tuple[str, ...]:
    """Options before the verb of a command that writes the working tree of a pool clone."""
    return (*_POOL, *_POOL_UPKEEP, *(LFS_OFF if lfs_is_missing() else ()))


def lfs_is_missing() -> bool:
    """git-lfs is not on PATH: its filters, where the user's git config has them, can only fail."""
    import shutil  # never needed on a hot path

    return shutil.which("git-lfs") is None


def fill(directory: str, words: Sequence[str]) -> Finished:
    """Run a command that writes files of a working tree. Only a partial clone may have to ask its remote for them.

    Raises GitError when that remote stops answering.
    """
    return network(directory, words) if may_lack_objects(directory) else change(directory, words)


def may_lack_objects(checkout: str) -> bool:
    """A partial clone (`--filter`): git marks every pack that may point to objects it left with the remote."""
    directory = git_dir(checkout)
    if directory is None:
        return False
    try:
        return any(name.endswith(".promisor") for name in os.listdir(f"{common_dir(directory)}/objects/pack"))
    except OSError:
        return False

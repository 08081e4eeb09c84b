"""Which branches of a clone are checked out somewhere that does not go: `update-ref -d` would not mind.

Contract: refinements.md, 6.
"""

from __future__ import annotations

import os

from orbit.errors import OrbitError
from orbit.git.files import git_dir, read_head
from orbit.reclaim.reading import text_of
from orbit.store.document import load

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

    from orbit.reclaim.survey import CloneView
    from orbit.store.syntax import Config

# HEAD, and where a rebase or a bisect keeps the branch that it will come back to.
_NAMES = ("HEAD", "rebase-merge/head-name", "rebase-apply/head-name", "BISECT_START")


def require_config(clone: CloneView) -> Config:
    """The clone's config: what the branches track is in it. Raises OrbitError when it cannot be read."""
    loaded = load(f"{clone.git_directory}/config")
    if loaded.state == "damaged":
        raise OrbitError(clone.repo, f"{clone.git_directory}/config cannot be read ({loaded.reason})")
    return loaded.config


def holders(clone: CloneView, own: Collection[str]) -> dict[str, str]:
    """Branch to the working tree that has it: the pool clone itself, or any worktree whose registration is not `own`.

    Read from the registrations, so that a worktree that was moved away counts too. Raises OrbitError when one of them
    cannot be read.
    """
    found: dict[str, str] = {}
    head = read_head(clone.checkout)
    if head is not None and head.branch:
        found[head.branch] = clone.checkout
    own_directory = git_dir(clone.checkout) or clone.git_directory
    places = [(directory, clone.checkout) for directory in {own_directory, clone.git_directory}]
    places += [(entry.directory, entry.path or entry.directory) for entry in clone.registered if entry.entry not in own]
    for directory, path in places:
        for name in _NAMES:
            text = text_of(os.path.join(directory, name)) or ""
            branch = text.removeprefix("ref: ").removeprefix("refs/heads/")
            if branch and (name != "HEAD" or text.startswith("ref: ")):
                found.setdefault(branch, path)
    return found

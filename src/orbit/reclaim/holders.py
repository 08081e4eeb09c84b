"""Which branches of a clone are checked out somewhere that does not go: `update-ref -d` would not mind.

Contract: refinements.md, 6.
"""

from __future__ import annotations

import os

from orbit.git.files import read_head, read_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

    from orbit.reclaim.survey import CloneView

# HEAD, and where a rebase or a bisect keeps the branch that it will come back to.
_NAMES = ("HEAD", "rebase-merge/head-name", "rebase-apply/head-name", "BISECT_START")


def holders(clone: CloneView, own: Collection[str]) -> dict[str, str]:
    """Branch to the working tree that has it: the pool clone itself, or any worktree whose registration is not `own`.

    Read from the registrations, so that a worktree that was moved away counts too.
    """
    found: dict[str, str] = {}
    head = read_head(clone.checkout)
    if head is not None and head.branch:
        found[head.branch] = clone.checkout
    places = [(clone.git_directory, clone.checkout)]
    places += [(entry.directory, entry.path) for entry in clone.registered if entry.entry not in own]
    for directory, path in places:
        for name in _NAMES:
            text = read_text(os.path.join(directory, name)) or ""
            branch = text.removeprefix("ref: ").removeprefix("refs/heads/")
            if branch and (name != "HEAD" or text.startswith("ref: ")):
                found.setdefault(branch, path)
    return found

"""What a project holds, read without orbit: plain git and plain files."""

from __future__ import annotations

import os
import re
from typing import NamedTuple

from world import World, run_git

_LEFT = re.compile(r"\.(lock|new|clone-.*|damaged-.*|interrupted.*)$|\.lock\.|^\.clone-|^orbit-adding")


class State(NamedTuple):
    """`row`: the index; `card`: every card; `queue`: every jot; `words`: the rest of the workspaces' metadata;
    `trees`: every checkout with its branch, tip and upstream; `history`: the texts that the history holds.
    """

    row: list[str]
    card: dict[str, str]
    queue: list[str]
    words: list[str]
    trees: list[str]
    history: list[str]


def read_state(world: World) -> State:
    cards = {
        name: (world.pool / name).read_text(errors="replace")
        for name in os.listdir(world.pool)
        if re.fullmatch(r"\..+\.md", name)
    }
    workspaces = sorted(name for name in os.listdir(world.root) if name[0] != ".")
    metadata = [line for name in workspaces for line in _config(world, f"{world.root}/{name}/.orbit", f"{name}: ")]
    queue = [line for line in metadata if ": jot." in line]
    words = [line for line in metadata if ": jot." not in line] + workspaces
    return State(
        sorted(_config(world, f"{world.pool}/.orbit")),
        cards,
        [line for line in queue if "popped-at" not in line],
        [re.sub(r"(created|done-at|done-date)=.*", r"\1", line) for line in words],
        _trees(world),
        _history(world),
    )


def _config(world: World, path: str, prefix: str = "") -> list[str]:
    if not os.path.exists(path):
        return []
    listed = run_git(world.base, "config", "--file", path, "--list", "-z")
    return [prefix + entry.replace("\n", "=", 1) for entry in listed.split("\0") if entry]


def _trees(world: World) -> list[str]:
    found = []
    for name in sorted(os.listdir(world.pool)):
        clone = world.pool / name
        if name[0] == "." or not (clone / ".git").exists():
            continue
        found += run_git(clone, "worktree", "list", "--porcelain").splitlines()
        found += run_git(clone, "for-each-ref", "--format=%(refname) %(objectname) %(upstream)").splitlines()
        found.append(run_git(clone, "status", "--porcelain"))
    return found


def _history(world: World) -> list[str]:
    if not (world.pool / ".cards.git" / "HEAD").exists():
        return []
    return run_git(world.pool, "--git-dir", ".cards.git", "log", "--format=", "--raw", "--no-abbrev").splitlines()


def leftovers(world: World) -> list[str]:
    """Locks, temporary files, unfinished clones and copies of damaged files anywhere below the root."""
    found = []
    for directory, below, files in os.walk(world.root):
        found += [os.path.relpath(f"{directory}/{name}", world.root) for name in (*below, *files) if _LEFT.search(name)]
    return found

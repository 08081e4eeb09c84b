"""Finished workspaces, as `done` leaves them, and digests of what must not change."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable
from pathlib import Path

from world import World

DONE_AT = 1_700_000_000


def finished(world: World, workspace: str = "task-01", repos: Iterable[str] = ("backend",)) -> Path:
    """A workspace that is marked done, with a worktree of each repo; clones are made where there are none."""
    if not (world.root / workspace).is_dir():
        world.workspace(workspace)
    for repo in repos:
        if not (world.pool / repo).is_dir():
            world.clone(repo)
        world.worktree(workspace, repo)
    mark_done(world, workspace)
    return world.root / workspace


def mark_done(world: World, workspace: str, done_at: int = DONE_AT) -> None:
    """The user's word, as plain git writes it."""
    metadata = str(world.root / workspace / ".orbit")
    world.git(world.root, "config", "--file", metadata, "workspace.status", "done")
    world.git(world.root, "config", "--file", metadata, "workspace.done-at", str(done_at))


def commit(world: World, checkout: Path, name: str = "work.txt", text: str = "work\n") -> str:
    """One commit in a worktree; its object name."""
    (checkout / name).write_text(text)
    world.git(checkout, "add", "--all")
    world.git(checkout, "commit", "-q", "-m", f"Add {name}")
    return world.git(checkout, "rev-parse", "HEAD")


def branches(world: World, repo: str = "backend") -> list[str]:
    """Every local branch of the pool clone."""
    return world.git(world.pool / repo, "for-each-ref", "--format=%(refname:short)", "refs/heads").split()


def digest(top: Path, besides: Iterable[str] = ()) -> str:
    """Every name, kind, link target and content below a directory; parts of it can be left out by their first names."""
    lines = []
    for directory, below, names in os.walk(top):
        place = os.path.relpath(directory, top)
        if place == ".":
            below[:] = [name for name in below if name not in besides]
        below.sort()
        for name in sorted(names):
            path = os.path.join(directory, name)
            data = os.readlink(path).encode() if os.path.islink(path) else Path(path).read_bytes()
            lines.append(f"{place}/{name} {hashlib.sha256(data).hexdigest()}")
        lines.append(place)
    return hashlib.sha256("\n".join(lines).encode("utf-8", "surrogateescape")).hexdigest()

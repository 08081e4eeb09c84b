"""Looking at what `add` made, and at what it must not have left."""

from __future__ import annotations

import os
from pathlib import Path

from world import World, run_git


def state_of(world: World, name: str = "backend") -> dict[str, object]:
    """What a failed `add` must leave as it was: branches, registrations, config and notes of a pool clone."""
    clone = world.pool / name
    return {
        "branches": run_git(clone, "for-each-ref", "--format=%(refname) %(objectname)", "refs/heads"),
        "worktrees": run_git(clone, "worktree", "list", "--porcelain"),
        "config": run_git(clone, "config", "--local", "--list"),
        "registrations": sorted(path.name for path in clone.glob(".git/worktrees/*")),
        "notes": sorted(path.name for path in clone.glob(".git/orbit*")),
        "workspaces": sorted(str(path.relative_to(world.root)) for path in world.root.glob("*/*")),
    }


def assert_usable(worktree: Path, branch: str = "ws/task-01/main", upstream: str = "origin/main") -> None:
    """A worktree as `add` promises it: on its branch, clean, with its upstream, not locked."""
    assert run_git(worktree, "symbolic-ref", "--short", "HEAD") == branch
    assert run_git(worktree, "rev-parse", "--abbrev-ref", "@{upstream}") == upstream
    assert run_git(worktree, "status", "--porcelain") == ""
    assert not os.path.exists(run_git(worktree, "rev-parse", "--absolute-git-dir") + "/locked")


def write_hook(clone: Path, script: str, name: str = "post-checkout") -> Path:
    path = clone / ".git" / "hooks" / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return path


def git_lets_go(world: World, worktree: Path) -> None:
    """Somebody has git forget a worktree whose directory is not in its place."""
    world.git(world.pool / worktree.name, "worktree", "remove", "--force", str(worktree))

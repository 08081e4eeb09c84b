"""Prune where something happened between: a name used again, a retry after an interruption, what only a registration
holds. Found by random lives and by reading; each is one way to lose work or to be told a lie.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from orbit.places import Project
from orbit.reclaim import ledger
from world import World


def finished(world: World, name: str = "task-01", *repos: str) -> Path:
    """A workspace that is done, with worktrees of repositories that are cloned if need be."""
    assert world.orbit("new", "a goal", "--name", name).code == 0
    for repo in repos:
        if not (world.pool / repo).exists():
            world.clone(repo)
        world.worktree(name, repo)
    assert world.orbit("done", cwd=world.root / name).code == 0
    return world.root / name


def commit(world: World, tree: Path, name: str = "work.txt") -> str:
    (tree / name).write_text("work\n")
    world.git(tree, "add", name)
    world.git(tree, "commit", "-q", "-m", "Work")
    return world.git(tree, "rev-parse", "HEAD")


def test_a_workspace_without_branches_comes_back_too(world: World) -> None:
    world.clone()
    home = finished(world)
    assert world.orbit("jot", "backend", "not to be lost", cwd=home).code == 0
    assert world.orbit("prune", "task-01", "--force").code == 0
    outcome = world.orbit("prune", "--restore", "task-01")
    assert outcome.out == "restored: task-01 (0 branches, its goal and jots)\n"
    assert world.git(home, "config", "--file", ".orbit", "jot.backend.entry") == "not to be lost"

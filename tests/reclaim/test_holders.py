from __future__ import annotations

import os
import subprocess

from finished import commit
from orbit.places import Project
from orbit.reclaim.holders import holders
from orbit.reclaim.survey import view_clone
from world import World


def held(world: World, own: tuple[str, ...] = ()) -> dict[str, str]:
    return holders(view_clone(Project(str(world.root)), "backend", "ws"), own)


def test_the_pool_clone_and_every_worktree_hold_their_branches(world: World) -> None:
    clone = world.clone()
    world.workspace()
    tree = world.worktree()
    assert held(world) == {"main": str(clone), "ws/task-01/main": str(tree)}
    assert held(world, ("backend",)) == {"main": str(clone)}


def test_a_worktree_that_was_moved_away_holds_on(world: World) -> None:
    world.clone()
    world.workspace()
    tree = world.worktree()
    os.rename(tree, world.base / "away")
    assert held(world)["ws/task-01/main"] == str(tree)


def test_a_rebase_and_a_bisect_come_back_to_their_branch(world: World) -> None:
    world.clone()
    for name in ("task-01", "task-02"):
        world.workspace(name)
    one, two = world.worktree("task-01"), world.worktree("task-02")
    commit(world, one, "README.md", "one\n")
    world.git(two, "bisect", "start")
    world.git(two, "switch", "-q", "--detach")
    world.origins["backend"].commit({"README.md": "other\n"})
    world.git(one, "fetch", "-q", "origin")
    subprocess.run(["git", "-C", str(one), "rebase", "-q", "origin/main"], capture_output=True, check=False)
    assert held(world)["ws/task-01/main"] == str(one)
    assert held(world)["ws/task-02/main"] == str(two)


def test_an_unborn_branch_is_held(world: World) -> None:
    clone = world.clone()
    world.git(clone, "symbolic-ref", "HEAD", "refs/heads/unborn")
    assert held(world) == {"unborn": str(clone)}

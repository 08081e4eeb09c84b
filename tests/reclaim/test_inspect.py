"""From candidates to targets: moved ghosts, stashes, the pool read once for all."""

from __future__ import annotations

import os
import shutil

from counted_git import counted_git
from finished import finished
from orbit.places import Project
from orbit.reclaim.candidates import Candidates
from orbit.reclaim.inspect import Inspection, inspect
from orbit.reclaim.moved import Moved
from orbit.reclaim.plan import GHOST, LIVE
from orbit.reclaim.survey import survey_pool
from world import World


def look(world: World, **names: tuple[str, ...]) -> Inspection:
    project = Project(str(world.root))
    return inspect(project, survey_pool(project, "ws"), Candidates(**names), ask_gh=False, jobs=2)


def test_targets_come_in_the_order_of_the_candidates(world: World) -> None:
    for name in ("b", "a", "gone"):
        finished(world, name)
    shutil.rmtree(world.root / "gone")
    found = look(world, live=("b", "a"), ghosts=("gone",))
    assert [(target.name, target.kind) for target in found.targets] == [("b", LIVE), ("a", LIVE), ("gone", GHOST)]
    assert [tree.place for target in found.targets for tree in target.trees] == ["backend"] * 3


def test_a_ghost_that_was_only_moved_is_no_target(world: World) -> None:
    finished(world)
    os.rename(world.root / "task-01", world.root / "archive")
    found = look(world, ghosts=("task-01",))
    assert found.targets == ()
    assert found.moved == (("task-01", Moved(str(world.root / "archive" / "backend"))),)


def test_a_locked_ghost_stays(world: World) -> None:
    workspace = finished(world)
    world.git(world.pool / "backend", "worktree", "lock", "--reason", "on a stick", str(workspace / "backend"))
    shutil.rmtree(workspace)
    [target] = look(world, ghosts=("task-01",)).targets
    assert [(reason.text, reason.final) for reason in target.guards] == [
        ("worktree task-01/backend is locked (on a stick)", True)
    ]


def test_stashes_of_its_own_branches_only(world: World) -> None:
    workspace = finished(world)
    other = finished(world, "task-02")
    for tree, words in ((workspace, []), (workspace, ["-m", "named"]), (other, [])):
        (tree / "backend" / "README.md").write_text("changed")
        world.git(tree / "backend", "stash", "push", "-q", *words)
    assert [target.extras.stashes for target in look(world, live=("task-01", "task-02")).targets] == [2, 1]


def test_git_is_asked_little(world: World) -> None:
    """A look at each worktree and at its marks, one question for the branches of each clone."""
    for name in ("task-01", "task-02", "task-03"):
        finished(world, name, ("backend", "frontend"))
    with counted_git(world.base) as calls:
        look(world, live=("task-01", "task-02", "task-03"))
    assert len(calls.lines) <= 2 * 6 + 2

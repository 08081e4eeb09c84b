"""The pool's side: each step may be done already, and what is somebody else's by now stays."""

from __future__ import annotations

import os
import shutil

import pytest

from finished import branches, commit, finished
from orbit.errors import OrbitError
from orbit.places import Project
from orbit.reclaim.clearing import Cleared, clear
from orbit.reclaim.plan import Branch, Tree
from orbit.reclaim.survey import view_clone
from worktrees import git_lets_go
from world import World


def take(world: World, place: str = "", sha: str = "") -> Cleared:
    """Clear `backend` of task-01, whose directory is at `place` or gone."""
    project = Project(str(world.root))
    tip = sha or world.git(world.pool / "backend", "rev-parse", "ws/task-01/main")
    tree, branch = Tree("backend", "backend", "backend"), Branch("backend", "ws/task-01/main", tip, "merged")
    places = [str(world.root / "task-01"), *([place] if place else [])]
    return clear(project, "backend", [tree], [branch], places, "ws")


def away(world: World) -> str:
    place = world.root / ".prune-trash" / "task-01.1.2"
    place.parent.mkdir()
    os.rename(world.root / "task-01", place)
    return str(place)


def test_registration_branch_and_config_go(world: World) -> None:
    finished(world)
    sha = world.git(world.pool / "backend", "rev-parse", "main")
    found = take(world, away(world))
    assert (found.worktrees, [branch.name for branch in found.deleted], found.kept) == (1, ["ws/task-01/main"], ())
    assert branches(world) == ["main"]
    again = take(world, str(world.root / ".prune-trash" / "task-01.1.2"), sha)
    assert (again.worktrees, len(again.deleted)) == (0, 1)


def test_what_cannot_be_read_is_not_done_already(world: World) -> None:
    finished(world)
    sha, place = world.git(world.pool / "backend", "rev-parse", "main"), away(world)
    for name in ("config", "worktrees"):
        file = world.pool / "backend" / ".git" / name
        aside = file.rename(world.base / name)
        file.symlink_to(name)
        with pytest.raises(OrbitError):
            take(world, place, sha)
        file.unlink()
        aside.rename(file)
        assert "ws/task-01/main" in (world.pool / "backend" / ".git" / "config").read_text()
    assert len(take(world, place, sha).deleted) == 1
    assert branches(world) == ["main"]


def test_a_branch_of_an_earlier_prefix_is_seen(world: World) -> None:
    """The setting may be another one by the time a removal is finished."""
    finished(world)
    clone, sha = world.pool / "backend", world.git(world.pool / "backend", "rev-parse", "main~1")
    world.git(clone, "branch", "-q", "old/task-01/main", "main")
    wanted = Branch("backend", "old/task-01/main", sha, "merged")
    found = clear(Project(str(world.root)), "backend", [], [wanted], [str(world.root / "task-01")], "ws")
    assert (found.deleted, [branch.name for branch in found.kept]) == ((), ["old/task-01/main"])


def test_a_branch_that_moved_stays(world: World) -> None:
    workspace = finished(world)
    seen = world.git(world.pool / "backend", "rev-parse", "ws/task-01/main")
    moved = commit(world, workspace / "backend")
    found = take(world, away(world), seen)
    assert [branch.name for branch in found.kept] == ["ws/task-01/main"]
    assert world.git(world.pool / "backend", "rev-parse", "ws/task-01/main") == moved
    assert "ws/task-01/main" in (world.pool / "backend" / ".git" / "config").read_text()


def test_one_that_moved_does_not_hold_the_others(world: World) -> None:
    finished(world)
    clone = world.pool / "backend"
    sha = world.git(clone, "rev-parse", "main")
    world.git(clone, "branch", "-q", "ws/task-01/other", "main~1")
    shutil.rmtree(world.root / "task-01")
    wanted = [Branch("backend", f"ws/task-01/{name}", sha, "merged") for name in ("main", "other")]
    found = clear(
        Project(str(world.root)),
        "backend",
        [Tree("backend", "backend", "backend")],
        wanted,
        [f"{world.root}/task-01"],
        "ws",
    )
    assert [branch.name for branch in found.deleted] == ["ws/task-01/main"]
    assert [branch.name for branch in found.kept] == ["ws/task-01/other"]


def test_a_branch_checked_out_elsewhere_stays(world: World) -> None:
    workspace = finished(world)
    clone = world.pool / "backend"
    world.git(workspace / "backend", "switch", "-q", "--detach")
    world.git(clone, "worktree", "add", "-q", str(world.base / "elsewhere"), "ws/task-01/main")
    found = take(world, away(world))
    assert [branch.holder for branch in found.kept] == [str(world.base / "elsewhere")]
    assert found.worktrees == 1


def test_a_new_workspace_of_the_same_name_is_left_alone(world: World) -> None:
    """Made while the old one lay in the trash: same path, same registration, same branch."""
    finished(world)
    place = away(world)
    world.workspace()
    git_lets_go(world, world.root / "task-01" / "backend")
    assert world.orbit("add", "backend", "--reuse", "-s", cwd=world.root / "task-01").code == 0
    found = take(world, place)
    assert found.worktrees == 0
    assert [branch.holder for branch in found.kept] == [str(world.root / "task-01" / "backend")]
    assert world.git(world.root / "task-01" / "backend", "status", "--porcelain") == ""


def test_a_registration_that_another_worktree_took_over_stays(world: World) -> None:
    finished(world)
    place = away(world)
    clone = world.pool / "backend"
    world.git(clone, "worktree", "prune", "--expire=now")
    other = world.workspace("task-02") / "backend"
    world.git(clone, "worktree", "add", "-q", "--detach", str(other))
    assert view_clone(Project(str(world.root)), "backend", "ws").registered[0].entry == "backend"
    assert take(world, place).worktrees == 0
    assert world.git(other, "status", "--porcelain") == ""


def test_git_may_have_noted_the_place_in_the_trash(world: World) -> None:
    finished(world)
    place = away(world)
    world.git(world.pool / "backend", "worktree", "repair", f"{place}/backend")
    assert take(world, place).worktrees == 1
    assert world.git(world.pool / "backend", "worktree", "list").count("\n") == 0

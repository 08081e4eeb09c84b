"""What git still knows of a worktree that is not in its place."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from looks import unseen
from orbit.errors import OrbitError
from orbit.places import Project
from orbit.workspace.registration import clear_lost
from worktrees import state_of
from world import World


@pytest.fixture
def tree(world: World) -> Path:
    world.clone()
    world.workspace()
    return world.worktree()


def clear(world: World, tree: Path) -> list[str]:
    return [notice.name for notice in clear_lost(Project(str(world.root)), "backend", str(tree))]


def test_a_place_that_git_does_not_know(world: World, tree: Path) -> None:
    assert clear(world, world.root / "task-02" / "backend") == []


def test_a_worktree_that_is_there(world: World, tree: Path) -> None:
    before = state_of(world)
    assert clear(world, tree) == []
    assert state_of(world) == before


def test_only_the_one_that_is_gone_is_cleared(world: World, tree: Path) -> None:
    (world.root / "task-02").mkdir()
    other = world.worktree("task-02")
    shutil.rmtree(tree)
    shutil.rmtree(other)
    assert clear(world, tree) == ["registration-cleared"]
    assert clear(world, tree) == []
    listed = world.git(world.pool / "backend", "worktree", "list", "--porcelain")
    assert f"worktree {other}" in listed
    assert f"worktree {tree}\n" not in listed
    assert world.git(world.pool / "backend", "rev-parse", "ws/task-01/main"), "branches stay"


@pytest.mark.parametrize("reason", ["", "on a stick"])
def test_a_lock_holds_it(world: World, tree: Path, reason: str) -> None:
    world.git(tree, "worktree", "lock", *(["--reason", reason] if reason else []), str(tree))
    shutil.rmtree(tree)
    before = state_of(world)
    with pytest.raises(OrbitError, match=rf"holds its place{f' .{reason}.' if reason else ''}$"):
        clear(world, tree)
    assert state_of(world) == before


def test_a_worktree_that_is_being_removed_holds_it(world: World, tree: Path) -> None:
    """It may be put back, and would have lost what git knows of it."""
    trash = world.root / ".prune-trash" / "task-01.7.1700000000"
    trash.parent.mkdir()
    (trash.parent / "not orbit's").write_text("a file")
    (world.root / "task-01").rename(trash)
    before = state_of(world)
    with pytest.raises(OrbitError, match=rf"is being removed, it is in \.prune-trash/{trash.name}$") as caught:
        clear(world, tree)
    assert caught.value.hint == "end that: orbit prune"
    assert state_of(world) == before


@pytest.mark.parametrize("to", ["task-01/kept", "renamed/backend"])
def test_a_worktree_elsewhere_in_the_project_holds_it(world: World, tree: Path, to: str) -> None:
    (world.root / to).parent.mkdir(exist_ok=True)
    tree.rename(world.root / to)
    before = state_of(world)
    with pytest.raises(OrbitError, match=f"was moved by hand to {to}") as caught:
        clear(world, tree)
    assert caught.value.hint == "join it to the pool again: orbit doctor --fix"
    assert state_of(world) == before


def test_a_detached_head_whose_commit_a_branch_has_holds_nothing(world: World, tree: Path) -> None:
    world.git(tree, "checkout", "-q", "--detach", "HEAD~1")
    shutil.rmtree(tree)
    assert clear(world, tree) == ["registration-cleared"]


def test_a_commit_that_nothing_else_has_holds_it(world: World, tree: Path) -> None:
    world.git(tree, "checkout", "-q", "--detach")
    world.git(tree, "commit", "-q", "--allow-empty", "-m", "Work")
    shutil.rmtree(tree)
    before = state_of(world)
    with pytest.raises(OrbitError, match="only its registration holds the commit"):
        clear(world, tree)
    assert state_of(world) == before


def test_a_worktree_that_cannot_be_looked_at_is_not_removed(world: World, tree: Path) -> None:
    (tree / "mine.txt").write_text("not committed")
    with unseen(tree), pytest.raises(OrbitError, match="cannot be looked at: Input/output error"):
        clear(world, tree)
    assert (tree / "mine.txt").read_text() == "not committed"

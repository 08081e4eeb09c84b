"""The worktrees of a workspace, read from its directories."""

from __future__ import annotations

import shutil

import pytest

from looks import unseen
from orbit.places import Project
from orbit.pool.worktrees import Worktree, is_worktree, list_worktrees
from world import World, run_git


@pytest.fixture
def project(world: World) -> Project:
    world.clone()
    world.clone("frontend")
    world.workspace()
    return Project(str(world.root))


def test_worktrees_by_name(world: World, project: Project) -> None:
    tip = world.origins["backend"].sha()
    frontend, backend = world.worktree(name="frontend"), world.worktree()
    world.git(frontend, "checkout", "-q", "--detach", "HEAD~1")
    assert list_worktrees(project, "task-01") == (
        Worktree("backend", str(backend), "ws/task-01/main", tip),
        Worktree("frontend", str(frontend), "", world.git(frontend, "rev-parse", "HEAD")),
    )
    assert is_worktree(project, "task-01", "backend")


def test_what_does_not_belong_to_the_pool_is_not_listed(world: World, project: Project) -> None:
    task = world.root / "task-01"
    (task / "plain").mkdir()
    (task / "file").write_text("x")
    (task / ".hidden").mkdir()
    run_git(task, "init", "-q", "foreign")
    elsewhere = world.base / "elsewhere"
    run_git(world.base, "clone", "-q", world.origins["backend"].url, str(elsewhere))
    run_git(elsewhere, "worktree", "add", "-q", "--detach", str(task / "other"))
    tree = world.worktree()
    (task / "linked").symlink_to(tree)
    (task / "odd").mkdir()
    (task / "odd" / ".git").write_text("what is this")
    assert [worktree.name for worktree in list_worktrees(project, "task-01")] == ["backend"]
    for name in ("plain", "file", ".hidden", "foreign", "other", "odd", "missing"):
        assert not is_worktree(project, "task-01", name), name


@pytest.mark.parametrize("name", ["../task-01/backend", "./backend", "backend/", "../../task-01/backend", ".."])
def test_a_path_is_no_name(world: World, project: Project, name: str) -> None:
    world.worktree()
    assert not is_worktree(project, "task-01", name)


def test_damage_is_a_row(world: World, project: Project) -> None:
    backend, frontend = world.worktree(), world.worktree(name="frontend")
    shutil.rmtree(world.pool / "backend" / ".git" / "worktrees" / "backend")
    (world.pool / "frontend" / ".git" / "worktrees" / "frontend" / "HEAD").write_text("garbage")
    assert list_worktrees(project, "task-01") == (
        Worktree("backend", str(backend), error="its registration in the pool is gone (moved or pruned by hand)"),
        Worktree("frontend", str(frontend), error="git cannot read it"),
    )


def test_an_unborn_worktree(world: World, project: Project) -> None:
    tree = world.worktree()
    world.git(tree, "symbolic-ref", "HEAD", "refs/heads/ws/task-01/fresh")
    (found,) = list_worktrees(project, "task-01")
    assert (found.branch, found.sha, found.error) == ("ws/task-01/fresh", "", "")


def test_no_workspace_no_worktrees(world: World, project: Project) -> None:
    assert list_worktrees(project, "missing") == ()
    (world.root / "file").write_text("x")
    assert list_worktrees(project, "file") == ()


def test_a_pool_behind_a_link(world: World, project: Project) -> None:
    moved = world.base / "the pool"
    shutil.move(world.pool, moved)
    world.pool.symlink_to(moved)
    world.worktree()
    assert [worktree.name for worktree in list_worktrees(project, "task-01")] == ["backend"]


def test_a_registration_that_cannot_be_looked_at_is_not_gone(world: World, project: Project) -> None:
    world.worktree()
    with unseen(world.pool / "backend" / ".git" / "worktrees" / "backend"):
        (found,) = list_worktrees(project, "task-01")
    assert found.error == "its registration cannot be looked at: Input/output error"

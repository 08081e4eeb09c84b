from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from finished import branches, commit, digest, finished, mark_done
from world import World


@pytest.fixture
def reclaimed(world: World) -> str:
    """task-01, with one commit, removed by force; the commit."""
    workspace = finished(world)
    sha = commit(world, workspace / "backend")
    assert world.orbit("prune", "--force").code == 0
    return sha


def test_twice_is_refused(world: World, reclaimed: str) -> None:
    assert world.orbit("prune", "--restore", "task-01").code == 0
    assert world.orbit("prune", "--restore", "task-01").err == "orbit: prune: task-01 exists\n"
    shutil.rmtree(world.root / "task-01")
    again = world.orbit("prune", "--restore", "task-01")
    assert again.err == "orbit: backend: the branch ws/task-01/main exists\n"
    assert world.git(world.pool / "backend", "rev-parse", "ws/task-01/main") == reclaimed


def test_a_refusal_changes_nothing(world: World, reclaimed: str) -> None:
    world.git(world.pool / "backend", "branch", "-q", "ws/task-01/main", "main")
    before = digest(world.root)
    assert world.orbit("prune", "--restore", "task-01").code == 1
    assert digest(world.root) == before
    assert reclaimed


@pytest.mark.parametrize("name", ["plan.json", ".orbit"])
def test_what_cannot_be_read_is_not_taken_for_nothing(world: World, reclaimed: str, name: str) -> None:
    [file] = (world.pool / ".reclaimed" / "task-01").glob(f"*/{name}")
    file.rename(file.with_name("aside"))
    file.mkdir()
    failed = world.orbit("prune", "--restore", "task-01")
    assert (failed.code, failed.out) == (1, "")
    assert failed.err.endswith(f"{file} cannot be read (is a directory)\n")
    assert not (world.root / "task-01").exists()
    assert branches(world) == ["main"]
    file.rmdir()
    file.with_name("aside").rename(file)
    assert "its goal and jots" in world.orbit("prune", "--restore", "task-01").out
    assert world.git(world.pool / "backend", "rev-parse", "ws/task-01/main") == reclaimed


def test_the_last_one_comes_back(world: World, reclaimed: str) -> None:
    workspace = world.workspace()
    world.worktree()
    mark_done(world, "task-01")
    later = commit(world, workspace / "backend", "later.txt")
    assert world.orbit("prune", "--force").code == 0
    assert world.orbit("prune", "--restore", "task-01").code == 0
    assert world.git(world.pool / "backend", "rev-parse", "ws/task-01/main") == later != reclaimed


def test_upstreams_come_back(world: World) -> None:
    workspace = finished(world)
    world.git(world.pool / "backend", "config", "branch.ws/task-01/main.merge", "refs/heads/topic")
    commit(world, workspace / "backend")
    world.orbit("prune", "--force")
    assert "upstream: origin/topic" in world.orbit("prune", "--restore", "task-01").out
    assert world.git(world.pool / "backend", "config", "branch.ws/task-01/main.merge") == "refs/heads/topic"


def test_a_detached_commit_is_named_where_it_is_kept(world: World) -> None:
    workspace = finished(world)
    world.git(workspace / "backend", "switch", "-q", "--detach")
    sha = commit(world, workspace / "backend")
    world.orbit("prune", "--force")
    world.git(world.pool / "backend", "reflog", "expire", "--expire=now", "--all")
    world.git(world.pool / "backend", "gc", "-q", "--prune=now")
    out = world.orbit("prune", "--restore", "task-01").out
    [line] = [line for line in out.splitlines() if "detached commit" in line]
    ref = line.rpartition(" ")[2]
    assert world.git(world.pool / "backend", "rev-parse", ref) == sha


def test_not_done_any_more_and_not_taken_by_the_next_prune(world: World, reclaimed: str) -> None:
    world.orbit("prune", "--restore", "task-01")
    assert world.orbit("prune").out == "nothing to prune\n"
    assert "ws/task-01/main" in branches(world)
    assert reclaimed


def test_a_clone_that_is_gone_is_named(world: World, reclaimed: str) -> None:
    shutil.rmtree(world.pool / "backend")
    refused = world.orbit("prune", "--restore", "task-01")
    assert (refused.code, refused.err) == (1, "orbit: backend: the pool clone that held its branches is gone\n")
    assert not (world.root / "task-01").exists()
    assert reclaimed


def test_names_that_are_none(world: World, reclaimed: str, tmp_path: Path) -> None:
    for name in ("..", "a/b", ".hidden", ""):
        refused = world.orbit("prune", f"--restore={name}")
        assert refused.code in (1, 2)
        assert refused.out == ""
    assert reclaimed
    assert tmp_path.is_dir()

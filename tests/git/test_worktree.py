"""The upstream of a worktree's branch, as git reads it."""

from __future__ import annotations

from pathlib import Path

import pytest

from orbit.git.run import GitError
from orbit.git.worktree import set_upstream
from world import World

BRANCH = "ws/task-01/release/1.x"


@pytest.fixture
def clone(world: World) -> Path:
    path = world.clone()
    world.git(path, "branch", "--no-track", BRANCH)
    return path


def test_a_bare_push_and_pull_mean_that_branch(world: World, clone: Path) -> None:
    set_upstream(str(clone), BRANCH, "main")
    assert world.git(clone, "rev-parse", "--abbrev-ref", f"{BRANCH}@{{upstream}}") == "origin/main"
    assert world.git(clone, "rev-parse", "--abbrev-ref", f"{BRANCH}@{{push}}") == "origin/main"


def test_whatever_was_there_is_replaced(world: World, clone: Path) -> None:
    for key, value in (("merge", "refs/heads/main"), ("merge", "refs/heads/other"), ("remote", "fork")):
        world.git(clone, "config", "--add", f"branch.{BRANCH}.{key}", value)
    set_upstream(str(clone), BRANCH, "feat/x")
    assert world.git(clone, "config", "--get-all", f"branch.{BRANCH}.merge") == "refs/heads/feat/x"
    assert world.git(clone, "config", "--get-all", f"branch.{BRANCH}.remote") == "origin"


def test_a_locked_config_is_told_as_one(world: World, clone: Path) -> None:
    (clone / ".git" / "config.lock").touch()
    with pytest.raises(GitError, match="write its upstream: another git process holds a lock") as caught:
        set_upstream(str(clone), BRANCH, "main")
    assert caught.value.kind == "lock"

"""Branch names and who holds a branch."""

from __future__ import annotations

import pytest

from orbit.errors import OrbitError
from orbit.git.branch import holder_of, is_branch_name
from reliability.starts import starts
from world import World


@pytest.mark.parametrize("name", ["main", "release/1.x", "ünïcode", "a.b", "feat@2"])
def test_names_that_git_takes(name: str) -> None:
    assert is_branch_name(name)


@pytest.mark.parametrize("name", ["", "-x", "a..b", "a b", "x.lock", "/a", "a/", "a//b", "@{1}", "a~1", "nul\0"])
def test_names_that_git_refuses(name: str) -> None:
    assert not is_branch_name(name)


def test_the_pool_clone_holds_its_own_branch(world: World) -> None:
    clone = world.clone()
    assert holder_of(str(clone), "main") == str(clone)
    assert holder_of(str(clone), "other") == ""


def test_a_worktree_holds_its_branch_unless_it_is_the_one_asking(world: World) -> None:
    clone = world.clone()
    world.workspace()
    path = world.worktree()
    assert holder_of(str(clone), "ws/task-01/main") == str(path)
    assert holder_of(str(clone), "ws/task-01/main", besides=str(path)) == ""


def test_a_branch_under_rebase_is_held(world: World) -> None:
    origin = world.origin(files={"a.txt": "1\n"})
    clone = world.clone()
    world.workspace()
    path = world.worktree()
    (path / "a.txt").write_text("mine\n")
    world.git(path, "commit", "-qam", "mine")
    origin.commit({"a.txt": "theirs\n"})
    world.git(clone, "fetch", "-q", "origin")
    with pytest.raises(AssertionError):
        world.git(path, "rebase", "origin/main")
    assert holder_of(str(clone), "ws/task-01/main") == str(path)


@pytest.mark.parametrize("way", ["EAGAIN", "is killed at once", "fails at once"])
def test_a_name_is_not_refused_because_git_failed(way: str) -> None:
    with starts(1, way), pytest.raises(OrbitError):
        is_branch_name("main")

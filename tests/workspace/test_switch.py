"""Scoped branches of a worktree, with real remotes."""

from __future__ import annotations

from pathlib import Path

import pytest

from orbit.errors import OrbitError
from orbit.places import Project
from orbit.pool.index import read_index
from orbit.workspace.switch import SwitchRequest, create_branch, switch_to
from reliability.starts import WAYS, starts
from worktrees import write_hook
from world import World


@pytest.fixture
def tree(world: World) -> Path:
    """A worktree of backend in task-01."""
    world.clone()
    world.workspace()
    return world.worktree()


def go(world: World, name: str, *, create: bool = False, workspace: str = "task-01") -> tuple[str, str, list[str]]:
    project = Project(str(world.root))
    act = create_branch if create else switch_to
    done = act(project, SwitchRequest(workspace, "backend", name), read_index(project).settings)
    return done.branch, done.how, [notice.name for notice in done.notices]


def head(world: World, tree: Path) -> str:
    return world.git(tree, "symbolic-ref", "--short", "HEAD")


def test_create_keeps_staged_and_unstaged_work_and_wires_the_upstream(world: World, tree: Path) -> None:
    (tree / "staged.txt").write_text("s\n")
    world.git(tree, "add", "staged.txt")
    (tree / "README.md").write_text("changed\n")
    assert go(world, "feat", create=True) == ("ws/task-01/feat", "created", [])
    assert head(world, tree) == "ws/task-01/feat"
    assert world.git(tree, "status", "--porcelain").splitlines() == [" M README.md", "A  staged.txt"]
    assert world.git(tree, "config", "branch.ws/task-01/feat.remote") == "origin"
    assert world.git(tree, "config", "branch.ws/task-01/feat.merge") == "refs/heads/feat"


def test_a_bare_push_goes_to_the_name(world: World, tree: Path) -> None:
    go(world, "feat", create=True)
    world.git(tree, "commit", "-q", "--allow-empty", "-m", "work")
    world.git(tree, "push", "-q")
    assert world.origins["backend"].sha("feat") == world.git(tree, "rev-parse", "HEAD")
    assert world.origins["backend"].sha("main") != world.origins["backend"].sha("feat")


def test_create_needs_no_network(world: World, tree: Path) -> None:
    world.git(world.pool / "backend", "remote", "set-url", "origin", str(world.base / "gone.git"))
    assert go(world, "feat", create=True)[1:] == ("created", [])


def test_create_warns_when_the_remote_branch_has_other_commits(world: World, tree: Path) -> None:
    world.origins["backend"].branch("feat")
    world.origins["backend"].commit({"x": "1"}, branch="feat")
    assert go(world, "feat", create=True)[2] == ["remote-branch-differs"]


def test_create_is_silent_when_the_remote_branch_is_contained(world: World, tree: Path) -> None:
    world.origins["backend"].branch("feat", at="main~1")
    assert go(world, "feat", create=True)[2] == []


def test_a_raw_branch_is_converted_without_loss(world: World, tree: Path) -> None:
    world.git(tree, "switch", "-q", "-c", "feat")
    world.git(tree, "commit", "-q", "--allow-empty", "-m", "raw work")
    sha = world.git(tree, "rev-parse", "HEAD")
    (tree / "README.md").write_text("changed\n")
    assert go(world, "feat", create=True)[0] == "ws/task-01/feat"
    assert world.git(tree, "rev-parse", "HEAD", "feat").split() == [sha, sha]
    assert (tree / "README.md").read_text() == "changed\n"


def test_create_of_an_existing_branch_is_refused(world: World, tree: Path) -> None:
    go(world, "feat", create=True)
    go(world, "main")
    with pytest.raises(OrbitError, match="ws/task-01/feat exists"):
        go(world, "feat", create=True)
    assert head(world, tree) == "ws/task-01/main"


def test_switch_to_a_local_branch_and_back(world: World, tree: Path) -> None:
    go(world, "feat", create=True)
    assert go(world, "main") == ("ws/task-01/main", "existing", [])
    assert go(world, "feat") == ("ws/task-01/feat", "existing", [])
    assert go(world, "feat") == ("ws/task-01/feat", "already", [])
    assert go(world, "feat", create=True) == ("ws/task-01/feat", "already", [])


def test_switch_takes_a_branch_of_the_remote(world: World, tree: Path) -> None:
    world.origins["backend"].branch("release/1.x")
    sha = world.origins["backend"].commit({"v": "1"}, branch="release/1.x")
    assert go(world, "release/1.x") == ("ws/task-01/release/1.x", "tracking", [])
    assert world.git(tree, "rev-parse", "HEAD") == sha
    assert world.git(tree, "rev-parse", "--abbrev-ref", "@{upstream}") == "origin/release/1.x"


def test_a_branch_that_is_nowhere_is_refused_and_names_the_way(world: World, tree: Path) -> None:
    with pytest.raises(OrbitError, match="no branch nope here or on origin") as problem:
        go(world, "nope")
    assert problem.value.hint == "make it: orbit switch -c backend nope"
    assert head(world, tree) == "ws/task-01/main"


def test_offline_a_branch_fetched_before_serves(world: World, tree: Path) -> None:
    world.origins["backend"].branch("feat")
    world.git(world.pool / "backend", "fetch", "-q", "origin")
    world.git(world.pool / "backend", "remote", "set-url", "origin", str(world.base / "gone.git"))
    assert go(world, "feat") == ("ws/task-01/feat", "tracking", ["as-last-fetched"])


def test_offline_without_the_branch_says_why(world: World, tree: Path) -> None:
    world.git(world.pool / "backend", "remote", "set-url", "origin", str(world.base / "gone.git"))
    with pytest.raises(OrbitError, match="no such repository"):
        go(world, "feat")


def test_a_branch_held_by_another_worktree_is_refused_and_names_it(world: World, tree: Path) -> None:
    go(world, "feat", create=True)
    go(world, "main")
    other = world.base / "elsewhere"
    world.git(world.pool / "backend", "worktree", "add", "-q", str(other), "ws/task-01/feat")
    with pytest.raises(OrbitError, match=f"ws/task-01/feat is checked out in {other}"):
        go(world, "feat")


def test_work_that_would_be_lost_stops_the_switch(world: World, tree: Path) -> None:
    world.origins["backend"].branch("feat")
    world.origins["backend"].commit({"README.md": "other\n"}, branch="feat")
    (tree / "README.md").write_text("mine\n")
    with pytest.raises(OrbitError, match="overwritten"):
        go(world, "feat")
    assert (tree / "README.md").read_text() == "mine\n"
    assert head(world, tree) == "ws/task-01/main"


def test_on_an_unborn_branch_create_renames_it(world: World) -> None:
    world.origin(empty=True)
    world.clone()
    world.workspace()
    world.orbit("add", "backend", cwd=world.root / "task-01")
    tree = world.root / "task-01" / "backend"
    assert go(world, "feat", create=True)[1] == "created"
    assert head(world, tree) == "ws/task-01/feat"
    world.git(tree, "commit", "-q", "--allow-empty", "-m", "first")
    assert world.git(tree, "rev-list", "--count", "HEAD") == "1"


@pytest.mark.parametrize("name", ["-x", "a..b", "a b", "x.lock", "@{u}"])
def test_names_that_git_refuses(world: World, tree: Path, name: str) -> None:
    for create in (True, False):
        with pytest.raises(OrbitError, match="not a branch name"):
            go(world, name, create=create)


def test_managed_config_is_put_back_and_told(world: World, tree: Path) -> None:
    world.git(world.pool / "backend", "config", "push.default", "nothing")
    assert go(world, "feat", create=True)[2] == ["config-restored"]
    assert world.git(tree, "config", "push.default") == "upstream"


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("number", range(3, 8))
def test_a_branch_is_there_with_its_upstream_or_not_at_all(world: World, tree: Path, number: int, way: str) -> None:
    """git fails at each step: the upstream is written before the one that makes the branch."""
    config = world.pool / "backend" / ".git" / "config"
    before = config.read_text()
    with starts(number, way) as watched:
        try:
            _, _, told = go(world, "topic", create=True)
            assert head(world, tree) == "ws/task-01/topic"
            assert world.git(tree, "config", "branch.ws/task-01/topic.merge") == "refs/heads/topic"
        except OrbitError:
            assert head(world, tree) == "ws/task-01/main"
            assert config.read_text() == before
        else:
            went = watched.failed.startswith("-C") and " switch " in watched.failed
            assert ("switched-all-the-same" in told) == went
    assert watched.failed or number > 6


def test_a_hook_that_fails_leaves_the_branch_with_its_upstream(world: World, tree: Path) -> None:
    world.origins["backend"].branch("side")
    write_hook(world.pool / "backend", "exit 1")
    for name, create in (("topic", True), ("side", False)):
        assert "switched-all-the-same" in go(world, name, create=create)[2]
        assert head(world, tree) == f"ws/task-01/{name}"
        assert world.git(tree, "config", f"branch.ws/task-01/{name}.merge") == f"refs/heads/{name}"

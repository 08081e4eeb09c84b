from __future__ import annotations

import os
from pathlib import Path

import pytest

from orbit.commands import TABLE
from orbit.commands.arguments import Usage
from orbit.commands.shells.candidates import KINDS, candidates
from orbit.commands.shells.shape import Wanted
from orbit.places import World as Surroundings
from world import World, environment


def found(kind: str, cwd: Path, *given: str, options: tuple[str, ...] = ()) -> list[str]:
    """No git is to be found while looking."""
    with environment({"PATH": "/nonexistent"}):
        world = Surroundings(cwd=os.path.realpath(cwd), env=dict(os.environ))
        return candidates(world, Wanted((kind,), "", 0, given, options))


@pytest.fixture
def workspace(world: World) -> Path:
    """backend and frontend in the pool, backend in the workspace."""
    return world.populated()


def test_repositories_and_workspaces(world: World, workspace: Path) -> None:
    (world.pool / "no-repository").mkdir()
    world.workspace("task-02")
    assert found("repo", world.root) == ["backend", "frontend"]
    assert found("repo", world.root, "backend") == ["frontend"]
    assert found("addable", workspace) == ["frontend"]
    assert found("addable", world.root) == ["backend", "frontend"]
    assert found("worktree", workspace) == ["backend"]
    assert found("worktree", world.root) == []
    assert found("workspace", workspace) == ["task-01", "task-02"]


def test_what_prune_can_restore(world: World, workspace: Path) -> None:
    assert found("reclaimed", world.root) == []
    assert world.orbit("done", cwd=workspace).code == 0
    assert world.orbit("prune", "task-01").out.startswith("pruned: task-01 ")
    assert found("reclaimed", world.root) == ["task-01"]
    assert world.orbit("prune", "--restore", "task-01").code == 0
    assert found("reclaimed", world.root) == []


def test_branches_are_the_workspace_s_then_upstream_s(world: World, workspace: Path) -> None:
    world.origins["backend"].branch("release/2")
    world.git(world.pool / "backend", "fetch", "-q")
    world.git(world.pool / "backend", "branch", "ws/task-01/a$b")
    world.git(world.pool / "backend", "branch", "ws/task-02/other")
    every = ["a$b", "main", "release/2"]
    assert found("branch", workspace, "backend") == every
    assert found("branch", workspace) == every, "the only worktree"
    assert found("branch", workspace / "backend") == every
    assert found("branch", workspace, "frontend") == []
    assert found("branch", workspace, "backend", options=("-c",)) == []
    assert found("branch", world.root, "backend") == []
    assert found("upstream-branch", world.root, "backend") == ["main", "release/2"]
    assert found("upstream-branch", world.root) == []


def test_a_prefix_of_the_project_s_own(world: World, workspace: Path) -> None:
    (world.pool / ".orbit").write_text("[branch]\n\tprefix = me\n")
    world.git(world.pool / "backend", "branch", "me/task-01/mine")
    assert found("branch", workspace) == ["mine", "main"]


def test_a_start_is_a_branch_or_a_tag(world: World, workspace: Path) -> None:
    world.git(world.pool / "backend", "tag", "v1.0")
    assert found("start", workspace, "backend") == ["main", "v1.0"]
    assert found("start", workspace, "nothing") == []


def test_settings_and_their_values(world: World) -> None:
    assert "memo.maxLines" in found("config-key", world.base)
    assert found("config-value", world.base, "GIT.fetchprune") == ["always", "once", "never"]
    assert found("config-value", world.base, "memo.maxLines") == []
    assert found("config-value", world.base) == []


def test_listed_values_need_nothing(world: World) -> None:
    assert found("bash|zsh|fish", world.base) == ["bash", "zsh", "fish"]
    assert found("", world.base) == []
    assert found("unheard-of", world.base) == []


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_outside_a_project(world: World, kind: str) -> None:
    if kind != "config-key":
        assert found(kind, world.base, "backend") == []


@pytest.mark.parametrize("kind", KINDS)
def test_damage_is_worked_around(world: World, workspace: Path, kind: str) -> None:
    (world.pool / ".orbit").write_bytes(b"[branch\n\xff")
    (workspace / ".orbit").write_bytes(b"]\0")
    (world.pool / "frontend" / ".git" / "HEAD").write_bytes(b"\xff")
    (world.pool / "backend" / ".git" / "packed-refs").write_bytes(b"\xff no ref at all\n\n")
    (workspace / "backend" / ".git").write_text("gitdir: /nowhere\n")
    found(kind, workspace, "backend")


def test_names_that_no_terminal_shows_are_left_out(world: World) -> None:
    for name in ("line\nbreak", "escape\x1b[2J", "it's odd", "日本"):
        (world.root / name).mkdir()
    assert found("workspace", world.root) == ["it's odd", "日本"]


@pytest.mark.parametrize("verb", TABLE)
def test_every_argument_names_a_kind_that_there_is(verb: str) -> None:
    usage: Usage = __import__(f"orbit.commands.{TABLE[verb][0]}", fromlist=["USAGE"]).USAGE
    named = {a.completes for a in usage.arguments if a.completes and "|" not in a.completes}
    assert named <= set(KINDS)
    assert not any(c in a.completes for a in usage.arguments for c in " '")

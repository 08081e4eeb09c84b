from __future__ import annotations

import os
from pathlib import Path

import pytest

from orbit.errors import OrbitError
from orbit.places import Project
from orbit.workspace import playground
from orbit.workspace.metadata import read_metadata
from world import World, environment, run_git


def test_what_is_made(world: World) -> None:
    directory = world.base / "play"
    place = playground.build_playground(str(directory))
    assert (place.root, place.workspace) == (str(directory), f"{directory}/task-01")
    assert sorted(os.listdir(directory)) == [".remotes", ".repos", "task-01"]
    assert sorted(os.listdir(directory / ".remotes")) == ["orders.git", "storefront.git"]
    assert sorted(os.listdir(directory / ".repos")) == [".orbit", "README.md", "orders", "storefront"]
    assert read_metadata(Project(place.root), "task-01").goal == playground.GOAL
    for name in ("orders", "storefront"):
        assert run_git(directory / ".repos" / name, "status", "--porcelain", "--branch") == "## main...origin/main"


def test_an_empty_directory_will_do(world: World) -> None:
    (world.base / "empty").mkdir()
    playground.build_playground(str(world.base / "empty"))
    assert (world.base / "empty" / "task-01").is_dir()


@pytest.mark.parametrize("kind", ["file", "used", "dot"])
def test_anything_there_is_left_alone(world: World, kind: str) -> None:
    place = world.base / "place"
    if kind == "file":
        place.write_text("mine")
    else:
        place.mkdir()
        (place / (".hidden" if kind == "dot" else "work")).write_text("mine")
    with pytest.raises(OrbitError, match=r"^try: .*/place( is not empty| \(File exists\))$"):
        playground.build_playground(str(place))
    assert place.read_text() == "mine" if kind == "file" else len(os.listdir(place)) == 1


@pytest.mark.parametrize("existed", [False, True])
def test_a_failure_leaves_nothing(world: World, existed: bool) -> None:
    place = world.base / "place"
    if existed:
        place.mkdir()
    never = {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "protocol.file.allow", "GIT_CONFIG_VALUE_0": "never"}
    with environment(never), pytest.raises(OrbitError):
        playground.build_playground(str(place))
    assert place.exists() == existed
    assert not existed or os.listdir(place) == []


def test_not_inside_a_repository_of_another_project(world: World) -> None:
    """There every command of the playground would act on that project."""
    world.clone()
    world.workspace()
    inside = world.worktree() / "play"
    with pytest.raises(OrbitError, match=r"lies in a repository of the project .*/root, choose another place$"):
        playground.build_playground(str(inside))
    assert not inside.exists()


def test_settings_of_the_user_do_not_matter(world: World, tmp_path: Path) -> None:
    hooks = tmp_path / "hooks"
    hooks.mkdir()
    for name in ("pre-commit", "commit-msg", "pre-push"):
        (hooks / name).write_text("#!/bin/sh\nexit 1\n")
        (hooks / name).chmod(0o755)
    (tmp_path / "ignore").write_text("*\n")
    settings = {
        "core.hooksPath": str(hooks),
        "core.excludesFile": str(tmp_path / "ignore"),
        "commit.gpgSign": "true",
        "user.useConfigOnly": "true",
        "init.defaultBranch": "other",
        "push.default": "nothing",
    }
    env: dict[str, str | None] = {"GIT_CONFIG_COUNT": str(len(settings))}
    for number, (key, value) in enumerate(settings.items()):
        env[f"GIT_CONFIG_KEY_{number}"], env[f"GIT_CONFIG_VALUE_{number}"] = key, value
    with environment(env):
        place = playground.build_playground(str(world.base / "play"))
        playground.commit_upstream(place.root, "orders", playground.LATER, "Later")
    remote = f"{place.root}/.remotes/orders.git"
    assert run_git(remote, "log", "--format=%s by %an", "main").splitlines() == [
        "Later by Orbit Try",
        "First version by Orbit Try",
    ]
    assert "README.md" in run_git(remote, "ls-tree", "--name-only", "main")
    assert sorted(os.listdir(f"{place.root}/.remotes")) == ["orders.git", "storefront.git"]

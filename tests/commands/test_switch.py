"""`orbit switch` as typed."""

from __future__ import annotations

from pathlib import Path

import pytest

from world import World


@pytest.fixture
def tree(world: World) -> Path:
    world.clone()
    world.workspace()
    return world.worktree()


def test_create_and_go_back(world: World, tree: Path) -> None:
    made = world.orbit("switch", "-c", "feat", cwd=tree)
    assert made == (0, "backend is on ws/task-01/feat (new, pushes to origin/feat)\n", "")
    assert world.orbit("switch", "main", cwd=tree) == (0, "backend is on ws/task-01/main\n", "")
    assert world.orbit("switch", "backend", "main", cwd=tree.parent) == (
        0,
        "backend is on ws/task-01/main already\n",
        "",
    )


def test_the_only_worktree_needs_no_name(world: World, tree: Path) -> None:
    assert world.orbit("switch", "feat", "--create", cwd=tree.parent).code == 0


def test_several_worktrees_need_one(world: World, tree: Path) -> None:
    world.clone("web")
    world.worktree(name="web")
    refused = world.orbit("switch", "-c", "feat", cwd=tree.parent)
    assert refused == (
        1,
        "",
        "orbit: switch: which repository? here are backend, web\norbit: switch: orbit switch REPO NAME\n",
    )


def test_a_repository_in_place_of_a_branch(world: World, tree: Path) -> None:
    world.clone("web")
    world.clone("other")
    world.worktree(name="web")
    assert world.orbit("switch", "web", cwd=tree.parent).err == (
        "orbit: switch: web is a repository, which branch of it?\norbit: switch: orbit switch web NAME\n"
    )
    assert world.orbit("switch", "other", "main", cwd=tree.parent).err == (
        "orbit: other: no worktree of that name in task-01\norbit: other: orbit add other\n"
    )


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (("switch",), 2, "NAME"),
        (("switch", ""), 2, "cannot be empty"),
        (("switch", "nope", "main"), 1, "no worktree of that name in task-01\norbit: nope: orbit add REPO\n"),
        (("switch", "bakend", "main"), 1, "in task-01\norbit: bakend: did you mean backend?\n"),
        (("switch", "a..b"), 1, "not a branch name: a..b"),
        (("switch", "--", "-x"), 1, "not a branch name: -x"),
    ],
)
def test_bad_words(world: World, tree: Path, words: tuple[str, ...], code: int, says: str) -> None:
    refused = world.orbit(*words, cwd=tree)
    assert (refused.code, refused.out) == (code, "")
    assert says in refused.err


def test_outside_a_workspace(world: World, tree: Path) -> None:
    refused = world.orbit("switch", "main")
    assert refused.code == 1
    assert refused.err.startswith("orbit: switch: not in a workspace")

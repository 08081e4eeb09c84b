"""`orbit sync --force` and `--branch` as typed."""

from __future__ import annotations

from pathlib import Path

import pytest

from world import World


@pytest.fixture
def clone(world: World) -> Path:
    return world.clone()


def test_force_resets_and_says_where_the_old_tip_is(world: World, clone: Path) -> None:
    world.git(clone, "commit", "-q", "--allow-empty", "-m", "own")
    world.origins["backend"].commit({"x": "1"})
    left = world.orbit("sync")
    assert (left.code, left.out) == (0, "")
    done = world.orbit("sync", "--force")
    assert (done.code, done.out) == (0, "backend: reset to origin/main\n")
    assert done.err.startswith("orbit: backend: the old tip of main (")
    assert "is kept as refs/orbit/reclaimed/_pool/" in done.err


def test_branch_moves_one_clone_and_doubts_its_card(world: World, clone: Path) -> None:
    world.origins["backend"].branch("next")
    world.orbit("memo", "backend", "--text", "# backend\n\nServes the API.\n")
    done = world.orbit("sync", "backend", "--branch", "next")
    assert done == (
        0,
        "backend: now follows origin/next\n",
        "orbit: backend: the card was written before the pool went to next: info backend\n",
    )


@pytest.mark.parametrize(
    "words", [("--branch", "next"), ("a", "b", "--branch", "next"), ("backend", "--branch", "x", "--force")]
)
def test_branch_takes_one_repo_and_no_force(world: World, clone: Path, words: tuple[str, ...]) -> None:
    refused = world.orbit("sync", *words)
    assert (refused.code, refused.out) == (2, "")
    assert refused.err == "orbit: sync: --branch takes one REPO and no --force\n"


@pytest.mark.parametrize("words", [("--force",), ("backend", "--branch", "main")])
def test_neither_runs_in_a_workspace(world: World, clone: Path, words: tuple[str, ...]) -> None:
    workspace = world.workspace()
    refused = world.orbit("sync", *words, cwd=workspace)
    assert refused == (1, "", "orbit: sync: the current directory is inside the workspace task-01\n")

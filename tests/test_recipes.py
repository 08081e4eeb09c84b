"""Every block of docs/recipes.md, typed into a shell; `…` matches anything, also as a whole line."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from typed import matches, steps, type_in
from world import World, clone_repository

_PAGE = Path(__file__).parents[1] / "docs" / "recipes.md"
_RECIPES = re.findall(
    r"^## (.+?)\n.*?```console\n(.*?)```", _PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE
)


@pytest.fixture
def place(world: World) -> Path:
    """`remotes/` with an empty fork, `clones/` of two of them, and `root/`, a project with a worktree in task-01."""
    world.clone()
    world.origin("frontend")
    world.git(world.remotes, "init", "-q", "--bare", "fork.git")
    (world.base / "clones").mkdir()
    for name in ("backend", "frontend"):
        clone_repository(world.origins[name].url, world.base / "clones" / name)
    world.workspace()
    world.worktree()
    return world.base


@pytest.mark.parametrize(("title", "block"), _RECIPES, ids=[title for title, _ in _RECIPES])
def test_recipe(place: Path, title: str, block: str) -> None:
    here = place
    for command, shown in steps(block):
        printed, here = type_in(command, here, place / "bin")
        assert matches(shown.rstrip("\n") + "\n" if shown.strip() else "", printed), f"{title}: $ {command}\n{printed}"


def test_what_matches() -> None:
    assert matches("a …\n", "a b\n")
    assert matches("a\n…\n", "a\nb\nc\n")
    assert matches("…\nb\n", "a\nb\n")
    assert not matches("a\n", "a\nb\n")
    assert steps("$ one\nx\ny\n$ two\n") == [("one", "x\ny\n"), ("two", "")]

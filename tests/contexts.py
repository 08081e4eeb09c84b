"""`orbit context` in a workspace of the test's world."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pool_files import known_clone
from shapes import json_of
from world import World


def task_with_goal(world: World) -> Path:
    """A workspace with a goal, and nothing in it."""
    path = world.workspace()
    (path / ".orbit").write_text("[workspace]\n\tgoal = make it faster\n")
    return path


def populated(world: World, name: str = "backend") -> Path:
    """A worktree whose card is good and fresh."""
    known_clone(world, name)
    return world.worktree(name=name)


def top(task: Path, goal: str = "make it faster", state: str = "active") -> list[str]:
    return [f"path: {task}", *([f"goal: {goal}"] if goal else []), f"state: {state}"]


def context(world: World, *words: str, cwd: Path) -> list[str]:
    """The lines of the block; nothing on stderr."""
    outcome = world.orbit("context", *words, cwd=cwd)
    assert (outcome.code, outcome.err) == (0, "")
    return outcome.out.splitlines()


def shape(world: World, *words: str, cwd: Path) -> Any:
    outcome = world.orbit("context", *words, "--json", cwd=cwd)
    assert outcome.code == 0
    return json_of("context", outcome)

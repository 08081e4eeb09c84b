"""Every block of docs/recipes.md, typed into a shell; `…` matches anything, also as a whole line."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from world import World, clone_repository

_PAGE = Path(__file__).parents[1] / "docs" / "recipes.md"
_RECIPES = re.findall(
    r"^## (.+?)\n.*?```console\n(.*?)```", _PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE
)


def steps(block: str) -> list[tuple[str, str]]:
    """(command, what it prints) of a block."""
    parts = re.split(r"^\$ (.+)\n", block, flags=re.MULTILINE)
    return list(zip(parts[1::2], parts[2::2], strict=True))


def matches(shown: str, printed: str) -> bool:
    pattern = "".join(".*?" if part == "…" else re.escape(part) for part in re.split("(…)", shown))
    return re.fullmatch(pattern.replace("\n.*?\n", r"\n(?:.*\n)*"), printed, re.DOTALL) is not None


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
    programs = world.base / "bin"
    programs.mkdir()
    orbit = programs / "orbit"
    orbit.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m orbit "$@"\n')
    orbit.chmod(0o755)
    return world.base


@pytest.mark.parametrize(("title", "block"), _RECIPES, ids=[title for title, _ in _RECIPES])
def test_recipe(place: Path, title: str, block: str) -> None:
    here = place
    env = {**os.environ, "PATH": f"{place}/bin{os.pathsep}{os.environ['PATH']}"}
    for command, shown in steps(block):
        words = ["sh", "-c", f'{command}\nstatus=$?; pwd > "{place}/pwd"; exit $status']
        done = subprocess.run(
            words,
            cwd=here,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
        printed = done.stdout.decode()
        assert matches(shown.rstrip("\n") + "\n" if shown.strip() else "", printed), f"{title}: $ {command}\n{printed}"
        here = Path((place / "pwd").read_text().strip())


def test_what_matches() -> None:
    assert matches("a …\n", "a b\n")
    assert matches("a\n…\n", "a\nb\nc\n")
    assert not matches("a\n", "a\nb\n")
    assert steps("$ one\nx\ny\n$ two\n") == [("one", "x\ny\n"), ("two", "")]

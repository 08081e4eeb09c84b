"""Commands over the whole pool: no git where files answer, and a cache that changes no answer whatever happens to it.

Contract: quality.md, Speed and scale; concepts.md, On disk.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from cards import card
from counted_git import counted_git
from pool_files import advance
from world import World

_GOAL = "orders are stored twice"
_TEN_YEARS = 10 * 365 * 86_400
_WARM = (
    *("repos", "repos --json", "repos --stale", "repos --no-card", "repos stored orders", "repos --json orders"),
    *("context --startup", "context --startup --json", "info stale", "info stale --json", "info loose", "info nocard"),
    *("complete zsh some:repo p", "hook session-start --host claude", "hook prompt --host claude"),
)


@pytest.fixture
def pool(world: World) -> World:
    """One clone of each kind that a pool comes to hold, most of them with a card; a task with a goal."""
    for name in ("loose", "packed", "detached", "branched", "stale", "rewritten"):
        world.clone(name)
        assert world.orbit("memo", name, stdin=card(f"The {name} service that stores orders.")).code == 0
    world.clone("nocard")
    world.git(world.pool / "packed", "gc", "-q")
    world.git(world.pool / "packed", "pack-refs", "--all")
    world.git(world.pool / "detached", "switch", "-q", "--detach")
    world.git(world.pool / "branched", "switch", "-q", "-c", "feature/x-1")
    advance(world, "stale", commits=2)
    world.git(world.pool / "rewritten", "commit", "-q", "--amend", "--allow-empty", "-m", "Another first")
    world.orbit("goal", _GOAL, cwd=world.workspace())
    return world


@pytest.mark.parametrize("words", _WARM)
def test_no_git_for_a_clone_whose_files_answer(pool: World, tmp_path: Path, words: str) -> None:
    task = pool.root / "task-01"
    first = pool.orbit(*words.split(), cwd=task)
    with counted_git(tmp_path) as calls:
        second = pool.orbit(*words.split(), cwd=task)
        assert calls.lines == []
    assert (second.out, second.code) == (first.out, 0)


def test_who_looks_while_others_fill_or_delete_the_cache_sees_the_same(pool: World) -> None:
    expected = pool.orbit("repos").out
    assert "stale 2" in expected
    for begins_with in ("nothing", "half a file", "no file at all"):
        cache = pool.pool / ".cache"
        shutil.rmtree(cache)
        if begins_with == "half a file":
            cache.mkdir()
            (cache / "orbit-1.sqlite").write_bytes(b"SQLite format 3\0" + os.urandom(2000))
        command = [sys.executable, "-m", "orbit", "repos"]
        called = [
            subprocess.Popen(command, cwd=pool.root, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            for _ in range(6)
        ]
        if begins_with == "no file at all":
            shutil.rmtree(cache, ignore_errors=True)
        for process in called:
            out, err = process.communicate(timeout=60)
            assert (process.returncode, out) == (0, expected), err


@pytest.mark.parametrize("seconds", [-_TEN_YEARS, _TEN_YEARS])
def test_a_clock_that_was_wrong_changes_no_answer(pool: World, seconds: int) -> None:
    expected = pool.orbit("repos").out
    for path in (*pool.pool.glob(".*.md"), pool.pool / ".orbit", *pool.pool.glob("*/README.md")):
        _shift(path, seconds)
    _shift(pool.pool / ".cache" / "orbit-1.sqlite", -seconds)
    assert pool.orbit("repos").out == expected


def test_a_readme_written_under_a_wrong_clock_is_read_again(pool: World) -> None:
    readme = pool.pool / "nocard" / "README.md"
    assert pool.orbit("repos", "--no-card").code == 0
    readme.write_text("# nocard\n\nSomething quite different.\n")
    _shift(readme, -_TEN_YEARS)
    assert "Something quite different." in pool.orbit("repos", "--no-card").out


def test_no_kept_distance_makes_a_card_fresh(pool: World) -> None:
    """Whatever the cache holds of a pair of commits, only equal commits are fresh."""
    assert "stale 2" in pool.orbit("repos").out
    head = advance(pool, "stale")
    assert "stale 3" in pool.orbit("repos").out
    pool.git(pool.pool / "stale", "reset", "-q", "--hard", "HEAD~2")
    assert "stale 1" in pool.orbit("repos").out
    pool.git(pool.pool / "stale", "reset", "-q", "--hard", head)
    assert "stale 3" in pool.orbit("repos").out


def _shift(path: Path, seconds: int) -> None:
    then = path.stat().st_mtime + seconds
    os.utime(path, (then, then))
